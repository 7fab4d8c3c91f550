"""The kind ``play``: which evidence proves or refutes a statement about plays; and what the statement says, in words.

Trusted for: the evidence has the form that the statement needs, and is followed by the check for that form. What a
statement means is in ``statement``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from verifier.kernel.breaker import Breaker, Finisher
from verifier.kernel.certificate import TABLE_FORMAT, Files, hash_value, is_hash, read_table, require_shape
from verifier.kernel.errors import CertificateError
from verifier.kernel.invariant import check_invariant
from verifier.kernel.plays import Node, check_opposed, check_proof, check_refutation, oppose, walk
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import UNIVERSAL, Statement, parse_statement, plays_of, says_what_is_over
from verifier.kernel.verdict import Result
from verifier.kernel.words import NAME_WIDTH, POSITION_WIDTH, first, short, short_formula

if TYPE_CHECKING:
    from verifier.kernel.decide import Memo


def decide_play(data: dict[str, Any], is_proof: bool, evidence: dict[str, Any], read: Files, memo: Memo) -> Result:
    """Decide whether evidence proves, or refutes, a statement about plays."""
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
    data = {**data, "claimant": opposed.claimant, "objectives": said}  # the other objectives do not matter
    return check_opposed(opposed, _walk(data, opposed, evidence, read, memo))


def _walk(
    data: dict[str, Any], statement: Statement, evidence: dict[str, Any], read: Files, memo: Memo
) -> Iterator[Node]:
    """Yield the nodes of a walk, by the table of the evidence if it has one; keep a small walk in the memo."""
    digest, folded = evidence.get("table"), evidence.get("symmetries")
    key = hash_value([plays_of(data) if folded is None else data, digest, folded, statement.is_opposed])
    memo.last, work = memo.walks.get(key, ([], 0))
    if memo.last:
        statement.formulas.work += work  # else a verdict could depend on what was decided before
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
    kept, is_kept = list[Node](), finisher is None  # with a finisher, replies are left out
    before = statement.formulas.work
    shortcut = breaker or finisher
    for node in walk(statement, table, fold, shortcut.followed if shortcut else None):
        work += statement.formulas.work - before
        if is_kept:
            kept.append(node)
            is_kept = memo.has_room(kept)
        yield node
        before = statement.formulas.work  # the caller has evaluated objectives: that is not part of the walk
    work += statement.formulas.work - before
    if is_kept:
        memo.last = kept
    if breaker is not None:  # where its plays end depends on the objective, so it does not help with other statements
        breaker.require_met()
    elif is_kept:
        memo.keep_walk(key, kept, work)


def describe_play(data: dict[str, Any]) -> str:
    """Return a statement about plays in words."""
    claimant, named = str(data["claimant"]), data.get("formulas", [])
    start = f"from {short(data['start'], POSITION_WIDTH)}"
    start += f" and any position where {short_formula(data['given'], named)}" if "given" in data else ""
    end = "" if data["horizon"] is None else f" up to ply {data['horizon']:d}"
    sides = " and ".join(f"{player} by a strategy" for player in "OX" if player in data["strategies"])
    images = ", also where a symmetry of the square has moved all of it" if data.get("symmetric") else ""
    # If the claimant chooses, what is said of all plays is what he can bring about (``statement``).
    is_chosen = data.get("chooses", data["claimant"] not in data["strategies"])
    can = f", as {claimant[:1]!a} can play" if is_chosen else ""
    told = first(data["objectives"], 4, lambda item: _objective(item, claimant, named, can), "and ")
    return f"plays {start}{end}, {sides or 'all legal ones'}{images}: {'; '.join(told)}"


def _objective(data: dict[str, Any], claimant: str, named: Any, can: str) -> str:
    said = short_formula(data["holds" if "holds" in data else "goal"], named)
    if data["type"] == "reach":
        return f"reach {said} by ply {data['by']:d}{can}"
    if data["type"] == "prevent":
        return f"never {said} through ply {data['through']:d}{can}"
    # ``keep`` speaks of all scopes. ``some`` asks for one position, which may be in any of them.
    every, joined, can = ("always", " and ", can) if data["type"] == "keep" else ("once", " or ", "")
    movers = {"claimant": claimant, "opponent": "O" if claimant == "X" else "X"}
    meant = {scope: f" ({player[:1]!a} moves there)" for scope, player in movers.items()}
    meant["end"] = " (the game is over)"  # not "play ends": that may be by the horizon
    scopes = first(data["at"], 3, lambda scope: f"{short(ascii(scope), NAME_WIDTH)}{meant.get(scope, '')}")
    return f"{every} {said} at {joined.join(scopes)}{can}"
