"""Boards as SVG: every mark, owner, active field and last move is in the classes of the drawing."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.golden import require_golden
from tests.rules import find_rules, positional
from verifier.kernel.games.registry import parse_rules
from verifier.presentation.family import SPOT
from verifier.presentation.svg import board_style, draw_svg

SVG = "{http://www.w3.org/2000/svg}"
WON = "XXX....../OO......./O......../........./....X..../........./........./........./......... X........ 4"


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 - our own output


LINE = "XXX....../XXX....../XXX....../OO......./OO......./OO......./OO......./........./......... XXX...... 2"
BENT = positional(2, 5, [[[0, 1, 6], []]], [[["X_line"], "X"]])
BOARDS: list[tuple[str | dict[str, Any], str, str]] = [
    ("paper", "/".join(["........."] * 9) + " ......... *", ""),
    ("paper", WON, "0.2"),
    ("paper", LINE, ""),
    ("paper-play-on", LINE, ""),
    ("tictactoe", "...X.....", "3"),
    ("tictactoe", "XX.OOOX..", ""),
    ("tictactoe", "XOXXOOOXX", ""),
    ("tictactoe", "XXXXOOXOO", ""),
    ("threesome4x4", "...X/..../..../....", "1,4"),
    ("misere", "XXXOO....", ""),
    ("notakto", "X..XX.X..", ""),
    ("maker-breaker", "OXOXXO.OX", ""),
    ("maker-breaker", "OXOXXOXOX", ""),
    ("maker-breaker", "OOO.X.XX.", ""),
    ("four-in-a-row", "XOOO/.X../..X./...X", ""),
    ("gravity", "..../..../OO../XXX.", ""),
    (BENT, "XXO../OX...", ""),
]


def look_at(rules: str | dict[str, Any], position: str, last: str) -> str:
    """Return what a drawing says in words and by its classes: those of cells and of fields, and the paths of lines."""
    game = find_rules(rules) if isinstance(rules, str) else parse_rules(rules)
    move = game.parse_move(last) if last else None
    text = draw_svg(game, game.parse_position(position), move, standalone=True).replace(SVG[1:-1], "")
    root = parse(text)
    said = [root.findtext(".//title"), root.findtext(".//desc"), root.get("viewBox")]
    for attribute in ("data-cell", "data-field"):
        found: dict[str, list[str]] = {}
        for group in root.iter("g"):
            for name in group.get("class", "").split() if group.get(attribute) else ():
                found.setdefault(name, []).append(group.get(attribute, ""))
        said += [f"{name}: {' '.join(places)}" for name, places in found.items()]
    said += [f"line: {path.get('d')}" for path in root.iter("path") if path.get("class") == "line"]
    return "\n".join([f"{rules if isinstance(rules, str) else 'bent'} {position} {last}".strip(), *map(str, said)])


def test_what_boards_show() -> None:
    """Boards show moves, marks, owners, active fields, the winner and the winning line, a title and a description.

    Three in a row may lose, marks may belong to both players, and a line may count for nobody.
    """
    require_golden("boards.txt", "\n\n".join(look_at(*board) for board in BOARDS) + "\n")


def test_frames_and_numbers_of_fields_stay_apart() -> None:
    """The number of a field touches neither its own frame nor that of the field above, however thick it is."""
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


def test_a_mark_leaves_room_for_its_number() -> None:
    """A mark with a number is smaller and nearer to the upper left corner; the number is in the lower right one."""
    moved = re.search(
        r"\.numbered \.cell circle \{ transform: translate\((\S+)px, (\S+)px\) scale\((\S+)\)", board_style()
    )
    number = re.search(r"\.numbered\S* \.ply \{ transform: translate\((\S+)px, (\S+)px\)", board_style())
    assert moved is not None
    assert number is not None
    across, down, scale = map(float, moved.groups())
    assert scale < 1
    assert max(across, down) + SPOT / 2 * scale < SPOT / 2
    assert all(0 < float(shift) < SPOT / 2 for shift in number.groups())


def test_no_line_hides_the_number_of_a_move() -> None:
    """Numbers come after the lines, so they lie above them, in the middle of their spot."""
    rules = find_rules("tictactoe")
    drawn = draw_svg(rules, rules.parse_position("XX.OOOX.."), plies={"0": 1, "5": 6}, is_still=True)
    root = parse(drawn)
    assert [part.get("class") for part in root][-2:] == ["line", "plies"]
    assert [(text.text, text.get("x"), text.get("y")) for text in root[-1]] == [("1", "33", "37"), ("6", "93", "67")]


def test_a_line_that_is_no_row_joins_its_spots() -> None:
    """Each stroke leads to the nearest spot, and bends around a spot that is not of the line."""
    plane = positional(3, 3, [[[0, 2, 4], []]], [[["X_line"], "X"]])
    rules = parse_rules(plane)
    root = parse(draw_svg(rules, rules.parse_position("XOX/OX./...")))
    (path,) = [part.get("d") for part in root.iter("path") if part.get("class") == "line"]
    assert path == "M33 33 63 63M63 63 93 33"
    plane = positional(3, 3, [[[0, 2, 7], []]], [[["X_line"], "X"]])
    rules = parse_rules(plane)
    root = parse(draw_svg(rules, rules.parse_position("XOX/O../.X.")))
    (path,) = [part.get("d") for part in root.iter("path") if part.get("class") == "line"]
    assert path == "M33 33Q63 57 93 33M33 33 63 93"


def test_a_title_is_escaped() -> None:
    rules = find_rules("tictactoe")
    assert "<script" not in draw_svg(rules, rules.start, title="<script>alert(1)</script>")


def test_a_spot_has_only_what_it_shows() -> None:
    game = find_rules("paper")
    drawn = draw_svg(game, game.play(game.play(game.start, (4, 4)), (4, 0)), (4, 0))
    shapes = ("<circle cx", '<path d="M8 8 22 22', '<text class="spot"', '<rect width="30" height="30"')
    assert [drawn.count(shape) for shape in shapes] == [1, 1, 79, 1]


@pytest.mark.parametrize("name", ["paper", "threesome4x4"])
def test_a_still_board_shows_the_same_with_less_text(name: str) -> None:
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
