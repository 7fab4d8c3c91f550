"""A position of a game, with its legal moves and a drawing; and several such boards side by side."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from verifier.kernel.games import Game
from verifier.presentation.registry import find_presentation
from verifier.presentation.svg import draw_svg
from verifier.report.printable import make_printable


@dataclass(frozen=True, slots=True)
class Board:
    """A position of a game. It is immutable.

    Moves and positions are strings, written as in specs. A notebook draws a board; ``print`` writes it as text.

    >>> import verifier
    >>> board = verifier.load().board("tictactoe")
    >>> board.legal_moves
    ('0', '1', '2', '3', '4', '5', '6', '7', '8')
    >>> after = board.play("4", "0", "8")
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
    """

    game: Game
    state: Any
    last: str = ""

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
        """Whether the game has ended: by a win, or because nobody can move."""
        return self.game.is_over(self.state)

    @property
    def winner(self) -> str:
        """The winner, ``X`` or ``O``; empty if nobody has won."""
        return next((mark for mark in "XO" if self.game.compile_atom(f"{mark}_wins", ())(self.state, self.state)), "")

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves; empty if the game is over."""
        return tuple(map(self.game.format_move, self.game.legal_moves(self.state)))

    def play(self, *moves: str | float) -> Board:
        """Return the board after some moves.

        Args:
            moves: the moves in order: ``"4.0"`` on nine fields, ``"4"`` on a single board. A number is accepted too.

        Raises:
            NotationError: a text is not a move of this game.
            IllegalMoveError: a move is not legal; ``reason`` says which rule forbids it.
        """
        board = self
        for text in moves:
            move = board.game.parse_move(str(text))
            board = Board(board.game, board.game.play(board.state, move), str(text))
        return board

    def draw(self, *, colour: bool = False, numbers: bool = False) -> str:
        """Return the board as lines of text.

        Args:
            colour: use a terminal's colours for marks and fields.
            numbers: print the number of each field above it, if there are nine fields.
        """
        return find_presentation(self.game).draw_text(self.state, self._last, colour=colour, numbers=numbers)

    def svg(self, title: str = "") -> str:
        """Return the board as an SVG file.

        Args:
            title: a title for screen readers; if it is empty, the title says who moves next.
        """
        return draw_svg(self.game, self.state, self._last, title=title, is_still=True, standalone=True)

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
    """Boards with captions. A notebook draws them side by side.

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

    def __repr__(self) -> str:
        return f"<Boards: {'; '.join(said for said, _ in self.boards)}>"

    def _repr_html_(self) -> str:
        figure = '<figure style="flex: 0 0 10rem; margin: 0">{}<figcaption>{}</figcaption></figure>'
        drawn = "".join(figure.format(board.svg(), escape(said)) for said, board in self.boards)
        said = f"<p>{escape(make_printable(self.title))}</p>" if self.title else ""
        return f'{said}<div style="display: flex; flex-wrap: wrap; gap: 1rem">{drawn}</div>'
