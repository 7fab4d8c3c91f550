from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import networkx as nx
import pytest

from tests.commands import ROOT
from verifier.graph.build import build_claim_graph
from verifier.graph.picture import STANDINGS, draw_claim_graph, page_style
from verifier.language.library import Library

S = "{http://www.w3.org/2000/svg}"


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 - our own text


def nodes_of(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [element for element in root.iter() if "data-claim" in element.attrib]


def panels_of(root: ElementTree.Element) -> list[ElementTree.Element]:
    return root.findall(f"{S}g/{S}g[@data-document]")


def moved(element: ElementTree.Element) -> tuple[float, float]:
    """Return how far the content of an element is moved to the right and down."""
    ((x, y),) = re.findall(r"translate\(([-.\d]+)[ ,]([-.\d]+)\)", element.attrib["transform"])
    return float(x), float(y)


def is_guest(node: ElementTree.Element) -> bool:
    """Return whether a claim is drawn in the panel of another document than its own."""
    return "guest" in node.attrib["class"].split()


def title_of(element: ElementTree.Element) -> str:
    title = element.find(f"{S}title")
    assert title is not None
    return title.text or ""


@pytest.fixture(scope="module")
def standings(library: Library) -> dict[str, str]:
    return dict(zip(sorted(library.claims), itertools.cycle(STANDINGS), strict=False))


@pytest.fixture(scope="module")
def root(library: Library, standings: dict[str, str]) -> ElementTree.Element:
    drawn = draw_claim_graph(build_claim_graph(library, standings), is_file=False)
    return parse(drawn.replace("<svg", f'<svg xmlns="{S[1:-1]}"', 1))


def test_every_claim_and_every_edge_is_drawn_once(root: ElementTree.Element, claims: nx.DiGraph[str]) -> None:
    """Nodes and edges have the ids from which a page computes what rests on what. Guests are drawn additionally."""
    assert sorted(node.attrib["data-claim"] for node in nodes_of(root) if not is_guest(node)) == sorted(claims)
    drawn = [(edge.attrib["data-from"], edge.attrib["data-to"]) for edge in root.iter() if "data-from" in edge.attrib]
    assert sorted(drawn) == sorted(claims.edges)


def test_a_node_says_in_words_what_its_looks_say(
    root: ElementTree.Element, library: Library, standings: dict[str, str]
) -> None:
    """The text for screen readers has title, standing and place. The standing also has a sign besides its colour."""
    for node in nodes_of(root):
        name = node.attrib["data-claim"]
        claim, standing = library.claim(name), standings[name]
        for said in (title_of(node), node.attrib["aria-label"]):
            assert said.startswith(f"{name} – {claim.title} – {standing} (")
            assert claim.source.place in said
        class_, sign = STANDINGS[standing]
        assert class_ in node.attrib["class"].split()
        assert "".join(line.text or "" for line in node.iter(f"{S}text")).startswith(f"{sign} {name[:5]}")
        assert node.tag == f"{S}a"
        assert node.attrib["href"] == f"#claim-{name}"


def test_the_signs_are_those_of_the_report() -> None:
    """No two standings have the same sign, and the style sheet of the page has the same signs."""
    assert len({sign for _, sign in STANDINGS.values()}) == len(STANDINGS)
    style = (ROOT / "verifier/report/html/style.css").read_text()
    signs = {"undetermined": "?"}  # that of every verdict without a rule of its own
    for names, sign in re.findall(r"""^\.verdict(.*)::before \{ --sign: "(.+)"; \}$""", style, re.MULTILINE):
        signs |= {name.replace("-", " "): sign for name in re.findall(r"[a-z-]+", names)}
    assert {standing: sign for standing, (_, sign) in STANDINGS.items()}.items() <= signs.items()


def test_joins_and_uses_are_lines_of_different_kinds(root: ElementTree.Element, claims: nx.DiGraph[str]) -> None:
    """Class and text of an edge say whether the verdict rests on the other claim, or it should be read first."""
    for edge in (element for element in root.iter() if "data-from" in element.attrib):
        source, target = edge.attrib["data-from"], edge.attrib["data-to"]
        because = claims.edges[source, target]["because"]
        assert edge.attrib["class"].split()[1] == because
        assert ("verdict" in title_of(edge), "read before" in title_of(edge)) == (because == "joins", because == "uses")


Box = tuple[float, float, float, float]


def box_of(shape: ElementTree.Element) -> Box:
    """Return the left, top, right and bottom of what Graphviz has drawn."""
    points = [float(number) for number in re.findall(r"[-.\d]+", shape.attrib["d"])]
    return min(points[::2]), min(points[1::2]), max(points[::2]), max(points[1::2])


def require_apart(boxes: list[Box]) -> None:
    for one, other in itertools.combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_no_two_claims_overlap(root: ElementTree.Element) -> None:
    """Boxes do not overlap and have their text in the middle. Panels do not overlap and are inside the picture."""
    outer = []
    for place in root.findall(f"{S}g[@transform]"):
        (panel,) = place
        (ground,) = panel.findall(f"{S}rect")
        (x, y), width, height = moved(place), float(ground.attrib["width"]), float(ground.attrib["height"])
        outer.append((x, y, x + width, y + height))
        inner = []
        for part in panel.findall(f"{S}g/{S}g"):
            (whole,) = part
            left, top = (sum(pair) for pair in zip(moved(part), moved(whole), strict=True))
            for node in nodes_of(whole):
                (shape,) = node.findall(f"{S}path")
                at = box_of(shape)
                for line in node.findall(f"{S}text"):
                    assert abs(float(line.attrib["x"]) - (at[0] + at[2]) / 2) < 0.1
                    assert at[1] < float(line.attrib["y"]) < at[3]
                inner.append((at[0] + left, at[1] + top, at[2] + left, at[3] + top))
        require_apart(inner)
        assert all(min(box) > 0 and box[2] < width and box[3] < height for box in inner)
    require_apart(outer)
    assert len(outer) > 10
    assert all(right <= float(root.attrib["width"]) + 0.1 for _, _, right, _ in outer)


def test_edges_lead_to_the_right(root: ElementTree.Element, claims: nx.DiGraph[str]) -> None:
    """In the panel of its document, a claim is to the left of all claims that it rests on."""
    for place in root.findall(f"{S}g[@transform]"):
        boxes = {node.attrib["data-claim"]: box_of(node.findall(f"{S}path")[0]) for node in nodes_of(place)}
        for edge in (element for element in place.iter() if "data-from" in element.attrib):
            assert boxes[edge.attrib["data-from"]][2] < boxes[edge.attrib["data-to"]][0]


def test_each_document_has_a_panel_with_its_claims(root: ElementTree.Element, claims: nx.DiGraph[str]) -> None:
    """The panel has the name of the document and the number of its claims."""
    for panel in panels_of(root):
        names = {node.attrib["data-claim"] for node in nodes_of(panel) if not is_guest(node)}
        (document,) = {claims.nodes[name]["document"] for name in names}
        assert panel.attrib["aria-label"].startswith(f"{document}: {len(names)} claim")


def two_documents() -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph(kind="claims")
    for name, document in (("a", "one"), ("b", "two"), ("c", "two")):
        data = {"label": name, "title": '<&> "so"', "document": document, "place": "§1"}
        graph.add_node(name, **data)
    graph.add_edge("a", "b", because="joins")
    return graph


def test_a_claim_of_another_document_is_a_guest() -> None:
    """If a claim needs a claim of another document, that claim is drawn in both panels, and the edge once."""
    root = parse(draw_claim_graph(two_documents()))
    two, one = panels_of(root)  # the document with more claims comes first
    assert sorted(node.attrib["data-claim"] for node in nodes_of(one)) == ["a", "b"]
    assert sorted(node.attrib["data-claim"] for node in nodes_of(two)) == ["b", "c"]
    assert len([element for element in root.iter() if "data-from" in element.attrib]) == 1


def test_text_is_escaped_and_a_node_without_link_has_no_anchor() -> None:
    """Titles of specs are text, not markup."""
    root = parse(draw_claim_graph(two_documents()))
    assert all('<&> "so"' in title_of(node) for node in nodes_of(root))
    assert not list(root.iter(f"{S}a"))


def test_a_file_has_its_style_and_a_page_has_it_once(claims: nx.DiGraph[str]) -> None:
    """A separate picture has literal colours for light and dark. In a page, the page has the style."""
    own = parse(draw_claim_graph(claims))
    (style,) = own.iter(f"{S}style")
    assert "prefers-color-scheme: dark" in (style.text or "")
    assert "var(" not in (style.text or "") + page_style()
    assert not list(parse(draw_claim_graph(claims, is_file=False)).iter(f"{S}style"))
    assert page_style().count("light-dark(") > 10
