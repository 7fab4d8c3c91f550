"""Expressions of the claim language: a whitelisted subset of Python's syntax, grounded to the kernel's formulas.

One parse, two meanings: the ground formula that comes out is evaluated on positions by ``kernel.formula`` and turned
into a solver's term by ``solver``. ``specs/README.md`` is the reference.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, TypeVar

from verifier.kernel.formula import MAX_DEPTH
from verifier.language.evaluation import evaluate
from verifier.language.names import Formula, Names, Value
from verifier.language.syntax import error_at

T = TypeVar("T")


class Grounder:
    """Grounds expressions over some names."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def formula(self, tree: ast.expr, env: Mapping[str, int], *, is_after_step: bool = False) -> Any:
        """Ground an expression that is true or false; return the kernel's formula.

        Args:
            tree: the expression.
            env: values of its variables.
            is_after_step: whether there is a position before this one, which ``old`` speaks of.

        Raises:
            ExpressionError: it means nothing, or a number, or is nested deeper than the kernel reads.
        """
        value = evaluate(tree, env, self.names, is_after_step=is_after_step)
        if not isinstance(value, Formula):
            raise error_at(tree, "something that is true or false is wanted here")
        if self.names.nodes.depth(value.node) > MAX_DEPTH:
            raise error_at(tree, f"an expression that is nested deeper than {MAX_DEPTH}")
        return value.node

    def integer(self, tree: ast.expr, env: Mapping[str, int]) -> int:
        """Ground an expression to an integer.

        Raises:
            ExpressionError: it is none.
        """
        return self._of_type(int, "an integer", tree, env)

    def integers(self, tree: ast.expr, env: Mapping[str, int]) -> list[int]:
        """Ground an expression to a list of integers.

        Raises:
            ExpressionError: it is none.
        """
        found = self._of_type(list, "a list of integers", tree, env)
        if found and isinstance(found[0], list):
            raise error_at(tree, "a list of integers is wanted here, not one of lists")
        return found

    def sets(self, tree: ast.expr, env: Mapping[str, int]) -> list[list[int]]:
        """Ground an expression to lists of integers: those of a list of lists, or the one that it is.

        Raises:
            ExpressionError: it is neither.
        """
        value = self._of_type(list, "a list of integers, or of such lists,", tree, env)
        return value if value and isinstance(value[0], list) else [value]

    def _of_type(self, wanted: type[T], name: str, tree: ast.expr, env: Mapping[str, int]) -> T:
        value = self.value(tree, env)
        if isinstance(value, wanted):
            return value
        raise error_at(tree, f"{name} is wanted here")

    def value(self, tree: ast.expr, env: Mapping[str, int]) -> Value:
        """Ground an expression to whatever it is.

        Raises:
            ExpressionError: it means nothing.
        """
        return evaluate(tree, env, self.names, is_after_step=False)
