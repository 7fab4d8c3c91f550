"""The way of one reading: its text is compiled, evidence is found, the kernel decides, the result is recorded."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from verifier.audit.compiling import state
from verifier.audit.ledger import Decision, ReadingResult, decision_to_json
from verifier.audit.memory import DECIDE, SEARCH
from verifier.audit.recall import (
    Desk,
    Stated,
    given_to_decide,
    given_to_search,
    keep,
    make_result,
    recall_decided,
    recall_search,
    wait_for_ledger,
)
from verifier.audit.schedule import Parts, Reference
from verifier.audit.standing import blank_result
from verifier.audit.store import Found, Stores
from verifier.kernel.certificate import Certificate, hash_bytes, pack
from verifier.kernel.decide import Memo, decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.race.bound import tables_of
from verifier.kernel.store import parse_stated
from verifier.kernel.verdict import Verdict
from verifier.methods.finding import FileName, Finding, Shared, Task
from verifier.methods.registry import find_method
from verifier.methods.walked import find_wins


@dataclass(slots=True)
class Tools:
    """What readings that one process checks, one after the other, have in common.

    Attributes:
        shared: of searches.
        memo: what the kernel has walked already, for statements about the same plays.
        lane: what the readings that they were last used for have in common; empty: nothing.
    """

    shared: Shared = field(default_factory=Shared)
    memo: Memo = field(default_factory=Memo)
    lane: str = ""

    def enter(self, lane: str) -> None:
        """Go on with a reading of a lane; unless the last one was of the same, forget what takes memory.

        What was shown of rules alone is small, holds for every statement under them, and stays.
        """
        if lane != self.lane or not lane:
            self.shared.forget()
            self.memo = Memo(closures=self.memo.closures)
        self.lane = lane


def check(
    desk: Desk,
    tools: Tools,
    reference: Reference,
    *,
    anew: bool = False,
    may_search: bool = True,
    is_whole: bool = True,
) -> ReadingResult | Parts:
    """Check one reading: find evidence and have the kernel decide; search where there is none, or none that shows it.

    Where a search is remembered to have given up, none is made again.

    Args:
        desk: where results and evidence are.
        tools: what it has in common with readings that were checked before.
        reference: the reading.
        anew: search all the same.
        may_search: a search is made here; otherwise it is left to whoever asked.
        is_whole: tables of replies are followed here; otherwise they are left to whoever asked.

    Raises:
        SpecProblemsError: the reading does not compile.
    """
    began = time.perf_counter()
    result = _check(desk, tools, reference, anew=anew, may_search=may_search, is_whole=is_whole)
    return result if isinstance(result, Parts) else replace(result, seconds=time.perf_counter() - began)


def _check(
    desk: Desk, tools: Tools, reference: Reference, *, anew: bool, may_search: bool, is_whole: bool
) -> ReadingResult | Parts:
    stated, compiled = state(desk, reference)
    if not stated.statement:
        return wait_for_ledger(desk.library, reference)
    task = Task(desk.library, *reference, compiled, tools.shared)
    rejected: list[str] = []
    for found in () if anew else desk.stores.find(stated.statement):
        try:
            if isinstance(found, CertificateError):
                raise found
            return _decide_found(desk, tools, task, stated, found, is_whole=is_whole)
        except CertificateError as error:
            rejected.append(f"evidence that was kept is rejected: {error}")
    if not anew and not rejected:
        given_up = recall_search(desk, reference, stated, tools.shared.resources.memory_mib)
        if given_up is not None:
            return given_up
    if not may_search:
        return Parts()
    result = search(desk, tools, task, stated)
    return replace(result, notes=(*result.notes, *rejected)) if rejected else result


def search(desk: Desk, tools: Tools, task: Task, stated: Stated) -> ReadingResult:
    """Have a reading's method look for evidence, until the kernel accepts some; where it gives up, remember why."""
    result = blank_result(desk.library.claim(task.claim), task.name)
    reasons: list[str] = []
    finding = _look(lambda: find_method(task.reading.method).search(task))
    while finding is not None and finding.evidence is not None:
        certificate = Certificate(task.statement, str(finding.verdict), finding.evidence)
        data = pack(certificate.to_json())
        try:
            return _decide(desk, tools, task, stated, data, _Files(desk.stores, finding.files))
        except CertificateError as error:
            following = _look(finding.fallback) if finding.fallback is not None else None
            # The kernel may be asked for more than it does, or of no play at all: that it refuses is an answer.
            if error.reason.startswith("vacuous"):
                reasons = [f"vacuous: {error.args[1]}"] if following is None or following.evidence is not None else []
            elif error.reason == "limit" or following is not None:
                reasons = [f"the kernel, asked to follow every play: {error.args[1]}"]
            else:
                result = replace(result, trouble=f"the kernel rejects the evidence: {error}")
            finding = following
    result = replace(result, reason="; ".join([*([finding.reason] if finding is not None else []), *reasons]))
    if not result.trouble:
        value = {"reason": result.reason, "memory": task.shared.resources.memory_mib}
        desk.memory.remember(SEARCH, given_to_search(desk, (task.claim, task.name), stated), value)
    return result


