"""The folded strategy graph is a quotient of the kernel's walk: each position and each move counts once."""

from __future__ import annotations

import functools
import itertools
import pathlib
import shutil
import tempfile
from collections import Counter
from typing import Any

import networkx as nx
import pytest

from tests.audit.made import MADE, ROOT, check, make_plan, write_claim
from tests.rules import load_library
from verifier.api.certificate import Certificate, find_plays
from verifier.graph.build import HELD, build_strategy_graph
from verifier.graph.fold import BEFORE, MAX_GROUPS, find_groups, find_player, fold_plays
from verifier.graph.plays import CertificateWalk, find_plies, follow_walk, list_starts
from verifier.kernel.errors import UsageError
from verifier.kernel.plays import walk
from verifier.kernel.statement import parse_statement
from verifier.questions.compile import compile_reading

ONE_PHASE, TABLE = "careful-first-is-safe", "classic-second-player"
SHORT = [ONE_PHASE, TABLE, "sim-second-player", "lemma-3-edge-line"]
LEMMA = pytest.param("lemma-3", marks=pytest.mark.slow)


@functools.cache
def certificate(name: str) -> Certificate:
    """Return the evidence of a claim: shipped evidence or, if there is none, what a search finds now."""
    with tempfile.TemporaryDirectory() as folder:
        plan = make_plan(ROOT / "specs", name, cache=pathlib.Path(folder), shipped=ROOT / "proofs")
        check(plan)
        found = find_plays(plan.folders.open(plan.library), name)
        files = {digest: found.context.store.read(digest) for digest in [found.evidence.get("table")] if digest}
    READ.update(files)
    return found


READ: dict[str, bytes] = {}


@functools.cache
def walk_of(name: str) -> CertificateWalk:
    found = certificate(name)
    walked = follow_walk(found.stored, READ.__getitem__)
    assert walked is not None
    return walked


@pytest.mark.parametrize("depth", [-1, 3])
@pytest.mark.parametrize("name", [*SHORT, LEMMA])
def test_every_position_and_every_move_is_counted_once(name: str, depth: int) -> None:
    """Nodes and edges have the counts of the kernel's walk, and these add up to the kernel's own statistics."""
    walked = walk_of(name)
    graph, groups = fold_plays(walked, depth), find_groups(walked, depth)
    positions = Counter(str(groups[node.position]) for node in walked.nodes)
    edges = [(node, label, after) for node in walked.nodes for label, after in node.edges]
    moves = Counter((str(groups[node.position]), str(groups[after])) for node, _, after in edges)
    assert {node: data["positions"] for node, data in graph.nodes(data=True)} == positions
    assert {(source, target): data["moves"] for source, target, data in graph.edges(data=True)} == moves
    assert (positions.total(), moves.total()) == (walked.stats["positions"], walked.stats["edges"])
    ends = [data for _, data in graph.nodes(data=True) if data.get("reason")]
    assert sum(data["positions"] for data in ends if data["reason"] != HELD) == walked.stats["leaves"]
    rules, player = Counter[str](), find_player(walked.statement)
    for _, _, data in graph.edges(data=True):
        rules.update(data["rules"])
    assert rules == Counter(label for node, label, _ in edges if node.mover == player)


@pytest.mark.parametrize("name", [*SHORT, LEMMA])
def test_a_group_says_what_its_positions_and_moves_are(name: str) -> None:
    walked = walk_of(name)
    statement, graph, groups = walked.statement, fold_plays(walked), find_groups(walked)
    plies = find_plies(statement, walked.nodes)
    other = {"X": "O", "O": "X"}[find_player(statement) or statement.claimant]
    for key, data in graph.nodes(data=True):
        nodes = [node for node in walked.nodes if str(groups[node.position]) == key]
        assert data["plies"] == Counter(plies[node.position] for node in nodes)
        assert (data["first"], data["last"]) == (min(data["plies"]), max(data["plies"]))
        assert data["example"] in [statement.game.format_position(node.position) for node in nodes]
        assert data["replies"] == sum(len(node.edges) for node in nodes if node.mover == other)
        for count in ("moves", "replies"):
            assert data[count] == sum(graph.edges[key, to][count] for to in graph[key])
        for count in ("rules", "answers"):
            assert data[count] == sum((Counter(graph.edges[key, to][count]) for to in graph[key]), Counter[str]())
        assert bool(nodes[0].edges) == (data["kind"] != "end")


@pytest.mark.parametrize("name", ["lemma-3-edge-line", LEMMA])
def test_a_position_is_in_the_phase_in_force(name: str) -> None:
    """A position of the strategy's player is in the phase of his rule; another one in the phase of a move before it."""
    walked = walk_of(name)
    groups, before = find_groups(walked), dict[Any, set[str]]()
    player = find_player(walked.statement)
    for node in walked.nodes:
        key = groups[node.position]
        if key.kind == "end":
            assert not node.edges
        elif node.mover == player:
            assert {label.partition(".")[0] for label, _ in node.edges} == {key.name}
        else:
            assert key.name in before.get(node.position, {BEFORE})
        for _, after in node.edges:
            before.setdefault(after, set()).add(key.name)


