"""What a statement says, in a line: for a reader of what the kernel has decided.

Trusted for: nothing that a verdict rests on, but it names what the verdict is about, part by part as the statement has
it, formulas with a name written out. Texts from files stand in quotation marks. What is too long is cut, so that two
statements may read alike: their hashes differ.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.kernel.certificate import hash_value
from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules

PRINTED_DIGITS = 32
"""How many of the 64 digits of a hash are printed: too many for anyone to find two values that share them."""

WIDTH = 400
"""How many characters of a part are shown."""


def counted(number: int, word: str, plural: str = "") -> str:
    """Return a number with what it counts: ``1 line``, ``2 lines``, ``3 plies``."""
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def describe_statement(data: dict[str, Any]) -> str:
    """Return a statement part by part; of one under rules that cannot be read, what it calls itself."""
    kind = str(data.get("kind"))[:20]
    try:
        return (
            f"{kind}: {_describe(data, data.get('formulas', []))}, under {describe_rules(parse_rules(data['rules']))}"
        )
    except (SpecError, KeyError, TypeError, RecursionError):
        return f"a statement of kind {kind!a}"


def describe_rules(game: Game) -> str:
    """Return rules with the start of the hash of their data."""
    return f"the rules {hash_value(game.data)[:PRINTED_DIGITS]}, {game.family!a}, {_describe(game.data)}"


def _describe(data: Mapping[str, Any], named: Sequence[Any] = ()) -> str:
    told = [key for key in data if key not in ("kind", "family", "rules", "formulas")]
    return ", ".join(f"{key[:20]} {shorten(data[key], named)}" for key in told)


def shorten(value: Any, named: Sequence[Any] = ()) -> str:
    """Return a value as JSON in ASCII, formulas with a name written out, as far as there is room."""
    text = ""
    for token in _tokens(value, named):
        text += token
        if len(text) > WIDTH:
            return f"{text[:WIDTH]}…"
    return text


def _tokens(value: Any, named: Sequence[Any]) -> Iterator[str]:
    """Yield what a value is written with: as far as anyone asks, since names can stand for very long formulas."""
    used = value[1] if isinstance(value, list) and len(value) == 2 and value[0] == "use" else None
    if not isinstance(value, dict | list):
        yield json.dumps(value)
    elif type(used) is int and 0 <= used < len(named):
        yield from _tokens(named[used], named)
    else:
        is_list = isinstance(value, list)
        items = [("", part) for part in value] if is_list else [(f"{json.dumps(k)}:", value[k]) for k in sorted(value)]
        yield "[" if is_list else "{"
        for at, (name, part) in enumerate(items):
            yield "," * (at > 0) + name
            yield from _tokens(part, named)
        yield "]" if is_list else "}"
