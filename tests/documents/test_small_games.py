"""Small games of other people's documents, solved by this test's own program."""

from itertools import combinations, pairwise, product

import pytest

from tests.boards import Lines
from tests.documents.small import can_have, mark, value
from tests.rules import specs
from verifier.kernel.games.positional import PositionalGame


def _sets(rules: str) -> Lines:
    """Return the winning sets of rules, as the specs define them."""
    game = specs().game(rules)
    assert isinstance(game, PositionalGame)
    return frozenset(frozenset(held) for held, _ in game.lines["X"])


@pytest.mark.parametrize(
    ("rules", "spots", "ply"),
    [
        ("affine-2", 4, 3),
        ("affine-3", 9, 7),
        ("projective-2", 7, 7),
        ("triples-4-2", 4, None),
        ("triples-5-3", 5, 5),
        ("td-2-1", 2, None),
        ("td-2-2", 4, 3),
        ("td-3-2", 6, None),
        ("td-3-3", 9, 7),
    ],
)
def test_the_first_player_wins_when_the_specs_say(rules: str, spots: int, ply: int | None) -> None:
    marks = (left for left in range(1, (spots + 1) // 2 + 1) if can_have(_sets(rules), spots, left))
    assert next((2 * left - 1 for left in marks), None) == ply


PLANES = [
    *((f"affine-{q}", q * q, q, 1) for q in (2, 3, 4, 5, 7)),
    *((f"projective-{q}", q * q + q + 1, q + 1, 1) for q in (2, 3, 4, 5)),
]
BLOCKS = [("triples-4-2", 4, 3, 2), ("triples-5-3", 5, 3, 3), ("triples-6-2", 6, 3, 2), ("bibd-13-4-weak", 13, 4, 1)]


@pytest.mark.parametrize(("rules", "points", "size", "times"), [*PLANES, *BLOCKS])
def test_any_two_points_of_a_design_share_as_many_lines_as_its_name_says(
    rules: str, points: int, size: int, times: int
) -> None:
    """The name gives the number of points of a line, and the number of lines on which two points lie together."""
    lines = _sets(rules)
    assert {len(line) for line in lines} == {size}
    on = [pair for line in lines for pair in combinations(sorted(line), 2)]
    assert sorted(on) == sorted(list(combinations(range(points), 2)) * times)


@pytest.mark.parametrize("rules", ["td-2-2", "td-3-2", "td-3-3", "td-3-4", "td-4-4"])
def test_the_transversal_designs_are_transversal_designs(rules: str) -> None:
    """Two points of different groups are on exactly one block together, and two points of one group on none."""
    k, n = map(int, rules.split("-")[1:])
    on = [pair for line in _sets(rules) for pair in combinations(sorted(line), 2)]
    assert sorted(on) == [(a, b) for a, b in combinations(range(k * n), 2) if a // n != b // n]


def test_dudeney_counts_seven_lost_first_pairs_and_five_drawn() -> None:
    """Pairs of a first and a second mark count up to the symmetries of the square."""
    turns = [lambda x, y: (x, y), lambda x, y: (y, 2 - x), lambda x, y: (2 - x, 2 - y), lambda x, y: (2 - y, x)]
    maps = [turn for plain in turns for turn in (plain, lambda x, y, plain=plain: plain(y, x))]
    found = {}
    for first, second in product(range(9), repeat=2):
        if first != second:
            images = [[3 * a + b for a, b in (move(*divmod(spot, 3)) for spot in (first, second))] for move in maps]
            found[tuple(min(images))] = value(mark(mark("." * 9, first, "X"), second, "O"))
    assert sorted(found.values()) == [0] * 5 + [1] * 7


def test_every_colouring_of_fifteen_lines_has_a_triangle() -> None:
    masks = [sum(1 << spot for spot in line) for line in _sets("sim")]
    names = list(combinations(range(6), 2))
    triangles = {
        frozenset(names.index(pair) for pair in combinations(points, 2)) for points in combinations(range(6), 3)
    }
    assert _sets("sim") == triangles
    assert all(any(mask & red in (0, mask) for mask in masks) for red in range(1 << 15))


def test_an_opening_has_fifty_six_codes() -> None:
    """Four marks on different spots: Xavier's are on 4.4, and on spot 4 of the field to which he is sent."""
    codes = list(product(range(9), repeat=5))
    marks = {code: list(pairwise(code)) for code in codes}
    legal = [code for code in codes if len(set(marks[code])) == 4]
    openings = [code for code in legal if marks[code][0] == (4, 4) and marks[code][2] == (code[2], 4)]
    assert (len(codes), len(legal), len(openings)) == (59049, 55080, 56)
    assert openings == [(4, 4, a, 4, b) for a in range(9) for b in range(9) if 4 not in {a, b} and a != b]
