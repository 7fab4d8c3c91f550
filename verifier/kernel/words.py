"""Texts that the words of all kinds of statements share: numbers, rules, formulas and values, cut if they are long.

Trusted for: no verdict depends on this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from verifier.kernel.certificate import canonical_bytes, hash_value
from verifier.kernel.games import Game

PRINTED_DIGITS = 32
"""How many of the 64 digits of a hash are printed: enough that nobody can find two values with the same ones."""

WIDTH, LINES_WIDTH, POSITION_WIDTH, NAME_WIDTH = 70, 400, 120, 4100
"""Maximum length of a formula, the lines of a board, a position, and a scope; longer ones are cut."""


def counted(number: int, word: str, plural: str = "") -> str:
    """Return a number with what it counts: ``1 line``, ``2 lines``, ``3 plies``."""
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def describe_rules(game: Game) -> str:
    """Return rules in words, with the first digits of the hash of their data."""
    said = [f"{key} {short(value, LINES_WIDTH)}" for key, value in game.data.items() if key != "family"]
    return f"the rules {hash_value(game.data)[:PRINTED_DIGITS]}, {game.family!a}, {', '.join(said)}"


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


def short_formulas(pairs: Any, named: Any) -> list[str]:
    """Return the first four formulas, without their names, and how many more there are."""
    return first(pairs, 4, lambda pair: short_formula(pair[1], named))


def short(value: Any, width: int = WIDTH) -> str:
    """Return a value as ASCII, cut if it is longer than ``width``."""
    text = value if isinstance(value, str) else canonical_bytes(value).decode()
    text = text.encode("ascii", "backslashreplace").decode()
    return text if len(text) <= width else f"{text[: width // 2]}… ({len(text)} characters)"


def first(items: list[Any], most: int, tell: Callable[[Any], str], before: str = "") -> list[str]:
    """Return texts for the first ``most`` items, and one that says how many more there are."""
    more = [f"{before}{len(items) - most} more"] if len(items) > most else []
    return [*map(tell, items[:most]), *more]
