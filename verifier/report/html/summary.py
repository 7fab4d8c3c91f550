"""The counts at the top of the page: how the claims stand, document by document, and what that rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from verifier.report.html.claims import ClaimView
from verifier.report.registry import Report
from verifier.report.trust import NAMES

STANDINGS = ("proved as stated", "proved after repair", "refuted", "undetermined", "not run")


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts.

    Attributes:
        standings: those that occur, in the order of ``STANDINGS``.
        rows: for each document its name, how many claims stand how, all of them, and how many are fully proved.
        total: the same for all documents.
        trust: what the fully proved claims rest on, everything below them included, with how many do.
        odd: the readings whose verdict is not the one that their spec expects, as claim and reading.
        skipped: how many readings were not run.
        methods, documents, verdicts: what can be filtered by.
    """

    claims: int
    readings: int
    standings: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...], int, int], ...]
    total: tuple[tuple[int, ...], int, int]
    trust: tuple[tuple[str, int], ...]
    odd: tuple[tuple[str, str], ...]
    skipped: int
    methods: tuple[str, ...]
    documents: tuple[str, ...]
    verdicts: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many claims stand how."""
        return dict(zip(self.standings, self.total[0], strict=True))


def summarise(report: Report, claims: Sequence[ClaimView]) -> Summary:
    """Count the claims of a report."""
    found = Counter(claim.standing for claim in claims)
    standings = tuple(name for name in STANDINGS if found[name])
    documents = tuple(dict.fromkeys(claim.document for claim in claims))
    rows = [_row(name, standings, [claim for claim in claims if claim.document == name]) for name in documents]
    rests = Counter(claim.trust_full for claim in claims if claim.is_fully_proved)
    readings = report.ledger.readings
    return Summary(
        claims=len(claims),
        readings=len(readings),
        standings=standings,
        rows=tuple(rows),
        total=_row("", standings, claims)[1:],
        trust=tuple((name, rests[key]) for key, name in NAMES.items() if rests[key]),
        odd=tuple((reading.claim, reading.reading) for reading in readings if not reading.is_expected),
        skipped=sum(bool(reading.skipped) for reading in readings),
        methods=tuple(sorted({reading.method for reading in readings})),
        documents=documents,
        verdicts=tuple(sorted({view.found for claim in claims for view in claim.readings})),
    )


def _row(name: str, standings: Sequence[str], claims: Sequence[ClaimView]) -> tuple[str, tuple[int, ...], int, int]:
    counts = tuple(sum(claim.standing == word for claim in claims) for word in standings)
    return name, counts, len(claims), sum(claim.is_fully_proved for claim in claims)
