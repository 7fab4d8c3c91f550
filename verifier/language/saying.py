"""What a reading asks, in words: who plays how, from where, each objective and its plies; or what follows from what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from verifier.language.model import (
    Bound,
    Case,
    Entailment,
    Exhaustive,
    Family,
    Force,
    Induction,
    Objective,
    Reading,
    Replay,
    Step,
    find_claimant,
)

TURNS: dict[Literal["both", "X", "O"], str] = {"both": "the player to move", "X": "X to move", "O": "O to move"}
"""When the formulas of an invariant are kept, in words."""

STEPS: dict[Step, str] = {
    "none": "",
    "start": ", at the start of the game",
    "move": ", after {move}",
    "reply": ", after the move of {strategy}",
    "round": ", after {move} and the reply of {strategy}",
    "reply-first": ", after the move of {strategy} and {move}",
}
"""From which position conclusions are drawn, in words."""


def say_reading(reading: Reading) -> Iterator[str]:
    """Yield what a reading asks, a line each; nothing of a conjunction, which asks what others do."""
    if isinstance(reading, Exhaustive | Force):
        yield _say_plays(reading)
        for name, objective in reading.objectives.items():
            yield f"{name!r}: {_say_objective(reading, objective)}"
    elif isinstance(reading, Replay):
        start = f" from {reading.start}" if reading.start else ""
        yield f"line{start}: {' '.join(reading.line) or 'no move'}"
        for expression in reading.holds:
            yield f"at its end: {_flat(expression)}"
    elif isinstance(reading, Bound):
        cases = ", in each of these cases:" if reading.cases else ""
        yield f"Xavier cannot force a win by ply {reading.no_win_by}{cases}"
        for name, case in reading.cases.items():
            yield f"{name!r}: {_say_case(case)}"
    elif isinstance(reading, Induction | Entailment):
        yield from _say_steps(reading)


def say_invariant(reading: Reading) -> Iterator[str]:
    """Yield the invariant that a reading gives, a line for each player to move; nothing where it gives none."""
    given = reading.invariant if isinstance(reading, Exhaustive) else None
    for turn, when in TURNS.items():
        kept = (given or {}).get(turn)
        if kept:
            yield f"invariant, {when}: {'; '.join(kept if isinstance(kept, dict) else map(_flat, kept))}"


def _say_plays(reading: Exhaustive | Force) -> str:
    claimant = find_claimant(reading)
    sides = []
    for player in ("X", "O"):
        strategy = reading.strategies.get(player)
        among = "any legal move" if strategy is None else f"by {strategy}"
        if isinstance(reading, Force) and player == claimant:
            among = "whatever is best" if strategy is None else f"the best moves of {strategy}"
        sides.append(f"{player} plays {among}")
    start = f", from {reading.start}" if reading.start else ""
    images = ""
    if isinstance(reading, Exhaustive):
        members = " and ".join(f"{name} = {value}" for name, value in reading.members.items())
        sides = [side + f", where {members}" * (bool(members) and " plays by " in side) for side in sides]
        start = f", after {' '.join(reading.after)}" if reading.after else start
        start += f", and from any other position where this holds: {_flat(reading.given)}" if reading.given else ""
        images = "; and all images of these under the symmetries of the square" if reading.symmetric else ""
    horizon = getattr(reading, "horizon", None)
    end = "" if horizon is None else f", up to ply {horizon}"
    # Where strategies do not tell whose claim it is, scopes and words such as ``mine`` depend on it.
    own = f"; claimant: {claimant}" if reading.claimant is not None and len(reading.strategies) != 1 else ""
    return f"plays: {', '.join(sides)}{start}{end}{images}{own}"


def _say_objective(reading: Exhaustive | Force, objective: Objective) -> str:
    claimant = find_claimant(reading)
    who = f"{claimant} can play so that " if isinstance(reading, Force) else ""
    if objective.reach is not None:
        return f"{who}every play comes to {_whole(objective.reach)}, by ply {objective.by} at the latest"
    if objective.prevent is not None:
        return f"{who}no play comes to {_whole(objective.prevent)}, through ply {objective.through}"
    turns = {"claimant": claimant, "opponent": "O" if claimant == "X" else "X"}
    named = [objective.at] if isinstance(objective.at, str) else list(objective.at or ())
    told = [f"{scope} ({turns[scope]} to move)" if claimant and scope in turns else scope for scope in named]
    scopes = (" and " if objective.some is None else " or ").join(told)
    if objective.some is not None:
        return f"in some play, at {scopes}{_say_family(objective.for_)}: {_flat(objective.some)}"
    kept = f"what {objective.holds} says" if objective.holds is not None else _flat(objective.keep)
    return f"in all plays, at {scopes}: {kept}"


def is_about_start(reading: Induction | Entailment) -> bool:
    """Say whether all that a reading says is said of the start of the game."""
    common = reading.step if isinstance(reading, Induction) else "start" if reading.at == "start" else "none"
    return all((part.step or common) == "start" for part in reading.parts.values())


def _say_steps(reading: Induction | Entailment) -> Iterator[str]:
    common: Step = "none"
    own = strategy = ""
    if isinstance(reading, Induction):
        common, strategy = reading.step, str(reading.strategy)
        own = "; claimant: O" if reading.claimant == "O" else ""
    elif reading.at == "start":
        common = "start"
    where = "the start of the game" if is_about_start(reading) else "any position"
    yield f"said of {where}{_say_family(reading.for_)}{_say_given(reading.given)}{own}"
    for name, part in reading.parts.items():
        move = "any legal move" if part.plays is None else f"the move [{', '.join(map(str, part.plays))}]"
        step = STEPS[part.step or common].format(move=move, strategy=strategy)
        turn = f", {part.turn} to move" if part.turn else ""
        unless = "" if part.unless is False else f", unless {_whole(part.unless)}"
        when = f"{_say_family(part.for_)}{turn}{_say_given(part.given)}{step}".removeprefix(", ")
        yield f"{name!r}: {when}{': ' * bool(when)}{_join(part.conclude)}{unless}"


def _say_family(family: Family) -> str:
    return "".join(f", for each {name} of {_flat(values)}" for name, values in family.items())


def _say_given(given: list[Any]) -> str:
    return f", where {_join(given)}" if given else ""


def _join(expressions: list[Any]) -> str:
    return " and ".join(map(_whole if len(expressions) > 1 else _flat, expressions))


def _say_case(case: Case) -> str:
    start = f"from {case.start}" if case.start else f"after {' '.join(case.after)}" if case.after else "from the start"
    if case.but is not None:
        return f"{start}, but for his first moves {' '.join(case.but)}"
    return start if case.first is None else f"{start}, once he plays one of {' '.join(case.first)}"


def _flat(text: object) -> str:
    return " ".join(str(text).split())


def _whole(text: object) -> str:
    """Return an expression as one part of a sentence."""
    flat = _flat(text)
    return f"({flat})" if " " in flat else flat
