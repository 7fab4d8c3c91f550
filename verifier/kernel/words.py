"""What a statement says, in a line: for whoever reads what ``recheck`` has decided.

Trusted for: nothing that a verdict rests on, but it names what the verdict is about: names of parts, objectives and
claims come from files, and stand here in quotation marks or not at all.
"""

from __future__ import annotations

from typing import Any

from verifier.kernel.certificate import canonical_bytes

WIDTH = 70
"""How long a formula or position may be to be shown; of a longer one the size is told."""


def describe_statement(data: dict[str, Any]) -> str:
    """Return a statement in words; of one that is not well formed, as much as can be told."""
    kind = data.get("kind")
    try:
        return f"{_KINDS[str(kind)](data)}, under {describe_rules(data['rules'])}"
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        return f"a statement of kind {str(kind)[:20]!a}"


def describe_rules(data: Any) -> str:
    """Return rules in a few words, as their data say them."""
    if isinstance(data, list):
        return f"any of {len(data)} rules"
    if data["family"] == "nested":
        return f"the rules 'nested', closed {str(data['closed'])[:20]!a}, after a win {str(data['after_win'])[:20]!a}"
    return (
        f"the rules {str(data['family'])[:20]!a}, {data['rows']:d} by {data['columns']:d}, {len(data['lines'])} lines"
    )


def _plays(data: dict[str, Any]) -> str:
    sides = [f"{player} by a strategy" for player in sorted(data["strategies"])]
    start = f"from {_short(data['start'])}"
    said = "; ".join(_objective(objective) for objective in data["objectives"][:4])
    more = len(data["objectives"]) - 4
    return f"plays {start}, {' and '.join(sides) or 'all legal ones'}: {said}{f'; and {more} more' if more > 0 else ''}"


def _objective(data: dict[str, Any]) -> str:
    if data["type"] == "reach":
        return f"reach {_short(data['goal'])} by ply {data['by']:d}"
    if data["type"] == "prevent":
        return f"never {_short(data['goal'])} through ply {data['through']:d}"
    every = "always" if data["type"] == "keep" else "once"
    return f"{every} {_short(data['holds'])} at {', '.join(str(scope)[:40] for scope in data['at'][:3])}"


def _steps(data: dict[str, Any]) -> str:
    parts = data["parts"]
    return f"{len(parts)} parts about single steps, the first {str(parts[0]['part'])[:40]!a} by {parts[0]['step']}"


def _pattern(data: dict[str, Any]) -> str:
    return f"a line of {len(data['plies'])} plies from {_short(data['start'])} that is legal and fits"


def _tables(data: dict[str, Any]) -> str:
    return f"{data['asks']} of {len(data['entries'])} listed corrections"


def _bound(data: dict[str, Any]) -> str:
    return f"Xavier cannot force a win by ply {data['through']:d}, {len(data['cases'])} cases"


_KINDS = {"play": _plays, "steps": _steps, "pattern": _pattern, "tables": _tables, "bound": _bound}


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else canonical_bytes(value).decode()
    text = text.encode("ascii", "backslashreplace").decode()
    return text if len(text) <= WIDTH else f"{text[: WIDTH // 2]}… ({len(text)} characters)"
