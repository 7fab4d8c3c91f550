"""Specs that are made in Python, and not read from files.

This module turns them into YAML text. The text is then read like a file, with the same checks and messages.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from verifier.files import MAX_SPEC_BYTES
from verifier.kernel.errors import UsageError
from verifier.language.loader import MAX_SPEC_DEPTH, Document, KeyPath, parse_document
from verifier.language.model import find_file_kind
from verifier.language.problem import Problem, SpecProblemsError

_SPECIAL = re.compile(r"(?is)y|n|yes|no|on|off|true|false|[-+]?[0-9].*")
"""Texts that some YAML parsers read as booleans or numbers."""


@dataclass(frozen=True, slots=True, repr=False)
class SpecText:
    """A spec that is made in Python: the text that a file would have. ``print`` prints this text.

    Attributes:
        file: the kind and the id, such as ``rules nim``. Messages have this text in place of the name of a file.
        text: the spec, as YAML.
        is_keyed: True if the spec was made from Python values. Then messages name keys, and not lines.
        parts: other specs that are values in this spec, and the parts of these specs.
    """

    file: str
    text: str
    is_keyed: bool = False
    parts: tuple[SpecText, ...] = ()

    @property
    def name(self) -> str:
        """The id."""
        return self.file.partition(" ")[2]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.file}>"


def read_made(spec: SpecText) -> Document:
    """Parse the text of a spec. Faults are added to ``Document.problems``, and not raised."""
    document = Document(spec.file, text=spec.text, is_keyed=spec.is_keyed)
    if len(spec.text.encode("utf-8", "replace")) > MAX_SPEC_BYTES:
        text = f"is larger than {MAX_SPEC_BYTES:,} bytes: split it into several files"
        document.problems.append(document.problem((), text))
    else:
        parse_document(spec.text, document)
    return document


def list_parts(specs: SpecText | Iterable[SpecText]) -> tuple[SpecText, ...]:
    """Return the given specs and all their parts, each once.

    Raises:
        UsageError: a value is not a spec.
    """
    found: dict[SpecText, None] = {}
    for spec in specs if isinstance(specs, Iterable) else [specs]:
        if not isinstance(spec, SpecText):
            raise UsageError(f"expected a spec from verifier.rules, .claim or .strategy, not {str(spec)[:60]!r}")
        found |= dict.fromkeys((*list_parts(spec.parts), spec))
    return tuple(found)


def parse_given(text: str) -> SpecText:
    """Return the spec in a YAML text."""
    return SpecText(_name_file(read_made(SpecText("", text)).value), text)


def write_given(value: Mapping[str, Any]) -> SpecText:
    """Return the spec that Python values describe. If a value is another spec, the YAML text has that spec's id.

    Raises:
        SpecProblemsError: a value has a type that specs cannot have.
    """
    parts: list[SpecText] = []
    file = _name_file({str(key): item for key, item in value.items()})
    plain = _plain(value, (), file, parts)
    text = yaml.dump(plain, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**6)
    return SpecText(file, text, is_keyed=True, parts=list_parts(parts))


def _name_file(value: Any) -> str:
    """Return the kind and the id of a spec; ``spec`` if it has none."""
    kind, name = find_file_kind(value) if isinstance(value, Mapping) else ("", "")
    return f"{kind} {name}" if name else "spec"


def _plain(value: Any, path: KeyPath, file: str, parts: list[SpecText]) -> Any:
    """Return ``value`` as dicts, lists, texts, integers, booleans and None. Add the specs in it to ``parts``."""
    if isinstance(value, SpecText):
        parts.append(value)
        return value.name
    if len(path) > MAX_SPEC_DEPTH:
        return ""  # nested too deeply: the parser refuses a list or a map around this value, and never reads the value
    if isinstance(value, str | float):
        return str(value)  # a float is a move such as 4.4: text, as in a file
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list | tuple | range):
        return [_plain(item, (*path, index), file, parts) for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        return {str(key): _plain(item, (*path, str(key)), file, parts) for key, item in value.items()}
    try:
        return operator.index(value)
    except TypeError:
        text = f"expected text, an integer, true or false, a list or a map, not {type(value).__name__}"
        raise SpecProblemsError([Problem(file, 1, 1, text, key=".".join(map(str, path)))]) from None


class _Dumper(yaml.SafeDumper):
    """Writes plain YAML. Texts that some YAML parsers would read as something else are in quotes."""

    def ignore_aliases(self, data: Any) -> bool:
        """Return True, so that a value that occurs again is written out again."""
        return True

    def write_string(self, text: str) -> yaml.ScalarNode:
        """Return the node of a text."""
        return self.represent_scalar("tag:yaml.org,2002:str", text, '"' if _SPECIAL.fullmatch(text) else None)


_Dumper.add_representer(str, _Dumper.write_string)
