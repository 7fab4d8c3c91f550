"""Reads strict YAML, and keeps the place of each value.

A value without quotes is an integer, ``true``, ``false`` or text. (For example, ``4.4`` is text: a move.) These are
errors: anchors, aliases, tags, duplicate keys, empty values, booleans of YAML 1.1 (``on``, ``yes``, …), and numbers
that YAML versions read differently (``017``, ``0x1f``, ``1_000``).
"""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

import yaml

from verifier.files import MAX_SPEC_BYTES, read_start
from verifier.language.problem import Problem, suggest
from verifier.language.syntax import ExpressionError

QUOTE = '; put quotes around text that contains any of , : [ ] { } # & * % @, as in "X[4, 4]"'

DIVERGENCES = "DIVERGENCES.md"
"""A file in a folder of specs. It lists where the specs differ from the documents that they are about."""

MAX_SPEC_DEPTH = 24

KeyPath = tuple[str | int, ...]
"""The path to a value: the keys and list indices that lead to it from the top of its file."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_YAML_1_1_BOOLEAN = re.compile(r"(?i)y|n|yes|no|on|off|true|false")
_QUOTED = ("'", '"', "|", ">")  # the style of a value without quotes is "" in the C loader, None in the Python loader
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,8})")
_DOUBTFUL_NUMBER = re.compile(r"[-+]?(0[0-9_]+|0[xob][0-9a-fA-F_]+|[1-9][0-9]*_[0-9_]*|[0-9]+(:[0-9]+)+|\+[0-9]+)")
_LONG_NUMBER = re.compile(r"-?[1-9][0-9]{9,}")


@dataclass(frozen=True, slots=True)
class Mark:
    """The place where a value starts. Lines and columns are counted from 1.

    Attributes:
        text_offset: the number of quotation marks before the text, 0 or 1.
        is_block: True if the text starts on the next line, after ``|`` or ``>``.
    """

    line: int
    column: int
    text_offset: int = 0
    is_block: bool = False


@dataclass(slots=True)
class Document:
    """A parsed spec file (not the document that the spec is about): its value, and the place of each part of the value.

    Attributes:
        file: the name of the file in messages.
        value: dicts, lists, strings, integers and booleans; None if the file cannot be read, or is not YAML.
        marks: the place of each value.
        keys: the line and column of the key of each value in a map.
        problems: the faults in the YAML, and in the short forms ``for``, ``like`` and ``exactly``.
        is_whole: False if the reader refused the rest of the file, or if ``for`` or ``like`` could not be written out.
            (It stays True if the ``like`` of a reading names no known reading, or is circular.)
        bases: the files from which ``like`` copied something.
        left_out: the cells of the base that these rules lack, because they have ``like`` and their own ``state``. For
            each cell, a text for messages about expressions that use it.
        is_borrowed: True if the file comes from the shipped specs; False if it is in the folder of these specs.
        is_keyed: True if the spec was made from Python values. Then messages name keys, and not lines.
        text: the text of the file. If the file is too large, only its beginning.
    """

    file: str
    value: Any = None
    marks: dict[KeyPath, Mark] = field(default_factory=dict)
    keys: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    is_whole: bool = True
    bases: set[str] = field(default_factory=set)
    left_out: dict[str, str] = field(default_factory=dict)
    is_borrowed: bool = False
    is_keyed: bool = False
    text: str = ""

    def mark(self, path: KeyPath) -> Mark:
        """Return the place of a value; if there is no such value, the place of the closest value around it."""
        while path and path not in self.marks:
            path = path[:-1]
        return self.marks.get(path, Mark(1, 1))

    def say_place(self, path: KeyPath) -> str:
        """Return the file and line of a value, for a message about another value."""
        return f"{self._key(path)} of {self.file}" if self.is_keyed else f"{self.file}:{self.mark(path).line}"

    def _key(self, path: KeyPath) -> str | None:
        """Return the path of a value as text; None if messages name the line instead."""
        return ".".join(map(str, path)) if self.is_keyed else None

    def problem(self, path: KeyPath, message: str, missing: tuple[str, str] | None = None) -> Problem:
        """Return a problem at a value."""
        mark = self.mark(path)
        return Problem(self.file, mark.line, mark.column, message, missing, self._key(path))

    def problem_at(self, line: int, column: int, message: str) -> Problem:
        """Return a problem at a place in the text."""
        found = (path for path, mark in self.marks.items() if (mark.line, mark.column) == (line, column))
        return Problem(self.file, line, column, message, key=self._key(next(found, ())) if self.is_keyed else None)

    def missing(self, path: KeyPath, kind: str, name: str, known: Iterable[str]) -> Problem:
        """Return a problem at a value that names a file which does not exist."""
        return self.problem(path, f"no {kind} {name[:60]!r} in these specs{suggest(name, known)}", (kind, name))

    def copy_places(self, original: KeyPath, copy: KeyPath) -> None:
        """Record that the value at the path ``copy`` has the same place in the file as the value at ``original``.

        Do the same for all parts of the copy. A value that already has a place keeps this place.
        """
        value: Any = self.value
        for key in original:
            value = value.get(key) if isinstance(value, dict) else None
        waiting, values = [(original, copy)], [value]
        places: tuple[dict[KeyPath, Any], ...] = (self.marks, self.keys)
        while waiting:
            (here, there), value = waiting.pop(), values.pop()
            for known in places:
                if here in known:
                    known.setdefault(there, known[here])
            parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
            for key, part in parts:
                waiting.append(((*here, key), (*there, key)))
                values.append(part)

    def key_problem(self, path: KeyPath, message: str) -> Problem:
        """Return a problem at the key of a value."""
        mark = self.mark(path)
        line, column = self.keys.get(path, (mark.line, mark.column))
        return Problem(self.file, line, column, message, key=self._key(path))

    def text_problem(self, path: KeyPath, error: ExpressionError) -> Problem:
        """Return the problem of an expression, at its place inside the text.

        If the text is not in this file, return the problem at the closest value around it.
        """
        if path not in self.marks:
            return self.problem(path, str(error))
        mark = self.mark(path)
        line, column = mark.line, mark.column + mark.text_offset + error.offset
        if mark.is_block:
            line, column = mark.line + error.line, error.offset + 1
        return Problem(self.file, line, column, str(error), key=self._key(path))


def load_document(path: pathlib.Path, name: str) -> Document:
    """Read a file. Faults are added to ``Document.problems``, and not raised."""
    document = Document(name)
    document.text, problem = read_text(path, name)
    if problem is not None:
        document.problems.append(problem)
    else:
        parse_document(document.text, document)
    return document


def read_text(path: pathlib.Path, name: str) -> tuple[str, Problem | None]:
    """Return the text of a file, and its problem or None. If the file is too large, return only its beginning."""
    text, line, message = "", 1, ""
    try:
        data = read_start(path, MAX_SPEC_BYTES + 1)
        text = data.decode("utf-8", "replace")
        if len(data) > MAX_SPEC_BYTES:
            message = f"is larger than {MAX_SPEC_BYTES:,} bytes: split it into several files"
        else:
            data.decode("utf-8")
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
    except UnicodeDecodeError as error:
        line, message = error.object[: error.start].count(b"\n") + 1, "is not UTF-8 text"
    return text, Problem(name, line, 1, message) if message else None


def read_divergences(folder: pathlib.Path) -> tuple[str, list[Problem]]:
    """Return the text of the folder's ``DIVERGENCES.md``, empty if there is none, and its problems."""
    path = folder / DIVERGENCES
    if not os.path.lexists(path):
        return "", []
    # The report prints this file. If the file were a link, the report could publish any file of the machine.
    if not pathlib.Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        return "", [Problem(DIVERGENCES, 1, 1, "is a link to a file outside this folder: put a copy of the text here")]
    text, problem = read_text(path, DIVERGENCES)
    return ("", [problem]) if problem is not None else (text.rstrip(), [])


