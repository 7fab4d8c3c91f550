"""The meanings of names in expressions, such as ``X_wins`` or ``ply``, and the types of values of expressions."""

from __future__ import annotations

import ast
import contextlib
import keyword
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias, TypeGuard

from verifier.kernel.games import Game
from verifier.language.problem import Problem
from verifier.language.rules.numbers import GameNumbers, find_numbers
from verifier.language.sharing import Nodes
from verifier.language.syntax import ExpressionError, ScopedNode, ScopedText, Variables, error_at, names_in


@dataclass(frozen=True, slots=True)
class Formula:
    """A condition, as a formula of the kernel."""

    node: Any


@dataclass(frozen=True, slots=True)
class Term:
    """An integer that depends on the position, as a term of the kernel."""

    node: Any


class PointerValue:
    """The value of a game's *pointer*: the one index at which a word such as ``active`` is true.

    On nine fields, the index can also be ``ANY``, which is not a field: then the player may choose the field.
    """


ACTIVE = PointerValue()

Meaning: TypeAlias = "int | list[int] | Formula | Term | PointerValue"


def is_list(value: object) -> TypeGuard[list[int]]:
    """True if a value is a list of integers; False if it is a list of lists, or not a list."""
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
"""Relative words, each with a pattern for the word of the game that it means.

The meaning depends on the player of a strategy or claim."""


def say_as(text: Any, player: str) -> Any:
    """Return an expression in which relative words refer to ``player``, even if the other player makes the claim.

    People see words of the game in place of relative words. If the expression has a word that may be the name of a
    definition, people also see the note ``(in X's words)``: the definition may use relative words.
    """
    if not isinstance(text, str):
        return text
    written, variables = text, None
    if isinstance(text, ScopedText):
        written, variables = text.written, text.variables
        with contextlib.suppress(ExpressionError):  # raised if the values make the text too long
            text = text.as_expression()
    shown = re.sub(r"\b[a-z]\w*", lambda word: find_absolute(word[0], player), text)
    is_defined = re.search(rf"\b(?!(?:{'|'.join((*WORDS, *_SYNTAX))})\b)[a-z]\w*", shown) is not None
    return ScopedText(f"{shown} (in {player}'s words)" if is_defined else shown, written, variables, player)


def find_absolute(word: str, player: str) -> str:
    """Return the word of the game for a relative word; return any other word unchanged."""
    return RELATIVE.get(word, word).format(me=player, them="O" if player == "X" else "X")


_SYNTAX = ("and", "or", "not", "in", "for", "if", "ply", "over", "draw", "line")
"""Words that mean the same to both players."""

RESERVED = frozenset({*WORDS, *RELATIVE, "active", "ply", "draw", "FIELDS", "SPOTS", "ANY"})
"""The words of the language, which cannot be used as names. If the game is known, its words are reserved as well."""

WORDS_OF_EVERY_GAME = frozenset({"X_wins", "O_wins", "over"})
"""Words of every game. A rules file cannot use or define them."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A named expression. Its value is an integer, a list or a condition. It may have integer parameters.

    Attributes:
        place: the file and line of the definition.
        find_problem: turns an error in the body into a problem at its place in the file. None for a definition in
            rules: an error in its body is reported where the definition is used.
        meanings: a cache of values of the body. Each value comes with two numbers: how many parts the body expanded
            to, and how deeply they are nested. The key has everything that a value depends on: the meaning of ``old``,
            the player, the arguments.
    """

    name: str
    parameters: tuple[str, ...]
    body: ast.expr
    place: str = ""
    find_problem: Callable[[ExpressionError], Problem] | None = field(default=None, compare=False, repr=False)
    meanings: dict[tuple[Any, ...], tuple[Meaning, int, int]] = field(default_factory=dict, compare=False, repr=False)