@pytest.mark.slow
def test_the_strategy_of_the_paper_in_four_nodes() -> None:
    """Opening, middlegame and endgame follow each other; the endgame alone leads to wins, at plies 29 to 43."""
    graph = certificate("lemma-3").graph(folded=True)
    opening, middlegame, endgame = "phase opening", "phase middlegame", "phase endgame"
    assert {(one, other) for one, other in graph.edges if one != other} == {
        (opening, middlegame),
        (middlegame, endgame),
        (endgame, "end X wins"),
    }
    wins = graph.nodes["end X wins"]
    assert (wins["first"], wins["last"], wins["positions"]) == (29, 43, 1040)
    assert graph.edges[middlegame, endgame]["answers"] == {"endgame.back": 1536, "endgame.across": 1536}


def test_a_strategy_of_one_phase_is_grouped_by_its_rules() -> None:
    graph = fold_plays(walk_of(ONE_PHASE))
    kinds = {data["kind"] for _, data in graph.nodes(data=True)}
    assert kinds == {"rule", "end"}
    assert graph.nodes["rule all.win"]["rules"].keys() == {"all.win"}


def test_a_table_is_grouped_by_plies() -> None:
    """Without a strategy, there is a group for each ply, or for several if there were too many groups."""
    for name, size in ((TABLE, 1), ("sim-second-player", 2)):
        walked = walk_of(name)
        graph = fold_plays(walked)
        groups = [data for _, data in graph.nodes(data=True) if data["kind"] == "plies"]
        assert len(groups) <= MAX_GROUPS
        assert all(data["last"] - data["first"] < size for data in groups)
        assert graph.graph["symmetric"]


def test_where_play_may_go_on_for_ever_a_ply_is_the_fewest_moves(tmp_path: pathlib.Path) -> None:
    """Positions come again, so a move may lead back to an earlier group; each one still counts once."""
    shutil.copytree(MADE / "rounds", tmp_path / "specs")
    for strategies, given in itertools.product(("", "strategies: {X: catch}, "), ("", "given: not over, ")):
        more = strategies + given
        text = f"readings: {{r: {{expect: proved, plays: all, {more}objectives: {{a: {{prevent: X_wins}}}}}}}}"
        write_claim(tmp_path / "specs", "c", text, "ring-race")
        statement = parse_statement(compile_reading(load_library(tmp_path / "specs"), "c", "r").statement or {})
        walked = CertificateWalk(statement, tuple(walk(statement, None)), None, {})
        assert not statement.has_number
        graph, plies = fold_plays(walked), find_plies(statement, walked.nodes)
        kinds = {"rule", *["phase"] * bool(given)} if strategies else {"plies"}  # the phase is "before the strategy"
        assert {data["kind"] for _, data in graph.nodes(data=True)} == kinds | {"end"}
        assert sum(data["positions"] for _, data in graph.nodes(data=True)) == len(walked.nodes) == len(plies)
        starts = {*list_starts(statement, walked.nodes)}
        moves = nx.DiGraph([(node.position, after) for node in walked.nodes for _, after in node.edges])
        assert plies == nx.multi_source_dijkstra_path_length(moves, starts)
        assert len(starts) == (40 if given else 1)
        assert all(("line" in data) != bool(given) for _, data in graph.nodes(data=True))
        unfolded = build_strategy_graph(statement, walked.nodes)
        assert {data["position"]: data["ply"] for _, data in unfolded.nodes(data=True)} == {
            statement.game.format_position(position): ply for position, ply in plies.items()
        }
        assert unfolded.number_of_edges() == moves.number_of_edges()


def test_the_first_plies_are_single_positions() -> None:
    """Each has the moves that the game allows from it, up to symmetry, and the other positions are folded."""
    for name in (ONE_PHASE, TABLE):
        walked = walk_of(name)
        game, graph = walked.statement.game, fold_plays(walked, 2)
        single = {node: data for node, data in graph.nodes(data=True) if data["kind"] == "position"}
        assert {data["ply"] for data in single.values()} == {0, 1, 2}
        for source, target, data in graph.edges(data=True):
            assert ("move" in data) == (target in single)
            if "move" in data:
                position = game.parse_position(single[source]["position"])
                after = game.play(position, game.parse_move(data["move"]))
                least = after if walked.symmetries is None else walked.symmetries.least(after)
                assert game.format_position(least) == single[target]["position"] == data["position"]


@pytest.mark.parametrize("name", SHORT)
def test_the_moves_of_a_group_lead_to_its_example_and_to_its_first_position(name: str) -> None:
    walked = walk_of(name)
    game, keys = walked.statement.game, find_groups(walked)
    for group, data in fold_plays(walked).nodes(data=True):
        reached = {}
        for line in ("line", "first_line"):
            position = walked.statement.start
            for move in data[line].split():
                position = game.play(position, game.parse_move(move))
            reached[line] = position if walked.symmetries is None else walked.symmetries.least(position)
        assert game.format_position(reached["line"]) == data["example"]
        assert str(keys[reached["first_line"]]) == group
        assert game.ply(reached["first_line"]) == data["first"]


def test_a_graph_that_is_too_large_is_refused_before_the_work() -> None:
    """The message gives the largest depth that is small enough."""
    found = certificate("lemma-3-edge-line")
    with pytest.raises(UsageError, match=r"more than 20 positions within \d plies: --depth (\d) has fewer") as refused:
        found.graph(folded=True, depth=99, limit=20)
    depth = int(str(refused.value).partition("--depth ")[2][0])
    sizes = {}
    for ply in (depth, depth + 1):
        graph = found.graph(folded=True, depth=ply)
        sizes[ply] = sum(data["kind"] == "position" for _, data in graph.nodes(data=True))
    assert sizes[depth] <= 20 < sizes[depth + 1]