def _look(search: Callable[[], Finding | None]) -> Finding | None:
    """Return what a search finds; it gives up where the kernel does, as on a game too large to be solved."""
    try:
        return search()
    except CertificateError as error:
        return Finding(Verdict.UNKNOWN, str(error))


@dataclass(slots=True)
class _Files:
    """Files by hash, of a search or of stores; notes which were read.

    Attributes:
        stores: where they are looked for.
        made: those that are not kept yet.
        read: those that were asked for.
    """

    stores: Stores
    made: Mapping[FileName, bytes]
    read: dict[FileName, bytes] = field(default_factory=dict)

    def __call__(self, digest: str, suffix: str) -> bytes:
        name = digest, suffix
        self.read[name] = self.made[name] if name in self.made else self.stores.read(*name)
        return self.read[name]


def _decide_found(
    desk: Desk, tools: Tools, task: Task, stated: Stated, found: Found, *, is_whole: bool
) -> ReadingResult | Parts:
    """Decide on evidence from a store, unless it is remembered how that was, or its tables are followed elsewhere.

    Raises:
        CertificateError: it does not show what it says.
    """
    known = recall_decided(desk, (task.claim, task.name), stated, found)
    if known is not None:
        return known
    if not is_whole:
        tables = tables_of(task.statement, parse_stated(found.data, "the certificate", stated.statement).evidence)
        if tables:
            return Parts(tuple(tables))
    return _decide(desk, tools, task, stated, found.data, _Files(desk.stores, {}))


def _decide(desk: Desk, tools: Tools, task: Task, stated: Stated, data: bytes, files: _Files) -> ReadingResult:
    """Have the kernel decide on a certificate; keep it, remember the result, and return it.

    Raises:
        CertificateError: it does not show what it says.
    """
    certificate = parse_stated(data, "the certificate", stated.statement)
    verdict, evidence = certificate.verdict, certificate.evidence
    decided = decide(task.statement, verdict, evidence, files, tools.memo)
    shown = find_method(task.reading.method).show(task, decided, evidence, tools.memo.last)
    decision = Decision(
        decided.verdict,
        decided.reason,
        decided.beliefs,
        {**decided.stats, **find_wins(task.statement, tools.memo.last)},
        shown.witness,
        shown.needs,
        shown.notes,
        shown.hints,
        tuple(sorted(files.read)),
    )
    keep(desk, stated, data, files.read)
    desk.memory.remember(DECIDE, given_to_decide(stated, hash_bytes(data)), decision_to_json(decision))
    return make_result(desk.library, (task.claim, task.name), stated, hash_bytes(data), decision)
