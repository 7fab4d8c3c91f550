from __future__ import annotations

import itertools
from xml.etree import ElementTree

import networkx as nx
import pytest

from verifier.graph.build import build_claim_graph
from verifier.graph.picture import STANDINGS, draw_claim_graph, page_style
from verifier.language.library import Library

S = "{http://www.w3.org/2000/svg}"


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 - our own text


def nodes_of(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [element for element in root.iter() if "data-claim" in element.attrib]


def is_guest(node: ElementTree.Element) -> bool:
    """Say whether a claim is drawn in the panel of a document that is not its own."""
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
    """Nodes and edges carry the ids from which a page computes what rests on what; guests stand there besides."""
    assert sorted(node.attrib["data-claim"] for node in nodes_of(root) if not is_guest(node)) == sorted(claims)
    drawn = [(edge.attrib["data-from"], edge.attrib["data-to"]) for edge in root.iter() if "data-from" in edge.attrib]
    assert sorted(drawn) == sorted(claims.edges)


def test_a_node_says_in_words_what_its_looks_say(
    root: ElementTree.Element, library: Library, standings: dict[str, str]
) -> None:
    """Title, standing and place stand in the text for screen readers; the standing has a mark besides its colour."""
    for node in nodes_of(root):
        name = node.attrib["data-claim"]
        claim, standing = library.claim(name), standings[name]
        for said in (title_of(node), node.attrib["aria-label"]):
            assert said.startswith(f"{name} – {claim.title} – {standing} (")
            assert claim.source.place in said
        class_, path = STANDINGS[standing]
        assert class_ in node.attrib["class"].split()
        assert [mark.attrib["d"] for mark in node.iter(f"{S}path")] == [path]
        assert node.tag == f"{S}a"
        assert node.attrib["href"] == f"#claim-{name}"


def test_every_standing_has_a_mark_of_its_own() -> None:
    assert len({mark for _, mark in STANDINGS.values()}) == len(STANDINGS)


def test_joins_and_uses_are_lines_of_different_kinds(root: ElementTree.Element, claims: nx.DiGraph[str]) -> None:
    """An edge's class and its text tell whether the verdict rests on the other claim or it is to be read before."""
    for edge in (element for element in root.iter() if "data-from" in element.attrib):
        source, target = edge.attrib["data-from"], edge.attrib["data-to"]
        because = claims.edges[source, target]["because"]
        assert edge.attrib["class"].split()[1] == because
        assert ("verdict" in title_of(edge), "read before" in title_of(edge)) == (because == "joins", because == "uses")


def test_no_two_claims_overlap(root: ElementTree.Element) -> None:
    def box(element: ElementTree.Element) -> tuple[float, float, float, float]:
        x, y, width, height = (float(element.attrib[key]) for key in ("x", "y", "width", "height"))
        return x, y, x + width, y + height

    def require_apart(boxes: list[tuple[float, float, float, float]]) -> None:
        for one, other in itertools.combinations(boxes, 2):
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]

    panels = [group for group in root.findall(f"{S}g") if group.attrib["aria-label"] != "legend"]
    outer = []
    for panel in panels:
        inner = [node.find(f"{S}rect") for node in nodes_of(panel)]
        require_apart([box(element) for element in inner if element is not None])
        (ground,) = panel.findall(f"{S}rect")
        outer.append(box(ground))
    require_apart(outer)
    assert all(right <= float(root.attrib["width"]) + 0.1 for _, _, right, _ in outer)


def test_claims_of_a_document_stand_together(root: ElementTree.Element, claims: nx.DiGraph[str]) -> None:
    """There is a panel for each document, which names it and counts its claims."""
    for panel in root.findall(f"{S}g")[1:]:
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
    """What a claim needs from another document is drawn in both panels, and the edge once."""
    root = parse(draw_claim_graph(two_documents()))
    two, one = root.findall(f"{S}g")[1:]  # the document with more claims comes first
    assert sorted(node.attrib["data-claim"] for node in nodes_of(one)) == ["a", "b"]
    assert sorted(node.attrib["data-claim"] for node in nodes_of(two)) == ["b", "c"]
    assert len([element for element in root.iter() if "data-from" in element.attrib]) == 1


def test_text_is_escaped_and_nodes_without_links_are_none() -> None:
    """Titles of specs are text, not markup; without a link there is no anchor."""
    root = parse(draw_claim_graph(two_documents()))
    assert all('<&> "so"' in title_of(node) for node in nodes_of(root))
    assert not list(root.iter(f"{S}a"))


def test_a_file_has_its_style_and_a_page_has_it_once(claims: nx.DiGraph[str]) -> None:
    """A picture that is a file brings literal colours for light and dark; in a page the page brings them."""
    own = parse(draw_claim_graph(claims))
    (style,) = own.iter(f"{S}style")
    assert "prefers-color-scheme: dark" in (style.text or "")
    assert "var(" not in (style.text or "") + page_style()
    assert not list(parse(draw_claim_graph(claims, is_file=False)).iter(f"{S}style"))
    assert page_style().count("light-dark(") > 10
