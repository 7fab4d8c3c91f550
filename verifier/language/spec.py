"""Validates a file against its model, and says what pydantic found wrong, in the terms of the claim language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from verifier.language.loader import QUOTE, Document, KeyPath
from verifier.language.model import FILE_KINDS, Grammar, Model, find_file_kind, find_mistyped
from verifier.language.problem import LACKED, Problem, suggest
from verifier.language.reading import OBJECTIVES
from verifier.near import find_near

M_co = TypeVar("M_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Spec(Generic[M_co]):
    """A valid file: its model, and the document that has the places of its values."""

    model: M_co
    document: Document


def parse_spec(document: Document, grammar: Grammar) -> tuple[Spec[Model] | None, list[Problem]]:
    """Validate a document against the model of its kind. Return None and the problems if it is not valid."""
    value = document.value
    kinds = [kind for kind in FILE_KINDS if isinstance(value, dict) and kind in value]
    mistyped = find_mistyped(value) if isinstance(value, dict) else None
    if mistyped is not None:
        return None, [document.key_problem(mistyped[:1], _say_odd_key(*mistyped))]
    if not kinds:
        known = ", ".join(f"{kind}:" for kind in FILE_KINDS)
        return None, [document.problem((), f"a spec must start with one of {known} and an id")]
    if len(kinds) > 1 and kinds[-1] == "rules":
        kinds.pop()  # here ``rules`` names the rules that a claim or a strategy is about
    if len(kinds) > 1:
        both = " and ".join(map(repr, kinds[:2]))
        return None, [document.problem((kinds[1],), f"a file holds one spec: this one cannot be both {both}")]
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
    "errata": {"beyond": {"key": "claim"}},
    "rules": {**_ABOUT, "like": "rules"},
}
"""For each kind of file, the places where it names other files, and the kinds of these other files.

The key ``*`` stands for any key or index. The key ``key`` says that the keys of the map are the names."""


def find_named(value: Any) -> Iterator[tuple[KeyPath, str, str]]:
    """Yield each reference of a file to another file: its place, and the kind and id of the file that it names."""
    if isinstance(value, dict):
        for path, kind, name in _find_texts(value, _NAMED[find_file_kind(value)[0]], ()):
            yield path, kind, re.split("[/#]", name)[0]


def _find_texts(value: Any, shape: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str, str]]:
    """Yield the path, the kind of file and the text of each name in ``value``; ``shape`` says where the names are."""
    if isinstance(shape, str):
        if isinstance(value, str):
            yield path, shape, value
        return
    parts = value if isinstance(value, dict) else dict(enumerate(value)) if isinstance(value, list) else {}
    for step, inner in shape.items():
        for key in parts if step in ("*", "key") else parts.keys() & {step}:
            yield from _find_texts(key if step == "key" else parts[key], inner, (*path, key))


_EXPECTED = {
    "string_type": "text",
    "int_type": "an integer",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a map",
    "model_type": "a map",
}
"""The expected type, by pydantic's name of the fault."""
_MAPS = {"strategies": "such as {X: my-strategy}", "objectives": "such as {never beaten: {prevent: O_wins}}"}
"""Examples of maps that are often written wrongly."""
_OBJECTIVE = (*OBJECTIVES, "by", "holds", "at")
_IN_BRACES = re.compile(r"\{(\w+)\}")
_QUOTED = re.compile(r"'(\w+)'")


def list_faults(document: Document, error: ValidationError, grammar: Grammar) -> Iterator[Problem]:
    """Yield the problems of a file, each at its place."""
    items: list[Any] = error.errors(include_url=False)
    found = [(item, *_find_path(document.value, item["loc"], grammar)) for item in items]
    # If a key is missing, and an unknown key is similar, the unknown key is probably the missing key, mistyped.
    lacking = [(path, value, missing) for item, path, value, missing in found if item["type"] == "missing"]
    mistyped = {(*path, odd): key for path, value, key in lacking for odd in _find_near(key, value, grammar)}
    explained = {(path[:-1], key) for path, key in mistyped.items()}
    mismatched: dict[KeyPath, list[Any]] = {}  # pydantic reports a fault for each type that the value could have
    for path, key in mistyped.items():
        yield document.key_problem(path, _say_odd_key(str(path[-1]), key))
    for item, path, value, missing in found:
        if item["type"] in _EXPECTED:
            mismatched.setdefault(path, []).append(item)
        elif path not in mistyped and (item["type"] != "missing" or (path, missing) not in explained):
            yield _name_fault(document, grammar, item, path, value, missing)
    unnamed = [path for path in mismatched if _is_unnamed_objective(path)]
    for path, here in mismatched.items():
        if path in unnamed and any(path[:-1] == other[:-1] for other in unnamed[: unnamed.index(path)]):
            continue  # one message about an objective without a name is enough
        types = dict.fromkeys(_EXPECTED[item["type"]] for item in here)
        yield document.problem(path, f"{_where(path)}: {_name_type(path, list(types), here[0]['input'])}")


