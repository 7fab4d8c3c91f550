"""Boards of points and lines: what is on them is the position, and no statement depends on them."""

import re

import pytest

from tests.rules import SPECS, load_library
from verifier.language.library import Library
from verifier.presentation.registry import find_presentation
from verifier.presentation.svg import draw_svg


@pytest.fixture(name="shipped", scope="module")
def shipped_rules() -> Library:
    """Return the shipped rules that have such boards."""
    library = Library()
    for name in ("dots", "hare-and-hounds", "hare-games", "horse-shoe-game", "pong-hau-ki", "sim"):
        library.rules.update(load_library(SPECS / name).rules)
    return library


def test_pieces_are_on_their_points(shipped: Library) -> None:
    """The hounds begin on 1, 4 and 9, and the hare on 8. A move is marked at both its ends."""
    game = shipped.game("hare-and-hounds")
    shown = find_presentation(game, shipped.drawings)
    (area,) = shown.board.areas
    after = game.play(game.start, game.parse_move("4-5"))
    marks = dict(zip(area.spots, shown.look(after).marks, strict=True))
    assert {name: mark for name, mark in marks.items() if mark != "."} == {"1": "X", "5": "X", "9": "X", "8": "O"}
    assert [*shown.say_marks(after)] == ["X on 1, 5, 9.", "O on 8."]
    drawn = draw_svg(game, after, game.parse_move("4-5"), drawings=shipped.drawings)
    assert re.findall(r'class="cell[ xo]* last" data-cell="(\d+)"', drawn) == ["4", "5"]


def test_a_marked_line_joins_its_points(shipped: Library) -> None:
    """In Dots and Boxes the first move, 6, draws the line between the points d and e. Other cells keep their values."""
    game = shipped.game("dots-2-2")
    shown, after = find_presentation(game, shipped.drawings), game.play(game.start, game.parse_move("6"))
    assert shown.look(after).marks == ".....L......00"
    assert [*shown.say_marks(after)] == ["L on 6.", "boxes: 0 0."]
    assert shown.draw_text(after) == "L on 6\nboxes: 0 0"
    assert '<g class="cell l between taken" data-cell="6"' in draw_svg(game, after, drawings=shipped.drawings)


def test_names_of_lines_are_apart(shipped: Library) -> None:
    """Of the fifteen lines of Sim, no two have their names closer together than the height of a letter."""
    game = shipped.game("sim")
    (area,) = find_presentation(game, shipped.drawings).board.areas
    assert area.spots == tuple(map(str, range(15)))
    places = [area.place(number) for number in range(15)]
    pairs = [(one, other) for one in places for other in places if one < other]
    assert min((a - c) ** 2 + (b - d) ** 2 for (a, b), (c, d) in pairs) >= 12**2


def test_no_statement_depends_on_a_drawing(shipped: Library) -> None:
    """The data of the rules, which statements contain, do not have the board."""
    assert len(shipped.drawings) >= 8
    assert all("drawn" not in game.data for game in shipped.drawings)


def test_every_move_names_places_of_its_board(shipped: Library) -> None:
    """A reader can find each move on the board: its text is a name, or two names with a hyphen between them."""
    for game in shipped.drawings:
        names = {name for area in find_presentation(game, shipped.drawings).board.areas for name in area.spots}
        moves = [game.format_move(move) for move in game.legal_moves(game.start)]
        assert [text for text in moves if not {*text.split("-")} <= names] == []
