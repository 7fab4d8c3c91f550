"""Put into words a reading with the question ``steps``."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.language.shape import PlayedMove
from verifier.presentation.saying import join_expressions, say_family, say_given, say_move
from verifier.questions.steps.model import Step, StepsReading

STEP_WORDS: dict[Step, str] = {
    "none": "",
    "start": "at the start of the game",
    "move": "after {move}",
    "reply": "after the move of {strategy}",
    "round": "after {move} and the reply of {strategy}",
}
"""For each kind of step, words that say when the conclusions hold; empty if they are about the position itself."""

REPLY_FIRST = "after the move of {strategy} and {move}"
"""The words for a round in which the player with the strategy moves first."""


def say(reading: StepsReading) -> Iterator[str]:
    """Yield a line about what all entries have in common, and a line for each entry."""
    where = "the start of the game" if _is_about_start(reading) else "any position"
    own = "; player: O" if reading.side == "O" else ""
    yield f"about {where}{say_family(reading.for_)}{say_given(reading.given)}{own}"
    for name, part in reading.steps.items():
        move = "any legal move" if part.play is None else _say_move(part.play)
        is_reply_first = reading.step_of(part) == "round" and part.turn == reading.side
        said = REPLY_FIRST if is_reply_first else STEP_WORDS[reading.step_of(part)]
        step = said.format(move=move, strategy=reading.strategy)
        turn = f", {part.turn} is to move" if part.turn else ""
        before = f"{say_family(part.for_)}{turn}{say_given(part.given)}".removeprefix(", ")
        when = "; ".join(filter(None, [before, step]))
        yield f"{name!r}: {when}{': ' * bool(when)}{join_expressions(part.conclude)}"


def say_about(reading: StepsReading) -> str:
    """Say in half a sentence what the reading asks, about every position or only about the start of the game."""
    if _is_about_start(reading):
        return "what holds at the start of the game"
    return "what holds in every position that satisfies the hypotheses, or after a step from it"


def _say_move(play: PlayedMove) -> str:
    return f"the move {say_move(play)}" if isinstance(play, dict) else f"the move [{say_move(play)}]"


def _is_about_start(reading: StepsReading) -> bool:
    return all(reading.step_of(part) == "start" for part in reading.steps.values())
