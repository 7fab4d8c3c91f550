"""Where a report comes from: versions, rule sets, hashes of what went in and came out, and the command."""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass

from verifier.files import read_start
from verifier.kernel.certificate import hash_value
from verifier.language.loader import MAX_BYTES
from verifier.report.registry import Report


@dataclass(frozen=True, slots=True)
class Provenance:
    """What it takes to make a report again, and to see whether it is the same one.

    Attributes:
        command: the command line.
        versions: the tool, Python and the libraries, with their versions.
        specs: the SHA-256 of the names and bytes of all spec files.
        evidence: the SHA-256 of the list of certificates, each with its own.
        rules: the names of the rule sets in use.
    """

    command: str
    versions: tuple[tuple[str, str], ...]
    specs: str
    evidence: str
    rules: tuple[str, ...]


def describe_provenance(report: Report) -> Provenance:
    """Return where a report comes from."""
    return Provenance(
        command=report.command,
        versions=tuple(report.ledger.tool.items()),
        specs=hash_specs(report),
        evidence=hash_evidence(report),
        rules=tuple(
            sorted({reading.rules or claim.rules for claim in report.ledger.claims for reading in claim.readings})
        ),
    )


def hash_evidence(report: Report) -> str:
    """Return the SHA-256 of the list of certificates, each with its own."""
    found = ((result, result.certificate) for result in report.ledger.readings)
    return hash_value([[r.claim, r.id, filed.path, filed.sha256] for r, filed in found if filed is not None])


def hash_specs(report: Report) -> str:
    """Return the SHA-256 of the names and bytes of all spec files; what cannot be read counts as empty."""
    digest = hashlib.sha256()
    for path in sorted(report.specs.rglob("*.yaml")):
        data = b""
        with contextlib.suppress(OSError):
            data = read_start(path, MAX_BYTES + 1)
        name = os.fsencode(path.relative_to(report.specs).as_posix())
        digest.update(b"%b\0%d\0" % (name, len(data)))
        digest.update(data)
    return digest.hexdigest()
