"""Follows the tables of replies that are evidence for bounds, and counts the replies.

A bound says that the first player cannot force a win by some ply. The tables have the replies with which the second
player prevents this win. To *follow* a table means that the kernel checks these replies against every move of the
first player. The kernel needs much longer for a table than for the statement that rests on it. If tables are followed
before statements are decided, several processes can work for one reading. Nothing here decides: the kernel checks
tables and statements.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from verifier.counting import REPLIES, Counter
from verifier.kernel.certificate import FileReader, is_hash, unpack
from verifier.kernel.limits import run_limited
from verifier.kernel.race.bound import MAX_KEPT_TABLES, MAX_TABLES, LemmaResult, check_table
from verifier.pool import Pool


class ReplyTables:
    """Follows tables of replies, each once: in parallel in the processes of a pool, or in this process."""

    def __init__(self, pool: Pool | None, read: FileReader, counter: Counter) -> None:
        """Prepare to follow tables.

        Args:
            pool: a pool whose processes follow the tables, and add to ``counter``. If it is None, this process does
                both.
            read: reads a table by its hash; it is also called in other processes.
            counter: counts the replies that were followed.
        """
        self.pool = pool
        self.read = read
        self.counter = counter
        if pool is None:
            REPLIES.use(counter)
        self._begun: dict[str, Callable[[], LemmaResult | None]] = {}
        self._sizes: dict[str, int] = {}

    def begin(self, names: Iterable[str]) -> None:
        """Begin to follow the tables with these hashes. Leave out tables that the kernel has no room to keep."""
        for name in names:
            if name not in self._begun and len(self._begun) < MAX_KEPT_TABLES:
                here = functools.cache(functools.partial(_follow, name, self.read))
                self._begun[name] = self.pool.submit(_follow, name, self.read).result if self.pool else here

    def take(self, names: Iterable[str]) -> dict[str, LemmaResult]:
        """Wait for the tables among ``names`` that were begun. Return the results of the accepted tables, by hash."""
        found = {name: self._begun[name]() for name in self._begun.keys() & names}
        return {name: shown for name, shown in found.items() if shown is not None}

    def has_all(self, names: Iterable[str]) -> bool:
        """Say whether all these tables were begun."""
        return self._begun.keys() >= {*names}

    @property
    def counts(self) -> tuple[int, int, int]:
        """Three numbers: replies followed, tables begun, replies in these tables. Numbers of replies are estimates."""
        begun = [*self._begun]
        for name in begun:
            if name not in self._sizes:
                self._sizes[name] = _count_digits(name, self.read)
        return self.counter.value, len(begun), sum(map(self._sizes.__getitem__, begun))


def _count_digits(name: str, read: FileReader) -> int:
    """Return the number of digits in the replies of a table (one or two for each reply); 0 for an unreadable table."""
    try:
        return sum(map(len, unpack(read(name), name)["replies"].values()))
    except Exception:  # noqa: BLE001 - following the table will report the error
        return 0


def _follow(name: str, read: FileReader) -> LemmaResult | None:
    """Check a whole table. Return the kernel's result; None if the table is rejected.

    If it is rejected, each statement that rests on it will report the reason.
    """
    try:
        return run_limited(lambda: check_table(name, read, REPLIES.add))
    except Exception:  # noqa: BLE001 - an internal error occurs again at each statement that rests on the table
        return None


def tables_of(statement: Mapping[str, Any], evidence: Mapping[str, Any]) -> list[str]:
    """Return the tables that the evidence for a bound lists; [] for other statements, and for malformed evidence."""
    names = evidence.get("tables") if statement.get("kind") == "bound" else None
    return names if isinstance(names, list) and len(names) <= MAX_TABLES and all(map(is_hash, names)) else []
