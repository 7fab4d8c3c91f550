"""The documents and rules of a report, and what is needed to make the report again: versions and hashes."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections import Counter
from typing import Any, NamedTuple

from verifier.audit.ledger import Ledger, Standing
from verifier.files import MAX_SPEC_BYTES, list_folder, read_start
from verifier.kernel.certificate import hash_value
from verifier.language.shape import DocumentFile
from verifier.presentation.registry import find_presentation
from verifier.report.order import group_claims
from verifier.report.registry import Report
from verifier.report.sentence import READ, say_found, standing_of


class DocumentView(NamedTuple):
    """A document as the page shows it.

    Attributes:
        model: what the specs say about the document.
        read: how the document was read, in words; empty if no spec says this.
        stated: the number of claims in the report that the document makes.
        asked: the number of claims in the report that are the auditors' own.
    """

    id: str
    model: DocumentFile
    read: str
    stated: int
    asked: int


def list_documents(report: Report) -> list[DocumentView]:
    """Return the documents to which the claims of a report belong. The auditors' own documents come last."""
    views = []
    for name, claims in group_claims(report.ledger, report.library).items():
        asked = sum(claim.source.ours for claim in claims)
        read = READ.get(report.library.read_of(name), "")
        views.append(DocumentView(name, report.library.document(name), read, len(claims) - asked, asked))
    return views


def list_rules(report: Report) -> list[dict[str, object]]:
    """Return the rule sets in use. Each has its clauses, its source, and what the source says, in the auditors' words.

    Rules that more claims use come first.
    """
    claims = [report.library.claim(claim.id) for claim in report.ledger.claims]
    used = Counter(name for claim in claims for name in {claim.rules_of(reading) for reading in claim.readings})
    found: list[dict[str, object]] = []
    for name, count in sorted(used.items(), key=lambda item: (-item[1], item[0])):
        model = report.library.rules_file(name)
        clauses = list(find_presentation(report.library.game(name)).say_rules(model))
        source = f"{model.source.document}, {model.source.place}"
        source = f"our own rules; document {source}" if report.library.is_ours(model.source) else source
        said = {"title": model.title, "says": " ".join((model.source.says or "").split()), "clauses": clauses}
        found.append({"id": name, **said, "source": source, "claims": count})
    return found


def say_standings(report: Report) -> dict[str, str]:
    """Return the standing of each claim of a report, and the verdict on each reading, by name."""
    standings = {claim.id: standing_of(claim) for claim in report.ledger.claims}
    return standings | {result.name: say_found(result) for result in report.ledger.readings}


def count_by_standing(ledger: Ledger, *, ours: bool) -> dict[Standing, int]:
    """Count claims by standing: the auditors' own claims if ``ours``, otherwise the others. Leave out zeros."""
    found = Counter(claim.standing for claim in ledger.claims if claim.source.ours == ours)
    return {name: found[name] for name in Standing if found[name]}


def describe_provenance(report: Report) -> dict[str, Any]:
    """Return what you need to make a report again and compare it with the old one: command, versions, rules, hashes."""
    found = ((result, result.certificate) for result in report.ledger.readings)
    evidence = hash_value([[r.claim, r.id, filed.path, filed.sha256] for r, filed in found if filed is not None])
    rules = {reading.rules or claim.rules for claim in report.ledger.claims for reading in claim.readings}
    hashes = {"specs": _hash_specs(report), "evidence": evidence}
    return {"command": report.command, "versions": report.ledger.tool, "rules": sorted(rules), **hashes}


def _hash_specs(report: Report) -> str:
    """Return the SHA-256 of the names and bytes of all specs. A file that cannot be read counts as empty."""
    digest = hashlib.sha256()
    found = [(spec.file, spec.text.encode("utf-8", "replace")) for spec in report.made]
    for path in (path for path in list_folder(report.specs)[0] if path.name.endswith(".yaml")):
        data = b""
        with contextlib.suppress(OSError):
            data = read_start(path, MAX_SPEC_BYTES + 1)
        found.append((path.relative_to(report.specs).as_posix(), data))
    for name, data in found:
        digest.update(b"%b\0%d\0" % (os.fsencode(name), len(data)))
        digest.update(data)
    return digest.hexdigest()
