"""Decide on evidence: one certificate from anywhere, or all those of a folder; nothing but the kernel is imported.

Trusted for: what a verdict rests on. ``decide`` is the one way from a statement and its evidence to a ``Result``.
"""

from __future__ import annotations

import multiprocessing
import pathlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from typing import Any

from verifier.kernel import certificate as files
from verifier.kernel.check import check_opposed, check_proof, check_refutation, oppose
from verifier.kernel.errors import CertificateError, SpecError, UsageError
from verifier.kernel.games.solution import solution_of
from verifier.kernel.invariant import Closures, check_invariant
from verifier.kernel.plays import Node, parse_table, walk, walk_again, work_of
from verifier.kernel.race.bound import MAX_TABLES, check_bound, derive_win, parse_bound
from verifier.kernel.race.bound import Memo as Tables
from verifier.kernel.race.replies import Shown, check_table
from verifier.kernel.statement import UNIVERSAL, Statement, parse_statement, plays_of
from verifier.kernel.steps import check_steps
from verifier.kernel.store import TABLE, Files, Index, files_of, is_hash, read_certificate, read_named
from verifier.kernel.verdict import Belief, Result
from verifier.kernel.words import describe_statement


@dataclass(slots=True)
class Memo:
    """What was found in this run and helps with other statements.

    Attributes:
        walks: plays that were walked through, and the work that it took, by the hash of the statement without its
            objectives and of the table.
        tables: tables of Olivia's replies that were followed.
        closures: of which rules it was shown that play leads to well-formed positions only.
        last: the walk that the last statement took; empty: it took none, or one too long to be kept.
    """

    walks: dict[str, tuple[list[Node], int]] = field(default_factory=dict)
    tables: Tables = field(default_factory=dict)
    closures: Closures = field(default_factory=dict)
    last: list[Node] = field(default_factory=list)

    def clear(self) -> None:
        """Forget all of it: it takes memory."""
        self.walks.clear()
        self.tables.clear()
        self.closures.clear()


MAX_KEPT, MAX_WALKS = 100_000, 3
"""How many positions a walk may have in order to be kept, and how many walks are."""


def decide(
    statement: dict[str, Any],
    verdict: str,
    evidence: dict[str, Any],
    read: Files,
    *,
    full: bool,
    memo: Memo | None = None,
) -> Result:
    """Decide whether evidence shows a verdict on a statement.

    Args:
        statement: what is claimed; its kind is one of ``play``, ``steps``, ``bound``.
        verdict: ``proved`` or ``refuted``.
        evidence: what shows it.
        read: reads the files that the evidence names by hash.
        full: whether the races below the frontier of a bound are decided all.
        memo: what was found for other statements and helps here; it is changed.

    Raises:
        CertificateError: it does not show it. Whatever goes wrong ends in this one exception.
    """
    memo = Memo() if memo is None else memo
    memo.last = []
    solution_of.cache_clear()  # what a statement may cost does not depend on those before it
    try:
        return _decide(statement, verdict, evidence, read, full, memo)
    except CertificateError:
        raise
    except SpecError as error:
        raise CertificateError("malformed", f"the statement: {error}") from None
    except RecursionError:
        raise CertificateError("malformed", "nested too deeply") from None
    except MemoryError:
        raise CertificateError("too-large", "it takes more memory than there is") from None
    except Exception as error:
        raise CertificateError("defect", f"{type(error).__name__}: {str(error)[:200]}") from error


def _decide(
    statement: dict[str, Any], verdict: str, evidence: dict[str, Any], read: Files, full: bool, memo: Memo
) -> Result:
    is_proof = verdict == "proved"
    if not is_proof and verdict != "refuted":
        raise CertificateError("malformed", f"evidence shows proved or refuted, not {str(verdict)[:20]!r}")
    kind = statement.get("kind")
    if kind == "play":
        return _decide_plays(statement, is_proof, evidence, read, memo)
    if kind == "steps":
        return check_steps(statement, is_proof, evidence, read)
    if kind == "bound":
        bound = parse_bound(statement)
        if is_proof:
            return check_bound(bound, evidence, read, full=full, memo=memo.tables)
        require_keys(evidence, {"case", "first", "table"})
        won = derive_win(statement, bound, evidence["case"], evidence["first"])
        opposed = parse_statement(won)
        shown = check_opposed(opposed, _walk(won, opposed, evidence["table"], read, memo))
        return replace(shown, reason=f"Xavier wins by ply {bound.through} from {won['start']}, whatever is played")
    raise CertificateError("malformed", f"{str(kind)[:40]!r} is no kind of statement")


