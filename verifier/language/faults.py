"""What is wrong with the shape of a file: what its model finds, in the words of the claim language."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import ValidationError

from verifier.language.loader import QUOTE, Document, Path
from verifier.language.model import find_owners, known_keys
from verifier.language.problem import Problem, suggest
from verifier.language.questions import QUESTIONS

_WANTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a map",
    "model_type": "a map",
}
"""What is wanted where a value has another type."""
_MAPS = {
    "strategies": "such as {X: my-strategy}",
    "objectives": "such as {never beaten: {prevent: O_wins, by: 9}}",
}
"""How maps look that are easily taken for something else."""
_OBJECTIVE = ("reach", "by", "prevent", "keep", "some", "holds", "at")
_QUOTED = re.compile(r"'(\w+)'")


def list_faults(document: Document, error: ValidationError) -> Iterator[Problem]:
    """Yield what is wrong with a file, each at its place: once, where one of several types would do."""
    told: set[tuple[Any, ...]] = set()
    items: list[Any] = error.errors(include_url=False)
    for item in items:
        path = _find_path(document.value, item["loc"])[0]
        if item["type"] not in _WANTED:
            yield _name_fault(document, item)
        elif path not in told:
            told.add(path)
            here = [other for other in items if _find_path(document.value, other["loc"])[0] == path]
            types = dict.fromkeys(_WANTED[other["type"]] for other in here if other["type"] in _WANTED)
            yield document.problem(path, f"{_where(path)}: {_name_type(path, list(types), item['input'])}")


def _find_path(value: Any, loc: tuple[Any, ...]) -> tuple[Path, Any, str]:
    """Return the path of a fault's place in a file, the value there, and the last of the place that is not a key."""
    path: list[Any] = []
    missing = ""
    if loc[:1] == ("readings",) and loc[2:3] and loc[2] in QUESTIONS:
        loc = (*loc[:2], *loc[3:])  # the question by which the model of a reading was chosen
    for key in loc:
        if (isinstance(value, dict) and key in value) or (
            isinstance(value, list) and isinstance(key, int) and key < len(value)
        ):
            value = value[key]
            path.append(key)
        else:
            missing = str(key)
    return tuple(path), value, missing


def _where(path: Iterable[Any]) -> str:
    return ".".join(str(key) for key in path) or "the file"


def _name_type(path: tuple[Any, ...], types: list[str], given: Any) -> str:
    """Say which type is wanted, and how what stands there is written as one, where that is easily told."""
    if path[-2:-1] == ("objectives",) and path[-1] in _OBJECTIVE:
        return f"an objective has a name, and {path[-1]!r} stands below it, {_MAPS['objectives']}"
    is_expression = {"a text", "a whole number", "true or false"} <= set(types)
    wanted = "an expression is wanted" if is_expression else f"{' or '.join(types)} is wanted"
    if path and path[-1] in _MAPS:
        wanted = f"{wanted}, {_MAPS[path[-1]]}"
    is_text = isinstance(given, str)
    if "a list" in types and not isinstance(given, dict):
        if is_text and given.startswith("["):
            return f"{wanted}: leave the quotes out"
        return f"{wanted}, such as [{str(given)[:60]}]"
    if "a text" in types and isinstance(given, int):
        return f'{wanted}: put it in quotes, "{given}"'
    if "a text" in types:
        return f"{wanted}, not a {'map' if isinstance(given, dict) else 'list'}{QUOTE}"
    if "a whole number" in types and is_text and given.isdecimal():
        return f"{wanted}: leave the quotes out"
    return f"{wanted}, not {'a list' if isinstance(given, list) else repr(str(given)[:60])}"


def _name_fault(document: Document, item: Any) -> Problem:
    path, value, missing = _find_path(document.value, item["loc"])
    kind, message, context = item["type"], item["msg"], item.get("ctx", {})
    where, given = _where(path), repr(str(item["input"])[:60])
    if kind == "missing":
        message = f"{missing!r} is missing from {where}{_near(missing, value)}"
    elif kind == "extra_forbidden":
        owners = find_owners(str(path[-1]))
        hint = f": it is a key of {', '.join(owners)}" if owners else suggest(str(path[-1]), known_keys())
        return document.key_problem(path, f"{path[-1]!r} is not a key here{hint}")
    elif kind == "union_tag_not_found":
        near = next((hint for question in QUESTIONS if (hint := _near(question, value))), "")
        message = f"{where} asks nothing: a reading has one of {', '.join(QUESTIONS)}{near}"
    elif kind == "literal_error":
        known = str(context["expected"])
        message = f"{where}: {known} is wanted, not {given}{suggest(str(item['input']), _QUOTED.findall(known))}"
    elif kind == "string_pattern_mismatch":
        message = f"{where}: {_name_pattern(context['pattern'])}, not {given}"
    elif kind in ("string_too_short", "string_too_long"):
        bound = context.get("min_length", context.get("max_length"))
        limit = "at least" if kind == "string_too_short" else "at most"
        message = f"{where}: {limit} {bound} characters are wanted, not {len(str(item['input']))}"
    elif kind in ("greater_than_equal", "less_than_equal"):
        limit = f"from {context['ge']} on" if "ge" in context else f"up to {context['le']}"
        message = f"{where}: a number {limit} is wanted, not {given}"
    elif kind == "too_short":
        message = f"{where} is empty"
    elif kind == "too_long" and path[-1] == "objectives":
        message = "'can' asks one thing: ask each in a reading of its own, and join these by 'joins'"
    elif kind == "too_long":
        message = f"{where} has more than {context['max_length']} items"
    elif kind == "value_error" and isinstance(item["input"], dict):
        message = message.removeprefix("Value error, ")
        named = next((name for name in _QUOTED.findall(message) if name in item["input"]), None)
        if named is not None:
            return document.key_problem((*path, named), f"{where}: {message}")
        message = f"{where}: {message}"
    else:
        message = f"{where}: {message.removeprefix('Value error, ')}, not {given}"
    return document.problem(path, message)


def _name_pattern(pattern: str) -> str:
    """Say what a text looks like that fits a pattern of the model."""
    if "/" in pattern:
        return "a reading is named CLAIM/READING"
    return "an id is words of small letters and digits, joined by '-'" if "-" in pattern else "a name of Coq is wanted"


def _near(key: str, value: Any) -> str:
    """Say which key that stands there may be meant for one that is missing."""
    odd = [other for other in value if other not in known_keys()] if isinstance(value, dict) else []
    near = difflib.get_close_matches(key, odd, 1, 0.7)
    return f": is it meant by {near[0]!r}?" if near else ""
