"""The JSON Schema for editors. It describes spec files as people write them, with short forms such as ``for``.

The pydantic models describe a file after ``language.templates`` has expanded each ``for``. This module adds the short
forms, so that an editor completes and checks all forms. The schema cannot check the values of variables; ``verifier
validate`` checks them.
"""

from __future__ import annotations

from typing import Any

from verifier.language.likeness import OWN
from verifier.language.shape import ABOUT, EXPRESSION, StrictModel
from verifier.questions.registry import GRAMMAR

VARIABLE = r"\{[a-z]\w*\}"
"""A variable in a name or in a text, as ``language.templates`` reads it."""

_CHOICES = {
    "description": "the values of each variable: a list or range(a, b). A key 'i, f' names two variables; its value "
    "is a list of lists, such as [[0, 1], [0, 2]]",
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {"type": ["string", "integer", "boolean", "array"]},
}
_EACH = {
    "description": "the items for every choice of values, in order",
    "type": "object",
    "properties": {
        "for": {"$ref": "#/$defs/Choices"},
        "but": {"type": "array", "description": "values that are left out"},
        "each": {"type": "array", "description": "the items for one choice of values"},
    },
    "required": ["for", "each"],
    "additionalProperties": False,
}
_SHARED = {
    "Choices": _CHOICES,
    "Each": _EACH,
    "Value": {"type": "string", "pattern": f"^{VARIABLE}$", "description": "the value of a variable of 'for'"},
    "Text": {"type": "string", "pattern": VARIABLE},
    "Expression": {"type": ["string", "integer", "boolean", "array"], "description": EXPRESSION},
}
"""Definitions that are added to the definitions that pydantic makes from the models."""


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema of a spec file, for editors."""
    plain = GRAMMAR.build_schema()
    several: set[str] = set()
    parts: dict[str, Any] = {name: _shortened(part, several) for name, part in plain["$defs"].items()}
    for place in several:
        parts[place.rpartition("/")[2]]["properties"].setdefault("for", {"$ref": "#/$defs/Choices"})
    readings = parts["Claim"]["properties"]["readings"]["anyOf"][0]
    is_like = {"type": "object", "required": ["like"]}
    readings["patternProperties"] = {
        key: {"if": is_like, "then": {"$ref": "#/$defs/Like"}, "else": value}
        for key, value in readings["patternProperties"].items()
    }
    parts["Like"] = _like(parts)
    for kind, model in GRAMMAR.models:
        parts[model.__name__] = _file(parts[model.__name__], kind, model)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A spec of the game claim verifier",
        **plain,
        "$defs": parts | _SHARED,
    }


def _file(part: dict[str, Any], kind: str, model: type[StrictModel]) -> dict[str, Any]:
    """Return the schema of a kind of file, with ``for``, and with ``like`` if files of this kind can have it."""
    whole = {**part, "properties": {**part["properties"], "for": {"$ref": "#/$defs/Choices"}}}
    if kind not in OWN:
        return whole
    own, place = OWN[kind] | {kind, "for"}, f"#/$defs/{model.__name__}/else/properties"
    keys: dict[str, Any] = {key: {"$ref": f"{place}/{key}"} if key in own else {} for key in whole["properties"]}
    keys["like"] = {"type": "string", "description": f"the {kind} to take the missing keys from"}
    required = [key for key in part["required"] if key in own]
    partly = {"properties": keys, "required": required, "additionalProperties": False}
    return {"type": "object", "if": {"required": ["like"]}, "then": partly, "else": whole}


def _shortened(part: Any, several: set[str]) -> Any:
    """Return a part of the schema with the short forms of values and items, and with names that may contain variables.

    If people choose the keys of a map, its entries can have ``for``. Then the ``$ref`` of the entries' models is added
    to ``several``. Defaults, and titles that pydantic makes from names, are left out: they do not help in an editor.
    """
    if isinstance(part, list):
        return [_shortened(item, several) for item in part]
    if not isinstance(part, dict):
        return part
    part = _without_null(part)
    if part.get("description") == EXPRESSION:
        return {"$ref": "#/$defs/Expression"}
    found = {
        key: item if key == "oneOf" else _shortened(item, several)
        for key, item in part.items()
        if key != "default" and (key != "title" or not isinstance(item, str))
    }
    if part.get("type") == "array" and "items" in found:
        found["items"] = {"anyOf": [found["items"], {"$ref": "#/$defs/Each"}]}
    named = part.get("patternProperties", {})
    choices = [*named.values(), part.get("additionalProperties")] if part.get("type") == "object" else []
    entries = next((item for item in choices if isinstance(item, dict) and item.keys() & {"$ref", "oneOf"}), None)
    if entries is not None:
        several |= {item["$ref"] for item in entries.get("oneOf", [entries])}
        found["patternProperties"] = {key: found["patternProperties"][key] for key in [*named][:1]} | {
            VARIABLE: entries
        }
    if part.get("type") == "string" and part.keys() & {"enum", "pattern"}:
        return {"anyOf": [found, {"$ref": "#/$defs/Text"}]}
    is_model = "title" in part and "properties" in part
    is_several = part.get("type") in ("integer", "array", "object") and "prefixItems" not in part and not is_model
    return {"anyOf": [found, {"$ref": "#/$defs/Value"}]} if is_several or "$ref" in part or "oneOf" in part else found


def _without_null(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the schema without the value null: in a file, people leave out a key that has no value."""
    choices = [item for item in part.get("anyOf", ()) if item != {"type": "null"}]
    rest = {key: item for key, item in part.items() if key != "anyOf"}
    return {**choices[0], **rest} if len(choices) == 1 else {**rest, "anyOf": choices} if choices else part


def _like(parts: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a reading with ``like``: it may have the keys of any reading, and its maps may lack keys."""
    keys: dict[str, Any] = {}
    for model in GRAMMAR.questions.values():
        place = f"#/$defs/{model.__name__}/properties"
        for key, value in parts[model.__name__]["properties"].items():
            is_map = key not in ABOUT and any(item.get("type") == "object" for item in [value, *value.get("anyOf", ())])
            keys.setdefault(key, {"type": "object"} if is_map else {"$ref": f"{place}/{key}"})
    keys["like"] = {
        "type": "string",
        "description": "the reading whose statement is used: the name of a reading of this claim, or CLAIM/READING",
    }
    return {
        "description": "The statement of another reading, except for the keys that are given here.",
        "type": "object",
        "properties": keys,
        "required": ["expect", "like"],
        "additionalProperties": False,
    }
