"""Rules files turned into the data that statements carry, with the place of every clause.

``verifier.kernel.games`` says what the data mean; it decides what is no rules, and nothing but the data reaches it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import FAMILIES, parse_rules
from verifier.language.clauses import CLAUSES, NAMES, OTHERS, RulesFile
from verifier.language.expressions import ground_over
from verifier.language.loader import Document, Path
from verifier.language.problem import Problem, SpecProblemsError, suggest
from verifier.language.spec import Spec
from verifier.language.syntax import ExpressionError, parse_expression
from verifier.language.winning import Board, compile_lines

Words = Mapping[str, tuple[int, ...]]
"""The words that a formula may have, with the sizes of their indices."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules as a file gives them.

    Attributes:
        model: the file.
        data: what a statement carries.
        game: the game that the kernel makes of them.
    """

    model: RulesFile
    data: Mapping[str, Any]
    game: Game


def compile_rules(model: RulesFile, document: Document) -> tuple[Rules | None, list[Problem]]:
    """Return the rules of a file, None where something is wrong; and what is wrong, with its place."""
    compiler = _Compiler(model, document)
    data = compiler.compile()
    if compiler.problems:
        return None, compiler.problems
    try:
        return Rules(model, data, parse_rules(data)), []
    except SpecError as error:
        return None, [document.problem((), f"these rules are not valid: {error}")]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Rules files, each compiled when it is first asked for.

    Attributes:
        own: the files, by id: those of a folder, and shipped ones that it names.
        offered: the ids of all shipped ones.
        made: what files say, None where something is wrong with it; and what that is.
    """

    own: dict[str, Spec[RulesFile]] = field(default_factory=dict)
    offered: set[str] = field(default_factory=set)
    made: dict[str, tuple[Rules | None, list[Problem]]] = field(default_factory=dict, compare=False, repr=False)

    def find(self, name: str) -> Rules:
        """Return the rules of a name.

        Raises:
            SpecError: there are none.
            SpecProblemsError: what is wrong with them.
        """
        rules, problems = self.compile(name)
        if rules is None:
            raise SpecProblemsError(problems)
        return rules

    def game(self, name: str) -> Game:
        """Return the game of a name; raises as ``find`` does."""
        return self.find(name).game

    def compile(self, name: str) -> tuple[Rules | None, list[Problem]]:
        """Return the rules of a name, None where something is wrong with them; and what that is.

        Raises:
            SpecError: there are none of that name.
        """
        if name not in self.own:
            hint = suggest(name, {*self.own, *self.offered}) or "; a file that starts with rules: holds some"
            raise SpecError(f"no rules {name[:60]!r} in these specs, nor shipped ones{hint}")
        if name not in self.made:
            self.made[name] = compile_rules(self.own[name].model, self.own[name].document)
        return self.made[name]


@dataclass(slots=True)
class _Compiler:
    """Compiles one file; the data are complete where no problem was met."""

    model: RulesFile
    document: Document
    problems: list[Problem] = field(default_factory=list)

    def compile(self) -> dict[str, Any]:
        model = self.model
        if model.family not in FAMILIES:
            self.fault(("family",), f"{model.family!r} is not a family of games: {' or '.join(FAMILIES)}")
            return {}
        clauses = CLAUSES.get(model.family, OTHERS)
        for name in NAMES:
            if getattr(model, name) is not None and name not in clauses:
                text = f"{name!r} is not a clause of rules of the family {model.family}"
                self.problems.append(self.document.key_problem((name,), text))
        for name, is_needed in clauses.items():
            if is_needed and getattr(model, name) is None:
                self.fault((), f"the clause {name!r} is missing")
        if self.problems:
            return {}
        compile_family = {"nested": self.nested, "positional": self.positional}.get(model.family, self.others)
        return {**compile_family(), "family": model.family}

    def fault(self, path: Path, message: str) -> None:
        self.problems.append(self.document.problem(path, message))

    def others(self) -> dict[str, Any]:
        board = self.model.board
        if board is None or board.is_ is None:
            self.fault(("board",), "the board of a family of your own 'is' its data: board: {is: {…}}")
            return {}
        return board.is_

    def nested(self) -> dict[str, Any]:
        board, data = self.model.board, {name: getattr(self.model, name).is_ for name in _NESTED}
        if board is not None and (board.rows is not None or board.columns is not None):
            self.fault(("board",), "the board of nested rules has nine fields of nine spots: it takes no size")
        if data["closed"] == "full" and data["free_choice"] != "free-spots":
            text = "a free choice reaches free spots where decided fields are not closed: is: free-spots"
            self.fault(("free_choice",), text)
        return data

    def positional(self) -> dict[str, Any]:
        model, board = self.model, self.model.board
        if model.lines is None and not any("stuck" in str(o.when) for o in (model.outcomes or {}).values()):
            self.fault((), "the clause 'lines' is missing, and no outcome says who wins where a player is 'stuck'")
            return {}
        if board is None or board.rows is None or board.columns is None:
            self.fault(("board",), "a single board has 'rows' and 'columns'")
            return {}
        rows, columns = board.rows, board.columns
        if rows * columns > 64:
            self.fault(("board",), f"a board has at most 64 spots, not {rows * columns}")
            return {}

        def write_spot(spot: int) -> str:
            return f"{spot // columns + 1},{spot % columns + 1}" if board.moves == "rows" else str(spot)

        marks = "own" if model.marks is None else model.marks.is_
        on_board = Board(rows, columns, write_spot, self.sets, self.fault)
        lines = ("line",) if marks == "shared" else ("X_line", "O_line")
        words = dict.fromkeys((*lines, "X_turn", "O_turn", "stuck"), ())
        return {
            "rows": rows,
            "columns": columns,
            "notation": board.moves,
            "marks": marks,
            "lines": [] if model.lines is None else compile_lines(model.lines, on_board),
            "outcomes": [
                [self.formula(("outcomes", name, "when"), outcome.when, words, {}), outcome.result]
                for name, outcome in (model.outcomes or {}).items()
            ],
            "legal": self.legal(rows, columns, ("marked",) if marks == "shared" else ("X", "O")),
        }

    def legal(self, rows: int, columns: int, owners: tuple[str, ...]) -> list[Any] | None:
        if self.model.legal is None:
            return None
        words = dict.fromkeys((*owners, "free"), (rows * columns,))
        found: list[Any] = []
        for s in range(rows * columns):
            env = {"s": s, "row": s // columns + 1, "column": s % columns + 1}
            found.append(self.formula(("legal", "when"), self.model.legal.when, words, env))
            if self.problems:
                return None  # what is wrong for one spot is wrong for others, and is said once
        return None if all(formula is True for formula in found) else found

    def sets(self, path: Path, text: str) -> list[list[int]]:
        """Return the sets of spots that a formula stands for."""
        try:
            return ground_over({}).sets(parse_expression(text), {})
        except ExpressionError as error:
            self.problems.append(self.document.text_problem(path, error.line, error.offset, str(error)))
            return []

    def formula(self, path: Path, text: str | int | bool, words: Words, env: Mapping[str, int]) -> Any:
        try:
            return ground_over(words).formula(parse_expression(str(text)), env)
        except ExpressionError as error:
            self.problems.append(self.document.text_problem(path, error.line, error.offset, str(error)))
            return True


_NESTED = ("closed", "free_choice", "after_win")
"""The clauses of nested rules that say one of several things."""
