"""The picture of a folded strategy graph."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from tests.golden import require_golden
from tests.graph.test_fold import LEMMA, ONE_PHASE, SHORT, certificate, walk_of
from tests.graph.test_picture import parse, require_apart
from verifier.graph.fold import fold_plays
from verifier.graph.tree import draw_folded_graph
from verifier.graph.write import write_graph
from verifier.kernel.games import OTHER

S = "{http://www.w3.org/2000/svg}"


def draw(name: str, depth: int = -1) -> str:
    walked = walk_of(name)
    return draw_folded_graph(fold_plays(walked, depth), walked.statement.game)


def boxes_of(root: ElementTree.Element) -> Iterator[tuple[str, tuple[float, float, float, float], list[str]]]:
    """Yield each box of a group or label: its node (empty for a label), its corners and its words."""
    for item in root.iter(f"{S}g"):
        if item.attrib.get("class", "").startswith("node"):
            (shape,) = item.findall(f"{S}path")
            points = [float(number) for number in re.findall(r"[-.\d]+", shape.attrib["d"])]
            corners = min(points[::2]), min(points[1::2]), max(points[::2]), max(points[1::2])
            words = [text.text or "" for text in (*item.findall(f"{S}text"), *item.findall(f"{S}g/{S}text"))]
            yield item.attrib.get("data-node", ""), corners, words


@pytest.mark.parametrize(("name", "depth"), [*((name, -1) for name in SHORT), (ONE_PHASE, 2)])
def test_every_group_is_drawn_once_and_nothing_covers_another(name: str, depth: int) -> None:
    walked = walk_of(name)
    graph = fold_plays(walked, depth)
    root = parse(draw(name, depth))
    boxes = [*boxes_of(root)]
    assert sorted(node for node, *_ in boxes if node) == sorted(graph)
    assert sum(not node for node, *_ in boxes) == sum(source != target for source, target in graph.edges)
    require_apart([corners for _, corners, _ in boxes])
    for node, corners, words in boxes:
        width = corners[2] - corners[0]
        assert all(5.5 * len(word) < width for word in words)
        if node and graph.nodes[node]["kind"] != "position":
            assert words[: len(graph.nodes[node]["label"].split("\n"))] == graph.nodes[node]["label"].split("\n")


@pytest.mark.parametrize("name", [*SHORT, LEMMA])
def test_a_picture_is_small(name: str) -> None:
    """It has at most 15 boxes, letters at least 12 pixels high, and at most 300 kB."""
    text = draw(name)
    assert len(text) <= 300_000
    assert text.count("data-node=") <= 15
    assert min(int(size) for size in re.findall(r"graph-picture[^{]*{[^}]*font-size: (\d+)px", text)) >= 12


def test_the_ends_say_how_many_there_are_by_ply() -> None:
    words = {node: words for node, _, words in boxes_of(parse(draw(ONE_PHASE)))}
    assert words["end X wins"] == ["X wins", "plies 5 to 7", "110 positions", "5", "30", "7", "80"]


@pytest.mark.parametrize("name", [LEMMA])
def test_a_phase_shows_how_it_branches(name: str) -> None:
    """Its box says how many replies there are, and has a fan with a stroke for each reply in one position.

    It has as many bars in its chart as plies, and its sentence. An arrow says who moves, and by which rules.
    """
    walked = walk_of(name)
    graph = fold_plays(walked)
    data = graph.nodes["phase opening"]
    data["says"] = "He marks the centre of one field after the other."
    root = parse(draw_folded_graph(graph, walked.statement.game))
    words = {node: " ".join(words) for node, _, words in boxes_of(root) if node}["phase opening"]
    other = OTHER[graph.graph["player"]]
    sent = [len(node.edges) for node in walked.nodes if node.mover == other and node.edges]
    assert f"up to {data['most_replies']} in one position" in words
    assert max(graph.nodes[group]["most_replies"] for group in graph) == max(sent)
    assert data["says"] in words
    assert f"Olivia: {data['replies']:,} replies" in words
    (box,) = [item for item in root.iter(f"{S}g") if item.attrib.get("data-node") == "phase opening"]
    paths = {path.attrib.get("class"): path.attrib["d"] for path in box.iter(f"{S}path")}
    assert paths["fan"].count("M") == data["most_replies"]
    assert paths["chart"].count("M") == len(data["plies"])
    labels = [" ".join(words) for node, _, words in boxes_of(root) if not node]
    assert "after 8 replies of Olivia’s Xavier answers by “enter”" in labels


def test_the_same_graph_is_the_same_picture() -> None:
    assert draw(ONE_PHASE) == draw(ONE_PHASE)


def test_the_folded_graph_as_dot() -> None:
    require_golden("folded.dot", write_graph(certificate(ONE_PHASE).graph(folded=True), "dot"))


def test_a_picture_of_what_refutes_a_reading_says_so() -> None:
    """Without these words, the moves that refute a reading look like its proof."""
    walked = walk_of(SHORT[0])
    graph = fold_plays(walked)
    graph.graph |= {"reading": "claim/reading", "verdict": "refuted"}
    said = draw_folded_graph(graph, walked.statement.game)
    assert "claim/reading is refuted, as these plays show: " in said
    graph.graph["verdict"] = "proved"
    assert "claim/reading: " in draw_folded_graph(graph, walked.statement.game)
