"""What names mean: the words of a game and of the language, constants, definitions; and which values there are."""

from __future__ import annotations

import ast
import contextlib
import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias, TypeGuard

from verifier.kernel.games import Game
from verifier.language.sharing import Nodes
from verifier.language.syntax import ExpressionError, Scoped, ScopedText, Variables, error_at, names_in


@dataclass(frozen=True, slots=True)
class Formula:
    """A ground formula, as the kernel takes it."""

    node: Any


@dataclass(frozen=True, slots=True)
class Term:
    """An integer that depends on the position, as the kernel takes it."""

    node: Any


class Active:
    """The value of a game's pointer: the index of which the word is true, such as the active field, or ``ANY``."""


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


def say_as(said: Any, player: str) -> Any:
    """Return an expression whose relative words are about a player, also where another player makes the claim.

    People see the words of the game instead. If it uses definitions, people also see whose words these have.
    """
    if not isinstance(said, str):
        return said
    written, variables = said, None
    if isinstance(said, ScopedText):
        written, variables = said.written, said.variables
        with contextlib.suppress(ExpressionError):  # too long to show with values: it stays as it is
            said = said.as_expression()
    shown = re.sub(r"\b[a-z]\w*", lambda word: find_absolute(word[0], player), said)
    is_defined = re.search(rf"\b(?!(?:{'|'.join((*WORDS, *_SYNTAX))})\b)[a-z]\w*", shown) is not None
    return ScopedText(f"{shown} (in {player}'s words)" if is_defined else shown, written, variables, player)


def find_absolute(word: str, player: str) -> str:
    """Return the word of the game that a word relative to a player stands for; any other word as it is."""
    return RELATIVE.get(word, word).format(me=player, them="O" if player == "X" else "X")


_SYNTAX = ("and", "or", "not", "in", "for", "if", "ply", "over", "draw", "line")
"""Words that mean the same to both players."""

RESERVED = frozenset({*WORDS, *RELATIVE, "active", "ply", "draw", "FIELDS", "SPOTS", "ANY"})
"""The words of the language: no name may be one of them. The words of the game are reserved where the game is known."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A named expression: a constant, a list, a property, or any of these with integer parameters.

    Attributes:
        place: the file and the line where it stands.
        meanings: values of the body, each with the number of its parts and how deep they are nested. The key is what
            the value depends on: what ``old`` means, the player whose words it has, the arguments.
    """

    name: str
    parameters: tuple[str, ...]
    body: ast.expr
    place: str = ""
    meanings: dict[tuple[Any, ...], tuple[Value, int, int]] = field(default_factory=dict, compare=False, repr=False)


class Names:
    """The names of one game, and definitions over them.

    A definition sees only those before it, so none can refer to itself. A name that a method does not take is an
    ``ExpressionError``.

    Attributes:
        game, vocabulary, pointer: the game, its words, and the word that stands for an index.
        player: whom relative words are about; None: nobody, so that they mean nothing.
        nodes: the formulas that were made.
        atoms: the formulas of words of the game, by the word and its indices.
        constants: integers, and lists of them.
        definitions: the definitions, each with its rank: how many were before it.
        relative: the names of definitions that mean something else for each player.
        faulty: the names of definitions with a fault, which is reported where they stand.
        places: where variables stand, by name: file and line.
        meanings: values of expressions, by the tree, what ``old`` means, and the variables that it uses.
        steps: how many parts the expression at hand has expanded to so far.
        level, deepest: how deep the part at hand is nested, and the deepest so far.
    """

    def __init__(self, game: Game, nodes: Nodes | None = None, player: str | None = None) -> None:
        self.game = game
        self.player = player
        self.vocabulary = game.vocabulary
        self.nodes = Nodes() if nodes is None else nodes
        self.atoms: dict[tuple[str | int, ...], list[Any]] = {}
        self.meanings: dict[tuple[Any, ...], Value] = {}
        self.steps = self.level = self.deepest = 0
        self.pointer = game.pointer
        self.constants: dict[str, int | list[int]] = {
            name: [*value] if isinstance(value, range) else value for name, value in game.constants.items()
        }
        self.definitions: dict[str, tuple[int, Definition]] = {}
        self.relative: set[str] = set()
        self.faulty: set[str] = set()
        self.places: dict[str, str] = {}

    def extend(self, player: str | None = None) -> Self:
        """Return a copy of these names, for a player: what is added to the copy does not change these."""
        names = type(self)(self.game, self.nodes, player or self.player)
        names.definitions.update(self.definitions)
        names.relative |= self.relative
        names.faulty |= self.faulty
        names.places = self.places
        names.atoms = self.atoms
        return names

    def absolute(self, node: ast.Name) -> str:
        """Return the word of the game that a relative word stands for; any other name as it is."""
        if node.id not in RELATIVE:
            return node.id
        if self.player is None:
            raise error_at(node, f"{node.id!r} depends on the player, but nothing here says which player")
        return find_absolute(node.id, self.player)

    def atom(self, name: str, *indices: int) -> list[Any]:
        """Return the formula of a word of the game. It is cached."""
        return self.atoms.setdefault((name, *indices), [name, *indices])

    def find_meaning(self, name: str, horizon: int | None = None) -> str:
        """Return what a name means, in words; empty if it is free. Only the first ``horizon`` definitions count."""
        if name in self.definitions:
            rank, definition = self.definitions[name]
            return f"the definition in {definition.place}" if horizon is None or rank < horizon else ""
        if name in RESERVED or keyword.iskeyword(name):
            return "a word of the language"
        return "a word of the game" if name in self.vocabulary or name in self.constants else ""

    def require_new(
        self, name: str, env: Mapping[str, Any], node: ast.AST | None = None, horizon: int | None = None
    ) -> None:
        """Require that a name has no meaning yet: each name has one, wherever it is seen."""
        found = self.find_meaning(name, horizon)
        if not found and name in env:
            found = "a variable in scope here" + (f", from {self.places[name]}" if name in self.places else "")
        if found:
            raise error_at(node, f"{name!r} already has a meaning: it is {found}; choose another name")

    def define(self, definition: Definition) -> None:
        """Add a definition, whose name and parameters are new."""
        around = definition.body.variables if isinstance(definition.body, Scoped) else Variables()
        self.places.update(around.places)
        for name in (definition.name, *definition.parameters):
            self.require_new(name, around.values)
        self.definitions[definition.name] = (len(self.definitions), definition)
        if not names_in(definition.body).isdisjoint({*RELATIVE, *self.relative}):
            self.relative.add(definition.name)
