"""Text from elsewhere, made fit for a terminal: ledgers, specs, certificates and file names may hold anything."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

_COMMAND = re.compile(r"^([^\S\n]*):(?=:)|#(?=#\w*\[)()", re.MULTILINE)
"""The signs before the last ones by which a CI runner knows a command in the output of a step: GitHub Actions at the
first ``::`` of a line, or ``##[`` anywhere; others at ``##``, a word and ``[``."""

_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters, signs and marks that show nothing, though Python calls them printable: Unicode's default ignorable ones, and
the Braille sign without dots. With them names that differ would look the same."""


def make_printable(text: object) -> str:
    r"""Return a text on one line, in which nothing moves the cursor, hides, colours or reorders what is beside it.

    Control characters, line ends among them, and what shows nothing, such as the marks that turn the direction of
    writing, stand as their numbers. What GitHub Actions would take for a command is broken up.

    >>> make_printable("proved\x1b[2K\n\u202eb")
    'proved\\x1b[2K\\n\\u202eb'
    >>> make_printable("::error::no"), make_printable("a::b")
    ('\\::error::no', 'a::b')
    """
    whole = str(text)
    if not whole.isprintable() or _BLANK.search(whole):
        whole = "".join(c if _is_shown(c) or c == "\u00a0" else _number(c) for c in whole)
    return _break_up(whole, lambda sign: f"{sign}\\" if sign == "#" else f"\\{sign}")


def make_lines_printable(text: str) -> str:
    """Return a text of several lines, each of them made printable."""
    return "\n".join(map(make_printable, text.split("\n")))


def make_texts_printable(value: Any) -> Any:
    """Return JSON data with each text in it made printable: whoever shows it has no number in place of a sign."""
    match value:
        case str():
            return make_lines_printable(value)
        case dict():
            return {make_lines_printable(key): make_texts_printable(item) for key, item in value.items()}
        case list() | tuple():
            return [make_texts_printable(item) for item in value]
    return value


def label_printably(graph: Any) -> None:
    """Make printable what a graph says of its nodes, such as titles of claims; this changes the graph in place."""
    for _, data in graph.nodes(data=True):
        data.update({key: make_printable(value) for key, value in data.items() if isinstance(value, str)})


def flatten(text: str) -> str:
    """Return a text with a single space between its words, whatever stood there."""
    return " ".join(text.split())


def _is_shown(character: str) -> bool:
    return character.isprintable() and not _BLANK.match(character)


def _number(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _break_up(text: str, replace: Callable[[str], str]) -> str:
    """Replace a sign of each command that a runner would obey."""
    return _COMMAND.sub(lambda found: (found[1] or "") + replace(found[0].strip()), text)


def show_unprintable(text: str) -> str:
    """Replace what a terminal may obey, or not show, by its number; line ends stay.

    All formats go through this as a whole, whatever their own code has made of the parts.
    """
    return _replace_unprintable(text, _number)


def escape_for_programs(text: str, escape: Callable[[str], str]) -> str:
    """Replace what a terminal or a runner may obey, or not show, by what JSON or XML has for it; line ends stay."""
    return _break_up(_replace_unprintable(text, escape), escape)


def _replace_unprintable(text: str, replace: Callable[[str], str]) -> str:
    for character in sorted(set(text)):
        if not _is_shown(character) and character not in "\n\u00a0":
            text = text.replace(character, replace(character))
    return text


def dump_json(value: Any) -> str:
    """Return JSON that is laid out for people; characters that cannot be seen stand as their numbers."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    return escape_for_programs(text, _number_in_json) + "\n"


def _number_in_json(character: str) -> str:
    return "\\u0023" if character == "#" else json.dumps(character)[1:-1]
