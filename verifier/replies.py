"""Tables of replies, which evidence for bounds names: followed before the statements that rest on them, and counted.

A table takes the kernel much longer than the statement. Following it first lets several processes work for one reading.
Nothing here decides: the kernel checks each table, and each statement.
"""

from __future__ import annotations

import ctypes
import functools
import multiprocessing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from verifier.kernel.certificate import FileReader, is_hash, unpack
from verifier.kernel.limits import run_limited
from verifier.kernel.race.bound import MAX_KEPT_TABLES, MAX_TABLES, LemmaResult, check_table
from verifier.pool import Pool

Counter: TypeAlias = ctypes.c_longlong
"""Counts replies, in memory that processes share. If two add at once, one addition may be lost: nobody has to wait."""

_COUNTERS: list[Counter] = []
"""What this process counts in."""


def make_counter() -> Counter:
    """Return a counter that can be given to processes as they start."""
    counter: Counter = multiprocessing.get_context("spawn").RawValue("q")
    return counter


def count_in(counter: Counter) -> None:
    """Have this process count the replies that it follows in a counter."""
    _COUNTERS[:] = [counter]


class ReplyTables:
    """Has tables of replies followed in parallel by the processes of a pool, or by this process, each once."""

    def __init__(self, pool: Pool | None, read: FileReader, counter: Counter) -> None:
        """Make one.

        Args:
            pool: its processes count in ``counter``; None: this process follows the tables.
            read: reads a table by its hash, also in other processes.
            counter: counts the replies that were followed.
        """
        self.pool = pool
        self.read = read
        self.counter = counter
        if pool is None:
            count_in(counter)
        self._begun: dict[str, Callable[[], LemmaResult | None]] = {}
        self._sizes: dict[str, int] = {}

    def begin(self, names: Iterable[str]) -> None:
        """Begin to follow tables, given their hashes, but no more of them than the kernel keeps."""
        for name in names:
            if name not in self._begun and len(self._begun) < MAX_KEPT_TABLES:
                here = functools.cache(functools.partial(_follow, name, self.read))
                self._begun[name] = self.pool.submit(_follow, name, self.read).result if self.pool else here

    def take(self, names: Iterable[str]) -> dict[str, LemmaResult]:
        """Wait for those tables that were begun, and return what each shows. Rejected tables are left out."""
        found = {name: self._begun[name]() for name in self._begun.keys() & names}
        return {name: shown for name, shown in found.items() if shown is not None}

    def has_all(self, names: Iterable[str]) -> bool:
        """Say whether all these tables were begun."""
        return self._begun.keys() >= {*names}

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many replies were followed, how many tables were begun, how many replies these have; replies roughly."""
        begun = [*self._begun]
        for name in begun:
            if name not in self._sizes:
                self._sizes[name] = _count_digits(name, self.read)
        return self.counter.value, len(begun), sum(map(self._sizes.__getitem__, begun))


def _count_digits(name: str, read: FileReader) -> int:
    """Return how many digits the replies of a table have, which is at least their number; 0: it cannot be read."""
    try:
        return sum(map(len, unpack(read(name), name)["replies"].values()))
    except Exception:  # noqa: BLE001 - following the table says what is wrong with it
        return 0


def _follow(name: str, read: FileReader) -> LemmaResult | None:
    """Decide on all of a table; None: it is rejected, and each statement that rests on it says why."""
    try:
        return run_limited(lambda: check_table(name, read, _count))
    except Exception:  # noqa: BLE001 - an internal error shows again where a statement rests on the table
        return None


def _count(number: int) -> None:
    """Count replies that this process has followed."""
    for counter in _COUNTERS:
        counter.value += number


def tables_of(statement: Mapping[str, Any], evidence: Mapping[str, Any]) -> list[str]:
    """Return the tables that evidence for a bound names. If it is malformed, return none: the kernel says why."""
    names = evidence.get("tables") if statement.get("kind") == "bound" else None
    return names if isinstance(names, list) and len(names) <= MAX_TABLES and all(map(is_hash, names)) else []
