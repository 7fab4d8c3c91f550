"""Search for evidence of what a player can force, and choose what people see of the evidence.

The evidence is a table of the claimant's moves. If the claimant cannot force what he claims, the evidence is a table of
the opponent's moves. The kernel follows the table against every reply. If the claimant's strategy breaks down, the
evidence can also be a single play to where it breaks down.
"""

from __future__ import annotations

import contextlib
import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from verifier.kernel.breaker import Breaker, Finisher
from verifier.kernel.decide import MAX_KEPT_POSITIONS
from verifier.kernel.errors import CertificateError
from verifier.kernel.plays import explain_failure, has_ended, oppose
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import Statement, parse_statement
from verifier.kernel.verdict import Verdict
from verifier.questions.can.model import CanReading
from verifier.questions.finding import Evidence, Finding, Task, pack_table
from verifier.questions.plays import evidence as plays
from verifier.questions.result import ReadingResult
from verifier.questions.shown import HELD_NOTE, make_example
from verifier.search.holding import open_holding
from verifier.search.solve import Solver
from verifier.search.walk import Exploration, NodeLimitError, explore

if TYPE_CHECKING:
    from verifier.search.retrograde import RetrogradeSearch
    from verifier.search.threats.forced import ThreatSearch

    Search = Solver | RetrogradeSearch | ThreatSearch

MAX_TABLE = 1_000_000
"""Maximum number of positions in the plays of a table. The kernel takes half a minute for this many."""

NO_SEARCH = "under these rules no search works if play may go on for ever: give the last ply in 'by'"

TOO_LARGE = "the search found moves for {player}, but a table of them would be too large as evidence: {error}"


def search(task: Task) -> Finding:
    """Search for a strategy of the claimant. If there is none, a strategy of the opponent refutes the reading."""
    statement, reading = parse_statement(task.statement), task.reading
    if isinstance(reading, CanReading) and reading.pairing is not None:
        return _propose_pairing(task.statement, statement, reading.pairing)
    sides, objective = [statement], statement.objectives[0]
    if statement.chooses and objective.type in ("reach", "prevent"):  # the opponent claims the opposite
        sides.append(oppose(statement, objective.name))
    for side in sides:
        holding = open_holding(task.statement, side)
        if holding is not None and holding.followed(side.start) is not None:
            found = explore(side, find_followed=holding.followed)
            return _propose(statement, side, found, holding.table())
    return _search_all(task, statement)


def _propose_pairing(data: dict[str, Any], statement: Statement, pairing: list[list[str]]) -> Finding:
    """Offer as evidence the pairs of spots that the reading itself lists, without a search."""
    game, start = statement.game, statement.game.format_position(statement.start)
    pairs = [[s for spot in pair for s in game.parse_move(spot)] for pair in pairing]
    held = {"pairs": {start: pairs}}
    try:
        if Breaker(data, statement, held).followed(statement.start) is None:
            return Finding(Verdict.UNKNOWN, f"the pairs of spots do not prove the claim at the start, {start}")
    except CertificateError as error:
        return Finding(Verdict.UNKNOWN, str(error))
    digest, files = pack_table(Exploration(statement), held)
    return Finding(Verdict.PROVED, "", {"table": digest}, files)


def _search_all(task: Task, statement: Statement) -> Finding:
    try:
        solver, is_won = decide_start(
            task.statement, statement, task.resources.memory_mib, may_part=task.resources.may_part
        )
    except NodeLimitError as error:
        return Finding(Verdict.UNKNOWN, str(error))
    try:
        found, held = find_moves(task.statement, solver)
    except NodeLimitError as error:
        return Finding(Verdict.UNKNOWN, TOO_LARGE.format(player=solver.statement.claimant, error=error))
    if is_won and solver.symmetries is None and not held:
        return plays.propose_proof(statement, found)
    broken = next((at for at, edges in found.edges.items() if not edges and not has_ended(statement, at)), None)
    by_line = None if held or broken is None else _refute_by_line(solver.statement, statement, found, broken)
    return by_line or _propose(statement, solver.statement, found, held, solver.symmetries)


