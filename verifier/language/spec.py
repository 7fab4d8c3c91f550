"""A file of the specs: its model, the places of everything in it, and what is wrong with its shape.

The faults that a model finds are reported in the words of the claim language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from verifier.language.loader import QUOTE, Document, Path
from verifier.language.model import KINDS, Grammar, Model, find_kind, find_mistyped
from verifier.language.problem import Problem, suggest
from verifier.language.reading import OBJECTIVES
from verifier.near import find_near

M_co = TypeVar("M_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Spec(Generic[M_co]):
    """A parsed file: its model, and the document that knows the places."""

    model: M_co
    document: Document


def parse_spec(document: Document, grammar: Grammar) -> tuple[Spec[Model] | None, list[Problem]]:
    """Validate one document against the model of its kind."""
    value = document.value
    kinds = [kind for kind in KINDS if isinstance(value, dict) and kind in value]
    mistyped = find_mistyped(value) if isinstance(value, dict) else None
    if mistyped is not None:
        return None, [document.key_problem(mistyped[:1], _say_odd_key(*mistyped))]
    if not kinds:
        return None, [document.problem((), f"a spec starts with {', '.join(f'{kind}:' for kind in KINDS)} and its id")]
    if len(kinds) > 1 and kinds[-1] == "rules":
        kinds.pop()  # the rules that a claim or a strategy is about
    if len(kinds) > 1:
        return None, [document.problem((kinds[1],), f"a file holds one {kinds[0]}, not also a {kinds[1]}")]
    try:
        return Spec(grammar.model_of(kinds[0], value).model_validate(value), document), []
    except ValidationError as error:
        return None, [*list_faults(document, error, grammar)]


_ABOUT = {"source": {"document": "document"}, "includes": {"*": "definitions"}}
_READING = {"rules": "rules", "strategies": {"*": "strategy"}, "joins": {"*": "claim"}}
_NAMED: dict[str, dict[str, Any]] = {
    "claim": {**_ABOUT, "rules": "rules", "uses": {"*": "claim"}, "readings": {"*": _READING}},
    "definitions": _ABOUT,
    "strategy": {**_ABOUT, "rules": "rules", "like": "strategy"},
    "document": {"headline": {"*": "claim"}, "contents": {"*": {"key": "claim"}}},
    "coverage": {"coverage": "document", "contents": {"*": {"*": {"readings": {"*": "claim"}}}}},
    "errata": {},
    "rules": {**_ABOUT, "like": "rules"},
}
"""Where a file of each kind names others, and their kind: ``*`` is any key or index; at ``key``, the key is a name."""


def find_named(value: Any) -> Iterator[tuple[Path, str, str]]:
    """Yield the place, the kind and the id of each file that a file names: of claims and strategies, the file alone."""
    if isinstance(value, dict):
        for path, kind, name in _find_texts(value, _NAMED[find_kind(value)[0]], ()):
            yield path, kind, re.split("[/#]", name)[0]


def _find_texts(value: Any, shape: Any, path: Path) -> Iterator[tuple[Path, str, str]]:
    """Yield the texts of a value at the places of a shape, each with its place and with what the shape has there."""
    if isinstance(shape, str):
        if isinstance(value, str):
            yield path, shape, value
        return
    parts = value if isinstance(value, dict) else dict(enumerate(value)) if isinstance(value, list) else {}
    for step, inner in shape.items():
        for key in parts if step in ("*", "key") else parts.keys() & {step}:
            yield from _find_texts(key if step == "key" else parts[key], inner, (*path, key))


_WANTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a map",
    "model_type": "a map",
}
"""The expected value, by the kind of the fault, if a value has another type."""
_MAPS = {"strategies": "such as {X: my-strategy}", "objectives": "such as {never beaten: {prevent: O_wins}}"}
"""Examples of maps that people often write in another way."""
_OBJECTIVE = (*OBJECTIVES, "by", "holds", "at")
_QUOTED = re.compile(r"'(\w+)'")


def list_faults(document: Document, error: ValidationError, grammar: Grammar) -> Iterator[Problem]:
    """Yield what is wrong with a file, each fault at its place. A value that no type of several fits is one fault."""
    items: list[Any] = error.errors(include_url=False)
    found = [(item, *_find_path(document.value, item["loc"], grammar)) for item in items]
    # A key that is missing, and one beside it that is not known, are one mistyped key.
    lacking = [(path, value, missing) for item, path, value, missing in found if item["type"] == "missing"]
    mistyped = {(*path, odd): key for path, value, key in lacking for odd in _find_near(key, value, grammar)}
    explained = {(path[:-1], key) for path, key in mistyped.items()}
    wanted: dict[Path, list[Any]] = {}
    for path, key in mistyped.items():
        yield document.key_problem(path, _say_odd_key(str(path[-1]), key))
    for item, path, value, missing in found:
        if item["type"] in _WANTED:
            wanted.setdefault(path, []).append(item)
        elif path not in mistyped and (item["type"] != "missing" or (path, missing) not in explained):
            yield _name_fault(document, grammar, item, path, value, missing)
    unnamed = [path for path in wanted if _is_unnamed_objective(path)]
    for path, here in wanted.items():
        if path in unnamed and any(path[:-1] == other[:-1] for other in unnamed[: unnamed.index(path)]):
            continue  # the message about one of its keys is about the whole objective
        types = dict.fromkeys(_WANTED[item["type"]] for item in here)
        yield document.problem(path, f"{_where(path)}: {_name_type(path, list(types), here[0]['input'])}")


def _find_path(value: Any, loc: tuple[Any, ...], grammar: Grammar) -> tuple[Path, Any, str]:
    """Return the path of a fault in a file, the value there, and the last step of ``loc`` that is not in the file."""
    path: list[Any] = []
    missing = ""
    if loc[:1] == ("readings",) and loc[2:3] and loc[2] in grammar.questions:
        loc = (*loc[:2], *loc[3:])  # without the question by which the model of the reading was chosen
    for key in loc:
        is_item = isinstance(value, list) and isinstance(key, int) and key < len(value)
        if is_item or (isinstance(value, dict) and key in value):
            value = value[key]
            path.append(key)
        else:
            missing = str(key)
    return tuple(path), value, missing


def _where(path: Iterable[Any]) -> str:
    return ".".join(str(key) for key in path) or "the file"


def _name_type(path: tuple[Any, ...], types: list[str], given: Any) -> str:
    """Return which type is expected, and how to write the given value so that it has the type, if that is simple."""
    if _is_unnamed_objective(path):
        return f"put {path[-1]!r} below the name of an objective, {_MAPS['objectives']}"
    is_expression = {"a text", "a whole number", "true or false"} <= set(types)
    wanted = "an expression is wanted" if is_expression else f"{' or '.join(types)} is wanted"
    if path and path[-1] in _MAPS:
        wanted = f"{wanted}, {_MAPS[path[-1]]}"
    text = given if isinstance(given, str) else ""
    if ("a list" in types and text.startswith("[")) or ("a whole number" in types and text.isdecimal()):
        return f"{wanted}: leave the quotes out"
    if "a list" in types and not isinstance(given, dict):
        return f"{wanted}, such as [{str(given)[:60]}]"
    if "a text" in types and isinstance(given, int):
        return f'{wanted}: put it in quotes, "{given}"'
    if "a text" in types:
        return f"{wanted}, not a {'map' if isinstance(given, dict) else 'list'}{QUOTE}"
    return f"{wanted}, not {'a list' if isinstance(given, list) else repr(str(given)[:60])}"


def _is_unnamed_objective(path: tuple[Any, ...]) -> bool:
    """Say whether a key of an objective stands in the place of an objective's name."""
    return path[-2:-1] == ("objectives",) and path[-1] in _OBJECTIVE


