"""Turns expressions of the claim language into the kernel's formulas. ``specs/README.md`` is the reference.

To ground an expression is to replace variables by their values, and definitions by their meanings. ``kernel.formula``
evaluates the resulting formula on positions, and ``solver`` translates it for solvers.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set
from types import SimpleNamespace
from typing import Any

from verifier.kernel.formula import MAX_DEPTH
from verifier.language.evaluator import TOO_DEEP, Env, Evaluator, OldPosition, formula_of
from verifier.language.names import ACTIVE, Meaning, Names, PointerValue, Term, is_list
from verifier.language.rules.numbers import GameNumbers
from verifier.language.syntax import ScopedNode, error_at, names_in


class Grounder(Names):
    """Grounds expressions. They can use the names that this object knows (``Names``) and the variables in ``env``.

    Each method raises an ``ExpressionError`` if the expression has no meaning, or a value of the wrong kind.
    """

    def formula(self, tree: ast.expr, env: Env, *, old: OldPosition = OldPosition.NONE) -> Any:
        """Return the kernel's formula of a condition. It cannot be nested deeper than the kernel allows."""
        found = formula_of(tree, self.value(tree, env, old=old))
        if isinstance(found, list) and self.nodes.find(found).depth > MAX_DEPTH:
            raise error_at(tree, f"the expression is nested deeper than {MAX_DEPTH}: split it")
        return found

    def integer(self, tree: ast.expr, env: Env, *, or_active: bool = False) -> int | PointerValue:
        """Return the value of an expression. It must be an integer or, if ``or_active`` is true, ``ACTIVE``."""
        value = self.value(tree, env)
        if isinstance(value, int) or (or_active and value is ACTIVE):
            return value
        # A term is a number that depends on the position. A move with a term could become a move for each value of the
        # term. But the rules may not have a move for each value, so the author has to list the values.
        hint = " that does not depend on the position: list the values in 'for', and compare them in 'when'"
        raise error_at(tree, f"expected an integer{hint if isinstance(value, Term) else ''}")

    def integers(self, tree: ast.expr, env: Env) -> list[int]:
        """Return the value of an expression, which must be a list of integers."""
        value = self.value(tree, env)
        if is_list(value):
            return value
        found = ", not a list of lists" if isinstance(value, list) else ""
        raise error_at(tree, f"expected a list of integers{found}")

    def sets(self, tree: ast.expr, env: Env) -> list[list[int]]:
        """Return the value of an expression as a list of lists of integers. A single list is put into a list."""
        value: Any = self.value(tree, env)
        if not isinstance(value, list):
            raise error_at(tree, "expected a list of integers, or a list of such lists")
        return [value] if is_list(value) else value

    def value(self, tree: ast.expr, env: Env, *, old: OldPosition = OldPosition.NONE) -> Meaning:
        """Return and cache the value of any expression."""
        if isinstance(tree, ScopedNode) and tree.player not in ("", self.player):
            return self.extend(tree.player).value(tree, env, old=old)
        # It is an error if ``env`` has a variable that a ``ScopedNode`` also has. So the key has the values of all
        # names of ``env`` in the node's body, even of the node's own variables. If the key left these out, a value that
        # was cached for another ``env`` could be returned instead of the error.
        used = names_in(tree.body if isinstance(tree, ScopedNode) else tree)
        key = (tree, old, *((name, value) for name, value in env.items() if name in used))
        found = self.meanings.get(key)
        if found is None:
            self.steps = self.level = 0
            evaluator = Evaluator(self, old, len(self.definitions))
            try:
                found = self.meanings[key] = evaluator.whole(tree, env)
            except RecursionError:
                raise error_at(tree, TOO_DEEP) from None
        return found


def ground_over(
    words: Mapping[str, tuple[int, ...]],
    constants: Mapping[str, int | range],
    number_words: Set[str] = frozenset(),
    player: str | None = None,
) -> Grounder:
    """Return a grounder that knows only these words and constants.

    Args:
        words: the words, each with the sizes of its indices.
        constants: the constants.
        number_words: the words that stand for numbers.
        player: the player to whom relative words, such as ``my_line``, refer; None if they have no meaning.
    """
    game: Any = SimpleNamespace(vocabulary=words, number_words=number_words)
    return Grounder(game, player=player, numbers=GameNumbers((), constants))
