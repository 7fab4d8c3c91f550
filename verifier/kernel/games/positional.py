"""The family ``positional``: two players mark free spots of one board in turn, X first. Some sets of spots are lines.

This module is trusted to say which moves are legal, what a move does, how a game ends, and which positions are refused
because no play leads to them. ``proofs/README.md`` describes the rules in §3. Examples: tic-tac-toe, with lines that
win or lines that lose; k in a row, with or without gravity; Maker–Breaker games; Notakto.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

from verifier.kernel.certificate import require_shape
from verifier.kernel.errors import IllegalMoveError, NotationError, SpecError
from verifier.kernel.formula import FormulaCompiler, Test
from verifier.kernel.games import MarkedBoard, RulesData, format_marks, parse_marks
from verifier.kernel.games.lines import TABLE_CELLS, Images, LineSpots, Permutation, keeps_lines, line_test, parse_lines
from verifier.kernel.games.solution import solution_of

SpotMove = tuple[int]
"""A spot, from 0 on, row by row."""

MAX_CELLS, MAX_CLAUSES, MAX_CLAUSE_TEXT = 64, 20, 400
"""Maximum number of spots, of clauses (which are evaluated for every ply), and of characters in a clause's formula."""

_RESULTS = {"X": "X", "O": "O", "draw": "draw", "goes-on": None}

_LINES = [[[range(MAX_CELLS)], [range(MAX_CELLS)]]]
_RULES = {
    "family": str,
    "rows": range(1, MAX_CELLS + 1),
    "columns": range(1, MAX_CELLS + 1),
    "notation": frozenset(["spots", "rows"]),
    "marks": frozenset(["own", "shared"]),
    "lines": (_LINES, {"X": _LINES, "O": _LINES}),
    "outcomes": [[object, frozenset(_RESULTS)]],
    "legal": (list, None),
}


class BoardPosition(NamedTuple):
    """The marks of both players, bit s for spot s. If marks are shared, all marks are in the first mask."""

    x_mask: int
    o_mask: int


