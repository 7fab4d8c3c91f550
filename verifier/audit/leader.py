"""Checks readings in this process, also those whose work is shared out: other processes follow tables for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.audit.context import Context
from verifier.audit.recall import find_tables
from verifier.audit.schedule import Reference, find_lane
from verifier.methods.result import ReadingResult
from verifier.pool import Tables

if TYPE_CHECKING:
    from verifier.methods.finding import Memo


@dataclass(slots=True)
class Leader:
    """Checks readings, one after the other.

    Attributes:
        context: where results and evidence are, and where parts of searches run.
        tables: the tables of replies that are followed by themselves.
        is_anew: evidence is searched for whatever is there.
        needed: the tables that readings rest on; None: there is no evidence.
        memo: what was found for readings that were checked before.
    """

    context: Context
    tables: Tables
    is_anew: bool
    needed: dict[Reference, list[str] | None] = field(default_factory=dict)
    memo: Memo = field(init=False)

    def __post_init__(self) -> None:
        """Begin with nothing found."""
        from verifier.methods.finding import Memo

        self.memo = Memo()

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
