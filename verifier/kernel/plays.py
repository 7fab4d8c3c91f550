"""Decide claims about plays: walk through every play, or replay one line, and test the objectives at the positions.

This module is trusted for every verdict on a statement of kind ``play``, unless an invariant shows the verdict. No play
is left out, except for the reasons in ``relabel`` and ``breaker``. A player with a strategy or a table of moves makes
exactly the moves that the strategy or the table gives. A table with an unused entry is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.games import OTHER, Game
from verifier.kernel.rounds import Rounds, burden, explain_round, find_longest_way, find_starts
from verifier.kernel.scopes import require_met, with_scopes
from verifier.kernel.statement import Objective, Statement
from verifier.kernel.strategy import Choice, find_breakdown
from verifier.kernel.verdict import Result, Verdict
from verifier.kernel.words import counted

Edge = tuple[str, Any]
"""The label of the rule that gives a move (empty without a strategy), and the position after the move."""

Moves = Mapping[str, list[str]]
"""The claimant's moves in a table, by position."""

MAX_EDGES, MAX_MOVES = 500_000, 1000
"""Maximum number of moves in a walk without a table, and in a line."""

FREE_EDGES, EDGES_AN_ENTRY, EDGES_A_START = 30_000, 82, 20
"""A walk by a table can have ``FREE_EDGES`` moves, and ``EDGES_AN_ENTRY`` more for each entry used so far: the
claimant's move and 81 replies. In every walk, each start after the first adds ``EDGES_A_START``. ``FREE_EDGES`` is for
moves before any entry: if the opponent places three pieces on 64 squares, there are 23,000 moves, up to symmetry."""

_OPPOSITE = {"reach": "prevent", "prevent": "reach"}


@dataclass(frozen=True, slots=True)
class Node:
    """A position of a walk or a line."""

    position: Any
    mover: str  # the player to move; empty if play ends in the position
    edges: tuple[Edge, ...]  # the moves that are made in the position
    breakdown: str = ""  # how the mover's strategy breaks down; only in an opponent's claim (``oppose``)
    is_start: bool = False  # whether a walk starts in the position


def has_ended(statement: Statement, position: Any) -> bool:
    """Say whether a play ends in a position: the game is over, or the horizon or ``Statement.until`` is reached."""
    is_cut = statement.horizon is not None and statement.game.ply(position) >= statement.horizon
    until = statement.until
    return is_cut or statement.game.is_over(position) or (until is not None and until(position))


def walk(
    statement: Statement,
    table: Moves | None,
    fold: Callable[[Any], Any] | None = None,
    find_followed: Callable[[Any], list[Any] | None] | None = None,
) -> Iterator[Node]:
    """Yield each position of the plays once, at the first ply where it occurs. Positions of earlier plies come first.

    A player makes every legal move, unless he has a strategy, or is the claimant and there is a table of his moves.
    ``fold`` takes a position after a move, and returns one position for it and all its images (``relabel``).
    ``find_followed`` returns the moves to follow from a position, or None to follow all moves that the player makes.
    The module ``breaker`` says why the other moves need not be followed.
    """
    count = used = 0
    starts = dict.fromkeys(find_starts(statement, fold))
    level: dict[Any, None] = starts  # the positions of one ply; only two plies and the starts are in memory
    rounds = None if statement.has_number else Rounds(statement.game, starts, fold)
    fold = fold if rounds is None else rounds.fold
    while level:
        following: dict[Any, None] = {}
        for position in level:
            is_end, mover = has_ended(statement, position), statement.game.turn(position)
            breakdown = explain_breakdown(statement, position, mover) if statement.is_opposed and not is_end else ""
            if is_end or breakdown:
                yield Node(position, "", (), breakdown, level is starts)
                continue
            chosen = None if find_followed is None else find_followed(position)
            if chosen is None and table is not None and mover == statement.claimant:
                chosen = _entry(statement, table, position)
                used += 1
            edges = () if chosen == [] else tuple(_edges(statement, position, mover, chosen))
            count += len(edges) * burden(position)
            if fold is not None:
                edges = tuple(dict.fromkeys([(label, fold(after)) for label, after in edges]))
            limit = MAX_EDGES if table is None else FREE_EDGES + EDGES_AN_ENTRY * used
            limit += EDGES_A_START * (len(starts) - 1)
            if count > limit:
                raise CertificateError("limit", f"the plays have more than {limit:,} moves: start later, or end sooner")
            yield Node(position, mover, edges, is_start=level is starts)
            following.update(dict.fromkeys([after for _, after in edges]))
        level = following if rounds is None else rounds.find_new(following)
    if table is not None and used != len(table):
        left = counted(len(table) - used, "entry", "entries")
        raise CertificateError("unreachable-entry", f"no play reaches {left} of the table")


