"""Who checks a reading: this process, one of a pool, or for parts of searches a Dask cluster.

A process of a pool reads the specs for itself, once, and says so where they are no longer those that the run has read.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.audit.keys import Reference, hash_text
from verifier.audit.plan import Context, Folders, find_lane
from verifier.audit.recall import compile_key, look
from verifier.kernel.errors import SpecError, UsageError
from verifier.language.folder import read_library
from verifier.questions.registry import GRAMMAR
from verifier.questions.result import ReadingResult
from verifier.replies import Tables, tables_of
from verifier.search.resources import Resources

if TYPE_CHECKING:
    from verifier.questions.finding import Memo

ANSWER_SECONDS = 10
"""How long a Dask scheduler may take to answer."""


def parse_executor(name: str) -> str:
    """Return the ``HOST:PORT`` of a Dask scheduler, named ``dask://HOST:PORT``; anything else is a ``UsageError``."""
    address = name.removeprefix("dask://")
    if address == name or not re.fullmatch(r"[^/\s]+:\d+", address):
        raise UsageError(f"{name!r} is not an executor: write dask://HOST:PORT")
    return address


@contextlib.contextmanager
def find_executor(name: str | None, local: Executor | None) -> Iterator[Executor | None]:
    """Yield the executor of long searches: a Dask cluster's where one is named, if it answers; else the given one."""
    if name is None:
        yield local
        return
    address = parse_executor(name)
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--executor dask://… needs Dask: pip install 'dask[distributed]'") from None
    try:
        client = Client(f"tcp://{address}", timeout=ANSWER_SECONDS)
    except OSError as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        yield client.get_executor()


@functools.lru_cache(maxsize=1)
def _open_once(folders: Folders, memory_mib: int) -> tuple[Context, Memo]:
    """Load the specs once a process: they do not change during a run. What is found for a reading helps the next."""
    from verifier.questions.finding import Memo

    return folders.open(read_library(folders.specs, GRAMMAR)[0], Resources(None, memory_mib)), Memo()


def check_in_process(
    folders: Folders, reference: Reference, text: str, *, anew: bool, memory_mib: int
) -> ReadingResult:
    """Check a reading in a process; its text has to be what the run has read, or this is a ``SpecError``."""
    from verifier.audit.reading import check

    context, memo = _open_once(folders, memory_mib)
    if hash_text(context.sources, reference) != text:
        raise SpecError("the specs changed while they were checked")
    memo.enter(find_lane(context.library, reference))
    return check(context, memo, reference, anew=anew)


@dataclass(slots=True)
class Leader:
    """Checks readings, one after the other.

    Attributes:
        memo: what was found for readings that were checked before.
        needed: the tables that each rests on; None: it has no evidence.
    """

    context: Context
    memo: Memo
    tables: Tables
    is_anew: bool
    needed: dict[Reference, list[str] | None] = field(default_factory=dict)

    def begin(self, led: Iterable[Reference]) -> None:
        """Have the tables followed that readings rest on."""
        for reference in led if not self.is_anew else ():
            self.needed[reference] = names = find_tables(self.context, reference)
            self.tables.begin(names or ())

    def is_free(self, reference: Reference) -> bool:
        """Say whether a reading has evidence that rests on tables alone which are followed for others."""
        self.needed[reference] = names = find_tables(self.context, reference)
        return names is not None and self.tables.has_all(names)

    def check(self, reference: Reference, *, anew: bool) -> ReadingResult:
        """Check a reading, when the tables that it rests on are followed."""
        from verifier.audit.reading import check

        self.memo.enter(find_lane(self.context.library, reference))
        self.memo.tables |= self.tables.take(self.needed.get(reference) or ())
        return check(self.context, self.memo, reference, anew=anew)

    def keep(self, promised: Mapping[Reference, Future[ReadingResult]]) -> None:
        """Check the readings that were promised to others."""
        for reference, future in promised.items():
            future.set_running_or_notify_cancel()
            try:
                future.set_result(self.check(reference, anew=self.is_anew))
            except BaseException as error:  # noqa: BLE001 - the waiting caller raises it
                future.set_exception(error)


def find_tables(context: Context, reference: Reference) -> list[str] | None:
    """Return the tables of replies that the kernel follows for a reading; none of one that is remembered.

    None: it has no evidence, or something is wrong, which shows where the reading is checked.
    """
    with contextlib.suppress(Exception):
        if look(context, reference, compiles=True).is_run:
            return []
        (key, _), _ = compile_key(context, reference)
        certificate = context.store.first(key)
        return None if certificate is None else tables_of(certificate.statement, certificate.evidence)
    return None
