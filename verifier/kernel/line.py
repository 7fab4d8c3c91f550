"""Single plays: replay a line, and say which objective of a statement it shows or contradicts.

Trusted for: every verdict that rests on one play.
"""

from __future__ import annotations

from typing import Any

from verifier.kernel.errors import CertificateError, IllegalMoveError, NotationError
from verifier.kernel.games import Game
from verifier.kernel.plays import A_MOVE, Node, describe_end, require_little, scopes_of_label, standing_scopes
from verifier.kernel.statement import Objective, Statement


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


def replay(statement: Statement, moves: list[Any]) -> tuple[list[Any], list[str]]:
    """Play moves from the start, each one that its player's strategy allows; return the positions and the last labels.

    Raises:
        CertificateError: a move is illegal, not the strategy's, or follows the horizon; or ``limit``.
    """
    position = statement.start
    positions, labels = [position], list[str]()
    for move in moves:
        if describe_end(statement, position) is not None:
            raise CertificateError("illegal-move", "the line goes on after its end")
        strategy = statement.strategies.get(statement.game.turn(position))
        statement.formulas.work += A_MOVE * statement.game.weight
        require_little(statement)
        if strategy:
            labels = [name for name, choice in strategy(position) if choice == move]
            if not labels:
                text = statement.game.format_position(position)
                raise CertificateError("not-the-strategy", f"{statement.game.format_move(move)} in {text}")
        else:
            labels = []
        try:
            position = statement.game.play(position, move)
        except IllegalMoveError as error:
            raise CertificateError("illegal-move", str(error)) from None
        positions.append(position)
    return positions, labels


def choices_of(statement: Statement, position: Any) -> set[Any]:
    """Return the moves among which a table may choose for the claimant: none where the claimant has no choice."""
    if not statement.chooses:
        return set()
    strategy = statement.strategies.get(statement.claimant)
    return {move for _, move in strategy(position)} if strategy else set(statement.game.legal_moves(position))


def explain_failure(statement: Statement, objective: Objective, moves: list[Any]) -> str | None:
    """Say how a play contradicts a universal objective, or return None when it does not.

    Raises:
        CertificateError: the play is not one of the statement's.
    """
    game = statement.game
    positions, labels = replay(statement, moves)
    last = positions[-1]
    own = (position for position in positions[:-1] if game.turn(position) == statement.claimant)
    if any(len(choices_of(statement, position)) > 1 for position in own):
        return None  # the claimant could have played otherwise
    end = describe_end(statement, last)
    mover = game.turn(last)
    if end is None and mover in statement.strategies:
        choices = statement.strategies[mover](last)
        legal = game.legal_moves(last)
        if statement.chooses and mover == statement.claimant:
            choices = [(label, move) for label, move in choices if move in legal]
        illegal = [choice for _, choice in choices if choice not in legal]
        if not choices:
            return f"the strategy of {mover} has no move after ply {game.ply(last)}"
        if illegal:
            name = game.format_move(illegal[0])
            return f"the strategy of {mover} names an illegal move after ply {game.ply(last)}: {name}"
    met = [objective.test(position) for position in positions]
    if objective.type == "reach":
        ended = game.ply(last) >= objective.bound or end not in (None, "horizon")
        in_time = any(
            hit and game.ply(position) <= objective.bound for hit, position in zip(met, positions, strict=True)
        )
        return f"{objective.name!r} fails: not reached by ply {objective.bound}" if ended and not in_time else None
    if objective.type == "prevent":
        in_time = game.ply(last) <= objective.bound
        return f"{objective.name!r} fails at ply {game.ply(last)}" if in_time and met[-1] else None
    if not met[-1] and scopes_of_line(statement, positions, labels) & objective.scopes:
        return f"{objective.name!r} fails at ply {game.ply(last)}"
    return None


def scopes_of_line(statement: Statement, positions: list[Any], labels: list[str]) -> set[str]:
    """Return the scopes that the last position of a line is in, given what ``replay`` returns.

    Raises:
        CertificateError: ``limit``.
    """
    statement.formulas.work += A_MOVE * statement.game.weight  # lines without a move are many as well
    require_little(statement)
    last = positions[-1]
    mover = "" if describe_end(statement, last) is not None else statement.game.turn(last)
    strategy = statement.strategies.get(mover)
    edges = tuple((name, None) for name, _ in strategy(last)) if strategy else ()
    scopes = standing_scopes(statement, Node(last, mover, edges))
    for label in labels:
        scopes |= set(scopes_of_label("after", label))
    return scopes


def require_some(statement: Statement, objective: Objective, moves: object) -> None:
    """Require that a line shows a ``some`` objective at its end.

    Raises:
        CertificateError: ``not-some``, or the line is none of the statement's.
    """
    positions, labels = replay(statement, parse_line(statement.game, moves))
    last = positions[-1]
    if not (scopes_of_line(statement, positions, labels) & objective.scopes and objective.test(last)):
        text = statement.game.format_position(last)
        raise CertificateError("not-some", f"{objective.name!r} does not hold in {text}")
