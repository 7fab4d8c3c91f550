"""The rules of a game in words, read off its data: what a reader has to know to follow a board or a play."""

from __future__ import annotations

from typing import Any

from verifier.kernel.games import Game
from verifier.kernel.games.nested import Nested
from verifier.kernel.games.positional import Positional
from verifier.spec.rulesets import name_of, runs, straight_lines, threesomes


def name_rules(game: Game) -> str:
    """Say in a few words which game, and which of its rule sets, this is."""
    if isinstance(game, Nested):
        if game.closed:
            reach = "any free spot of the board" if game.free_reaches_decided else "any open field"
            return f"Ultimate Tic-Tac-Toe in which nobody is held in a decided field; a free choice reaches {reach}"
        ending = ", and play goes on after a win" if game.play_on else ""
        return f"Ultimate Tic-Tac-Toe as the paper plays it{ending}"
    name = name_of(game)
    if name == "tictactoe":
        return "Ordinary tic-tac-toe"
    if isinstance(game, Positional) and name.startswith("threesome4x4"):
        return f"The 4×4 game, {_eighth_turn(game)}"
    return f"A game by the rules {name!r}"


def _eighth_turn(game: Positional) -> str:
    """Say what X's threesome on his eighth turn, or an earlier one, brings."""
    if game.outcome_at(5, True, False) is None:
        if game.outcome_at(15, True, False) is None:
            return "come-back: every threesome waits for an answer"
        both = "wins even over O's" if game.outcome_at(15, True, True) == "X" else "undoes O's, which is a draw"
        return f"come-back: threesomes of turns 1 to 7 wait for an answer; X's on his eighth turn {both}"
    eighth = game.outcome_at(15, True, False)
    if eighth is None:
        return "come-back: O answers X's eighth turn"
    return f"X's threesome on the eighth turn {'wins' if eighth == 'X' else 'loses'}"


def state_rules(game: Game) -> tuple[str, ...]:
    """Return the rules of a game, a sentence or two each."""
    return tuple(_nested(game) if isinstance(game, Nested) else _positional(game))


def _nested(game: Nested) -> list[str]:
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


_THREESOMES = {
    "neighbours": "three neighbouring spots of a row, a column or a diagonal",
    "neighbours-long-lines": "three neighbouring spots of a row, a column or one of the two long diagonals",
    "neighbours-rows-columns": "three neighbouring spots of a row or a column",
    "any-three": "any three spots of a row, a column or a diagonal",
    "any-three-long-lines": "any three spots of a row, a column or one of the two long diagonals",
    "exactly-three-neighbours": "three neighbouring spots of a row, a column or a diagonal, and no fourth beside them",
}

_RESULTS = {"X": "X has won", "O": "O has won", "draw": "it is a draw", "goes-on": "play goes on"}


def _positional(game: Game) -> list[str]:
    data = game.data
    rows, columns = data["rows"], data["columns"]
    numbers = (
        f"r,c is the spot in row r and column c, from 1,1 to {rows},{columns}"
        if data["notation"] == "rows"
        else f"numbered 0 to {rows * columns - 1} row by row"
    )
    marks = "X and O mark a free spot in turn; X begins."
    if data["marks"] == "shared":
        marks += " A mark belongs to both."
    if data["legal"] is not None:
        marks += " Not every free spot may be marked: each has its condition."
    clauses = "; ".join(f"where {_words(formula)}, {_RESULTS[result]}" for formula, result in data["outcomes"])
    return [
        f"{rows * columns} spots in {rows} rows of {columns}; {numbers}.",
        marks,
        f"A line is {_line_words(data)}, with marks of {'any' if data['marks'] == 'shared' else 'one'} player.",
        f"After each move the first of these that applies decides: {clauses}; otherwise play goes on.",
        "Where nobody can move and nobody has won, it is a draw.",
    ]


def _line_words(data: dict[str, Any]) -> str:
    """Say which sets of spots are lines: by a rule where they follow one, by their number otherwise."""
    rows, columns, lines = data["rows"], data["columns"], data["lines"]
    if rows == columns == 4:
        for threesome, words in _THREESOMES.items():
            if lines == threesomes(threesome):
                return words
    for length in range(2, max(rows, columns) + 1):
        if lines == runs(straight_lines(rows, columns), length):
            return f"{length} neighbouring spots of a row, a column or a diagonal"
    return f"one of {len(lines)} sets of spots"


def _words(formula: Any) -> str:
    """Put the condition of a clause into words."""
    match formula:
        case ["and" | "or" as word, *parts]:
            return f" {word} ".join(map(_words, parts))
        case ["not", part]:
            return f"it is not so that {_words(part)}"
        case ["X_line" | "O_line" as word]:
            return f"{word[0]} has a line"
        case ["line"]:
            return "there is a line"
        case ["X_turn" | "O_turn" as word]:
            return f"it is {word[0]}'s turn"
        case ["==", ["ply"], int(count)]:
            return f"there are {count} marks"
        case [">=", ["ply"], int(count)]:
            return f"there are {count} marks or more"
    return str(formula)
