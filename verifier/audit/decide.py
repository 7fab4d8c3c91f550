"""The kernel's decision on evidence, by the forms of version 1 (until the kernel's own entry takes its place)."""

from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from verifier.kernel.certificate import Certificate
from verifier.kernel.recheck import Walks, check_certificate
from verifier.kernel.verdict import Result


def decide(
    statement: dict[str, Any],
    verdict: str,
    evidence: dict[str, Any],
    files: Callable[[str, str], bytes],
    *,
    full: bool,
    memo: Walks,
) -> Result:
    """Have the kernel decide."""
    del full
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for item in references(evidence):
            path = root / item["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files(item["sha256"], path.name.partition(".")[2]))
        return check_certificate(root, Certificate("", "", statement, verdict, evidence), memo)


def references(value: object) -> Iterator[dict[str, str]]:
    """Yield what names a file."""
    if isinstance(value, list):
        for item in value:
            yield from references(item)
    elif isinstance(value, dict):
        if set(value) == {"path", "sha256"}:
            yield value
        else:
            for item in value.values():
                yield from references(item)
