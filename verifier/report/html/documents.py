"""What a report is about, and what it is made from: documents, rule sets, versions, and hashes of what went in."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections import Counter
from typing import Any, NamedTuple

from verifier.files import read_start
from verifier.kernel.certificate import hash_value
from verifier.language.loader import MAX_BYTES
from verifier.language.shape import DocumentFile
from verifier.presentation.registry import show
from verifier.report.registry import Report
from verifier.report.sentence import say_found, standing_of


class DocumentView(NamedTuple):
    """A document as the page shows it.

    Attributes:
        model: what the specs say of it; None: they describe it nowhere.
        stated, asked: how many claims of the report it makes itself, and how many are the auditors' own.
    """

    id: str
    model: DocumentFile | None
    stated: int
    asked: int

    @property
    def title(self) -> str:
        """Its title; its id where the specs have none."""
        return self.model.title if self.model else self.id

    @property
    def authors(self) -> str:
        """Its authors."""
        return ", ".join(self.model.authors) if self.model else ""

    @property
    def is_ours(self) -> bool:
        """Whether all its claims are the auditors' own."""
        return self.model is not None and self.model.ours


def list_documents(report: Report) -> list[DocumentView]:
    """Return the documents that the claims of a report are from, the auditors' own last."""
    claims = [(claim.source.document, claim.source.ours) for claim in report.ledger.claims]
    count = Counter(claims)
    names = dict.fromkeys(name for name, _ in claims)
    views = [DocumentView(name, report.library.document(name), count[name, False], count[name, True]) for name in names]
    return sorted(views, key=lambda view: (view.is_ours, -view.stated - view.asked))


def list_rules(report: Report) -> list[dict[str, object]]:
    """Return the rule sets in use, those of most claims first, each with its clauses and where it stands."""
    claims = [report.library.claim(claim.id) for claim in report.ledger.claims]
    used = Counter(name for claim in claims for name in {claim.rules_of(reading) for reading in claim.readings})
    found: list[dict[str, object]] = []
    for name, count in sorted(used.items(), key=lambda item: (-item[1], item[0])):
        rules = report.library.rules.find(name)
        model, clauses = rules.model, list(show(rules.game).say_rules(rules.model))
        source = f"{model.source.document}, {model.source.place}"
        source = f"our own, on {source}" if report.library.is_ours(model.source) else source
        found.append({"id": name, "title": model.title, "clauses": clauses, "source": source, "claims": count})
    return found


def say_standings(report: Report) -> dict[str, str]:
    """Return how each claim of a report stands, and the verdict on each of its readings, by their names."""
    standings = {claim.id: standing_of(claim) for claim in report.ledger.claims}
    return standings | {result.name: say_found(result) for result in report.ledger.readings}


def describe_provenance(report: Report) -> dict[str, Any]:
    """Return what it takes to make a report again, and to see whether it is the same one: hashes among it."""
    found = ((result, result.certificate) for result in report.ledger.readings)
    evidence = hash_value([[r.claim, r.id, filed.path, filed.sha256] for r, filed in found if filed is not None])
    rules = {reading.rules or claim.rules for claim in report.ledger.claims for reading in claim.readings}
    hashes = {"specs": _hash_specs(report), "evidence": evidence}
    return {"command": report.command, "versions": report.ledger.tool, "rules": sorted(rules), **hashes}


def _hash_specs(report: Report) -> str:
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
