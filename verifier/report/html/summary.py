"""The counts at the top of the page: how the claims stand, document by document, and what that rests on.

What the documents say is counted apart from the auditors' own claims and questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from verifier.audit.ledger import Standing
from verifier.kernel.verdict import Verdict
from verifier.report.html.claims import ClaimView
from verifier.report.html.front import HOLDS
from verifier.report.registry import Report
from verifier.report.trust import name_beliefs


@dataclass(frozen=True, slots=True)
class Row:
    """How some claims stand.

    Attributes:
        document: of which document they are; empty for those of all documents.
        is_ours: they are the auditors' own; None where it is all claims.
        counts: how many stand how, for each of the standings that occur on the page.
        claims: how many they are.
    """

    document: str
    is_ours: bool | None
    counts: tuple[int, ...]
    claims: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts.

    Attributes:
        standings: those that occur, in the order of ``Standing``.
        rows: first of what each document says, then of the auditors' own, document by document.
        totals: of what the documents say, of the auditors' own, and of all claims; those that are not empty.
        believed: what has to be believed for the claims that hold, as stated or after repair, with for how many.
        odd: the readings whose verdict is not the one that their spec expects, as claim and reading.
        left: how many readings are not part of the run.
        quick: of how many a run with --full would decide more.
        controls: the readings that have to be refuted, as claim and reading, with what was found.
        methods, documents, verdicts: what can be filtered by.
    """

    claims: int
    readings: int
    standings: tuple[str, ...]
    rows: tuple[Row, ...]
    totals: tuple[Row, ...]
    believed: tuple[tuple[str, int], ...]
    odd: tuple[tuple[str, str], ...]
    left: int
    quick: int
    controls: tuple[tuple[str, str, str], ...]
    methods: tuple[str, ...]
    documents: tuple[str, ...]
    verdicts: tuple[str, ...]

    def counts(self, row: Row) -> dict[str, int]:
        """How many of a row's claims stand how; standings that none of them has are left out."""
        return {name: count for name, count in zip(self.standings, row.counts, strict=True) if count}


def summarise(report: Report, claims: Sequence[ClaimView]) -> Summary:
    """Count the claims of a report."""
    found = Counter(claim.word for claim in claims)
    standings = tuple(str(name) for name in Standing if found[name])
    documents = tuple(dict.fromkeys(claim.document for claim in claims))
    rows = [_row(name, ours, standings, claims) for ours in (False, True) for name in documents]
    totals = [_row("", ours, standings, claims) for ours in (False, True, None)]
    rests = Counter(name_beliefs(claim.beliefs) for claim in report.ledger.claims if claim.standing in HOLDS)
    readings = report.ledger.readings
    return Summary(
        claims=len(claims),
        readings=len(readings),
        standings=standings,
        rows=tuple(row for row in rows if row.claims),
        totals=tuple(row for row in totals if row.claims),
        believed=tuple((name or "nothing but the kernel", count) for name, count in sorted(rests.items())),
        odd=tuple((reading.claim, reading.id) for reading in readings if not reading.is_expected),
        left=sum(not reading.is_run for reading in readings),
        quick=sum(reading.quick and reading.verdict is Verdict.SUPPORTED for reading in readings),
        controls=tuple((c.id, view.id, view.word) for c in claims for view in c.readings if view.is_control),
        methods=tuple(sorted({reading.method for reading in readings})),
        documents=documents,
        verdicts=tuple(sorted({view.word for claim in claims for view in claim.readings})),
    )


def _row(document: str, ours: bool | None, standings: Sequence[str], claims: Sequence[ClaimView]) -> Row:
    chosen = [
        claim
        for claim in claims
        if (not document or claim.document == document) and (ours is None or claim.is_ours == ours)
    ]
    counts = tuple(sum(claim.word == word for claim in chosen) for word in standings)
    return Row(document, ours, counts, len(chosen))
