"""Ground formulas as nodes of one graph: what is written alike is one node, however often it was made."""

from __future__ import annotations

from typing import Any

Parts = tuple[Any, ...]
"""A word, and its arguments: ``(NUMBER,)`` for one that is a node, otherwise an integer or a boolean."""


class Nodes:
    """Numbers nodes as they are met; each object is looked at once, so that what formulas share costs nothing.

    Attributes:
        parts: of each node, by its number.
        inner: which of these are nodes, by their numbers, as often as they stand there.
    """

    def __init__(self) -> None:
        self.parts: list[Parts] = []
        self.inner: list[list[int]] = []
        self._depths: list[int] = []
        self._numbers: dict[Parts, int] = {}
        self._met: dict[int, tuple[int, list[Any]]] = {}  # by identity; the object is kept, so that none takes it over

    def number(self, node: list[Any]) -> int:
        """Return the number of a node."""
        known = self._met.get(id(node))
        if known is not None:
            return known[0]
        met = self._met
        inner: list[int] = []
        key: list[Any] = []
        for part in node:
            if type(part) is list:
                known = met.get(id(part))
                number = self.number(part) if known is None else known[0]
                inner.append(number)
                key.append((number,))
            else:
                key.append(part)
        parts = tuple(key)
        number = self._numbers.setdefault(parts, len(self.parts))
        if number == len(self.parts):
            self.parts.append(parts)
            self.inner.append(inner)
            self._depths.append(1 + max(map(self._depths.__getitem__, inner), default=-1))
        met[id(node)] = number, node
        return number

    def depth(self, formula: Any) -> int:
        """Return how deeply a formula is nested, as the kernel counts."""
        return self._depths[self.number(formula)] if isinstance(formula, list) else 0
