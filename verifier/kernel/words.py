"""Words that describe statements of every kind: numbers, rules, data.

Trusted for nothing: no verdict depends on these words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verifier.kernel.certificate import canonical_bytes, hash_value
from verifier.kernel.games import Game

PRINTED_DIGITS = 32
"""Of a hash with 64 digits, this many are printed: nobody can find two values with the same 32 digits."""

WIDTH, LINES_WIDTH, DATA_WIDTH = 200, 400, 4000
"""Maximum length of a value, a value of the rules, and all data of a statement; longer texts are cut."""


def counted(number: int, word: str, plural: str = "") -> str:
    """Return a number with what it counts: ``1 line``, ``2 lines``, ``3 plies``."""
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def describe_data(data: dict[str, Any]) -> str:
    """Return the data of a statement except its rules, as JSON. Each ``use`` is replaced, and long parts are cut."""
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
    """Return the data of rules in words."""
    return ", ".join(f"{key} {short(value, LINES_WIDTH)}" for key, value in game.data.items() if key != "family")


def short(value: Any, width: int) -> str:
    """Return a value as ASCII, cut if it is longer than ``width``."""
    text = value if isinstance(value, str) else canonical_bytes(value).decode()
    text = text.encode("ascii", "backslashreplace").decode()
    return text if len(text) <= width else f"{text[: width // 2]}… ({len(text)} characters)"


def and_more(left: int, noun: str) -> str:
    """Return a phrase for the number of things that are not described; empty if the number is 0."""
    return f"; and {counted(left, f'more {noun}')}" if left > 0 else ""
