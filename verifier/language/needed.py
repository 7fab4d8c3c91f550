"""Finds the files that some claims need, so that the other files of a folder need not be parsed.

The *head* of a file, normally its first line, says its kind and its id. Heads are read anew in each run. If only a
parser can tell what a file defines, the file is always parsed.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.files import paths_below
from verifier.language.loader import Document, parse_document
from verifier.language.model import FILE_KINDS, find_file_kind
from verifier.language.spec import find_named
from verifier.language.templates import write_out

Name = tuple[str, str]
"""The *name* of a file: its kind and its id."""

_HEAD = re.compile(rf"(?: *(?:#.*)?\n)*({'|'.join(FILE_KINDS)}): ([\x22']?)([a-z0-9{{}}_.-]+)\2\n")
_KIND = re.compile(rf"^({'|'.join(FILE_KINDS)}) *:", re.MULTILINE)
_ODD = re.compile(r"^[^a-z#\s]", re.MULTILINE)
"""The start of a line that may have a key in quotes, or may continue the text of the line before."""
_VARIABLE = re.compile(r"\\\{.*?\\\}")


def read_head(text: str) -> Name | None:
    """Return the kind and id (perhaps with variables) that a file defines; None if only a parser can tell.

    If the file has a fault, the answer can be wrong.
    """
    match = _HEAD.match(text)
    if match is None or _ODD.search(text):
        return None
    kind, _, name = match.groups()
    # Claims and strategies may also have the key 'rules'. If the text has the key of yet another kind, the file may be
    # of that kind, or may have a fault: only a parser can tell.
    return (kind, name) if {*_KIND.findall(text)} <= {kind, "rules"} else None


@dataclass(slots=True)
class Files:
    """The files of a folder: their texts, and the files parsed so far.

    Attributes:
        texts: the text of each file, in the order of file names.
        heads: the files that define each name.
        families: the files that define several names. Each entry is the kind, a pattern for the ids, and the file.
        parsed: for each parsed file, the documents that it stands for. There can be several if its id has variables
            (``templates``).
        names: the names that the parsed files need.
        is_borrowing: True if the parsed files need shipped files.
    """

    texts: Mapping[str, str]
    heads: dict[Name, list[str]] = field(default_factory=dict)
    families: list[tuple[str, re.Pattern[str], str]] = field(default_factory=list)
    parsed: dict[str, list[Document]] = field(default_factory=dict)
    names: list[Name] = field(default_factory=list)
    is_borrowing: bool = False

    def __post_init__(self) -> None:
        """Find out which names each file defines: read its head or, if only a parser can tell, parse the file."""
        for file, text in self.texts.items():
            head = read_head(text)
            if head is not None and "{" in head[1]:
                self.families.append((head[0], re.compile(_VARIABLE.sub(".*", re.escape(head[1]))), file))
            for name in self.parse(file) if head is None else [head]:
                self.heads.setdefault(name, []).append(file)

    def find(self, name: Name) -> list[str]:
        """Return the files that may define a name. If two files define it, which is a fault, return both."""
        families = (file for kind, ids, file in self.families if kind == name[0] and ids.fullmatch(name[1]))
        return [*self.heads.get(name, ()), *families]

    def is_unread(self, name: Name) -> bool:
        """Return True if a file that was not parsed may define a name."""
        return any(file not in self.parsed for file in self.find(name))

    def parse(self, file: str) -> list[Name]:
        """Parse a file if it is not parsed yet, and add the names that it needs. Return the names that it defines."""
        if file not in self.parsed:
            document = Document(file, text=self.texts[file])
            parse_document(document.text, document)
            self.parsed[file] = write_out(document)
            self.names += (name for item in self._values(file) for name in list_needed(item))
        return [find_file_kind(value) for value in self._values(file)]

    def _values(self, file: str) -> list[dict[str, Any]]:
        return [item.value for item in self.parsed[file] if isinstance(item.value, dict)]

    def parse_needed(
        self, wanted: Iterable[str], folder: pathlib.Path, load_shipped: Callable[[], Mapping[Name, Document]]
    ) -> bool:
        """Parse the files that the wanted claims and folders need.

        If a folder has claims of a document's headline (its main claims), the rest of the headline is needed, and
        so are the claims that the errata name in ``beyond``.

        Returns:
            False if a wanted claim or folder does not exist, or if a needed file is neither here nor shipped.
        """
        below = set[Name]()
        for word in wanted:
            named = self.find(("claim", word))
            files = named or self._find_below([word.rstrip("/"), *paths_below(word, folder)])
            defined = [name for file in files for name in self.parse(file)]
            if ("claim", word) not in defined and (not files or named):
                return False
            below |= set() if named else set(defined)
        has_documents = any(kind == "document" for kind, _ in self.heads)
        met = set[Name]()
        for name in self.names:  # parsing adds names
            if name in met:
                continue
            met.add(name)
            files = self.find(name)
            for file in files:
                self.parse(file)
            if name[0] == "document":
                headline = self._list_claims(files, "headline")
                beyond = self._list_claims(self.find(("errata", name[1])), "beyond")
                self.names += [] if below.isdisjoint(headline) else headline + beyond
            if not files and name[0] in ("rules", "definitions", "strategy") and name in load_shipped():
                self.is_borrowing = True
                needed = list_needed(load_shipped()[name].value)
                self.names += (item for item in needed if item[0] in ("rules", "definitions", "strategy"))
            elif not files and name[0] not in ("errata", "coverage") and (name[0] != "document" or has_documents):
                return False
        return True

    def _list_claims(self, files: Iterable[str], key: str) -> list[Name]:
        """Return the claims that some files name in a list or a map. ``key`` is the key of this list or map."""
        for file in files:
            self.parse(file)
        lists = [value.get(key) for file in files for value in self._values(file)]
        return [("claim", name) for names in lists if isinstance(names, list | dict) for name in names]

    def _find_below(self, paths: list[str]) -> list[str]:
        """Return all files below some folders; an empty list if none of these files defines a claim."""
        below = [file for file in self.texts if any(path == "." or file.startswith(f"{path}/") for path in paths)]
        claims = {file for (kind, _), files in self.heads.items() if kind == "claim" for file in files}
        return [] if claims.isdisjoint(below) else below


def list_needed(value: Any) -> Iterator[Name]:
    """Yield the names that a file needs, including the names after ``like``.

    Files of the kinds ``document``, ``coverage`` and ``errata`` need no other files.
    """
    kind, _ = find_file_kind(value)
    if kind in ("document", "coverage", "errata"):
        return
    for _, other, named in find_named(value):
        yield other, named
        if other == "document":
            yield "errata", named  # the errata file says how severe the faults of a claim are
            yield "coverage", named  # the coverage file says how much of the document was read
    if kind == "claim":
        readings = value.get("readings")
        own = [item for item in readings.values() if isinstance(item, dict)] if isinstance(readings, dict) else []
        likes = [str(item.get("like", "")) for item in own]
        for like in (str(value.get("like", "")), *(like for like in likes if "/" in like)):
            if like:
                yield "claim", like.partition("/")[0]
