"""Where the formal text departs from a document's: the notes of ``DIVERGENCES.md``, each beside its claims.

A note is an item of a list or a row of a table. It is about the claims that it names in backticks (a claim, one of its
readings, or ``start-*``), and about those that it calls as their document does, by a word and a number: “Lemma 2”.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from markupsafe import Markup

FILE = "DIVERGENCES.md"


def read_lines(specs: pathlib.Path) -> list[str]:
    """Return the lines of the notes of a folder of specs; others are about other documents."""
    path = specs / FILE
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def place_notes(lines: Iterable[str], labels: Mapping[str, str]) -> dict[str, list[Markup]]:
    """Return the notes about each claim, in the order of the file; under the empty name those about none.

    Args:
        lines: the file's.
        labels: what the document of each claim calls it.
    """
    placed: dict[str, list[Markup]] = {}
    for note in _read_notes(lines):
        about = [name for name in labels if _is_about(note, name, labels[name])]
        for name in about or [""]:
            placed.setdefault(name, []).append(_mark_up(note, labels))
    return placed


def _read_notes(lines: Iterable[str]) -> list[str]:
    notes: list[str] = []
    head: Sequence[str] = ()
    is_open = False
    for line in lines:
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if line.startswith("- "):
            notes.append(line[2:].strip())
        elif line.startswith("  ") and is_open:
            notes[-1] += " " + line.strip()
        elif line.startswith("|") and not head:
            head = cells
        elif line.startswith("|") and not set(line) <= set("|- "):
            said = (f"{name}: {cell}" for name, cell in zip(head[1:], cells[1:], strict=False))
            notes.append(f"{cells[0]}. {'; '.join(said)}.")
        is_open = line.startswith(("- ", "  "))
        head = head if line.startswith("|") else ()
    return notes


def _is_about(note: str, name: str, label: str) -> bool:
    named = (found.partition("/")[0] for found in re.findall(r"`([^`]+)`", note))
    is_named = any(name == found or (found.endswith("*") and name.startswith(found[:-1])) for found in named)
    said = re.sub(r"Lemmas (\d+) and (\d+)", r"Lemma \1 and Lemma \2", note)
    return is_named or (label[-1:].isdigit() and bool(re.search(rf"\b{re.escape(label)}(?!\w)", said)))


def _mark_up(note: str, known: Iterable[str]) -> Markup:
    def code(found: re.Match[str]) -> str:
        text, name = found[1], found[1].partition("/")[0]
        return f'<a href="#claim-{name}">{text}</a>' if name in known else f"<code>{text}</code>"

    text = re.sub(r"\*([^*`]+)\*", r"<em>\1</em>", escape(note))
    return Markup(re.sub(r"`([^`]+)`", code, text))  # noqa: S704 - escaped above
