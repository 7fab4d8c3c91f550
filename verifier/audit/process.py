"""Checks readings, in the process of the run and in the processes of a pool.

Each process of a pool reads the specs itself, once. It refuses to check a reading whose specs have changed since the
run read them. A *table of replies* is evidence for a bound. To *follow* a table means that the kernel checks all its
replies. This takes long, so a pool begins to follow tables early (``verifier/replies.py``).
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.audit.keys import Reference
from verifier.audit.plan import Context, Folders, find_lane
from verifier.audit.recall import compile_key, look
from verifier.kernel.errors import SpecError
from verifier.questions.result import ReadingResult
from verifier.replies import ReplyTables, tables_of
from verifier.search.resources import Resources

if TYPE_CHECKING:
    from verifier.audit.sources import Sources
    from verifier.questions.finding import ProcessMemo


@functools.lru_cache(maxsize=1)
def _open_once(folders: Folders, memory_mib: int) -> tuple[Context, Sources, ProcessMemo]:
    """Return the context and the sources of the specs, and a memo of findings that help to check later readings.

    Each process reads the specs once.
    """
    from verifier.audit.sources import Sources
    from verifier.language.folder import read_library
    from verifier.questions.finding import ProcessMemo
    from verifier.questions.registry import GRAMMAR

    library, _ = read_library(folders.specs, GRAMMAR, folders.wanted, folders.made)
    return folders.open(library, Resources(None, memory_mib)), Sources(library), ProcessMemo()


def check_in_process(
    folders: Folders, reference: Reference, text: str, *, anew: bool, memory_mib: int
) -> ReadingResult:
    """Check a reading in a process of a pool.

    Args:
        folders: the specs and the store.
        reference: the reading.
        text: the hash of the text that the run has read. If this process has read another text, raise ``SpecError``.
        anew: search for evidence even if there is some.
        memory_mib: the size of the tables of a search, in MiB.
    """
    from verifier.audit.reading import check
    from verifier.audit.sources import hash_text

    context, sources, memo = _open_once(folders, memory_mib)
    if hash_text(sources, reference) != text:
        raise SpecError("the specs changed while they were checked")
    memo.enter(find_lane(context.library, reference))
    return check(context, memo, reference, anew=anew)


@dataclass(slots=True)
class Checker:
    """Checks readings in this process, one after the other.

    Attributes:
        memo: findings that help to check later readings.
        needed: for each reading, the tables of replies that it needs, as ``find_tables`` returns them.
    """

    context: Context
    memo: ProcessMemo
    tables: ReplyTables
    is_anew: bool
    needed: dict[Reference, list[str] | None] = field(default_factory=dict)

    def begin(self, readings: Iterable[Reference]) -> None:
        """Begin to follow the tables of replies that readings rest on, unless this run searches anew."""
        for reference in readings if not self.is_anew else ():
            self.needed[reference] = names = find_tables(self.context, reference)
            self.tables.begin(names or ())

    def is_free(self, reference: Reference) -> bool:
        """Return True if checking a reading costs little.

        Either its result is remembered, or the reading has evidence whose tables this run follows anyway.
        """
        self.needed[reference] = names = find_tables(self.context, reference)
        return names is not None and self.tables.has_all(names)

    def check(self, reference: Reference, *, anew: bool) -> ReadingResult:
        """Wait for the tables that a reading rests on, then check the reading."""
        from verifier.audit.reading import check

        self.memo.enter(find_lane(self.context.library, reference))
        if names := self.needed.get(reference):
            self.memo.tables |= self.tables.take(names)
        return check(self.context, self.memo, reference, anew=anew)

    def fulfil(self, promised: Mapping[Reference, Future[ReadingResult]]) -> None:
        """Check readings, and put each result into its future."""
        for reference, future in promised.items():
            future.set_running_or_notify_cancel()
            try:
                future.set_result(self.check(reference, anew=self.is_anew))
            except BaseException as error:  # noqa: BLE001 - ``Future.result`` raises it
                future.set_exception(error)


def find_tables(context: Context, reference: Reference) -> list[str] | None:
    """Return the tables of replies that the kernel has to follow for a reading.

    Return [] if the result of the reading is remembered. Return None if the reading has no evidence, or if there is an
    error: the check of the reading will report the error.
    """
    with contextlib.suppress(Exception):
        if look(context, reference, compiles=True).is_run:
            return []
        (key, _), _ = compile_key(context, reference)
        certificate = context.store.first(key)
        return None if certificate is None else tables_of(certificate.statement, certificate.evidence)
    return None
