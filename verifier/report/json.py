"""The ledger as one JSON object, whose schema is in ``schema.py``."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Any

import verifier
from verifier.checkers.ledger import ClaimResult, Ledger, ReadingResult
from verifier.report.printable import dump_json
from verifier.report.registry import Report
from verifier.report.schema import SCHEMA_NUMBER
from verifier.report.trust import in_words
from verifier.spec.library import Library
from verifier.spec.model import Reading


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
    """Return the object that ``verifier check --format json`` prints, as text."""
    return dump_json(build_ledger(report.ledger, report.library))


def build_ledger(ledger: Ledger, library: Library) -> dict[str, Any]:
    """Return a ledger as an object that fits ``LEDGER_SCHEMA``."""
    claims = [_claim(claim, library) for claim in ledger.claims]
    return {"schema": SCHEMA_NUMBER, "tool": tool_versions(), "claims": claims}


def _claim(claim: ClaimResult, library: Library) -> dict[str, Any]:
    source = claim.model.source
    return {
        "id": claim.id,
        "title": claim.model.title,
        "source": {
            "document": source.document,
            "place": source.place,
            "says": " ".join(source.says.split()),
            "ours": library.is_ours(source),
        },
        "standing": claim.standing,
        "fully_proved": claim.fully_proved,
        "uses": list(claim.model.uses),
        "readings": [_reading(reading, claim.model.readings[reading.reading]) for reading in claim.readings],
    }


def _reading(reading: ReadingResult, model: Reading) -> dict[str, Any]:
    return {
        "id": reading.reading,
        "method": reading.method,
        "verdict": None if reading.skipped else str(reading.verdict),
        "expected": str(reading.expected),
        "skipped": reading.skipped or None,
        "reason": reading.trouble or reading.reason,
        "trouble": reading.trouble or None,
        "trust": reading.trust,
        "in_words": in_words(model) or None,
        "stats": reading.stats,
        "notes": list(reading.notes),
        "witness": reading.witness,
        "certificate": {"path": reading.path, "sha256": reading.sha256} if reading.path else None,
    }
