"""The families of games that can be shown, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.presentation.family import Presentation
from verifier.presentation.general import GeneralPresentation
from verifier.presentation.nested import NestedPresentation
from verifier.presentation.positional import PositionalPresentation

PRESENTATIONS: dict[str, Callable[[Any], Presentation]] = {
    "general": GeneralPresentation,
    "nested": NestedPresentation,
    "positional": PositionalPresentation,
}
"""The class that shows the games of each family."""


def find_presentation(game: Game) -> Presentation:
    """Return the presentation of a game.

    Raises:
        SpecError: the game's family has no presentation.
    """
    if game.family not in PRESENTATIONS:
        raise SpecError(f"the family {game.family!r} cannot be shown: it is not in verifier/presentation/registry.py")
    return PRESENTATIONS[game.family](game)
