"""The ledger as one JSON object (schema 1)."""

from __future__ import annotations

import json
import platform
from importlib import metadata
from typing import Any

import verifier
from verifier.checkers.ledger import ClaimResult, ReadingResult
from verifier.report.registry import Report


def tool_versions() -> dict[str, str]:
    """Return what a verdict may depend on: this tool, Python, and the libraries that find proofs."""
    versions = {"verifier": verifier.__version__, "python": platform.python_version()}
    for name in ("z3-solver", "numba", "numpy", "networkx", "pydantic", "pyyaml"):
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "unknown"
    return versions


def render(report: Report) -> str:
    """Return the object that ``verifier check --format json`` prints."""
    value = {"schema": 1, "tool": tool_versions(), "claims": [_claim(claim) for claim in report.ledger.claims]}
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _claim(claim: ClaimResult) -> dict[str, Any]:
    source = claim.model.source
    return {
        "id": claim.id,
        "title": claim.model.title,
        "source": {"document": source.document, "place": source.place, "says": " ".join(source.says.split())},
        "standing": claim.standing,
        "fully_proved": claim.fully_proved,
        "uses": list(claim.model.uses),
        "readings": [_reading(reading) for reading in claim.readings],
    }


def _reading(reading: ReadingResult) -> dict[str, Any]:
    return {
        "id": reading.reading,
        "method": reading.method,
        "verdict": None if reading.skipped else str(reading.verdict),
        "expected": str(reading.expected),
        "skipped": reading.skipped or None,
        "reason": reading.trouble or reading.reason,
        "trust": reading.trust,
        "stats": reading.stats,
        "notes": list(reading.notes),
        "witness": reading.witness,
        "certificate": {"path": reading.path, "sha256": reading.sha256} if reading.path else None,
    }
