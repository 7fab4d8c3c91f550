"""The shapes of JSON values, asked where a file comes in: what follows takes its parts for what they are.

Trusted for: that a value has the keys, items and types that its shape names, and no others. A shape is

- a type, of which ``object`` takes everything; a ``range`` of integers; a set of texts; None, True, False: just that;
- ``[SHAPE]``: a list of such; ``[SHAPE, SHAPE, …]``: a list of as many parts, of these shapes in turn;
- ``{"*": SHAPE}``: an object of such, whatever its keys are;
- ``{KEY: SHAPE, …}``: an object with these keys; one that ends in ``?`` may be left out;
- a tuple of shapes, of which one fits; or a function, ``is_…``, that says whether a value fits.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from verifier.kernel.errors import CertificateError, SpecError

_NAMES: dict[Any, str] = {str: "a text", int: "an integer", bool: "true or false", list: "a list", dict: "an object"}


def require_shape(value: Any, shape: Any, name: str, *, is_statement: bool = False) -> None:
    """Require that a value, or part of a statement, has a shape."""
    fault = find_misfit(value, shape)
    if fault:
        raise SpecError(f"{name}{fault}") if is_statement else CertificateError("malformed", f"{name}{fault}")


def find_misfit(value: Any, shape: Any) -> str:
    """Return where a value differs from a shape, and what is wanted there; empty: it has the shape."""
    alike = [one for one in shape if type(one) is type(value)] if isinstance(shape, tuple) else []
    if len(alike) == 1:
        return find_misfit(value, alike[0])
    if isinstance(shape, dict) and type(value) is dict:
        keys = {key.removesuffix("?"): part for key, part in shape.items()}
        if "*" not in shape and not {key for key in shape if key[-1] != "?"} <= set(value) <= set(keys):
            return f" has the keys {', '.join(map(repr, sorted(value)))[:99]}, not {', '.join(shape)}"
        parts: Iterable[tuple[Any, Any, Any]] = ((key, part, keys.get("*") or keys[key]) for key, part in value.items())
    elif isinstance(shape, list) and type(value) is list and len(shape) in (1, len(value)):
        if shape in ([str], [int]) and set(map(type, value)) <= {*shape}:  # most lists, and the longest, are of these
            return ""
        parts = zip(itertools.count(), value, itertools.cycle(shape))  # it ends where the value does
    else:
        return "" if _is_one(value, shape) else f": {str(value)[:60]!r} is not {_describe(shape)}"
    for key, part, wanted in parts:
        fault = find_misfit(part, wanted)
        if fault:
            return f", {str(key)[:60]!r}{fault}"
    return ""


def _is_one(value: Any, shape: Any) -> bool:
    """Say whether a value has a shape that is not one of several parts."""
    if isinstance(shape, tuple):
        return not all(find_misfit(value, one) for one in shape)
    if isinstance(shape, range | frozenset):
        return type(value) is type(next(iter(shape))) and value in shape
    if isinstance(shape, type):
        return shape is object or type(value) is shape
    return bool(shape(value)) if callable(shape) else value is shape


def _describe(shape: Any) -> str:
    """Return a shape in words."""
    if isinstance(shape, tuple):
        return " or ".join(map(_describe, shape))
    if isinstance(shape, range):
        return f"an integer from {shape.start} to {shape.stop - 1}" if len(shape) > 1 else str(shape.start)
    if isinstance(shape, frozenset):
        return " or ".join(sorted(map(repr, shape)))
    if isinstance(shape, list) and len(shape) > 1:
        return f"a list of {len(shape)} parts"
    if isinstance(shape, list | dict):
        return _NAMES[type(shape)]
    if callable(shape) and shape not in _NAMES:
        return f"a {shape.__name__.removeprefix('is_').replace('_', ' ')}"
    return _NAMES.get(shape, "null" if shape is None else str(shape).lower())
