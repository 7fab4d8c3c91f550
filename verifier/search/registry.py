"""Search functions that depend on the family of a game, in mappings from the name of the family.

A family need not have all of these functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from verifier.automorphism import find_automorphisms
from verifier.kernel.games import Game
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import Statement
from verifier.language.loader import Document
from verifier.language.rules.file import RulesFile
from verifier.language.spec import Spec
from verifier.search.expander import Expander
from verifier.search.general import find_hints
from verifier.search.nested import take_back
from verifier.search.packed_expander import open_packed

TakeBack = Callable[[Any, Any], Iterator[tuple[Any, Any]]]
"""A function of a game and a position P. It yields each position from which a move leads to P, and this move."""

TAKE_BACK: dict[str, TakeBack] = {"nested": take_back}

FIND_HINTS: dict[str, Callable[[Any, Any, Document], Iterator[str]]] = {"general": find_hints}
"""For each family, a function that yields hints about rules that may not say what was meant.

Its arguments are the game, the model of its rules file, and the parsed file.
"""


def find_rules_hints(game: Game, file: Spec[RulesFile]) -> list[str]:
    """Return hints about parts of rules that may not say what was meant; [] if the family has no such function."""
    return [*FIND_HINTS[game.family](game, file.model, file.document)] if game.family in FIND_HINTS else []


def find_take_back(game: Game) -> TakeBack | None:
    """Return the function that takes back moves of a game; None if its family has no such function."""
    return TAKE_BACK.get(game.family)


FIND_SYMMETRIES: dict[str, Callable[[Mapping[str, Any], Statement], Symmetries | None]] = {
    "general": find_automorphisms
}
"""For each family, a function that takes a statement, as JSON and compiled, and returns its symmetries or None."""


def find_symmetries(data: Mapping[str, Any], statement: Statement) -> Symmetries | None:
    """Return symmetries of a statement; None if its family has no such function, or if no symmetry was found."""
    find = FIND_SYMMETRIES.get(statement.game.family)
    return None if find is None else find(data, statement)


EXPANDERS: dict[str, Callable[[Mapping[str, Any]], Expander | None]] = {"general": open_packed}
"""For each family, a function that takes a statement as JSON. It returns an expander, which lists the positions after
one move; or None if no expander can express the goal."""


def open_expander(data: Mapping[str, Any], game: Game) -> Expander | None:
    """Return an expander for a statement with one objective; None if no function here can read the statement."""
    read = EXPANDERS.get(game.family)
    return None if read is None else read(data)