class Names:
    """The names that expressions about one game can use: words of the game, constants and definitions.

    A definition can use only earlier definitions, so it cannot use itself. If a method refuses a name, it raises an
    ``ExpressionError``.

    Attributes:
        game, vocabulary, numbers, pointer: the game, its words, its numbers, and its pointer (see ``PointerValue``).
        number_words: the words that stand for numbers.
        player: the player that relative words refer to; None if relative words have no meaning.
        nodes: the nodes of all formulas (see ``sharing``).
        atoms: a cache of formulas that consist of one word of the game. The key is the word and its indices.
        constants: named integers and lists of integers.
        definitions: the definitions by name, each with the number of definitions before it.
        relative: the names of definitions that depend on the player.
        faulty: the names of definitions that have a fault. The fault is reported at the definition.
        elsewhere: names that have a meaning only in other parts of specs, each with a text that says which parts.
        places: the file and line of each variable.
        meanings: a cache of values of expressions, by the tree, the meaning of ``old``, and the values of variables.
        steps: the number of parts to which the current expression has expanded so far.
        level, deepest: the depth of the current part, and the greatest depth so far.
    """

    def __init__(
        self, game: Game, nodes: Nodes | None = None, player: str | None = None, numbers: GameNumbers | None = None
    ) -> None:
        self.game = game
        self.player = player
        self.vocabulary = game.vocabulary
        self.number_words = game.number_words
        self.nodes = Nodes() if nodes is None else nodes
        self.atoms: dict[tuple[str | int, ...], list[Any]] = {}
        self.meanings: dict[tuple[Any, ...], Meaning] = {}
        self.steps = self.level = self.deepest = 0
        self.numbers = find_numbers(game) if numbers is None else numbers
        self.pointer = self.numbers.pointer
        self.constants: dict[str, int | list[int]] = {
            name: [*value] if isinstance(value, range) else value for name, value in self.numbers.constants.items()
        }
        self.definitions: dict[str, tuple[int, Definition]] = {}
        self.relative: set[str] = set()
        self.faulty: set[str] = set()
        self.elsewhere: dict[str, str] = {}
        self.places: dict[str, str] = {}

    def extend(self, player: str | None = None) -> Self:
        """Return a copy, for ``player`` if given. Definitions that are added to the copy do not change the original."""
        names = type(self)(self.game, self.nodes, player or self.player, self.numbers)
        names.definitions.update(self.definitions)
        names.relative |= self.relative
        names.faulty |= self.faulty
        names.elsewhere = self.elsewhere
        names.places = self.places
        names.atoms = self.atoms
        return names

    def absolute(self, node: ast.Name) -> str:
        """Return the word of the game for a relative word; return any other name unchanged."""
        if node.id not in RELATIVE:
            return node.id
        if self.player is None:
            text = self.elsewhere.get(node.id, "depends on the player, but nothing here says which player")
            raise error_at(node, f"{node.id!r} {text}")
        return find_absolute(node.id, self.player)

    def atom(self, name: str, *indices: int) -> list[Any]:
        """Return and cache the formula that consists of one word of the game."""
        return self.atoms.setdefault((name, *indices), [name, *indices])

    def find_meaning(self, name: str, horizon: int | None = None) -> str:
        """Return what a name is, e.g. ``a word of the game``; empty if it has no meaning.

        If ``horizon`` is given, only the first ``horizon`` definitions count.
        """
        if name in self.definitions:
            rank, definition = self.definitions[name]
            return f"the definition in {definition.place}" if horizon is None or rank < horizon else ""
        if name in RESERVED or keyword.iskeyword(name):
            return "a word of the language"
        is_of_game = name in self.vocabulary or name in self.constants or name in WORDS_OF_EVERY_GAME
        return "a word of the game" if is_of_game else ""

    def require_new(
        self, name: str, env: Mapping[str, Any], node: ast.AST | None = None, horizon: int | None = None
    ) -> None:
        """Raise an error if a name already has a meaning. A name can have only one meaning in its scope."""
        found = self.find_meaning(name, horizon)
        if not found and name in env:
            found = "a variable in scope here" + (f", from {self.places[name]}" if name in self.places else "")
        if found:
            raise error_at(node, f"{name!r} already has a meaning: it is {found}; choose another name")

    def define(self, definition: Definition) -> None:
        """Add a definition. Its name and its parameters must be new."""
        around = definition.body.variables if isinstance(definition.body, ScopedNode) else Variables()
        self.places.update(around.places)
        for name in (definition.name, *definition.parameters):
            self.require_new(name, around.values)
        self.definitions[definition.name] = (len(self.definitions), definition)
        if not names_in(definition.body).isdisjoint({*RELATIVE, *self.relative}):
            self.relative.add(definition.name)
