"""Tables up to maps of values: games that have them, and attacks by maps that change what the rules or a goal say."""

import itertools
import json
import pathlib
from collections.abc import Sequence
from typing import Any

import pytest

from tests.kernel.asking import judge, judge_table
from tests.kernel.test_cell_symmetries import PASS, by_o, folded_moves, rules_of
from tests.kernel.test_general import LINES, Rules, both, write_rules
from tests.kernel.test_value_maps import claim, reason
from tests.rules import in_a_row, positional
from tests.statements import play
from verifier.kernel import relabel
from verifier.kernel.games.general import General
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import parse_statement

V, U, W = ["v"], ["u"], ["w"]
SWAP = [[0, 0, 2, 1], 1, 2]
"""Exchanges the values 1 and 2 of the first cell, and changes nothing else."""

STATE = [["v", [], 0, 2, [0]], ["u", [], 0, 2, [0]], ["w", [], 0, None, [0]]]
AFTER_U = [["v", [], 0, 2, [0]], ["u", [], 0, 2, [2]], ["w", [], 0, None, [0]]]

ONE, TWO = (by_o(["==", V, 0], [V, value]) for value in (1, 2))


def game(*actions: Rules, state: Any = None, outcomes: Any = (), formulas: Any = ()) -> Rules:
    """Return rules in which X passes, and O gives ``v`` the value 1 or 2, or makes one of the actions."""
    return rules_of(ONE, TWO, *actions, state=state or STATE, outcomes=outcomes, formulas=formulas)


def when(value: int, *changes: Any) -> Rules:
    return by_o(["==", V, value], *changes)


FINISH = [W, True]
INDEXED = ["if", ["==", V, 1], U, ["if", ["==", V, 2], ["n"], 0]]
COUNTED = [*STATE[:2], ["n", [], 0, 2, [0]]]

