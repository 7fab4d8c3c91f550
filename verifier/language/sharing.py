"""Shares equal formulas of a statement: equal formulas are one object in memory, and have one name in the JSON.

A statement's ``formulas`` is a list. ``["use", n]`` stands for entry n of this list, wherever a formula or a term can
stand. ``fold`` makes this form. The time it takes is linear in the number of different formulas, however often each
formula is used.
"""

from __future__ import annotations

import contextlib
import gc
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Change = Callable[[Any], Any]

MIN_CHARACTERS = 30
"""Minimum number of characters in the JSON of a formula that gets a name."""
# A word of the game, or a comparison of two words, is easier to read than ``["use",123]``, and hardly longer.


@dataclass(frozen=True, slots=True, eq=False)
class FormulaNode:
    """A formula without variables. Formulas with the same text share a node.

    Attributes:
        parts: the word, and then its arguments, which are nodes, integers or booleans.
        formula: the first formula with this text.
        size: the number of characters of the text.
        depth: how deeply the formula is nested, as the kernel counts.
    """

    parts: tuple[Any, ...]
    formula: list[Any]
    size: int
    depth: int


class Nodes:
    """Finds the nodes of formulas. Each list is visited only once, even if many formulas share it."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], FormulaNode] = {}
        # By id(). The lists are kept in memory, so that Python does not give the id of a list to another list.
        self._by_id: dict[int, tuple[FormulaNode, list[Any]]] = {}

    def find(self, formula: list[Any]) -> FormulaNode:
        """Return the node of a formula."""
        known = self._by_id.get(id(formula))
        if known is not None:
            return known[0]
        parts = tuple([self.find(part) if type(part) is list else part for part in formula])
        node = self._known.get(parts)
        if node is None:
            inner = [part for part in parts if type(part) is FormulaNode]
            texts = [json.dumps(part) for part in parts if type(part) is not FormulaNode]
            size = 1 + sum(part.size + 1 for part in inner) + sum(len(text) + 1 for text in texts)
            depth = max((part.depth + 1 for part in inner), default=0)
            node = self._known[parts] = FormulaNode(parts, formula, size, depth)
        self._by_id[id(formula)] = node, formula
        return node


def fold(statement: Mapping[str, Any], nodes: Nodes) -> dict[str, Any]:
    """Return a statement in the kernel's form: long formulas that it uses more than once have names.

    Args:
        statement: a statement in which no formula has a name yet. Its formulas can share lists in memory.
        nodes: the nodes of formulas.
    """
    # The names that only the objectives use come last. So two statements about the same plays differ only in their
    # objectives and in the last names.
    names = _Names(nodes)
    folded: dict[str, Any] = {}
    for is_objective in (False, True):
        half = {key: value for key, value in statement.items() if (key == "objectives") is is_objective}
        map_formulas(half, names.count)
        folded |= map_formulas(half, names.write)
        names.forget_counts()
    return {**folded, "formulas": names.entries}


def map_formulas(statement: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """Return a statement, or a part of it, with ``change`` applied to every formula, in order."""
    # A strategy that occurs in many parts is visited only twice. Two visits are enough to count each of its formulas
    # as used more than once.
    strategies: dict[int, tuple[int, Any]] = {}

    def of(key: str, value: Any) -> Any:
        if key in _FORMULAS:
            return change(value)
        if key in _NAMED:
            return [[name, change(formula)] for name, formula in value]
        if isinstance(value, list):
            return [of("", item) for item in value]
        if not isinstance(value, dict):
            return value
        times, changed = strategies.get(id(value), (0, None)) if key == "strategy" else (0, None)
        if times < 2:
            changed = {inner: of(inner, item) for inner, item in value.items()}
            if key == "strategy":
                strategies[id(value)] = times + 1, changed
        return changed

    return {key: of(key, value) if key in _WITH_FORMULAS else value for key, value in statement.items()}


def share(formulas: list[Any], others: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """Give names to the parts that some formulas use more than once.

    Args:
        formulas: the formulas.
        others: more formulas. In them, named parts are replaced too, but uses of a part are not counted.

    Returns:
        Both lists, with the names in place of the parts, and the list of the named parts.
    """
    names = _Names(Nodes())
    for formula in formulas:
        names.count(formula)
    return [*map(names.write, formulas)], [*map(names.write, others)], names.entries


_FORMULAS, _NAMED = {"when", "goal", "holds", "given"}, {"hypotheses", "conclusions"}
"""Keys whose value is a formula, and keys whose value is a list of names, each with its formula."""

_WITH_FORMULAS = {"strategies", "objectives", "parts", "given", *_NAMED}
"""The keys of a statement, or of an invariant, that have formulas in their values."""


class _Names:
    """Gives names to formulas that are used more than once. First ``count`` all formulas, then ``write`` them."""

    def __init__(self, nodes: Nodes) -> None:
        self.entries: list[Any] = []
        self._nodes = nodes
        self._uses: Counter[FormulaNode] = Counter()
        self._written: dict[FormulaNode, tuple[Any, int]] = {}

    def count(self, formula: Any) -> None:
        """Count one use of a formula and, if it is new, of its parts. Short formulas are not counted."""
        waiting = [self._nodes.find(formula)] if isinstance(formula, list) else []
        while waiting:
            node = waiting.pop()
            if node.size >= MIN_CHARACTERS:
                self._uses[node] += 1
                if self._uses[node] == 1 and node not in self._written:
                    waiting += [part for part in node.parts if type(part) is FormulaNode]

    def write(self, formula: Any) -> Any:
        """Return a counted formula, with names for its parts."""
        return self._write(self._nodes.find(formula))[0] if isinstance(formula, list) else formula

    def _write(self, node: FormulaNode) -> tuple[Any, int]:
        """Return the formula of a node, with names for its parts, and the length of its text."""
        if node.size < MIN_CHARACTERS:
            return node.formula, node.size
        if node in self._written:
            return self._written[node]
        found: list[Any] = []
        size = node.size
        for part in node.parts:
            inner, length = self._write(part) if type(part) is FormulaNode else (part, 0)
            found.append(inner)
            size += length - part.size if type(part) is FormulaNode else 0
        if self._uses[node] > 1 and size >= MIN_CHARACTERS:
            self.entries.append(found)
            found = ["use", len(self.entries) - 1]
            size = len(str(len(self.entries))) + 8
        self._written[node] = found, size
        return found, size

    def forget_counts(self) -> None:
        """Forget all counts, but not the names."""
        self._uses.clear()
        self._written = {node: written for node, written in self._written.items() if written[0][0] == "use"}


@contextlib.contextmanager
def collection_paused() -> Iterator[None]:
    """Turn the garbage collector off inside a ``with`` block."""
    # The garbage collector would visit all formulas or certificates again and again.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
