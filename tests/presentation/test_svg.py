"""Boards as SVG: every mark, owner, active field and last move is in the classes of the drawing."""

import re
from xml.etree import ElementTree

import pytest

from tests.rules import find_rules, positional
from verifier.kernel.games.nested import Position
from verifier.kernel.games.registry import parse_rules
from verifier.presentation.registry import show
from verifier.presentation.svg import board_style, draw_svg

SVG = "{http://www.w3.org/2000/svg}"
WON = "XXX....../OO......./O......../........./....X..../........./........./........./......... X........ 4"


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 - our own output


def classes(root: ElementTree.Element, attribute: str) -> dict[str, set[str]]:
    return {g.get(attribute, ""): set(g.get("class", "").split()) for g in root.iter() if g.get(attribute) is not None}


def test_every_spot_is_a_cell_named_as_a_move_is_written() -> None:
    """The 81 cells of the board carry the names of the 81 moves, in the order of the notation."""
    rules = find_rules("paper")
    names = list(classes(parse(draw_svg(rules, rules.start)), "data-cell"))
    assert names == [f"{f}.{s}" for f in range(9) for s in range(9)]


def test_marks_owners_and_the_active_field_are_classes() -> None:
    """What the notation says of a position, and no more, is in the classes."""
    rules = find_rules("paper")
    root = parse(draw_svg(rules, rules.parse_position(WON), (0, 2)))
    cells, fields = classes(root, "data-cell"), classes(root, "data-field")
    assert {name for name, found in cells.items() if "x" in found} == {"0.0", "0.1", "0.2", "4.4"}
    assert {name for name, found in cells.items() if "o" in found} == {"1.0", "1.1", "2.0"}
    assert {name for name, found in cells.items() if "last" in found} == {"0.2"}
    assert {name for name, found in fields.items() if "won-x" in found} == {"0"}
    assert not any("won-o" in found for found in fields.values())
    assert {name for name, found in fields.items() if "active" in found} == {"4"}


def test_a_free_choice_outlines_every_field_with_a_legal_move() -> None:
    """At the start every field is active; in a game that is over, none is."""
    rules = find_rules("paper")
    assert show(rules).look(rules.start).active == tuple("012345678")
    over = Position(0o777, 0o777 << 27, 0b111, 0, 4)
    assert show(rules).look(over).active == ()


@pytest.mark.parametrize(("name", "count"), [("tictactoe", 9), ("threesome4x4", 16)])
def test_single_boards_are_drawn_by_the_same_renderer(name: str, count: int) -> None:
    """A game on one board has a cell for each of its spots, and the last move is marked."""
    rules = find_rules(name)
    move = rules.legal_moves(rules.start)[3]
    root = parse(draw_svg(rules, rules.play(rules.start, move), move))
    cells = classes(root, "data-cell")
    assert list(cells) == [rules.format_move((spot,)) for spot in range(count)]
    assert [found for found in cells.values() if len(found) > 1] == [{"cell", "x", "last"}]


def test_a_board_is_told_in_words() -> None:
    """The title says whose move it is and where; the description names the last move, the owners and every mark."""
    rules = find_rules("paper")
    root = parse(draw_svg(rules, rules.parse_position(WON), (0, 2), standalone=True))
    assert root.findtext(f"{SVG}title") == "7 marks, O to move in field 4"
    words = root.findtext(f"{SVG}desc") or ""
    assert words.startswith("Last move 0.2. X owns 0. Field 0: X on 0, 1, 2.")
    assert "Field 1: O on 0, 1." in words


LINE = "XXX....../XXX....../XXX....../OO......./OO......./OO......./OO......./........./......... XXX...... 2"


@pytest.mark.parametrize("by", ["paper", "paper-play-on"])
def test_a_win_is_marked_and_told(by: str) -> None:
    """Three fields in line, and the spots that won them, are marked once the game is over, and the title names them."""
    rules = find_rules(by)
    position = find_rules("paper").parse_position(LINE)
    root = parse(draw_svg(rules, position))
    cells, fields = classes(root, "data-cell"), classes(root, "data-field")
    is_over = by == "paper"
    assert {f for f, found in fields.items() if "aligned" in found} == ({"0", "1", "2"} if is_over else set())
    spots = {f"{f}.{s}" for f in range(3) for s in range(3)}
    assert {name for name, found in cells.items() if "aligned" in found} == (spots if is_over else set())
    (line,) = [path.get("d") for path in root.iter("path") if path.get("class") == "line"]
    assert bool(line) == is_over
    title = root.findtext("title") or ""
    assert title.endswith("the game is over: X has the fields 0, 1, 2 in line") == is_over


def test_a_won_board_of_nine_is_marked() -> None:
    """In tic-tac-toe the three spots are marked; a full board without a line has none."""
    rules = find_rules("tictactoe")
    root = parse(draw_svg(rules, rules.parse_position("XX.OOOX..")))
    assert {name for name, found in classes(root, "data-cell").items() if "aligned" in found} == {"3", "4", "5"}
    assert (root.findtext("title") or "").endswith("O has the spots 3, 4, 5 in line")
    root = parse(draw_svg(rules, rules.parse_position("XOXXOOOXX")))
    assert not [name for name, found in classes(root, "data-cell").items() if "aligned" in found]


