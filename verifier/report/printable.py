"""Text from elsewhere, made fit for a terminal: ledgers, specs, certificates and file names may hold anything."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

_COMMAND = re.compile(r"^(\s*):(?=:)|##(?=\[)")
"""What a runner of GitHub Actions takes for a command in the output of a step: ``::`` first, or ``##[`` anywhere."""


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
    return _COMMAND.sub(_break_up, whole)


def flatten(text: str) -> str:
    """Return a text with a single space between its words, whatever stood there."""
    return " ".join(text.split())


def _is_shown(character: str) -> bool:
    return character.isprintable() and not _BLANK.match(character)


def _number(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _break_up(match: re.Match[str]) -> str:
    return "#\\#" if match[0] == "##" else f"{match[1]}\\:"


def escape_unprintable(text: str, escape: Callable[[str], str]) -> str:
    """Replace what a terminal may obey, or not show, by the name that JSON or XML has for it; line ends stay."""
    for character in sorted(set(text)):
        if not _is_shown(character) and character not in "\n\u00a0":
            text = text.replace(character, escape(character))
    return text


def dump_json(value: Any) -> str:
    """Return JSON that is laid out for people; characters that cannot be seen stand as their numbers."""
    text = json.dumps(value, indent=1, ensure_ascii=False)
    return escape_unprintable(text, lambda character: json.dumps(character)[1:-1]) + "\n"
