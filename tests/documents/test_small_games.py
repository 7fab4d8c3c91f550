"""Small games of other people's documents, solved by a program of the test's own."""

from __future__ import annotations

import functools
from itertools import combinations, product

import pytest

from tests.documents.small import free, mark, value
from tests.rules import specs
from verifier.kernel.games.positional import Positional

Sets = tuple[frozenset[int], ...]


def _sets(rules: str) -> Sets:
    """Return the winning sets of rules, as the specs come to have them."""
    game = specs().rules.game(rules)
    assert isinstance(game, Positional)
    return tuple(frozenset(held) for held, _ in game.lines["X"])


def _plies(sets: Sets, spots: int, *, weak: bool = False, most: int = 99) -> int | None:
    """Return the ply by which the first player can have a set, at the earliest; None if by ``most`` he cannot."""

    @functools.cache
    def wins(mine: frozenset[int], theirs: frozenset[int], left: int) -> bool:
        """Say whether who is to move can have a set with so many marks of his own."""
        for spot in range(spots):
            if spot in mine or spot in theirs:
                continue
            now = mine | {spot}
            if any(line <= now for line in sets) or (left > 1 and not saved(now, theirs, left - 1)):
                return True
        return False

    @functools.cache
    def saved(mine: frozenset[int], theirs: frozenset[int], left: int) -> bool:
        """Say whether the other player, to move, can keep him from it, or has a set first."""
        open_spots = [spot for spot in range(spots) if spot not in mine and spot not in theirs]
        for spot in open_spots:
            now = theirs | {spot}
            if (not weak and any(line <= now for line in sets)) or not wins(mine, now, left):
                return True
        return not open_spots

    marks = min((spots + 1) // 2, (most + 1) // 2)
    return next((2 * left - 1 for left in range(1, marks + 1) if wins(frozenset(), frozenset(), left)), None)


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
    """No sooner, no later, and on the smallest designs not at all."""
    assert _plies(_sets(rules), spots) == ply


@pytest.mark.parametrize(("rules", "points", "size"), [("affine-{}", 0, 0), ("projective-{}", 1, 1)])
def test_the_planes_are_planes(rules: str, points: int, size: int) -> None:
    """Any two points lie on exactly one line, and the lines have as many points as the order says."""
    for q in (2, 3, 4, 5, *([7] if not points else [])):
        lines = _sets(rules.format(q))
        assert {len(line) for line in lines} == {q + size}
        on = [pair for line in lines for pair in combinations(sorted(line), 2)]
        assert sorted(on) == list(combinations(range(q * q + points * (q + 1)), 2))


@pytest.mark.parametrize("rules", ["td-2-2", "td-3-2", "td-3-3", "td-3-4", "td-4-4"])
def test_the_transversal_designs_are_transversal_designs(rules: str) -> None:
    """Two points of different groups lie on exactly one block, two of the same group on none."""
    k, n = map(int, rules.split("-")[1:])
    on = [pair for line in _sets(rules) for pair in combinations(sorted(line), 2)]
    assert sorted(on) == [(a, b) for a, b in combinations(range(k * n), 2) if a // n != b // n]


@pytest.mark.parametrize(
    ("rules", "points", "times"),
    [("triples-4-2", 4, 2), ("triples-5-3", 5, 3), ("triples-6-2", 6, 2), ("bibd-13-4-weak", 13, 1)],
)
def test_the_block_designs_are_block_designs(rules: str, points: int, times: int) -> None:
    """Any two points lie together on as many blocks as the name says."""
    on = [pair for line in _sets(rules) for pair in combinations(sorted(line), 2)]
    assert sorted(on) == sorted(list(combinations(range(points), 2)) * times)


def test_dudeney_counts_seven_lost_first_pairs_and_five_drawn() -> None:
    """Up to the symmetries of the square, of all pairs of a first and a second mark."""
    turns = [lambda x, y: (x, y), lambda x, y: (y, 2 - x), lambda x, y: (2 - x, 2 - y), lambda x, y: (2 - y, x)]
    maps = [turn for plain in turns for turn in (plain, lambda x, y, plain=plain: plain(y, x))]
    found = {}
    for first, second in product(range(9), repeat=2):
        if first != second:
            images = [[3 * a + b for a, b in (move(*divmod(spot, 3)) for spot in (first, second))] for move in maps]
            found[tuple(min(images))] = value(mark(mark("." * 9, first, "X"), second, "O"))
    assert sorted(found.values()) == [0] * 5 + [1] * 7


def test_every_colouring_of_fifteen_lines_has_a_triangle() -> None:
    """Of one colour: no game of Sim is drawn."""
    masks = [sum(1 << spot for spot in line) for line in _sets("sim")]
    names = list(combinations(range(6), 2))
    triangles = {
        frozenset(names.index(pair) for pair in combinations(points, 2)) for points in combinations(range(6), 3)
    }
    assert set(_sets("sim")) == triangles
    assert all(any(mask & red in (0, mask) for mask in masks) for red in range(1 << 15))


def test_notakto_on_one_board() -> None:
    """The centre wins for who begins, every other first move loses, and a knight's move is right after the centre."""

    @functools.cache
    def wins(board: str) -> bool:
        """Say whether who is to move wins: whoever completes a line has lost."""
        lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
        after = [mark(board, spot, "X") for spot in free(board)]
        safe = [then for then in after if not any(all(then[spot] == "X" for spot in line) for line in lines)]
        return any(not wins(then) for then in safe)

    assert [spot for spot in range(9) if not wins(mark("." * 9, spot, "X"))] == [4]
    knights = {0: (5, 7), 1: (6, 8)}
    assert all(not wins(mark(mark("....X....", a, "X"), b, "X")) for a, both in knights.items() for b in both)
