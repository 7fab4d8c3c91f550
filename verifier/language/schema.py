"""The JSON Schema of spec files as people write them, for editors: with entries for several, and what is like others.

The models say what a file is once ``templates`` has written it out. Here each of their forms gets the short ones
beside it, so that an editor completes and checks both. What variables come to is not seen: that ``validate`` says.
"""

from __future__ import annotations

from typing import Any

from verifier.language.about import ABOUT
from verifier.language.likeness import OWN
from verifier.language.model import KINDS, QUESTIONS, build_plain_schema

VARIABLE = r"\{[a-z]\w*\}"
"""A variable in a name or in a text, as ``templates`` reads it."""

_CHOICES = {
    "description": "over what variables run: a list or range(a, b); several together as 'i, f', over lists of values",
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {"type": ["string", "integer", "boolean", "array"]},
}
_VALUE = {"type": "string", "pattern": f"^{VARIABLE}$", "description": "the value of a variable of 'for'"}
_TEXT = {"type": "string", "pattern": VARIABLE}
_EACH = {
    "description": "the items of every member, in order",
    "type": "object",
    "properties": {
        "for": {"$ref": "#/$defs/Choices"},
        "but": {"type": "array", "description": "values that are left out"},
        "until": {"description": "the value that is left out with all that follow"},
        "each": {"type": "array", "description": "the items of one member"},
    },
    "required": ["for", "each"],
    "additionalProperties": False,
}


def build_schema() -> dict[str, Any]:
    """Return the JSON Schema of a spec file, for editors."""
    plain = build_plain_schema()
    parts: dict[str, Any] = {name: _shortened(part) for name, part in plain["$defs"].items()}
    for name in sorted(_names_of_entries(plain)):
        parts[f"{name}ForSeveral"] = _for_several(parts[name])
    readings = parts["Claim"]["properties"]["readings"]["anyOf"][0]
    several = readings["patternProperties"].pop(VARIABLE)
    (pattern, whole), *_ = readings["patternProperties"].items()
    readings["patternProperties"] = {pattern: _or_like(whole, "Like"), VARIABLE: _or_like(several, "LikeForSeveral")}
    parts["Like"] = _like(parts)
    parts["LikeForSeveral"] = _for_several(parts["Like"])
    for kind, model in KINDS.items():
        parts[model.__name__] = _file(parts[model.__name__], kind)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A spec of the claim verifier",
        **plain,
        "$defs": parts | {"Choices": _CHOICES, "Each": _EACH},
    }


def _file(part: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return the schema of a kind of file that may stand for several, and may be like another one of its kind."""
    keys = {**part["properties"], "for": {"$ref": "#/$defs/Choices"}}
    if kind not in OWN:
        return {**part, "properties": keys}
    own = OWN[kind] | {kind, "for"}
    like = {key: value if key in own or "anyOf" not in value else {} for key, value in keys.items()}
    like["like"] = {"type": "string", "description": f"the {kind} that has what this one does not give"}
    required = [key for key in part["required"] if key in own]
    partly = {**part, "properties": like, "required": [*required, "like"]}
    return {"if": {"required": ["like"]}, "then": partly, "else": {**part, "properties": keys}}


def _shortened(part: Any) -> Any:
    """Return a part of the schema with the short forms of values and of items, and with names that have variables."""
    if isinstance(part, list):
        return [_shortened(item) for item in part]
    if not isinstance(part, dict):
        return part
    found = {key: item if key == "oneOf" else _shortened(item) for key, item in part.items()}
    if part.get("type") == "array" and "items" in found:
        found["items"] = {"anyOf": [found["items"], {"$ref": "#/$defs/Each"}]}
    entries = _entries(part)
    if entries is not None:
        pattern = next(iter(part.get("patternProperties", {"": None})))
        named = {pattern: found["patternProperties"][pattern]} if pattern else {}
        found["patternProperties"] = {**named, VARIABLE: _rename(entries)}
    if part.get("type") == "string" and part.keys() & {"enum", "pattern"}:
        return {"anyOf": [found, _TEXT]}
    is_model = "title" in part and "properties" in part
    if part.get("type") in ("integer", "array", "object") and "prefixItems" not in part and not is_model:
        return {"anyOf": [found, _VALUE]}
    return {"anyOf": [found, _VALUE]} if "$ref" in part or "oneOf" in part else found


def _entries(part: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema of the entries of a map in which people choose the names; None: it is none, or of texts."""
    if part.get("type") != "object":
        return None
    found = [*part.get("patternProperties", {}).values(), part.get("additionalProperties")]
    return next((item for item in found if isinstance(item, dict) and ("$ref" in item or "oneOf" in item)), None)


def _names_of_entries(part: Any) -> set[str]:
    """Return the names of the models that stand in such maps."""
    if isinstance(part, list):
        return {name for item in part for name in _names_of_entries(item)}
    if not isinstance(part, dict):
        return set()
    entries = _entries(part)
    own = set() if entries is None else {_name(item) for item in entries.get("oneOf", [entries])}
    return own | {name for item in part.values() for name in _names_of_entries(item)}


def _name(reference: dict[str, str]) -> str:
    return reference["$ref"].rpartition("/")[2]


def _rename(entries: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of entries whose names have variables."""
    several = [{"$ref": f"#/$defs/{_name(item)}ForSeveral"} for item in entries.get("oneOf", [entries])]
    return {"oneOf": several} if "oneOf" in entries else several[0]


def _for_several(model: dict[str, Any]) -> dict[str, Any]:
    """Return an entry that stands for several: it says over what its variables run, or stands inside one that does."""
    return {**model, "properties": {**model["properties"], "for": {"$ref": "#/$defs/Choices"}}}


def _or_like(reading: dict[str, Any], name: str) -> dict[str, Any]:
    return {"if": {"type": "object", "required": ["like"]}, "then": {"$ref": f"#/$defs/{name}"}, "else": reading}


def _like(parts: dict[str, Any]) -> dict[str, Any]:
    """Return a reading that is like another: it may change any key, and maps only in part."""
    keys: dict[str, Any] = {}
    for model in (item.__name__ for item in QUESTIONS.values()):
        for key, value in parts[model]["properties"].items():
            is_map = key not in ABOUT and (_entries(value) is not None or value.get("type") == "object")
            keys.setdefault(key, {"type": "object"} if is_map else value)
    keys["like"] = {
        "type": "string",
        "description": "whose statement it has: a reading of this claim, or CLAIM/READING",
    }
    return {
        "description": "What another reading states, but for what is said here.",
        "type": "object",
        "properties": keys,
        "required": ["expect", "like"],
        "additionalProperties": False,
    }