def decide_start(
    data: dict[str, Any], statement: Statement, memory_mib: int, *, may_part: bool = False
) -> tuple[Search, bool]:
    """Find out whether the claimant can force what a statement says.

    With ``may_part``, a search may start another process for a part of its work.

    Returns:
        A finished search, and whether the claimant can force what is claimed. If he can, the search finds his moves.
        Otherwise, it finds the moves with which the opponent refutes the claim.

    Raises:
        NodeLimitError: no search decides the statement within its limits. The message says how far a search came.
    """
    from verifier.search.retrograde import open_retrograde
    from verifier.search.threats.forced import open_search

    solver = open_search(data, statement, memory_mib)
    listed = None if solver is not None else open_retrograde(data, statement, memory_mib, may_part=may_part)
    reason = None
    if listed is not None:
        try:
            return listed.decide()
        except NodeLimitError as error:
            reason = error
    if not statement.has_number and not statement.game.is_over(statement.start):
        # ``Solver`` follows plays, so it would never leave a play that goes round and round.
        raise reason or NodeLimitError(NO_SEARCH)
    try:
        return _decide_by_plays(solver or Solver(statement), statement)
    except NodeLimitError as error:
        raise reason or error from None


def _decide_by_plays(solver: Solver | ThreatSearch, statement: Statement) -> tuple[Search, bool]:
    is_won = solver.is_won(statement.start)
    if not is_won:
        solver = solver.oppose()
        solver.is_won(statement.start)
    return solver, is_won


def find_moves(data: dict[str, Any], solver: Search) -> tuple[Exploration, dict[str, Any]]:
    """Explore the plays in which the claimant plays the solver's moves.

    Returns:
        The plays, and the entries that a table needs besides the moves of these plays, such as pairs of spots.

    Raises:
        NodeLimitError: a table of these plays would be too large.
    """
    from verifier.search.threats.forced import ThreatSearch

    statement, fold = solver.statement, None if solver.symmetries is None else solver.symmetries.least
    holding = open_holding(data, statement)
    if holding is not None:
        choose = functools.partial(holding.choose, is_won=solver.is_won)
        return explore(statement, choose, limit=MAX_TABLE, fold=fold, find_followed=holding.followed), holding.table()
    planned = solver.plan(MAX_TABLE) if isinstance(solver, ThreatSearch) else None
    if planned is not None:
        return planned, {}
    # The kernel keeps up to MAX_KEPT_POSITIONS positions, to show the plays. So first try a table of this size.
    with contextlib.suppress(NodeLimitError):
        return explore(statement, solver.choose, limit=MAX_KEPT_POSITIONS, fold=fold), {}
    try:  # a smaller table leaves out replies that lose at once
        followed, held = Finisher(data, statement).followed, {"wins": True}
    except CertificateError:
        followed, held = None, {}
    return explore(statement, solver.choose, limit=MAX_TABLE, fold=fold, find_followed=followed), held


def _propose(
    statement: Statement,
    side: Statement,
    found: Exploration,
    held: dict[str, Any],
    symmetries: Symmetries | None = None,
) -> Finding:
    """Offer a table of one side's moves: the claimant's as a proof, the opponent's as a refutation."""
    digest, files = pack_table(found, held)
    evidence: dict[str, Any] = {"table": digest}
    if symmetries is not None:
        evidence["symmetries"] = symmetries.generators
    if side.claimant == statement.claimant:
        return Finding(Verdict.PROVED, "", evidence, files)
    name = statement.objectives[0].name
    return Finding(
        Verdict.REFUTED, f"{name!r} fails", {"objective": name, **_begin(statement, side), **evidence}, files
    )


def _begin(statement: Statement, side: Statement) -> dict[str, str]:
    """Return the entry of the evidence that names the start of a refutation; empty if plays have only one start."""
    return {} if statement.given is None else {"start": statement.game.format_position(side.start)}


def _refute_by_line(side: Statement, statement: Statement, found: Exploration, broken: Any) -> Finding | None:
    """Offer a play to a position where a strategy breaks down; None if this play alone does not refute the reading."""
    line, objective = [statement.game.format_move(move) for move in found.line_to(broken)], statement.objectives[0]
    reason = explain_failure(replace(statement, start=side.start, given=None), objective, line)
    evidence = {"objective": objective.name, **_begin(statement, side), "line": line}
    return None if reason is None else Finding(Verdict.REFUTED, reason, evidence)


def show(task: Task, result: ReadingResult, evidence: Evidence) -> ReadingResult:
    """Show an example play if a table of the opponent's moves refutes the reading. Otherwise call ``plays.show``."""
    if result.verdict is not Verdict.REFUTED or "table" not in evidence:
        return plays.show(task, result, evidence)
    nodes, opposed = task.memo.last, oppose(plays.choose_start(task, evidence), evidence["objective"])
    if not nodes or (nodes[0].mover and not nodes[0].edges):
        return replace(result, notes=(f"no move is listed: {HELD_NOTE}",) if nodes else ())
    symmetries = Symmetries(task.statement, opposed, evidence["symmetries"]) if "symmetries" in evidence else None
    return replace(result, witness=make_example(opposed, nodes, result.reason, symmetries))
