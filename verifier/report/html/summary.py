"""The counts at the top of the page: how claims stand, those of the documents apart from the auditors' own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verifier.audit.ledger import Standing
from verifier.report.html.claims import ClaimView
from verifier.report.printable import make_printable
from verifier.report.registry import Report


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts.

    Attributes:
        stated, asked: how many of the claims that documents make stand how, and of the auditors' own; no zeros.
        odd: the readings whose verdict is not the one that their spec expects, as claim and reading.
        left: how many readings are not part of the run.
        faults: what kept something from being checked, and what that is.
        standings, methods, documents, verdicts: what can be filtered by.
    """

    claims: int
    readings: int
    stated: dict[str, int]
    asked: dict[str, int]
    odd: tuple[tuple[str, str], ...]
    left: int
    faults: tuple[tuple[str, str], ...]
    standings: tuple[str, ...]
    methods: tuple[str, ...]
    documents: tuple[str, ...]
    verdicts: tuple[str, ...]


def summarise(report: Report, claims: Sequence[ClaimView]) -> Summary:
    """Count the claims of a report."""
    stated, asked = (_count(claim for claim in claims if claim.result.source.ours == ours) for ours in (False, True))
    readings = report.ledger.readings
    return Summary(
        claims=len(claims),
        readings=len(readings),
        stated=stated,
        asked=asked,
        odd=tuple((reading.claim, reading.id) for reading in readings if reading.is_unexpected),
        left=sum(not reading.is_run for reading in readings),
        faults=tuple((make_printable(fault), make_printable(fault.cost)) for fault in report.ledger.faults),
        standings=tuple(name for name in Standing if name in {**stated, **asked}),
        methods=tuple(sorted({reading.question for reading in readings})),
        documents=tuple(dict.fromkeys(claim.result.source.document for claim in claims)),
        verdicts=tuple(sorted({view.word for claim in claims for view in claim.readings})),
    )


def _count(claims: Iterable[ClaimView]) -> dict[str, int]:
    found = Counter(claim.result.standing for claim in claims)
    return {str(name): found[name] for name in Standing if found[name]}
