"""What people are shown of evidence that the kernel has accepted: plays, hypotheses, and what a proof leaves out.

All of it is made from the statement, the evidence and the plays that the kernel walked through, so that it is the same
whether a search has found the evidence just now or somebody shipped it. The verdict stands as it is. But an objective
may end before plays do, or a strategy have rules that nothing reaches, and their author may have meant something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.kernel.games.registry import parse_rules
from verifier.kernel.plays import Node
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import Objective, Statement
from verifier.kernel.verdict import Verdict
from verifier.questions.result import Limit, Line

MAX_TRIED = 30_000
"""Maximum number of positions of legal play examined for one in which something happens that is to be prevented."""

MAX_WORK = 50_000_000
"""So many nodes of formulas are evaluated there, for all objectives of a statement."""

HELD = "pairs of spots, or weights of lines, show the rest"


def find_wins(statement: Mapping[str, Any], nodes: Sequence[Node]) -> dict[str, int]:
    """Return the first and the last ply at which each player wins in a walk.

    A player who never wins is left out, and so is a player who wins while play goes on: plays do not end with that win.

    Args:
        statement: the statement whose plays were walked.
        nodes: the positions of the walk, ply by ply.
    """
    game, found = parse_rules(statement["rules"]), dict[str, int]()
    ends = [node.position for node in nodes if not node.mover]
    left_out = {node.position for node in nodes if node.mover and not node.edges}
    for player in "XO" if ends else "":
        has_won = game.compile_atom(f"{player}_wins", ())
        won = {position: game.ply(position) for position in ends if has_won(position, position)}
        if not won:
            continue
        # A win is never lost again. So if play goes on after it, the player has also won just before one of these
        # ends, or where the walk leaves out all moves.
        before = {node.position for node in nodes for _, after in node.edges if after in won}
        if not any(has_won(position, position) for position in before | left_out):
            found |= {f"{player}_wins_from_ply": min(won.values()), f"{player}_wins_up_to_ply": max(won.values())}
    return found


def find_limit(data: Mapping[str, Any], verdict: Verdict, failed: str | None = None) -> Limit | None:
    """Return up to which ply a verdict on a statement speaks of plays, where these may go on after it.

    Args:
        data: the statement.
        verdict: what the kernel has decided.
        failed: the objective that is refuted.
    """
    if data["kind"] != "play":
        return None
    ends, horizon = list[int](), data["horizon"]
    # What comes in the end is not prevented for good: the two together say when it comes.
    reached = [objective["goal"] for objective in data["objectives"] if objective["type"] == "reach"]
    holds = verdict >= Verdict.SUPPORTED
    for objective in data["objectives"]:
        kind, is_cut = objective["type"], horizon is not None and objective.get("at") != ["start"]
        if holds and kind == "prevent" and objective["goal"] not in reached:
            ends.append(objective["through"])
        elif (holds and kind == "keep" and is_cut) or (kind == "some" and is_cut and objective["name"] == failed):
            ends.append(horizon)
    last = parse_rules(data["rules"]).last_ply
    return None if not ends or (last is not None and min(ends) >= last) else Limit(min(ends), last)


def find_open_ends(statement: Statement, nodes: Sequence[Node]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Say which objectives stop while plays go on, so that nothing is said of how these end.

    Returns:
        Notes; and hints, where what is prevented does not happen so soon whatever anybody plays.
    """
    game, limit = statement.game, statement.formulas.work + MAX_WORK
    ends = [game.ply(node.position) for node in nodes if game.is_over(node.position)]
    notes, hints = [], []
    for objective in statement.objectives:
        last = statement.horizon
        if objective.type == "prevent":
            last = objective.bound if last is None else min(last, objective.bound)
        if last is None or objective.type not in ("prevent", "keep"):
            continue
        if not any(game.ply(node.position) == last and not game.is_over(node.position) for node in nodes):
            continue
        if objective.type == "prevent" and _is_never(statement, objective, last, limit):
            hints.append(f"{objective.name!r} cannot fail: it stops at ply {last}, before anything could go wrong")
        else:
            how = "before any play has ended" if min(ends, default=last) >= last else "while some plays go on"
            notes.append(f"{objective.name!r} stops at ply {last}, {how}: it says nothing about later plies")
    return tuple(notes), tuple(hints)


def _is_never(statement: Statement, objective: Objective, last: int, limit: int) -> bool:
    """Say whether no legal play meets an objective's formula up to a ply; not, where that takes too long."""
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
    """Yield which objectives are so in any position, such as one about all members of a list that has none."""
    trivial = {"keep": True, "reach": True, "prevent": False}
    for objective in data["objectives"]:
        formula, constant = objective.get("holds", objective.get("goal")), trivial.get(objective["type"])
        if constant is not None and formula is constant:
            yield f"{objective['name']!r} says nothing: its formula is {str(constant).lower()} in any position"


def find_unused_rules(statement: Statement, data: Mapping[str, Any], nodes: Sequence[Node]) -> Iterator[str]:
    """Yield which rules of a strategy no play reaches, where it meets every reply from the start of the game on."""
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


def make_example(opposed: Statement, nodes: Sequence[Node], reason: str, symmetries: Symmetries | None = None) -> Line:
    """Return a play in which somebody's moves refute a claim, by reaching, or keeping up, what it denies.

    Of all such plays it is one of the longest, up to where it is reached; or one in which a strategy breaks down.

    Args:
        opposed: what is shown instead, of one objective: of a claim about plays, as ``kernel.plays.oppose`` returns it.
        nodes: every position of these plays, ply by ply, the start first.
        reason: why they refute the claim.
        symmetries: those up to which the positions are told; None: each is told.
    """
    game, objective = opposed.game, opposed.objectives[0]
    broken = next((node for node in nodes if node.breakdown), None)  # a play that comes there, if there is one
    length: dict[Any, int] = {}
    following: dict[Any, Any] = {}
    for node in reversed(nodes):  # a move leads to a position that stands later in the walk
        position = node.position
        is_done = objective.type == "reach" and objective.test(position)
        reached = [] if is_done else [after for _, after in node.edges]
        length[position] = 1 + max((length[after] for after in reached), default=-1)
        if node is broken:
            length[position] = len(nodes)
        if reached:
            following[position] = max(reached, key=length.__getitem__)
    moves, position, told = list[str](), opposed.start, opposed.start
    while told in following:
        told = following[told]
        played = {move: game.play(position, move) for move in game.legal_moves(position)}
        made = next(m for m, after in played.items() if (symmetries.least(after) if symmetries else after) == told)
        moves.append(game.format_move(made))
        position = played[made]
    if broken is not None:
        return make_line(opposed, moves, f"{reason}; a play to where the strategy ends")
    told_to = "" if game.is_over(told) or game.ply(told) >= objective.bound else f", up to where {HELD}"
    return make_line(opposed, moves, f"{reason}; one of the longest plays{told_to}")


def make_line(statement: Statement, moves: Sequence[str], reason: str) -> Line:
    """Return a play: its moves and where it ends."""
    game, position = statement.game, statement.start
    for move in moves:
        position = game.play(position, game.parse_move(move))
    return Line(game.format_position(statement.start), tuple(moves), game.format_position(position), reason, "line")