def _entry(statement: Statement, table: Moves, position: Any) -> list[Any]:
    text = statement.game.format_position(position)
    if text not in table:
        raise CertificateError("missing-entry", f"the table has no entry for {text}")
    moves = sorted(set(map(statement.game.parse_move, table[text])))
    if not moves or len(moves) < len(table[text]):
        raise CertificateError("malformed", f"the entry of {text} must list one move or more, each once")
    return moves


def _edges(statement: Statement, position: Any, mover: str, chosen: list[Any] | None) -> Iterator[Edge]:
    game = statement.game
    strategy = statement.strategies.get(mover)
    choices: Any
    if strategy:
        choices = find_choices(statement, position, mover)
        if chosen is not None and not {*chosen} <= {move for _, move in choices}:
            text = game.format_position(position)
            raise CertificateError("not-the-strategy", f"the strategy does not allow a move of the table in {text}")
        choices = choices if chosen is None else [choice for choice in choices if choice[1] in chosen]
    else:
        choices = [("", move) for move in (game.legal_moves(position) if chosen is None else chosen)]
    if not choices:
        raise CertificateError("stuck", f"the strategy of {mover} has no move in {game.format_position(position)}")
    for label, move in choices:
        statement.formulas.spend(1)
        yield label, game.play(position, move)


def find_choices(statement: Statement, position: Any, mover: str) -> list[Choice]:
    """Return the choices of a player's strategy in a position. If he is free to choose, return only legal choices."""
    choices = statement.strategies[mover](position)
    chooser = OTHER[statement.claimant] if statement.is_opposed else statement.claimant
    if not statement.chooses or mover != chooser:
        return choices
    legal = {*statement.game.legal_moves(position)}
    return [choice for choice in choices if choice[1] in legal]


def explain_breakdown(statement: Statement, position: Any, mover: str) -> str:
    """Return how the mover's strategy breaks down in a position where play goes on; "" if it does not."""
    if mover not in statement.strategies:
        return ""
    statement.formulas.spend(1)
    moves = [move for _, move in find_choices(statement, position, mover)]
    breakdown = find_breakdown(statement.game, position, moves)
    where = f"after ply {statement.game.ply(position)}"
    if not statement.has_number:
        where = f"in {statement.game.format_position(position)}"
    return f"the strategy of {mover} {breakdown} {where}" if breakdown else ""


class Watch:
    """Tests an objective at the positions of plays, ply by ply.

    ``met`` has the scopes in which positions were tested. With ``waits``, the objective can fail only at the end of a
    play. An opponent's claim against a strategy (``oppose``) waits, because a later breakdown makes the claim true.
    """

    def __init__(self, objective: Objective, start: Any, *, waits: bool = False) -> None:
        self.objective = objective
        self.met: set[str] = set()
        self._waits = waits
        self._ply, self._pending, self._next = -1, set[Any](), {start} if objective.type == "reach" else set[Any]()

    def fails(self, node: Node, ply: int, scopes: Set[str]) -> bool:
        """Say whether the objective applies to a position and does not hold there."""
        # A breakdown alone refutes the claimant, so the opponent's objective does not fail here. But an objective
        # without a ply (``bound`` is infinite) is tested: if the claimant has reached his own goal here, his
        # play is over (``Statement.until``), and his strategy needs no further move.
        if node.breakdown and self.objective.bound < math.inf:
            return False
        pending = self._pending_at(ply)
        if self.objective.type == "reach":  # ``is_so``: some play comes here without having met the goal
            is_so = node.position in pending and not self.objective.holds(node.position, ply)
            is_late = not node.mover if self._waits else self.objective.speaks_of(ply, scopes)
        elif self._waits:  # ``is_so``: some play meets the goal here, or has met it before
            is_here = self.objective.speaks_of(ply, frozenset()) and not self.objective.holds(node.position, ply)
            is_so = is_here or node.position in pending
            is_late = not node.mover
        else:
            self.met |= self.objective.scopes & scopes
            return self.objective.speaks_of(ply, scopes) and not self.objective.holds(node.position, ply)
        if is_so:
            self._next.update([after for _, after in node.edges])
        return is_so and is_late

    def _pending_at(self, ply: int) -> set[Any]:
        """Return the positions that were noted for this ply while the ply before it was tested."""
        if ply != self._ply:
            self._ply, self._pending, self._next = ply, self._next, set()
        return self._pending


