"""Symmetries of games of cells: what is found, and searches up to symmetry against an enumeration."""

from collections import Counter
from typing import Any

import pytest

from tests.bench.cells import cells
from tests.kernel.test_cell_symmetries import CELLS, claim, closed_games
from tests.kernel.test_general import boxes, chomp, nim, tictactoe
from tests.kernel.test_rounds import Graph, force
from tests.statements import play, reach
from verifier import automorphism
from verifier.automorphism import find_automorphisms
from verifier.graph.fold import fold_plays
from verifier.graph.plays import CertificateWalk, build_guide, unfold
from verifier.kernel.decide import Memo, decide
from verifier.kernel.plays import Node
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import Statement, parse_statement
from verifier.questions.can.evidence import decide_start, find_moves, search
from verifier.questions.compiler import CompiledReading
from verifier.questions.finding import Task, pack_table
from verifier.questions.shown import make_example
from verifier.search.folded import PackedImages
from verifier.search.resources import DEFAULT_MEMORY_MIB
from verifier.search.retrograde import RetrogradeSearch


def find(said: dict[str, Any]) -> Symmetries | None:
    return find_automorphisms(said, parse_statement(said))


@pytest.mark.parametrize(
    ("rules", "goal", "size"),
    [
        pytest.param(tictactoe(), ["X_wins"], 8, id="tic-tac-toe"),
        pytest.param(tictactoe(), ["X", 1], 2, id="an edge"),
        pytest.param(tictactoe(), ["X", 4], 8, id="the centre"),
        pytest.param(nim(1, 2, 3, 4), ["X_wins"], 24, id="heaps"),
        pytest.param(nim(1, 2, 3, 4), ["==", ["stones", 1], 1], 6, id="one heap"),
        pytest.param(boxes(), ["X_wins"], 72, id="boxes"),
        pytest.param(chomp(3, 3), ["X_wins"], 2, id="a square bar"),
        pytest.param(chomp(2, 4), ["X_wins"], None, id="a bar"),
    ],
)
def test_known_groups_are_found(rules: Any, goal: Any, size: int | None) -> None:
    """Heaps may be exchanged, boards turned, and in Dots and Boxes the three outer edges of an end box exchanged."""
    found = find(claim(rules, goal))
    assert (None if found is None else len(found.group)) == size


def test_a_search_with_a_limit_finds_less_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A group that is too large is left out, or a part of it; and so is a graph of rules that is too large."""
    said = claim(nim(1, 2, 3, 4), ["X_wins"])
    monkeypatch.setattr(automorphism, "MAX_GROUP", 6)
    found = find(said)
    assert found is not None
    assert 1 < len(found.group) <= 6
    monkeypatch.setattr(automorphism, "MAX_COLOURED", 10)
    assert find(said) is None


@pytest.mark.parametrize("count", [20, pytest.param(600, marks=pytest.mark.slow)])
def test_random_closed_rules_have_the_permutation_by_which_they_were_closed(count: int) -> None:
    for _, data, goal, way in closed_games(count):
        found = find(claim(data, goal))
        assert found is not None
        assert way in found.group


def require_shown(said: dict[str, Any], side: Statement, nodes: list[Node], *, is_proved: bool) -> None:
    """Require that plays unfold to legal moves, one for the player with the table, and that they give an example."""
    symmetries = find(said)
    assert symmetries is not None
    game = side.game
    unfolded = unfold(build_guide(side, tuple(nodes), symmetries), 100_000)
    assert unfolded is not None
    known = {node.position for node in unfolded}
    for node in unfolded:
        after = [game.play(node.position, move) for move in game.legal_moves(node.position)]
        reached = {one if side.has_number else game.without_number(one) for one in after}
        followed = {one for _, one in node.edges}
        assert followed <= known & reached
        assert not node.mover or (len(followed) == 1 if node.mover == side.claimant else followed == reached)
    assert {symmetries.least(position) for position in known} == {symmetries.least(node.position) for node in nodes}
    if not is_proved:
        line, position = make_example(side, nodes, "because", symmetries), side.start
        for move in line.moves:
            position = game.play(position, game.parse_move(move))


@pytest.mark.parametrize("count", [20, pytest.param(600, marks=pytest.mark.slow)])
def test_claims_are_decided_up_to_symmetry_as_an_enumeration_says(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without the number of moves, a claim or its refutation has a table that the kernel accepts."""
    monkeypatch.setattr("verifier.search.retrograde.FEW_LISTED", 0)
    told = Counter[tuple[Any, ...]]()
    for rng, data, goal, _ in closed_games(count):
        graph = Graph(data)
        aims = {here for here in graph.after if graph.says(here, goal)}
        claimant, kind = rng.choice("XO"), rng.choice(("reach", "prevent"))
        attacker = claimant if kind == "reach" else "OX"[claimant == "O"]
        forced = force(attacker, {here: {} if here in aims else after for here, after in graph.after.items()}, aims)
        plies = forced.get(graph.start)
        for by in (None, rng.randrange(5)):
            is_forced = plies is not None and (by is None or plies <= by)
            word = {"reach": "by", "prevent": "through"}[kind]
            objective = {"name": "goal", "type": kind, "goal": goal, word: by}
            start = f"{''.join(map(str, graph.start[0]))}/{''.join(map(str, graph.start[1]))} {data['turn']} 0"
            said = play(data, start, objective, claimant=claimant, horizon=by)
            solver, is_proved = decide_start(said, parse_statement(said), DEFAULT_MEMORY_MIB)
            assert is_proved is (is_forced == (kind == "reach"))
            assert isinstance(solver, RetrogradeSearch)
            assert solver.symmetries is not None
            digest, files = pack_table(*find_moves(said, solver))
            evidence = {"table": digest, "symmetries": solver.symmetries.generators}
            evidence |= {} if is_proved else {"objective": "goal"}
            verdict = "proved" if is_proved else "refuted"
            memo = Memo()
            assert str(decide(said, verdict, evidence, files.__getitem__, memo).verdict) == verdict
            told[kind, verdict, by is None] += 1
            if memo.last:
                require_shown(said, solver.statement, memo.last, is_proved=is_proved)
    assert len(told) == 8
    assert min(told.values()) > count // 40, told


