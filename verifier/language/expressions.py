"""Expressions of the claim language: a whitelisted subset of Python's syntax, grounded to the kernel's formulas.

One parse, two meanings: the ground formula that comes out is evaluated on positions by ``kernel.formula`` and turned
into a solver's term by ``solver``. ``specs/README.md`` is the reference.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from verifier.kernel.formula import MAX_DEPTH
from verifier.language.evaluation import Env, evaluate
from verifier.language.names import ACTIVE, Active, Formula, Names, Value, is_list
from verifier.language.syntax import error_at


class Grounder:
    """Grounds expressions over some names, given values of their variables.

    Each method raises an ``ExpressionError`` where an expression means nothing, or something else than is asked for.
    """

    def __init__(self, names: Names) -> None:
        self.names = names

    def formula(self, tree: ast.expr, env: Env, *, is_after_step: bool = False) -> Any:
        """Return the kernel's formula of what is true or false, nested no deeper than the kernel reads.

        After a step there is a position before this one, which ``old`` speaks of.
        """
        value = evaluate(tree, env, self.names, is_after_step=is_after_step)
        if not isinstance(value, Formula):
            raise error_at(tree, "something that is true or false is wanted here")
        if self.names.nodes.depth(value.node) > MAX_DEPTH:
            raise error_at(tree, f"an expression that is nested deeper than {MAX_DEPTH}")
        return value.node

    def integer(self, tree: ast.expr, env: Env, *, or_active: bool = False) -> int | Active:
        """Return an integer; where it may be the active field, that as well."""
        value = self.value(tree, env)
        if isinstance(value, int) or (or_active and value is ACTIVE):
            return value
        raise error_at(tree, "an integer is wanted here")

    def integers(self, tree: ast.expr, env: Env) -> list[int]:
        """Return a list of integers."""
        value = self.value(tree, env)
        if is_list(value):
            return value
        what = "is wanted here, not one of lists" if isinstance(value, list) else "is wanted here"
        raise error_at(tree, f"a list of integers {what}")

    def sets(self, tree: ast.expr, env: Env) -> list[list[int]]:
        """Return lists of integers: those of a list of lists, or the one that it is."""
        value: Any = self.value(tree, env)
        if not isinstance(value, list):
            raise error_at(tree, "a list of integers, or of such lists, is wanted here")
        return [value] if is_list(value) else value

    def value(self, tree: ast.expr, env: Env) -> Value:
        """Return whatever an expression is."""
        return evaluate(tree, env, self.names, is_after_step=False)


def ground_over(words: Mapping[str, tuple[int, ...]]) -> Grounder:
    """Return what grounds expressions over words alone, with the sizes of their indices."""
    game: Any = SimpleNamespace(vocabulary=words)
    return Grounder(Names(game))
