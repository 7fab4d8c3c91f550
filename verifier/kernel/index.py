"""The index of a folder of evidence: certificates by the names of readings (``CLAIM/READING``).

No verdict rests on it. It is JSON::

    {"format": "verifier-index", "version": 2, "filed": {NAME: KEY, …}, "joins": {NAME: [NAME, …], …}}
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.certificate import VERSION, parse_json, require_format
from verifier.kernel.errors import CertificateError
from verifier.kernel.store import evidence_path, is_key, read_bytes

INDEX, INDEX_FORMAT = "INDEX.json", "verifier-index"

MAX_NAMES = 20_000
"""How many names may be filed, and how many join others: each is asked for, kept and printed."""

_ID = r"(?=[a-z0-9-]{1,60}(?:/|\Z))[a-z0-9]+(?:-[a-z0-9]+)*"
_NAME = re.compile(f"{_ID}(?:/{_ID})?")
"""What names are made of: ids, as claims and readings have them. With spaces a name is wrapped, and reads as lines."""


@dataclass(frozen=True, slots=True)
class Index:
    """What is filed under which names.

    Attributes:
        filed: the key of a certificate, by name (``store.py``).
        joins: the names that a name joins: what it claims is all of them, and what is filed under it, if anything is.
    """

    filed: Mapping[str, str] = field(default_factory=dict)
    joins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that ``parse_index`` reads."""
        joins = {name: list(others) for name, others in self.joins.items()}
        return {"format": INDEX_FORMAT, "version": VERSION, "filed": dict(self.filed), "joins": joins}


def read_index(root: pathlib.Path) -> Index:
    """Read ``INDEX.json``."""
    data = read_bytes(root, INDEX)
    value = parse_json(data, INDEX, len(data))
    require_format(value, INDEX_FORMAT, {"filed": {"*": is_key}, "joins": {"*": [is_name]}}, INDEX)
    filed, joins = value["filed"], value["joins"]
    if max(len(filed), len(joins)) > MAX_NAMES:
        raise CertificateError("too-large", f"{INDEX}: more than {MAX_NAMES} names")
    if not all(map(is_name, (*filed, *joins))):
        raise CertificateError("malformed", f"{INDEX}: a name is CLAIM/READING, of small letters, digits and hyphens")
    if len(set(map(evidence_path, filed.values()))) < len(set(filed.values())):
        raise CertificateError("malformed", f"{INDEX}: two keys begin alike, so that their certificates share a file")
    return Index(filed, {name: tuple(others) for name, others in joins.items()})


def is_name(value: object) -> bool:
    """Say whether a value is the name of a claim, or of a reading of one."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None
