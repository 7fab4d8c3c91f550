"""The keys of the claim language: their number, and that two documents use each key or it has a reason."""

import collections
import re
from collections.abc import Iterator
from typing import Any

from tests.rules import SPECS
from verifier.api.schema import build_schema
from verifier.language.loader import load_document
from verifier.questions.registry import QUESTIONS

TABLE = re.compile(r"^\| `(\w+)` \| ([\w-]+) \| .{20,} \|$", re.MULTILINE)
"""A line of the table: a key, the one folder that uses it or none, and why it stays."""


def keys_of(schema: Any) -> Iterator[str]:
    """Yield each key in any part of a schema."""
    if isinstance(schema, dict):
        yield from schema["properties"] if isinstance(schema.get("properties"), dict) else ()
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from keys_of(part)


def find_users() -> dict[str, set[str]]:
    """Return the folders of the specs that use each key. Names that people choose are among the keys."""
    users: dict[str, set[str]] = collections.defaultdict(set)
    for path in SPECS.rglob("*.yaml"):
        for *_, key in load_document(path, path.name).keys:
            users[str(key)].add(path.relative_to(SPECS).parts[0])
    return users


def test_each_key_is_used_by_two_documents_or_has_a_reason() -> None:
    """The table in CONTRIBUTING has exactly the keys that at most one folder of specs uses."""
    users = find_users()
    few = {key: "".join(users[key]) or "none" for key in keys_of(build_schema()) if len(users[key]) < 2}
    assert dict(TABLE.findall((SPECS.parent / "CONTRIBUTING.md").read_text())) == few


def test_the_number_of_keys_does_not_grow() -> None:
    """All kinds of files together have 105 keys, and a reading has at most 30 of its own."""
    own = {field.alias or name for model in QUESTIONS.values() for name, field in model.model_fields.items()}
    assert len(set(keys_of(build_schema()))) == 105
    assert len(own - {"like", "half_of"}) <= 30  # the last one is for readings that 'exactly' has made
