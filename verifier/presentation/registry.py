"""The families of games that can be shown, by name."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.presentation.drawn import Drawings
from verifier.presentation.family import Presentation
from verifier.presentation.general import GeneralPresentation
from verifier.presentation.nested import NestedPresentation
from verifier.presentation.positional import PositionalPresentation

PRESENTATIONS: dict[str, Callable[..., Presentation]] = {
    "general": GeneralPresentation,
    "nested": NestedPresentation,
    "positional": PositionalPresentation,
}
"""The class that shows the games of each family."""

NO_DRAWINGS: Drawings = MappingProxyType({})


def find_presentation(game: Game, drawings: Drawings = NO_DRAWINGS) -> Presentation:
    """Return the presentation of a game.

    Args:
        game: the game.
        drawings: boards of points and lines; without them, a game with such a board is drawn as rows of spots or
            values.

    Raises:
        SpecError: the game's family has no presentation.
    """
    if game.family not in PRESENTATIONS:
        raise SpecError(f"the family {game.family!r} cannot be shown: it is not in verifier/presentation/registry.py")
    drawn = drawings.get(game)
    return PRESENTATIONS[game.family](game, *[drawn] * (drawn is not None))
