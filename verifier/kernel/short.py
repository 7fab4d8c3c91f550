"""Values and formulas in a line, cut where they are too long. Nothing rests on what stands here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verifier.kernel.certificate import canonical_bytes

WIDTH, LINES_WIDTH = 70, 240
"""How long a formula may be to be shown whole, and the lines of a board: those of twenty spots are."""


def short_formula(node: Any, named: Any) -> str:
    """Return a formula, those with a name written out, as far as there is room."""
    text = ""
    for token in _tokens(node, named):
        text += token
        if len(text) > WIDTH:
            return f"{text[:WIDTH]}…"
    return text


def _tokens(node: Any, named: Any) -> Iterator[str]:
    """Yield what a formula is written with."""
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
    """Return a value as ASCII, as far as there is room."""
    text = value if isinstance(value, str) else canonical_bytes(value).decode()
    text = text.encode("ascii", "backslashreplace").decode()
    return text if len(text) <= width else f"{text[: width // 2]}… ({len(text)} characters)"


def first(items: list[str], most: int, before: str = "") -> list[str]:
    """Return the first items, and how many more there are."""
    return items if len(items) <= most else [*items[:most], f"{before}{len(items) - most} more"]


def describe_board(data: Any) -> str:
    """Return rules on one board in a few words."""
    lines = data["lines"] if isinstance(data["lines"], dict) else {"": data["lines"]}
    told = [
        f"{len(sets)} line{'s' * (len(sets) != 1)}{f' of {player}' if player else ''} "
        + short(" ".join(map(_line, sets)), LINES_WIDTH)
        for player, sets in lines.items()
    ]
    ends = [f"{result!r} where {short_formula(formula, [])}" for formula, result in data["outcomes"]]
    legal = "any free spot" if data["legal"] is None else f"a free spot by its formula of {short(data['legal'])}"
    return (
        f"{data['rows']} by {data['columns']}, marks {data['marks']!r}, {'; '.join(told)}; "
        f"outcomes {'; '.join(first(ends, 4, 'and ')) or 'none'}; legal {legal}"
    )


def _line(data: Any) -> str:
    """Return a line as the spots that are held, and those that are not: ``0.4.8``, ``0.1!2.3``."""
    held, others = (".".join(map(str, spots)) for spots in data)
    return f"{held}!{others}" if others else held
