"""What a reading asks, in words: who plays how, from where, and every objective with its plies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from verifier.language.model import Bound, Case, Exhaustive, Force, Objective, Reading, Replay, find_claimant

TURNS: dict[Literal["both", "X", "O"], str] = {"both": "whoever is to move", "X": "X to move", "O": "O to move"}
"""When the formulas of an invariant are kept, in words."""


def say_reading(reading: Reading) -> Iterator[str]:
    """Yield what a reading asks, a line each; nothing of what is no question about plays."""
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
        members = [f"{name} = {value}" for name, value in reading.members.items()]
        sides[-1] += f", where {' and '.join(members)}" if members else ""
        start = f", after {' '.join(reading.after)}" if reading.after else start
        start += f", and from any other position where this holds: {_flat(reading.given)}" if reading.given else ""
        images = "; and all images of these under the symmetries of the square" if reading.symmetric else ""
    horizon = getattr(reading, "horizon", None)
    end = "" if horizon is None else f", up to ply {horizon}"
    stop = "" if reading.stop is None else f", until {_whole(reading.stop)}"
    return f"plays: {', '.join(sides)}{start}{end}{stop}{images}"


def _say_objective(reading: Exhaustive | Force, objective: Objective) -> str:
    who = f"{find_claimant(reading)} can play so that " if isinstance(reading, Force) else ""
    if objective.reach is not None:
        return f"{who}every play comes to {_whole(objective.reach)}, by ply {objective.by} at the latest"
    if objective.prevent is not None:
        return f"{who}no play comes to {_whole(objective.prevent)}, through ply {objective.through}"
    scopes = objective.at if isinstance(objective.at, str) else ", ".join(objective.at or ())
    if objective.some is not None:
        each = "".join(f", for each {name} of {_flat(values)}" for name, values in objective.for_.items())
        return f"in some play, at {scopes}{each}: {_flat(objective.some)}"
    kept = f"what {objective.holds} says" if objective.holds is not None else _flat(objective.keep)
    return f"in all plays, at {scopes}: {kept}"


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
