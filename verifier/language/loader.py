"""Read strict YAML with line numbers.

Plain scalars are integers, ``true`` and ``false``, or text (``4.4`` is text: a move). Anchors, aliases, tags, duplicate
keys, empty values, the booleans of YAML 1.1 (``on``, ``yes``, …) and numbers that YAML versions read differently
(``017``, ``0x1f``, ``1_000``) are refused. The tree is built from events, so nesting costs no recursion.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from verifier.files import read_start
from verifier.language.problem import Problem, suggest

QUOTE = '; a text in which one of , : [ ] { } # & * % @ stands has to be quoted, as in "X[4, 4]"'

MAX_BYTES = 256 * 1024
MAX_DEPTH = 24

Path = tuple[str | int, ...]
"""Keys and list indices from the top of a document."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_YAML_1_1_BOOLEAN = re.compile(r"(?i)y|n|yes|no|on|off|true|false")
_QUOTED = ("'", '"', "|", ">")  # the C loader writes a plain scalar's style as "", the Python one as None
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,8})")
_DOUBTFUL_NUMBER = re.compile(
    r"[-+]?(0[0-9_]+|0[xob][0-9a-fA-F_]+|[1-9][0-9]*_[0-9_]*|[0-9]+(:[0-9]+)+|\+[0-9]+|[0-9]{10,})"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a value starts, counted from 1, and how many characters of quoting precede a one-line text."""

    line: int
    column: int
    text_offset: int = 0
    is_block: bool = False


@dataclass(slots=True)
class Document:
    """A file's value, with the place of every part of it.

    Attributes:
        file: the name that messages use.
        value: dicts, lists, strings, integers and booleans; None when the file cannot be read.
        marks: the place of each value.
        keys: the line and column of the key of each value in a map.
        problems: what is wrong with the YAML itself.
        is_whole: whether it was read to its end, and everything is written out that stands for several.
        bases: the names of the files that it takes something from, by 'like'.
        is_borrowed: whether it came with the package, and stands in no folder of these specs.
        text: the file as it was read; the file may have changed since.
    """

    file: str
    value: Any = None
    marks: dict[Path, Mark] = field(default_factory=dict)
    keys: dict[Path, tuple[int, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    is_whole: bool = True
    bases: set[str] = field(default_factory=set)
    is_borrowed: bool = False
    text: str = ""

    def problem(self, path: Path, message: str) -> Problem:
        """Return a problem at a value, or at the closest value around it that the file holds."""
        while path and path not in self.marks:
            path = path[:-1]
        mark = self.marks.get(path, Mark(1, 1))
        return Problem(self.file, mark.line, mark.column, message)

    def missing(self, path: Path, kind: str, name: str, known: Iterable[str]) -> Problem:
        """Return the problem that a value names what is not there."""
        found = self.problem(path, f"no {kind} {name[:60]!r} in these specs{suggest(name, known)}")
        return replace(found, missing=(kind, name))

    def copy_places(self, at: Path, to: Path) -> None:
        """Say of what is copied from one place to another where it was written."""
        places: tuple[dict[Path, Any], ...] = (self.marks, self.keys)
        for known in places:
            for where, place in [item for item in known.items() if item[0][: len(at)] == at]:
                known.setdefault((*to, *where[len(at) :]), place)

    def key_problem(self, path: Path, message: str) -> Problem:
        """Return a problem at the key of a value."""
        return Problem(self.file, *self.keys.get(path, (1, 1)), message)

    def text_problem(self, path: Path, line: int, offset: int, message: str) -> Problem:
        """Return a problem inside a text: ``line`` from 1 and ``offset`` from 0, as ``ast`` counts them."""
        mark = self.marks.get(path, Mark(1, 1))
        if mark.is_block:
            return Problem(self.file, mark.line + line, offset + 1, message)
        return Problem(self.file, mark.line, mark.column + mark.text_offset + offset, message)


def load_document(path: pathlib.Path, name: str) -> Document:
    """Read a file; what is wrong is in ``Document.problems``, nothing is raised."""
    document = Document(name)
    try:
        data = read_start(path, MAX_BYTES + 1)
    except OSError as error:
        document.problems.append(Problem(name, 1, 1, f"cannot be read: {error.strerror or error}"))
        return document
    if len(data) > MAX_BYTES:
        document.problems.append(Problem(name, 1, 1, f"is larger than {MAX_BYTES} bytes: a spec is a page or two"))
        return document
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        document.problems.append(Problem(name, line, 1, "is not UTF-8 text"))
        return document
    document.text = text
    parse_document(text, document)
    return document


def parse_document(text: str, document: Document) -> None:
    """Fill a document from YAML text."""
    builder = _Builder(document)
    try:
        for event in yaml.parse(text, Loader=_Loader):
            if not builder.take(event):
                document.is_whole = False
                return
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        near = text.splitlines()[line - 1 : line]
        is_nested = "mapping values" in (error.problem or "")
        hint = QUOTE if is_nested or set("[]{}*&%@#") & set("".join(near)) else ""
        hint += "; or this line is not indented as the lines beside it" if is_nested else ""
        document.problems.append(
            Problem(document.file, line, column, f"not YAML: {error.problem or error.context}{hint}")
        )
        document.value = None
    except (yaml.YAMLError, ValueError) as error:
        document.problems.append(Problem(document.file, 1, 1, f"not YAML: {str(error).splitlines()[0]}"))
        document.value = None
    if document.value is None and not document.problems:
        document.problems.append(
            Problem(document.file, 1, 1, "is empty: a claim, a strategy or definitions are wanted")
        )


@dataclass(slots=True)
class _Frame:
    path: Path
    value: dict[str, Any] | list[Any]
    key: str | None = None
    is_flow: bool = False


class _Builder:
    """Builds the tree of one document; ``take`` returns False when reading on makes no sense."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.stack: list[_Frame] = []
        self.documents = 0

    def take(self, event: yaml.Event) -> bool:
        if isinstance(event, yaml.CollectionEndEvent):
            self.stack.pop()
        elif isinstance(event, yaml.AliasEvent):
            return self.refuse(event, "an alias (*name): write the value out, specs have no aliases")
        elif isinstance(event, yaml.NodeEvent):
            if event.anchor is not None:
                return self.refuse(event, "an anchor (&name): specs have no aliases")
            return self.node(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                return self.refuse(event, "a second document in one file: one claim, one file")
        return True

    def node(self, event: yaml.NodeEvent) -> bool:
        tag = getattr(event, "tag", None)
        if tag not in (None, "!"):
            return self.refuse(event, f"a tag ({tag}): values have the type that they show")
        frame = self.stack[-1] if self.stack else None
        if isinstance(event, yaml.ScalarEvent) and frame and isinstance(frame.value, dict) and frame.key is None:
            self.key(event, frame)
            return True
        if frame and isinstance(frame.value, dict) and frame.key is None:
            return self.refuse(event, "a key is a word, not a list or a map")
        path = self.place(event, frame)
        if isinstance(event, yaml.ScalarEvent):
            self.store(frame, self.scalar(event, frame))
            return True
        if len(self.stack) >= MAX_DEPTH:
            return self.refuse(event, f"is nested deeper than {MAX_DEPTH}")
        value: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        self.store(frame, value)
        self.stack.append(_Frame(path, value, is_flow=bool(getattr(event, "flow_style", False))))
        return True

    def key(self, event: yaml.ScalarEvent, frame: _Frame) -> None:
        if event.value in frame.value:
            self.refuse(event, f"the key {event.value!r} stands twice")
        if event.style not in _QUOTED and _YAML_1_1_BOOLEAN.fullmatch(event.value):
            self.refuse(event, f"the key {event.value!r} is a boolean to some readers: quote it")
        frame.key = event.value
        self.document.keys[*frame.path, event.value] = _start(event)

    def place(self, event: yaml.NodeEvent, frame: _Frame | None) -> Path:
        path: Path = ()
        if frame is not None:
            path = (*frame.path, len(frame.value) if isinstance(frame.value, list) else str(frame.key))
        style = getattr(event, "style", None)
        offset = 1 if style in ("'", '"') else 0
        line, column = _start(event)
        self.document.marks.setdefault(path, Mark(line, column, offset, style in ("|", ">")))
        return path

    def store(self, frame: _Frame | None, value: Any) -> None:
        if frame is None:
            self.document.value = value
        elif isinstance(frame.value, list):
            frame.value.append(value)
        else:
            frame.value[str(frame.key)] = value
            frame.key = None

    def scalar(self, event: yaml.ScalarEvent, frame: _Frame | None) -> Any:
        text: str = event.value
        if event.style in _QUOTED:
            return text
        if text in ("true", "false"):
            return text == "true"
        if not text and frame is not None and frame.is_flow and frame.key is not None:
            after = f"{frame.key[:40]!r} has no value: inside {{ }} a comma ends a value"
            line, column = self.document.keys[*frame.path, frame.key]
            self.document.problems.append(
                Problem(self.document.file, line, column, f'{after}, unless all of it is quoted: "one, two"')
            )
            return ""
        if text in ("", "~", "null", "Null", "NULL"):
            self.refuse(event, "an empty value: leave the key out, or give it a value")
            return ""
        if _YAML_1_1_BOOLEAN.fullmatch(text):
            self.refuse(
                event, f"{text!r} is a boolean to some readers and text to others: write true or false, or quote it"
            )
        elif _DOUBTFUL_NUMBER.fullmatch(text):
            self.refuse(
                event, f"{text[:30]!r} is read differently by YAML versions: write a plain decimal, or quote it"
            )
        elif _INTEGER.fullmatch(text):
            return int(text)
        return text

    def refuse(self, event: yaml.Event, message: str) -> bool:
        self.document.problems.append(Problem(self.document.file, *_start(event), message))
        return False


def _start(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)
