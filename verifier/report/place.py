"""Where claims and readings stand in the spec files, for formats that point at them."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass

from verifier.report.registry import Report

MOST_COLUMNS = 100
"""So much of a line is shown."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a spec.

    Attributes:
        file: its path, with slashes, from the root of the repository that holds the specs; where there is none, from
            the folder around the specs.
        line, column: counted from 1, columns in characters.
    """

    file: str
    line: int
    column: int


def find_place(report: Report, claim: str, reading: str | None = None) -> Place:
    """Return where a reading stands, or a claim."""
    document = report.library.claims[claim].document
    line, column = document.keys.get(("claim",) if reading is None else ("readings", reading), (1, 1))
    specs = report.specs.resolve()
    return Place((specs / document.file).relative_to(_find_root(specs)).as_posix(), line, column)


def point_at(report: Report, claim: str, place: Place) -> list[str]:
    """Return the line of a claim's file that a place is in, as it was read, and below it a caret."""
    line = report.library.claims[claim].document.text.splitlines()[place.line - 1]
    indent = len(line) - len(line.lstrip())
    return [line[indent:][:MOST_COLUMNS], " " * (place.column - 1 - indent) + "^"]


def _find_root(specs: pathlib.Path) -> pathlib.Path:
    return next((folder for folder in (specs, *specs.parents) if (folder / ".git").exists()), specs.parent)
