"""Reads dataclasses, tuples and items of enumerations back from JSON."""

from __future__ import annotations

import contextlib
import enum
import functools
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def read_fields(kind: type, value: dict[str, Any]) -> dict[str, Any]:
    """Read some fields of the dataclass ``kind`` from a JSON object. Return their values by the names of the fields.

    Raises:
        ValueError: a value does not have the type of its field.
    """
    types = _find_types(kind)
    return {name: _read(types.get(name), item) for name, item in value.items()}


@functools.cache
def _find_types(kind: type[Any]) -> dict[str, Any]:
    """Return the types of the fields of a dataclass."""
    types = get_type_hints(kind)
    return {field.name: types[field.name] for field in fields(kind)}


@functools.cache  # a run reads some ten thousand values, of few types
def _take_apart(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the parts of a type such as ``dict[str, int]``: ``dict``, and ``str`` with ``int``."""
    return get_origin(kind), get_args(kind)


def _read(kind: Any, value: Any) -> Any:
    """Turn a JSON value into a value of the type ``kind``."""
    if type(value) is kind:
        return value
    outer, inner = _take_apart(kind)
    if outer in (Union, UnionType):
        for choice in inner:
            with contextlib.suppress(ValueError):
                return _read(choice, value)
    elif outer is tuple and isinstance(value, list):
        kinds = [inner[0]] * len(value) if inner[1:] == (...,) else inner
        if len(kinds) == len(value):
            return tuple(map(_read, kinds, value))
    elif outer is frozenset and isinstance(value, list):
        return frozenset(_read(inner[0], item) for item in value)
    elif outer is dict and isinstance(value, dict):
        return {_read(inner[0], key): _read(inner[1], item) for key, item in value.items()}
    elif isinstance(kind, type) and is_dataclass(kind) and isinstance(value, dict):
        if value.keys() == _find_types(kind).keys():
            return kind(**read_fields(kind, value))
    elif isinstance(kind, type) and issubclass(kind, enum.Enum):
        named = {str(item): item for item in kind}
        if value in named:
            return named[value]
    elif outer is Literal and value in inner:
        return value
    raise ValueError(f"{value!r} is not of the type {kind}")
