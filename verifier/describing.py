"""Describes statements of the kernel in words, for ``recheck`` and reports.

Nothing here is trusted: no verdict depends on a description. A description has words, and the statement's data as
JSON. The words may leave parts out, but never claim more than the statement. A name in a certificate can be any text,
even a false claim. So names occur only in the JSON, never in the words. Long data is cut, so statements with different
hashes may have the same description.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from verifier.kernel.certificate import canonical_bytes, hash_value
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games import OTHER, Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.recheck import Description, name_statement
from verifier.kernel.words import PRINTED_DIGITS, counted, short

WIDTH, LINES_WIDTH, DATA_WIDTH = 200, 400, 4000
"""Maximum lengths of three texts: a value of a statement, a value of its rules, and all data of the statement together.
Longer texts are cut."""

PLAYER_NAMES = {"nested": {"X": "Xavier", "O": "Olivia"}}
"""The names of the players, by family. In all other families they are X and O."""


def players_of(game: Game) -> dict[str, str]:
    """Return the names of the players, by their marks."""
    return PLAYER_NAMES.get(game.family, {"X": "X", "O": "O"})


def describe_statement(data: dict[str, Any], *, is_whole: bool = False) -> Description:
    """Return a description of a statement, with all its JSON if ``is_whole``.

    If the statement is malformed, the words say only its kind.
    """
    plain = name_statement(data, is_whole=is_whole)
    try:
        game = parse_rules(data["rules"])
        words, parts = DESCRIBE[data["kind"]](data, game), f"{describe_data(data)}; rules: {describe_rules(game)}"
        return Description(words, plain.data or parts, name_rules(game))
    except (CertificateError, SpecError, KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        return plain


def describe_data(data: dict[str, Any]) -> str:
    """Return the data of a statement except its rules, as JSON. Cut long parts.

    Replace each ``["use", n]`` by the formula that it stands for: entry n of the statement's ``formulas``.
    """
    named, said = data.get("formulas", []), list[str]()
    for key, value in data.items():
        if key not in ("kind", "rules", "formulas"):
            items = value if isinstance(value, list) and value and isinstance(value[0], dict) else [value]
            told = [_write(item, named) for item in items[:4]] + [f"{len(items) - 4} more"] * (len(items) > 4)
            said.append(f"{key} {' and '.join(told)}")
    text = "; ".join(said)
    return text if len(text) <= DATA_WIDTH else f"{text[:DATA_WIDTH]}…"


def _write(node: Any, named: Any) -> str:
    text = ""
    for token in _tokens(node, named):
        text += token
        if len(text) > WIDTH:
            return f"{text[:WIDTH]}…"
    return text


def _tokens(node: Any, named: Any) -> Iterator[str]:
    """Yield the JSON of a value in pieces; for each ``use``, yield the JSON of the formula to which it refers."""
    if isinstance(node, list) and len(node) == 2 and node[0] == "use" and type(node[1]) is int:
        yield from _tokens(named[node[1]], named)
    elif isinstance(node, list | dict) and node:
        for at, part in enumerate(node):
            yield "," if at else "[" if isinstance(node, list) else "{"
            if isinstance(node, dict):
                yield f"{canonical_bytes(part).decode()}:"
            yield from _tokens(node[part] if isinstance(node, dict) else part, named)
        yield "]" if isinstance(node, list) else "}"
    else:
        yield canonical_bytes(node).decode()


def name_rules(game: Game) -> str:
    """Return the first digits of the hash of rules, and their family."""
    return f"the rules {hash_value(game.data)[:PRINTED_DIGITS]} (family {game.family!a})"


def describe_rules(game: Game) -> str:
    """Return the data of rules as text: each key with its value."""
    return ", ".join(f"{key} {short(value, LINES_WIDTH)}" for key, value in game.data.items() if key != "family")


def and_more(left: int, noun: str) -> str:
    """Say how many more things there are than a description names; return an empty text if there are no more."""
    return f"; and {counted(left, f'more {noun}')}" if left > 0 else ""


def describe_play(data: dict[str, Any], game: Game) -> str:
    """Return a statement in words: where plays start and end, the first objective, and how many others there are."""
    item, start = data["objectives"][0], game.parse_position(data["start"])
    where = "" if start == game.start and "given" not in data else f"from a position at ply {game.ply(start)}"
    where += " and from other positions" if "given" in data else ""
    horizon, last = data["horizon"], item.get("by", item.get("through"))
    if horizon is not None and (last is None or last > horizon):
        where += f"{' ' if where else ''}up to ply {horizon:d}"
    # If the claimant chooses his moves, an objective says what he can bring about, unless its type is ``some``.
    is_chosen = data.get("chooses", data["claimant"] not in data["strategies"]) and item["type"] != "some"
    said = (_describe_choice if is_chosen else _describe_plays)(item, data, players_of(game))
    return f"{where}{': ' if where else ''}{said}{and_more(len(data['objectives']) - 1, 'objective')}"


def _find_winner(item: dict[str, Any]) -> str:
    """If an objective is about the win of a player, return this player; else an empty string."""
    return next((player for player in "XO" if item.get("holds", item.get("goal")) == [f"{player}_wins"]), "")


def _describe_plays(item: dict[str, Any], data: dict[str, Any], names: Mapping[str, str]) -> str:
    """Return in words what an objective says of all plays, or of some play. The plays follow the strategies."""
    players, winner = sorted(data["strategies"]), _find_winner(item)
    whose = f" by the {'strategy' if len(players) == 1 else 'strategies'} of {' and '.join(names[p] for p in players)}"
    plays = f"play{whose if players else ''}"
    match item["type"]:
        case "reach":
            what = f"{names[winner]} wins" if winner else "a condition is met"
            how = "against every reply" if players == [winner] else f"in every {plays}"
            return f"{what}{_describe_ply(item)} {how}"
        case "prevent" if winner and len(players) == 1 and players != [winner]:
            return f"{names[players[0]]} is not beaten{_describe_ply(item)}, whatever {names[winner]} plays"
        case "prevent":
            what = f"{names[winner]} does not win" if winner else "a condition is not met"
            return f"{what}{_describe_ply(item)} in any {plays}"
        case "some":
            return f"{f'{names[winner]} wins' if winner else 'a condition is met'} in some {plays}"
        case _:
            return f"a condition holds {_describe_scopes(item)} every {plays}"


def _describe_choice(item: dict[str, Any], data: dict[str, Any], names: Mapping[str, str]) -> str:
    """Return in words what a claimant who chooses his moves can bring about. His strategy, if any, limits his moves."""
    claimant, winner = data["claimant"], _find_winner(item)
    by = f" by moves of the strategy of {names[claimant]}" if claimant in data["strategies"] else ""
    by += "".join(f" against the strategy of {names[other]}" for other in data["strategies"] if other != claimant)
    match item["type"]:
        case "reach":
            what = f"{'win' if winner == claimant else 'have a condition met'}{_describe_ply(item)}"
        case "prevent" if winner and winner != claimant:
            what = f"keep {names[winner]} from winning{_describe_ply(item)}"
        case "prevent":
            what = f"keep a condition from being met{_describe_ply(item)}"
        case _:
            what = f"have a condition hold {_describe_scopes(item)} play"
    return f"{names[claimant]} can {what}{by}"


def _describe_ply(item: dict[str, Any]) -> str:
    """Return in words the last ply that an objective is about."""
    word, ply = ("by", item["by"]) if item["type"] == "reach" else ("through", item["through"])
    without = {"by": " at some time", "through": ", however long play goes on"}
    return without[word] if ply is None else f" {word} ply {ply:d}"


def _describe_scopes(item: dict[str, Any]) -> str:
    """Return in words at which positions of a play a condition holds."""
    return "throughout" if "every" in item["at"] else "at certain positions of"


_WORDS = {
    "none": "{given}certain conclusions hold",
    "start": "certain conclusions hold at the start",
    "move": "{given}certain conclusions hold after {free}",
    "reply": "{given}certain conclusions hold after every move by the strategy of {own}",
    "round": "{given}certain conclusions hold after {free} of {other}, then every reply by the strategy of {own}",
    "reply-first": "{given}certain conclusions hold after every move by the strategy of {own}, then {free} of {other}",
}


def describe_steps(data: dict[str, Any], game: Game) -> str:
    """Return a statement in words: its first part, and the number of other parts."""
    part = data["parts"][0]
    is_limited = part["turn"] or part["hypotheses"]
    said = _WORDS[part["step"]].format(
        given="where certain hypotheses hold, " if is_limited else "in every well-formed position, ",
        free="every move" if part["plays"] is None else "a certain move",
        own=players_of(game)[part["claimant"]],
        other=players_of(game)[OTHER[part["claimant"]]],
    )
    return f"{said}{and_more(len(data['parts']) - 1, 'part')}"


def describe_bound(data: dict[str, Any], game: Game) -> str:
    """Return a statement in words: who cannot force a win, by which ply, and from where."""
    cases = data["cases"]
    where = "" if {game.parse_position(case["start"]) for case in cases} == {game.start} else " from a later position"
    where += " if he begins with certain moves" if any(case["first"] is not None for case in cases) else ""
    where += f", in each of {len(cases)} cases" if len(cases) > 1 else ""
    return f"{players_of(game)['X']} cannot force a win by ply {data['through']:d}{where}"


def describe_sum(data: dict[str, Any], _: Game) -> str:
    """Return in words a statement about boards that are played side by side."""
    return f"who wins if boards are played side by side and the last move {data['last'][:5]}"


def describe_count(data: dict[str, Any], _: Game) -> str:
    """Return a statement in words: how many plays or ends of plays there are, or how many given lines can be played."""
    if "of" in data:
        said = [digits + " where a condition holds" * (formula is not True) for formula, digits in data["counts"]]
        return f"the number of {'plays' if data['of'] == 'plays' else 'ends of plays'} is {' and '.join(said)}"
    members = sum(math.prod(map(len, box)) for _, box in data["members"])
    ends = "" if all(formula is True for formula, _ in data["members"]) else " and end where a condition holds"
    return f"exactly {data['count']:,d} of {members:,} lines can be played{ends}"


DESCRIBE: dict[str, Callable[[dict[str, Any], Game], str]] = {
    "play": describe_play,
    "steps": describe_steps,
    "bound": describe_bound,
    "sum": describe_sum,
    "count": describe_count,
}
"""For each kind of statement, a function that takes a well-formed statement and its game, and returns the words."""
