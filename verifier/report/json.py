"""The ledger as one JSON object, whose schema is in ``schema.py``."""

from __future__ import annotations

import platform
from dataclasses import asdict
from importlib import metadata
from typing import Any

import verifier
from verifier.language.library import Library
from verifier.language.model import Claim
from verifier.methods.ledger import ClaimResult, Ledger, ReadingResult
from verifier.report.printable import dump_json
from verifier.report.registry import Report
from verifier.report.schema import SCHEMA_NUMBER
from verifier.report.trust import in_words


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
        "beliefs": sorted(map(str, claim.beliefs)),
        "uses": list(claim.model.uses),
        "readings": [_reading(claim.model, reading) for reading in claim.readings],
    }


def _play(claim: Claim, reading: ReadingResult) -> dict[str, Any] | None:
    """Return the reading by which a refuted one holds in play, and whose play that is."""
    if not reading.in_play:
        return None
    return {"reading": reading.in_play, "strategies": dict(getattr(claim.readings[reading.in_play], "strategies", {}))}


def _reading(claim: Claim, reading: ReadingResult) -> dict[str, Any]:
    model = claim.readings[reading.reading]
    return {
        "id": reading.reading,
        "method": reading.method,
        "verdict": str(reading.verdict) if reading.is_run else None,
        "beliefs": sorted(map(str, reading.beliefs)),
        "expected": str(reading.expected),
        "decided": str(reading.decided),
        "quick": reading.is_quick,
        "control": model.control,
        "repairs": list(model.repairs),
        "joins": list(model.joins),
        "in_play": _play(claim, reading),
        "erratum": model.erratum and model.erratum.model_dump(),
        "erratum_of": model.erratum_of,
        "in_coq": reading.in_coq and asdict(reading.in_coq),
        "reason": reading.trouble or reading.reason,
        "trouble": reading.trouble or None,
        "in_words": in_words(model) or None,
        "stats": reading.stats,
        "needs": [{"part": n.part, "used": list(n.used), "cited": list(n.cited)} for n in reading.needs],
        "notes": list(reading.notes),
        "witness": reading.witness,
        "certificate": {"path": reading.path, "sha256": reading.sha256} if reading.path else None,
    }
