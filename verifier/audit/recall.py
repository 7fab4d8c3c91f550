"""What is known of readings without any work: remembered statements, evidence as it is filed, remembered results."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from verifier.audit.fault import find_rejected, shorten
from verifier.audit.ledger import ClaimResult, Ledger, find_versions
from verifier.audit.memory import COMPILE, DECIDE, SEARCH, hash_json
from verifier.audit.plan import Context, Reference, guess_seconds
from verifier.audit.standing import conclude
from verifier.audit.store import Found, NamedFileError, keep_in, throw_away
from verifier.coq import read_theorems
from verifier.kernel.certificate import parse_stated
from verifier.kernel.errors import CertificateError
from verifier.language.sharing import fold
from verifier.questions.result import Decided, Fate, ReadingResult, Rejected, decision_from_json, pending_result

if TYPE_CHECKING:
    from verifier.questions.compiler import Compiled

Key = tuple[str, str]
"""What the result of a reading is remembered by: the key of its certificate, which is empty where the reading states
nothing of its own; and the hash of the text shown beside it: the hypotheses that the source names, an invariant.
"""


def compile_key(context: Context, reference: Reference) -> tuple[Key, Compiled]:
    """Compile a reading, and remember its key."""
    from verifier.questions.compile import compile_reading

    library = context.library
    compiled = compile_reading(library, *reference)
    told: list[object] = [compiled.cites]
    if compiled.invariant:
        told.append(fold({"conclusions": [*compiled.invariant["X"], *compiled.invariant["O"]]}, library.nodes))
    key = compiled.key, hash_json(told)
    context.folders.memory.remember(COMPILE, context.sources.of(reference), {"key": key})
    return key, compiled


def recall_key(context: Context, reference: Reference) -> Key | None:
    """Return the key that compiling a reading is remembered to have come to."""
    value = context.folders.memory.recall(COMPILE, context.sources.of(reference)) or {}
    match value.get("key"):
        case [str(statement), str(told)]:
            return statement, told
    return None


def look(context: Context, reference: Reference, memory_mib: int = 0, *, compiles: bool = False) -> ReadingResult:
    """Return what is remembered of a reading, without deciding or searching; or a result that says what could be done.

    That a search gave up is remembered where evidence is missing; one with less memory does not count. Where it is not
    remembered to what a reading compiles, it is compiled only if that is asked for.
    """
    pending = pending_result(context.library.claim(reference[0]), reference[1])
    key = recall_key(context, reference)
    if key is None and compiles:
        key, _ = compile_key(context, reference)
    if key is None:
        return _not_run(context, pending)
    if not key[0]:
        return pending  # the ledger makes its verdict of others
    weighed = weigh(context, pending, key)
    given_up = None if weighed.is_open else recall_search(context, pending, key, memory_mib)
    result = weighed.result or given_up or _not_run(context, pending, is_there=weighed.is_open)
    return replace(result, rejected=weighed.rejected)


@dataclass(frozen=True, slots=True)
class Weighed:
    """What comes of the evidence that stores have for a reading.

    Attributes:
        result: what the kernel has decided; None: it has accepted nothing.
        rejected: what was not accepted; where nothing is decided now, only what was shipped.
        is_open: there is evidence that nobody has decided on.
    """

    result: ReadingResult | None = None
    rejected: tuple[Rejected, ...] = ()
    is_open: bool = False


def weigh(
    context: Context, pending: ReadingResult, key: Key, decide: Callable[[Found], ReadingResult] | None = None
) -> Weighed:
    """Look at the evidence for a reading, and decide on it, if that can be done; else tell what is remembered.

    What was shipped comes first, as its files are now: no other evidence hides what is wrong with it. Where it is
    accepted, accepted evidence of ``--out`` or the cache still goes before it: somebody has searched for that.
    """
    chosen: tuple[Found, ReadingResult] | None = None
    rejected, is_open = list[Rejected](), False
    for found in context.folders.stores.find(key[0]):
        try:
            if chosen is not None and chosen[0].sha256 == found.sha256:
                break
            result = recall_decided(context, pending, key, found)
            if result is None and decide is not None:
                result = _decide_once(context, key, found, decide)
            elif result is None:
                parse_stated(found.data, "the certificate", key[0])  # what is wrong at first sight
        except CertificateError as error:
            if found.is_shipped or decide is not None:
                rejected.append(_reject(found, error))
            continue
        if result is not None:
            chosen = found, result
        is_open = is_open or result is None
        if found.is_shipped == (result is None):  # what was shipped has to be decided first; of others one is enough
            break
    if chosen is None:
        return Weighed(None, tuple(rejected), is_open)
    found, result = chosen
    if context.keeps and _elsewhere(context, found) and result.certificate is not None:
        keep(context, key, found.data, {name: found.read(name) for name, _ in result.certificate.files})
    return Weighed(result, tuple(rejected), is_open)


def _elsewhere(context: Context, found: Found) -> bool:
    """Say whether accepted evidence is kept in another folder than that in which it was found."""
    return bool({context.folders.out, context.folders.cache} - {None, found.folder})


_PASSING = frozenset({"unreadable", "hash", "too-large", "time", "died"})
"""Why evidence is rejected for reasons that do not follow from its bytes: these are not remembered."""


def _decide_once(context: Context, key: Key, found: Found, decide: Callable[[Found], ReadingResult]) -> ReadingResult:
    """Decide on evidence; what is wrong with it is remembered as well."""
    try:
        return decide(found)
    except CertificateError as error:
        if error.reason not in _PASSING:
            context.folders.memory.remember(DECIDE, [*key, found.sha256], {"rejected": list(error.args)})
        raise


def _reject(found: Found, error: CertificateError) -> Rejected:
    """Say what is wrong with evidence; what is wrong and was not shipped is thrown away."""
    path = error.path if isinstance(error, NamedFileError) else found.path
    is_wrong = not error.is_undecided or error.reason == "unreadable"
    fate = Fate.UNDECIDED if not is_wrong else Fate.FAULT if found.is_shipped else Fate.THROWN_AWAY
    if fate is Fate.THROWN_AWAY:
        throw_away(found.path)
    return Rejected(shorten(path), str(error), fate)


def _not_run(context: Context, pending: ReadingResult, *, is_there: bool | None = None) -> ReadingResult:
    """Say where the result of a reading could come from: from evidence, if any is there, or from a search."""
    seconds = guess_seconds(context.library, (pending.claim, pending.id))
    time = f"{seconds} s" if seconds < 60 else f"{seconds // 60} min"
    command = f"verifier check {pending.claim}"
    reason = (
        f"{'it has evidence, but is ' if is_there else ''}not checked on this machine: run {command} (about {time})"
    )
    if is_there is False:
        reason = f"no evidence yet: run {command}"
    return replace(pending, reason=reason, decided=Decided.NOT_RUN)


def recall_decided(context: Context, pending: ReadingResult, key: Key, found: Found) -> ReadingResult | None:
    """Return what the kernel is remembered to have decided on some evidence; None: nothing that has its shape.

    Raises:
        CertificateError: it is remembered to have rejected it; or a file that it names is not there as it should be.
    """
    value = context.folders.memory.recall(DECIDE, [*key, found.sha256])
    match value:
        case None:
            return None
        case {"rejected": [str(reason), str(message)]}:
            raise CertificateError(reason, message)
    with contextlib.suppress(ValueError):
        result = decision_from_json(value, pending)
        if result.certificate is not None and (found.is_shipped or (context.keeps and _elsewhere(context, found))):
            for name, _ in result.certificate.files:
                found.read(name)
        return replace(result, decided=Decided.REMEMBERED)
    return None


def recall_search(context: Context, pending: ReadingResult, key: Key, memory_mib: int) -> ReadingResult | None:
    """Return that a search is remembered to have given up, with as much memory or more."""
    value = context.folders.memory.recall(SEARCH, given_to_search(context, pending, key)) or {}
    reason, memory = value.get("reason"), value.get("memory")
    if not isinstance(reason, str) or not isinstance(memory, int) or memory < memory_mib:
        return None
    return replace(pending, reason=reason, decided=Decided.REMEMBERED)


def given_to_search(context: Context, pending: ReadingResult, key: Key) -> list[Any]:
    """Return what a search is given: a statement, the text that says how to look, and the solvers that it may ask."""
    return [key[0], context.sources.of((pending.claim, pending.id)), find_versions("z3-solver", "exact")]


def keep(context: Context, key: Key, data: bytes, files: Mapping[str, bytes]) -> None:
    """Keep evidence that the kernel has accepted; a cache that cannot be written costs time alone."""
    if context.keeps and context.folders.out is not None:
        keep_in(context.folders.out, key[0], data, files)
    if context.keeps and context.folders.cache is not None:
        with contextlib.suppress(OSError):
            keep_in(context.folders.cache, key[0], data, files)


def look_at_claims(context: Context, claims: Iterable[str], compiled: Container[str] = ()) -> Ledger:
    """Return the ledger of what is known of some claims; those named in ``compiled`` are compiled for it."""
    theorems = read_theorems(context.folders.coq)
    results: dict[str, ClaimResult] = {}
    for claim in claims:
        readings = context.library.claim(claim).readings
        found = [look(context, (claim, name), compiles=claim in compiled) for name in readings]
        results[claim] = conclude(context.library.claim(claim), found, results, context.library, theorems)
    ledger = Ledger(tuple(results.values()))
    return replace(ledger, faults=find_rejected(ledger.readings))