class PositionalGame(MarkedBoard, RulesData):
    """A game with rules of this family.

    ``lines`` has the lines of each player. ``has_line`` has a function for each player, which returns 1 if a mask of
    spots holds one of the player's lines, and 0 if not. ``formulas`` has the value of ``legal`` in the rules.
    ``weight`` (see ``Game``) is 10, plus the number of nodes in ``legal``. On a board of more than ``TABLE_CELLS``
    spots, each line of each player adds 1 to it.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Read rules that have the form described in §3 of ``proofs/README.md``."""
        require_shape(data, _RULES, "positional rules", is_statement=True)
        if data["rows"] * data["columns"] > MAX_CELLS or len(data["outcomes"]) > MAX_CLAUSES:
            raise SpecError(f"a board has at most {MAX_CELLS} spots, and 'outcomes' at most {MAX_CLAUSES} clauses")
        super().__init__(data)
        self.rows, self.columns = data["rows"], data["columns"]
        self.cells = self.places = self.rows * self.columns
        self.is_shared = data["marks"] == "shared"
        self.lines = _parse_all_lines(data, self.cells)
        self._by_rows = data["notation"] == "rows"
        self._moves: list[tuple[int, SpotMove]] = [(1 << s, (s,)) for s in range(self.cells)]
        self._moves_by_text = {self.format_move(move): move for _, move in self._moves}
        first = line_test(self.lines["X"], self.cells)
        self.is_alike = self.lines["X"] == self.lines["O"]
        self.has_line = {"X": first, "O": first if self.is_alike else line_test(self.lines["O"], self.cells)}
        self._has_x_line, self._has_o_line = self.has_line.values()
        self._outcomes, self._stuck = (
            _parse_outcomes(data["outcomes"], self.cells, self.is_shared, is_stuck=is_stuck) for is_stuck in (0, 1)
        )
        # At this ply the game is over, no matter who has a line. A full board always ends the game.
        self.last_ply = next(n for n in range(self.cells + 1) if None not in self._outcomes[n << 2 : n + 1 << 2])
        self.weight = 10 + (sum(map(len, self.lines.values())) if self.cells > TABLE_CELLS else 0)
        self._last: tuple[BoardPosition | None, str | None] = None, None  # the last position, and its outcome
        self.formulas: list[Any] | None = data["legal"]
        self._legal = None if self.formulas is None else self._parse_legal(self.formulas)
        if self.is_over(self.start):
            raise SpecError("the game is over before the first mark: 'outcomes' or 'legal' leave no play at all")

    family = "positional"
    start = BoardPosition(0, 0)

    def outcome_at(self, ply: int, x_line: bool, o_line: bool, *, is_stuck: bool = False) -> str | None:
        """Return the outcome that the clauses give: ``X`` or ``O`` (who has won) or ``draw``; None if play goes on.

        ``x_line`` and ``o_line`` say who has a line. If marks are shared, ``x_line`` says whether they hold a line. If
        ``is_stuck``, the next player has no move, and play does not go on.
        """
        return (self._stuck if is_stuck else self._outcomes)[ply << 2 | x_line << 1 | o_line]

    def outcome(self, position: BoardPosition) -> str | None:
        """Return the outcome of a position: ``X`` or ``O`` (who has won) or ``draw``; None if play goes on."""
        last = self._last
        if position is not last[0]:  # a walk asks several times in a row for the outcome of the same position
            x, o = position
            at = (x | o).bit_count() << 2 | self._has_x_line(x) << 1 | self._has_o_line(o)
            is_free = self._legal is None or self._outcomes[at] == self._stuck[at] or any(self._open_moves(position))
            self._last = last = position, (self._outcomes if is_free else self._stuck)[at]
        return last[1]

    def legal_moves(self, position: BoardPosition) -> tuple[SpotMove, ...]:
        """Return the spots that may be marked, in ascending order; no spots if the game is over."""
        return () if self.outcome(position) is not None else tuple(self._open_moves(position))

    def _open_moves(self, position: BoardPosition) -> Iterable[SpotMove]:
        taken, legal = position.x_mask | position.o_mask, self._legal
        if legal is None:
            return [move for bit, move in self._moves if not taken & bit]
        return (move for bit, move in self._moves if not taken & bit and legal[move[0]](position, position))

    def play(self, position: BoardPosition, move: SpotMove) -> BoardPosition:
        """Return the position after a move; reasons to refuse: ``over``, ``off-board``, ``taken``, ``not-allowed``."""
        (s,) = move
        if not 0 <= s < self.cells:
            raise IllegalMoveError("off-board", f"{s} is not a spot of the board")
        x, o = position
        if self.outcome(position) is not None:
            raise self._refusal("over", position, move, "the game is over")
        if (x | o) >> s & 1:
            raise self._refusal("taken", position, move, "the spot is taken")
        if self._legal is not None and not self._legal[s](position, position):
            raise self._refusal("not-allowed", position, move, "the rules do not allow the spot")
        is_x = self.is_shared or (x | o).bit_count() % 2 == 0
        return BoardPosition(x | 1 << s, o) if is_x else BoardPosition(x, o | 1 << s)

    def _refusal(self, reason: str, position: BoardPosition, move: SpotMove, text: str) -> IllegalMoveError:
        return IllegalMoveError(reason, f"{self.format_move(move)}: {text} in {self.format_position(position)}")

    # -- notation ---------------------------------------------------------------------------------------------------

    def format_move(self, move: SpotMove) -> str:
        """Write a move as its spot, or as row and column."""
        (s,) = move
        return f"{s // self.columns + 1},{s % self.columns + 1}" if self._by_rows else str(s)

    def parse_move(self, text: str) -> SpotMove:
        """Read a move."""
        if text in self._moves_by_text:
            return self._moves_by_text[text]
        wanted = "a row and a column, such as 2,3" if self._by_rows else f"a spot, 0 to {self.cells - 1}"
        raise NotationError(f"{text[:40]!r} is not a move: a move is {wanted}")

    def format_position(self, position: BoardPosition) -> str:
        """Write the spots as ``.XO``."""
        x, o = position
        width = self.columns if self._by_rows else self.cells
        row = (1 << width) - 1
        return "/".join([format_marks(x >> s & row, o >> s & row, width) for s in range(0, self.cells, width)])

    def parse_position(self, text: str) -> BoardPosition:
        """Read what ``format_position`` writes, and require that ``find_fault`` finds nothing."""
        position = BoardPosition(*parse_marks(text.replace("/", "")[:MAX_CELLS]))
        if self.format_position(position) != text:
            width = f"{self.rows} rows of {self.columns}, joined by /," if self._by_rows else f"{self.cells} spots"
            raise NotationError(f"{text[:80]!r} is not a position: a position is {width} of .XO")
        if fault := self.find_fault(position):
            raise NotationError(f"no play leads to {text!r}: {fault}")
        return position

    def find_fault(self, position: BoardPosition) -> str:
        """Return why no play leads to a position, if the position alone shows this; otherwise an empty text.

        Marks stay for good, and a move adds one mark. So all positions in plays have these properties:

        - X begins and the players take turns: X has as many marks as O, or one more. Shared marks are all written X.
        - If there are marks, the player who moved last has a mark that can be the last one: without it, the game is not
          over, and the rules allow its spot.
        """
        x, o = position
        ply = self.ply(position)
        if self.is_shared and o:
            return "shared marks must be written X"
        if not self.is_shared and x.bit_count() - o.bit_count() not in (0, 1):
            return "the marks do not alternate: X must have as many as O, or one more"
        last = x if self.is_shared or ply % 2 else o
        for s in range(self.cells):
            if last >> s & 1:
                before = BoardPosition(x & ~(1 << s), o & ~(1 << s))
                if (self._legal is None or self._legal[s](before, before)) and self.outcome(before) is None:
                    return ""
        return "no mark can be the last: the game was over before it, or its spot was not allowed" if ply else ""

    # -- vocabulary of formulas -------------------------------------------------------------------------------------

    @functools.cached_property
    def vocabulary(self) -> dict[str, tuple[int, ...]]:
        """The names that formulas can use, each with the number of values of each of its indices."""
        own = ("marked", "line", "makes") if self.is_shared else ("X", "O", "X_line", "O_line", "X_makes", "O_makes")
        lines: dict[str, tuple[int, ...]] = {name: () if name.endswith("line") else (self.cells,) for name in own}
        is_solved = not self.is_shared and self.formulas is None and self.is_alike
        kept = {f"{player}_keeps": (self.cells,) for player in "XO" if is_solved}
        return {"free": (self.cells,), **lines, "X_wins": (), "O_wins": (), "over": (), **kept}

    def compile_atom(self, name: str, args: tuple[int, ...]) -> Callable[[BoardPosition, BoardPosition], bool]:
        """Return the test of a word with indices that ``formula`` has checked. The test ignores its second argument.

        For ``X_keeps`` and ``O_keeps`` the kernel solves the game (``solution``).
        """
        bit = 1 << args[0] if args else 0
        if name.endswith("_keeps"):
            keeps = solution_of(self, name[0]).keeps
            return lambda p, q: keeps(p, bit)
        has_x_line, has_o_line, outcome = self._has_x_line, self._has_o_line, self.outcome
        atoms: dict[str, Callable[[BoardPosition, BoardPosition], bool]] = {
            "X": lambda p, q: p.x_mask & bit != 0,
            "O": lambda p, q: p.o_mask & bit != 0,
            "free": lambda p, q: not (p.x_mask | p.o_mask) & bit,
            "X_line": lambda p, q: bool(has_x_line(p.x_mask)),
            "O_line": lambda p, q: bool(has_o_line(p.o_mask)),
            "X_makes": lambda p, q: bool(has_x_line(p.x_mask | bit)),
            "O_makes": lambda p, q: bool(has_o_line(p.o_mask | bit)),
            "X_wins": lambda p, q: outcome(p) == "X",
            "O_wins": lambda p, q: outcome(p) == "O",
            "over": lambda p, q: outcome(p) is not None,
        }
        return atoms[{"marked": "X", "line": "X_line", "makes": "X_makes"}.get(name, name)]

    def keeps_rules(self, images: Sequence[tuple[int, Any]], said: Callable[..., int]) -> bool:
        """Say whether a permutation of spots keeps lines and ``legal``; ``said`` is ``Relabelling.formula``."""
        legal, same = self.formulas or [], tuple((s, ()) for s in range(self.places))
        is_legal = all(said(one, images) == said(legal[to], same) for one, (to, _) in zip(legal, images, strict=False))
        return is_legal and keeps_lines(tuple(to for to, _ in images), self.lines)

    def least_images(self, group: list[Permutation], _: object) -> Callable[[Any], tuple[Any, int]]:
        """Return a function from a position to its least image under a group, and the work of finding it."""
        of = Images(group)
        return lambda p: (BoardPosition(*min(zip(of[p.x_mask], of[p.o_mask], strict=True))), len(group) * self.ply(p))

    def _parse_legal(self, data: list[Any]) -> tuple[Test, ...]:
        """Compile the formula of each spot. These formulas cannot use words about lines or the end of the game."""
        if len(data) != self.cells:
            raise SpecError(f"'legal' must be null, or have a formula for each of the {self.cells} spots")
        words = {name: sizes for name, sizes in self.vocabulary.items() if name in ("X", "O", "marked", "free")}
        marks: Any = SimpleNamespace(vocabulary=words, compile_atom=self.compile_atom, number_words=(), ply=self.ply)
        formulas = FormulaCompiler(marks)
        tests = tuple(formulas.compile(formula) for formula in data)
        self.weight += formulas.nodes
        return tests


