"""Decide whether evidence shows a verdict on a statement.

Trusted for: what a verdict rests on. ``decide`` is the one way from a statement and its evidence to a ``Result``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel import certificate as files
from verifier.kernel.automorphism import Symmetries
from verifier.kernel.backstop import limited
from verifier.kernel.breaker import Breaker
from verifier.kernel.check import check_opposed, check_proof, check_refutation, oppose
from verifier.kernel.count import check_count
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.solution import solution_of
from verifier.kernel.invariant import Closures, check_invariant
from verifier.kernel.objective import UNIVERSAL
from verifier.kernel.plays import Node, parse_table, walk
from verifier.kernel.race.bound import Memo as Tables
from verifier.kernel.race.bound import check_bound, parse_bound
from verifier.kernel.statement import Statement, parse_statement, plays_of
from verifier.kernel.steps import check_steps
from verifier.kernel.store import TABLE, Files, read_named
from verifier.kernel.sum import check_sum
from verifier.kernel.verdict import Result


@dataclass(slots=True)
class Memo:
    """What was found in this run and helps with other statements.

    Attributes:
        walks: plays that were walked through, and the work that it took, by the hash of the statement without its
            objectives and of the table.
        tables: tables of Olivia's replies that were followed.
        closures: of which rules it was shown that play leads to well-formed positions only.
        last: the walk that the last statement took; empty: it took none, or one too long to be kept.
        statement: the last statement, if it was about plays; None: it was not.
    """

    walks: dict[str, tuple[list[Node], int]] = field(default_factory=dict)
    tables: Tables = field(default_factory=dict)
    closures: Closures = field(default_factory=dict)
    last: list[Node] = field(default_factory=list)
    statement: Statement | None = None


MAX_KEPT, MAX_WALKS = 100_000, 3
"""How many positions a walk may have in order to be kept, and how many walks are."""


def decide(
    statement: dict[str, Any],
    verdict: str,
    evidence: dict[str, Any],
    read: Files,
    memo: Memo | None = None,
) -> Result:
    """Decide whether evidence shows a verdict on a statement.

    Args:
        statement: what is claimed; its kind is one of ``play``, ``steps``, ``bound``, ``sum``, ``count``.
        verdict: ``proved`` or ``refuted``.
        evidence: what shows it.
        read: reads the files that the evidence names by hash.
        memo: what was found for other statements and helps here; it is changed.

    Raises:
        CertificateError: it does not show it. Whatever goes wrong ends in this one exception.
    """
    memo = Memo() if memo is None else memo
    memo.last, memo.statement = [], None
    solution_of.cache_clear()  # what a statement may cost does not depend on those before it
    try:
        return limited(lambda: _decide(statement, verdict, evidence, read, memo))
    except CertificateError:
        raise
    except SpecError as error:
        raise CertificateError("malformed", f"the statement: {error}") from None
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
        require_keys(evidence, set())
        return check_count(statement, is_proof=is_proof)
    if kind == "bound":
        if not is_proof:
            raise CertificateError("malformed", "a bound is not refuted: that Xavier wins is a statement about plays")
        return check_bound(parse_bound(statement), evidence, read, memo.tables)
    raise CertificateError("malformed", f"{str(kind)[:40]!r} is not a kind of statement")


def require_keys(evidence: dict[str, Any], needed: set[str], allowed: Iterable[str] = ()) -> dict[str, Any]:
    """Return evidence if it has the keys that it needs, and none that nothing asks for.

    Raises:
        CertificateError: it has not.
    """
    if not needed <= set(evidence) <= needed.union(allowed):
        raise CertificateError("malformed", f"the evidence has the keys {sorted(evidence)[:9]}, not {sorted(needed)}")
    return evidence


def _decide_plays(data: dict[str, Any], is_proof: bool, evidence: dict[str, Any], read: Files, memo: Memo) -> Result:
    memo.statement = statement = parse_statement(data)
    if statement.game.is_over(statement.start):
        raise CertificateError("vacuous-start", "the game is over at the start: there is nothing to decide")
    if any(evidence.get(key, "") is None for key in ("table", "line")):
        raise CertificateError("malformed", "a table is named by its hash, a line is its moves: neither is null")
    if statement.given is not None and not (is_proof and "invariant" in evidence):
        raise CertificateError("malformed", "plays from all positions that are given are shown by an invariant alone")
    if not is_proof and "table" in evidence:
        opposed = oppose(statement, require_keys(evidence, {"objective", "table"}, ["symmetries"])["objective"])
        plays = {**data, "claimant": opposed.claimant}
        return check_opposed(opposed, _walk(plays, opposed, evidence, read, memo))
    if not is_proof:
        require_keys(evidence, {"objective"}, ["line"])
        return check_refutation(
            statement, evidence["objective"], _walk(data, statement, {}, read, memo), evidence.get("line")
        )
    if "invariant" in evidence:
        return check_invariant(data, evidence, read, memo.closures)
    has_some = any(objective.type == "some" for objective in statement.objectives)
    needs_table = statement.chooses and any(objective.type in UNIVERSAL for objective in statement.objectives)
    needed = {key for key, is_needed in (("lines", has_some), ("table", needs_table)) if is_needed}
    lines = require_keys(evidence, needed, ["symmetries"] if needs_table else []).get("lines", {})
    if not isinstance(lines, dict):
        raise CertificateError("malformed", "lines are given by the name of an objective")
    return check_proof(statement, _walk(data, statement, evidence, read, memo), lines)


def _walk(
    data: dict[str, Any], statement: Statement, evidence: dict[str, Any], read: Files, memo: Memo
) -> Iterator[Node]:
    """Yield the nodes of a walk, by the table of the evidence; one that was taken to its end is kept, if it is small.

    A walk that is known costs what it cost: else a verdict could depend on what was decided before. One that ends by
    pairs or weights is not kept: where it ends depends on the objective.
    """
    digest, folded = evidence.get("table"), evidence.get("symmetries")
    key = files.hash_value([data if "symmetries" in evidence else plays_of(data), digest, folded])
    memo.last, work = memo.walks.get(key, ([], 0))
    if memo.last:
        statement.formulas.work += work
        yield from memo.last
        return
    table = breaker = None
    if digest is not None:
        value = files.unpack(read_named(read, digest, TABLE), "the table")
        files.check_header(value, files.TABLE_FORMAT, "the table")
        held = set(value) & {"pairs", "weights"}
        if set(value) - held != {"format", "version", "moves"}:
            raise CertificateError("malformed", "the table: it has 'moves', may have 'pairs' and 'weights', no more")
        table = parse_table(value["moves"], "the table")
        breaker = Breaker(data, statement, value) if held else None
    fold = Symmetries(data, statement, folded).least if "symmetries" in evidence else None
    kept: list[Node] = []
    before = statement.formulas.work
    for node in walk(statement, table, fold, None if breaker is None else breaker.settles):
        work += statement.formulas.work - before
        if len(kept) <= MAX_KEPT:
            kept.append(node)
        yield node
        before = statement.formulas.work  # what was evaluated meanwhile, of objectives, is not part of the walk
    work += statement.formulas.work - before
    if len(kept) <= MAX_KEPT:
        memo.last = kept
    if breaker is not None:
        breaker.require_met()
    elif len(kept) <= MAX_KEPT:
        while len(memo.walks) >= MAX_WALKS:
            del memo.walks[next(iter(memo.walks))]
        memo.walks[key] = kept, work