def test_packed_images_are_those_of_cells() -> None:
    """The least image is the same for all images; bits outside of cells stay."""
    places = [(1 + 2 * s, 1 + s % 2 * 0) for s in range(18)]
    images = PackedImages(places, [tuple(one) for one in (range(18), *CELLS, [CELLS[0][s] for s in CELLS[0]])])
    assert images.fold([0, 1, 1 << 1 + 2 * 8, 1 << 1 + 2 * 2 | 1]) == [0, 1, 1 << 1, 1 | 1 << 1]
    assert images.fold([]) == []


def test_a_table_up_to_symmetry_is_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """O's table for tic-tac-toe of cells has fewer than a quarter of the entries."""
    said = play(tictactoe(), "000000000/000000000 X 0", reach(["X_wins"], 9))
    sizes = []
    for few in (10_000, 100):
        monkeypatch.setattr("verifier.search.retrograde.FEW_LISTED", few)
        solver, is_proved = decide_start(said, parse_statement(said), DEFAULT_MEMORY_MIB)
        assert not is_proved
        sizes.append(len(find_moves(said, solver)[0].moves()))
    assert 4 * sizes[1] < sizes[0]


def test_many_given_positions_have_a_table_up_to_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nim of two heaps: from all given positions, one entry serves both orders of the heaps; so do refutations."""
    data, goal = nim(15, 14), {"name": "goal", "type": "reach", "goal": ["X_wins"], "by": None}
    uneven = ["and", ["!=", ["stones", 0], ["stones", 1]], ["==", ["turn"], 1]]
    sizes = {}
    for few in (10_000, 100):
        monkeypatch.setattr("verifier.search.retrograde.FEW_FIRST", few)
        for given, verdict in ((uneven, "proved"), (True, "refuted")):
            said = play(data, "15.14 X 0", goal, given=given)
            found = search(Task(cells(), "cells", "wide", CompiledReading(said)))
            assert found.evidence is not None
            assert ("symmetries" in found.evidence) == (few == 100)
            memo = Memo()
            assert str(decide(said, verdict, found.evidence, found.files.__getitem__, memo).verdict) == verdict
            sizes[few, verdict] = len(memo.last)
            if (few, verdict) == (100, "proved"):
                statement, nodes = parse_statement(said), tuple(memo.last)
                symmetries = Symmetries(said, statement, found.evidence["symmetries"])
                graph = fold_plays(CertificateWalk(statement, nodes, symmetries, {}))
                assert sum(data["positions"] for _, data in graph.nodes(data=True)) == len(nodes)
                unfolded = unfold(build_guide(statement, nodes, symmetries), 10_000)
                assert sum(node.is_start for node in unfolded or ()) == 16 * 15
    assert sizes[100, "proved"] < 0.6 * sizes[10_000, "proved"]
