"""The formal content of claims, as their files wrote it when they were read: what a verdict is about, word for word."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verifier.language.loader import Path
from verifier.language.model import DefinitionsFile, StrategyFile
from verifier.language.questions import Reading
from verifier.language.scope import included_specs
from verifier.language.spec import Spec
from verifier.report.registry import Report

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


def strategies_of(reading: Reading) -> list[str]:
    """Return the strategies that a reading names, each once and without its phase."""
    named = getattr(reading, "strategies", None) or {}
    return sorted({name.partition("#")[0] for name in named.values()})


def list_sources(report: Report) -> list[SourceFile]:
    """Return the files of definitions and the strategies that the claims of a report use, also by way of each other."""
    library = report.library
    claims = [library.claim(claim.id) for claim in report.ledger.claims]
    named = {name for claim in claims for reading in claim.readings.values() for name in strategies_of(reading)}
    files = [library.strategies[name] for name in named]
    names = [name for item in (*claims, *(spec.model for spec in files)) for name in item.includes]
    included = included_specs(library, names)
    return [*_view("definitions", library.definitions, included), *_view("strategy", library.strategies, files)]


def _view(kind: str, specs: Mapping[str, Spec], used: Sequence[Spec]) -> Iterator[SourceFile]:
    """Yield those of some specs that are used, and of each other file that one of them is ``like`` the first."""
    bases = {base for spec in used for base in spec.document.bases} - {spec.document.file for spec in used}
    for name, spec in specs.items():
        file = spec.document.file
        is_used = any(spec is other for other in used)
        if (is_used or file in bases) and isinstance(spec.model, DefinitionsFile | StrategyFile):
            bases.discard(file)
            text = "\n".join(spec.document.text.splitlines())
            yield SourceFile(f"{kind}-{name}", kind, name, spec.model.title, file, text)
