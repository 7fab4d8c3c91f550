"""What is left of a file with faults of shape, so that the faults behind them are told too.

A part with a fault is left out, with whatever needs it, until the rest has the shape of its kind. Nobody checks the
claims of such a file: only the faults of what is left are of use, but for those that come of leaving something out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from verifier.language.loader import Document, Path
from verifier.language.model import Model
from verifier.language.problem import Problem

MAX_ROUNDS = 20
"""So often something is left out, and what is left is looked at again."""

_BARE = {
    "title": "left out",
    "source": {"document": "x", "place": "x", "says": "left out"},
    "expect": "proved",
}
"""What stands for keys that are missing or at fault, and that say nothing of what a claim states."""
_QUOTED = re.compile(r"'(\w+)'")
_WORD = re.compile(r"[\w-]+")


@dataclass(slots=True)
class Reduced:
    """A file with faults, or the sound part of one.

    Attributes:
        document: the file as it is.
        model: what is left.
        left_out: the paths of what is not.
    """

    document: Document
    model: Model
    left_out: list[Path] = field(default_factory=list)

    def comes_of_it(self, problem: Problem) -> bool:
        """Say whether a fault of the rest may come of what was left out: it names that, or stands where that stood."""
        if ("source",) in self.left_out and problem.missing is not None and problem.missing[0] == "document":
            return True  # of the one that stands for the source
        names = {match[0] for path in self.left_out if (match := _WORD.match(str(path[-1])))}
        around = {path[:depth] for path in self.left_out for depth in range(len(path))}
        places = {(mark.line, mark.column) for path in around if (mark := self.document.marks.get(path))}
        places |= {self.document.keys[path] for path in around if path in self.document.keys}
        is_named = any(re.search(rf"\b{re.escape(name)}\b", problem.message) for name in names)
        return is_named or (problem.line, problem.column) in places


def find_path(value: Any, loc: tuple[Any, ...]) -> tuple[Path, Any, str]:
    """Return the path that a fault's place has in a file, the value there, and the last of the place that is no key."""
    path: list[Any] = []
    missing = ""
    for key in loc:
        if (isinstance(value, dict) and key in value) or (
            isinstance(value, list) and isinstance(key, int) and key < len(value)
        ):
            value = value[key]
            path.append(key)
        else:
            missing = str(key)
    return tuple(path), value, missing


def reduce(document: Document, kind: type[Model]) -> Reduced | None:
    """Return the sound part of a file of a kind; None where nothing is left of it."""
    value = document.value
    left_out: list[Path] = []
    for _ in range(MAX_ROUNDS):
        try:
            return Reduced(document, kind.model_validate(value), left_out)
        except ValidationError as error:
            faults = {_at_fault(value, item) for item in error.errors(include_url=False)}
            tops = {path[0] for path in faults if len(path) == 1}
            if () in faults or tops - _BARE.keys() - _unknown_tops(value, kind):
                return None
            value = _without(value, faults, ())
            left_out += faults
    return None


def _unknown_tops(value: dict[str, Any], kind: type[Model]) -> set[str]:
    """Return the keys of a file that its kind does not know: they can go."""
    known = {field.alias or name for name, field in kind.model_fields.items()}
    return value.keys() - known


def _at_fault(value: Any, item: Any) -> Path:
    """Return the path of what has to go for a fault: a key that is none, a value that is none, what lacks a key.

    A list goes whole: without one of its items the others would have other places.
    """
    path, here, missing = find_path(value, item["loc"])
    if item["type"] == "missing" and missing in _BARE:
        return (*path, missing)
    if item["type"] == "value_error" and isinstance(here, dict):
        path = (*path, *[name for name in _QUOTED.findall(item["msg"]) if name in here][:1])
    while path and isinstance(path[-1], int):
        path = path[:-1]
    return path


def _without(value: Any, faults: set[Path], path: Path) -> Any:
    """Return a value without what stands at some paths."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if (*path, key) not in faults}
        bare = {key: item for key, item in _BARE.items() if (*path, key) in faults}
        return {key: _without(item, faults, (*path, key)) for key, item in kept.items()} | bare
    if isinstance(value, list):
        return [_without(item, faults, (*path, index)) for index, item in enumerate(value)]
    return value
