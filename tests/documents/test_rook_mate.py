"""King and rook against king up to symmetry, solved backwards by this test's own program, against the filed tables."""

import collections
import functools
import itertools
import random
from typing import Any, NamedTuple

import pytest

from tests.lines import PROOFS
from tests.rules import find_rules
from verifier.kernel.certificate import evidence_path, file_path, read_index, unpack
from verifier.kernel.formula import FormulaCompiler

Pieces = tuple[int, int, int]
"""The squares of White's king, his rook and Black's king: row times the number of rows, plus column."""


class Ending(NamedTuple):
    """Where one player is to move: for each position up to symmetry, the plies to mate, and the next positions."""

    white: dict[Pieces, int]
    black: dict[Pieces, int]
    replies: dict[Pieces, list[Pieces | None]]


class Board:
    """The squares of ``n`` rows, and what the pieces see from them."""

    def __init__(self, n: int) -> None:
        self.n, squares = n, [*itertools.product(range(n), repeat=2)]
        number = {square: at for at, square in enumerate(squares)}
        self.beside = [
            {number[s] for s in squares if s != t and max(abs(s[0] - t[0]), abs(s[1] - t[1])) == 1} for t in squares
        ]
        ways = ((0, 1), (1, 0), (0, -1), (-1, 0))
        self.rays = [
            [[number[r + k * y, c + k * x] for k in range(1, n) if (r + k * y, c + k * x) in number] for y, x in ways]
            for r, c in squares
        ]
        self.images = []
        for flip, mirror, exchange in itertools.product((False, True), repeat=3):
            turned = [(n - 1 - r if flip else r, n - 1 - c if mirror else c) for r, c in squares]
            self.images.append([number[(c, r) if exchange else (r, c)] for r, c in turned])

    def least(self, king: int, rook: int, black: int) -> Pieces:
        """Return the least of the eight images of a position."""
        return min((image[king], image[rook], image[black]) for image in self.images)

    def sees(self, rook: int, king: int, black: int = -1) -> list[int]:
        """Return the squares that the rook sees, up to the kings. ``black`` is left out where Black's king moves."""
        return [s for ray in self.rays[rook] for s in itertools.takewhile(lambda s: s not in (king, black), ray)]

    def white_moves(self, king: int, rook: int, black: int) -> list[Pieces]:
        """Return the positions after White's moves, up to symmetry."""
        walks = [(s, rook) for s in self.beside[king] if s not in {rook, black} | self.beside[black]]
        slides = [(king, s) for s in self.sees(rook, king, black)]
        return [self.least(k, r, black) for k, r in walks + slides]

    def black_moves(self, king: int, rook: int, black: int) -> list[Pieces | None]:
        """Return the positions after Black's moves, up to symmetry; None where he takes the rook."""
        seen = {*self.sees(rook, king)} | self.beside[king]
        return [None if s == rook else self.least(king, rook, s) for s in self.beside[black] - seen]


@functools.cache
def solve(n: int) -> Ending:
    """Return in how many plies White mates from each position."""
    board = Board(n)
    white_starts, black_starts = set[Pieces](), set[Pieces]()
    for king, rook in itertools.permutations(range(n * n), 2):
        seen = {*board.sees(rook, king)}
        for black in {*range(n * n)} - board.beside[king] - {king, rook}:
            least = board.least(king, rook, black)
            black_starts.add(least)
            if black not in seen:
                white_starts.add(least)
    moves = {here: board.white_moves(*here) for here in white_starts}
    replies = {here: board.black_moves(*here) for here in black_starts}
    held = {here: 0 for here, after in replies.items() if not after and here[2] in board.sees(here[1], here[0])}
    won = dict[Pieces, int]()
    for plies in itertools.count(1, 2):
        new = [here for here, after in moves.items() if here not in won and any(to in held for to in after)]
        if not new:
            return Ending(won, held, replies)
        won |= dict.fromkeys(new, plies)
        lost = [
            here for here, after in replies.items() if here not in held and after and all(to in won for to in after)
        ]
        held |= dict.fromkeys(lost, plies + 1)
    raise AssertionError


