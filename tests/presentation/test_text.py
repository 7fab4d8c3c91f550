"""Boards as text: row by row, as the rules say, with colours for marks, owned fields and the last move."""

import re

from tests.golden import require_golden
from tests.rules import find_rules
from verifier.presentation.registry import find_presentation

PLAYS = {
    "paper": "0.0 0.4 4.0 0.5 5.0 0.3",  # Olivia wins field 0 with its middle row; Xavier has its first spot
    "tictactoe": "4 0",
    "threesome4x4": "1,1 2,3",
    "gravity": "4,1 3,1 4,2",
    "notakto": "4 0",
}


def test_what_boards_of_text_show() -> None:
    """A plain board, and a coloured board. Without its colours, the coloured board is the same."""
    told = []
    for rules, play in PLAYS.items():
        game = find_rules(rules)
        position, last = game.start, None
        for move in map(game.parse_move, play.split()):
            position, last = game.play(position, move), move
        plain = find_presentation(game).draw_text(position, last)
        coloured = find_presentation(game).draw_text(position, last, colour=True)
        stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
        assert [line.rstrip() for line in stripped.split("\n")] == plain.split("\n")
        told += [f"{rules} {play}", plain, coloured.replace("\x1b", "ESC"), ""]
    require_golden("boards-of-text.txt", "\n".join(told))
