"""What a reading asks, in words: who plays how, from where, each objective and its plies; or what follows from what."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from verifier.language.model import StrategyFile
from verifier.language.questions import (
    Boards,
    Bound,
    Can,
    Count,
    Family,
    LineReading,
    Objective,
    Plays,
    Reading,
    Step,
    Steps,
    Sum,
    find_claimant,
)

if TYPE_CHECKING:
    from verifier.language.library import Library

MAX_SAID = 600
"""Maximum number of characters of what a reading asks beside a verdict; ``verifier show`` prints all of them."""

TURNS: dict[Literal["both", "X", "O"], str] = {"both": "the player to move", "X": "X to move", "O": "O to move"}
"""When the formulas of an invariant are kept, in words."""

STEPS: dict[Step, str] = {
    "none": "",
    "start": ", at the start of the game",
    "move": ", after {move}",
    "reply": ", after the move of {strategy}",
    "round": ", after {move} and the reply of {strategy}",
}
"""From which position conclusions are drawn, in words."""

REPLY_FIRST = ", after the move of {strategy} and {move}"
"""The same of a round that begins at the turn of the player with the strategy."""


def say_reading(reading: Reading) -> Iterator[str]:
    """Yield the lines that say what a reading asks; none for a conjunction, which asks what others ask."""
    start = _say_start(getattr(reading, "start", None))
    if isinstance(reading, Plays | Can):
        yield _say_plays(reading, start)
        for name, objective in reading.objectives.items():
            yield f"{name!r}: {_say_objective(reading, objective)}"
    elif isinstance(reading, Count):
        members = ", ".join(f"{name} in {_flat(values)}" for name, values in reading.for_.items())
        end = f" and end where {' and '.join(map(_flat, reading.conclude))}" if reading.conclude else ""
        line = " ".join(reading.line) or "no move"
        yield f"exactly {reading.count:,} of the lines {line}{start} are legal{end}: {members}"
    elif isinstance(reading, LineReading):
        yield f"line{start}: {' '.join(reading.line) or 'no move'}"
        for expression in reading.conclude:
            yield f"at its end: {_flat(expression)}"
    elif isinstance(reading, Bound):
        cases = ", in each of these cases:" if reading.cases else ""
        yield f"Xavier cannot force a win by ply {reading.bound}{cases}"
        for name, case in reading.cases.items():
            but = "" if case.but is None else f", without his first moves {' '.join(case.but)}"
            yield f"{name!r}: {_say_start(case.start).strip() or 'from the start'}{but}"
    elif isinstance(reading, Steps):
        yield from _say_steps(reading)
    elif isinstance(reading, Sum):
        yield from _say_sum(reading.sum)


def say_whole(library: Library, name: str, room: int = MAX_SAID) -> str:
    """Return what a reading, CLAIM/READING, asks, cut to ``room`` characters. A conjunction asks what its parts ask.

    This is what the reading says, whatever its title or a note claims.
    """
    claim, _, reading = name.partition("/")
    model = library.claim(claim).readings[reading]
    said = "; ".join(say_reading(model))
    for other in model.joins if not said else ():
        said += f"{'; ' * bool(said)}{other}: {say_whole(library, other, room - len(said))}"
        if len(said) > room:
            break
    return said if len(said) <= room else textwrap.shorten(said, max(room, 2), placeholder=" …")


def _say_sum(said: Boards) -> Iterator[str]:
    yield f"any number of boards side by side; the player who makes the very last move {said.last}"
    if said.count is not None:
        yield f"the quotient has {said.count} elements"
    if said.relations is not None:
        yield f"its relations: {', '.join(said.relations)}"
    if said.won is not None:
        yield f"the player who moved last wins exactly the types {', '.join(said.won)}"
    yield from (f"type {word}: {text}" for text, word in said.types.items())
    for text, wins in said.copies.items():
        yield f"1, 2, … times {text}: won by the {', '.join(wins)} player, over and over"


def say_invariant(reading: Reading) -> Iterator[str]:
    """Yield the lines that say a reading's invariant, by the player to move; none if it has no invariant."""
    given = reading.invariant if isinstance(reading, Plays) else None
    for turn, when in TURNS.items():
        kept = (given or {}).get(turn)
        if kept:
            yield f"invariant, {when}: {'; '.join(kept if isinstance(kept, dict) else map(_flat, kept))}"


