"""The names that specs use for rules, and the rules as data: a statement carries the data, and people read the name."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game, parse_rules

THREESOMES = (
    "neighbours",
    "neighbours-long-lines",
    "neighbours-rows-columns",
    "any-three",
    "any-three-long-lines",
    "exactly-three-neighbours",
)
"""What a threesome of the 4×4 game (seed 004) may be: three neighbours, or any three, of a line; the lines are rows,
columns and diagonals of three or four spots, or only those of four, or only rows and columns; "exactly" means that the
next spots of the line do not hold the same mark."""

_LINE, _BOTH = {p: [f"{p}_line"] for p in "XO"}, ["and", ["X_line"], ["O_line"]]


def straight_lines(rows: int, columns: int, *, diagonals: bool = True) -> list[list[int]]:
    """Return the rows, columns and diagonals of a board, each as its spots in order."""
    steps = [(0, 1), (1, 0), *([(1, 1), (1, -1)] if diagonals else [])]
    found = []
    for r, c, (down, right) in itertools.product(range(rows), range(columns), steps):
        if not (0 <= r - down < rows and 0 <= c - right < columns):
            places = ((r + k * down, c + k * right) for k in range(max(rows, columns)))
            found.append([i * columns + j for i, j in places if 0 <= i < rows and 0 <= j < columns])
    return found


def runs(lines: list[list[int]], length: int, *, exactly: bool = False) -> list[list[list[int]]]:
    """Return each run of neighbouring spots on lines, as rules want it; ``exactly``: its next spots are not held."""
    found = {
        (tuple(sorted(line[at : at + length])), _beside(line, at, length) if exactly else ())
        for line in lines
        for at in range(len(line) - length + 1)
    }
    return [[list(held), list(others)] for held, others in sorted(found)]


def _beside(line: list[int], at: int, length: int) -> tuple[int, ...]:
    return tuple(sorted(line[i] for i in (at - 1, at + length) if 0 <= i < len(line)))


def positional(rows: int, columns: int, lines: list[Any], outcomes: list[Any], **options: Any) -> dict[str, Any]:
    """Return rules of the family ``positional``; the options are those of its data that have a usual value."""
    usual = {"notation": "rows", "marks": "own", "legal": None}
    board = {"family": "positional", "rows": rows, "columns": columns}
    return {**board, **usual, **options, "lines": lines, "outcomes": outcomes}


def _nested(closed: str = "full", free_choice: str = "free-spots", after_win: str = "over") -> dict[str, Any]:
    return {"family": "nested", "closed": closed, "free_choice": free_choice, "after_win": after_win}


def threesomes(threesome: str) -> list[list[list[int]]]:
    """Return the lines of the 4×4 game, where a threesome is one of ``THREESOMES``."""
    lines = straight_lines(4, 4, diagonals=not threesome.endswith("rows-columns"))
    lines = [line for line in lines if len(line) >= (4 if threesome.endswith("long-lines") else 3)]
    if "any-three" in threesome:
        return [[list(spots), []] for spots in sorted({t for line in lines for t in itertools.combinations(line, 3)})]
    return runs(lines, 3, exactly=threesome.startswith("exactly"))


def _candidate(
    threesome: str = "neighbours", *, eighth_wins: bool = True, has_sixteenth: bool = False, comeback: str = ""
) -> dict[str, Any]:
    """Return a candidate for the rules of the 4×4 game.

    What its text says: who completes a threesome before X's eighth turn loses; X wins if he completes one on his eighth
    turn, which is the fifteenth mark.

    Args:
        threesome: one of ``THREESOMES``.
        eighth_wins: X's threesome on his eighth turn wins; when false it loses, as an earlier one does.
        has_sixteenth: O has an eighth turn, and loses by a threesome there; when false X's eighth turn is the last.
        comeback: ``""``; ``last``: O answers X's eighth turn, and if both have a threesome then, nobody has won;
            ``answer``: every threesome waits for the opponent's next mark, and if that completes one as well, nobody
            has won; ``seven``: so do those of turns 1 to 7, but X's on his eighth turn wins at once; ``seven-draw``: it
            wins unless O's waits for it. In all of them, a threesome of O's alone on the sixteenth mark wins nothing
            for anybody.
    """
    waits: dict[str, list[Any]] = {
        "": [],
        "last": [["and", _LINE["X"], ["==", ["ply"], 15]]],
        "answer": [["and", _LINE["X"], ["O_turn"]]],
        "seven": [["and", _LINE["X"], ["O_turn"], ["<", ["ply"], 15]]],
    }
    waits["seven-draw"] = waits["seven"]
    at_once = [[["and", _LINE["X"], ["==", ["ply"], 15]], "X"]] if comeback == "seven" else []
    outcomes: list[Any] = [*at_once, [_BOTH, "draw"], *([wait, "goes-on"] for wait in waits[comeback])]
    if eighth_wins:
        outcomes.append([["and", _LINE["X"], [">=", ["ply"], 15]], "X"])
    outcomes.append([_LINE["X"], "O"])
    if comeback:
        outcomes.append([["and", _LINE["O"], ["==", ["ply"], 16]], "draw"])
    if comeback in ("answer", "seven", "seven-draw"):
        outcomes.append([["and", _LINE["O"], ["X_turn"]], "goes-on"])
    last = 16 if has_sixteenth or comeback else 15
    outcomes += [[_LINE["O"], "X"], [["==", ["ply"], last], "draw"]]
    return positional(4, 4, threesomes(threesome), outcomes)


def _candidates() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every candidate: what a threesome is, X's eighth turn, O's eighth turn, and the come-back variants."""
    yield "threesome4x4", _candidate()
    for threesome, eighth_wins, has_sixteenth in itertools.product(THREESOMES, (True, False), (False, True)):
        if (threesome, eighth_wins, has_sixteenth) != ("neighbours", True, False):
            words = [threesome, "eighth-wins" if eighth_wins else "eighth-loses"]
            name = "-".join(["threesome4x4", *words, *(["sixteenth-loses"] if has_sixteenth else [])])
            yield name, _candidate(threesome, eighth_wins=eighth_wins, has_sixteenth=has_sixteenth)
    for comeback in ("last", "answer", "seven", "seven-draw"):
        yield f"threesome4x4-comeback-{comeback}", _candidate(comeback=comeback)


