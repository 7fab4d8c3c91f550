"""Connectives of the kernel's ground formulas, with constants folded.

A conjunction inside another stays one: it may be what a definition means, which many formulas share.
"""

from __future__ import annotations

from typing import Any


def conjunction(parts: list[Any]) -> Any:
    """Return the kernel's formula for all of the parts, with constants folded."""
    return _junction("and", parts, neutral=True)


def disjunction(parts: list[Any]) -> Any:
    """Return the kernel's formula for any of the parts, with constants folded."""
    return _junction("or", parts, neutral=False)


def _junction(head: str, parts: list[Any], *, neutral: bool) -> Any:
    kept = []
    for part in parts:
        if part is (not neutral):
            return not neutral
        if part is not neutral:
            kept.append(part)
    if not kept:
        return neutral
    return kept[0] if len(kept) == 1 else [head, *kept]


def negation(part: Any) -> Any:
    """Return the kernel's formula for the opposite, with constants folded."""
    if isinstance(part, bool):
        return not part
    return part[1] if part[0] == "not" else ["not", part]


def implication(first: Any, second: Any) -> Any:
    """Return the kernel's formula for ``first`` implying ``second``, with constants folded."""
    if isinstance(first, bool):
        return second if first else True
    if isinstance(second, bool):
        return True if second else negation(first)
    return True if first == second else ["implies", first, second]


def equivalence(first: Any, second: Any) -> Any:
    """Return the kernel's formula for both or neither, with constants folded."""
    if isinstance(first, bool):
        return second if first else negation(second)
    if isinstance(second, bool):
        return first if second else negation(first)
    return True if first == second else ["iff", first, second]