ATTACKS: dict[str, tuple[Rules, Any, list[Any], str]] = {
    "goal": (game(), ["==", V, 2], SWAP, "The goal names one of two values that the map exchanges."),
    "goal-that-compares-an-order": (game(), ["<", 1, V], SWAP, "A map does not keep the order of values."),
    "order-of-cells-with-the-same-map": (
        game(*(by_o(["==", U, 0], [U, value]) for value in (1, 2))),
        ["and", ["!=", U, 0], ["<", U, V]],
        [[0, 0, 2, 1], [1, 0, 2, 1], 2],
        "Two cells with the same map are compared, but not for equality.",
    ),
    "goal-that-counts": (game(), ["==", ["+", V, 0], 2], SWAP, "The value is a part of a sum."),
    "goal-by-a-difference": (game(), ["==", ["-", 2, V], 0], SWAP, "The value is a part of a difference."),
    "goal-by-a-choice": (
        game(),
        ["==", ["if", ["==", U, 0], V, 0], 2],
        SWAP,
        "The value is that of a choice, which is compared with a constant, and nobody maps the constant.",
    ),
    "outcome": (game(outcomes=[[["==", V, 2], "O"]]), ["O_wins"], SWAP, "An outcome names one of the two values."),
    "constant-in-a-condition": (game(when(2, FINISH)), W, SWAP, "Only one of the two values lets O finish."),
    "constant-by-a-name": (
        game(by_o(["use", 0], FINISH), formulas=[["==", V, 2]]),
        W,
        SWAP,
        "The condition that names one of the two values is an entry.",
    ),
    "constant-in-an-entry-of-two-cells": (
        game(
            by_o(["==", U, ["use", 0]], [U, 0]),
            by_o(["==", V, ["use", 0]], FINISH),
            formulas=[["if", W, 1, 2]],
        ),
        W,
        SWAP,
        "The entry is compared with a cell without a map first, and then with the mapped cell.",
    ),
    "constant-that-is-set": (
        rules_of(TWO, by_o(["and", ["!=", V, 0], ["==", U, 0]], [U, V]), by_o(["!=", U, 0], [V, 1]), state=STATE),
        ["and", ["!=", U, 0], ["!=", U, V]],
        [[0, 0, 2, 1], [1, 0, 2, 1], 2],
        "A move sets one of the two values, a later move the other one, and both have the same image.",
    ),
    "constant-out-of-range": (
        game(when(1, [U, 3]), when(2, [U, 2])),
        ["==", U, 2],
        SWAP,
        "One of the two moves sets a value out of range, so it is never legal.",
    ),
    "constant-out-of-range-of-a-mapped-cell": (
        game(by_o(["==", U, 0], [U, 3]), state=STATE),
        ["==", V, 2],
        SWAP,
        "A move that is never legal sets the constant 3. The map of the cell does not take it into the range.",
    ),
    "copy-to-a-cell-with-another-map": (
        game(by_o(["!=", V, 0], [U, V])),
        ["==", U, 2],
        SWAP,
        "The mapped value is copied to a cell whose values stay.",
    ),
    "copy-in-a-choice": (
        game(by_o(["!=", V, 0], [U, ["if", W, 0, V]])),
        ["==", U, 2],
        SWAP,
        "The mapped value is copied to a cell whose values stay, by one of two branches.",
    ),
    "comparison-of-cells-with-other-maps": (
        game(state=AFTER_U),
        ["==", V, U],
        SWAP,
        "Two cells are compared, and the map exchanges the values of only one.",
    ),
    "difference-of-cells-with-other-maps": (
        game(by_o(["and", ["!=", V, 0], ["not", ["!=", U, V]]], FINISH), state=AFTER_U),
        W,
        SWAP,
        "Two cells are compared by !=, and the map exchanges the values of only one.",
    ),
    "index": (
        game(state=[STATE[0], ["u", [], 0, 2, [0]], ["n", [], 0, 2, [1]]]),
        ["==", INDEXED, 1],
        SWAP,
        "The mapped value chooses among cells that are not exchanged with it.",
    ),
    "turn": (
        rules_of(
            ONE,
            TWO,
            {"X": [True, [[["n"], 0]]]},
            by_o(True, [["n"], ["+", ["n"], 1]], [["turn"], ["if", ["==", V, 0], 1, V]]),
            state=COUNTED,
        ),
        ["==", ["n"], 2],
        SWAP,
        "The mapped value says whose turn it is next.",
    ),
    "new-value-that-counts": (
        game(by_o(["!=", V, 0], [U, ["+", V, 0]])),
        ["==", U, 2],
        SWAP,
        "The mapped value is a part of a sum, which becomes the value of a cell.",
    ),
    "mapped-sum": (
        rules_of(by_o(["==", V, 0], [V, ["+", U, 2]]), by_o(["==", V, 0], [V, ["+", U, 2]]), state=STATE),
        ["==", V, 2],
        SWAP,
        "A sum becomes the value of the mapped cell, and nobody maps the sum.",
    ),
}
"""By name: rules, a goal that O can meet, a generator by which a table seems to prevent it, and the attack in words."""


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_map_that_would_let_a_false_table_pass_is_refused(attack: str) -> None:
    """O can meet the goal. Up to the map X has a table against it, and nothing but the map is wrong."""
    rules, goal, way, _ = ATTACKS[attack]
    for through in (None, 8):
        said = claim(rules, goal)
        said["objectives"][0]["through"] = through
        _, is_held = folded_moves(claim(rules, goal), [*range(len(way))])
        table, seems_held = folded_moves(claim(rules, goal), way)
        assert (is_held, seems_held) == (False, True)
        for ways in ([way], [[*range(len(way))], way], [way, way]):
            assert judge_table(said, {"moves": table}, symmetries=ways) == "not-a-symmetry"


def test_the_attacks_would_pass_if_any_map_were_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    """So each of them is refused for the map, and for nothing else."""
    monkeypatch.setattr(relabel.Relabelling, "formula", lambda *_: 0)
    monkeypatch.setattr(General, "keeps_rules", lambda *_: True)
    for rules, goal, way, _ in ATTACKS.values():
        said = claim(rules, goal)
        table, _ = folded_moves(said, way)
        assert judge_table(said, {"moves": table}, symmetries=[way]) == "proved"


NO_MAPS: dict[str, tuple[list[Any], str]] = {
    "of-too-many-values": ([[0, 0, 2, 1, 3], 1, 2], "The map has a value more than the cell."),
    "of-too-few-values": ([[0, 0, 1], 1, 2], "The map has a value less than the cell."),
    "that-is-not-one-to-one": ([[0, 0, 1, 1], 1, 2], "The map takes two values to one."),
    "to-another-range": ([[0, 1, 2, 3], 1, 2], "The map takes a value out of the range of the cell."),
    "of-a-condition": ([0, 1, [2, 1, 0]], "The map exchanges true and false."),
    "of-the-turn": ([0, 1, 2, [-1, 2, 1]], "The map exchanges the players."),
    "without-a-value": ([[0], 1, 2], "The list has a cell, but no values."),
    "without-a-cell": ([[], 1, 2], "The list is empty."),
    "of-a-cell-twice": ([[1, 0, 2, 1], 1, 2], "Two cells go to one."),
    "nested": ([[0, [0, 2, 1]], 1, 2], "The values are in a list of their own."),
    "of-texts": ([[0, "0", "2", "1"], 1, 2], "The values are texts."),
}
"""By name: lists that are no maps, and the attack in words. The goal holds nowhere."""