def _parse_all_lines(data: Mapping[str, Any], cells: int) -> dict[str, tuple[LineSpots, ...]]:
    lines = data["lines"]
    if isinstance(lines, list):
        return dict.fromkeys("XO", parse_lines(lines, cells))
    if data["marks"] == "shared" or lines["X"] == lines["O"]:
        raise SpecError("if 'lines' has lines for X and for O, these must differ, and 'marks' must be 'own'")
    return {player: parse_lines(lines[player], cells) for player in "XO"}


def _parse_outcomes(data: Any, cells: int, is_shared: bool, *, is_stuck: int) -> tuple[str | None, ...]:
    """Return the outcome of each case. A case's number is 4 times the ply, plus 2 if X has a line, plus 1 if O has one.

    ``is_stuck`` says whether the next player to move is stuck. If no spot is free, he is always stuck.
    """

    def compile_atom(name: str, args: tuple[int, ...]) -> Test:
        tests: dict[str, Test] = {
            "X_line": lambda p, q: p & 2 != 0,
            "O_line": lambda p, q: p & 1 != 0,
            "X_turn": lambda p, q: p & 4 == 0,
            "O_turn": lambda p, q: p & 4 != 0,
            "stuck": lambda p, q: bool(is_stuck) or p >> 2 == cells,
        }
        return tests["X_line" if name == "line" else name]

    names = ("line", "X_turn", "O_turn", "stuck") if is_shared else ("X_line", "O_line", "X_turn", "O_turn", "stuck")
    words: Any = SimpleNamespace(
        vocabulary=dict.fromkeys(names, ()), compile_atom=compile_atom, number_words=(), ply=lambda p: p >> 2, weight=1
    )
    clauses = []
    for formula, result in data:
        if len(str(formula)) > MAX_CLAUSE_TEXT:
            raise SpecError(f"the formula of a clause is longer than {MAX_CLAUSE_TEXT} characters")
        clauses.append((FormulaCompiler(words).compile(formula), _RESULTS[result]))
    found = []
    for case in range(cells + 1 << 2):
        otherwise = "draw" if is_stuck or case >> 2 == cells else None
        said = next((result for test, result in clauses if test(case, case)), None)
        found.append(said or otherwise)
    return tuple(found)
