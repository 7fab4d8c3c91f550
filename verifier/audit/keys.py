"""The hashes under which results are remembered.

Each hash covers everything that a result depends on: the code of one of six functions, and the function's input.

- ``COMPILE``: the text of a reading → what the reading asks (a ``Key``);
- ``DECIDE``: what a reading asks, and the hash of a certificate → the result of the reading;
- ``RECHECK``: the hash of a certificate → the kernel's result, as ``verifier recheck`` has found it;
- ``SEARCH``: the statement of a reading, the text of its spec, and the versions of the solvers → the reason why the
  search gave up;
- ``OUTLINE``: all files of a folder of specs → the outline of its claims;
- ``PACK``: results with their certificates → the plays and the trees that a report shows.

If a hash did not cover a part of the input, a result could be recalled for another input.
"""

from __future__ import annotations

import functools
import hashlib
import json
import pathlib
import sys
from typing import Any

import verifier

COMPILE = "compile"
DECIDE = "decide"
RECHECK = "recheck"
SEARCH = "search"
OUTLINE = "outline"
PACK = "pack"
CODE = {
    COMPILE: ("kernel", "language", "questions"),
    DECIDE: ("kernel", "language", "questions", "search/reach.py"),
    RECHECK: ("kernel",),
    SEARCH: ("kernel", "language", "questions", "search", "solver"),
    OUTLINE: ("kernel", "language", "questions", "presentation", "audit/outlining.py", "audit/sources.py"),
    PACK: ("kernel", "language", "questions", "graph", "presentation", "report/html", "search/retrieval.py"),
}
"""The packages and modules whose code is hashed for each function."""

Reference = tuple[str, str]
"""A claim's id and a reading's id."""

Key = tuple[str, str]
"""Identifies what a reading asks. The first string is the key of the reading's certificate in a store; it is empty if
the reading only joins others. The second is a hash of two things that belong to the reading, but not to
its statement: the hypotheses that its document cites, and the formulas of its invariant."""


def make_key(function: str, given: object) -> str:
    """Return the hash of a function's code and of its input. The order of keys in the input matters."""
    return hash_json([function, hash_code(*CODE[function]), given])


@functools.cache
def hash_code(*parts: str) -> str:
    """Return the hash of the text of some modules and packages, and of Python's version."""
    folder = pathlib.Path(verifier.__file__).parent
    paths = [
        path for part in parts for path in ([folder / part] if "." in part else sorted((folder / part).rglob("*.py")))
    ]
    text = [[path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()] for path in paths]
    return hash_json([text, sys.version_info[:3]])


def hash_json(value: Any) -> str:
    """Return the SHA-256 of a value's JSON. The order of keys matters."""
    return hashlib.sha256(json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode()).hexdigest()
