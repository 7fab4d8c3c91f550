"""Parses expressions, and keeps with each expression the variables that it can use.

Expressions are written in a part of Python's syntax. If a text is not valid, the function that parses it raises an
``ExpressionError``, which has the place in the text.
"""

from __future__ import annotations

import ast
import functools
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypeGuard

from verifier.kernel.errors import SpecError
from verifier.language.problem import Problem

MAX_CHARACTERS = 4_000
MAX_SHOWN = 10_000
"""Maximum length of a text after values have replaced its variables."""
MAX_SYNTAX_NODES = 2_000
MAX_SYNTAX_DEPTH = 60
_NAME = re.compile(r"(?<!\w)[A-Za-z_]\w*")
_NAME_A_PART = "give a part of it a name in 'define'"
_TOO_DEEP = f"the expression is nested deeper than {MAX_SYNTAX_DEPTH}: {_NAME_A_PART}"


class ExpressionError(SpecError):
    """An expression that is not valid. ``line`` (from 1) and ``offset`` (from 0) are the place in its text."""

    def __init__(self, message: str, line: int = 1, offset: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.offset = offset


class KnownFaultError(ExpressionError):
    """An expression that uses a faulty definition. The fault is reported at the definition."""


class MisspelledError(ExpressionError):
    """An expression that uses an unknown name, which is similar to a known one."""


class DefinitionFaultError(KnownFaultError):
    """An expression that uses a definition in which a name is misspelled. ``problem`` is at the place of this name."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True, slots=True, eq=False)
class Variables:
    """The variables that a part of a file can use: the variables of every ``for`` around this part.

    Attributes:
        values: numbers, texts, lists and maps, by variable. Expressions can use only numbers and lists of numbers.
        places: the file and line of each variable.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)

    def extend(self, own: Mapping[str, Any], place: str) -> Variables:
        """Return these variables together with the variables in ``own``, which are defined at ``place``."""
        return Variables({**self.values, **own}, {**self.places, **dict.fromkeys(own, place)})


class ScopedText(str):
    """A text that can use variables. The string itself is for people: it has values in place of the variables.

    If the text is an expression, its meaning depends only on ``written``, ``variables`` and ``player``.

    Attributes:
        written: the text in the file.
        variables: the variables in scope.
        player: the player to whom relative words, such as ``mine``, refer. If empty, these words refer to the player
            of the claim or strategy.
        tree: the parsed expression; None before it is parsed.
    """

    __slots__ = ("player", "tree", "variables", "written")
    written: str
    variables: Variables
    player: str
    tree: ast.expr | None

    def __new__(cls, shown: str, written: str = "", variables: Variables | None = None, player: str = "") -> Self:
        """Create a text that can use ``variables``; ``shown`` is the string for people."""
        self = super().__new__(cls, shown)
        self.written, self.variables, self.player, self.tree = written, variables or Variables(), player, None
        return self

    def as_expression(self) -> ScopedText:
        """Return the same text, for use as an expression.

        In an expression, variables have no braces. So in the string for people, a value replaces every name of a
        variable, not only a name in braces.
        """
        shown = put_in(self.written, _NAME, self.variables, _spell)
        return ScopedText(shown, self.written, self.variables, self.player)


def say_group(names: str) -> str:
    """Return the message for a key with several variables, in a ``for`` where a key can have only one variable."""
    index = "use one index, such as {k: \"range(0, 9)\"}, and take A[k] and B[k] from lists A and B in 'define'"
    return f"several variables in one key, such as {names[:60]!r}, do not work in this 'for': {index}"


def put_in(text: str, name_of: re.Pattern[str], variables: Variables, spell: Callable[[Any], str]) -> str:
    """Return ``text`` for people: with values in place of variables.

    Args:
        text: the text.
        name_of: matches every name in the text that can be a variable.
        variables: the variables and their values.
        spell: writes a value as text.
    """
    shown: dict[str, str] = {}
    size = len(text)  # the new text has at most this length; if this exceeds the limit, the new text is not made
    for match in name_of.finditer(text):
        name = match[match.lastindex or 0]
        if name in variables.values and name not in shown:
            shown[name] = spell(variables.values[name])
        size += len(shown.get(name, ""))
        if size > MAX_SHOWN:
            raise ExpressionError(
                f"has more than {MAX_SHOWN:,} characters when values replace its variables: use fewer variables"
            )
    return name_of.sub(lambda match: shown.get(match[match.lastindex or 0], match[0]), text) if shown else text


def _spell(value: Any) -> str:
    """Return a value as it is written in an expression: a negative number has brackets."""
    if isinstance(value, list):
        return f"[{', '.join(map(_spell, value))}]"
    return f"({value})" if type(value) is int and value < 0 else str(value)


class ScopedNode(ast.expr):
    """The syntax tree of a ``ScopedText``. ``body`` is the tree of the text as written, with the names of variables."""

    _fields = ("body", "variables", "player")
    body: ast.expr
    variables: Variables
    player: str


def spell_scopes(value: Any) -> Any:
    """Return a value of a file as JSON. A ``ScopedText`` becomes a list of everything that its meaning depends on."""
    if isinstance(value, ScopedText):
        return [value.written, value.variables.values, value.player]
    if isinstance(value, dict):
        return {key: spell_scopes(item) for key, item in value.items()}
    return [spell_scopes(item) for item in value] if isinstance(value, list) else value


_PICTURE = re.compile(r"\s*[.XO]+(\s+[.XO]+)+\s*")


def is_picture(text: object) -> TypeGuard[str]:
    """True if a definition is a picture, at least two rows of ``.XO``; False if it is an expression."""
    return isinstance(text, str) and _PICTURE.fullmatch(text) is not None


