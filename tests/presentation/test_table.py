"""Tables and the kernel agree about which spots may be marked, who owns what and who has won."""

import random
from typing import Any

import pytest

from tests.rules import find_rules, in_a_row, positional, rule_sets
from verifier.kernel.games import Game
from verifier.kernel.games.nested import NestedGame
from verifier.kernel.games.registry import parse_rules
from verifier.presentation.family import Table
from verifier.presentation.registry import find_presentation
from verifier.report.html.explorer import start_of

WITH_TABLE = {name for name in rule_sets() if find_presentation(find_rules(name)).table is not None}


def follow(table: Table, state: dict[str, Any], move: int) -> dict[str, Any]:
    """Return the state after a mark, as the page's script computes it (``putMark`` of ``explorer-games.js``)."""
    places, player = [*state["places"]], "XO"[state["ply"] % 2]
    places[move] = player
    for target, *needed in table.sets:
        if places[target] == "." and all(places[place] == player for place in needed):
            places[target] = player
    return {"places": "".join(places), "group": table.sends[move], "ply": state["ply"] + 1}


def open_spots(table: Table, state: dict[str, Any]) -> list[int]:
    """Return the spots in which the next mark may be made."""
    if state["places"][-1] != ".":
        return []
    groups = (table.groups[state["group"]], table.groups[-1])
    found = ([spot for spot in group.spots if state["places"][spot] == "."] for group in groups)
    return next((spots for spots in found if spots), [])


def check_game(game: Game, seed: int) -> None:
    """Follow a random play of a game by its table."""
    draw, shown, position = random.Random(seed), find_presentation(game), game.start
    table = shown.table
    assert table is not None
    spots = [game.parse_move(name) for area in shown.board.areas for name in area.spots]
    state = start_of(game, position)
    while True:
        moves, look = game.legal_moves(position), shown.look(position)
        assert [spots[spot] for spot in open_spots(table, state)] == [*moves]
        assert state["places"][:-1] == look.marks + look.owners
        ends = zip("XO", "OX" if table.loses else "XO", strict=True)  # who holds the game, and who has won it then
        won = (mark for mark, winner in ends if game.compile_atom(f"{winner}_wins", ())(position, position))
        assert state["places"][-1] == next(won, ".")
        if not moves:
            return
        assert start_of(game, position)["ply"] == state["ply"] == game.ply(position)
        move = draw.choice(moves)
        position, state = game.play(position, move), follow(table, state, spots.index(move))


@pytest.mark.parametrize("plays", [range(5), pytest.param(range(5, 100), marks=pytest.mark.slow)], ids=["few", "many"])
@pytest.mark.parametrize("name", sorted(WITH_TABLE))
def test_a_table_says_what_the_kernel_says(name: str, plays: range) -> None:
    """In each position of random plays: the marks, the owners, the spots that may be marked, and the winner."""
    each = 5 if isinstance(find_rules(name), NestedGame) else 1  # a play of nested boards is long
    for seed in plays[::each]:
        check_game(find_rules(name), seed)


def test_which_rules_have_a_table() -> None:
    """The paper's game has one, and games in which a player's own line wins or loses. Shared marks have none."""
    assert {"paper", "tictactoe", "four-in-a-row", "misere", "sim"} <= WITH_TABLE
    assert not {"notakto", "gravity", "maker-breaker", "paper-play-on"} & WITH_TABLE
    check_game(parse_rules(positional(2, 5, in_a_row(3, 2, 5), [[["X_line"], "X"], [["O_line"], "O"]])), 1)
