"""The rule sets in words, read off their options: what a reader has to know to follow a board or a play."""

from __future__ import annotations

from verifier.kernel.games import Game
from verifier.kernel.games.threesome4x4 import Threesome
from verifier.kernel.games.ultimate import Ultimate


def name_rules(game: Game) -> str:
    """Say in a few words which game, and which of its rule sets, this is."""
    if isinstance(game, Ultimate):
        if game.closed:
            reach = "any free spot of the board" if game.free_reaches_decided else "any open field"
            return f"Ultimate Tic-Tac-Toe in which nobody is held in a decided field; a free choice reaches {reach}"
        ending = ", and play goes on after a win" if game.play_on else ""
        return f"Ultimate Tic-Tac-Toe as the paper plays it{ending}"
    if isinstance(game, Threesome):
        return "The 4×4 game, " + _threesome_options(game)
    return "Ordinary tic-tac-toe"


def state_rules(game: Game) -> tuple[str, ...]:
    """Return the rules of a rule set, a sentence or two each."""
    if isinstance(game, Ultimate):
        return tuple(_ultimate(game))
    if isinstance(game, Threesome):
        return tuple(_threesome(game))
    return (
        "Nine spots in three rows, numbered 0 to 8 row by row.",
        "X and O mark a free spot in turn; X begins.",
        "Whoever first has three marks in a row, a column or a diagonal has won. A full board without that is a draw.",
    )


def _ultimate(game: Ultimate) -> list[str]:
    if not game.closed:
        closing = [
            "Whoever is sent to a full field plays on any free spot of the board.",
            "Whoever first has three marks in a row, a column or a diagonal of a field owns it for good. A field that "
            "somebody owns is played on while it has a free spot, without effect on its owner, and players are sent "
            "there as before.",
        ]
    else:
        reach = (
            "plays on any free spot of the board, in decided fields too"
            if game.free_reaches_decided
            else "plays on any free spot of a field that is neither owned nor full"
        )
        closing = [
            "Whoever first has three marks in a row, a column or a diagonal of a field owns it for good.",
            f"Nobody is held in a field that somebody owns, or that is full: whoever is sent there {reach}.",
        ]
    ending = (
        "Three owned fields in a line do not end the game: play goes on while there is room."
        if game.play_on
        else "Whoever first owns three fields in a row, a column or a diagonal has won, and the game is over. Where "
        "nobody can move and nobody has won, it is a draw."
    )
    return [
        "The board has nine fields in three rows of three, numbered 0 to 8 row by row; each field has nine spots, "
        "numbered alike. The move f.s marks spot s of field f; the paper writes (f, s).",
        "Xavier (X) and Olivia (O) mark a free spot in turn. Xavier begins, on any spot of the board.",
        "The spot of a move is the number of the field in which the other has to play next.",
        *closing,
        ending,
    ]


_LINES = {
    "neighbours": "three neighbouring spots of a row, a column or a diagonal",
    "neighbours-long-lines": "three neighbouring spots of a row, a column or one of the two long diagonals",
    "neighbours-rows-columns": "three neighbouring spots of a row or a column",
    "any-three": "any three spots of a row, a column or a diagonal",
    "any-three-long-lines": "any three spots of a row, a column or one of the two long diagonals",
    "exactly-three-neighbours": "three neighbouring spots of a row, a column or a diagonal, and no fourth beside them",
}


def _threesome_options(game: Threesome) -> str:
    return {
        "": f"X's threesome on the eighth turn {'wins' if game.eighth_wins else 'loses'}",
        "last": "come-back: O answers X's eighth turn",
        "answer": "come-back: every threesome waits for an answer",
    }[game.comeback]


def _threesome(game: Threesome) -> list[str]:
    """The text of the source gives no rules in full; these are what the options of a candidate amount to."""
    eighth = "but for X's on his eighth turn, with which he wins" if game.eighth_wins else "on X's eighth turn as well"
    ends = {
        "": "X's eighth turn is the last; without a threesome it is a draw.",
        "last": "After X's eighth turn O places the sixteenth and last mark. If both have a threesome then, it is a "
        "draw; if O alone has one, or nobody, too.",
        "answer": "A threesome counts only after the opponent's next mark: if that completes one as well, the game is "
        "over and a draw. After the sixteenth mark, which is the last, a threesome of O's alone counts for nobody: a "
        "draw, as is a board without one.",
    }[game.comeback]
    if game.has_sixteenth:
        ends = "O has an eighth turn too, and loses by a threesome there; without one it is a draw."
    return [
        "Sixteen spots in four rows of four; r,c is the spot in row r and column c, both from 1 to 4.",
        "X and O mark a free spot in turn; X begins.",
        f"A threesome is three marks of one player on {_LINES[game.threesome]}.",
        f"Whoever completes a threesome loses, {eighth}.",
        ends,
    ]