def require_bound(statement: Statement, objective: Objective) -> None:
    """Require that an objective is about some position: its ply and the horizon must not be before the start."""
    first = statement.game.ply(statement.start)
    ends = [objective.bound] if objective.type in _OPPOSITE else []
    if min([*ends, first if statement.horizon is None else statement.horizon]) < first:
        text = f"{objective.name!r} ends before the start, which is at ply {first}"
        raise CertificateError("vacuous-bound", text)


def parse_line(game: Game, moves: list[str]) -> list[Any]:
    """Read the moves of a line."""
    if len(moves) > MAX_MOVES:
        raise CertificateError("malformed", f"a line can have at most {MAX_MOVES} moves")
    return [game.parse_move(move) for move in moves]


def replay(statement: Statement, moves: Iterable[Any]) -> list[Node]:
    """Play moves from the start, and require that the strategies allow them; return the nodes from first to last.

    The edges of a node are the choices of the strategy or, without a strategy, the move that is played. The edge of the
    move that is played has the position after the move; the other edges have None.
    """
    game, position, found = statement.game, statement.start, list[Node]()
    for move in [*moves, None]:
        statement.formulas.spend(1)  # the end of a line is work too: a statement may have many lines without moves
        mover = "" if has_ended(statement, position) else game.turn(position)
        strategy = statement.strategies.get(mover)
        choices = strategy(position) if strategy else [("", move)]
        if move is None:
            return [*found, Node(position, mover, tuple((label, None) for label, _ in choices))]
        if not mover:
            raise CertificateError("illegal-move", "the line goes on after the play has ended")
        if move not in [choice for _, choice in choices]:
            text = f"{game.format_move(move)} in {game.format_position(position)}"
            raise CertificateError("not-the-strategy", f"the strategy does not allow {text}")
        after = game.play(position, move)
        found.append(Node(position, mover, tuple((label, after if m == move else None) for label, m in choices)))
        position = after
    return found


def check_proof(statement: Statement, nodes: Iterable[Node], lines: Mapping[str, list[str]]) -> Result:
    """Check every objective: a ``some`` by its line, a *universal* objective (any other) at all nodes of a walk.

    The nodes are used only if an objective needs a walk.
    """
    if set(lines) != {objective.name for objective in statement.objectives if objective.type == "some"}:
        raise CertificateError("malformed", "'lines' must have a line for each objective of type 'some', and no others")
    watched = []
    for objective in statement.objectives:
        require_bound(statement, objective)
        if objective.type == "some":
            line = parse_line(statement.game, lines[objective.name])
            *_, (last, ply, scopes) = with_scopes(statement, replay(statement, line))
            if not (objective.speaks_of(ply, scopes) and objective.holds(last.position, ply)):
                text = statement.game.format_position(last.position)
                raise CertificateError("not-some", f"{objective.name!r} does not hold in {text}")
        if objective.is_walked:  # a line shows ``some``; the walk has to meet its scopes, no more
            is_shown = objective.type == "some"
            watched.append(replace(objective, type="keep", test=lambda _: True) if is_shown else objective)
    stats, failed = _follow(statement, nodes, watched)
    if failed is not None:
        objective, text = failed
        raise CertificateError(f"not-{objective.type}", f"{objective.name!r} fails in {text}")
    return Result(Verdict.PROVED, stats=stats)


def check_refutation(statement: Statement, name: str, nodes: Iterable[Node], moves: list[str] | None) -> Result:
    """Check that an objective fails.

    A line of moves shows that a universal objective fails. A walk shows that a ``some`` fails; ``moves`` is then None.
    """
    objective = _find_objective(statement, name, ("some",) if moves is None else ("reach", "prevent", "keep"))
    require_bound(statement, objective)
    if moves is not None:
        reason = explain_failure(statement, objective, moves)
        if reason is None:
            raise CertificateError("not-refuted", f"the play does not contradict {name!r}")
        return Result(Verdict.REFUTED, reason)
    opposite = replace(objective, type="keep", test=lambda position: not objective.test(position))
    stats, failed = _follow(statement, nodes, [opposite])
    if failed is not None:
        raise CertificateError("not-refuted", f"{name!r} holds in {failed[1]}")
    return Result(Verdict.REFUTED, f"no play shows {name!r}", stats=stats)


