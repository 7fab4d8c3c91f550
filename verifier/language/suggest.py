"""What was meant by a name that nothing has."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggest(word: str, names: Iterable[str]) -> str:
    """Return ``: did you mean …?`` where a name is near a word; nothing otherwise.

    >>> suggest("lema-3", ["lemma-3", "theorem-1"])
    ": did you mean 'lemma-3'?"
    """
    known = sorted(names)
    close = [name for name in known if word and name.startswith(word)] or difflib.get_close_matches(word, known, 2, 0.7)
    close = close[:3]
    return f": did you mean {' or '.join(map(repr, close))}?" if close else ""
