"""Looks up what is known about readings: remembered keys, evidence in the store, and remembered results."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from verifier.audit.fault import find_rejected, shorten_path
from verifier.audit.keys import COMPILE, DECIDE, RECHECK, SEARCH, Key, Reference, hash_json
from verifier.audit.ledger import ClaimResult, Ledger, find_versions
from verifier.audit.plan import Context, guess_seconds
from verifier.audit.standing import conclude
from verifier.audit.store import Candidate, NamedFileError, throw_away
from verifier.coq import read_theorems
from verifier.kernel.certificate import parse_stated
from verifier.kernel.errors import CertificateError
from verifier.questions.result import DecisionStatus, Fate, ReadingResult, Rejection, decision_from_json, pending_result

if TYPE_CHECKING:
    from verifier.questions.compiler import CompiledReading


def compile_key(context: Context, reference: Reference) -> tuple[Key, CompiledReading]:
    """Compile a reading, and remember its key. Return the key and the compiled reading."""
    from verifier.language.sharing import fold
    from verifier.questions.compile import compile_reading

    library = context.library
    compiled = compile_reading(library, *reference)
    told: list[object] = [compiled.cites]
    if compiled.invariant:
        told.append(fold({"conclusions": [*compiled.invariant["X"], *compiled.invariant["O"]]}, library.nodes))
    key = compiled.key, hash_json(told)
    if context.store.memory is not None:
        context.store.remember(COMPILE, context.sources.texts_of(reference), {"key": key})
    return key, compiled


def recall_key(context: Context, reference: Reference) -> Key | None:
    """Return the remembered key of a reading; None if no key is remembered."""
    value = context.store.recall(COMPILE, context.sources.texts_of(reference)) or {}
    match value.get("key"):
        case [str(statement), str(told)]:
            return statement, told
    return None


def look(context: Context, reference: Reference, memory_mib: int = 0, *, compiles: bool = False) -> ReadingResult:
    """Return the remembered result of a reading. If there is none, return a result that names the command to run.

    Args:
        context: the objects that all readings of the run share.
        reference: the reading.
        memory_mib: the memory that a search would have, in MiB. If a search gave up with less, ignore its result.
        compiles: compile the reading if its key is not remembered.
    """
    pending = pending_result(context.known.claim(reference[0]), reference[1])
    key = recall_key(context, reference)
    if key is None and compiles:
        key, _ = compile_key(context, reference)
    if key is None:
        return _not_run(context, pending)
    if not key[0]:
        return pending  # this reading only joins others: ``standing`` derives its verdict
    judged = judge(context, pending, key)
    result = judged.result
    if result is None and not judged.is_undecided:
        result = recall_search(context, pending, key, memory_mib)
    is_kept = judged.is_undecided and any(not candidate.is_shipped for candidate in context.store.find(key[0]))
    found = result or _not_run(context, pending, has_evidence=judged.is_undecided, is_kept=is_kept)
    return replace(found, rejected=judged.rejected) if judged.rejected else found


@dataclass(frozen=True, slots=True)
class Judgment:
    """The kernel's decisions on the evidence in the store for a reading.

    Attributes:
        result: the result of the evidence that was accepted; None if no evidence is accepted.
        rejected: the evidence that was not accepted. If ``judge`` got no ``decide``, only shipped evidence is listed.
        is_undecided: whether there is evidence on which the kernel has not decided.
    """

    result: ReadingResult | None = None
    rejected: tuple[Rejection, ...] = ()
    is_undecided: bool = False


def judge(
    context: Context, pending: ReadingResult, key: Key, decide: Callable[[Candidate], ReadingResult] | None = None
) -> Judgment:
    """Judge the evidence for a reading. Without ``decide``, use only remembered decisions.

    Shipped evidence comes first, so that other evidence cannot hide a fault in it. If other evidence (from ``--out`` or
    the cache) is accepted too, its result is returned: somebody ran a search to get this evidence.
    """
    chosen: tuple[Candidate, ReadingResult] | None = None
    rejected, is_undecided = list[Rejection](), False
    for candidate in context.store.find(key[0]):
        try:
            if chosen is not None and chosen[0].sha256 == candidate.sha256:
                break
            result = None if context.store.memory is None else recall_decided(context, pending, key, candidate)
            if result is None and decide is not None:
                result = _decide_once(context, key, candidate, decide)
            elif result is None:
                parse_stated(candidate.data, "the certificate", key[0])  # malformed evidence is rejected at once
        except CertificateError as error:
            if candidate.is_shipped or decide is not None:
                rejected.append(_reject(candidate, error))
            continue
        if result is not None:
            chosen = candidate, result
        is_undecided = is_undecided or result is None
        # Stop at shipped evidence that is undecided, or at other evidence that is accepted.
        if candidate.is_shipped == (result is None):
            break
    if chosen is None:
        return Judgment(None, tuple(rejected), is_undecided)
    candidate, result = chosen
    if context.store.has_place_for(candidate) and result.certificate is not None:
        files = {name: candidate.read(name) for name, _ in result.certificate.files}
        context.store.keep(key[0], candidate.data, files)
    return Judgment(result, tuple(rejected), is_undecided)


_PASSING = frozenset({"unreadable", "hash", "too-large", "time", "died"})
"""Reasons that can disappear while the evidence stays the same. A rejection for such a reason is not remembered."""


def _decide_once(
    context: Context, key: Key, candidate: Candidate, decide: Callable[[Candidate], ReadingResult]
) -> ReadingResult:
    """Decide on evidence. If it is rejected, remember the reason, unless the reason can disappear (``_PASSING``)."""
    try:
        return decide(candidate)
    except CertificateError as error:
        if error.reason not in _PASSING:
            context.store.remember(DECIDE, [*key, candidate.sha256], {"rejected": list(error.args)})
        raise


def _reject(candidate: Candidate, error: CertificateError) -> Rejection:
    """Return a record of rejected evidence. Throw the evidence away if it is wrong and was not shipped."""
    path = error.path if isinstance(error, NamedFileError) else candidate.path
    is_wrong = not error.is_undecided or error.reason == "unreadable"
    fate = Fate.UNDECIDED if not is_wrong else Fate.FAULT if candidate.is_shipped else Fate.THROWN_AWAY
    if fate is Fate.THROWN_AWAY:
        throw_away(candidate.path)
    return Rejection(shorten_path(path), str(error), fate)


def _not_run(
    context: Context, pending: ReadingResult, *, has_evidence: bool | None = None, is_kept: bool = False
) -> ReadingResult:
    """Return a result that names the command to run.

    Args:
        context: the specs and the store.
        pending: the reading.
        has_evidence: whether there is evidence; None if that is not known.
        is_kept: whether an earlier run has kept the evidence. A run keeps only evidence that the kernel has accepted.
    """
    seconds = guess_seconds(context.known, (pending.claim, pending.id))
    time = f"about {seconds} s" if seconds < 60 else f"up to {seconds // 60} min"
    command = f"verifier check {pending.claim}"
    known = "checked before the tool or the spec changed" if is_kept else "not checked on this machine"
    reason = f"{known}: run {command} ({time})"
    if has_evidence is False:
        reason = f"no evidence yet: run {command}"
    return replace(pending, reason=reason, decided=DecisionStatus.NOT_RUN)


def recall_decided(context: Context, pending: ReadingResult, key: Key, candidate: Candidate) -> ReadingResult | None:
    """Return the kernel's remembered decision on evidence; None if no decision is remembered, or it is malformed.

    Raises:
        CertificateError: the kernel rejected the evidence; or a file that the evidence names is missing or wrong.
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


