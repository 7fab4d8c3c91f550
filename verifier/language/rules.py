"""Rules files turned into the data that statements carry, with the place of every clause.

``verifier.kernel.games`` says what the data mean; it decides what is no rules, and nothing but the data reaches it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import FAMILIES, parse_rules
from verifier.language.clauses import CLAUSES, NAMES, OTHERS, Lines, RulesFile
from verifier.language.expressions import Grounder
from verifier.language.loader import Document, Path
from verifier.language.names import Names
from verifier.language.problem import Problem, SpecProblemsError, suggest
from verifier.language.spec import Spec
from verifier.language.syntax import ExpressionError, parse_expression
from verifier.language.winning import Board, LineData, compile_lines


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
    """Turn rules into data.

    Args:
        model: a file.
        document: where the file itself says what.

    Returns:
        The rules, None where something is wrong; and what is wrong, with its place.
    """
    compiler = _Compiler(model, document)
    data = compiler.compile()
    if data is None or compiler.problems:
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
        spec = self.own.get(name)
        if spec is None:
            hint = suggest(name, sorted({*self.own, *self.offered})) or "; a file that starts with rules: holds some"
            raise SpecError(f"no rules {name[:60]!r} in these specs, nor shipped ones{hint}")
        if name not in self.made:
            self.made[name] = compile_rules(spec.model, spec.document)
        return self.made[name]


@dataclass(slots=True)
class _Compiler:
    model: RulesFile
    document: Document
    problems: list[Problem] = field(default_factory=list)

    def compile(self) -> dict[str, Any] | None:
        model = self.model
        if model.family not in FAMILIES:
            self.fault(("family",), f"{model.family!r} is not a family of games: {' or '.join(FAMILIES)}")
            return None
        clauses = CLAUSES.get(model.family, OTHERS)
        for name in NAMES:
            if getattr(model, name) is not None and name not in clauses:
                text = f"{name!r} is not a clause of rules of the family {model.family}"
                self.problems.append(self.document.key_problem((name,), text))
        for name, is_needed in clauses.items():
            if is_needed and getattr(model, name) is None:
                self.fault((), f"the clause {name!r} is missing")
        if self.problems:
            return None
        return {"nested": self.nested, "positional": self.positional}.get(model.family, self.others)()

    def fault(self, path: Path, message: str) -> None:
        self.problems.append(self.document.problem(path, message))

    def others(self) -> dict[str, Any] | None:
        board = self.model.board
        if board is None or board.is_ is None:
            self.fault(("board",), "the board of a family of your own 'is' its data: board: {is: {…}}")
            return None
        return {**board.is_, "family": self.model.family}

    def nested(self) -> dict[str, Any] | None:
        model = self.model
        if model.closed is None or model.free_choice is None or model.after_win is None:
            return None
        if model.board is not None and (model.board.rows is not None or model.board.columns is not None):
            self.fault(("board",), "the board of nested rules has nine fields of nine spots: it takes no size")
        if model.closed.is_ == "full" and model.free_choice.is_ != "free-spots":
            self.fault(
                ("free_choice",), "a free choice reaches free spots where decided fields are not closed: is: free-spots"
            )
        return {
            "family": "nested",
            "closed": model.closed.is_,
            "free_choice": model.free_choice.is_,
            "after_win": model.after_win.is_,
        }

    def positional(self) -> dict[str, Any] | None:
        model = self.model
        if model.lines is None and not any("stuck" in str(o.when) for o in (model.outcomes or {}).values()):
            self.fault((), "the clause 'lines' is missing, and no outcome says who wins where a player is 'stuck'")
            return None
        if model.board is None or model.board.rows is None or model.board.columns is None:
            self.fault(("board",), "a single board has 'rows' and 'columns'")
            return None
        rows, columns = model.board.rows, model.board.columns
        if rows * columns > 64:
            self.fault(("board",), f"a board has at most 64 spots, not {rows * columns}")
            return None
        marks = "own" if model.marks is None else model.marks.is_
        return {
            "family": "positional",
            "rows": rows,
            "columns": columns,
            "notation": model.board.moves,
            "marks": marks,
            "lines": [] if model.lines is None else self.lines(model.lines, rows, columns),
            "outcomes": self.outcomes(marks),
            "legal": self.legal(rows, columns, marks),
        }

    def lines(self, lines: Lines, rows: int, columns: int) -> list[LineData] | dict[str, list[LineData]]:
        board = Board(rows, columns, lambda spot: self.name(spot, columns), self.sets, self.fault)
        return compile_lines(lines, board)

    def sets(self, path: Path, text: str) -> list[list[int]]:
        """Return the sets of spots that a formula stands for."""
        try:
            found = self.grounder({}).sets(parse_expression(text), {})
        except ExpressionError as error:
            self.problems.append(self.document.text_problem(path, error.line, error.offset, str(error)))
            return []
        return found

    def name(self, spot: int, columns: int) -> str:
        by_rows = self.model.board is not None and self.model.board.moves == "rows"
        return f"{spot // columns + 1},{spot % columns + 1}" if by_rows else str(spot)

    # -- formulas ---------------------------------------------------------------------------------------------------

    def outcomes(self, marks: str) -> list[list[Any]]:
        lines = ("line",) if marks == "shared" else ("X_line", "O_line")
        words: dict[str, tuple[int, ...]] = dict.fromkeys((*lines, "X_turn", "O_turn", "stuck"), ())
        return [
            [self.formula(("outcomes", name, "when"), outcome.when, words, {}), outcome.result]
            for name, outcome in (self.model.outcomes or {}).items()
        ]

    def legal(self, rows: int, columns: int, marks: str) -> list[Any] | None:
        if self.model.legal is None:
            return None
        owners = ("marked",) if marks == "shared" else ("X", "O")
        words = dict.fromkeys((*owners, "free"), (rows * columns,))
        found: list[Any] = []
        for s in range(rows * columns):
            env = {"s": s, "row": s // columns + 1, "column": s % columns + 1}
            found.append(self.formula(("legal", "when"), self.model.legal.when, words, env))
            if self.problems:
                return None  # what is wrong for one spot is wrong for others, and is said once
        return None if all(formula is True for formula in found) else found

    @staticmethod
    def grounder(words: Mapping[str, tuple[int, ...]]) -> Grounder:
        names: Any = SimpleNamespace(vocabulary=words)
        return Grounder(Names(names))

    def formula(
        self, path: Path, text: str | int | bool, words: Mapping[str, tuple[int, ...]], env: Mapping[str, int]
    ) -> Any:
        try:
            return self.grounder(words).formula(parse_expression(str(text)), env)
        except ExpressionError as error:
            self.problems.append(self.document.text_problem(path, error.line, error.offset, str(error)))
            return True
