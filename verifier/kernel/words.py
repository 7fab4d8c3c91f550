"""Words for numbers and long values, for messages. This module is not trusted: no verdict depends on these words."""

from __future__ import annotations

from typing import Any

from verifier.kernel.certificate import canonical_bytes

PRINTED_DIGITS = 32
"""A hash has 64 digits. Only the first 32 are printed: it is very hard to find two values that share them."""


def counted(number: int, word: str, plural: str = "") -> str:
    """Return a number with its noun: ``1 line``, ``2 lines``, ``3 plies``."""
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def short(value: Any, width: int) -> str:
    """Return a value as ASCII text. If this is longer than ``width``, return its beginning, "…" and its length."""
    text = value if isinstance(value, str) else canonical_bytes(value).decode()
    text = text.encode("ascii", "backslashreplace").decode()
    return text if len(text) <= width else f"{text[: width // 2]}… ({len(text)} characters)"