def may_be_rechecked(context: Context, reference: Reference) -> bool:
    """Return True if ``verifier recheck`` has decided a reading's certificate, or if the reading's key is not known."""
    key = recall_key(context, reference)
    if key is None:
        return True
    found = (each for each in context.store.find(key[0]) if not isinstance(each.content, CertificateError))
    return any(context.store.recall(RECHECK, each.sha256) is not None for each in found)


def recall_search(context: Context, pending: ReadingResult, key: Key, memory_mib: int) -> ReadingResult | None:
    """Return the remembered result of a search that gave up with ``memory_mib`` or more; else None."""
    if context.store.memory is None:
        return None
    value = context.store.recall(SEARCH, make_search_input(context, pending, key)) or {}
    reason, memory = value.get("reason"), value.get("memory")
    if not isinstance(reason, str) or not isinstance(memory, int) or memory < memory_mib:
        return None
    return replace(pending, reason=reason, decided=DecisionStatus.REMEMBERED)


def make_search_input(context: Context, pending: ReadingResult, key: Key) -> list[Any]:
    """Return the input of a search: the key of the statement, hashes of the spec text, and versions of the solvers."""
    return [key[0], context.sources.texts_of((pending.claim, pending.id)), find_versions("z3-solver", "exact")]


def look_at_claims(context: Context, claims: Iterable[str], compiled: Container[str] = ()) -> Ledger:
    """Return what is known about claims. In claims of ``compiled``, compile readings that have no remembered key."""
    theorems = read_theorems(context.store.shipped)
    results: dict[str, ClaimResult] = {}
    for claim in claims:
        model = context.known.claim(claim)
        known = [look(context, (claim, name), compiles=claim in compiled) for name in model.readings]
        results[claim] = conclude(model, known, results, context.known, theorems)
    ledger = Ledger(tuple(results.values()))
    return replace(ledger, faults=find_rejected(ledger.readings))
