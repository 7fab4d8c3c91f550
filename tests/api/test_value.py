"""The value of a position: what trying every move finds, or that the search gave up."""

import functools
import random
from collections import Counter
from typing import Any

import pytest

import verifier
from tests.kernel.test_general import plain_moves, plain_outcome, random_rules
from tests.rules import find_rules
from tests.search.test_retrograde import cells_of
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules

Found = tuple[str, int | None]


def value_of(ends: dict[Any, str | None], after: dict[Any, list[Any]], turns: dict[Any, str], start: Any) -> Found:
    """Return the result and its plies, where ``ends`` has how play has ended: ply by ply, until nothing new is won."""
    for player in "XO":
        won, plies = {state for state in after if ends[state] == player}, 0
        while start not in won:
            quick = {"X": any, "O": all} if player == "X" else {"X": all, "O": any}
            open_states = [state for state in after if ends[state] is None and state not in won]
            more = {state for state in open_states if quick[turns[state]](one in won for one in after[state])}
            plies += 1
            if not more:
                break
            won |= more
        if start in won:
            return f"{player} wins", plies
    return "draw", None


def plain_value(data: Any) -> Found:
    """Return the value of rules by the interpreter of the tests."""
    start = (*data["state"][0][4],), (*data["state"][1][4],), "XO".index(data["turn"]) + 1
    ends, after, states = {}, {}, [start]
    for state in states:  # grows while it is read
        here = cells_of(state)
        ends[state] = plain_outcome(data, here)
        moves = {} if ends[state] else plain_moves(data, here)
        after[state] = [((*one["b"],), (*one["n"],), one["turn"][0]) for one in moves.values()]
        states += sorted({*after[state]} - {*states})
    return value_of(ends, after, {state: " XO"[state[2]] for state in after}, start)


def test_values_are_those_of_trying_every_move() -> None:
    """Of random rules of cells, with extra turns and plays that go round."""
    seen = Counter[str]()
    for seed in range(100):
        data = random_rules(random.Random(f"value {seed}"))
        try:
            game = parse_rules(data)
        except verifier.SpecError:  # the start is over
            continue
        found = verifier.Board(game, game.start).value()
        assert ((found.result, found.plies), found.reason) == (plain_value(data), ""), seed
        seen[found.result] += 1
    assert min(seen[result] for result in ("X wins", "O wins", "draw")) > 2, seen


def tree_value(game: Game, position: Any) -> Found:
    """Return the value of a position by trying every move, where every play ends."""

    @functools.cache
    def look(at: Any) -> tuple[int, int]:
        """Return 1, 0 or -1 (X wins, a draw, O wins), and in how many plies."""
        if game.is_over(at):
            wins = [game.compile_atom(f"{player}_wins", ())(at, at) for player in "XO"]
            return wins[0] - wins[1], 0
        sign = 1 if game.turn(at) == "X" else -1
        options = [look(game.play(at, move)) for move in game.legal_moves(at)]
        best = max(sign * value for value, _ in options)
        plies = [plies for value, plies in options if sign * value == best]
        return sign * best, 1 + (min(plies) if best > 0 else max(plies))

    value, plies = look(position)
    return ("draw", None) if not value else ("X wins" if value > 0 else "O wins", plies)


@pytest.mark.parametrize(("rules", "marks"), [("tictactoe", 3), ("misere", 4), ("gravity", 8), ("paper", 70)])
def test_values_on_boards_are_those_of_trying_every_move(rules: str, marks: int) -> None:
    """From some positions after random moves, on one board and on nine."""
    game, seen = find_rules(rules), Counter[str]()
    for seed in range(8):
        chance, board = random.Random(f"board {seed}"), verifier.Board(game, game.start)
        while board.moves and board.ply < marks:
            board = board.play(chance.choice([*board.moves]))
        found = board.value()
        assert ((found.result, found.plies), found.reason) == (tree_value(game, board.state), ""), board
        seen[found.result] += 1
    assert len(seen) > 1, seen


def test_a_game_that_is_over_has_its_result() -> None:
    board = verifier.Board(find_rules("tictactoe"), find_rules("tictactoe").start)
    assert repr(board.play(0, 3, 1, 4, 2).value()) == "<Value: X wins in 0 plies>"
    assert repr(board.play(0, 4, 8, 1, 7, 6, 2, 5, 3).value()) == "<Value: draw>"


def test_a_search_that_gives_up_says_so() -> None:
    """Where positions do not fit into memory, and where there are too many plays: with how far the search came."""
    game = find_rules("hare-that-escapes")
    value = verifier.Board(game, game.start).value(memory_mib=1)
    assert (value.result, value.plies) == ("unknown", None)
    assert "can X force a win? the search listed 1," in value.reason
    assert str(value).startswith("unknown: can X force a win? ")
