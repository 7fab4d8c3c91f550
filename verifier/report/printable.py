"""Makes text from files safe for a terminal. Ledgers, specs, certificates and file names may contain anything."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

_COMMAND = re.compile(r"^([^\S\n]*):(?=:)|#(?=#\w*\[)()", re.MULTILINE)
"""The beginnings of commands that a CI runner would obey in the output of a step. GitHub Actions obeys ``::`` at the
start of a line, and ``##[`` anywhere. Other runners obey ``##`` that is followed by a word and ``[``. A match is the
first character of a command, with the blanks before it."""

_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Characters that Python calls printable, although they show nothing: Unicode's default ignorable characters, and the
Braille sign without dots. With them, two different names could look the same."""


def make_printable(text: object) -> str:
    r"""Return a text on one line that cannot move the cursor, or hide, colour or reorder other text.

    Control characters (also line ends), characters that show nothing, and marks that change the direction of writing
    are replaced by their numbers in Unicode, such as ``\x1b``. A backslash breaks up text that GitHub Actions would
    obey as a command.

    >>> make_printable("proved\x1b[2K\n\u202eb")
    'proved\\x1b[2K\\n\\u202eb'
    >>> make_printable("::error::no"), make_printable("a::b")
    ('\\::error::no', 'a::b')
    """
    whole = str(text)
    if not whole.isprintable() or _BLANK.search(whole):
        whole = "".join(c if _is_shown(c) or c == "\u00a0" else _number(c) for c in whole)
    return _break_up(whole, lambda sign: f"{sign}\\" if sign == "#" else f"\\{sign}")


def escape_markdown(text: str) -> str:
    """Return a text, made printable, with a backslash before each sign that means something in Markdown."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", make_printable(text))


def make_lines_printable(text: str) -> str:
    """Return a text of several lines; each line is made printable."""
    return "\n".join(map(make_printable, text.split("\n")))


def make_texts_printable(value: Any) -> Any:
    """Return JSON data in which every text is made printable."""
    match value:
        case str():
            return make_lines_printable(value)
        case dict():
            return {make_lines_printable(key): make_texts_printable(item) for key, item in value.items()}
        case list() | tuple():
            return [make_texts_printable(item) for item in value]
    return value


def label_printably(graph: Any) -> None:
    """Make the texts of a graph's nodes and edges printable, such as titles of claims. This changes the graph.

    Labels keep their line ends. In a mapping from names to numbers, the names are made printable.
    """
    for *_, data in [*graph.nodes(data=True), *graph.edges(data=True)]:
        for key, value in data.items():
            if isinstance(value, str):
                data[key] = make_lines_printable(value) if key == "label" else make_printable(value)
            elif isinstance(value, dict):
                data[key] = {make_printable(n) if isinstance(n, str) else n: count for n, count in value.items()}


def flatten(text: str) -> str:
    """Return a text with a single space between its words."""
    return " ".join(text.split())


def _is_shown(character: str) -> bool:
    return character.isprintable() and not _BLANK.match(character)


def _number(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _break_up(text: str, replace: Callable[[str], str]) -> str:
    """Replace one sign in each command that a CI runner would obey. The runner then takes it for other text."""
    return _COMMAND.sub(lambda found: (found[1] or "") + replace(found[0].strip()), text)


def show_unprintable(text: str) -> str:
    """Put numbers in place of characters that a terminal could obey or would not show; keep line ends.

    Every report goes through this function as a whole, even if its parts were made printable before.
    """
    return _replace_unprintable(text, _number)


def escape_for_programs(text: str, escape: Callable[[str], str]) -> str:
    """Escape what a terminal or a CI runner could obey or would not show; keep line ends.

    Args:
        text: a text in a format for programs, such as JSON or XML.
        escape: returns how the format writes a character.
    """
    return _break_up(_replace_unprintable(text, escape), escape)


def _replace_unprintable(text: str, replace: Callable[[str], str]) -> str:
    for character in sorted(set(text)):
        if not _is_shown(character) and character not in "\n\u00a0":
            text = text.replace(character, replace(character))
    return text


def dump_json(value: Any) -> str:
    """Return JSON with line breaks, for people. Characters that cannot be seen are replaced by their numbers."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    return escape_for_programs(text, _number_in_json) + "\n"


def _number_in_json(character: str) -> str:
    return "\\u0023" if character == "#" else json.dumps(character)[1:-1]
