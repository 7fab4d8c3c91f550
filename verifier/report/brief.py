"""What a statement says in half a line, for those who want to know what was proved: ``verifier recheck``.

It leaves out what does not fit, and says so: the rules stand beside it, and ``-v`` prints all that the kernel says of
a statement. No name that a file gives to anything stands here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from verifier.kernel.certificate import hash_value
from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.words import PRINTED_DIGITS, counted


def say_briefly(data: dict[str, Any]) -> list[str]:
    """Return what a statement says, and under which rules."""
    try:
        game = parse_rules(data["rules"])
        rules = f"the rules {hash_value(game.data)[:PRINTED_DIGITS]}, {game.family!a}"
        return [_KINDS[data["kind"]](data, game), rules]
    except (SpecError, KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        return ["a statement that is not well formed"]


def _plays(data: dict[str, Any], game: Game) -> str:
    first, names = data["objectives"][0], game.players
    left = len(data["objectives"]) - 1
    more = f"; and {counted(left, 'more objective', 'more objectives')}" if left else ""
    chooses = data.get("chooses", data["claimant"] not in data["strategies"]) and first["type"] != "some"
    said = _chosen(first, data, names) if chooses else _followed(first, data, names)
    return f"{_where(first, data, game)}{said}{more}"


def _where(item: dict[str, Any], data: dict[str, Any], game: Game) -> str:
    """Say where plays begin, and where they end before the objective does."""
    start = game.parse_position(data["start"])
    where = "" if start == game.start else f"from a position at ply {game.ply(start)}"
    where = f"from a position at ply {game.ply(start)} and others" if "given" in data else where
    end, last = data["horizon"], item.get("by", item.get("through"))
    stop = "" if end is None or (last is not None and last <= end) else f"up to ply {end:d}"
    told = " ".join(filter(None, [where, stop]))
    return f"{told}: " if told else ""


def _winner(item: dict[str, Any]) -> str:
    """Return the player of whose win an objective is about; empty: it is about something else."""
    goal = item.get("holds", item.get("goal"))
    return next((player for player in "XO" if goal == [f"{player}_wins"]), "")


def _followed(item: dict[str, Any], data: dict[str, Any], names: Mapping[str, str]) -> str:
    """Say what all plays, or some, of given strategies come to."""
    players, winner = sorted(data["strategies"]), _winner(item)
    whose = f" by the {'strategy' if len(players) == 1 else 'strategies'} of {' and '.join(names[p] for p in players)}"
    plays = f"play{whose if players else ''}"
    match item["type"]:
        case "reach":
            what = f"{names[winner]} wins" if winner else "a condition is met"
            how = "against every reply" if players == [winner] else f"in every {plays}"
            return f"{what} by ply {item['by']:d} {how}"
        case "prevent" if winner and len(players) == 1 and players != [winner]:
            return f"{names[players[0]]} is not beaten through ply {item['through']:d}, whatever {names[winner]} plays"
        case "prevent":
            what = f"{names[winner]} does not win" if winner else "a condition is not met"
            return f"{what} through ply {item['through']:d} in any {plays}"
        case "some":
            return f"a condition is met in some {plays}"
        case _:
            return f"a condition holds {_when(item)} every {plays}"


def _when(item: dict[str, Any]) -> str:
    """Say at which positions a condition is to hold."""
    return "throughout" if "every" in item["at"] else "at certain positions of"


def _chosen(item: dict[str, Any], data: dict[str, Any], names: Mapping[str, str]) -> str:
    """Say what a claimant can bring about who chooses, among the moves of a strategy where there is one."""
    claimant, winner = data["claimant"], _winner(item)
    by = " by moves of a strategy" if claimant in data["strategies"] else ""
    by += "".join(f" against the strategy of {names[other]}" for other in data["strategies"] if other != claimant)
    match item["type"]:
        case "reach" if winner == claimant:
            what = f"win by ply {item['by']:d}"
        case "prevent" if winner and winner != claimant:
            what = f"keep {names[winner]} from winning through ply {item['through']:d}"
        case "reach":
            what = f"have a condition met by ply {item['by']:d}"
        case "prevent":
            what = f"have a condition not met through ply {item['through']:d}"
        case _:
            what = f"have a condition hold {_when(item)} play"
    return f"{names[claimant]} can {what}{by}"


def _steps(data: dict[str, Any], game: Game) -> str:
    steps = {
        "none": "hypotheses imply conclusions",
        "start": "conclusions hold at the start",
        "move": "every move from hypotheses leads to conclusions",
        "reply": "every move of a strategy from hypotheses leads to conclusions",
        "round": "every move and a strategy's reply lead from hypotheses to conclusions",
        "reply-first": "every move of a strategy and answer to it lead from hypotheses to conclusions",
    }
    kinds = list(dict.fromkeys(steps[part["step"]] for part in data["parts"]))
    said = kinds[0] if len(kinds) == 1 else "steps lead from hypotheses to conclusions"
    told = [counted(len(data["parts"]), "part")]
    told += ["of certain moves"] if any(part["plays"] is not None for part in data["parts"]) else []
    return f"{said} ({', '.join(told)})"


def _bound(data: dict[str, Any], game: Game) -> str:
    cases = data["cases"]
    starts = {game.parse_position(case["start"]) for case in cases}
    where = "" if starts == {game.start} else " from a later position"
    first = " after certain moves of his" if any(case["first"] is not None for case in cases) else ""
    more = f", in each of {len(cases)} cases" if len(cases) > 1 else ""
    return f"{game.players['X']} cannot force a win by ply {data['through']:d}{where}{first}{more}"


def _sum(data: dict[str, Any], game: Game) -> str:
    return f"who wins boards side by side, where the last move {str(data['last'])[:5]}"


def _count(data: dict[str, Any], game: Game) -> str:
    members = sum(math.prod(map(len, box)) for _, box in data["members"])
    ends = "" if all(formula is True for formula, _ in data["members"]) else " and end where a condition holds"
    return f"exactly {data['count']:,d} of {members:,} lines can be played{ends}"


_KINDS = {"sum": _sum, "count": _count, "play": _plays, "steps": _steps, "bound": _bound}
