"""What is known of readings without any work: remembered statements, evidence as it is filed, remembered results."""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from verifier.audit.ledger import ClaimResult, Ledger, find_versions
from verifier.audit.memory import COMPILE, DECIDE, SEARCH, hash_json
from verifier.audit.plan import Context, Reference, guess_seconds
from verifier.audit.standing import conclude
from verifier.audit.store import Found, keep_in
from verifier.coq import read_theorems
from verifier.kernel.errors import CertificateError
from verifier.language.sharing import fold
from verifier.methods.result import Decided, ReadingResult, decision_from_json, pending_result

if TYPE_CHECKING:
    from verifier.language.compile import Compiled

Key = tuple[str, str]
"""What the result of a reading is remembered by: the key of its certificate, which is empty where the reading states
nothing of its own; and the hash of the text shown beside it: the hypotheses that the source names, an invariant.
"""


def compile_key(context: Context, reference: Reference) -> tuple[Key, Compiled]:
    """Compile a reading, and remember its key."""
    from verifier.language.compile import compile_reading

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
    is_there = False
    for found in context.folders.stores.find(key[0]):
        is_there = True
        known = recall_decided(context, pending, key, found) if isinstance(found, Found) else None
        if known is not None:
            return known
    given_up = None if is_there else recall_search(context, pending, key, memory_mib)
    return given_up or _not_run(context, pending, is_there=is_there)


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
    """Return what the kernel is remembered to have decided on some evidence; None: nothing that has its shape."""
    value = context.folders.memory.recall(DECIDE, [*key, found.sha256])
    if value is None:
        return None
    with contextlib.suppress(CertificateError, ValueError):
        result = decision_from_json(value, pending)
        elsewhere = {context.folders.out, context.folders.cache} - {None, found.folder}
        if context.keeps and elsewhere and result.certificate is not None:
            files = {name: context.folders.stores.read(name) for name, _ in result.certificate.files}
            keep(context, key, found.data, files)
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
    return Ledger(tuple(results.values()))