def require_keys(evidence: dict[str, Any], needed: set[str], allowed: Iterable[str] = ()) -> dict[str, Any]:
    """Return evidence if it has the keys that it needs, and none that nothing asks for.

    Raises:
        CertificateError: it has not.
    """
    if not needed <= set(evidence) <= needed.union(allowed):
        raise CertificateError("malformed", f"the evidence has the keys {sorted(evidence)[:9]}, not {sorted(needed)}")
    return evidence


def _decide_plays(data: dict[str, Any], is_proof: bool, evidence: dict[str, Any], read: Files, memo: Memo) -> Result:
    statement = parse_statement(data)
    if statement.given is not None and not (is_proof and "invariant" in evidence):
        raise CertificateError("malformed", "plays from all positions that are given are shown by an invariant alone")
    if not is_proof and "table" in evidence:
        opposed = oppose(statement, require_keys(evidence, {"objective", "table"})["objective"])
        plays = {**data, "claimant": opposed.claimant}
        return check_opposed(opposed, _walk(plays, opposed, evidence["table"], read, memo))
    if not is_proof:
        require_keys(evidence, {"objective"}, ["line"])
        return check_refutation(
            statement, evidence["objective"], _walk(data, statement, None, read, memo), evidence.get("line")
        )
    if "invariant" in evidence:
        return check_invariant(data, evidence, read, memo.closures)
    has_some = any(objective.type == "some" for objective in statement.objectives)
    needs_table = statement.chooses and any(objective.type in UNIVERSAL for objective in statement.objectives)
    needed = {key for key, is_needed in (("lines", has_some), ("table", needs_table)) if is_needed}
    lines = require_keys(evidence, needed).get("lines", {})
    if not isinstance(lines, dict):
        raise CertificateError("malformed", "lines are given by the name of an objective")
    return check_proof(statement, _walk(data, statement, evidence.get("table"), read, memo), lines)


def _walk(data: dict[str, Any], statement: Statement, digest: object, read: Files, memo: Memo) -> Iterator[Node]:
    """Yield the nodes of a walk; one that was taken to its end is kept, if it is small."""
    key = files.hash_value([plays_of(data), digest])
    memo.last, work = memo.walks.get(key, ([], work_of(statement)))
    if memo.last:
        yield from walk_again(statement, memo.last, work)
        return
    table = None
    if digest is not None:
        value = files.unpack(read_named(read, digest, TABLE), "the table")
        files.check_header(value, files.TABLE_FORMAT, "the table")
        if set(value) != {"format", "version", "moves"}:
            raise CertificateError("malformed", "the table: it has 'moves', and nothing else")
        table = parse_table(value["moves"], "the table")
    kept: list[Node] = []
    for node in walk(statement, table):
        if len(kept) <= MAX_KEPT:
            kept.append(node)
        yield node
    if len(kept) <= MAX_KEPT:
        while len(memo.walks) >= MAX_WALKS:
            del memo.walks[next(iter(memo.walks))]
        memo.walks[key] = kept, work_of(statement) - work
        memo.last = kept


@dataclass(frozen=True, slots=True)
class Request:
    """A statement of a folder, to be decided.

    Attributes:
        statement: its hash.
        names: what it is filed as.
        full: whether all of it is asked for.
    """

    statement: str
    names: tuple[str, ...]
    full: bool


UNDECIDED = frozenset({Belief.SEARCH})
"""What is believed in place of work that the kernel can do: it counts as not decided where all was asked for.

Other beliefs do not: a solver's answers are believed however much is asked for, since the kernel follows no solver.
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request: the statement in words, and the verdict that its certificate means to show."""

    request: Request
    words: str
    claimed: str
    outcome: Result | CertificateError

    @property
    def is_decided(self) -> bool:
        """Whether the kernel did all that it can of what was asked for."""
        if isinstance(self.outcome, CertificateError):
            return False
        return not self.request.full or not UNDECIDED & self.outcome.beliefs