def spell_picture(text: str) -> str:
    """Return a picture of nine fields as an expression about their marks. Return any other text unchanged."""
    if not is_picture(text):
        return text
    rows = text.split()
    if [len(row) for row in rows] != [9] * 9:
        raise ExpressionError("a picture must be nine rows of nine characters, each of them one of .XO")
    words = {"X": "X", "O": "O", ".": "free"}
    spots = ((f, s, rows[f // 3 * 3 + s // 3][f % 3 * 3 + s % 3]) for f in range(9) for s in range(9))
    return " and ".join(f"{words[mark]}[{f}, {s}]" for f, s, mark in spots)


def parse_expression(text: str | int | bool) -> ast.expr:
    """Parse an expression. Equal texts share one tree, so callers must not change it."""
    if isinstance(text, ScopedText):
        body = _parse(spell_picture(text.written))
        make: Any = ScopedNode  # ``Any``, because mypy does not know the fields of a ``ScopedNode``
        text.tree = text.tree or make(body=body, variables=text.variables, player=text.player)
        return text.tree
    return _parse(spell_picture(str(text)))


@functools.lru_cache(maxsize=4096)
def _parse(text: str) -> ast.expr:
    if len(text) > MAX_CHARACTERS:
        limit = f"the expression has {len(text):,} characters, and at most {MAX_CHARACTERS:,} are allowed"
        raise ExpressionError(f"{limit}: {_NAME_A_PART}")
    if not text.isascii() or "\0" in text or "\\" in text:
        raise ExpressionError("an expression can have only ASCII characters, and no backslash")
    if "#" in text:
        raise ExpressionError("an expression cannot have a comment", offset=text.index("#"))
    if "{" in text:
        message = "write the variable without braces: braces are for names, moves and prose"
        raise ExpressionError(message, offset=text.index("{"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)  # Python only warns about "1or 2"
            tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        hint = "; to compare two values, write ==" if re.search(r"(?<![=<>!])=(?!=)", text) else ""
        is_cut = text.count("(") != text.count(")") or text.count("[") != text.count("]")
        hint = "; inside { } or [ ] of YAML, a comma ends an expression that is not in quotes" if is_cut else hint
        raise ExpressionError(
            f"invalid expression: {error.msg}{hint}", error.lineno or 1, (error.offset or 1) - 1
        ) from None
    except (MemoryError, RecursionError, ValueError):
        raise ExpressionError(_TOO_DEEP) from None
    level: list[ast.AST] = [tree]
    count = depth = 0
    while level:
        count += len(level)
        if count > MAX_SYNTAX_NODES:
            raise ExpressionError(f"the expression has more than {MAX_SYNTAX_NODES:,} parts: {_NAME_A_PART}")
        if depth > MAX_SYNTAX_DEPTH:
            raise error_at(level[0], _TOO_DEEP)
        for node in level:
            if not isinstance(node, _ALLOWED) or type(node) in _SIGNS:
                shown = _SIGNS.get(type(node)) or ast.get_source_segment(text.strip(), node) or type(node).__name__
                raise error_at(node, f"{shown[:40]!r} cannot be used in an expression (see specs/README.md)")
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        depth += 1
    return tree.body


@functools.lru_cache(maxsize=4096)
def names_in(tree: ast.expr) -> frozenset[str]:
    """Return the names in an expression; for a ``ScopedNode``, without the names of its variables."""
    if isinstance(tree, ScopedNode):
        return names_in(tree.body) - tree.variables.values.keys()
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


@functools.lru_cache(maxsize=4096)
def variables_in(tree: ast.expr) -> frozenset[str]:
    """Return the variables of the loops in an expression."""
    targets = (node.target for node in ast.walk(tree) if isinstance(node, ast.comprehension))
    return frozenset(target.id for target in targets if isinstance(target, ast.Name))


_SIGNS: dict[type[ast.AST], str] = {
    ast.Div: "/",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Invert: "~",
    ast.UAdd: "+",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
    ast.Is: "is",
    ast.IsNot: "is not",
}
"""Operators of Python that expressions cannot use, each with its sign for messages.

(Messages copy other parts from the text. But a tree does not say where in the text an operator stands.)"""

_VALUES = (ast.Constant, ast.Name, ast.Tuple, ast.List, ast.ListComp, ast.GeneratorExp, ast.comprehension)
_OPERATIONS = (ast.Expression, ast.Subscript, ast.Call, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.IfExp)
_ALLOWED = (*_VALUES, *_OPERATIONS, ast.boolop, ast.unaryop, ast.operator, ast.cmpop, ast.expr_context)
"""A tree can have nodes of these types, but not of the types in ``_SIGNS``."""


def parse_definition_head(text: str) -> tuple[str, tuple[str, ...]]:
    """Parse ``name`` or ``name(a, b)``. Return the name and the parameters."""
    match = re.fullmatch(r"([A-Za-z][A-Za-z0-9_]*)(?:\(([a-z][a-z0-9_]*(?:, *[a-z][a-z0-9_]*)*)\))?", text)
    if not match:
        raise ExpressionError(f"{text[:60]!r} is not a valid name: write P1, for example, or P1(f) with a parameter")
    parameters = tuple(part.strip() for part in match[2].split(",")) if match[2] else ()
    if len(set(parameters)) != len(parameters):
        raise ExpressionError(f"{text[:60]!r} has a parameter twice")
    return match[1], parameters


def error_at(node: ast.AST | None, message: str, kind: type[ExpressionError] = ExpressionError) -> ExpressionError:
    """Return an error at ``node``, a part of an expression; if ``node`` is None, at the start of the expression."""
    return kind(message, getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
