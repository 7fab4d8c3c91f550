"""Boards as SVG: every mark, owner, active field and last move is in the classes of the drawing."""

from xml.etree import ElementTree

import pytest

from verifier.kernel.games import find_rules
from verifier.kernel.games.ultimate import Position
from verifier.report.svg import active_fields, draw_svg

SVG = "{http://www.w3.org/2000/svg}"
WON = "XXX....../OO......./O......../........./X......../........./........./........./......... X........ 4"


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
    assert {name for name, found in cells.items() if "x" in found} == {"0.0", "0.1", "0.2", "4.0"}
    assert {name for name, found in cells.items() if "o" in found} == {"1.0", "1.1", "2.0"}
    assert {name for name, found in cells.items() if "last" in found} == {"0.2"}
    assert {name for name, found in fields.items() if "won-x" in found} == {"0"}
    assert not any("won-o" in found for found in fields.values())
    assert {name for name, found in fields.items() if "active" in found} == {"4"}


def test_a_free_choice_outlines_every_field_with_a_legal_move() -> None:
    """At the start every field is active; in a game that is over, none is."""
    rules = find_rules("paper")
    assert active_fields(rules, rules.start) == "012345678"
    over = Position(0o777, 0o777 << 27, 0b111, 0, 4)
    assert active_fields(rules, over) == ""


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


def test_a_title_is_escaped() -> None:
    """A hostile title stays text."""
    rules = find_rules("tictactoe")
    assert "<script" not in draw_svg(rules, rules.start, title="<script>alert(1)</script>")
