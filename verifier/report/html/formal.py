"""The formal content of claims, as their files write it: what a verdict is about, word for word."""

from __future__ import annotations

import pathlib
import textwrap
from dataclasses import dataclass

from verifier.language.library import Library, Spec
from verifier.language.loader import Path
from verifier.language.model import DefinitionsFile, StrategyFile
from verifier.language.shipped import find_shipped

SHARED_KEYS = ("rules", "includes", "define", "diagrams")
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


class Texts:
    """The texts of spec files, each read once."""

    def __init__(self, specs: pathlib.Path) -> None:
        self._specs = specs
        self._lines: dict[str, list[str]] = {}

    def lines(self, file: str) -> list[str]:
        """Return a file's lines; none where it is gone."""
        if file not in self._lines:
            folders = [folder for folder in (self._specs, find_shipped("specs")) if folder is not None]
            path = next((folder / file for folder in folders if (folder / file).is_file()), None)
            self._lines[file] = [] if path is None else path.read_text(encoding="utf-8").splitlines()
        return self._lines[file]

    def part(self, spec: Spec, path: Path) -> str:
        """Return the lines of a key and its value, without the indentation that they share; empty without the key."""
        keys = spec.document.keys
        if path not in keys:
            return ""
        first, column = keys[path]
        after = [line for line, left in keys.values() if line > first and left <= column]
        last = min(after, default=len(self.lines(spec.document.file)) + 1)
        lines = self.lines(spec.document.file)[first - 1 : last - 1]
        return textwrap.dedent("\n".join(lines)).rstrip()

    def shared(self, spec: Spec) -> str:
        """Return what the readings of a claim have in common."""
        parts = [self.part(spec, (key,)) for key in SHARED_KEYS]
        return "\n".join(part for part in parts if part)


def list_sources(library: Library, texts: Texts) -> list[SourceFile]:
    """Return every file of definitions and every strategy."""
    found = []
    for kind, specs in (("definitions", library.definitions), ("strategy", library.strategies)):
        for name, spec in specs.items():
            text = "\n".join(texts.lines(spec.document.file))
            if isinstance(spec.model, DefinitionsFile | StrategyFile):
                found.append(SourceFile(f"{kind}-{name}", kind, name, spec.model.title, spec.document.file, text))
    return found
