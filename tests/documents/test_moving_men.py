"""Games in which play may go round for ever, solved backwards by this test's own program."""

import functools
import itertools
from collections.abc import Callable, Iterable
from typing import Any

from tests.rules import specs

Position = tuple[Any, ...]
"""The last part of a position is who moves next, X or O."""
Graph = dict[Position, list[Position]]
"""All positions, each with those that one move leads to."""


def list_positions(
    starts: Iterable[Position], moves: Callable[[Position], list[Position]]
) -> dict[Position, list[Position]]:
    """Return all positions that plays reach, each with the positions after one move."""
    after: Graph = {}
    waiting = list(starts)
    while waiting:
        position = waiting.pop()
        if position not in after:
            after[position] = moves(position)
            waiting += after[position]
    return after


def forced_wins(after: Graph, won: Iterable[Position], player: str) -> dict[Position, int]:
    """Return the positions from which a player can force one of ``won``, each with the number of moves."""
    before: Graph = {}
    for position, found in after.items():
        for next_position in found:
            before.setdefault(next_position, []).append(position)
    lengths = dict.fromkeys(won, 0)
    left = {position: len(found) for position, found in after.items()}
    level = list(lengths)
    while level:
        new: list[Position] = []
        for position in itertools.chain.from_iterable(before.get(position, ()) for position in level):
            left[position] -= 1
            if position not in lengths and (position[-1] == player or left[position] == 0):
                lengths[position] = lengths[level[0]] + 1
                new.append(position)
        level = new
    return lengths


def expected(claim: str) -> dict[str, str]:
    """Return the expected verdict on each reading of a shipped claim."""
    return {name: str(reading.expect) for name, reading in specs().claims[claim].model.readings.items()}


LINES = [*((r, r + 1, r + 2) for r in (0, 3, 6)), *((c, c + 3, c + 6) for c in (0, 1, 2)), (0, 4, 8), (2, 4, 6)]