def read_table(n: int) -> dict[str, list[str]]:
    """Return the filed table of White's moves."""
    key = read_index(PROOFS).filed[f"rook-mate-{n}/as-stated"]
    certificate: Any = unpack((PROOFS / evidence_path(key)).read_bytes(), "certificate")
    table: Any = unpack((PROOFS / file_path(certificate["evidence"]["table"])).read_bytes(), "table")
    return dict(table["moves"])


def find_square(text: str) -> int:
    """Return the square of a piece, written as a mark for its row and a mark for its column."""
    n = len(text) // 2
    assert text[:n].count("1") == text[n:].count("1") == 1
    return text[:n].index("1") * n + text[n:].index("1")


@pytest.mark.slow
def test_the_longest_mates_on_eight_rows_are_those_that_a_forum_counts() -> None:
    """Up to symmetry, White needs 16 moves from 121 positions. Black can hold out for 16 from 390, in check or not."""
    found = solve(8)
    assert [len(found.white), len(found.replies)] == [21_959, 28_056]
    counts = [collections.Counter(lengths.values()) for lengths in (found.white, found.black)]
    assert [max(count.items()) for count in counts] == [(31, 121), (32, 390)]


@pytest.mark.parametrize(
    ("n", "moves"), [(4, 7), (5, 10), (6, 12), (7, 14), pytest.param(8, 16, marks=pytest.mark.slow)]
)
def test_white_mates_in_as_many_moves_as_the_sequence_says(n: int, moves: int) -> None:
    """He mates from every position in which he is to move."""
    found = solve(n)
    assert max(found.white.values()) == 2 * moves - 1


@pytest.mark.parametrize("n", [6, pytest.param(7, marks=pytest.mark.slow), pytest.param(8, marks=pytest.mark.slow)])
def test_the_filed_table_has_a_shortest_way_from_each_position(n: int) -> None:
    """The table has each position up to symmetry once, and each of its moves comes one ply nearer to mate."""
    found, board, table, met = solve(n), Board(n), read_table(n), set[Pieces]()
    for text, moves in table.items():
        placed, *pieces = text.split()[0].split("/")
        king, rook, black = map(find_square, pieces)
        assert (placed, text.split()[1], len(moves)) == ("3", "X", 1)
        before = board.least(king, rook, black)
        met.add(before)
        to, other = map(int, moves[0][1:])
        if moves[0][0] == "K":
            square = to * n + other
            assert square in board.beside[king] - board.beside[black] - {rook, black}
            king = square
        else:
            square = rook % n + other * n if to == 0 else rook - rook % n + other
            assert square in board.sees(rook, king, black)
            rook = square
        assert found.black[board.least(king, rook, black)] == found.white[before] - 1
    assert met == found.white.keys()
    assert len(table) == len(met)


def write_square(square: int, n: int) -> str:
    """Return the marks for the row and for the column of a piece."""
    return "".join("1" if at == place else "0" for place in divmod(square, n) for at in range(n))


@pytest.mark.parametrize("n", [6, pytest.param(7, marks=pytest.mark.slow), pytest.param(8, marks=pytest.mark.slow)])
def test_the_rules_have_the_same_moves(n: int) -> None:
    """In each position of a sample, whoever is to move has the moves that this program finds. Mates end the game."""
    found, board, game = solve(n), Board(n), find_rules(f"rook-lines-{n}")
    is_mate = FormulaCompiler(game).compile(["X_wins"])
    for player, lengths in (("X", found.white), ("O", found.replies)):
        for here in random.Random(n).sample(sorted(lengths), 150):
            pieces = "/".join(write_square(square, n) for square in here)
            position = game.parse_position(f"3/{pieces} {player} 3")
            after = set[Pieces | None]()
            for move in game.legal_moves(position):
                texts = game.format_position(game.play(position, move)).split()[0].split("/")[1:]
                king, rook, black = map(find_square, texts)
                after.add(None if rook == black else board.least(king, rook, black))
            assert after == {*(board.white_moves(*here) if player == "X" else found.replies[here])}
            assert is_mate(position, position) == (player == "O" and found.black.get(here) == 0)
