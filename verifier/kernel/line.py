"""Single plays: replay a line, and say which objective of a statement it shows or contradicts.

Trusted for: every verdict that rests on one play.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from verifier.kernel.errors import CertificateError, IllegalMoveError, NotationError
from verifier.kernel.games import Game
from verifier.kernel.objective import FAILS, Objective, Watch, scopes_of_label, standing_scopes
from verifier.kernel.plays import A_MOVE, Node, describe_end, require_little
from verifier.kernel.statement import Statement
from verifier.kernel.strategy import find_breakdown

Met = tuple[Node, set[str]]
"""A position of a line, with the move that is made there, and the scopes that it is in."""


def parse_line(game: Game, moves: object) -> list[Any]:
    """Read a list of moves.

    Raises:
        CertificateError: it is none.
    """
    if not isinstance(moves, list) or len(moves) > 1000 or not all(isinstance(move, str) for move in moves):
        raise CertificateError("malformed", "a line is a list of moves")
    try:
        return [game.parse_move(move) for move in moves]
    except NotationError as error:
        raise CertificateError("malformed", str(error)) from None


def replay(statement: Statement, moves: Iterable[Any]) -> list[Met]:
    """Play moves from the start, each one that its player's strategy allows; return all positions that are met.

    Raises:
        CertificateError: a move is illegal, not the strategy's, or follows the end of the play; or ``limit``.
    """
    game, position, labels, found = statement.game, statement.start, set[str](), list[Met]()
    for move in [*moves, None]:
        statement.formulas.work += A_MOVE * game.weight  # lines without a move are many as well
        require_little(statement)
        mover = "" if describe_end(statement, position) is not None else game.turn(position)
        strategy = statement.strategies.get(mover)
        choices = strategy(position) if strategy else []
        scopes = standing_scopes(statement, Node(position, mover, tuple((label, None) for label, _ in choices)))
        scopes.update(scope for label in labels for scope in scopes_of_label("after", label))
        if move is None:
            return [*found, (Node(position, mover, ()), scopes)]
        labels = {label for label, choice in choices if choice == move}
        if not mover:
            raise CertificateError("illegal-move", "the line goes on after its end")
        if strategy and not labels:
            raise CertificateError("not-the-strategy", f"{game.format_move(move)} in {game.format_position(position)}")
        try:
            after = game.play(position, move)
        except IllegalMoveError as error:
            raise CertificateError("illegal-move", str(error)) from None
        found.append((Node(position, mover, (("", after),)), scopes))
        position = after
    return found


def choices_of(statement: Statement, position: Any) -> set[Any]:
    """Return the moves among which a table may choose for the claimant: none where the claimant has no choice."""
    if not statement.chooses:
        return set()
    strategy = statement.strategies.get(statement.claimant)
    return {move for _, move in strategy(position)} if strategy else set(statement.game.legal_moves(position))


def explain_failure(statement: Statement, objective: Objective, moves: list[Any]) -> str | None:
    """Say how a play contradicts a universal objective at its end, or return None when it does not.

    Raises:
        CertificateError: the play is not one of the statement's.
    """
    game, met = statement.game, replay(statement, moves)
    for node, _ in met[:-1]:
        if node.mover == statement.claimant and len(choices_of(statement, node.position)) > 1:
            return None  # the claimant could have played otherwise
    (last, _), watch, said = met[-1], Watch(objective, statement.start), ""
    ply, mover = game.ply(last.position), last.mover
    if mover in statement.strategies:
        choices = [move for _, move in statement.strategies[mover](last.position)]
        if statement.chooses and mover == statement.claimant:
            choices = [move for move in choices if move in game.legal_moves(last.position)]
        breakdown = find_breakdown(game, last.position, choices)
        if breakdown:
            return f"the strategy of {mover} {breakdown} after ply {ply}"
    for node, scopes in met:
        said = watch.judge(node, game.ply(node.position), scopes)
    if said != FAILS:
        return None
    if objective.type == "reach":
        return f"{objective.name!r} fails: not reached by ply {objective.bound}"
    return f"{objective.name!r} fails at ply {ply}"


def require_some(statement: Statement, objective: Objective, moves: object) -> None:
    """Require that a line shows a ``some`` objective at its end.

    Raises:
        CertificateError: ``not-some``, or the line is none of the statement's.
    """
    last, scopes = replay(statement, parse_line(statement.game, moves))[-1]
    ply = statement.game.ply(last.position)
    if not (objective.speaks_of(ply, scopes) and objective.holds(last.position, ply)):
        text = statement.game.format_position(last.position)
        raise CertificateError("not-some", f"{objective.name!r} does not hold in {text}")
