"""What people see beside a verdict on plays: example plays, counts, limits, notes and hints.

All this follows from the statement, the evidence and the *walk*: the positions of the plays that the kernel followed.
So it does not matter whether the evidence was shipped, or a search has just found it. Nothing here changes a verdict.
Hints are for authors: an objective that cannot fail, or a rule that no play reaches, may be a mistake in the spec.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.automorphism import size_group
from verifier.graph.plays import find_stand_in
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.plays import Node
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import Objective, Statement
from verifier.kernel.verdict import Verdict
from verifier.questions.result import Limit, Line

MAX_TRIED = 30_000
"""Maximum number of positions in a search for a legal play in which an objective of type ``prevent`` fails."""

MAX_SHOWN_WORK = 50_000_000
"""Maximum number of parts of formulas that these searches evaluate, in all searches for one statement together."""

HELD_NOTE = "pairs of spots or weights of lines show the rest"
"""Words for the reason why a table of moves can end before the plays end (``kernel/breaker.py``)."""


def find_wins(statement: Mapping[str, Any], nodes: Sequence[Node]) -> dict[str, int]:
    """Return the first and the last ply at which each player wins in a walk, by names such as ``X_wins_up_to_ply``.

    Leave out a player who never wins, and a player whose win does not end the play.

    Args:
        statement: the statement.
        nodes: the positions of the walk, ply by ply.
    """
    game, found = parse_rules(statement["rules"]), dict[str, int]()
    ends = [node.position for node in nodes if not node.mover]
    left_out = {node.position for node in nodes if node.mover and not node.edges}
    tests = {player: game.compile_atom(f"{player}_wins", ()) for player in "XO" if ends}
    winning = {player: dict[Any, int]() for player in tests}
    for position in ends:  # one position after the other, because a game remembers its last outcome
        for player, has_won in tests.items():
            if has_won(position, position):
                winning[player][position] = game.ply(position)
    for player, won in winning.items():
        if not won:
            continue
        # A win is never undone. So if play goes on after a win, the player has already won in a position that is not an
        # end. Such a position comes just before an end in ``won``, or the walk leaves out its moves.
        before = {node.position for node in nodes for _, after in node.edges if after in won}
        if not any(tests[player](position, position) for position in before | left_out):
            found |= {f"{player}_wins_from_ply": min(won.values()), f"{player}_wins_up_to_ply": max(won.values())}
    return found


def find_limit(data: Mapping[str, Any], verdict: Verdict, failed: str | None = None) -> Limit | None:
    """Return the last ply that a verdict is about, if plays may go on after it; otherwise None.

    Args:
        data: the statement.
        verdict: what the kernel has decided.
        failed: the name of the objective that is refuted.
    """
    if data["kind"] != "play":
        return None
    ends, horizon = list[int](), data["horizon"]
    prevented = dict[str, float]()  # for each goal, the last ply through which some objective prevents it
    # If one objective prevents a goal up to a ply, and another objective reaches the same goal, they say together when
    # the goal is reached. Then the first objective sets no limit.
    reached = [objective["goal"] for objective in data["objectives"] if objective["type"] == "reach"]
    holds = verdict >= Verdict.SUPPORTED
    for objective in data["objectives"]:
        kind, is_cut = objective["type"], horizon is not None and objective.get("at") != ["start"]
        if holds and kind == "prevent" and objective["goal"] not in reached:
            goal, through = str(objective["goal"]), objective["through"]
            prevented[goal] = max(prevented.get(goal, 0), math.inf if through is None else through)
        elif (holds and kind == "keep" and is_cut) or (kind == "some" and is_cut and objective["name"] == failed):
            ends.append(horizon)
    ends += [int(through) for through in prevented.values() if through < math.inf]
    last = parse_rules(data["rules"]).last_ply
    return None if not ends or (last is not None and min(ends) >= last) else Limit(min(ends), last)


def find_open_ends(statement: Statement, nodes: Sequence[Node]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Find objectives that stop while plays go on, and so say nothing about the end of these plays.

    Returns:
        Notes and hints. Each such objective gets a note. But an objective of type ``prevent`` that cannot fail,
        whatever the players do, gets a hint instead.
    """
    game, limit = statement.game, statement.formulas.work + MAX_SHOWN_WORK
    notes, hints = [], []
    for objective in statement.objectives:
        last = math.inf if statement.horizon is None else statement.horizon
        if objective.type == "prevent":
            last = min(last, objective.bound)
        if last == math.inf or objective.type not in ("prevent", "keep"):
            continue
        if not any(game.ply(node.position) == last and not game.is_over(node.position) for node in nodes):
            continue
        if objective.type == "prevent" and _is_never(statement, objective, last, limit):
            hints.append(f"{objective.name!r} cannot fail: it stops at ply {last}, before anything could go wrong")
        else:
            ends = [game.ply(node.position) for node in nodes if not node.mover and game.is_over(node.position)]
            how = "before any play has ended" if min(ends, default=math.inf) > last else "while some plays go on"
            notes.append(f"{objective.name!r} stops at ply {last}, {how}: it says nothing about later plies")
    return tuple(notes), tuple(hints)


def _is_never(statement: Statement, objective: Objective, last: float, limit: int) -> bool:
    """Search all legal play up to a ply for a position where an objective's formula is true.

    True: there is no such position. False: there is such a position, or the search reached a limit.
    """
    game, tried = statement.game, 0
    level = {statement.start}
    while level:
        for position in level:
            tried += 1
            if tried > MAX_TRIED or statement.formulas.work > limit or objective.test(position):
                return False
        going = [position for position in level if game.ply(position) < last and not game.is_over(position)]
        level = {game.play(position, move) for position in going for move in game.legal_moves(position)}
    return True


