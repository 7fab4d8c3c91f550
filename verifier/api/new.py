"""Makes a new folder for the audit of a document: rules, a strategy, a proved claim, a refuted claim, and a test."""

from __future__ import annotations

import os
import pathlib
import re
import tempfile

from verifier.kernel.errors import UsageError
from verifier.language.loader import Document, parse_document
from verifier.language.shape import ID_PATTERN, MAX_IDENTIFIER

TEMPLATES = pathlib.Path(__file__).parent / "templates"
PLACEHOLDER = "DOCUMENT"
"""In the templates, this word stands for the id of the document."""

_SUFFIXES = (".md", ".py", ".yaml")


def make_folder(folder: pathlib.Path, document: str | None = None) -> list[pathlib.Path]:
    """Make a folder from the templates, and return its files. If this fails, there is no new folder.

    Args:
        folder: the new folder. It must not exist yet.
        document: the id of the document. If it is None, the id is the name of the folder.

    Raises:
        UsageError: the folder exists, its parent is missing or cannot be written to, or the id is not valid.
    """
    target = pathlib.Path(os.path.abspath(folder))
    name = target.name if document is None else document
    if not re.fullmatch(ID_PATTERN, name) or len(name) > MAX_IDENTIFIER:
        raise UsageError(
            f"{name!r} cannot be the id of a document: an id has at most {MAX_IDENTIFIER} characters, and is made of "
            "small letters and digits, with - between words, such as my-paper"
            + ("; give another id with --document" if document is None else "")
        )
    if target.exists() or target.is_symlink():
        raise UsageError(f"{folder} already exists: name a new folder")
    if not target.parent.is_dir():
        raise UsageError(f"cannot make {folder}: the folder {target.parent} does not exist")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise UsageError(f"cannot make {folder}: the folder {target.parent} cannot be written to")
    read = Document("")
    parse_document(name, read)  # ids such as 2024 and no need quotes: YAML does not read them as text
    is_plain = read.value == name and not read.problems
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as place:
        made = pathlib.Path(place) / target.name
        files = [path.relative_to(TEMPLATES) for path in sorted(TEMPLATES.rglob("*")) if path.suffix in _SUFFIXES]
        for path in files:
            written = f'"{name}"' if path.suffix == ".yaml" and not is_plain else name
            text = (TEMPLATES / path).read_text(encoding="utf-8").replace(PLACEHOLDER, written)
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_text(text, encoding="utf-8", newline="\n")
        made.rename(target)
    return [folder / path for path in files]
