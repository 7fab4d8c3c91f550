"""What a folder of one's own names and does not hold: definitions, strategies and rules that came with the package."""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from verifier.language.loader import Document, load_document
from verifier.language.model import find_kind
from verifier.language.problem import Problem
from verifier.language.templates import write_out

KINDS = ("definitions", "strategy", "rules")
"""The kinds of files that may be borrowed."""

_NAMING = {"includes": "definitions", "strategies": "strategy", "rules": "rules"}
"""The keys below which they are named, and their kinds; below ``like`` it is that of the file."""


def find_borrowed(
    documents: Iterable[Document], shipped: pathlib.Path, own: Iterable[tuple[str, str]]
) -> tuple[list[Document], list[Problem]]:
    """Return the shipped files that some files need, also by way of each other; those of a folder's own go before.

    What is called as a shipped file has to say what that file says: it is a problem if one would be made with a file of
    the folder instead of another shipped one.

    Args:
        documents: the files of the folder.
        shipped: the folder that came with the package.
        own: the kinds and the ids of the files of the folder, also of those that cannot be read.
    """
    known = set(own)
    rest = list(documents)
    replacing = {find_kind(document.value): document for document in rest if isinstance(document.value, dict)}
    found: list[Document] = []
    problems: list[Problem] = []
    met = set[tuple[str, str]]()
    while rest:
        document = rest.pop()
        if document.is_borrowed:
            problems += _changes(document, replacing, load_shipped(shipped))
        kind = find_kind(document.value)[0] if isinstance(document.value, dict) else ""
        named = sorted(set(_named(document.value, {**_NAMING, "like": kind})) - met)
        met.update(named)
        for kind, name in named:
            other = load_shipped(shipped).get((kind, name))
            if other is not None and (kind, name) not in known:
                known.add((kind, name))
                # What is like another one is written out in place.
                found.append(replace(other, value=_copy(other.value), bases=set(other.bases), problems=[]))
                rest.append(other)
    return found, problems


def _changes(
    document: Document, replacing: dict[tuple[str, str], Document], shipped: dict[tuple[str, str], Document]
) -> Iterator[Problem]:
    """Yield a problem for each file of a folder that would change what a shipped one says."""
    kind, name = find_kind(document.value)
    parts = [("definitions", part) for part in document.value.get("includes", [])]
    for part in [*parts, *([(kind, document.value["like"])] if "like" in document.value else [])]:
        other = replacing.get(part)
        if other is not None and part in shipped and not is_same(other, shipped[part]):
            made = f"made with the shipped {part[0]} {part[1]!r}"
            text = f"what the shipped {kind} {name!r} says is {made}, and not with these"
            yield other.problem((part[0],), f"{text}: take another id, or copy {name!r} as well")


def is_same(one: Document, other: Document) -> bool:
    """Say whether two files are the same but for their titles and sources; the order of phases and clauses counts."""
    about = ("title", "source")
    first, second = (
        sorted(json.dumps(item) for item in file.value.items() if item[0] not in about) for file in (one, other)
    )
    return first == second


def _named(value: Any, kinds: Mapping[str, str], kind: str = "") -> Iterator[tuple[str, str]]:
    """Yield what could be kinds and ids of files that a value names: strategies without their phase."""
    if isinstance(value, str):
        if kind in KINDS:
            yield kind, value.partition("#")[0]
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _named(item, kinds, kind or kinds.get(key, ""))
    elif isinstance(value, list):
        for item in value:
            yield from _named(item, kinds, kind)


def _copy(value: Any) -> Any:
    return {key: _copy(item) for key, item in value.items()} if isinstance(value, dict) else value


@functools.cache
def load_shipped(shipped: pathlib.Path) -> dict[tuple[str, str], Document]:
    """Return the shipped files of these kinds that have no fault, by kind and id."""
    paths = sorted(path for home in ("definitions", "strategies", "rules") for path in shipped.rglob(f"{home}/*.yaml"))
    read = [load_document(path, path.relative_to(shipped).as_posix()) for path in paths]
    whole = [replace(document, is_borrowed=True) for found in read for document in write_out(found)]
    return {find_kind(document.value): document for document in whole if not document.problems and document.is_whole}
