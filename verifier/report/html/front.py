"""The first screen: headline, repairs and beliefs of one document; a row for each of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from verifier.audit.ledger import Standing
from verifier.kernel.verdict import Belief, Verdict
from verifier.report.errata.letter import Errata
from verifier.report.html.claims import ClaimView
from verifier.report.html.documents import DocumentView
from verifier.report.registry import Report
from verifier.report.trust import NAMES

HOLDS = {Standing.PROVED, Standing.SUPPORTED, Standing.REPAIRED, Standing.REPAIRED_SUPPORTED}
_AFTER_REPAIR = {Standing.REPAIRED, Standing.REPAIRED_SUPPORTED}


@dataclass(frozen=True, slots=True)
class Front:
    """What the first screen says of a document that names a headline.

    Attributes:
        verdict: whether the headline holds, in a sentence.
        word: the same as a verdict: proved where the kernel has decided all of it; unknown where some was not run.
        headline: the claims that make it.
        further: our own claims that say more.
        errata: what needs repair in the document.
        others: the errata of the other documents.
        believed: each belief besides the kernel: its name, what is believed, and for how many of these claims.
        kernel_alone: how many claims rest on the kernel alone.
    """

    document: DocumentView
    verdict: str
    word: Verdict
    headline: tuple[ClaimView, ...]
    further: tuple[ClaimView, ...]
    errata: Errata | None
    others: tuple[Errata, ...]
    believed: tuple[tuple[str, str, int], ...]
    kernel_alone: int


@dataclass(frozen=True, slots=True)
class Row:
    """What the first screen says of a document where there are several.

    Attributes:
        front: how its headline stands; None if it names none.
        first: the first of its claims, to which the row leads.
        stated: each standing of its own claims, with their number.
        errata: what needs repair in it.
    """

    document: DocumentView
    front: Front | None
    first: str
    stated: tuple[tuple[str, int], ...]
    errata: Errata | None


def view_fronts(
    report: Report, documents: Sequence[DocumentView], claims: Sequence[ClaimView], errata: Sequence[Errata]
) -> tuple[Front, ...]:
    """Return the first screens of the documents that name a headline, as far as it is in the report."""
    return tuple(front for document in documents if (front := _view_front(report, document, claims, errata)))


def view_rows(
    documents: Sequence[DocumentView], fronts: Sequence[Front], claims: Sequence[ClaimView], errata: Sequence[Errata]
) -> tuple[Row, ...]:
    """Return a row for each document, if at least two of them name a headline; else none."""
    if len(fronts) < 2:
        return ()
    known = {front.document.id: front for front in fronts}
    broken = {item.document: item for item in errata if item.entries}
    rows = []
    for document in documents:
        own = [claim for claim in claims if claim.result.source.document == document.id]
        count = Counter(claim.result.standing for claim in own if document.is_ours or not claim.result.source.ours)
        stated = tuple((str(name), count[name]) for name in Standing if count[name])
        rows.append(Row(document, known.get(document.id), own[0].result.id, stated, broken.get(document.id)))
    return tuple(rows)


def _view_front(
    report: Report, document: DocumentView, claims: Sequence[ClaimView], errata: Sequence[Errata]
) -> Front | None:
    views = {claim.result.id: claim for claim in claims}
    model = report.library.document(document.id)
    if model is None or not any(name in views for name in model.headline):
        return None
    headline = tuple(views[name] for name in model.headline if name in views)
    further = tuple(views[name] for name in model.sharpened_by if name in views)
    shown = [claim for claim in (*headline, *further) if claim.result.standing in HOLDS]
    holds = None if len(headline) < len(model.headline) else _holds(headline)
    return Front(
        document,
        _verdict(headline, holds=holds),
        _word(headline, holds=holds),
        headline,
        further,
        next((item for item in errata if item.document == document.id), None),
        tuple(item for item in errata if item.document != document.id and item.entries),
        tuple(
            (NAMES[belief], belief.value, count)
            for belief in Belief
            if (count := sum(str(belief) in claim.beliefs for claim in shown))
        ),
        sum(not claim.beliefs for claim in shown),
    )


def _holds(headline: Sequence[ClaimView]) -> bool | None:
    words = {claim.result.standing for claim in headline}
    return None if words & {Standing.NOT_RUN, Standing.UNDETERMINED} else words <= HOLDS


def _word(headline: Sequence[ClaimView], *, holds: bool | None) -> Verdict:
    if not holds:
        return Verdict.UNKNOWN if holds is None else Verdict.REFUTED
    return Verdict.SUPPORTED if any(claim.beliefs for claim in headline) else Verdict.PROVED


def _verdict(headline: Sequence[ClaimView], *, holds: bool | None) -> str:
    if holds is None:
        return "Not all of the headline was decided in this run."
    if not holds:
        fails = any(claim.result.standing == Standing.REFUTED for claim in headline)
        return "Part of the headline fails." if fails else "Part of the headline depends on how it is read."
    repaired = sum(claim.result.standing in _AFTER_REPAIR for claim in headline)
    part = "all of it" if repaired == len(headline) else f"{repaired} of its {len(headline)} parts"
    believed = sum(bool(claim.beliefs) for claim in headline)
    some = f"; {believed} of its {len(headline)} parts {'is' if believed == 1 else 'are'} supported, not proved"
    in_coq = all(any(reading.result.in_coq for reading in claim.readings) for claim in headline)
    repair = f", {part} after a repair" if repaired else ""
    return f"The headline holds{repair}{some if believed else ''}{'; all of it in Coq as well' if in_coq else ''}."
