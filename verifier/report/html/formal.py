"""The formal content of claims, as their files wrote it when they were read: what a verdict is about, word for word."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from verifier.language.library import Library
from verifier.language.loader import Path
from verifier.language.model import DefinitionsFile, StrategyFile
from verifier.language.spec import Spec

SHARED_KEYS = ("rules", "includes", "define")
"""What the readings of a claim have in common."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of definitions or a strategy, whole."""

    id: str
    kind: str
    name: str
    title: str
    file: str
    text: str


def text_of(spec: Spec, path: Path) -> str:
    """Return the lines of a key and its value, without the indentation that they share; empty without the key."""
    keys, lines = spec.document.keys, spec.document.text.splitlines()
    if path not in keys:
        return ""
    first, column = keys[path]
    after = [line for line, left in keys.values() if line > first and left <= column]
    last = min(after, default=len(lines) + 1)
    return textwrap.dedent("\n".join(lines[first - 1 : last - 1])).rstrip()


def text_shared(spec: Spec) -> str:
    """Return what the readings of a claim have in common."""
    parts = [text_of(spec, (key,)) for key in SHARED_KEYS]
    return "\n".join(part for part in parts if part)


def list_sources(library: Library) -> list[SourceFile]:
    """Return every file of definitions and every strategy."""
    found = []
    for kind, specs in (("definitions", library.definitions), ("strategy", library.strategies)):
        for name, spec in specs.items():
            text = "\n".join(spec.document.text.splitlines())
            if isinstance(spec.model, DefinitionsFile | StrategyFile):
                found.append(SourceFile(f"{kind}-{name}", kind, name, spec.model.title, spec.document.file, text))
    return found
