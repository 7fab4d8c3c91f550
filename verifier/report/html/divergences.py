"""Where the formal text departs from a document's: the notes of ``DIVERGENCES.md``, each beside its claims.

A note is an item of a list or a row of a table. It is about the claims that it names in backticks (a claim, one of its
readings, or ``start-*``), and about those that it calls as their document does, by a word and a number: “Lemma 2”.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape

from markupsafe import Markup

FILE = "DIVERGENCES.md"


def read_lines(specs: pathlib.Path) -> list[str]:
    """Return the lines of the notes of a folder of specs; others are about other documents."""
    path = specs / FILE
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def place_notes(lines: Iterable[str], labels: Mapping[str, str]) -> dict[str, list[Markup]]:
    """Return the notes about each claim, in the order of the file; labels are what documents call their claims."""
    placed: dict[str, list[Markup]] = {}
    for note in _read_notes(lines):
        for name in _find_claims(note, labels):
            placed.setdefault(name, []).append(_mark_up(note, labels))
    return placed


def list_others(lines: Iterable[str], labels: Mapping[str, str], own: Collection[str]) -> list[Markup]:
    """Return the notes about no claim, of those parts of the file that are about the documents of a report.

    A part that names claims, but none of the documents' own, is about other documents.
    """
    found: list[Markup] = []
    parts: list[list[str]] = [[]]
    for line in lines:
        parts += [[]] if line.startswith("#") else []
        parts[-1].append(line)
    for part in parts:
        notes = {note: _find_claims(note, labels) for note in _read_notes(part)}
        named = {name for about in notes.values() for name in about}
        if not named or not named.isdisjoint(own):
            found += [_mark_up(note, ()) for note, about in notes.items() if not about]
    return found


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


def _find_claims(note: str, labels: Mapping[str, str]) -> list[str]:
    named = [found.partition("/")[0] for found in re.findall(r"`([^`]+)`", note)]
    said = re.sub(r"Lemmas (\d+) and (\d+)", r"Lemma \1 and Lemma \2", note)

    def is_about(name: str, label: str) -> bool:
        is_named = any(name == found or (found.endswith("*") and name.startswith(found[:-1])) for found in named)
        return is_named or (label[-1:].isdigit() and bool(re.search(rf"\b{re.escape(label)}(?!\w)", said)))

    return [name for name, label in labels.items() if is_about(name, label)]


def _mark_up(note: str, known: Iterable[str]) -> Markup:
    def code(found: re.Match[str]) -> str:
        text, name = found[1], found[1].partition("/")[0]
        return f'<a href="#claim-{name}">{text}</a>' if name in known else f"<code>{text}</code>"

    text = re.sub(r"\*\*([^*`]+)\*\*", r"<strong>\1</strong>", escape(note))
    text = re.sub(r"\*([^*`]+)\*", r"<em>\1</em>", text)
    return Markup(re.sub(r"`([^`]+)`", code, text))  # noqa: S704 - escaped above
