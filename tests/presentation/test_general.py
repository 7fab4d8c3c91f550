"""How games of cells, moves and outcomes are shown."""

import pytest

from tests.audit.made import MADE
from tests.rules import load_library
from verifier.kernel.games import Game
from verifier.language.library import Library
from verifier.presentation.registry import find_presentation
from verifier.presentation.svg import draw_svg


@pytest.fixture(name="made", scope="module")
def made_rules() -> Library:
    """Return rules files."""
    return load_library(MADE / "general")


def after(game: Game, *moves: str) -> object:
    position = game.start
    for text in moves:
        position = game.play(position, game.parse_move(text))
    return position


def test_the_board_of_the_rules_and_other_cells_are_drawn(made: Library) -> None:
    """The board has its letters. Cells on which no letter depends are below it."""
    game = made.game("three-mens-morris")
    shown, position = find_presentation(game), after(game, "4", "0")
    assert shown.draw_text(position, (0, 0, 0)) == "[O] .  .\n .  X  .\n .  .  .\nplaced: 2"
    assert [*shown.say_marks(position)] == ["X on 4.", "O on 0.", "placed: 2."]
    assert shown.look(position).marks == "O...X....2"
    assert shown.say_turn(position) == "2 moves, X to move"
    drawn = draw_svg(game, position, (0, 0, 0), standalone=True)
    assert 'class="cell o last" data-cell="0"' in drawn
    assert '<text class="name" x="0" y="-6">placed</text>' in drawn
    assert '<text class="spot" x="15" y="19">2</text>' in drawn


def test_rules_without_a_board_show_their_values(made: Library) -> None:
    """Numbers are written, and true conditions are listed. In a drawing, a number above 9 takes one place."""
    nim, boxes = made.game("nim-1-2-3"), made.game("two-boxes")
    assert find_presentation(nim).draw_text(after(nim, "2.1")) == "stones: 1 2 2"
    assert find_presentation(boxes).draw_text(after(boxes, "3", "0")) == "line: 0 3\nboxes: 0 0"
    assert find_presentation(boxes).look(after(boxes, "3", "0")).marks == "1..1...00"
    assert find_presentation(boxes).say_turn(after(boxes, "0", "2", "3", "5")) == "4 moves, O to move"
    over = after(nim, "0.1", "1.2", "2.3")
    assert find_presentation(nim).say_turn(over) == "3 moves, the game is over, X has won"
    assert draw_svg(nim, over).count('<text class="spot" x="15" y="19">0</text>') == 3


def test_the_rules_are_described_clause_by_clause(made: Library) -> None:
    """Each clause has its place."""
    game, file = made.game("nim-1-2-3"), made.rules["nim-1-2-3"].model
    assert [text for text, _ in find_presentation(game).say_rules(file)] == [
        "stones[3] is from 0 to 15, at the start [1, 2, 3].",
        "X begins.",
        "The move {h}.{m} of either player, for h in range(0, 3) and m in range(1, 4): stones[h] = stones[h] - m.",
        "After each move: if this holds: stuck, the player who does not move now has won.",
        "Otherwise play goes on; if nobody can move, it is a draw.",
    ]
