"""Evaluates the expressions in rules of the family ``general``, and collects their problems."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from verifier.language.evaluator import Env
from verifier.language.expressions import Grounder, ground_over
from verifier.language.loader import KeyPath
from verifier.language.names import Definition
from verifier.language.rules.file import RulesCompiler
from verifier.language.rules.general_clauses import ELSEWHERE_WITH_CELLS, CellLines, GeneralRules
from verifier.language.rules.positional import LineSets, place_in_a_row
from verifier.language.syntax import (
    ExpressionError,
    KnownFaultError,
    error_at,
    names_in,
    parse_definition_head,
    parse_expression,
)

T = TypeVar("T")

MAX_RULE_STEPS = 500_000
"""Maximum number of parts to which all expressions of a file together expand."""


_ELSEWHERE_WITH_LINES = ELSEWHERE_WITH_CELLS | {
    "stuck": "can be used only in 'outcomes': rules of moves cannot ask which moves are legal",
    **dict.fromkeys(
        ("over", "draw", "X_wins", "O_wins", "i_win", "they_win"),
        "cannot be used in rules: 'outcomes' say when play is over, and who wins; repeat a condition, or use a cell",
    ),
}
"""Names that rules cannot use, or can use only in ``outcomes``, each with a text that says so."""

_ELSEWHERE = _ELSEWHERE_WITH_LINES | dict.fromkeys(
    ("X_line", "O_line", "my_line", "their_line"),
    "needs 'lines' in these rules, such as {in_a_row: 3, rows: 3, columns: 3, of: [X, O]}",
)
"""The same for rules without ``lines``."""


_OF_MOVES = dict.fromkeys(
    ("me", "them"), "can be used only in 'when' and 'do' of a move: elsewhere 'turn' is 1 if X moves next, 2 if O does"
)
"""Names that only moves can use, each with a text that says so."""


@dataclass(slots=True)
class RuleExpressions(RulesCompiler[GeneralRules]):
    """Evaluates the expressions of rules.

    Attributes:
        cells: the names of cells, each with the sizes of its indices.
        numbers: the names of cells that hold numbers.
        steps: the number of parts to which expressions have expanded so far.
    """

    FILE = GeneralRules

    cells: dict[str, tuple[int, ...]] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)
    steps: int = 0

    def names(self, player: str, *more: str) -> Grounder:
        """Return the names that expressions can use: cells, definitions and, if a player moves, ``me`` and ``them``."""
        words = {**self.cells, **dict.fromkeys(("turn", *more), ())}
        me = {"X": {"me": 1, "them": 2}, "O": {"me": 2, "them": 1}}.get(player, {})
        names = ground_over(words, me, {"turn", *self.numbers}, player or None)
        names.elsewhere = _ELSEWHERE if self.model.lines is None else _ELSEWHERE_WITH_LINES
        names.elsewhere = names.elsewhere | self.document.left_out
        if not me:
            names.elsewhere = names.elsewhere | _OF_MOVES
        if self.model.lines is not None:
            self.define_lines(names, self.model.lines)
        for head, body in self.model.define.items():
            self.attempt(("define", head), partial(self.define, names, head, body))
        return names

    def define(self, names: Grounder, head: str, body: str | int | bool) -> None:
        """Add a definition."""
        name, parameters = parse_definition_head(head)
        place = self.document.say_place(("define", head))
        names.define(Definition(name, parameters, self.parse(body), place))

    def define_lines(self, names: Grounder, lines: CellLines) -> None:
        """Define the word N_line for each name N that has lines."""
        sets = LineSets(in_a_row=lines.in_a_row, along=lines.along)
        places = [held for held, _ in place_in_a_row(sets, lines.rows, lines.columns, lines.in_a_row)]
        for name in lines.of:
            if self.cells.get(name) != (lines.rows * lines.columns,) or name in self.numbers:
                text = f"{name[:40]!r} needs {lines.rows * lines.columns} cells in 'state' that are true or false"
                self.fault(("lines", "of"), text)
                return
            if not places:
                self.fault(
                    ("lines", "in_a_row"),
                    f"{lines.rows} rows of {lines.columns} have no {lines.in_a_row} in a row",
                )
                return
            rows = [parse_expression(" and ".join(f"{name}[{s}]" for s in held)) for held in places]
            body = ast.copy_location(ast.BoolOp(op=ast.Or(), values=rows), rows[0]) if len(rows) > 1 else rows[0]
            definition = Definition(f"{name}_line", (), body, self.document.say_place(("lines",)))
            self.attempt(("lines", "of"), partial(names.define, definition))

    def parse(self, text: str | int | bool) -> ast.expr:
        """Parse an expression of the rules, which cannot use ``ply``."""
        tree = parse_expression(text)
        used = names_in(tree)
        if "ply" in used:
            raise ExpressionError("rules cannot use 'ply': to count moves, add a cell to 'state'")
        for node in ast.walk(tree) if "turn" in used else ():
            parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            names = {part.id for part in parts if isinstance(part, ast.Name)}
            if "turn" in names and names & {"X", "O"}:
                raise error_at(node, "'turn' is a number: write turn == 1 if X is to move, and turn == 2 if O is")
        return tree

    def attempt(self, path: KeyPath, work: Callable[[], T]) -> T | None:
        """Call ``work``, and return its result. If it raises an error, return None.

        The error becomes a problem, unless another problem has the same place.
        """
        try:
            return work()
        except KnownFaultError:
            return None
        except ExpressionError as error:
            problem = self.document.text_problem(path, error)
            if all((problem.line, problem.column) != (other.line, other.column) for other in self.problems):
                self.problems.append(problem)
            return None

    def value(self, names: Grounder, tree: ast.expr, env: Env) -> Any:
        """Return the value of an expression, and count the parts to which it expands."""
        names.steps = 0  # ``names.value`` leaves this at 0 if the value is cached
        found = names.value(tree, env)
        self.steps += 1 + names.steps
        if self.steps > MAX_RULE_STEPS:
            raise error_at(
                tree, f"the rules expand to more than {MAX_RULE_STEPS:,} parts: use fewer moves, or shorter conditions"
            )
        return found

    def formula(self, path: KeyPath, text: str | int | bool, names: Grounder, env: Env) -> Any:
        """Return the formula of a condition; False if it has a problem."""
        found = self.attempt(path, partial(self.ground, text, names, env))
        return False if found is None else found

    def ground(self, text: str | int | bool, names: Grounder, env: Env) -> Any:
        """Return the formula of a condition."""
        tree = self.parse(text)
        self.value(names, tree, env)
        return names.formula(tree, env)
