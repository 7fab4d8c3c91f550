"""Ground formulas as nodes of one graph: what is written alike is one node, however often it was made."""

from __future__ import annotations

from typing import Any

MIN_CHARACTERS = 30
"""The shortest text that statements name. A word of the game, its opposite or a comparison of two such reads better
than a number would, and is hardly longer than ``["use",123]``."""

Parts = tuple[Any, ...]
"""A word, and its arguments: ``(NUMBER,)`` for one that is a node, otherwise an integer or a boolean."""


class Nodes:
    """Numbers nodes as they are met; each object is looked at once, so that what formulas share costs nothing.

    Attributes:
        parts: of each node, by its number.
        formulas: each node as it was met first.
        sizes: how many characters the text of each has.
        large: which of its parts are nodes with a text of ``MIN_CHARACTERS``, by their numbers, as often as they stand
            there.
    """

    def __init__(self) -> None:
        self.parts: list[Parts] = []
        self.formulas: list[list[Any]] = []
        self.sizes: list[int] = []
        self.large: list[list[int]] = []
        self._depths: list[int] = []
        self._numbers: dict[Parts, int] = {}
        self._met: dict[int, tuple[int, list[Any]]] = {}  # by identity; the object is kept, so that none takes it over

    def number(self, node: list[Any]) -> int:
        """Return the number of a node."""
        met = self._met
        known = met.get(id(node))
        if known is not None:
            return known[0]
        key: list[Any] = []
        for part in node:
            if type(part) is list:
                known = met.get(id(part))
                key.append((self.number(part) if known is None else known[0],))
            else:
                key.append(part)
        parts = tuple(key)
        number = self._numbers.get(parts)
        if number is None:
            number = self._add(parts, node)
        met[id(node)] = number, node
        return number

    def _add(self, parts: Parts, node: list[Any]) -> int:
        """Take a node that is not known yet."""
        sizes, depths = self.sizes, self._depths
        number = self._numbers[parts] = len(sizes)
        size, depth, large = 1, 0, []
        for part in parts:
            if type(part) is tuple:
                inner = part[0]
                size += sizes[inner] + 1
                depth = max(depth, depths[inner] + 1)
                if sizes[inner] >= MIN_CHARACTERS:
                    large.append(inner)
            else:
                size += (len(part) + 2 if type(part) is str else len(str(part))) + 1
        self.parts.append(parts)
        self.formulas.append(node)
        sizes.append(size)
        depths.append(depth)
        self.large.append(large)
        return number

    def depth(self, formula: Any) -> int:
        """Return how deeply a formula is nested, as the kernel counts."""
        return self._depths[self.number(formula)] if isinstance(formula, list) else 0
