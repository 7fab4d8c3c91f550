"""The families whose games can be shown, by the name that rules have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.presentation.family import Presentation
from verifier.presentation.nested import NestedPresentation
from verifier.presentation.positional import PositionalPresentation

PRESENTATIONS: dict[str, Callable[[Any], Presentation]] = {
    "nested": NestedPresentation,
    "positional": PositionalPresentation,
}
"""The class that shows the games of each family."""


def show(game: Game) -> Presentation:
    """Return the presentation of a game.

    Raises:
        SpecError: its family has no presentation.
    """
    if game.family not in PRESENTATIONS:
        raise SpecError(f"no presentation of the family {game.family!r}: verifier/presentation/registry.py names them")
    return PRESENTATIONS[game.family](game)
