"""The families of games by name; and functions that make games, and positions about which nothing is known."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from verifier.kernel.circuit import Circuit
from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.general import General
from verifier.kernel.games.general_marks import GeneralState
from verifier.kernel.games.nested import parse_nested
from verifier.kernel.games.nested_marks import NestedState
from verifier.kernel.games.positional import PositionalGame
from verifier.kernel.games.positional_marks import PositionalState

MAX_TEXT = 200_000
"""Maximum length of the rules of a game, in characters of JSON."""

FAMILIES: dict[str, Callable[[dict[str, Any]], Game]] = {
    "general": General,
    "nested": parse_nested,
    "positional": PositionalGame,
}
"""For each family, the function that makes a game from its rules."""

State: TypeAlias = NestedState | PositionalState | GeneralState

STATES: dict[str, Any] = {"general": GeneralState, "nested": NestedState, "positional": PositionalState}
"""For each family, the class of positions made of literals of a ``circuit``. Proofs about steps need this class."""


def parse_rules(data: object) -> Game:
    """Return the game with the rules of a statement."""
    if not isinstance(data, dict) or data.get("family") not in [*FAMILIES]:
        raise SpecError(f"rules must be an object with a 'family', {' or '.join(FAMILIES)}")
    try:
        text = json.dumps(data, sort_keys=True)
        if len(text) > MAX_TEXT:
            raise SpecError(f"the rules are longer than {MAX_TEXT} characters")
        return _parse_text(text)
    except (RecursionError, TypeError, ValueError):
        raise SpecError("the rules are not JSON, or nested too deeply") from None


@functools.lru_cache(maxsize=8)  # the largest games take 17 MB each
def _parse_text(text: str) -> Game:
    data = json.loads(text)
    return FAMILIES[data["family"]](data)


def has_symbolic_form(game: Game) -> bool:
    """Say whether the kernel can check statements about steps, which are about all positions of a game at once."""
    return game.family in STATES


def all_positions(game: Game) -> Iterator[Any] | None:
    """Return all well-formed positions, as ``without_number`` returns them; None if the family cannot list them."""
    return game.positions() if hasattr(game, "positions") else None


def unknown(circuit: Circuit, game: Game) -> State:
    """Return a position whose literals are new inputs of a circuit, so that nothing is known about it."""
    if not has_symbolic_form(game):
        raise SpecError("statements about steps cannot be checked under these rules")
    state: State = STATES[game.family].unknown(circuit, game)
    return state
