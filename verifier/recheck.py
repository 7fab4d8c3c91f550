"""Decide the certificates of a folder: those that are asked for by name, in some processes, by the kernel alone.

No verdict is made here: each is what ``decide`` says of one certificate, or why it was rejected.
"""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Iterable, Iterator, Set
from concurrent.futures import Future
from dataclasses import dataclass

from verifier.kernel.__main__ import Answer, Describe, answer, describe
from verifier.kernel.certificate import BY_INVARIANT, Index, files_of, is_hash, read_certificate
from verifier.kernel.decide import Memo
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.limits import run_limited
from verifier.near import find_near
from verifier.pool import DeadWorkerError, Pool, open_pool
from verifier.replies import Counter, Tables, count_in, make_counter, tables_of


@dataclass(frozen=True, slots=True)
class Request:
    """A certificate of a folder, to be decided, and what it is filed as."""

    key: str
    names: tuple[str, ...]


def plan(index: Index, wanted: frozenset[str] = frozenset(), unnamed: Iterable[str] = ()) -> list[Request]:
    """Return what is to be decided, a certificate once, in the order of the index; then those that it does not name.

    Wanted are claims, names, or hashes of statements, which are taken for nothing else, whatever the index names so;
    these are asked for, and what they join; none: all statements. A name of nothing is a ``UsageError``.
    """
    named: dict[str, list[str]] = {}
    for name, key in index.filed.items():
        named.setdefault(key, []).append(name)
    hashes = frozenset(filter(is_hash, wanted))
    claims, known = wanted - hashes, {*index.filed, *index.joins}
    asked = {name for name in known if not claims.isdisjoint({name, name.split("/")[0]})}
    waiting = [*asked]
    while waiting:
        more = {*index.joins.get(waiting.pop(), ())} - asked
        asked |= more
        waiting += more
    unknown = (asked | claims) - known - (claims & {name.split("/")[0] for name in known})
    unknown |= hashes - {key.removesuffix(BY_INVARIANT) for key in named}
    if unknown:
        raise UsageError(_say_unknown(min(unknown), known))
    return [
        Request(key, tuple(names))
        for key, names in named.items()
        if not wanted or key.removesuffix(BY_INVARIANT) in hashes or not asked.isdisjoint(names)
    ] + [Request(key, ()) for key in unnamed if not wanted]


def _say_unknown(name: str, known: Set[str]) -> str:
    """Say that nothing is filed under a name, and which names are near it."""
    names = sorted({*known, *(other.partition("/")[0] for other in known)})
    close = " or ".join(f"'{other}'" for other in find_near(name, names))
    hint = f"; did you mean {close}?" if close else ""
    return f"nothing is filed under {name[:80]!r}: name a claim, a reading or a hash{hint}"


def recheck(
    root: pathlib.Path,
    requests: list[Request],
    jobs: int = 1,
    seconds: float | None = None,
    say: Describe = describe,
    counter: Counter | None = None,
) -> Iterator[Answer]:
    """Decide on the certificates of a folder, in some processes; yield in the order of the requests.

    Where time has no limit, tables of replies are decided side by side, each once, whatever statements rest on them;
    otherwise with the statement, all in its time.

    Args:
        root: the folder.
        requests: what is to be decided.
        jobs: how many processes.
        seconds: processor time after which the kernel gives up on a certificate; None: it does not.
        say: what is said of a statement: a function of a module, for other processes.
        counter: counts the replies that are followed in tables; None: nobody asks for it.
    """
    memo, counter = Memo(), make_counter() if counter is None else counter
    names = {request: _replies_of(root, request) if seconds is None else [] for request in requests}
    count = len(requests) + len({name for found in names.values() for name in found})
    with open_pool(jobs if count > 1 else 1, functools.partial(count_in, counter)) as pool:
        tables = Tables(pool, functools.partial(_read, root), counter)
        answers: dict[Request, Future[Answer]] = {}
        for request in requests:
            if pool is not None and not names[request]:
                answers[request] = pool.submit(_answer_there, root, request.key, seconds, say)
        for request in requests:
            tables.begin(names[request])
        for request in requests:
            try:
                if request in answers:
                    yield answers.pop(request).result()
                    continue
                memo.tables |= tables.take(names[request])
            except DeadWorkerError:
                yield _answer_alone(root, request.key, seconds, say)
                continue
            yield answer(root, request.key, memo, seconds, say)


def _read(root: pathlib.Path, digest: str) -> bytes:
    """Read a file by its hash; other processes can be given this function."""
    return files_of(root)(digest)


def _replies_of(root: pathlib.Path, request: Request) -> list[str]:
    """Return the tables of replies that evidence names; what is wrong with it shows where it is decided on."""
    try:
        certificate = run_limited(lambda: read_certificate(root, request.key))
    except CertificateError:
        return []
    return tables_of(certificate.statement, certificate.evidence)


def _answer_alone(root: pathlib.Path, key: str, seconds: float | None, say: Describe) -> Answer:
    """Decide in another process, once one has died at it: if this one dies as well, the certificate is rejected."""
    with Pool(1) as pool:
        try:
            found: Answer = pool.submit(_answer_there, root, key, seconds, say).result()
            return found
        except DeadWorkerError:
            return Answer(key, (), CertificateError("died", "the process that was checking it ended"))


_MEMO = Memo()
"""What this process, one of several, has walked through."""


def _answer_there(root: pathlib.Path, key: str, seconds: float | None, say: Describe) -> Answer:
    """Decide in a process of a pool."""
    return answer(root, key, _MEMO, seconds, say)