@pytest.mark.parametrize("name", NO_MAPS)
def test_other_lists_are_refused(name: str) -> None:
    """A map lists where the values of one number go, from the least to the most, each to a different value."""
    way, _ = NO_MAPS[name]
    assert judge_table(claim(game(), ["==", 0, 1]), {"moves": {}}, symmetries=[way]) == "malformed"


def test_cells_with_a_map_have_the_same_range() -> None:
    """The values 1 to 3 do not go to 0 to 2, and a cell with values up to 64 has no map."""
    state = [["a", [], 0, 2, [0]], ["b", [], 1, 3, [1]], ["big", [], 0, 64, [0]], ["most", [], 1, 63, [1]]]
    said = claim(write_rules(state, [["m", [0], {"X": PASS["X"], "O": PASS["X"]}]], []), ["==", 0, 1])
    one, other = [0, 1, 2], [1, 2, 3]
    for way, found in (
        ([[1, *one], [0, *other], 2, 3], "not-a-symmetry"),
        ([[1, *other], [0, *one], 2, 3], "malformed"),
        ([1, 0, 2, 3], "not-a-symmetry"),
        ([0, 1, [2, *range(64, -1, -1)], 3], "malformed"),
        ([0, [1, 3, 2, 1], 2, [3, *range(63, 0, -1)]], ""),
        ([0, 1, 2, [3, *range(63)]], "malformed"),
    ):
        assert reason(said, way) == found


def test_a_board_has_no_maps() -> None:
    lines = [[[*held], [*others]] for held, others in in_a_row(3, 3, 3)]
    said = play(positional(3, 3, lines, [[["X_line"], "X"]], notation="spots"), "." * 9, claimant="O")
    said["objectives"] = [{"name": "goal", "type": "prevent", "goal": ["X_wins"], "through": 9}]
    assert judge_table(said, {"moves": {}}, symmetries=[[[0, 1, 0], *range(1, 9)]]) == "malformed"


# -- games that have maps --------------------------------------------------------------------------------------------


def wild(spots: int, lines: Sequence[tuple[int, ...]], *, is_equal: bool = False) -> Rules:
    """Wild tic-tac-toe: the players write either symbol; who completes a line of equal symbols wins."""
    board = [["board", s] for s in range(spots)]
    moves = [
        [f"{s}{'XO'[value - 1]}", [s, value], both(["==", board[s], 0], [[board[s], value]])]
        for s in range(spots)
        for value in (1, 2)
    ]
    if is_equal:
        won = [
            [
                "and",
                *(["!=", board[s], 0] for s in line),
                *(["==", board[s], board[t]] for s, t in itertools.combinations(line, 2)),
            ]
            for line in lines
        ]
    else:
        won = [["and", *(["==", board[s], value] for s in line)] for line in lines for value in (1, 2)]
    return write_rules([["board", [spots], 0, 2, [0] * spots]], moves, [[["or", *won], "previous"]])


def colouring(edges: list[tuple[int, int]], colours: int) -> Rules:
    """Players colour the vertices of a graph in turn, neighbours differently; who cannot move loses."""
    count = 1 + max(max(edge) for edge in edges)
    near = [[b if a == s else a for a, b in edges if s in (a, b)] for s in range(count)]
    moves = [
        [
            f"{s}.{value}",
            [s, value],
            both(["and", ["==", ["c", s], 0], *(["!=", ["c", t], value] for t in near[s])], [[["c", s], value]]),
        ]
        for s in range(count)
        for value in range(1, colours + 1)
    ]
    return write_rules([["c", [count], 0, colours, [0] * count]], moves, [[["stuck"], "previous"]])


def exchanged(count: int, *values: int) -> list[list[int]]:
    """Return the generator that permutes the values of all cells in the same way."""
    return [[cell, *values] for cell in range(count)]


TURNED, MIRRORED = [6, 3, 0, 7, 4, 1, 8, 5, 2], [2, 1, 0, 5, 4, 3, 8, 7, 6]


