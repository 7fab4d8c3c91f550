"""Finds the places of claims and readings in the spec files, for formats that point at them."""

from __future__ import annotations

import os
import pathlib
import shlex
from dataclasses import dataclass

from verifier.audit.fault import Fault, find_path, shorten_path
from verifier.files import NO_FOLDER, find_own_specs, find_repository, find_shipped
from verifier.questions.result import ReadingResult
from verifier.report.registry import Report


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a spec.

    Attributes:
        path: the path of the file; relative if the file is below the current folder.
        file: the path with slashes, relative to the root of the checkout that has the specs (``_find_root``).
        line, column: counted from 1, columns in characters.
    """

    path: str
    file: str
    line: int
    column: int


def find_place(report: Report, claim: str, reading: str | None = None) -> Place:
    """Return the place of a reading in its spec; without ``reading``, the place of the claim."""
    document = report.library.claims[claim].document
    line, column = document.keys.get(("claim",) if reading is None else ("readings", reading), (1, 1))
    return _place(report, shorten_path(find_path(document.file, report.specs)), line, column)


def place_fault(report: Report, fault: Fault) -> Place | None:
    """Return the place of a fault, or of the first reading that was not checked because of it; else None."""
    if fault.file:
        return _place(report, fault.file, fault.line, fault.column)
    lost = (item.name.partition("/") for item in fault.lost if item.kind == "reading")
    return next((find_place(report, claim, name) for claim, _, name in lost if claim in report.library.claims), None)


def find_unexpected(report: Report) -> dict[tuple[Place, bool], list[ReadingResult]]:
    """Return the verdicts that are not as expected, by place, and by whether the result has ``trouble``.

    Trouble is evidence that was rejected, or two methods that disagree.

    A ``for`` in a spec makes many claims out of one text. Their readings that fail in the same way share a place.
    """
    found: dict[tuple[Place, bool], list[ReadingResult]] = {}
    for result in report.ledger.readings:
        if result.is_unexpected:
            key = find_place(report, result.claim, result.id), bool(result.trouble)
            found.setdefault(key, []).append(result)
    return found


def show_command(report: Report, claim: str, reading: str) -> str:
    """Return the command that shows a claim; for a claim made in Python, the call that draws a reading's witness."""
    if report.known.file_of(claim) in (spec.file for spec in report.made):
        return f"specs.witness('{claim}/{reading}')"
    return f"verifier show {claim}{specs_option(report.specs)}"


def specs_option(specs: pathlib.Path) -> str:
    """Return the option ``--specs`` for a suggested command; empty if the command uses these specs anyway."""
    usual = find_own_specs() or find_shipped("specs")
    return "" if specs.absolute() in (usual, NO_FOLDER) else f" --specs {shlex.quote(shorten_path(specs))}"


def _place(report: Report, path: str, line: int, column: int) -> Place:
    specs, root = report.specs.resolve(), _find_root(report.specs.resolve())
    whole = pathlib.Path(path).absolute()
    if whole.is_relative_to(report.specs.absolute()):
        whole = specs / whole.relative_to(report.specs.absolute())
    # A shipped file can be outside the root.
    file = whole.relative_to(root).as_posix() if whole.is_relative_to(root) else pathlib.PurePath(path).as_posix()
    return Place(path, file, line, column)


def _find_root(specs: pathlib.Path) -> pathlib.Path:
    """Return the root of the checkout that has the specs: the nearest folder with ``.git``, or the runner's workspace.

    If the specs are in neither, return the folder above them.
    """
    # A container or an archive can lack ``.git``, and a folder above the workspace can have one.
    workspace = os.environ.get("GITHUB_WORKSPACE")
    ends = {find_repository(specs), pathlib.Path(workspace).resolve() if workspace else None}
    return next((each for each in (specs, *specs.parents) if each in ends), specs.parent)


def point_at(report: Report, claim: str, place: Place, width: int) -> list[str]:
    """Return two lines, cut to the width: the line at a place of a claim's file, and a caret below the column."""
    line = report.library.claims[claim].document.text.splitlines()[place.line - 1]
    indent = len(line) - len(line.lstrip())
    return [line[indent:][:width], (" " * (place.column - 1 - indent) + "^")[:width]]
