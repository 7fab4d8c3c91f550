"""Ask for each obligation that the kernel derived whether something breaches it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.circuit import Circuit
from verifier.kernel.games import Game
from verifier.kernel.obligations import Obligations, Precondition
from verifier.solver.session import RESOURCE_LIMIT, Answer, Session

_POINT, _GOAL = "\tpoint", "\tgoal"
"""Names that no hypothesis has."""

QUICK_LIMIT = RESOURCE_LIMIT // 10
"""What a question may use before its obligation is asked for one way after the other in which it can be breached."""

ARITHMETIC = ("position.sums", "position.turn", "position.last")
"""What counts all marks: questions without it are answered faster, and most obligations do not need it."""


@dataclass(slots=True)
class Outcome:
    """What the solver said of one part.

    Attributes:
        part: its index.
        reason: why it is neither shown nor refuted; empty where it is one of them.
        cores: for each obligation, the names of the hypotheses that its proof needs, minimal by deletion; all of them
            where none was found.
        is_open: for each obligation, whether no proof was found.
        model: a position in which the hypotheses hold, and from which a step is possible.
        refuting: a position that breaches an obligation; None: there is none.
    """

    part: int
    reason: str = ""
    cores: list[tuple[str, ...]] = field(default_factory=list)
    is_open: list[bool] = field(default_factory=list)
    model: Any = None
    refuting: Any = None


def decide_parts(game: Game, obligations: Obligations, *, is_quick: bool = False) -> Iterator[Outcome]:
    """Decide on the parts for which obligations were derived, one after the other.

    Quickly means that breaches alone are decided, and no position is looked for in which the hypotheses hold. What Z3
    does not decide at once then stays open: Exact counts better.
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
        outcome.reason = "resource limit: no position is found in which the hypotheses hold"
    return outcome


def ways(circuit: Circuit, literal: int) -> list[int]:
    """Return the literals of which one is true where a disjunction is; of any other literal, itself."""
    weights, bound = (literal < 0 and circuit.gates[-literal]) or ((), 1)
    return [-inner for inner, _ in weights] if bound == sum(weight for _, weight in weights) else [literal]


def _decide_breaches(obligations: Obligations, part: Precondition, session: Session, *, is_quick: bool) -> Outcome:
    outcome, names = Outcome(part.part), list(part.assumptions)
    for fails, breach in part.breaches:
        answer = _refute(names, breach, session, QUICK_LIMIT)
        core = {*answer.core}
        if answer.outcome == "unknown" and not is_quick:
            for way in ways(obligations.circuit, breach):
                answer = _refute(names, breach := way, session, RESOURCE_LIMIT)
                core |= {*answer.core}
                if answer.outcome != "unsat":
                    break
        if answer.outcome == "sat":
            with session.assuming({_GOAL: [breach]}):
                outcome.refuting = session.find_small_position([*names, _GOAL])
        if answer.outcome != "unsat":
            outcome.reason = f"{fails!r} fails" if answer.outcome == "sat" else f"resource limit at {fails!r}"
            if outcome.refuting is not None:
                return outcome
        outcome.cores.append(tuple(name for name in names if answer.outcome != "unsat" or name in core))
        outcome.is_open.append(answer.outcome != "unsat")
    return outcome


def _refute(names: list[str], breach: int, session: Session, resources: int) -> Answer:
    """Ask whether a breach can be true; where it cannot, the core is minimal."""
    with session.assuming({_GOAL: [breach]}):
        answer = session.ask([*(name for name in names if name not in ARITHMETIC), _GOAL], resources=resources)
        if answer.outcome != "unsat":
            answer = session.ask([*names, _GOAL], resources=resources)
        return Answer("unsat", session.minimal_core(answer.core)) if answer.outcome == "unsat" else answer


def _why_vacuous(part: Precondition, session: Session) -> str:
    names = list(part.assumptions)
    answer = session.ask(names)
    if answer.outcome == "unsat":
        return f"vacuous: the hypotheses contradict each other: {', '.join(session.minimal_core(answer.core))}"
    return "vacuous: no step is possible under the hypotheses"
