"""Decide whether evidence shows a verdict on a statement, within what one decision may cost, whatever a file says.

Trusted for: what a verdict rests on. ``decide`` is the one way from a statement and its evidence to a ``Result``. And
that what costs more ends in one ``CertificateError``, and that nothing takes it for an answer. That is a backstop:
limits on bytes, items, moves and nodes stand where these are counted, and are the same on every machine.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import re
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from verifier.kernel.breaker import Breaker, Finisher
from verifier.kernel.certificate import TABLE_FORMAT, Files, hash_value, is_hash, read_table, require_shape
from verifier.kernel.count import check_count
from verifier.kernel.errors import CertificateError, IllegalMoveError, SpecError
from verifier.kernel.games.solution import solution_of
from verifier.kernel.invariant import Closures, check_invariant
from verifier.kernel.plays import Node, check_opposed, check_proof, check_refutation, oppose, walk
from verifier.kernel.race.bound import Followed, check_bound, parse_bound
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import UNIVERSAL, Statement, parse_statement, plays_of, says_what_is_over
from verifier.kernel.steps import check_steps
from verifier.kernel.sum import check_sum
from verifier.kernel.verdict import Result

with contextlib.suppress(ImportError):  # on Windows, where nothing below asks for it
    import resource

_T = TypeVar("_T")


@dataclass(slots=True)
class Memo:
    """What was found in this run and helps with other statements."""

    walks: dict[str, tuple[list[Node], int]] = field(default_factory=dict)  # nodes and work
    tables: Followed = field(default_factory=dict)
    closures: Closures = field(default_factory=dict)
    last: list[Node] = field(default_factory=list)  # of the last statement; empty: it took no walk, or one too long
    statement: Statement | None = None  # the last one, if it was about plays


MAX_KEPT, MAX_WALKS = 100_000, 3
"""How many positions a walk may have in order to be kept, and how many walks are."""


def decide(
    statement: dict[str, Any], verdict: str, evidence: dict[str, Any], read: Files, memo: Memo | None = None
) -> Result:
    """Decide whether evidence, with files that it names, shows a verdict; what goes wrong is a ``CertificateError``."""
    memo = Memo() if memo is None else memo
    memo.last, memo.statement = [], None
    solution_of.cache_clear()  # what a statement may cost does not depend on those before it
    try:
        return limited(lambda: _decide(statement, verdict, evidence, read, memo))
    except CertificateError:
        raise
    except SpecError as error:
        raise CertificateError("malformed", str(error)) from None
    except IllegalMoveError as error:
        raise CertificateError("illegal-move", str(error)) from None
    except Exception as error:
        raise CertificateError("defect", f"{type(error).__name__}: {str(error)[:200]}") from error


def _decide(statement: dict[str, Any], verdict: str, evidence: dict[str, Any], read: Files, memo: Memo) -> Result:
    is_proof = verdict == "proved"
    if not is_proof and verdict != "refuted":
        raise CertificateError("malformed", f"evidence shows proved or refuted, not {str(verdict)[:20]!r}")
    kind = statement.get("kind")
    if kind == "play":
        return _decide_plays(statement, is_proof, evidence, read, memo)
    if kind == "steps":
        return check_steps(statement, is_proof, evidence, read)
    if kind == "sum":
        return check_sum(statement, evidence, is_proof=is_proof)
    if kind == "count":
        require_shape(evidence, {}, "the evidence")
        return check_count(statement, is_proof=is_proof)
    if kind == "bound" and is_proof:
        return check_bound(parse_bound(statement), evidence, read, memo.tables)
    raise CertificateError("malformed", f"{str(kind)[:40]!r} is not a kind of statement that is {verdict}")


def _decide_plays(data: dict[str, Any], is_proof: bool, evidence: dict[str, Any], read: Files, memo: Memo) -> Result:
    memo.statement = statement = parse_statement(data)
    if statement.game.is_over(statement.start) and ("invariant" in evidence or not says_what_is_over(statement)):
        raise CertificateError("vacuous-start", "the game is over at the start: there is no play to speak of")
    if is_proof and "invariant" in evidence:
        return check_invariant(data, statement, evidence, read, memo.closures)
    if statement.given is not None:
        raise CertificateError("malformed", "plays from all positions that are given are shown by an invariant alone")
    shape: dict[str, Any] = {} if is_proof else {"objective": str}
    types = {objective.type for objective in statement.objectives}
    if (statement.chooses and types.intersection(UNIVERSAL)) if is_proof else "table" in evidence:
        shape |= {"table": is_hash, "symmetries?": list}
    elif not is_proof:
        shape |= {"line?": [str]}
    if is_proof and "some" in types:
        shape |= {"lines": {"*": [str]}}
    require_shape(evidence, shape, "the evidence")
    if is_proof:
        return check_proof(statement, _walk(data, statement, evidence, read, memo), evidence.get("lines", {}))
    name, moves = evidence["objective"], evidence.get("line")
    if "table" not in evidence:
        return check_refutation(statement, name, _walk(data, statement, {}, read, memo), moves)
    opposed = oppose(statement, name)
    said = [objective for objective in data["objectives"] if objective["name"] == name]
    data = {**data, "claimant": opposed.claimant, "objectives": said}  # what else is claimed is nothing to this one
    return check_opposed(opposed, _walk(data, opposed, evidence, read, memo))


def _walk(
    data: dict[str, Any], statement: Statement, evidence: dict[str, Any], read: Files, memo: Memo
) -> Iterator[Node]:
    """Yield the nodes of a walk, by the table of the evidence; one that was taken to its end is kept, if it is small.

    A walk that is known costs what it cost: else a verdict could depend on what was decided before. One that ends by
    pairs or weights is not kept for others: where it ends depends on the objective. One that leaves replies out is not
    kept at all: nobody could follow it.
    """
    digest, folded = evidence.get("table"), evidence.get("symmetries")
    key = hash_value([plays_of(data) if folded is None else data, digest, folded, statement.is_opposed])
    memo.last, work = memo.walks.get(key, ([], 0))
    if memo.last:
        statement.formulas.work += work
        yield from memo.last
        return
    table = breaker = finisher = None
    if digest is not None:
        shape = {"moves": {"*": [str]}, "pairs?": dict, "weights?": True, "wins?": True}
        value = read_table(read, digest, TABLE_FORMAT, shape, "the table")
        table = value["moves"]
        breaker = Breaker(data, statement, value) if "pairs" in value or "weights" in value else None
        finisher = Finisher(data, statement) if "wins" in value else None
    fold = None if folded is None else Symmetries(data, statement, folded).least
    kept, most = list[Node](), MAX_KEPT if finisher is None else 0
    before = statement.formulas.work
    shortcut = breaker or finisher
    for node in walk(statement, table, fold, shortcut.followed if shortcut else None):
        work += statement.formulas.work - before
        if len(kept) <= most:
            kept.append(node)
        yield node
        before = statement.formulas.work  # what was evaluated meanwhile, of objectives, is not part of the walk
    work += statement.formulas.work - before
    if len(kept) <= most:
        memo.last = kept
    if breaker is not None:
        breaker.require_met()
    elif len(kept) <= most:
        while len(memo.walks) >= MAX_WALKS:
            del memo.walks[next(iter(memo.walks))]
        memo.walks[key] = kept, work


MAX_BYTES = 4 * 2**30
"""Memory, beside what the process holds before."""

_AGAIN_SECONDS = 5.0
"""After which time it is interrupted again, where the first interruption was lost, as in a destructor."""

_MEMORY = threading.Lock()
"""Held while memory is limited: the limit is the process's, and a second one would be put back in its place."""