@functools.cache
def morris(board: str) -> tuple[dict[Position, int], dict[Position, int]]:
    """Return the positions of Three Men's Morris from which X can force a win, and those from which O can."""

    def near(s: int, t: int) -> bool:
        rows, columns = abs(s // 3 - t // 3), abs(s % 3 - t % 3)
        if board == "far":
            return s != t
        if board == "near":
            return max(rows, columns) == 1
        return rows + columns == 1 or (board == "lines" and rows == columns == 1 and 4 in {s, t})

    def has_line(men: frozenset[int]) -> bool:
        return any(men.issuperset(line) for line in LINES)

    def moves(position: Position) -> list[Position]:
        x, o, placed, turn = position
        if has_line(x) or has_line(o):
            return []
        mine, theirs = (x, o) if turn == "X" else (o, x)
        free = set(range(9)) - x - o
        if placed < 6:
            found = [mine | {s} for s in free]
        else:
            found = [mine - {s} | {t} for s in mine for t in free if near(s, t)]
        return [
            (m, theirs, min(placed + 1, 6), "O") if turn == "X" else (theirs, m, min(placed + 1, 6), "X") for m in found
        ]

    after = list_positions([(frozenset(), frozenset(), 0, "X")], moves)
    x_won = [position for position in after if has_line(position[0])]
    o_won = [position for position in after if has_line(position[1])]
    return forced_wins(after, x_won, "X"), forced_wins(after, o_won, "O")


def morris_value(board: str, *spots: int) -> str:
    """Return who can force a win after men were placed on these spots in turn, and the whole length of the play."""
    position = (frozenset(spots[::2]), frozenset(spots[1::2]), len(spots), "XO"[len(spots) % 2])
    for player, wins in zip("XO", morris(board), strict=True):
        if position in wins:
            return f"{player} {len(spots) + wins[position]}"
    return "draw"


def test_the_centre_wins_three_mens_morris_in_nine() -> None:
    """This holds if men move along lines. If they step to any neighbour, or anywhere, it is a draw."""
    assert [morris_value(board) for board in ("rows", "lines", "near", "far")] == ["X 9", "X 9", "draw", "draw"]
    assert expected("centre-wins")["steps-to-all-neighbours"] == expected("first-player-wins")["as-stated"] == "refuted"


def test_without_the_centre_nobody_wins_from_a_corner() -> None:
    """After an edge the second player wins by ply 8. After corner and centre, the first needs a corner next to his."""
    for board in ("rows", "lines"):
        assert [morris_value(board, s) for s in range(9)] == [
            ("draw", "O 8")[s % 2] if s != 4 else "X 9" for s in range(9)
        ]
        assert {morris_value(board, s, 4) for s in (1, 3, 5, 7)} == {"O 8"}
        assert [morris_value(board, 0, 4, b) for b in (2, 6)] == ["draw", "draw"]
        assert {morris_value(board, 0, 4, b) for b in (1, 3, 5, 7, 8)} == {"O 8"}
    assert [b for b in range(1, 9) if morris_value("rows", 0, b) == "draw"] == [1, 2, 3, 4, 6, 8]
    assert all(morris_value("far", s) == "draw" for s in range(9))


JOINED = {0: {1, 2}, 1: {0, 2, 4}, 2: {0, 1, 3, 4}, 3: {2, 4}, 4: {1, 2, 3}}
"""The points of Pong Hau K'i that a line joins to each."""


def slide(position: Position) -> list[Position]:
    """Return the positions after each move of Pong Hau K'i. With fewer than four men, a man is placed."""
    x, o, turn = position
    mine, theirs = (x, o) if turn == "X" else (o, x)
    free = set(JOINED) - x - o
    if len(x) + len(o) < 4:
        found = [mine | {s} for s in free]
    else:
        found = [mine - {s} | {t} for s in mine for t in free & JOINED[s]]
    return [(men, theirs, "O") if turn == "X" else (theirs, men, "X") for men in found]


def test_nobody_can_force_a_win_in_pong_hau_ki() -> None:
    """This holds from both starts, and if the men are placed first. In only one pattern the player cannot move."""
    starts = [(frozenset({1, 4}), frozenset({0, 3}), "X"), (frozenset(), frozenset(), "X")]
    after = list_positions(starts, slide)
    stuck = [position for position, found in after.items() if not found]
    for player, other in ("XO", "OX"):
        wins = forced_wins(after, [position for position in stuck if position[-1] == other], player)
        assert wins.keys().isdisjoint(starts)
    for x, o, turn in stuck:
        blocked, winners = (x, o) if turn == "X" else (o, x)
        assert (blocked, winners) in [({3, 4}, {1, 2}), ({0, 1}, {2, 4})]
    assert slide((frozenset({1, 2}), frozenset({3, 4}), "O")) == []


def test_who_looks_two_plies_ahead_never_loses_pong_hau_ki() -> None:
    """A player who never lets the other one block both men always has such a move, and is never blocked."""
    for player in "XO":

        def look(position: Position, player: str = player) -> list[Position]:
            found = slide(position)
            is_safe = [all(slide(reply) for reply in slide(after)) for after in found]
            kept = [after for after, safe in zip(found, is_safe, strict=True) if safe]
            return kept if position[-1] == player else found

        after = list_positions([(frozenset({1, 4}), frozenset({0, 3}), "X")], look)
        assert all(found for position, found in after.items() if position[-1] == player)
    assert expected("two-plies-ahead") == {"red": "proved", "blue": "proved"}


def test_the_horse_shoe_game_is_drawn_and_its_example_is_lost() -> None:
    """White placed 3 and 4, Black 1: Black wins at once by the centre. If he takes 0, White wins by sliding from 3."""
    (end,) = [found for found in slide((frozenset({3, 4}), frozenset({1}), "O")) if 2 in found[1]]
    assert slide(end) == []
    (end,) = [found for found in slide((frozenset({3, 4}), frozenset({0, 1}), "X")) if found[0] == {2, 4}]
    assert slide(end) == []
    verdicts = expected("every-horse-shoe-game-is-drawn")  # the test above begins with an empty board, too
    assert [verdicts[name] for name in ("white-need-not-lose", "black-need-not-lose")] == ["proved", "proved"]


def test_the_first_three_moves_of_pong_hau_ki_lead_to_one_position() -> None:
    """Positions count up to mirror images. Umul Gonu has the same position."""
    level = [(frozenset({1, 4}), frozenset({0, 3}), "X")]
    for _ in range(3):
        level = [found for position in level for found in slide(position)]
    assert {(x, o) for x, o, _ in level} == {
        (frozenset({0, 4}), frozenset({1, 3})),
        (frozenset({1, 3}), frozenset({0, 4})),
    }
    (second,) = slide((frozenset({0, 2}), frozenset({3, 4}), "O"))
    assert [third in level for third in slide(second)] == [True]


COLUMNS = (0, 1, 2, 3, 0, 1, 2, 3, 4, 1, 2, 3)  # of the points 1 to 11
LINKS = {
    1: [2, 4, 5, 6], 2: [1, 3, 6], 3: [2, 6, 7, 8], 4: [1, 5, 9], 5: [1, 4, 6, 9], 6: [1, 2, 3, 5, 7, 9, 10, 11],
    7: [3, 6, 8, 11], 8: [3, 7, 11], 9: [4, 5, 6, 10], 10: [6, 9, 11], 11: [6, 7, 8, 10],
}  # fmt: skip


def hunt(position: Position) -> list[Position]:
    """Return the positions after each move of a hound (X) or the hare (O)."""
    hounds, hare, turn = position
    if hare == 4:
        return []
    if turn == "O":
        return [(hounds, t, "X") for t in LINKS[hare] if t not in hounds]
    steps = ((s, t) for s in hounds for t in LINKS[s] if COLUMNS[t] >= COLUMNS[s] and t not in hounds and t != hare)
    return [(hounds - {s} | {t}, hare, "O") for s, t in steps]


def test_the_hounds_win_in_as_many_plies_as_the_notebook_says() -> None:
    """They win from every place of the hare, whoever begins. In one position whoever is to move loses."""
    home = frozenset({1, 4, 9})
    starts = [(home, hare, turn) for hare in range(1, 12) if hare not in home for turn in "XO"]
    opposed = [(frozenset({1, 6, 9}), 2, turn) for turn in "XO"]
    after = list_positions([*starts, *opposed], hunt)
    trapped = [position for position, found in after.items() if not found and position[1] != 4 and position[2] == "O"]
    wins = forced_wins(after, trapped, "X")
    told = {
        f"{'hounds-begin-hare' if turn == 'X' else 'hare-begins'}-on-{hare}": wins[home, hare, turn]
        for _, hare, turn in starts
    }
    readings: dict[str, Any] = dict(specs().claims["wherever-the-hare-is"].model.readings)
    assert told == {name: next(iter(readings[f"{name}-by"].objectives.values())).by for name in told}
    assert readings.keys() == {name + half for name in told for half in ("", "-by", "-not-sooner")}
    assert [wins.get(position) for position in opposed] == [None, 18]
    stuck = [position for position, found in after.items() if not found and position[1] != 4 and position[2] == "X"]
    for player in "XO":
        assert forced_wins(after, stuck, player).keys().isdisjoint(starts)


def hunt_escaping(position: Position) -> list[Position]:
    """Do the same, but the hare wins once it is to the left of all hounds, or after ten stalls of theirs in a row."""
    hounds, hare, stalls, turn = position
    if stalls == 10 or COLUMNS[hare] < min(COLUMNS[s] for s in hounds):
        return []
    if turn == "O":
        return [(hounds, t, stalls, "X") for t in LINKS[hare] if t not in hounds]
    steps = ((s, t) for s in hounds for t in LINKS[s] if COLUMNS[t] >= COLUMNS[s] and t not in hounds and t != hare)
    return [(hounds - {s} | {t}, hare, stalls + 1 if COLUMNS[s] == COLUMNS[t] else 0, "O") for s, t in steps]


def test_the_hounds_win_if_the_hare_can_escape() -> None:
    """They win, moving first, wherever the hare begins on a free point that is not behind them."""
    starts = [(frozenset({1, 4, 9}), hare, 0, "X") for hare in (2, 3, 5, 6, 7, 8, 10, 11)]
    after = list_positions(starts, hunt_escaping)
    trapped = [
        position
        for position, found in after.items()
        if not found
        and position[3] == "O"
        and position[2] < 10
        and COLUMNS[position[1]] >= min(map(COLUMNS.__getitem__, position[0]))
    ]
    wins = forced_wins(after, trapped, "X")
    assert all(start in wins for start in starts)
    assert expected("hounds-win-from-anywhere") == {f"hare-on-{hare}": "proved" for _, hare, _, _ in starts}


def longest_mate(n: int) -> int:
    """Return the plies of the longest mate with king and rook on ``n`` rows, with White to move."""
    squares = list(itertools.product(range(n), repeat=2))

    def touch(a: Position, b: Position) -> bool:
        return all(abs(a[i] - b[i]) <= 1 for i in (0, 1))

    def sees(rook: Position, king: Position, square: Position) -> bool:
        for i in (0, 1):
            j = 1 - i
            if rook[i] == square[i] and rook != square:
                between = min(rook[j], square[j]) < king[j] < max(rook[j], square[j])
                return not (king[i] == rook[i] and between)
        return False

    def moves(position: Position) -> list[Position]:
        king, rook, black, turn = position
        if rook == black:
            return []
        if turn == "O":
            steps = (s for s in squares if s != black and touch(s, black) and not touch(s, king))
            return [(king, rook, s, "X") for s in steps if not sees(rook, king, s)]
        walks = [(s, rook) for s in squares if s not in {king, rook} and touch(s, king) and not touch(s, black)]
        slides = [(king, s) for s in squares if s != king and sees(rook, king, s)]
        return [(k, r, black, "O") for k, r in walks + slides]

    starts = [
        (king, rook, black, "X")
        for king, rook, black in itertools.product(squares, repeat=3)
        if rook not in {king, black} and not touch(king, black) and not sees(rook, king, black)
    ]
    after = list_positions(starts, moves)
    mates = [p for p, found in after.items() if not found and p[3] == "O" and sees(p[1], p[0], p[2])]
    wins = forced_wins(after, mates, "X")
    return max(wins[start] for start in starts)


def test_king_and_rook_need_seven_moves_on_four_rows_and_ten_on_five() -> None:
    """White mates from every position. His last move has an odd ply."""
    assert [longest_mate(n) for n in (4, 5)] == [13, 19]
