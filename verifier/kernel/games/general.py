"""The family ``general``: cells with small numbers; moves with a condition and assignments; a list of outcomes.

This module is trusted to say which moves are legal, what a move does, how a game ends, and which positions are refused.
A position is refused if a value is out of range. If the players always take turns, it is also refused if its number of
moves does not fit the player to move. ``proofs/README.md`` describes the rules in §3.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from verifier.kernel.certificate import require_shape
from verifier.kernel.errors import CertificateError, IllegalMoveError, NotationError, SpecError
from verifier.kernel.formula import OPERATORS, FormulaCompiler, Test, is_index
from verifier.kernel.games import MAX_MAPPED_VALUE, OTHER, CellImage, Move, RulesData, ValueMap, compose
from verifier.kernel.games.lines import Permutation

MAX_STATE_CELLS, MAX_CELL_VALUE, MAX_MOVE_ENTRIES = 400, 999, 5000
"""Maximum number of cells, maximum value of a cell, and maximum number of moves."""

MAX_NUMBERS, MAX_OUTCOME_CLAUSES, MAX_SPOTS = 8, 20, 400
"""Maximum number of numbers in a move, of outcomes, and of spots that are drawn."""

_KEPT = 1 << 13
"""Maximum number of positions in each of two caches: how the game has ended, and whether there is a legal move."""

_WORDS = ("turn", "stuck", "over", "X_wins", "O_wins")
_RESULTS = ("X", "O", "draw", "goes-on", "next", "previous")
_MOVE = [object, [[list, object]]]
_SHOWN = {"rows": range(1, 41), "columns": range(1, 41), "marks": [[str, list]]}
_RULES = {
    "family": str,
    "state": [[str, [range(1, MAX_STATE_CELLS + 1)], int, (range(MAX_CELL_VALUE + 1), None), [int]]],
    "turn": frozenset("XO"),
    "formulas": list,
    "moves": [[str, [range(MAX_MOVE_ENTRIES)], {"X?": _MOVE, "O?": _MOVE}]],
    "outcomes": [[object, frozenset(_RESULTS)]],
    "shown": (_SHOWN, None),
}


class GeneralPosition(NamedTuple):
    """The value of each cell; the player to move (1: X, 2: O); and the number of moves made so far."""

    values: tuple[int, ...]
    turn: int
    ply: int


class CellValues(NamedTuple):
    """The cells of one name: the number of the first cell, the sizes of the indices, and the range of the values."""

    first: int
    sizes: tuple[int, ...]
    least: int
    most: int
    is_number: bool  # False: the cells are conditions, 0 or 1


class _Action(NamedTuple):
    """A move as one player makes it: its guard (a condition that has to hold), and the new values of cells."""

    guard: Test
    changes: tuple[tuple[int, Callable[[Any, Any], int], int, int], ...]  # cell, value, least, most


TURN_CELL, _TURN = -1, CellValues(-1, (), 1, 2, is_number=True)
"""The turn is handled like a cell. These are the number of this cell, and its range."""


class General(RulesData):
    """A game with rules of this family.

    ``cells`` has the entries of ``state`` by name. ``clauses`` has the tests of ``outcomes`` with their results.
    ``shown`` has a test for each letter and spot; it is None if the rules describe no board to draw.
    """

    family = "general"
    last_ply = None

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Read rules that have the form described in §3 of ``proofs/README.md``."""
        require_shape(data, _RULES, "general rules", is_statement=True)
        if not data["moves"] or len(data["moves"]) > MAX_MOVE_ENTRIES or len(data["outcomes"]) > MAX_OUTCOME_CLAUSES:
            raise SpecError(f"rules must have 1 to {MAX_MOVE_ENTRIES:,} moves, at most {MAX_OUTCOME_CLAUSES} outcomes")
        super().__init__(data)
        self.cells, values = _parse_state(data["state"])
        self.all_cells = [cells for cells in self.cells.values() for _ in range(_count(cells))]
        self.places = len(values)
        self.ranges = [*self.all_cells, _TURN]  # the turn's range is last, because ``TURN_CELL`` is -1
        self.number_words = frozenset({"turn", *(name for name, cells in self.cells.items() if cells.is_number)})
        self.start = GeneralPosition(values, "XO".index(data["turn"]) + 1, 0)
        words: Any = SimpleNamespace(compile_atom=self.compile_atom, number_words=self.number_words, ply=self.ply)
        words.vocabulary = {name: cells.sizes for name, cells in self.cells.items()} | {"turn": ()}
        words.weight = 0
        formulas = FormulaCompiler(words, data["formulas"])
        self._texts: dict[Move, str] = {}
        self._actions: dict[str, dict[Move, _Action]] = {"X": {}, "O": {}}
        for text, numbers, actions in data["moves"]:
            move = tuple(numbers)
            if not re.fullmatch(r"[!-~]{1,40}", text) or not actions:
                raise SpecError(f"{text[:40]!r}: a move must have 1 to 40 characters, no spaces, and a player's action")
            if not 0 < len(move) == len(data["moves"][0][1]) <= MAX_NUMBERS:
                raise SpecError(f"all moves must have equally many numbers, 1 to {MAX_NUMBERS}")
            self._texts[move] = text
            for player, (guard, changes) in actions.items():
                test = formulas.compile(guard)
                self._actions[player][move] = _Action(test, tuple(self._parse_changes(formulas, changes)))
        self._moves_by_text = {text: move for move, text in self._texts.items()}
        if len(self._moves_by_text) < len(data["moves"]):
            raise SpecError("two moves have the same text, or the same numbers")
        words.vocabulary["stuck"] = ()
        self.clauses = [(formulas.compile(formula), result) for formula, result in data["outcomes"]]
        self.weight = 10 + formulas.nodes
        del words.vocabulary["stuck"]
        self.shown = self._parse_shown(formulas, data["shown"])
        formulas.close()
        if formulas.has_ply:
            raise SpecError("rules of this family cannot speak of 'ply': count moves in a cell")
        changed = {cell for own in self._actions.values() for action in own.values() for cell, *_ in action.changes}
        self.alternates = TURN_CELL not in changed
        self.outcome = functools.lru_cache(maxsize=_KEPT)(self._find_outcome)
        self._has_move = functools.lru_cache(maxsize=_KEPT)(self._find_move)  # outcomes can ask for it many times
        if self.is_over(self.start):
            raise SpecError("the game is over before the first move: 'outcomes' or 'moves' leave no play at all")

    def _parse_changes(self, formulas: FormulaCompiler, changes: Any) -> Iterator[tuple[int, Any, int, int]]:
        """Yield, for each cell that a move changes, the cell's number, its new value, and its range."""
        known = set()
        for target, value in changes:
            at = self.find_cell(target)
            if at in known:
                raise SpecError(f"a move gives {str(target)[:60]} two values")
            known.add(at)
            *_, least, most, is_number = self.ranges[at]
            yield at, formulas.compile(value, is_term=is_number), least, most

    def find_cell(self, target: list[Any]) -> int:
        """Return the number of a cell, given by its name and indices; ``TURN_CELL`` for the turn."""
        name, *index = target or [""]
        cells = self.cells.get(name) if isinstance(name, str) else None
        if target != ["turn"] and (cells is None or not is_index(index, cells.sizes)):
            raise SpecError(f"{str(target)[:60]} is not a cell")
        return TURN_CELL if cells is None else cells.first + _flatten(index, cells.sizes)

    def _parse_shown(self, formulas: FormulaCompiler, shown: Any) -> list[tuple[str, list[Test]]] | None:
        """Return each letter, with a test for each spot: is it drawn there? None if there is no board to draw."""
        if shown is None:
            return None
        spots, letters = shown["rows"] * shown["columns"], [letter for letter, _ in shown["marks"]]
        is_wrong = any(not re.fullmatch("[A-Za-z]", letter) for letter in letters) or len(set(letters)) < len(letters)
        if spots > MAX_SPOTS or is_wrong or any(len(tests) != spots for _, tests in shown["marks"]):
            raise SpecError(f"'shown' can have at most {MAX_SPOTS} spots; each letter needs a formula for each spot")
        return [(letter, [formulas.compile(test) for test in tests]) for letter, tests in shown["marks"]]

    def ply(self, position: GeneralPosition) -> int:
        """Return how many moves were made."""
        return position.ply

    def turn(self, position: GeneralPosition) -> str:
        """Return the player to move."""
        return " XO"[position.turn]

    def without_number(self, position: GeneralPosition) -> GeneralPosition:
        """Return the same position, but with the number of moves 0 or, if 0 does not fit the player to move, 1."""
        return position._replace(ply=int(self.alternates and position.turn != self.start.turn))

    def positions(self) -> Iterator[GeneralPosition]:
        """Yield every well-formed position, with the number of moves from ``without_number``."""
        for values in itertools.product(*(range(cell.least, cell.most + 1) for cell in self.all_cells)):
            yield from (self.without_number(GeneralPosition(values, turn, 0)) for turn in (1, 2))

    def _find_outcome(self, position: GeneralPosition) -> str | None:
        """Return how the game has ended: ``X``, ``O`` (who won) or ``draw``; None while it goes on."""
        found = next((result for test, result in self.clauses if test(position, position)), "goes-on")
        if found == "goes-on":
            return None if self._has_move(position) else "draw"
        mover = self.turn(position)
        return {"next": mover, "previous": OTHER[mover]}.get(found, found)

    def _find_move(self, position: GeneralPosition) -> bool:
        """Say whether the player to move has a legal move. Ignore whether the game is over."""
        return any(_apply(action, position) is not None for action in self._actions[self.turn(position)].values())

    def legal_moves(self, position: GeneralPosition) -> tuple[Move, ...]:
        """Return the moves that the player to move can make, in ascending order; none when the game is over."""
        actions = {} if self.is_over(position) else self._actions[self.turn(position)]
        return tuple(sorted(move for move, action in actions.items() if _apply(action, position) is not None))

    def play(self, position: GeneralPosition, move: Move) -> GeneralPosition:
        """Return the position after a move; reasons to refuse: ``off-board``, ``over``, ``not-allowed``."""
        if move not in self._texts:
            raise IllegalMoveError("off-board", f"{str(move)[:60]} is not a move of this game")
        if self.is_over(position):
            raise self._refusal("over", move, position, "the game is over")
        action = self._actions[self.turn(position)].get(move)
        after = None if action is None else _apply(action, position)
        if after is None:
            raise self._refusal("not-allowed", move, position, "the rules do not allow this move")
        return after

    def _refusal(self, reason: str, move: Move, position: GeneralPosition, text: str) -> IllegalMoveError:
        return IllegalMoveError(reason, f"{self._texts[move]} in {self.format_position(position)}: {text}")

    # -- notation: the values of each entry of the state, whose turn it is, the number of moves --------------------

    def format_move(self, move: Move) -> str:
        """Write a move as its text."""
        if move not in self._texts:
            raise NotationError(f"{str(move)[:60]} is not a move of this game")
        return self._texts[move]

    def parse_move(self, text: str) -> Move:
        """Read the text of a move."""
        if text not in self._moves_by_text:
            example = next(iter(self._moves_by_text))
            raise NotationError(f"{text[:40]!r} is not a move of this game: a move is written as {example}")
        return self._moves_by_text[text]

    def format_position(self, position: GeneralPosition) -> str:
        """Write a position as ``VALUES/VALUES/… TURN PLY``. Values that can be above 9 have dots between them."""
        parts = [
            ("." * (cells.most > 9)).join(map(str, position.values[cells.first : cells.first + _count(cells)]))
            for cells in self.cells.values()
        ]
        return f"{'/'.join(parts)} {self.turn(position)} {position.ply}"

    def parse_position(self, text: str) -> GeneralPosition:
        """Read what ``format_position`` writes. Refuse positions as the docstring of this module says."""
        found = re.fullmatch(r"([0-9./]{1,2000}) ([XO]) ([0-9]{1,4})", text)
        parts = found[1].split("/") if found else []
        pairs = [*zip(parts, self.cells.values(), strict=False)]
        values = [value for part, cells in pairs for value in (part.split(".") if cells.most > 9 else part)]
        if found and len(values) == len(self.all_cells) and all(value.isdecimal() for value in values):
            numbers = tuple(map(int, values))
            position = GeneralPosition(numbers, " XO".index(found[2]), int(found[3]))
            if self.format_position(position) == text:
                if not all(cell.least <= n <= cell.most for n, cell in zip(numbers, self.all_cells, strict=True)):
                    raise NotationError(f"no play leads to {text[:80]!r}: a cell has a value that is out of its range")
                if self.alternates and (position.turn == self.start.turn) == position.ply % 2:
                    raise NotationError(f"no play leads to {text[:80]!r}: at this ply the other player is to move")
                return position
        example = self.format_position(self.start)
        raise NotationError(f"{text[:80]!r} is not a position of this game: a position is written as {example[:200]}")

    # -- vocabulary of formulas -------------------------------------------------------------------------------------

    @functools.cached_property
    def vocabulary(self) -> dict[str, tuple[int, ...]]:
        """The words of formulas, with the sizes of their indices: cells, whose turn it is, how the game has ended."""
        own = {name: cells.sizes for name, cells in self.cells.items()}
        return {**own, **dict.fromkeys(("turn", "X_wins", "O_wins", "over"), ())}

    def compile_atom(self, name: str, args: tuple[int, ...]) -> Callable[[GeneralPosition, GeneralPosition], int]:
        """Return the function that evaluates a word: a cell, whose turn it is, or how the game has ended."""
        if name in self.cells:
            cells = self.cells[name]
            at = cells.first + _flatten(args, cells.sizes)
            return (lambda p, q: p[0][at]) if cells.is_number else (lambda p, q: p[0][at] != 0)
        words: dict[str, Callable[[GeneralPosition, GeneralPosition], int]] = {
            "turn": lambda p, q: p.turn,
            "stuck": lambda p, q: not self._has_move(p),
            "X_wins": lambda p, q: self.outcome(p) == "X",
            "O_wins": lambda p, q: self.outcome(p) == "O",
            "over": lambda p, q: self.outcome(p) is not None,
        }
        return words[name]

    def read_map(self, cell: int, values: list[int]) -> ValueMap:
        """Return a map of a cell's values. ``values`` has the image of each value, from the least value to the most."""
        *_, least, most, is_number = self.all_cells[cell]
        if not is_number or most > MAX_MAPPED_VALUE or sorted(values) != [*range(least, most + 1)]:
            raise CertificateError("malformed", f"{str(values)[:60]} does not permute the values of cell {cell}")
        return compose(tuple(enumerate(values, least)), ())

    def keeps_rules(self, images: tuple[CellImage, ...], said: Callable[..., int]) -> bool:
        """Say whether a permutation of cells keeps ranges, outcomes, and each player's moves (not their texts)."""
        data, ranges = self.data, [(cell.least, cell.most, cell.is_number) for cell in self.all_cells]

        def say_rules(to: tuple[CellImage, ...]) -> Any:
            made = {
                (player, said(guard, to), frozenset([said(["=", *change], to) for change in changes]))
                for *_, actions in data["moves"]
                for player, (guard, changes) in actions.items()
            }
            return made, [(said(formula, to), result) for formula, result in data["outcomes"]]

        same = tuple((cell, ()) for cell in range(self.places))
        return say_rules(same) == say_rules(images) and [ranges[cell] for cell, _ in images] == ranges

    def least_images(self, group: list[Permutation], images: list[CellImage]) -> Callable[[Any], tuple[Any, int]]:
        """Return a function from a position to its least image under a group, and the work of finding it."""
        # Each ``one`` gives the image under the inverse of ``one``. A group has all inverses, so this gives all images.
        back = [(cell, {image: n for n, image in values}) for cell, values in images[self.places :]]
        work = len(group) * self.places + len(back)

        def find_least(p: GeneralPosition) -> tuple[GeneralPosition, int]:
            found = [*p.values, *[undo.get(p.values[cell], p.values[cell]) for cell, undo in back]]
            return p._replace(values=min([tuple([found[at] for at in one]) for one in group])), work

        return find_least


