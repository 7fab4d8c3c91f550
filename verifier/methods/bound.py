"""Method ``bound``: a search finds the claimant's moves, and the kernel checks them against every reply.

In a small game that is a table of the whole play. That Xavier cannot force a win in ultimate tic-tac-toe is shown by
Olivia's replies down to a frontier, or by parts (``no_win``).
"""

from __future__ import annotations

from verifier.kernel.check import oppose
from verifier.kernel.statement import Statement, parse_statement
from verifier.kernel.verdict import Verdict
from verifier.language.model import Bound
from verifier.methods.exhaustive import propose_proof
from verifier.methods.finding import Finding, Task, pack_table
from verifier.methods.no_win import check_no_win
from verifier.search.solve import Solver
from verifier.search.walk import NodeLimitError, explore


def check_bound(task: Task) -> Finding:
    """Search for a strategy of the claimant; where there is none, the opponent's refutes the reading."""
    if isinstance(task.reading, Bound) and task.reading.no_win_by is not None:
        return check_no_win(task)
    statement = parse_statement(task.statement)
    solver = Solver(statement, statement.objectives[0])
    try:
        if not solver.is_won(statement.start):
            return _refute(statement)
        found = explore(statement, solver.choose)
    except NodeLimitError as error:
        return Finding(Verdict.UNKNOWN, str(error))
    return propose_proof(statement, found)


def _refute(statement: Statement) -> Finding:
    """Offer the opponent's moves as a table.

    Raises:
        NodeLimitError: there are too many positions.
    """
    name = statement.objectives[0].name
    opposed = oppose(statement, name)
    solver = Solver(opposed, opposed.objectives[0])
    if not solver.is_won(opposed.start):
        return Finding(Verdict.UNKNOWN, "neither player's moves decide it: a strategy has no legal move somewhere")
    digest, files = pack_table(explore(opposed, solver.choose))
    return Finding(Verdict.REFUTED, f"{name!r} fails", {"objective": name, "table": digest}, files)
