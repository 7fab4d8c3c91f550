"""A ``Board`` is a position of a game: it gives the moves, the value and a drawing of the position.

``Boards`` are several boards side by side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import Any

from verifier.api.value import Value, find_value
from verifier.kernel.errors import IllegalMoveError, NotationError
from verifier.kernel.games import Game
from verifier.presentation.drawn import Drawings
from verifier.presentation.registry import find_presentation
from verifier.presentation.svg import draw_svg
from verifier.report.printable import make_printable
from verifier.search.resources import DEFAULT_MEMORY_MIB

MoveValue = str | float | tuple[int, ...]
"""A move as its text, or as the integers in its text."""


@dataclass(frozen=True, slots=True)
class Board:
    """A position of a game. It is immutable.

    Moves and positions are texts, written as in specs. A move can also be given as integers, for example as (4, 0) for
    4.0. A notebook draws a board; ``print`` writes it as text.

    >>> import verifier
    >>> board = verifier.load().board("tictactoe")
    >>> [*board.moves]
    ['0', '1', '2', '3', '4', '5', '6', '7', '8']
    >>> after = board.play(4, 0, 8)
    >>> print(after)
     O  .  .
     .  X  .
     .  . [X]
    >>> after.turn, after.ply, after.position
    ('O', 3, 'O...X...X')
    >>> after.play("4")
    Traceback (most recent call last):
    verifier.kernel.errors.IllegalMoveError: 4: the spot is taken in O...X...X

    Attributes:
        game: the rules, as the kernel's object.
        state: the position, as the kernel's object.
        last: the last move; empty if it is not known.
        drawings: how to draw games whose rules have the clause ``drawn``.
    """

    game: Game
    state: Any
    last: str = ""
    drawings: Drawings = field(default_factory=dict, repr=False, compare=False)

    @property
    def position(self) -> str:
        """The position, written as in specs and certificates."""
        return self.game.format_position(self.state)

    @property
    def ply(self) -> int:
        """The number of moves made so far."""
        return self.game.ply(self.state)

    @property
    def turn(self) -> str:
        """The player who moves next, ``X`` or ``O``; empty if the game is over."""
        return "" if self.is_over else self.game.turn(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: by a rule, such as a rule about a win, or because nobody can move."""
        return self.game.is_over(self.state)

    @property
    def winner(self) -> str:
        """The winner, ``X`` or ``O``; empty if nobody has won."""
        return next((mark for mark in "XO" if self.game.compile_atom(f"{mark}_wins", ())(self.state, self.state)), "")

    @property
    def moves(self) -> dict[str, tuple[int, ...]]:
        """The legal moves, each with the integers in its text; empty if the game is over."""
        texts = map(self.game.format_move, self.game.legal_moves(self.state))
        return {text: tuple(map(int, re.findall(r"[0-9]+", text))) for text in texts}

    def play(self, *moves: MoveValue) -> Board:
        """Return the board after some moves.

        Args:
            moves: the moves in order. Each move is its text, such as ``"4"`` on a single board or ``"4.0"`` on nine
                fields, or the integers in its text: ``4`` or ``(4, 0)``.

        Raises:
            NotationError: a text is not a move of this game, or several moves have the given integers.
            IllegalMoveError: a move is not legal; ``reason`` says which rule forbids it.
        """
        board = self
        for given in moves:
            text = given if isinstance(given, str) else board._find_text(given)
            board = Board(board.game, board.game.play(board.state, board.game.parse_move(text)), text, board.drawings)
        return board

    def _find_text(self, given: float | tuple[int, ...]) -> str:
        """Return the text of the legal move that has the given integers.

        If a single number is given, and no legal move has it, return the number as text: ``play`` then says why the
        move is not legal.
        """
        numbers = given if isinstance(given, tuple) else (given,)
        found = [text for text, own in self.moves.items() if own == numbers]
        if len(found) > 1:
            raise NotationError(f"{given} can be any of {', '.join(found)}: write the move as text")
        if not found and isinstance(given, tuple):
            raise IllegalMoveError("not-allowed", f"no legal move has the integers {given} in {self.position}")
        return found[0] if found else str(given)

    def value(self, memory_mib: int = DEFAULT_MEMORY_MIB) -> Value:
        """Search for the result of best play from here. The result is not evidence: the kernel does not check it.

        >>> import verifier
        >>> verifier.load().board("chomp-3-3").value()
        <Value: X wins in 6 plies>

        Args:
            memory_mib: the size of the tables of the search, in MiB.
        """
        return find_value(self.game, self.state, self.winner, memory_mib)

    def draw(self, *, colour: bool = False, numbers: bool = False) -> str:
        """Return the board as lines of text.

        Args:
            colour: use a terminal's colours for marks and fields.
            numbers: print the number of each field above it, if there are nine fields.
        """
        shown = find_presentation(self.game, self.drawings)
        return shown.draw_text(self.state, self._last, colour=colour, numbers=numbers)

    def svg(self, title: str = "") -> str:
        """Return the board as an SVG file.

        Args:
            title: a title for screen readers; if it is empty, the title says who moves next.
        """
        drawn = self.drawings
        return draw_svg(self.game, self.state, self._last, title=title, is_still=True, standalone=True, drawings=drawn)

    @property
    def _last(self) -> tuple[int, ...] | None:
        return self.game.parse_move(self.last) if self.last else None

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        return f"<Board {self.position}>"

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(frozen=True, slots=True)
class Boards:
    """Boards with captions. A notebook draws them side by side; ``print`` writes one below the other.

    >>> import verifier
    >>> board = verifier.load().board("tictactoe")
    >>> verifier.Boards((("at first", board), ("the centre", board.play("4"))))
    <Boards: at first; the centre>

    Attributes:
        boards: pairs of a caption and a board.
        title: a sentence above the boards.
    """

    boards: tuple[tuple[str, Board], ...]
    title: str = ""

    def __str__(self) -> str:
        drawn = (f"{said}:\n{board}" for said, board in self.boards)
        return "\n\n".join([self.title] * bool(self.title) + [*drawn])

    def __repr__(self) -> str:
        return f"<Boards: {'; '.join(said for said, _ in self.boards)}>"

    def _repr_html_(self) -> str:
        figure = '<figure style="flex: 0 0 10rem; margin: 0">{}<figcaption>{}</figcaption></figure>'
        drawn = "".join(figure.format(board.svg(), escape(said)) for said, board in self.boards)
        said = f"<p>{escape(make_printable(self.title))}</p>" if self.title else ""
        return f'{said}<div style="display: flex; flex-wrap: wrap; gap: 1rem">{drawn}</div>'
