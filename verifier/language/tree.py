"""The values of a spec file as a tree that knows where each was written, and how many there are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from verifier.language.loader import Path

MAX_PARTS = 200_000
"""So many values a file may stand for, all in all; a text counts more the longer it is."""


class TemplateError(Exception):
    """An entry that cannot be written out; the path is where that is said."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True, slots=True)
class Node:
    """A value, where it was written, and how large it is.

    The value is, of a map, nodes by key, each with the path of its key; of a list, nodes.
    """

    path: Path
    value: Any
    size: int = 1


def limited(path: Path, parts: Iterable[Node]) -> tuple[list[Node], int]:
    """Return parts and the size of them all.

    Raises:
        TemplateError: there are too many, which is found before all of them are made.
    """
    found, size = [], 1
    for part in parts:
        found.append(part)
        size += part.size
        if size > MAX_PARTS:
            raise TemplateError(path, f"expands to more than {MAX_PARTS} values")
    return found, size


def plain(node: Node) -> Any:
    """Return a value of a variable as it is put into texts."""
    if isinstance(node.value, dict):
        return {key: plain(item) for key, (_, item) in node.value.items()}
    return [plain(item) for item in node.value] if isinstance(node.value, list) else node.value