def _find_path(value: Any, loc: tuple[Any, ...], grammar: Grammar) -> tuple[KeyPath, Any, str]:
    """Return the path of a fault, the value at this path, and the last part of ``loc`` that is not in the file.

    ``loc`` is pydantic's path to the fault. If every part of ``loc`` is in the file, the third value is empty.
    """
    path: list[Any] = []
    missing = ""
    if loc[:1] == ("readings",) and loc[2:3] and loc[2] in grammar.questions:
        loc = (*loc[:2], *loc[3:])  # without the question, which pydantic adds to the path
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
    """Return a message that names the expected type and, if there is a simple correction, says what to write."""
    if _is_unnamed_objective(path):
        return f"put {path[-1]!r} below the name of an objective, {_MAPS['objectives']}"
    is_expression = {"text", "an integer", "true or false"} <= set(types)
    expected = f"expected {'an expression' if is_expression else ' or '.join(types)}"
    if path and path[-1] in _MAPS:
        expected = f"{expected}, {_MAPS[path[-1]]}"
    text = given if isinstance(given, str) else ""
    if path and path[-1] == "play" and "{" in text:
        return f'{expected}, or a map, such as {{"{text[:40]}": [{", ".join(_IN_BRACES.findall(text))}]}}'
    if ("a list" in types and text.startswith("[")) or ("an integer" in types and text.isdecimal()):
        return f"{expected}: remove the quotes"
    if "a list" in types and not isinstance(given, dict):
        return f"{expected}, such as [{str(given)[:60]}]"
    if "text" in types and isinstance(given, int):
        return f'{expected}: put it in quotes, "{given}"'
    if "text" in types:
        return f"{expected}, not a {'map' if isinstance(given, dict) else 'list'}{QUOTE}"
    return f"{expected}, not {'a list' if isinstance(given, list) else repr(str(given)[:60])}"


def _is_unnamed_objective(path: tuple[Any, ...]) -> bool:
    """True if a path ends in a key of an objective, at a place where the name of an objective should be."""
    return path[-2:-1] == ("objectives",) and path[-1] in _OBJECTIVE


def _say_odd_key(key: str, meant: str) -> str:
    return f"unknown key {key!r}: did you mean {meant!r}?"


def _name_fault(document: Document, grammar: Grammar, item: Any, path: KeyPath, value: Any, missing: str) -> Problem:
    kind, message, context = item["type"], item["msg"].removeprefix("Value error, "), item.get("ctx", {})
    where, given = _where(path), str(item["input"])[:60]
    given = given if type(item["input"]) is int else repr(given)
    if kind == "extra_forbidden":
        owners, key = grammar.find_owners(str(path[-1])), path[-1]
        misplaced = f"the key {key!r} does not belong here: it is a key of {', '.join(owners)}"
        if key == "for" and path[:1] == ("readings",) and len(path) == 3:
            misplaced += f'; to make several readings, put a variable into the name, as in "{path[1]}-{{s}}"'
        unknown = f"unknown key {key!r}{suggest(str(key), grammar.keys)}"
        return document.key_problem(path, misplaced if owners else unknown)
    if kind == "value_error" and isinstance(item["input"], dict):
        named = next((name for name in _QUOTED.findall(message) if name in item["input"]), None)
        message = f"{where}: {message}"
        return document.problem(path, message) if named is None else document.key_problem((*path, named), message)
    if kind == "missing":
        message = f"{missing!r}{LACKED}{where}"
    elif kind == "union_tag_not_found":
        odd_keys = ((key, odd) for key in grammar.questions for odd in _find_near(key, value, grammar))
        near = next((f": did you mean {key!r}, not {odd}?" for key, odd in odd_keys), "")
        message = f"{where} has no question: a reading needs one of the keys {', '.join(grammar.questions)}{near}"
    elif kind == "literal_error":
        known = str(context["expected"])
        message = f"{where}: must be {known}, not {given}{suggest(str(item['input']), _QUOTED.findall(known))}"
    elif kind == "string_pattern_mismatch":
        message = f"{where}: {_name_pattern(context['pattern'])}, not {given}"
    elif kind == "too_long" and path[-1] == "objectives":
        message = "'can' takes one objective: write a reading for each, and join them with 'joins'"
    else:
        kind = "empty" if kind == "too_short" and not item["input"] else kind
        template, length = _MESSAGES.get(kind, "{where}: {message}, not {given}"), len(str(item["input"]))
        message = template.format(where=where, message=message, given=given, length=length, **context)
        message += _MORE.get((kind, str(path[-1]) if path else ""), "")
    return document.problem(path, message)


_MESSAGES = {
    "string_too_short": "{where}: must have at least {min_length} characters, not {length}",
    "string_too_long": "{where}: must have at most {max_length} characters, not {length}",
    "greater_than_equal": "{where}: must be at least {ge}, not {given}",
    "less_than_equal": "{where}: must be at most {le}, not {given}",
    "empty": "{where} is empty",
    "too_short": "{where} has fewer than {min_length} items",
    "too_long": "{where} has more than {max_length} items",
}
"""Messages about values of a wrong size, by pydantic's name of the fault."""

_MORE = {
    ("greater_than_equal", "least"): ": a cell cannot hold a negative number; add the same number to all its values"
}
"""Texts that follow some messages, by pydantic's name of the fault and the key."""


_PATTERNS = {
    "/": "must be CLAIM/READING",
    " = ": "must be a relation, such as bbb = b",
    "\\d": "must be a row and a column, counted from 0, such as 0.1",
    "1|": "must be a product of letters, such as abb, or 1",
    "-": "an id must be words of small letters and digits, joined by '-'",
    "": "must be the name of a Coq theorem",
}
"""Messages about texts that do not match a pattern of the model. The first key that is in the pattern applies."""


def _name_pattern(pattern: str) -> str:
    return next(message for part, message in _PATTERNS.items() if part in pattern.replace(" *", " "))


def _find_near(key: str, value: Any, grammar: Grammar) -> list[str]:
    """Return, in a list, the unknown key of ``value`` that is most similar to ``key``; an empty list if none is."""
    return find_near(key, value.keys() - grammar.keys, 1) if isinstance(value, dict) else []
