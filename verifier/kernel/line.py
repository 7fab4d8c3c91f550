"""Single plays: replay a line, and say which objective of a statement it shows or contradicts.

Trusted for: every verdict that rests on one play.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.games import Game
from verifier.kernel.objective import Objective, Watch, with_scopes
from verifier.kernel.plays import A_MOVE, Node, has_ended, require_little
from verifier.kernel.statement import Statement
from verifier.kernel.strategy import find_breakdown

MAX_MOVES = 1000
"""How many moves a line has at most."""


def parse_line(game: Game, moves: list[str]) -> list[Any]:
    """Read the moves of a line."""
    if len(moves) > MAX_MOVES:
        raise CertificateError("malformed", f"a line of more than {MAX_MOVES} moves")
    return [game.parse_move(move) for move in moves]


def replay(statement: Statement, moves: Iterable[Any]) -> list[Node]:
    """Play moves from the start, each one that its player's strategy allows; return all positions that are met.

    Of the edges of each, which are the choices there, the one that is played alone leads to a position.
    """
    game, position, found = statement.game, statement.start, list[Node]()
    for move in [*moves, None]:
        statement.formulas.work += A_MOVE * game.weight  # lines without a move are many as well
        require_little(statement)
        mover = "" if has_ended(statement, position) else game.turn(position)
        strategy = statement.strategies.get(mover)
        choices = strategy(position) if strategy else [("", move)]
        if move is None:
            return [*found, Node(position, mover, tuple((label, None) for label, _ in choices))]
        if not mover:
            raise CertificateError("illegal-move", "the line goes on after its end")
        if move not in [choice for _, choice in choices]:
            raise CertificateError("not-the-strategy", f"{game.format_move(move)} in {game.format_position(position)}")
        after = game.play(position, move)
        found.append(Node(position, mover, tuple((label, after if m == move else None) for label, m in choices)))
        position = after
    return found


def choices_of(statement: Statement, position: Any) -> set[Any]:
    """Return the moves among which a table may choose for the claimant: none where the claimant has no choice."""
    if not statement.chooses:
        return set()
    strategy = statement.strategies.get(statement.claimant)
    return {move for _, move in strategy(position)} if strategy else set(statement.game.legal_moves(position))


def explain_failure(statement: Statement, objective: Objective, moves: list[str]) -> str | None:
    """Say how a play contradicts a universal objective at its end, or return None when it does not."""
    game, met = statement.game, replay(statement, parse_line(statement.game, moves))
    for node in met[:-1]:
        if node.mover == statement.claimant and len(choices_of(statement, node.position)) > 1:
            return None  # the claimant could have played otherwise
    last, watch = met[-1], Watch(objective, statement.start)
    ply, mover = game.ply(last.position), last.mover
    if mover in statement.strategies:
        choices = [move for _, move in statement.strategies[mover](last.position)]
        if statement.chooses and mover == statement.claimant:
            choices = [move for move in choices if move in game.legal_moves(last.position)]
        breakdown = find_breakdown(game, last.position, choices)
        if breakdown:
            return f"the strategy of {mover} {breakdown} after ply {ply}"
    if not [watch.fails(*node) for node in with_scopes(statement, met)][-1]:
        return None
    if objective.type == "reach":
        return f"{objective.name!r} fails: not reached by ply {objective.bound}"
    return f"{objective.name!r} fails at ply {ply}"


def require_some(statement: Statement, objective: Objective, moves: list[str]) -> None:
    """Require that a line shows a ``some`` objective at its end."""
    *_, (last, ply, scopes) = with_scopes(statement, replay(statement, parse_line(statement.game, moves)))
    if not (objective.speaks_of(ply, scopes) and objective.holds(last.position, ply)):
        text = statement.game.format_position(last.position)
        raise CertificateError("not-some", f"{objective.name!r} does not hold in {text}")