RULE_SETS: Mapping[str, Any] = MappingProxyType(
    {
        "paper": _nested(),
        "paper-play-on": _nested(after_win="goes-on"),
        "closed-open-fields": _nested("decided", "open-fields"),
        "closed-any-spot": _nested("decided"),
        "tictactoe": positional(
            3, 3, runs(straight_lines(3, 3), 3), [[_LINE["X"], "X"], [_LINE["O"], "O"]], notation="spots"
        ),
        **dict(_candidates()),
    }
)
"""The rules of each name, as data."""


def rules_data(name: object) -> dict[str, Any]:
    """Return the rules of a name, as a statement carries them.

    Raises:
        SpecError: there are none of that name.
    """
    data = RULE_SETS.get(name) if isinstance(name, str) else None
    if data is None:
        names = [known for known in RULE_SETS if not known.startswith("threesome4x4-")]
        raise SpecError(f"no rule set {str(name)[:40]!r}: one of {', '.join(names)}, or one that begins threesome4x4-")
    found: dict[str, Any] = data
    return found


def find_rules(name: object) -> Game:
    """Return the game of a name.

    Raises:
        SpecError: there is none of that name.
    """
    return parse_rules(rules_data(name))


@functools.cache
def _names() -> dict[Game, str]:
    return {find_rules(name): name for name in RULE_SETS}


def name_of(game: Game) -> str:
    """Return the name of a game's rules; ``unnamed`` where no name has these."""
    return _names().get(game, "unnamed")
