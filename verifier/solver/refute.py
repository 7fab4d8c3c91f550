"""Asks Z3 about each obligation that the kernel derived: is there a position that breaches the obligation?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.circuit import Circuit
from verifier.kernel.games import Game
from verifier.kernel.obligations import Obligations, Precondition
from verifier.solver.session import RESOURCE_LIMIT, Session, SolverAnswer

_POINT, _GOAL = "\tpoint", "\tgoal"
"""The names of two assumptions: a step is possible; an obligation is breached. No hypothesis can have these names."""

QUICK_LIMIT = RESOURCE_LIMIT // 10
"""Z3's ``rlimit`` for a first try, on an obligation or in the search for a position in which the hypotheses hold. If Z3
gives up, a second try can use ``RESOURCE_LIMIT``. For an obligation, the second try asks about each way to breach it
separately."""

ARITHMETIC = ("position.sums", "position.turn", "position.last")
"""Names of assumptions that count marks. Z3 is faster without them, and most obligations do not need them."""


@dataclass(slots=True)
class Outcome:
    """Z3's result for one part of a statement about steps.

    Attributes:
        part: the index of the part.
        reason: why the part is not proved; empty if it is proved.
        cores: for each obligation, the names of the hypotheses that its proof needs. To find them, names are dropped
            one by one, as long as a proof is left. If there is no proof at all, all names are listed.
        is_open: for each obligation, True if no proof was found.
        model: a position in which the hypotheses hold, and from which a step is possible; None if Z3 found none.
        refuting: a position that breaches an obligation; None if Z3 found none.
    """

    part: int
    reason: str = ""
    cores: list[tuple[str, ...]] = field(default_factory=list)
    is_open: list[bool] = field(default_factory=list)
    model: Any = None
    refuting: Any = None


def decide_parts(game: Game, obligations: Obligations, *, is_quick: bool = False) -> Iterator[Outcome]:
    """Yield the outcome of each part for which obligations were derived.

    If ``is_quick``, look only for breaches, not for a position in which the hypotheses hold. Also leave open the
    obligations that Z3 does not decide within ``QUICK_LIMIT``: they need counting, and the solver Exact counts
    better.
    """
    session = Session(game, obligations)
    for part in obligations.preconditions:
        with session.assuming(part.assumptions):
            outcome = _decide_breaches(obligations, part, session, is_quick=is_quick)
            yield outcome if outcome.reason or is_quick else _find_model(game, obligations, part, session, outcome)


def _find_model(
    game: Game, obligations: Obligations, part: Precondition, session: Session, outcome: Outcome
) -> Outcome:
    names = list(part.assumptions)
    with session.assuming({_POINT: [part.judged]}):
        answer = session.ask([*names, _POINT], want_model=True, resources=QUICK_LIMIT)
    if answer.outcome == "unknown":
        finder = Session(game, obligations, is_plain=False)
        with finder.assuming({**part.assumptions, _POINT: [part.judged]}):
            answer = finder.ask([*names, _POINT], want_model=True)
    outcome.model = answer.position
    if answer.outcome == "unsat":
        outcome.reason = _why_vacuous(part, session)
    elif answer.outcome == "unknown":
        outcome.reason = "Z3 reached its resource limit before it found a position in which the hypotheses hold"
    return outcome


def find_ways(circuit: Circuit, literal: int) -> list[int]:
    """If a literal stands for a disjunction, return the literals of the disjunction; otherwise the literal itself."""
    weights, bound = (literal < 0 and circuit.gates[-literal]) or ((), 1)
    return [-inner for inner, _ in weights] if bound == sum(weight for _, weight in weights) else [literal]


def _decide_breaches(obligations: Obligations, part: Precondition, session: Session, *, is_quick: bool) -> Outcome:
    outcome, names = Outcome(part.part), list(part.assumptions)
    for fails, breach in part.breaches:
        answer = _refute(names, breach, session, QUICK_LIMIT)
        core = {*answer.core}
        if answer.outcome == "unknown" and not is_quick:
            for way in find_ways(obligations.circuit, breach):
                answer = _refute(names, breach := way, session, RESOURCE_LIMIT)
                core |= {*answer.core}
                if answer.outcome != "unsat":
                    break
        if answer.outcome == "sat":
            with session.assuming({_GOAL: [breach]}):
                outcome.refuting = session.find_small_position([*names, _GOAL])
        if answer.outcome != "unsat":
            is_false = answer.outcome == "sat"
            outcome.reason = f"{fails!r} fails" if is_false else f"Z3 reached its resource limit at {fails!r}"
            if outcome.refuting is not None:
                return outcome
        outcome.cores.append(tuple(name for name in names if answer.outcome != "unsat" or name in core))
        outcome.is_open.append(answer.outcome != "unsat")
    return outcome


def _refute(names: list[str], breach: int, session: Session, resources: int) -> SolverAnswer:
    """Ask whether a breach can be true. If it cannot, the answer has a minimal core."""
    with session.assuming({_GOAL: [breach]}):
        answer = session.ask([*(name for name in names if name not in ARITHMETIC), _GOAL], resources=resources)
        if answer.outcome != "unsat":
            answer = session.ask([*names, _GOAL], resources=resources)
        return SolverAnswer("unsat", session.minimal_core(answer.core)) if answer.outcome == "unsat" else answer


def _why_vacuous(part: Precondition, session: Session) -> str:
    names = list(part.assumptions)
    answer = session.ask(names)
    if answer.outcome == "unsat":
        return f"vacuous: the hypotheses contradict each other: {', '.join(session.minimal_core(answer.core))}"
    return "vacuous: no step is possible under the hypotheses"
