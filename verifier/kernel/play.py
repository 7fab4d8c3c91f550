"""The kind ``play``: decides whether evidence proves or refutes a statement about plays.

This module is trusted to require evidence of the form that a statement needs, and to call the check for this form.
The module ``statement`` says what statements mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from verifier.kernel.breaker import Breaker, Finisher
from verifier.kernel.certificate import TABLE_FORMAT, Data, FileReader, hash_value, is_hash, read_table, require_shape
from verifier.kernel.errors import CertificateError
from verifier.kernel.invariant import check_invariant
from verifier.kernel.plays import Node, check_opposed, check_proof, check_refutation, oppose, walk
from verifier.kernel.relabel import Symmetries
from verifier.kernel.rounds import list_enumerable
from verifier.kernel.statement import UNIVERSAL, Statement, parse_statement, plays_of, says_what_is_over
from verifier.kernel.verdict import Result

if TYPE_CHECKING:
    from verifier.kernel.decide import Memo


def decide_play(data: Data, is_proof: bool, evidence: Data, read: FileReader, memo: Memo) -> Result:
    """Decide whether evidence proves, or refutes, a statement about plays."""
    memo.statement = statement = parse_statement(data)
    if statement.game.is_over(statement.start) and ("invariant" in evidence or not says_what_is_over(statement)):
        raise CertificateError("vacuous-start", "the game is over at the start: there is nothing to check")
    if is_proof and "invariant" in evidence:
        return check_invariant(data, statement, evidence, read, memo.closures)
    if statement.given is not None:
        list_enumerable(statement)
    is_begun = statement.given is not None and not is_proof  # True: the evidence names a start
    shape: dict[str, Any] = {} if is_proof else {"objective": str} | ({"start": str} if is_begun else {})
    types = {objective.type for objective in statement.objectives}
    if (statement.chooses and types.intersection(UNIVERSAL)) if is_proof else "table" in evidence:
        shape |= {"table": is_hash, "symmetries?": list}
    elif not is_proof:
        shape |= {"line?": [str]}
    if is_proof and "some" in types:
        shape |= {"lines": {"*": [str]}}
    require_shape(evidence, shape, "the evidence")
    if is_begun:
        data, statement = _begin(data, statement, evidence["start"])
        memo.statement = statement
    if is_proof:
        return check_proof(statement, _walk(data, statement, evidence, read, memo), evidence.get("lines", {}))
    name, moves = evidence["objective"], evidence.get("line")
    if "table" not in evidence:
        found = check_refutation(statement, name, _walk(data, statement, {}, read, memo), moves)
    else:
        opposed = oppose(statement, name)
        said = [objective for objective in data["objectives"] if objective["name"] == name]
        data = {**data, "claimant": opposed.claimant, "objectives": said}  # the other objectives do not matter
        found = check_opposed(opposed, _walk(data, opposed, evidence, read, memo))
    return replace(found, reason=f"from {evidence['start'][:200]}: {found.reason}") if is_begun else found


def _begin(data: Data, statement: Statement, text: str) -> tuple[dict[str, Any], Statement]:
    """Turn a statement with ``given``, which may have many starts, into a statement about plays from one start."""
    start = statement.game.without_number(statement.game.parse_position(text))
    if not (statement.given and statement.given(start)):
        raise CertificateError("not-refuted", f"{text} does not satisfy 'given'")
    rest = {key: value for key, value in data.items() if key != "given"}
    return {**rest, "start": statement.game.format_position(start)}, replace(statement, start=start, given=None)


def _walk(data: Data, statement: Statement, evidence: Data, read: FileReader, memo: Memo) -> Iterator[Node]:
    """Yield the nodes of a walk; a table, if there is one, gives the claimant's moves. Keep small walks in the memo."""
    digest, folded = evidence.get("table"), evidence.get("symmetries")
    is_shared = folded is None and statement.until is None
    plays = plays_of(data) if is_shared else data
    key = hash_value([plays, digest, folded, statement.is_opposed, statement.has_number])
    memo.last, work = memo.walks.get(key, ([], 0))
    if memo.last:
        statement.formulas.work += work  # otherwise a verdict could depend on the statements that were decided before
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
    kept, is_kept = list[Node](), finisher is None  # a finisher leaves out replies that other statements may need
    before = statement.formulas.work
    shortcut = breaker or finisher
    for node in walk(statement, table, fold, shortcut.followed if shortcut else None):
        work += statement.formulas.work - before
        if is_kept:
            kept.append(node)
            is_kept = memo.has_room(kept)
        yield node
        before = statement.formulas.work  # what the caller does between two nodes is not counted
    work += statement.formulas.work - before
    if is_kept:
        memo.last = kept
    if breaker is not None:  # the walk leaves out moves that other statements may need, so it is not kept for them
        breaker.require_met()
    elif is_kept:
        memo.keep_walk(key, kept, work)