def _say_plays(reading: Plays | Can, start: str) -> str:
    claimant, sides = find_claimant(reading), []
    for player in ("X", "O"):
        strategy = reading.strategies.get(player)
        among = "any legal move" if strategy is None else f"by {strategy}"
        if isinstance(reading, Can) and player == claimant:
            among = "whatever is best" if strategy is None else f"the best moves of {strategy}"
        sides.append(f"{player} plays {among}")
    said = f"plays: {', '.join(sides)}" + (f",{start}" if start else "")
    if isinstance(reading, Plays):
        said += f", and from any other position where this holds: {_flat(reading.given)}" if reading.given else ""
        said += "" if reading.horizon is None else f", up to ply {reading.horizon}"
        said += "; and all images of these under the symmetries of the square" if reading.symmetric else ""
    # Where strategies do not tell whose claim it is, scopes and words such as ``mine`` depend on it.
    is_named = isinstance(reading, Can) or reading.player is not None
    return said + (f"; player: {claimant}" if is_named and len(reading.strategies) != 1 else "")


def _say_objective(reading: Plays | Can, objective: Objective) -> str:
    claimant = find_claimant(reading)
    who = f"{claimant} can play so that " if isinstance(reading, Can) else ""
    if objective.reach is not None:
        return f"{who}every play comes to {_whole(objective.reach)}, by ply {objective.by} at the latest"
    if objective.prevent is not None:
        end = "" if objective.by is None else f", through ply {objective.by}"
        return f"{who}no play comes to {_whole(objective.prevent)}{end}"
    turns = {"claimant": claimant, "opponent": "O" if claimant == "X" else "X"}
    told = [f"{at} ({turns[at]} to move)" if claimant and at in turns else at for at in objective.scopes]
    if objective.some is not None:
        return f"in some play, at {' or '.join(told)}{_say_family(objective.for_)}: {_flat(objective.some)}"
    return f"in all plays, at {' and '.join(told)}: {_flat(objective.keep)}"


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule of a strategy in words.

    Attributes:
        says: what the file says that it does; may be empty.
        place: where the source has it; may be empty.
        rule: which move it names, and when, as the file writes it.
    """

    says: str
    place: str
    rule: str


def say_strategy(model: StrategyFile) -> dict[str, RuleWords]:
    """Return the rules of a strategy in words, by their labels: ``PHASE.RULE``."""
    told = {}
    for phase, body in model.phases.items():
        for name, rule in body.rules.items():
            when = " and ".join(_flat(part) for part in (body.when, rule.when) if part is not True)
            place = ", ".join(part for part in (body.place, rule.place) if part)
            moves = f"play {', '.join(map(_flat, rule.play))}" + (f" when {when}" if when else "")
            told[f"{phase}.{name}"] = RuleWords(_flat(rule.says or ""), place, moves)
    return told


def is_about_start(reading: Steps) -> bool:
    """Say whether a whole reading is about the start of the game."""
    return all(reading.step_of(part) == "start" for part in reading.steps.values())


def _say_steps(reading: Steps) -> Iterator[str]:
    where = "the start of the game" if is_about_start(reading) else "any position"
    own = "; player: O" if reading.claimant == "O" else ""
    yield f"said of {where}{_say_family(reading.for_)}{_say_given(reading.given)}{own}"
    for name, part in reading.steps.items():
        move = "any legal move" if part.play is None else f"the move [{', '.join(map(str, part.play))}]"
        is_reply_first = reading.step_of(part) == "round" and part.turn == reading.claimant
        said = REPLY_FIRST if is_reply_first else STEPS[reading.step_of(part)]
        step = said.format(move=move, strategy=reading.strategy)
        turn = f", {part.turn} to move" if part.turn else ""
        when = f"{_say_family(part.for_)}{turn}{_say_given(part.given)}{step}".removeprefix(", ")
        yield f"{name!r}: {when}{': ' * bool(when)}{_join(part.conclude)}"


def _say_family(family: Family) -> str:
    return "".join(f", for each {name} of {_flat(values)}" for name, values in family.items())


def _say_given(given: list[Any]) -> str:
    return f", where {_join(given)}" if given else ""


def _join(expressions: list[Any]) -> str:
    return " and ".join(map(_whole if len(expressions) > 1 else _flat, expressions))


def _say_start(start: str | list[str] | None) -> str:
    """Return where something starts; empty for the start of the game."""
    if isinstance(start, list):
        return f" after {' '.join(start)}" if start else ""
    return f" from {start}" if start else ""


def _flat(text: object) -> str:
    return " ".join(str(text).split())


def _whole(text: object) -> str:
    """Return an expression as one part of a sentence."""
    flat = _flat(text)
    return f"({flat})" if " " in flat else flat
