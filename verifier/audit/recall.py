"""What is known about readings without any work: remembered statements, evidence in the store, remembered results."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from verifier.audit.fault import find_rejected, shorten
from verifier.audit.keys import COMPILE, DECIDE, SEARCH, Key, Reference, hash_json
from verifier.audit.ledger import ClaimResult, Ledger, find_versions
from verifier.audit.plan import Context, guess_seconds
from verifier.audit.standing import conclude
from verifier.audit.store import Candidate, NamedFileError, throw_away
from verifier.coq import read_theorems
from verifier.kernel.certificate import parse_stated
from verifier.kernel.errors import CertificateError
from verifier.language.sharing import fold
from verifier.questions.result import DecisionStatus, Fate, ReadingResult, Rejection, decision_from_json, pending_result

if TYPE_CHECKING:
    from verifier.questions.compiler import CompiledReading


def compile_key(context: Context, reference: Reference) -> tuple[Key, CompiledReading]:
    """Compile a reading, and remember its key."""
    from verifier.questions.compile import compile_reading

    library = context.library
    compiled = compile_reading(library, *reference)
    told: list[object] = [compiled.cites]
    if compiled.invariant:
        told.append(fold({"conclusions": [*compiled.invariant["X"], *compiled.invariant["O"]]}, library.nodes))
    key = compiled.key, hash_json(told)
    context.store.remember(COMPILE, context.sources.of(reference), {"key": key})
    return key, compiled


def recall_key(context: Context, reference: Reference) -> Key | None:
    """Return the key that a reading is remembered to compile to."""
    value = context.store.recall(COMPILE, context.sources.of(reference)) or {}
    match value.get("key"):
        case [str(statement), str(told)]:
            return statement, told
    return None


def look(context: Context, reference: Reference, memory_mib: int = 0, *, compiles: bool = False) -> ReadingResult:
    """Return what is remembered about a reading, without deciding or searching; or a result that says what could be.

    Args:
        context: what the run's readings have in common.
        reference: the reading.
        memory_mib: the memory that a search would have. If a search with less gave up, that does not count.
        compiles: compile the reading if its key is not remembered.
    """
    pending = pending_result(context.library.claim(reference[0]), reference[1])
    key = recall_key(context, reference)
    if key is None and compiles:
        key, _ = compile_key(context, reference)
    if key is None:
        return _not_run(context, pending)
    if not key[0]:
        return pending  # its verdict is made of the verdicts of others, in the ledger
    judged = judge(context, pending, key)
    given_up = None if judged.is_undecided else recall_search(context, pending, key, memory_mib)
    result = judged.result or given_up or _not_run(context, pending, has_evidence=judged.is_undecided)
    return replace(result, rejected=judged.rejected)


@dataclass(frozen=True, slots=True)
class Judgment:
    """What comes of the evidence that the store has for a reading.

    Attributes:
        result: what the kernel has decided; None: it has accepted nothing.
        rejected: the evidence that was not accepted. If nothing is decided now, only shipped evidence is listed.
        is_undecided: there is evidence on which the kernel has not decided.
    """

    result: ReadingResult | None = None
    rejected: tuple[Rejection, ...] = ()
    is_undecided: bool = False


def judge(
    context: Context, pending: ReadingResult, key: Key, decide: Callable[[Candidate], ReadingResult] | None = None
) -> Judgment:
    """Look at the evidence for a reading. Without ``decide``, use only what is remembered about it.

    Shipped evidence comes first, as its files are now, so that no other evidence hides what is wrong with it. If it is
    accepted, accepted evidence of ``--out`` or the cache still replaces it: somebody has searched for that.
    """
    chosen: tuple[Candidate, ReadingResult] | None = None
    rejected, is_undecided = list[Rejection](), False
    for candidate in context.store.find(key[0]):
        try:
            if chosen is not None and chosen[0].sha256 == candidate.sha256:
                break
            result = recall_decided(context, pending, key, candidate)
            if result is None and decide is not None:
                result = _decide_once(context, key, candidate, decide)
            elif result is None:
                parse_stated(candidate.data, "the certificate", key[0])  # finds what is wrong at first sight
        except CertificateError as error:
            if candidate.is_shipped or decide is not None:
                rejected.append(_reject(candidate, error))
            continue
        if result is not None:
            chosen = candidate, result
        is_undecided = is_undecided or result is None
        if candidate.is_shipped == (result is None):  # what was shipped is decided first; of others, one is enough
            break
    if chosen is None:
        return Judgment(None, tuple(rejected), is_undecided)
    candidate, result = chosen
    if context.store.has_place_for(candidate) and result.certificate is not None:
        files = {name: candidate.read(name) for name, _ in result.certificate.files}
        context.store.keep(key[0], candidate.data, files)
    return Judgment(result, tuple(rejected), is_undecided)


_PASSING = frozenset({"unreadable", "hash", "too-large", "time", "died"})
"""Reasons for a rejection that do not follow from the bytes of the evidence. Such a rejection is not remembered."""


def _decide_once(
    context: Context, key: Key, candidate: Candidate, decide: Callable[[Candidate], ReadingResult]
) -> ReadingResult:
    """Decide on evidence. If it is rejected, remember why."""
    try:
        return decide(candidate)
    except CertificateError as error:
        if error.reason not in _PASSING:
            context.store.remember(DECIDE, [*key, candidate.sha256], {"rejected": list(error.args)})
        raise


def _reject(candidate: Candidate, error: CertificateError) -> Rejection:
    """Say what is wrong with evidence. Throw it away if it is wrong and was not shipped."""
    path = error.path if isinstance(error, NamedFileError) else candidate.path
    is_wrong = not error.is_undecided or error.reason == "unreadable"
    fate = Fate.UNDECIDED if not is_wrong else Fate.FAULT if candidate.is_shipped else Fate.THROWN_AWAY
    if fate is Fate.THROWN_AWAY:
        throw_away(candidate.path)
    return Rejection(shorten(path), str(error), fate)


def _not_run(context: Context, pending: ReadingResult, *, has_evidence: bool | None = None) -> ReadingResult:
    """Say which command decides a reading, and whether it has evidence; None: that is not known."""
    seconds = guess_seconds(context.library, (pending.claim, pending.id))
    time = f"{seconds} s" if seconds < 60 else f"{seconds // 60} min"
    command = f"verifier check {pending.claim}"
    reason = (
        f"{'it has evidence, but is ' if has_evidence else ''}not checked on this machine: run {command} (about {time})"
    )
    if has_evidence is False:
        reason = f"no evidence yet: run {command}"
    return replace(pending, reason=reason, decided=DecisionStatus.NOT_RUN)


def recall_decided(context: Context, pending: ReadingResult, key: Key, candidate: Candidate) -> ReadingResult | None:
    """Return what the kernel is remembered to have decided on evidence; None: nothing is, or nothing well-formed.

    Raises:
        CertificateError: the kernel is remembered to have rejected it; or a file that it names is missing or wrong.
    """
    value = context.store.recall(DECIDE, [*key, candidate.sha256])
    match value:
        case None:
            return None
        case {"rejected": [str(reason), str(message)]}:
            raise CertificateError(reason, message)
    with contextlib.suppress(ValueError):
        result = decision_from_json(value, pending)
        if result.certificate is not None and (candidate.is_shipped or context.store.has_place_for(candidate)):
            for name, _ in result.certificate.files:
                candidate.read(name)
        return replace(result, decided=DecisionStatus.REMEMBERED)
    return None


def recall_search(context: Context, pending: ReadingResult, key: Key, memory_mib: int) -> ReadingResult | None:
    """Return why a search is remembered to have given up, if it had this much memory or more; else None."""
    value = context.store.recall(SEARCH, given_to_search(context, pending, key)) or {}
    reason, memory = value.get("reason"), value.get("memory")
    if not isinstance(reason, str) or not isinstance(memory, int) or memory < memory_mib:
        return None
    return replace(pending, reason=reason, decided=DecisionStatus.REMEMBERED)


def given_to_search(context: Context, pending: ReadingResult, key: Key) -> list[Any]:
    """Return the input of a search: a statement, the text that says how to search, and the versions of the solvers."""
    return [key[0], context.sources.of((pending.claim, pending.id)), find_versions("z3-solver", "exact")]


def look_at_claims(context: Context, claims: Iterable[str], compiled: Container[str] = ()) -> Ledger:
    """Return the ledger of what is known about some claims. Those in ``compiled`` are compiled if need be."""
    theorems = read_theorems(context.store.coq)
    results: dict[str, ClaimResult] = {}
    for claim in claims:
        readings = context.library.claim(claim).readings
        known = [look(context, (claim, name), compiles=claim in compiled) for name in readings]
        results[claim] = conclude(context.library.claim(claim), known, results, context.library, theorems)
    ledger = Ledger(tuple(results.values()))
    return replace(ledger, faults=find_rejected(ledger.readings))
