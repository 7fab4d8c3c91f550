"""Chooses certificates of a folder by name, and has the kernel decide them in several processes.

Nothing here decides: each answer is the kernel's result for a certificate, or says why there is no result.
"""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from concurrent.futures import Future

from verifier.counting import REPLIES, Counter, make_counter
from verifier.describing import describe_statement
from verifier.kernel.certificate import BY_INVARIANT, Index, files_of, is_hash, read_certificate
from verifier.kernel.decide import Memo
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.limits import run_limited
from verifier.kernel.recheck import UNREAD, Answer, Entry, answer, list_entries
from verifier.near import find_near
from verifier.pool import DeadWorkerError, Pool, open_pool
from verifier.replies import ReplyTables, tables_of


def plan(index: Index, wanted: frozenset[str] = frozenset(), unnamed: Iterable[str] = ()) -> list[Entry]:
    """Return the wanted certificates in the order of the index; all certificates if ``wanted`` is empty.

    Args:
        index: the index of the folder.
        wanted: claims, names of readings, and hashes of statements. A claim or a reading includes the readings that it
            joins. A word that looks like a hash counts as a hash, even if a reading in the index has that name.
        unnamed: keys of certificates that the index does not name. If ``wanted`` is empty, they come last; otherwise
            they are left out.

    Raises:
        UsageError: a name or a hash is not in the index.
    """
    hashes = frozenset(filter(is_hash, wanted))
    claims, known = wanted - hashes, {*index.filed, *index.joins}
    asked = {name for name in known if not claims.isdisjoint({name, name.split("/")[0]})}
    waiting = [*asked]
    while waiting:
        more = {*index.joins.get(waiting.pop(), ())} - asked
        asked |= more
        waiting += more
    unknown = (asked | claims) - known - (claims & {name.split("/")[0] for name in known})
    unknown |= hashes - {key.removesuffix(BY_INVARIANT) for key in index.filed.values()}
    if unknown:
        raise UsageError(_say_unknown(sorted(unknown), known))
    return [
        entry
        for entry in list_entries(index, unnamed)
        if not wanted or entry.key.removesuffix(BY_INVARIANT) in hashes or not asked.isdisjoint(entry.names)
    ]


def _say_unknown(unknown: Sequence[str], known: Set[str]) -> str:
    """Return a message about names that the index does not have. Suggest names that are similar to the first."""
    names = sorted({*known, *(other.partition("/")[0] for other in known)})
    close = " or ".join(f"'{other}'" for other in find_near(unknown[0], names))
    hint = f"; did you mean {close}?" if close else ""
    more = f" (nor {len(unknown) - 1} more of the given names)" if len(unknown) > 1 else ""
    return f"INDEX.json in the folder of proofs lists no claim, reading or hash {unknown[0][:80]!r}{more}{hint}"


def decide_all(
    root: pathlib.Path,
    entries: Sequence[Entry],
    jobs: int = 1,
    seconds: float | None = None,
    *,
    is_whole: bool = False,
    counter: Counter | None = None,
) -> Iterator[Answer]:
    """Decide certificates of a folder in several processes. Yield the answers in the order of the entries.

    Without a time limit, tables of replies (``replies.py``) are checked in parallel, each once for all statements that
    rest on it. With a time limit, each table is checked together with its statement, within the statement's time.

    Args:
        root: the folder.
        entries: the certificates.
        jobs: the number of processes.
        seconds: maximum processor time for each certificate; None for no limit.
        is_whole: whether answers include the JSON of the statement.
        counter: counts the replies that the kernel has followed.
    """
    memo, counter = Memo(), make_counter() if counter is None else counter
    names = {entry: _replies_of(root, entry) if seconds is None else [] for entry in entries}
    count = len(entries) + len({name for found in names.values() for name in found})
    describe = functools.partial(describe_statement, is_whole=is_whole)
    decide_here = functools.partial(answer, root, memo=memo, seconds=seconds, describe=describe)
    decide_there = functools.partial(_answer_there, root, seconds=seconds, is_whole=is_whole)
    with open_pool(jobs if count > 1 else 1, functools.partial(REPLIES.use, counter)) as pool:
        tables = ReplyTables(pool, functools.partial(_read, root), counter)
        answers: dict[Entry, Future[Answer]] = {}
        for entry in entries:
            if pool is not None and not names[entry]:
                answers[entry] = pool.submit(decide_there, entry.key)
        for entry in entries:
            tables.begin(names[entry])
        for entry in entries:
            try:
                if entry in answers:
                    yield answers.pop(entry).result()
                    continue
                memo.tables |= tables.take(names[entry])
            except DeadWorkerError:
                yield _answer_alone(decide_there, entry.key)
                continue
            yield decide_here(entry.key)


def _read(root: pathlib.Path, digest: str) -> bytes:
    """Read a file by its hash. This function is not local, because local functions cannot go to other processes."""
    return files_of(root)(digest)


def _replies_of(root: pathlib.Path, entry: Entry) -> list[str]:
    """Return the tables of replies that a certificate names; [] if it cannot be read (``answer`` will report this)."""
    try:
        certificate = run_limited(lambda: read_certificate(root, entry.key))
    except CertificateError:
        return []
    return tables_of(certificate.statement, certificate.evidence)


def _answer_alone(decide_there: Callable[[str], Answer], key: str) -> Answer:
    """Decide a certificate in a new process, after a process has died. If the new one dies too, the answer says so."""
    with Pool(1) as pool:
        try:
            found: Answer = pool.submit(decide_there, key).result()
            return found
        except DeadWorkerError:
            return Answer(key, UNREAD, CertificateError("died", "the process that was checking it ended"))


_MEMO = Memo()
"""Results that help this process to decide its next certificates, if it belongs to a pool."""


def _answer_there(root: pathlib.Path, key: str, *, seconds: float | None, is_whole: bool) -> Answer:
    """Decide a certificate in a process of a pool."""
    return answer(root, key, _MEMO, seconds, functools.partial(describe_statement, is_whole=is_whole))