class _Spent(BaseException):
    """The time is over: not an ``Exception``, so that nothing on the way catches it."""


def limited(work: Callable[[], _T], seconds: float | None = None) -> _T:
    """Do some work, and give up what takes too much memory, or more processor time than the caller has set.

    Time is counted in the main thread of a process, where the system has a timer for it and nobody else counts;
    memory on Linux, where threads share the limit of the first one. The work is a function, and no block of ``with``:
    an interruption as such a block ends is caught by nobody, and leaves the timer running. Python's collector of
    cycles rests meanwhile: a tenth of the time of a walk is its, and positions have no cycles.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return _in_memory(work if seconds is None else functools.partial(_in_time, work, seconds))
    except _Spent:
        if seconds is None:  # somebody else counts
            raise
        raise CertificateError("time", f"not decided within {seconds:g} s of processor time") from None
    except RecursionError:
        raise CertificateError("malformed", "nested too deeply") from None
    except MemoryError:
        most = f"{MAX_BYTES // 2**30} GiB, or than there is"
        raise CertificateError("too-large", f"it needs more memory than the {most}: a smaller table helps") from None
    finally:
        if collects:
            gc.enable()


def _in_time(work: Callable[[], _T], seconds: float) -> _T:
    is_possible = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if not is_possible or signal.getitimer(signal.ITIMER_PROF)[0]:
        return work()
    before = signal.signal(signal.SIGPROF, _interrupt)
    try:
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN_SECONDS)
            return work()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    finally:  # once more: the first one may have been interrupted, and what comes next would be
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _interrupt(*_: object) -> NoReturn:
    raise _Spent


def _in_memory(work: Callable[[], _T]) -> _T:
    held = _held_bytes()
    if not held or not _MEMORY.acquire(blocking=False):
        return work()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    given = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (min([held + MAX_BYTES, *given]), hard))
        return work()
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
        _MEMORY.release()


def _held_bytes() -> int:
    """Return how much memory this process holds; 0: it cannot be told."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            found = re.search(r"^VmData:\s+(\d+) kB$", status.read(), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0