def _apply(action: _Action, position: GeneralPosition) -> GeneralPosition | None:
    """Return the position after a move, even if play is over; None if the guard is false or a value is out of range."""
    if not action.guard(position, position):
        return None
    values, turn = [*position.values], 3 - position.turn
    for cell, find_value, least, most in action.changes:
        value = int(find_value(position, position))
        if not least <= value <= most:
            return None
        if cell == TURN_CELL:
            turn = value
        else:
            values[cell] = value
    return GeneralPosition(tuple(values), turn, position.ply + 1)


def _parse_state(data: Any) -> tuple[dict[str, CellValues], tuple[int, ...]]:
    """Return the entries of the state by name, and the values at the start."""
    found: dict[str, CellValues] = {}
    values: list[int] = []
    for name, sizes, least, most, start in data:
        is_taken = name in found or name in OPERATORS or name in (*_WORDS, "ply", "use")
        if is_taken or not re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,39}", name):
            raise SpecError(f"{name[:40]!r} cannot be the name of a cell: it is taken, or is not a word")
        cells = CellValues(len(values), tuple(sizes), least, 1 if most is None else most, most is not None)
        if len(sizes) > 2 or len(values) + _count(cells) > MAX_STATE_CELLS:
            raise SpecError(f"{name}: a cell has at most 2 indices, and there are at most {MAX_STATE_CELLS} cells")
        if not 0 <= least < cells.most or (most is None and least):
            raise SpecError(f"{name}: 'least' must be 0 or more, and 'most' larger, or null if 'least' is 0")
        if len(start) != _count(cells) or not all(least <= value <= cells.most for value in start):
            raise SpecError(f"{name}: 'start' must have a value for each of the {_count(cells)} cells, in their range")
        found[name] = cells
        values += start
    if not found:
        raise SpecError("rules must have at least one cell")
    return found, tuple(values)


def _count(cells: CellValues) -> int:
    return math.prod(cells.sizes)


def _flatten(index: Any, sizes: tuple[int, ...]) -> int:
    """Return the place of a cell among the cells of its entry, from 0. The last index changes fastest."""
    return functools.reduce(lambda at, pair: at * pair[1] + pair[0], zip(index, sizes, strict=True), 0)
