"""Decide whether evidence shows a verdict on a statement.

Trusted for: what a verdict rests on. ``decide`` is the only way from a statement and its evidence to a ``Result``.
Whatever goes wrong on the way, a limit included, ends in a ``CertificateError``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.breaker import Breaker, Finisher
from verifier.kernel.certificate import TABLE_FORMAT, Files, hash_value, is_hash, read_table, require_shape
from verifier.kernel.count import check_count
from verifier.kernel.errors import CertificateError, IllegalMoveError, SpecError
from verifier.kernel.games.solution import solution_of
from verifier.kernel.invariant import Closures, check_invariant
from verifier.kernel.limits import run_limited
from verifier.kernel.plays import Node, check_opposed, check_proof, check_refutation, oppose, walk
from verifier.kernel.race.bound import Followed, check_bound, parse_bound
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import UNIVERSAL, Statement, parse_statement, plays_of, says_what_is_over
from verifier.kernel.steps import check_steps
from verifier.kernel.sum import check_sum
from verifier.kernel.verdict import Result


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
        return run_limited(lambda: _decide(statement, verdict, evidence, read, memo))
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