def explain_failure(statement: Statement, objective: Objective, moves: list[str]) -> str | None:
    """Return how the last position of a line contradicts a universal objective; None if there is no contradiction."""
    game, own = statement.game, statement.strategies.get(statement.claimant)
    met = replay(statement, parse_line(game, moves))
    for node in met[:-1]:
        if statement.chooses and node.mover == statement.claimant:
            choices = find_choices(statement, node.position, node.mover) if own else ()
            there = {move for _, move in choices} if own else {*game.legal_moves(node.position)}
            if len(there) > 1:
                return None  # the claimant could have played otherwise
    last, watch = met[-1], Watch(objective, statement.start)
    breakdown = explain_breakdown(statement, last.position, last.mover)
    if breakdown:
        return breakdown
    if objective.bound == math.inf and objective.type == "reach":
        return explain_round(statement, objective, [node.position for node in met], is_over=not last.mover)
    if not [watch.fails(*node) for node in with_scopes(statement, met)][-1]:
        return None
    if objective.type == "reach":
        return f"{objective.name!r} fails: not reached by ply {objective.bound}"
    where = f"at ply {game.ply(last.position)}" if statement.has_number else f"after {counted(len(moves), 'move')}"
    where = where if moves or statement.has_number else "at the start"
    return f"{objective.name!r} fails {where}"


def oppose(statement: Statement, name: str) -> Statement:
    """Return the opponent's claim that refutes a claim: ``prevent`` instead of ``reach``, or the other way round.

    A single play does not refute a claimant who chooses his moves. But either the claimant can choose moves so that
    each play reaches a goal (in time), or the opponent can choose moves so that no play reaches it (in time). If
    play may go on for ever, this is still true, because there are finitely many positions. The claimant's claim also
    fails if a strategy breaks down. So the opponent may lead play to a breakdown instead.
    """
    objective = _find_objective(statement, name, _OPPOSITE if statement.chooses else ())
    opposite = replace(objective, type=_OPPOSITE[objective.type])
    return replace(statement, claimant=OTHER[statement.claimant], objectives=(opposite,), chooses=True, is_opposed=True)


def check_opposed(opposed: Statement, nodes: Iterable[Node]) -> Result:
    """Check that the opponent's moves, against every move of the claimant, show the claim that ``oppose`` returns."""
    broken = list[str]()

    def note(node: Node) -> Node:
        broken.extend([node.breakdown] * bool(node.breakdown and not broken))
        return node

    shown, objective = check_proof(opposed, map(note, nodes), {}), opposed.objectives[0]
    how = f"{'breaks it by' if objective.type == 'reach' else 'prevents it through'} ply {objective.bound}"
    if not opposed.has_number:
        most = shown.stats.get("bound")
        how = "prevents it for ever" if most is None else f"breaks it in at most {counted(most, 'move')}"
        how = "breaks it at the start" if most == 0 else how
    other = OTHER[opposed.claimant]
    played = f"the strategy of {other} allows" if other in opposed.strategies else "is played"
    text = f"{broken[0]}, or {opposed.claimant} {how}" if broken else f"{opposed.claimant} {how}, whatever {played}"
    return Result(Verdict.REFUTED, f"{objective.name!r} fails: {text}", stats=shown.stats)


def _find_objective(statement: Statement, name: str, types: Iterable[str]) -> Objective:
    """Return the objective with a name, and require that it has one of these types."""
    found = next((o for o in statement.objectives if o.name == name), None)
    if found is None or found.type not in types:
        raise CertificateError("malformed", f"{name[:60]!r} is not an objective that evidence of this form can refute")
    return found


def _follow(
    statement: Statement, nodes: Iterable[Node], objectives: list[Objective]
) -> tuple[dict[str, int], tuple[Objective, str] | None]:
    """Test objectives at all nodes of a walk. Return statistics; and the first failure with its position, or None."""
    positions = edges = leaves = 0
    waits = statement.is_opposed and statement.has_number and bool(statement.strategies)
    endless = [objective for objective in objectives if objective.type == "reach" and not statement.has_number]
    watched = [Watch(one, statement.start, waits=waits) for one in objectives if one not in endless]
    found = dict[Any, Node]()
    for node, ply, scopes in with_scopes(statement, nodes) if objectives else ():
        positions, edges, leaves = positions + 1, edges + len(node.edges), leaves + (not node.mover)
        statement.formulas.spend(node.is_start and not node.mover)  # no move was spent on how a given position stands
        if endless:
            found[node.position] = node
        for watch in watched:
            if watch.fails(node, ply, scopes):
                return {}, (watch.objective, statement.game.format_position(node.position))
    for watch in watched:
        require_met(watch.objective, watch.met)
    stats = {"positions": positions, "edges": edges, "leaves": leaves} if objectives else {}
    ways = [find_longest_way(statement, objective, found) for objective in endless]
    return {**stats, "bound": max(ways)} if ways else stats, None
