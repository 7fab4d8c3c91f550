"""Expand the positions of a ply in two processes, if there are many positions.

This process expands the first half of the positions, and another process the second half. The order of the results is
the same as in one process, so a search finds the same moves.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import parse_statement
from verifier.pool import Pool, call_or_begin
from verifier.search.expander import Expander
from verifier.search.folded import fold_by
from verifier.search.registry import open_expander

MANY_AT_A_PLY = 5_000
"""If a ply has fewer positions than this, one process expands all of them: sending them would take as long."""

_Rows = list[tuple[int, Sequence[Any]]]


class PartedExpander:
    """An expander that has another process do half of the work of ``expand_all``."""

    def __init__(self, expander: Expander, pool: Pool, data: Mapping[str, Any], symmetries: Symmetries | None) -> None:
        """Make an expander that gives the results of ``expander``.

        Args:
            expander: an expander of the statement ``data``, up to ``symmetries`` if these are not None.
            pool: a pool with one process.
            data: the statement, as JSON.
            symmetries: the symmetries of the statement by which positions are folded.
        """
        self.bits, self.places, self.pack, self.unpack = expander.bits, expander.places, expander.pack, expander.unpack
        self.expand, self.fold = expander.expand, expander.fold
        self._expander, self._pool = expander, pool
        generators = None if symmetries is None else symmetries.generators
        self._texts = json.dumps(data), json.dumps(generators)

    def expand_all(self, level: Sequence[Any]) -> Iterator[tuple[int, Sequence[Any]]]:
        """Do what ``Expander.expand_all`` does. The results come in the same order."""
        if len(level) < MANY_AT_A_PLY:
            yield from self._expander.expand_all(level)
            return
        middle = len(level) // 2
        wait = call_or_begin(self._pool, _expand, self._texts, level[middle:])
        yield from self._expander.expand_all(level[:middle])
        yield from wait()


def _expand(texts: tuple[str, str], level: Sequence[Any]) -> _Rows:
    """Expand positions in another process."""
    return [*_open(*texts).expand_all(level)]


@functools.lru_cache(maxsize=1)
def _open(data_text: str, generators_text: str) -> Expander:
    """Open the expander of a statement up to symmetries. Both are given as JSON; ``null``: no symmetries."""
    data, generators = json.loads(data_text), json.loads(generators_text)
    statement = parse_statement(data)
    expander = open_expander(data, statement.game)
    if expander is not None and generators is not None:
        expander = fold_by(expander, Symmetries(data, statement, generators))
    if expander is None:
        raise ValueError("the statement has no such expander")  # the first process has opened one
    return expander
