"""Checks one reading: compiles its text, finds evidence, has the kernel decide, and remembers the result."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from verifier.audit.keys import DECIDE, RECHECK, SEARCH, Key, Reference
from verifier.audit.plan import Context
from verifier.audit.recall import Judgment, compile_key, judge, make_search_input, recall_search
from verifier.audit.store import Candidate, result_from_json
from verifier.kernel.certificate import BY_INVARIANT, FileReader, evidence_path, hash_bytes, is_hash, parse_stated
from verifier.kernel.decide import MAX_KEPT_POSITIONS, decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.verdict import Verdict
from verifier.packing import pack_certificate
from verifier.questions.finding import Finding, ProcessMemo, Task
from verifier.questions.registry import find_question
from verifier.questions.result import CertificateFile, Fate, ReadingResult, decision_to_json, pending_result
from verifier.questions.shown import count_symmetries, find_limit, find_wins
from verifier.replies import tables_of


def check(context: Context, memo: ProcessMemo, reference: Reference, *, anew: bool = False) -> ReadingResult:
    """Check one reading: have the kernel decide on the existing evidence. If it accepts none of this, search for some.

    A search that gave up is not repeated, unless it gets more memory. With ``anew``, always search, and ignore earlier
    evidence.
    """
    key, compiled = compile_key(context, reference)
    pending = pending_result(context.library.claim(reference[0]), reference[1])
    if not key[0]:
        return pending  # this reading only joins others: ``standing`` derives its verdict
    task = Task(context.library, *reference, compiled, memo, context.resources)

    def decide_on(candidate: Candidate) -> ReadingResult:
        return _decide(context, task, pending, key, candidate.data, candidate.read)

    judged = Judgment() if anew else judge(context, pending, key, decide_on)
    result = judged.result
    if result is None and not anew:
        result = recall_search(context, pending, key, context.resources.memory_mib)
    result = result or search_evidence(context, task, pending, key)
    if result.verdict is Verdict.UNKNOWN:
        undecided = (str(item) for item in judged.rejected if item.fate is Fate.UNDECIDED)
        result = replace(result, reason="; ".join([result.reason, *undecided]))
    return replace(result, rejected=judged.rejected)


def search_evidence(context: Context, task: Task, pending: ReadingResult, key: Key) -> ReadingResult:
    """Search for evidence until the kernel accepts some. If the search gives up, remember the reason."""
    trouble, reasons = "", list[str]()
    finding = _look(lambda: find_question(task.reading.question).search(task))
    while finding is not None and finding.evidence is not None:
        data = pack_certificate(task.statement, str(finding.verdict), finding.evidence)
        find = functools.partial(_read, context, finding.files)
        try:
            result = _decide(context, task, pending, key, data, find)
            files = () if result.certificate is None else result.certificate.files
            context.store.keep(key[0], data, {name: find(name) for name, _ in files})
            return result
        except CertificateError as error:
            following = _look(finding.fallback) if finding.fallback is not None else None
            # A refusal is not always an error: the evidence may exceed a limit, or there may be no play at all.
            if error.reason.startswith("vacuous"):
                reasons = [f"vacuous: {error.args[1]}"] if following is None or following.evidence is not None else []
            elif error.reason == "limit" or following is not None:
                reasons = [f"the kernel tried to follow every play: {error.args[1]}"]
            elif error.is_undecided:
                reasons = [f"the kernel cannot decide on the evidence that was found: {error}"]
            else:
                trouble = f"the kernel rejects the evidence: {error}"
            finding = following
    reason = "; ".join([*reasons, *([finding.reason] if finding is not None else [])])
    if not trouble:
        value = {"reason": reason, "memory": context.resources.memory_mib}
        context.store.remember(SEARCH, make_search_input(context, pending, key), value)
    return replace(pending, reason=reason, trouble=trouble)


def _look(search: Callable[[], Finding | None]) -> Finding | None:
    """Run a search, and return its result.

    If the kernel refuses an input, such as a game that is too large, return *unknown* with the kernel's reason.
    """
    try:
        return search()
    except CertificateError as error:
        return Finding(Verdict.UNKNOWN, str(error))


def _read(context: Context, made: Mapping[str, bytes], digest: str) -> bytes:
    """Return the file with a given hash, which is among the files that a search has made, or in the store."""
    return made[digest] if digest in made else context.store.read(digest)


def adopt(context: Context, reference: Reference) -> bool:
    """Take over the kernel's result if ``verifier recheck`` has decided a reading's certificate, and remember it.

    Return True if a result was taken over. Do not do this if the certificate is about plays with few positions.
    Then the kernel keeps a list of these positions (the *walk*). The list is needed to show the certificate, and
    ``recheck`` does not save it. The kernel can decide on such a certificate again quickly.
    """
    key, compiled = compile_key(context, reference)
    pending = pending_result(context.library.claim(reference[0]), reference[1])
    task = Task(context.library, *reference, compiled, ProcessMemo(), context.resources)
    for candidate in context.store.find(key[0]) if key[0] else ():
        with contextlib.suppress(CertificateError, ValueError):
            value = context.store.recall(RECHECK, candidate.sha256)
            decided = None if value is None else result_from_json(value)
            certificate = parse_stated(candidate.data, "the certificate", key[0])
            is_walk = certificate.statement["kind"] == "play"
            if decided is not None and not (is_walk and decided.stats.get("positions", 0) <= MAX_KEPT_POSITIONS):
                task.memo.decided[key[0], candidate.sha256] = decided, tuple(_name_files(certificate.evidence))
                _decide(context, task, pending, key, candidate.data, candidate.read)
                return True
    return False


def _name_files(value: Any, key: str = "") -> Iterator[str]:
    """Yield the hashes of the files that evidence names."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _name_files(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _name_files(item, key)
    elif key in ("table", "tables", "refutations") and isinstance(value, str) and is_hash(value):
        yield value


def _decide(
    context: Context, task: Task, pending: ReadingResult, key: Key, data: bytes, find: FileReader
) -> ReadingResult:
    """Have the kernel decide on a certificate, with the files that it names; remember the result."""
    certificate = parse_stated(data, "the certificate", key[0])
    sha256, memo, files = hash_bytes(data), task.memo, dict[str, bytes]()

    def read(digest: str) -> bytes:
        files[digest] = find(digest)
        return files[digest]

    decided, names = memo.decided.get((key[0], sha256), (None, tables_of(task.statement, certificate.evidence)))
    for name in names:  # the kernel may skip tables that it has read before, but ``files`` needs them
        read(name)
    if decided is None:
        decided = decide(task.statement, certificate.verdict, certificate.evidence, read, memo)
        if not memo.last:
            memo.decided[key[0], sha256] = decided, tuple(files)
    else:
        memo.last, memo.statement = [], None
    named = tuple((name, "json.gz") for name in sorted(files))
    has_number = memo.statement is None or memo.statement.has_number
    result = replace(
        pending,
        verdict=decided.verdict,
        reason=decided.reason,
        beliefs=decided.beliefs,
        limit=find_limit(task.statement, decided.verdict, certificate.evidence.get("objective")),
        stats={**decided.stats}
        | count_symmetries(task.statement, certificate.evidence)
        | (find_wins(task.statement, memo.last) if has_number else {}),
        certificate=CertificateFile(evidence_path(key[0]), sha256, key[0].removesuffix(BY_INVARIANT), named),
    )
    result = find_question(task.reading.question).show(task, result, certificate.evidence)
    if context.store.memory is not None:
        context.store.remember(DECIDE, [*key, sha256], decision_to_json(result))
    return result