def drawn(name: str, cells: str) -> tuple[set[str], str, str]:
    """Return the aligned cells of a board, the path of its lines, and its title."""
    rules = find_rules(name)
    root = parse(draw_svg(rules, rules.parse_position(cells)))
    aligned = {cell for cell, found in classes(root, "data-cell").items() if "aligned" in found}
    (line,) = [path.get("d", "") for path in root.iter("path") if path.get("class") == "line"]
    return aligned, line, root.findtext("title") or ""


@pytest.mark.parametrize(
    ("name", "cells", "aligned", "title"),
    [
        ("misere", "XXXOO....", "012", "5 marks, the game is over, O has won: X has the spots 0, 1, 2 in line"),
        ("notakto", "X..XX.X..", "036", "4 marks, the game is over, X has won: the spots 0, 3, 6 are in line"),
        ("maker-breaker", "OXOXXO.OX", "", "8 marks, X to move"),
        ("maker-breaker", "OXOXXOXOX", "", "9 marks, the game is over, O has won"),
        ("maker-breaker", "OOO.X.XX.", "", "6 marks, X to move"),
    ],
)
def test_the_lines_that_end_a_game_are_marked_whoever_wins_by_them(
    name: str, cells: str, aligned: str, title: str
) -> None:
    """Who makes three in a row may lose by it, marks may belong to both, and a line may count for nobody."""
    found, line, words = drawn(name, cells)
    assert (found, bool(line)) == (set(aligned), bool(aligned))
    assert words == title


def test_a_board_of_rows_has_its_numbers_at_the_edges_and_its_lines() -> None:
    """Moves of row and column are read off the edges; a line of four is marked through all of its spots."""
    found, line, words = drawn("four-in-a-row", "XOOO/.X../..X./...X")
    assert found == {"1,1", "2,2", "3,3", "4,4"}
    assert line.count("M") == 1
    assert words.endswith("X has the spots 1,1 2,2 3,3 4,4 in line")
    found, _, _ = drawn("gravity", "..../..../OO../XXX.")
    assert found == {"4,1", "4,2", "4,3"}


def test_a_board_need_not_be_square_nor_a_line_straight() -> None:
    """The drawing is as wide and as high as the board, and no path runs through a set of spots that is bent."""
    game = parse_rules(positional(2, 5, [[[0, 1, 6], []]], [[["X_line"], "X"]]))
    root = parse(draw_svg(game, game.parse_position("XXO../OX...")))
    assert root.get("viewBox") == "0 0 186 96"
    cells = classes(root, "data-cell")
    assert len(cells) == 10
    assert {name for name, found in cells.items() if "aligned" in found} == {"1,1", "1,2", "2,2"}
    assert [path.get("d") for path in root.iter("path") if path.get("class") == "line"] == [""]


def test_frames_and_numbers_of_fields_stay_apart() -> None:
    """The number of a field touches neither its own frame nor that of the field above, however thick."""
    rules = find_rules("paper")
    root = parse(draw_svg(rules, rules.start))
    places = [g.get("transform", "") for g in root.iter("g") if g.get("data-field")]
    tops = sorted({int(place.rstrip(")").split()[1]) for place in places})
    outline = next(rect for rect in root.iter("rect") if rect.get("class") == "outline")
    name = next(text for text in root.iter("text") if text.get("class") == "name")
    style = board_style()
    size = int(re.findall(r"\.name \{ font-size: (\d+)px", style)[0])
    thickest = max(float(width) for width in re.findall(r"\.outline \{[^}]*stroke-width: ([\d.]+)", style))
    beyond = -float(outline.get("y", "")) + thickest / 2
    top, bottom = float(name.get("y", "")) - 0.75 * size, float(name.get("y", ""))
    assert bottom < -beyond, "the field's own frame"
    assert top > tops[0] + 90 + beyond - tops[1], "the frame of the field above"
    assert top > -tops[0], "the edge of the board"


def test_a_title_is_escaped() -> None:
    """A hostile title stays text."""
    rules = find_rules("tictactoe")
    assert "<script" not in draw_svg(rules, rules.start, title="<script>alert(1)</script>")


def test_a_spot_holds_what_is_shown_there_and_no_more() -> None:
    """A free spot has its number, a marked one its mark, and the last one its ground."""
    game = find_rules("paper")
    drawn = draw_svg(game, game.play(game.play(game.start, (4, 4)), (4, 0)), (4, 0))
    shapes = ("<circle cx", '<path d="M8 8 22 22', '<text class="spot"', '<rect width="30" height="30"')
    assert [drawn.count(shape) for shape in shapes] == [1, 1, 79, 1]


@pytest.mark.parametrize("name", ["paper", "threesome4x4"])
def test_a_still_board_shows_the_same_by_less(name: str) -> None:
    """Its marks, owners, active fields and labels are those of the whole board, in less than half of the text."""
    rules = find_rules(name)
    position = (
        rules.parse_position(WON) if name == "paper" else rules.play(rules.start, rules.legal_moves(rules.start)[0])
    )
    whole, still = (draw_svg(rules, position, is_still=is_still) for is_still in (False, True))
    assert len(still) < len(whole) / 2

    def looks(text: str) -> list[list[str]]:
        found = [g.get("class", "").split() for g in parse(text).iter("g")]
        return sorted(names for names in found if {"x", "o", "won-x", "won-o", "active"} & {*names})

    def labels(text: str) -> str:
        return "".join(
            sorted("".join(node.text or "" for node in parse(text).iter("text") if node.get("class") == "spot"))
        )

    assert looks(still) == looks(whole)
    assert labels(still) == labels(whole)
