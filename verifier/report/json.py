"""The ledger as a JSON object. ``check --schema`` prints its schema."""

from __future__ import annotations

from verifier.audit.ledger import ledger_to_json
from verifier.report.printable import dump_json
from verifier.report.registry import Report


def render(report: Report) -> str:
    """Return the object that ``verifier check --format json`` prints, as text."""
    return dump_json(ledger_to_json(report.ledger))
