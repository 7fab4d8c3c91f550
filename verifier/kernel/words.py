"""What a statement says, in one line, for people who read what ``recheck`` has decided.

Trusted for: no verdict depends on this. But it says what a verdict is about, and nothing stronger: where the plays end,
whether they are all plays or those that a claimant can choose, where the cases of a bound begin, what a step takes for
granted and what it leads to. Names of objectives and scopes come from files, so they are quoted or left out. Long texts
are cut, so two statements may read the same; their hashes differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from verifier.kernel.certificate import canonical_bytes, hash_value
from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules

PRINTED_DIGITS = 32
"""How many of the 64 digits of a hash are printed: enough that nobody can find two values with the same ones."""

WIDTH, LINES_WIDTH, POSITION_WIDTH, NAME_WIDTH = 70, 400, 120, 4100
"""Maximum length of a formula, the lines of a board, a position, and a scope; longer ones are cut."""


def counted(number: int, word: str, plural: str = "") -> str:
    """Return a number with what it counts: ``1 line``, ``2 lines``, ``3 plies``."""
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def describe_statement(data: dict[str, Any]) -> str:
    """Return a statement in words; or only its kind, if it is too malformed for that."""
    kind = data.get("kind")
    try:
        return f"{_KINDS[str(kind)](data)}, under {describe_rules(parse_rules(data['rules']))}"
    except (SpecError, KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        return f"a statement of kind {str(kind)[:20]!a}"


def describe_rules(game: Game) -> str:
    """Return rules in words, with the first digits of the hash of their data."""
    said = [f"{key} {short(value, LINES_WIDTH)}" for key, value in game.data.items() if key != "family"]
    return f"the rules {hash_value(game.data)[:PRINTED_DIGITS]}, {game.family!a}, {', '.join(said)}"


def _plays(data: dict[str, Any]) -> str:
    claimant, named = str(data["claimant"]), data.get("formulas", [])
    start = f"from {short(data['start'], POSITION_WIDTH)}"
    start += f" and any position where {short_formula(data['given'], named)}" if "given" in data else ""
    end = "" if data["horizon"] is None else f" up to ply {data['horizon']:d}"
    sides = " and ".join(f"{player} by a strategy" for player in "OX" if player in data["strategies"])
    images = ", also where a symmetry of the square has moved all of it" if data.get("symmetric") else ""
    # If the claimant chooses, what is said of all plays is what he can bring about (``statement``).
    is_chosen = data.get("chooses", data["claimant"] not in data["strategies"])
    can = f", as {claimant[:1]!a} can play" if is_chosen else ""
    told = first(data["objectives"], 4, lambda item: _objective(item, claimant, named, can), "and ")
    return f"plays {start}{end}, {sides or 'all legal ones'}{images}: {'; '.join(told)}"


def _objective(data: dict[str, Any], claimant: str, named: Any, can: str) -> str:
    said = short_formula(data["holds" if "holds" in data else "goal"], named)
    if data["type"] == "reach":
        return f"reach {said} by ply {data['by']:d}{can}"
    if data["type"] == "prevent":
        return f"never {said} through ply {data['through']:d}{can}"
    # ``keep`` speaks of all scopes. ``some`` asks for one position, which may be in any of them.
    every, joined, can = ("always", " and ", can) if data["type"] == "keep" else ("once", " or ", "")
    movers = {"claimant": claimant, "opponent": "O" if claimant == "X" else "X"}
    meant = {scope: f" ({player[:1]!a} moves there)" for scope, player in movers.items()}
    meant["end"] = " (the game is over)"  # not "play ends": that may be by the horizon
    scopes = first(data["at"], 3, lambda scope: f"{short(ascii(scope), NAME_WIDTH)}{meant.get(scope, '')}")
    return f"{every} {said} at {joined.join(scopes)}{can}"


def _steps(data: dict[str, Any]) -> str:
    """Return what the first part of a statement about steps says, without its name, and how many parts follow."""
    part, named, others = data["parts"][0], data.get("formulas", []), len(data["parts"]) - 1
    mover, claimant, step = part["turn"], str(part["claimant"])[:1], str(part["step"])[:20]
    given = [f"{str(mover)[:1]!a} to move"] if mover is not None else []
    given += _formulas(part["hypotheses"], named)
    steps = {
        "none": "it holds there that",
        "start": "it holds there that",
        "move": "each move leads to",
        "reply": f"each move of the strategy of {claimant!a} leads to",
        "round": f"each move of the other player and reply by the strategy of {claimant!a} lead to",
        "reply-first": f"each move of the strategy of {claimant!a} and answer to it lead to",
    }
    plays = "" if part["plays"] is None else f" (the free one is {short(part['plays'])})"
    more = f"; and {counted(others, 'more part')}" if others else ""
    where = "at the start of the game" if step == "start" else "from each well-formed position"
    where += f" where {' and '.join(given)}" if given else ""
    return f"{where}, {steps[step]}{plays} {' and '.join(_formulas(part['conclusions'], named))}{more}"


def _formulas(pairs: Any, named: Any) -> list[str]:
    """Return the first four formulas, without their names, and how many more there are."""
    return first(pairs, 4, lambda pair: short_formula(pair[1], named))


def _bound(data: dict[str, Any]) -> str:
    cases = data["cases"]
    more = f", the first of {len(cases)} cases" if len(cases) > 1 else ""
    moves = cases[0]["first"]
    once = "" if moves is None else f" once he plays one of {counted(len(moves), 'first move')}"
    start = short(cases[0]["start"], POSITION_WIDTH)
    return f"Xavier cannot force a win by ply {data['through']:d}{once} from {start}{more}"


def _sum(data: dict[str, Any]) -> str:
    claims = {key: data[key] for key in ("elements", "relations", "won", "types", "copies")}
    told = [f"{key} {short(said, LINES_WIDTH)}" for key, said in claims.items() if said not in (None, {})]
    last = str(data["last"])[:5]
    return f"boards side by side, shared marks, the player who makes the very last move {last}: {'; '.join(told)}"


def _count(data: dict[str, Any]) -> str:
    groups = data["members"]
    members = counted(sum(math.prod(map(len, box)) for _, box in groups), "member")
    ends = "; ".join(_formulas([(None, formula) for formula, _ in groups], []))
    line = f"{short(data['line'])} from {short(data['start'], POSITION_WIDTH)}"
    return f"of {members} exactly {data['count']:d} have a line {line} that is legal and ends where ({ends}) holds"


def short_formula(node: Any, named: Any) -> str:
    """Return a formula with named ones written out, cut at ``WIDTH``."""
    text = ""
    for token in _tokens(node, named):
        text += token
        if len(text) > WIDTH:
            return f"{text[:WIDTH]}…"
    return text


def _tokens(node: Any, named: Any) -> Iterator[str]:
    """Yield the text of a formula in pieces; for a named formula, those of the formula itself."""
    if not isinstance(node, list):
        yield canonical_bytes(node).decode()
    elif len(node) == 2 and node[0] == "use" and type(node[1]) is int and 0 <= node[1] < len(named):
        yield from _tokens(named[node[1]], named)
    else:
        yield "["
        for at, part in enumerate(node):
            yield "," if at else ""
            yield from _tokens(part, named)
        yield "]"


def short(value: Any, width: int = WIDTH) -> str:
    """Return a value as ASCII, cut if it is longer than ``width``."""
    text = value if isinstance(value, str) else canonical_bytes(value).decode()
    text = text.encode("ascii", "backslashreplace").decode()
    return text if len(text) <= width else f"{text[: width // 2]}… ({len(text)} characters)"


def first(items: list[Any], most: int, tell: Callable[[Any], str], before: str = "") -> list[str]:
    """Return texts for the first ``most`` items, and one that says how many more there are."""
    more = [f"{before}{len(items) - most} more"] if len(items) > most else []
    return [*map(tell, items[:most]), *more]


_KINDS = {"sum": _sum, "count": _count, "play": _plays, "steps": _steps, "bound": _bound}