def parse_document(text: str, document: Document) -> None:
    """Parse YAML text, and fill ``document`` with the result. Faults are added to ``Document.problems``."""
    line, column, message = 1, 1, ""
    try:
        _Reader(document, yaml.parse(text, Loader=_Loader)).read()
    except _Stopped:
        document.is_whole = False
        return
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        near = text.splitlines()[line - 1 : line]
        is_nested = "mapping values" in (error.problem or "")
        hint = QUOTE if is_nested or set("[]{}*&%@#") & set("".join(near)) else ""
        hint += "; or indent this line like its neighbours" if is_nested else ""
        message = f"not YAML: {error.problem or error.context}{hint}"
    except (yaml.YAMLError, ValueError) as error:
        message = f"not YAML: {str(error).splitlines()[0]}"
    if message:
        document.value = None
    elif document.value is None and not document.problems:
        message = "is empty: expected a claim, a strategy or another spec"
    if message:
        document.problems.append(document.problem_at(line, column, message))


class _Stopped(Exception):  # noqa: N818 - not an error: ``stop`` has already added the problem
    """Raised to stop reading a file."""


@dataclass(frozen=True, slots=True)
class _Reader:
    """Builds the value of one document from YAML events. All methods modify the document in place."""

    # PyYAML's own loader would build values of any depth. A reader of PyYAML's events can stop at MAX_SPEC_DEPTH.

    document: Document
    events: Iterator[yaml.Event]

    def read(self) -> None:
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.stop(event, "a second YAML document: write each spec in a file of its own")
            elif isinstance(event, yaml.NodeEvent):
                self.node(event, (), partial(setattr, self.document, "value"))

    def node(self, event: yaml.Event, path: KeyPath, store: Callable[[Any], None], *, in_braces: bool = False) -> None:
        """Read a value and store it."""
        # A list or a map is stored before its items are read, so that it is kept if reading stops.
        self.require_plain(event)
        style = getattr(event, "style", None)
        mark = Mark(*_start(event), 1 if style in ("'", '"') else 0, style in ("|", ">"))
        self.document.marks.setdefault(path, mark)
        if isinstance(event, yaml.ScalarEvent):
            store(self.scalar(event, path, in_braces=in_braces))
            return
        if len(path) >= MAX_SPEC_DEPTH:
            self.stop(event, f"lists and maps are nested more than {MAX_SPEC_DEPTH} levels deep")
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Any] = []
            store(items)
            for inner in self.members():
                self.node(inner, (*path, len(items)), items.append)
            return
        entries: dict[str, Any] = {}
        store(entries)
        for inner in self.members():
            key = self.key(inner, path, entries)
            put = partial(entries.__setitem__, key)
            self.node(next(self.events), (*path, key), put, in_braces=bool(getattr(event, "flow_style", False)))

    def members(self) -> Iterator[yaml.Event]:
        """Yield the events up to the end of a list or a map."""
        while not isinstance(event := next(self.events), yaml.CollectionEndEvent):
            yield event

    def require_plain(self, event: yaml.Event) -> None:
        """Refuse aliases, anchors and tags."""
        if isinstance(event, yaml.AliasEvent):
            self.stop(event, "aliases (*name) are not allowed: write the value out")
        if getattr(event, "anchor", None) is not None:
            self.stop(event, "anchors (&name) are not allowed: write the value out where it is used")
        tag = getattr(event, "tag", None)
        if tag not in (None, "!"):
            self.stop(event, f"tags are not allowed: remove {tag.replace('tag:yaml.org,2002:', '!!')}")

    def key(self, event: yaml.Event, path: KeyPath, entries: dict[str, Any]) -> str:
        self.require_plain(event)
        if not isinstance(event, yaml.ScalarEvent):
            self.stop(event, "a key must be text, not a list or a map")
        key: str = event.value
        if key in entries:
            self.refuse(event, f"the key {key!r} appears twice")
        if event.style not in _QUOTED and _YAML_1_1_BOOLEAN.fullmatch(key):
            self.refuse(event, f"the key {key!r} is a boolean to some YAML parsers: put quotes around it")
        self.document.keys[*path, key] = _start(event)
        return key

    def scalar(self, event: yaml.ScalarEvent, path: KeyPath, *, in_braces: bool) -> Any:
        text: str = event.value
        if event.style in _QUOTED:
            return text
        if text in ("true", "false"):
            return text == "true"
        if not text and in_braces:
            after = f"{str(path[-1])[:40]!r} has no value: inside {{ }} a comma ends a value"
            self.document.problems.append(
                self.document.key_problem(path, f'{after}, unless the whole value is in quotes: "one, two"')
            )
        elif text in ("", "~", "null", "Null", "NULL"):
            self.refuse(event, "empty value: remove the key, or give it a value")
            return ""
        elif _YAML_1_1_BOOLEAN.fullmatch(text):
            why = "is a boolean to some YAML parsers and text to others: write true or false, or put quotes around it"
            self.refuse(event, f"{text!r} {why}")
        elif _DOUBTFUL_NUMBER.fullmatch(text):
            why = "is read differently by YAML versions: write a plain decimal number, or put quotes around it"
            self.refuse(event, f"{text[:30]!r} {why}")
        elif _LONG_NUMBER.fullmatch(text):
            self.refuse(event, f"{text[:30]!r} is too large: a number can have at most 9 digits")
        elif _INTEGER.fullmatch(text):
            return int(text)
        return text

    def refuse(self, event: yaml.Event, message: str) -> None:
        self.document.problems.append(self.document.problem_at(*_start(event), message))

    def stop(self, event: yaml.Event, message: str) -> NoReturn:
        self.refuse(event, message)
        raise _Stopped


def _start(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)
