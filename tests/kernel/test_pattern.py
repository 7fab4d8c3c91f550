from __future__ import annotations

from typing import Any

import pytest

from tests.rules import find_rules, rules_data
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.pattern import check_line, check_no_line, column, matching_lines, parse_pattern
from verifier.kernel.verdict import Verdict

EMPTY = "/".join(["." * 9] * 9) + " ......... *"


def pattern(plies: Any, left_of: Any = (), holds: Any = (), **changes: Any) -> dict[str, Any]:
    return {
        "kind": "pattern",
        "rules": rules_data("paper"),
        "start": EMPTY,
        "plies": plies,
        "left_of": list(left_of) if isinstance(left_of, tuple) else left_of,
        "holds": list(holds) if isinstance(holds, tuple) else holds,
    } | changes


def line(data: dict[str, Any], *moves: Any) -> str:
    """Return the verdict on a line, or the reason of its rejection."""
    try:
        return str(check_line(parse_pattern(data), list(moves)).verdict)
    except CertificateError as error:
        return error.reason


def test_columns_are_those_of_the_whole_board() -> None:
    """Field 4, spot 0 stands in column 3, and field 8, spot 8 in column 8."""
    assert [column(move) for move in ((0, 0), (4, 0), (3, 2), (8, 8), (2, 6))] == [0, 3, 2, 8, 6]


@pytest.mark.parametrize(
    ("data", "moves", "outcome"),
    [
        (pattern([], (), (["nothing", ["==", ["ply"], 0]],)), (), "proved"),
        (pattern([["4.4"], None]), ("4.4", "4.0"), "proved"),
        (pattern([["4.4"], None]), ("4.4", "5.0"), "illegal-move"),
        (pattern([["4.4"], None]), ("4.4", "4.4"), "illegal-move"),
        (pattern([["4.4"], None]), ("4.3", "3.0"), "not-the-pattern"),
        (pattern([["4.4"], []]), ("4.4", "4.0"), "not-the-pattern"),
        (pattern([["4.4"], None]), ("4.4",), "malformed"),
        (pattern([["4.4"], None]), ("4.4", "4.0", "0.0"), "malformed"),
        (pattern([None, None]), ("4.4", "9.9"), "illegal-move"),
        (pattern([None, None]), ("4.4", 4), "illegal-move"),
        (pattern([None, None], ([1, 0],)), ("4.4", "4.0"), "proved"),
        (pattern([None, None], ([0, 1],)), ("4.4", "4.0"), "not-the-pattern"),
        (pattern([None, None], ([0, 1],)), ("4.4", "4.1"), "not-the-pattern"),
        (pattern([None, None], (), (["sent", ["active", 0]],)), ("4.4", "4.0"), "proved"),
        (pattern([None, None], (), (["sent", ["active", 1]],)), ("4.4", "4.0"), "not-some"),
    ],
)
def test_line(data: dict[str, Any], moves: tuple[Any, ...], outcome: str) -> None:
    """A line is accepted when every move is legal, fits its ply and its neighbours, and the end is as described."""
    assert line(data, *moves) == outcome


@pytest.mark.parametrize("moves", [None, "4.4", {"0": "4.4"}])
def test_line_is_a_list(moves: object) -> None:
    """Evidence that is no list of moves is refused."""
    with pytest.raises(CertificateError, match="malformed"):
        check_line(parse_pattern(pattern([None])), moves)


def test_every_line_is_enumerated_once_in_order() -> None:
    """Without restrictions the lines of two plies are the 720 of the game, in ascending order."""
    found = [tuple(moves) for moves, _ in matching_lines(parse_pattern(pattern([None, None])))]
    assert len(found) == 720
    assert found == sorted(set(found))


def test_enumeration_agrees_with_the_check_of_a_line() -> None:
    """The lines that the enumeration yields are exactly those that the check accepts."""
    data = pattern([["4.4", "0.8"], None], ([0, 1],))
    rules = find_rules("paper")
    found = {tuple(rules.format_move(move) for move in moves) for moves, _ in matching_lines(parse_pattern(data))}
    every = [(f"{a}.{b}", f"{b}.{c}") for a in range(9) for b in range(9) for c in range(9)]
    assert found == {moves for moves in every if line(data, *moves) == "proved"}
    assert found


def test_pattern_without_a_line_is_refuted() -> None:
    """A pattern is refuted when no legal line fits and ends as described, and not when one does."""
    impossible = parse_pattern(pattern([["4.4"], ["5.0"]]))
    assert check_no_line(impossible).verdict is Verdict.REFUTED
    wrong_end = parse_pattern(pattern([["4.4"], ["4.0"]], (), (["won", ["X_wins"]],)))
    assert check_no_line(wrong_end).verdict is Verdict.REFUTED
    with pytest.raises(CertificateError, match=r"not-refuted.*4\.4 4\.1"):
        check_no_line(parse_pattern(pattern([["4.4"], ["5.0", "4.1"]])))


def test_enumeration_is_bounded() -> None:
    """An enumeration that meets too many positions gives up instead of refuting."""
    with pytest.raises(CertificateError) as caught:
        list(matching_lines(parse_pattern(pattern([None, None])), limit=100))
    assert caught.value.reason == "limit"


@pytest.mark.parametrize(
    "data",
    [
        {},
        pattern([]) | {"kind": "play"},
        pattern([]) | {"extra": 1},
        pattern([], rules="chess"),
        pattern([], start=""),
        pattern([], start=None),
        pattern(None),
        pattern(3),
        pattern([3]),
        pattern([["9.9"]]),
        pattern([[4]]),
        pattern([None], None),
        pattern([None], [[0, 1]]),
        pattern([None], [[0]]),
        pattern([None], [[True, 0]]),
        pattern([None], [[-1, 0]]),
        pattern([None], ["00"]),
        pattern([None], (), None),
        pattern([None], (), [["name"]]),
        pattern([None], (), [["name", ["X", 0]]]),
        pattern([None, None], [[0, 1]], rules=rules_data("tictactoe"), start="." * 9),
    ],
)
def test_ill_formed_pattern_is_refused(data: dict[str, Any]) -> None:
    """A pattern has the documented keys and types, and compares columns only where there are nine fields."""
    with pytest.raises(SpecError):
        parse_pattern(data)