def _say_odd_key(key: str, meant: str) -> str:
    return f"{key!r} is not a key here: did you mean {meant!r}?"


def _name_fault(document: Document, grammar: Grammar, item: Any, path: Path, value: Any, missing: str) -> Problem:
    kind, message, context = item["type"], item["msg"].removeprefix("Value error, "), item.get("ctx", {})
    where, given = _where(path), repr(str(item["input"])[:60])
    if kind == "extra_forbidden":
        owners = grammar.find_owners(str(path[-1]))
        hint = f": it is a key of {', '.join(owners)}" if owners else suggest(str(path[-1]), grammar.keys)
        return document.key_problem(path, f"{path[-1]!r} is not a key here{hint}")
    if kind == "value_error" and isinstance(item["input"], dict):
        named = next((name for name in _QUOTED.findall(message) if name in item["input"]), None)
        message = f"{where}: {message}"
        return document.problem(path, message) if named is None else document.key_problem((*path, named), message)
    if kind == "missing":
        message = f"{missing!r} is missing from {where}"
    elif kind == "union_tag_not_found":
        odd_keys = ((key, odd) for key in grammar.questions for odd in _find_near(key, value, grammar))
        near = next((f": is {odd!r} a mistyped {key!r}?" for key, odd in odd_keys), "")
        message = f"{where} asks nothing: a reading needs one of {', '.join(grammar.questions)}{near}"
    elif kind == "literal_error":
        known = str(context["expected"])
        message = f"{where}: {known} is wanted, not {given}{suggest(str(item['input']), _QUOTED.findall(known))}"
    elif kind == "string_pattern_mismatch":
        message = f"{where}: {_name_pattern(context['pattern'])}, not {given}"
    elif kind == "too_long" and path[-1] == "objectives":
        message = "'can' takes one objective: ask each in a reading of its own, and join these with 'joins'"
    else:
        said, length = _SAID.get(kind, "{where}: {message}, not {given}"), len(str(item["input"]))
        message = said.format(where=where, message=message, given=given, length=length, **context)
    return document.problem(path, message)


_SAID = {
    "string_too_short": "{where}: at least {min_length} characters are wanted, not {length}",
    "string_too_long": "{where}: at most {max_length} characters are wanted, not {length}",
    "greater_than_equal": "{where}: a number from {ge} on is wanted, not {given}",
    "less_than_equal": "{where}: a number up to {le} is wanted, not {given}",
    "too_short": "{where} is empty",
    "too_long": "{where} has more than {max_length} items",
}
"""Messages about values of a wrong size, by the kind of the fault."""


_PATTERNS = {
    "/": "a reading is named CLAIM/READING",
    " = ": "a relation is written as bbb = b",
    "\\d": "a place is a row and a column from 0 on, such as 0.1",
    "1|": "a product of letters is wanted, such as abb, or 1",
    "-": "an id is words of small letters and digits, joined by '-'",
    "": "the name of a Coq theorem is wanted",
}
"""Messages about texts that do not fit a pattern of the model, by a part of the pattern."""


def _name_pattern(pattern: str) -> str:
    return next(said for part, said in _PATTERNS.items() if part in pattern.replace(" *", " "))


def _find_near(key: str, value: Any, grammar: Grammar) -> list[str]:
    """Return the unknown key of a map that is nearest to a missing one, as a list of one; or an empty list."""
    return find_near(key, value.keys() - grammar.keys, 1) if isinstance(value, dict) else []
