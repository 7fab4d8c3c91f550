"""Witnesses for the page: a board that can be stepped through, and the same as a picture and a list of moves."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from markupsafe import Markup

from verifier.kernel.certificate import hash_bytes
from verifier.kernel.errors import IllegalMoveError
from verifier.kernel.games import Game
from verifier.kernel.words import counted
from verifier.methods.result import Counterexample, Line
from verifier.methods.result import Witness as Found
from verifier.presentation.registry import show
from verifier.presentation.svg import draw_svg

_FAILS = "The step fails"


class Witness(NamedTuple):
    """A witness as it is drawn.

    Attributes:
        text: what it shows, in sentences.
        board: the last position, drawn.
        before: the position before the moves, drawn, where it is not a start of a game.
        steps: JSON for the page's script: each position, what it shows, the last move, and the words for it.
        ply: how many marks stand on the board in the end.
        moves: every move, with its number and player.
        reached_by: the moves from the start to a counterexample's position.
        blank: the board in full, on which the page's script can show every step; None where there is none to show.
    """

    kind: str
    heading: str
    text: tuple[str, ...]
    board: Markup
    before: Markup | None
    steps: str
    ply: int
    moves: tuple[tuple[int, str, str], ...]
    reached_by: tuple[str, ...] = ()
    blank: Markup | None = None

    @property
    def blank_name(self) -> str:
        """What the page calls the board in full: equal boards stand there once."""
        return hash_bytes((self.blank or "").encode())[:8]


def draw_witness(game: Game, data: Found, first: int = 1) -> Witness:
    """Return a reading's witness as the page shows it.

    The first mark of a game may have another number than 1, as in a diagram of the source.
    """
    is_line = isinstance(data, Line)
    position = game.parse_position(data.start if isinstance(data, Line) else data.position)
    from_start = position == game.start
    steps = [_step(game, position, None)]
    moves: list[tuple[int, str, str]] = []
    plies: dict[str, int] = {}
    last, start, broken = None, position, ""
    for text in data.moves:
        ply, mover, move = game.ply(position) + first, game.turn(position), game.parse_move(text)
        try:
            position, last = game.play(position, move), move
        except IllegalMoveError as error:
            broken = f"{mover} {text} is not a legal move: {error.reason}."
            break
        moves.append((ply, mover, text))
        plies[text] = ply
        steps.append(_step(game, position, text))
    board = draw_svg(game, position, last, plies=plies if is_line else None, is_still=True)
    words = [_sentence(data.reason)] if isinstance(data, Line) else _counterexample_words(data)
    return Witness(
        kind=data.kind,
        heading=f"A {'game' if from_start else 'line'} of {counted(len(data.moves), 'move')}" if is_line else _FAILS,
        text=(*words, *([broken] if broken else [])),
        board=Markup(board),  # noqa: S704 - drawn by svg.py, which escapes what it is given
        before=Markup(draw_svg(game, start, is_still=True)) if moves and not from_start else None,  # noqa: S704 - the same
        steps=json.dumps(steps, separators=(",", ":")),
        ply=game.ply(position),
        moves=tuple(moves),
        reached_by=() if isinstance(data, Line) else data.line or (),
        blank=Markup(draw_svg(game, game.start)) if moves else None,  # noqa: S704 - the same
    )


def _step(game: Game, position: Any, move: str | None) -> list[Any]:
    """Return what the page's script shows (``readSteps`` of ``board.js``)."""
    shown = show(game)
    look = shown.look(position)
    ends = [look.lines, look.aligned] if look.lines else []
    return [look.marks, look.owners, " ".join(look.active), move, shown.say_turn(position), *ends]


def _counterexample_words(data: Counterexample) -> list[str]:
    where = f"After {', '.join(data.moves)} it" if data.moves else "It"
    reach = {
        None: "Whether legal play reaches it is open: the search ended without an answer.",
        True: "Legal play reaches it.",
        False: "No legal play reaches it: it refutes this step and nothing more.",
    }
    what = f"{where} fails at:" if data.is_conclusion else f"After {', '.join(data.moves)}:" if data.moves else "But:"
    first = f"This position satisfies the stated hypotheses of “{data.part}”. {what}"
    return [first, data.fails, reach[data.reachable]]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "…")) else ".")
