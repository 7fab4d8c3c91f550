"""The counts at the top of the page: how the claims stand, document by document, and what that rests on.

What the documents say is counted apart from the auditors' own claims and questions.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from verifier.report.html.claims import ClaimView
from verifier.report.registry import Report
from verifier.report.trust import KERNEL, NAMES, name_of

STANDINGS = ("proved as stated", "proved after repair", "refuted", "undetermined", "not run")


@dataclass(frozen=True, slots=True)
class Row:
    """How some claims stand.

    Attributes:
        document: of which document they are; empty for those of all documents.
        is_ours: they are the auditors' own; None where it is all claims.
        counts: how many stand how, for each of the standings that occur on the page.
        claims: how many they are.
        fully_proved: how many of them are fully proved.
    """

    document: str
    is_ours: bool | None
    counts: tuple[int, ...]
    claims: int
    fully_proved: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts.

    Attributes:
        standings: those that occur, in the order of ``STANDINGS``.
        rows: first of what each document says, then of the auditors' own, document by document.
        totals: of what the documents say, of the auditors' own, and of all claims; those that are not empty.
        trust: what the fully proved claims rest on, everything below them included, with how many do.
        odd: the readings whose verdict is not the one that their spec expects, as claim and reading.
        skipped: how many readings were not run.
        methods, documents, verdicts: what can be filtered by.
    """

    claims: int
    readings: int
    standings: tuple[str, ...]
    rows: tuple[Row, ...]
    totals: tuple[Row, ...]
    trust: tuple[tuple[str, int], ...]
    odd: tuple[tuple[str, str], ...]
    skipped: int
    methods: tuple[str, ...]
    documents: tuple[str, ...]
    verdicts: tuple[str, ...]

    def counts(self, row: Row) -> dict[str, int]:
        """How many of a row's claims stand how; standings that none of them has are left out."""
        return {name: count for name, count in zip(self.standings, row.counts, strict=True) if count}


def summarise(report: Report, claims: Sequence[ClaimView]) -> Summary:
    """Count the claims of a report."""
    found = Counter(claim.standing for claim in claims)
    standings = tuple(name for name in STANDINGS if found[name])
    documents = tuple(dict.fromkeys(claim.document for claim in claims))
    rows = [_row(name, ours, standings, claims) for ours in (False, True) for name in documents]
    totals = [_row("", ours, standings, claims) for ours in (False, True, None)]
    kinds = [KERNEL, *(" ".join(some) for count in range(1, 4) for some in itertools.combinations(NAMES, count))]
    rests = Counter(claim.trust_full for claim in claims if claim.is_fully_proved)
    readings = report.ledger.readings
    return Summary(
        claims=len(claims),
        readings=len(readings),
        standings=standings,
        rows=tuple(row for row in rows if row.claims),
        totals=tuple(row for row in totals if row.claims),
        trust=tuple((name_of(key), rests[key]) for key in kinds if rests[key]),
        odd=tuple((reading.claim, reading.reading) for reading in readings if not reading.is_expected),
        skipped=sum(bool(reading.skipped) for reading in readings),
        methods=tuple(sorted({reading.method for reading in readings})),
        documents=documents,
        verdicts=tuple(sorted({view.found for claim in claims for view in claim.readings})),
    )


def _row(document: str, ours: bool | None, standings: Sequence[str], claims: Sequence[ClaimView]) -> Row:
    chosen = [
        claim
        for claim in claims
        if (not document or claim.document == document) and (ours is None or claim.is_ours == ours)
    ]
    counts = tuple(sum(claim.standing == word for claim in chosen) for word in standings)
    return Row(document, ours, counts, len(chosen), sum(claim.is_fully_proved for claim in chosen))
