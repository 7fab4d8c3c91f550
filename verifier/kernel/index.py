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

from verifier.kernel.certificate import VERSION, check_header, parse_json
from verifier.kernel.errors import CertificateError
from verifier.kernel.store import is_key, read_bytes

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
    """Read ``INDEX.json``.

    Raises:
        CertificateError: it is missing or malformed.
    """
    data = read_bytes(root, INDEX)
    value = parse_json(data, INDEX, len(data))
    check_header(value, INDEX_FORMAT, INDEX)
    if set(value) != {"format", "version", "filed", "joins"}:
        raise CertificateError("malformed", f"{INDEX}: an index has 'filed' and 'joins'")
    filed, joins = value["filed"], value["joins"]
    if any(isinstance(part, list | dict) and len(part) > MAX_NAMES for part in (filed, joins)):
        raise CertificateError("too-large", f"{INDEX}: more than {MAX_NAMES} names")
    if not isinstance(filed, dict) or not all(_NAME.fullmatch(name) and is_key(filed[name]) for name in filed):
        raise CertificateError("malformed", f"{INDEX}: 'filed' gives for each CLAIM/READING the key of a certificate")
    if not isinstance(joins, dict) or not all(
        isinstance(others, list) and all(isinstance(other, str) and _NAME.fullmatch(other) for other in (name, *others))
        for name, others in joins.items()
    ):
        raise CertificateError("malformed", f"{INDEX}: 'joins' gives for each CLAIM/READING a list of such names")
    return Index(filed, {name: tuple(others) for name, others in joins.items()})
