"""Make random plays, to refute false claims about plays. A thousand random plays refute most false claims.

The seed is fixed, so the same play refutes a statement each time.
"""

from __future__ import annotations

import random

from verifier.kernel.plays import MAX_MOVES, Node, Watch, has_ended
from verifier.kernel.scopes import with_scopes
from verifier.kernel.statement import UNIVERSAL, Statement
from verifier.search.walk import explore, find_failure, find_legal

FIRST_MOVES = 20_000
"""Before the random plays, this many moves are explored ply by ply, to find a short play that refutes the claim."""

MAX_PLAYS, PLAYS_SEED = 1000, 0

MAX_CHOICES = 2_000_000
"""Maximum number of legal moves, in all positions of all random plays together. A thousand plays of ultimate
tic-tac-toe have about 700,000."""


def refute_by_chance(statement: Statement) -> tuple[str, list[str]] | None:
    """Return the name of an objective, and the moves of a random play that contradicts it; None if no play does.

    Return None without random plays if ``explore`` alone decides the claim quickly: if there are few plays, or if the
    first plays contradict an objective or end with a breakdown.
    """
    universal = [objective for objective in statement.objectives if objective.type in UNIVERSAL]
    if not statement.has_number and any(objective.type == "reach" for objective in universal):
        return None  # a play that is cut off may still reach the goal later, so it refutes nothing
    if statement.chooses or statement.given is not None or not universal:
        return None  # one play refutes nothing if the claimant could have played another move
    found = explore(statement, limit=2 * FIRST_MOVES, most_moves=FIRST_MOVES)
    is_open = not found.is_whole and found.trouble is None
    if not is_open or any(find_failure(found, objective) is not None for objective in universal):
        return None
    chance, game = random.Random(PLAYS_SEED), statement.game  # noqa: S311 - these are plays, not secrets
    left = MAX_CHOICES
    for _ in range(MAX_PLAYS):
        nodes, moves, is_broken = _play(statement, chance, left)
        left -= sum(len(node.edges) for node in nodes)
        if left <= 0:
            return None
        for objective in universal:
            watch = Watch(objective, statement.start)
            for index, told in enumerate(with_scopes(statement, nodes)):
                if watch.fails(*told):
                    return objective.name, [game.format_move(move) for move in moves[:index]]
        if is_broken:
            return universal[0].name, [game.format_move(move) for move in moves]
    return None


def _play(statement: Statement, chance: random.Random, most: int) -> tuple[list[Node], list[tuple[int, ...]], bool]:
    """Return the positions and the moves of a random play, and whether a strategy breaks down at its end.

    Stop when the positions have had ``most`` legal moves together.
    """
    game, position = statement.game, statement.start
    nodes, moves = list[Node](), list[tuple[int, ...]]()
    while not has_ended(statement, position) and len(moves) < MAX_MOVES and most > 0:
        mover, choices = game.turn(position), find_legal(statement, position)
        if not choices:
            return nodes, moves, True
        move = choices[int(chance.random() * len(choices))][1]
        after = game.play(position, move)
        edges = tuple((label, after if choice == move else None) for label, choice in choices)
        nodes.append(Node(position, mover, edges))
        moves.append(move)
        position, most = after, most - len(choices)
    return [*nodes, Node(position, "", ())], moves, False