def find_empty(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield a hint for each objective that cannot fail because its formula has the same value in every position.

    An example is a formula about all members of an empty list.
    """
    trivial = {"keep": True, "reach": True, "prevent": False}
    for objective in data["objectives"]:
        formula, constant = objective.get("holds", objective.get("goal")), trivial.get(objective["type"])
        if constant is not None and formula is constant:
            yield f"{objective['name']!r} says nothing: its formula is {str(constant).lower()} in any position"


def find_unused_rules(statement: Statement, data: Mapping[str, Any], nodes: Sequence[Node]) -> Iterator[str]:
    """Yield a hint that names the rules of a strategy which no play reaches, if there are any."""
    # With two strategies, a horizon (where plays end) or a later start, the walk leaves out plays. An unused rule may
    # be for those plays.
    if not nodes or len(statement.strategies) != 1 or statement.horizon is not None:
        return
    if statement.start != statement.game.start:
        return
    used = {label for node in nodes for label, _ in node.edges}
    for player, strategy in data["strategies"].items():
        rules = (
            f"{phase['phase']}.{rule['rule']}"
            for phase in strategy["phases"]
            for instance in phase["instances"]
            for rule in instance["rules"]
        )
        unused = [rule for rule in dict.fromkeys(rules) if rule not in used]
        if unused:
            yield f"no play reaches these rules of the strategy of {player}: {', '.join(unused)}"


def count_symmetries(statement: Mapping[str, Any], evidence: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of symmetries as an entry for ``ReadingResult.stats``; an empty map if none are used."""
    generators = evidence.get("symmetries") or statement.get("symmetries")
    return {"symmetries": size_group(generators)} if generators else {}


def make_example(opposed: Statement, nodes: Sequence[Node], reason: str, symmetries: Symmetries | None = None) -> Line:
    """Return an example of the plays that refute a claim.

    If a strategy breaks down in some position, the example leads to this position. Otherwise it is one of the longest
    plays. The example ends where the goal is reached.

    Args:
        opposed: the opponent's claim, with one objective, as ``kernel.plays.oppose`` returns it.
        nodes: every position of the plays, ply by ply, the start first.
        reason: why the plays refute the claim.
        symmetries: the symmetries, if one node stands for all positions that are symmetric to it; otherwise None.
    """
    game, objective = opposed.game, opposed.objectives[0]
    if not opposed.has_number:
        return _make_round(opposed, nodes, reason, symmetries)
    broken = next((node for node in nodes if node.breakdown), None)
    length: dict[Any, int] = {}
    following: dict[Any, Any] = {}
    for node in reversed(nodes):  # a move leads to a position that comes later in the walk
        position = node.position
        is_done = objective.type == "reach" and objective.test(position)
        reached = [] if is_done else [after for _, after in node.edges]
        length[position] = 1 + max((length[after] for after in reached), default=-1)
        if node is broken:
            length[position] = len(nodes)  # longer than any play, so that the example leads to this position
        if reached:
            following[position] = max(reached, key=length.__getitem__)
    # ``position`` is a position of the example; in the walk, ``node_position`` stands for this position.
    moves, position, node_position = list[str](), opposed.start, opposed.start
    while node_position in following:
        node_position = following[node_position]
        played = [(move, game.play(position, move)) for move in game.legal_moves(position)]
        move, position = next(
            (move, after)
            for move, after in played
            if (symmetries.least(after) if symmetries else after) == node_position
        )
        moves.append(game.format_move(move))
    if broken is not None:
        return make_line(opposed, moves, f"{reason}; a play to where the strategy ends")
    is_whole = game.is_over(position) or game.ply(position) >= objective.bound
    return make_line(
        opposed, moves, f"{reason}; one of the longest plays{'' if is_whole else f', up to where {HELD_NOTE}'}"
    )


def _make_round(opposed: Statement, nodes: Sequence[Node], reason: str, symmetries: Symmetries | None) -> Line:
    """Return the example for ``make_example`` if positions do not include the number of moves made.

    The play leads to a position where a strategy breaks down, to an end, or to a position that the play has met before.
    """
    game, found = opposed.game, {node.position: node for node in nodes}
    origin = {after: node for node in reversed(nodes) for _, after in node.edges if after != opposed.start}
    broken = next((node for node in nodes if node.breakdown), None)
    way, here = dict[Any, Any](), opposed.start if broken is None else broken.position
    # Go back from the breakdown to the start: from each position to the first position in the walk that leads to it.
    while here != opposed.start:
        before = origin[here].position
        way[before], here = here, before
    # ``position`` is a position of the example; ``here`` is the position of the walk that stands for it.
    here = position = opposed.start
    moves, seen = list[str](), set[Any]()
    while found[here].edges and here not in seen:
        seen.add(here)
        edges = [after for _, after in found[here].edges]
        here = way.get(here) if broken else next((after for after in edges if after not in seen), edges[0])
        played = [(move, game.play(position, move)) for move in game.legal_moves(position)]
        move, position = next(pair for pair in played if find_stand_in(opposed, symmetries, pair[1]) == here)
        moves.append(game.format_move(move))
    how = "a play to where the strategy ends" if broken else "a play that goes round" if here in seen else "a play"
    return make_line(opposed, moves, f"{reason}; {how}")


def make_line(statement: Statement, moves: Sequence[str], reason: str) -> Line:
    """Return a play from the start of a statement as a witness; ``reason`` says what it shows."""
    game, position = statement.game, statement.start
    for move in moves:
        position = game.play(position, game.parse_move(move))
    return Line(game.format_position(statement.start), tuple(moves), game.format_position(position), reason, "line")
