"""Method ``bound``: a search finds the claimant's moves, and the kernel checks them against every reply.

In a small game that is a table of the whole play. That Xavier cannot force a win in ultimate tic-tac-toe is shown by
Olivia's replies down to a frontier, or by parts (``no_win``).
"""

from __future__ import annotations

from verifier.checkers.exhaustive import propose_proof
from verifier.checkers.finding import Finding, Task
from verifier.checkers.no_win import check_no_win
from verifier.kernel.statement import parse_statement
from verifier.kernel.verdict import Verdict
from verifier.search.solve import Solver
from verifier.search.walk import NodeLimitError, explore
from verifier.spec.model import Bound


def check_bound(task: Task) -> Finding:
    """Search for a strategy of the claimant.

    That none exists is answered ``unknown``: the evidence would be a strategy of the opponent, which is a claim of
    its own with the other player as claimant.
    """
    if isinstance(task.reading, Bound) and task.reading.no_win_by is not None:
        return check_no_win(task)
    statement = parse_statement(task.statement)
    solver = Solver(statement, statement.objectives[0])
    try:
        if not solver.is_won(statement.start):
            return Finding(Verdict.UNKNOWN, "no strategy of the claimant meets this; state it for the opponent")
        found = explore(statement, solver.choose)
    except NodeLimitError as error:
        return Finding(Verdict.UNKNOWN, str(error))
    return propose_proof(statement, found)
