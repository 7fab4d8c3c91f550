"""Put into words readings with the questions ``plays`` and ``can``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from verifier.language.reading import ReadingObjective
from verifier.presentation.saying import as_part, one_line, say_family, say_start
from verifier.questions.can.model import CanReading
from verifier.questions.plays.model import PlaysReading

TURNS: dict[Literal["both", "X", "O"], str] = {"both": "the player to move", "X": "X to move", "O": "O to move"}
"""Words for the turns at which the formulas of an invariant hold."""

MOMENTS = {"start": "at the start", "every": "in every position", "end": "at the end of the game"}
"""Words for the scopes that do not depend on a player or on a strategy."""


def say(reading: PlaysReading | CanReading) -> Iterator[str]:
    """Yield a line about the plays, and a line for each objective."""
    yield _say_plays(reading)
    for name, objective in reading.objectives.items():
        yield f"{name!r}: {_say_objective(reading, objective)}"


def say_invariant(reading: PlaysReading) -> Iterator[str]:
    """Yield the lines that say a reading's invariant, by the player to move; none if it has no invariant."""
    for turn, when in TURNS.items():
        kept = (reading.invariant or {}).get(turn)
        if kept:
            yield f"invariant, {when}: {'; '.join(kept if isinstance(kept, dict) else map(one_line, kept))}"


def _say_plays(reading: PlaysReading | CanReading) -> str:
    claimant, start, sides = reading.claimant, say_start(reading.start), []
    for player in ("X", "O"):
        strategy = reading.strategies.get(player)
        among = "any legal move" if strategy is None else f"by the strategy {strategy}"
        if isinstance(reading, CanReading) and player == claimant:
            among = f"the best moves{'' if strategy is None else f' that the strategy {strategy} allows'}"
        sides.append(f"{player} plays {among}")
    said = ", ".join(sides) + (f",{start}" if start else "")
    said += f", and from any other position where this holds: {one_line(reading.given)}" if reading.given else ""
    if isinstance(reading, PlaysReading):
        said += "" if reading.horizon is None else f"; only up to ply {reading.horizon}"
        said += "; and all images of these plays under the symmetries of the square" if reading.symmetric else ""
    # Scopes, and words such as ``mine``, depend on the claimant. Name him, unless the strategies show who he is.
    is_named = isinstance(reading, PlaysReading) and reading.player is not None
    return said + (f"; player: {claimant}" if is_named and len(reading.strategies) != 1 else "")


def _say_objective(reading: PlaysReading | CanReading, objective: ReadingObjective) -> str:
    claimant = reading.claimant
    who = f"{claimant} can play so that " if isinstance(reading, CanReading) else ""
    if objective.reach is not None:
        when = " at some time" if objective.by is None else f", by ply {objective.by} at the latest"
        return f"{who}every play comes to {as_part(objective.reach)}{when}"
    if objective.prevent is not None:
        end = "" if objective.by is None else f", through ply {objective.by}"
        return f"{who}no play comes to {as_part(objective.prevent)}{end}"
    moments = [_say_moment(at, claimant) for at in objective.scopes]
    if objective.some is not None:
        return f"in some play, {' or '.join(moments)}{say_family(objective.for_)}: {one_line(objective.some)}"
    return f"in all plays, {' and '.join(moments)}: {one_line(objective.keep)}"


def _say_moment(scope: str, claimant: str | None) -> str:
    """Say in words at which positions of a play an objective is tested. ``scope`` names these positions."""
    kind, _, label = scope.partition(":")
    if label:
        return f"{kind} each move by the {'rule' if '.' in label else 'phase'} {label}"
    if scope in MOMENTS:
        return MOMENTS[scope]
    players = {"claimant": claimant, "opponent": "O" if claimant == "X" else "X"}
    return f"when {players[scope] if claimant else f'the {scope}'} is to move"