def plan(index: Index, wanted: frozenset[str] = frozenset(), *, full: bool = False) -> list[Request]:
    """Return what is to be decided, a statement once, in the order of the index.

    Args:
        index: names of statements.
        wanted: claims, names, or hashes of statements; of these, and of what they join, everything is decided. Empty:
            all statements, those that only quick names ask for not in full.
        full: everything is asked for, quick or not.

    Raises:
        UsageError: nothing is filed under one of these.
    """
    named: dict[str, list[str]] = {}
    for name, digest in index.filed.items():
        named.setdefault(digest, []).append(name)
    asked = set(wanted)
    waiting = [name for name in index.joins if {name, name.split("/")[0]} & wanted]
    while waiting:
        name = waiting.pop()
        waiting += set(index.joins.get(name, ())) - asked
        asked |= {name, *index.joins.get(name, ())}
    known = {*named, *(part for name in (*index.filed, *index.joins) for part in (name, name.split("/")[0]))}
    if asked - known:
        raise UsageError(f"nothing is filed under {min(asked - known)[:80]!r}: name a claim, a reading or a hash")
    requests = []
    for digest, names in named.items():
        claims = {name.split("/")[0] for name in names}
        is_named = bool(asked & {digest, *names} or wanted & claims)
        if is_named or not wanted:
            requests.append(Request(digest, tuple(names), full or is_named or not index.quick.issuperset(names)))
    return requests


def recheck(root: pathlib.Path, requests: list[Request], jobs: int = 1) -> Iterator[Answer]:
    """Decide on the certificates of a folder, in some processes; yield in the order of the requests.

    Tables of replies are decided side by side, each once, whatever statements rest on them.
    """
    memo = Memo()
    names = {request: _replies_of(root, request) for request in requests}
    keys = dict.fromkeys((name, request.full) for request in requests for name in names[request])
    if jobs == 1 or len(keys) + len(requests) == 1:
        yield from (answer(root, request, memo) for request in requests)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        answers = {request: pool.submit(answer, root, request, None) for request in requests if not names[request]}
        tables = {key: pool.submit(_follow, root, *key) for key in keys}
        for request in requests:
            try:
                if request in answers:
                    yield answers[request].result()
                    continue
                shown = {(name, request.full): tables[name, request.full].result() for name in names[request]}
            except BrokenProcessPool:
                yield _answer_alone(root, request)
                continue
            memo.tables |= {key: value for key, value in shown.items() if value is not None}
            yield answer(root, request, memo)


def _follow(root: pathlib.Path, name: str, full: bool) -> Shown | None:
    """Decide on a table; None: it is rejected, which is told where a statement rests on it."""
    try:
        return check_table(name, files_of(root), full=full)
    except (CertificateError, MemoryError, RecursionError):
        return None


def _replies_of(root: pathlib.Path, request: Request) -> list[str]:
    """Return the tables of replies that evidence names; what is wrong with it shows where it is decided on."""
    try:
        certificate = read_certificate(root, request.statement)
    except (CertificateError, MemoryError, RecursionError):
        return []
    names = certificate.evidence.get("tables") if certificate.statement.get("kind") == "bound" else None
    return names if isinstance(names, list) and len(names) <= MAX_TABLES and all(map(is_hash, names)) else []


def _answer_alone(root: pathlib.Path, request: Request) -> Answer:
    """Decide in a process of its own, once some process has died: if it dies as well, this certificate is rejected."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        try:
            return pool.submit(answer, root, request, None).result()
        except BrokenProcessPool:
            return Answer(request, "", "", CertificateError("died", "the process that was to decide on it has ended"))


_MEMO = Memo()
"""What this process, one of several, has walked through."""


def answer(root: pathlib.Path, request: Request, memo: Memo | None) -> Answer:
    """Decide on one certificate of a folder; whatever is wrong with it is its answer."""
    words = claimed = ""
    try:
        certificate = read_certificate(root, request.statement)
        words, claimed = describe_statement(certificate.statement), certificate.verdict
        outcome: Result | CertificateError = decide(
            certificate.statement,
            certificate.verdict,
            certificate.evidence,
            files_of(root),
            full=request.full,
            memo=_MEMO if memo is None else memo,
        )
    except CertificateError as error:
        outcome = error
    except (MemoryError, RecursionError):
        outcome = CertificateError("too-large", "it takes more memory than there is")
    return Answer(request, words, claimed, outcome)