@pytest.mark.parametrize("is_equal", [False, True])
def test_the_symbols_of_wild_tic_tac_toe_may_be_exchanged(is_equal: bool) -> None:
    """With the square, the group has 16 elements; one of the symbols alone cannot be exchanged with an empty spot."""
    said = claim(wild(9, LINES, is_equal=is_equal), ["X_wins"])
    statement = parse_statement(said)
    swap = exchanged(9, 0, 2, 1)
    found = Symmetries(said, statement, [TURNED, MIRRORED, swap])
    assert (len(found.group), len(found.cell_images)) == (16, 18)
    game, before = statement.game, statement.formulas.work
    first = [game.play(game.start, (s, value)) for s in (0, 2, 6, 8) for value in (1, 2)]
    assert len({found.least(position) for position in first}) == 1
    assert statement.formulas.work - before == 8 * (16 * (4 + 9) + 9)
    for values in ((1, 0, 2), (2, 1, 0), (1, 2, 0)):
        assert reason(said, exchanged(9, *values)) == "not-a-symmetry"
    assert reason(said, [*swap[:8], 8]) == "not-a-symmetry", "all cells or none"
    said["objectives"][0]["goal"] = ["==", ["board", 4], 1]
    assert reason(said, swap) == "not-a-symmetry"
    assert reason(said, TURNED) == ""


def test_three_colours_may_be_permuted() -> None:
    """The group of a path is 2 times 6. Not every permutation is generated by a single exchange."""
    said = claim(colouring([(0, 1), (1, 2)], 3), ["X_wins"])
    statement = parse_statement(said)
    turn, swap, mirror = exchanged(3, 0, 2, 3, 1), exchanged(3, 0, 2, 1, 3), [2, 1, 0]
    for generators, size in (([turn], 3), ([swap], 2), ([turn, swap], 6), ([turn, swap, mirror], 12)):
        found = Symmetries(said, statement, generators)
        assert len(found.group) == len(set(found.group)) == size
    with_mirror = [[2, 0, 2, 3, 1], [1, 0, 2, 3, 1], [0, 0, 2, 3, 1]]
    assert len(Symmetries(said, statement, [with_mirror]).group) == 6
    for values in itertools.permutations(range(4)):
        assert (reason(said, exchanged(3, *values)) == "") == (values[0] == 0)


def test_the_values_of_a_heap_may_not_be_permuted() -> None:
    """Moves subtract from a heap, so only the heaps themselves may be exchanged."""
    moves = [[f"{h}.{m}", [h, m], both(True, [[["s", h], ["-", ["s", h], m]]])] for h in range(2) for m in (1, 2)]
    said = claim(write_rules([["s", [2], 0, 2, [2, 2]]], moves, [[["stuck"], "previous"]]), ["X_wins"])
    assert reason(said, [1, 0]) == ""
    for values in itertools.permutations(range(3)):
        found = reason(said, [[0, *values], [1, *values]])
        assert found == ("" if values == (0, 1, 2) else "not-a-symmetry")


def test_ends_are_counted_up_to_maps() -> None:
    """A path of three vertices has as many ends as an enumeration finds, up to colours and the mirror image."""

    def may(colours: tuple[int, ...], s: int, value: int) -> bool:
        return not colours[s] and all(colours[t] != value for t in (s - 1, s + 1) if 0 <= t < 3)

    every = itertools.product(range(4), repeat=3)
    ends = {
        c
        for c in every
        if all(c[s] == 0 or c[s] != c[s + 1] for s in range(2))
        and not any(may(c, s, v) for s in range(3) for v in (1, 2, 3))
    }
    images = {
        min(
            tuple(values[c] for c in way)
            for values in ((0, *p) for p in itertools.permutations((1, 2, 3)))
            for way in (end, end[::-1])
        )
        for end in ends
    }
    said: dict[str, Any] = {
        "kind": "count",
        "rules": colouring([(0, 1), (1, 2)], 3),
        "formulas": [],
        "start": "000 X 0",
        "horizon": None,
        "strategies": {},
        "of": "ends",
    }
    ways = [exchanged(3, 0, 2, 3, 1), exchanged(3, 0, 2, 1, 3), [2, 1, 0]]
    for number, found in ((len(images), "proved"), (len(ends), "not-the-count")):
        assert judge({**said, "counts": [[True, str(number)]], "symmetries": ways}, {}) == found
    assert judge({**said, "counts": [[True, str(len(ends))]]}, {}) == "proved"
    assert len(images) < len(ends) // 4
    assert judge({**said, "counts": [[["==", ["c", 0], 1], "1"]], "symmetries": ways}, {}) == "not-a-symmetry"


