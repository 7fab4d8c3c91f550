"""The families of games by name, and the rules that a statement carries."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.nested import parse_nested
from verifier.kernel.games.positional import Positional

MAX_TEXT = 200_000
"""How long rules may be, as JSON."""

FAMILIES: dict[str, Callable[[dict[str, Any]], Game]] = {"nested": parse_nested, "positional": Positional}
"""What makes a game of the rules of each family; its module says what they look like."""


def parse_rules(data: object) -> Game:
    """Return the game whose rules a statement carries."""
    if not isinstance(data, dict) or data.get("family") not in [*FAMILIES]:
        raise SpecError(f"rules are an object with a 'family', {' or '.join(FAMILIES)}")
    try:
        text = json.dumps(data, sort_keys=True)
        if len(text) > MAX_TEXT:
            raise SpecError(f"the rules are longer than {MAX_TEXT} characters")
        return _parse_text(text)
    except (RecursionError, TypeError, ValueError):
        raise SpecError("the rules are not JSON, or nested too deeply") from None


@functools.lru_cache(maxsize=8)  # the largest take 17 MB
def _parse_text(text: str) -> Game:
    data = json.loads(text)
    return FAMILIES[data["family"]](data)
