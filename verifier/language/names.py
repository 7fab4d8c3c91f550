"""What names mean: the words of a game and of the language, constants, definitions; and which values there are."""

from __future__ import annotations

import ast
import keyword
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias, TypeGuard

from verifier.kernel.games import Game
from verifier.kernel.games.nested import ANY
from verifier.language.sharing import Nodes
from verifier.language.syntax import ExpressionError, error_at


@dataclass(frozen=True, slots=True)
class Formula:
    """A ground formula, as the kernel takes it."""

    node: Any


@dataclass(frozen=True, slots=True)
class Term:
    """An integer that depends on the position, as the kernel takes it."""

    node: Any


class Active:
    """The value of ``active``: the field that the player to move has to play in, or ``ANY``."""


ACTIVE = Active()

Value: TypeAlias = "int | list[int] | Formula | Term | Active"


def is_list(value: object) -> TypeGuard[list[int]]:
    """Say whether a value is a list of integers, and not one of lists."""
    return isinstance(value, list) and not (value and isinstance(value[0], list))


WORDS = ("all", "any", "sum", "exactly_one", "implies", "iff", "old", "last_move", "len", "range")
"""The functions of the language."""

RELATIVE = {
    "mine": "{me}",
    "theirs": "{them}",
    "won_by_me": "won_by_{me}",
    "won_by_them": "won_by_{them}",
    "i_win": "{me}_wins",
    "they_win": "{them}_wins",
    "my_line": "{me}_line",
    "their_line": "{them}_line",
    "i_make": "{me}_makes",
    "they_make": "{them}_makes",
}
"""Words relative to the player whose strategy or whose claim it is, and the word of the game that each stands for."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A named expression: a constant, a list, a property, or any of these with integer parameters.

    A definition belongs to one game and one list of definitions before it, so that what it means depends on its
    arguments alone, and on whether there is a position before a step: ``meanings`` keeps it by these, with how many
    parts it takes, and how deep they are nested.
    """

    name: str
    parameters: tuple[str, ...]
    body: ast.expr
    meanings: dict[tuple[int, ...], tuple[Value, int, int]] = field(default_factory=dict, compare=False, repr=False)


class Names:
    """The names of one game, and definitions over them.

    A definition sees only those before it, so none can refer to itself.

    Attributes:
        game, vocabulary: the game and its words.
        player: whom relative words are about; None: nobody, so that they mean nothing.
        nodes: the formulas that were made.
        atoms: of these, the words of the game with their indices.
        constants: integers, and lists of them.
        definitions: what else has a name, and its rank.
        meanings: values of expressions, by the tree, whether there is a position before a step, and its variables.
        steps, level, deepest: how many parts the expression at hand has expanded to so far, how deep the present one is
            nested, and the deepest.
    """

    def __init__(self, game: Game, nodes: Nodes | None = None, player: str | None = None) -> None:
        self.game = game
        self.player = player
        self.vocabulary = game.vocabulary
        self.nodes = Nodes() if nodes is None else nodes
        self.atoms: dict[tuple[str | int, ...], list[Any]] = {}
        self.meanings: dict[tuple[Any, ...], Value] = {}
        self.steps = self.level = self.deepest = 0
        self.constants: dict[str, int | list[int]] = {}
        if "free" in game.vocabulary:
            self.constants["SPOTS"] = list(range(game.vocabulary["free"][-1]))
        if "active" in game.vocabulary:
            self.constants |= {"FIELDS": list(range(9)), "ANY": ANY}
        self.definitions: dict[str, tuple[int, Definition]] = {}

    def extend(self, player: str | None = None) -> Self:
        """Return the same names, for a player, to which others can be added without changing these."""
        names = type(self)(self.game, self.nodes, player or self.player)
        names.definitions.update(self.definitions)
        names.atoms = self.atoms
        return names

    def absolute(self, node: ast.Name) -> str:
        """Return the word of the game that a relative word stands for; any other name as it is.

        Raises:
            ExpressionError: the word depends on a player, and there is none.
        """
        if node.id not in RELATIVE:
            return node.id
        if self.player is None:
            raise error_at(node, f"{node.id!r} depends on the player, and there is no player here")
        return RELATIVE[node.id].format(me=self.player, them="O" if self.player == "X" else "X")

    def atom(self, name: str, *indices: int) -> list[Any]:
        """Return the formula of a word of the game, the same object for the same indices."""
        return self.atoms.setdefault((name, *indices), [name, *indices])

    def is_reserved(self, name: str, horizon: int | None = None) -> bool:
        """Say whether a name has a meaning already: by any definition, or by one of the first ``horizon``."""
        if name in self.definitions:
            return horizon is None or self.definitions[name][0] < horizon
        return name in self.constants or name in self.vocabulary or name in (*WORDS, *RELATIVE, "active", "ply")

    def define(self, definition: Definition) -> None:
        """Add a definition.

        Raises:
            ExpressionError: its name or one of its parameters has a meaning already.
        """
        for name in (definition.name, *definition.parameters):
            if keyword.iskeyword(name):
                raise ExpressionError(f"{name!r} is a word of the syntax: no expression could name it")
            if self.is_reserved(name):
                raise ExpressionError(f"{name!r} already has a meaning: take another name")
        self.definitions[definition.name] = (len(self.definitions), definition)