def test_a_map_that_moves_nothing_is_the_plain_permutation() -> None:
    said = claim(colouring([(0, 1), (1, 2)], 3), ["X_wins"])
    statement = parse_statement(said)
    plain, listed = (Symmetries(said, statement, [one]) for one in ([2, 1, 0], [[2, 0, 1, 2, 3], 1, [0, 0, 1, 2, 3]]))
    assert (plain.group, plain.cell_images) == (listed.group, listed.cell_images)


def test_the_limits_of_maps_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits are on the symmetries, and on what they make of single cells."""
    said = claim(colouring([(0, 1), (1, 2)], 3), ["X_wins"])
    ways = [exchanged(3, 0, 2, 3, 1), exchanged(3, 0, 2, 1, 3), [2, 1, 0]]
    for limit, most in (("MAX_SYMMETRIES", 12), ("MAX_CELL_IMAGES", 18)):
        for number, found in ((most, ""), (most - 1, "limit")):
            monkeypatch.setattr(relabel, limit, number)
            assert reason(said, *ways) == found
        monkeypatch.setattr(relabel, limit, 10_000)


def test_a_piece_that_moves_may_be_mirrored() -> None:
    """A man walks on a line of four fields, and his field is a value. The marks of the fields are cells."""
    moves = [
        [
            f"{s}-{t}",
            [s, t],
            both(["and", ["==", ["man"], s], ["not", ["seen", t]]], [[["man"], t], [["seen", t], True]]),
        ]
        for s in range(4)
        for t in (s - 1, s + 1)
        if 0 <= t < 4
    ]
    state = [["man", [], 0, 3, [1]], ["seen", [4], 0, None, [0] * 4]]
    said = claim(write_rules(state, moves, [[["stuck"], "previous"]]), ["X_wins"])
    mirror: list[Any] = [[0, 3, 2, 1, 0], 4, 3, 2, 1]
    assert reason(said, mirror) == ""
    for way in ([[0, 3, 2, 1, 0], 1, 2, 3, 4], [0, 4, 3, 2, 1], [[0, 1, 0, 3, 2], 2, 1, 4, 3]):
        assert reason(said, way) == "not-a-symmetry"


def test_maps_are_composed_in_the_order_of_the_permutations() -> None:
    """A man on a triangle: each permutation of the fields needs its own map of his value, so there are six pairs."""
    moves = [
        [
            f"{s}-{t}",
            [s, t],
            both(["and", ["==", ["man"], s], ["not", ["seen", t]]], [[["man"], t], [["seen", t], True]]),
        ]
        for s, t in itertools.permutations(range(3), 2)
    ]
    state = [["seen", [3], 0, None, [0] * 3], ["man", [], 0, 2, [0]]]
    said = claim(write_rules(state, moves, [[["stuck"], "previous"]]), ["X_wins"])
    statement = parse_statement(said)
    for one, other in itertools.product(itertools.permutations(range(3)), repeat=2):
        assert reason(said, [*one, [3, *other]]) == ("" if one == other else "not-a-symmetry")
    found = Symmetries(said, statement, [[1, 0, 2, [3, 1, 0, 2]], [1, 2, 0, [3, 1, 2, 0]]])
    assert len(found.group) == 6
    leasts = {found.least(position) for position in General(said["rules"]).positions()}
    assert len(leasts) == 2 * 6, "for each player: the number of fields seen, and whether the man's is among them"


# -- the corpus has these attacks ------------------------------------------------------------------------------------

CORPUS = pathlib.Path(__file__).parent.parent / "corpus" / "invalid"


@pytest.mark.parametrize("name", [*ATTACKS, *(f"map-{name}" for name in NO_MAPS)])
def test_the_corpus_has_each_attack(name: str) -> None:
    case = json.loads((CORPUS / f"values-{name}.json").read_text())
    (way,) = case["certificate"]["evidence"]["symmetries"]
    assert way == (ATTACKS[name][2] if name in ATTACKS else NO_MAPS[name.removeprefix("map-")][0])
    assert case["attack"] == (ATTACKS[name][3] if name in ATTACKS else NO_MAPS[name.removeprefix("map-")][1])
