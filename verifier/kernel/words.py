"""What a statement says, in a line: for whoever reads what ``recheck`` has decided.

Trusted for: nothing that a verdict rests on, but it names what the verdict is about, and says nothing stronger: where
the plays end, whether they are all plays or those that a claimant can choose, where the cases of a bound begin. Names
of parts, objectives and scopes come from files, and stand here in quotation marks or not at all; rules are told apart
by their hash.
"""

from __future__ import annotations

from typing import Any

from verifier.kernel.certificate import canonical_bytes, hash_value

WIDTH = 70
"""How long a formula may be to be shown; of a longer one the size is told."""

POSITION_WIDTH = 120
"""The same for a position: one of the nine boards is shown whole, since a part of it looks like another one."""

NAME_WIDTH = 4100
"""The same for a name: a scope, of a phase and a rule, is shown whole; any letter is ten characters at most."""


def counted(number: int, word: str, plural: str = "") -> str:
    """Return a number with what it counts: ``1 line``, ``2 lines``, ``3 plies``."""
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def describe_statement(data: dict[str, Any]) -> str:
    """Return a statement in words; of one that is not well formed, as much as can be told."""
    kind = data.get("kind")
    try:
        return f"{_KINDS[str(kind)](data)}, under {describe_rules(data['rules'])}"
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        return f"a statement of kind {str(kind)[:20]!a}"


def describe_rules(data: Any) -> str:
    """Return rules in a few words, as their data say them."""
    name = f"the rules {hash_value(data)[:16]}, {str(data['family'])[:20]!a}"
    if data["family"] == "nested":
        return f"{name}, closed {str(data['closed'])[:20]!a}, after a win {str(data['after_win'])[:20]!a}"
    return f"{name}, {data['rows']:d} by {data['columns']:d}, {counted(len(data['lines']), 'line')}"


def _plays(data: dict[str, Any]) -> str:
    sides = [f"{player} by a strategy" for player in "OX" if player in data["strategies"]]
    start = f"from {_short(data['start'], POSITION_WIDTH)}"
    start += f" and any position where {_short(data['given'])}" if "given" in data else ""
    end = "" if data["horizon"] is None else f" up to ply {data['horizon']:d}"
    end += f", which end where {_short(data['stop'])}" if "stop" in data else ""
    objectives = data["objectives"]
    # Among choices of the claimant's, what all plays are said to do is what he can bring about (``statement``).
    is_chosen = data.get("chooses", data["claimant"] not in data["strategies"])
    can = f", as {str(data['claimant'])[:1]!a} can play" if is_chosen else ""
    claimant = str(data["claimant"])
    said = "; ".join(_objective(item, claimant) + (can if item["type"] != "some" else "") for item in objectives[:4])
    more = len(objectives) - 4
    rest = f"; and {more} more" if more > 0 else ""
    images = ", also where a symmetry of the square has moved all of it" if data.get("symmetric") else ""
    return f"plays {start}{end}, {' and '.join(sides) or 'all legal ones'}{images}: {said}{rest}"


def _objective(data: dict[str, Any], claimant: str) -> str:
    if data["type"] == "reach":
        return f"reach {_short(data['goal'])} by ply {data['by']:d}"
    if data["type"] == "prevent":
        return f"never {_short(data['goal'])} through ply {data['through']:d}"
    # Where it holds once, it does so in one of the scopes, and any of them may be that one.
    every, joined = ("always", " and ") if data["type"] == "keep" else ("once", " or ")
    movers = {"claimant": claimant, "opponent": "O" if claimant == "X" else "X"}
    meant = {scope: f" ({player[:1]!a} moves there)" for scope, player in movers.items()}
    meant["end"] = " (the game is over)"  # and not: a play ends there, by the horizon or 'stop'
    scopes = [f"{_short(ascii(scope), NAME_WIDTH)}{meant.get(scope, '')}" for scope in data["at"][:3]]
    more = len(data["at"]) - len(scopes)
    return f"{every} {_short(data['holds'])} at {joined.join([*scopes, *([f'{more} more'] if more else [])])}"


def _steps(data: dict[str, Any]) -> str:
    parts = data["parts"]
    first = f"{_short(ascii(str(parts[0]['part'])), NAME_WIDTH)} by {str(parts[0]['step'])[:20]!a}"
    return f"{counted(len(parts), 'part')} about single steps, the first {first}"


def _bound(data: dict[str, Any]) -> str:
    cases = data["cases"]
    more = f", the first of {len(cases)} cases" if len(cases) > 1 else ""
    moves = cases[0]["first"]
    first = "" if moves is None else f" once he plays one of {counted(len(moves), 'first move')}"
    start = _short(cases[0]["start"], POSITION_WIDTH)
    return f"Xavier cannot force a win by ply {data['through']:d}{first} from {start}{more}"


_KINDS = {"play": _plays, "steps": _steps, "bound": _bound}


def _short(value: Any, width: int = WIDTH) -> str:
    text = value if isinstance(value, str) else canonical_bytes(value).decode()
    text = text.encode("ascii", "backslashreplace").decode()
    return text if len(text) <= width else f"{text[: width // 2]}… ({len(text)} characters)"
