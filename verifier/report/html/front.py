"""The first screen: how claims stand, and the headline and the beliefs of each document that has one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from verifier.audit.ledger import Ledger, Standing
from verifier.kernel.verdict import Belief, Verdict
from verifier.report.html.claims import ClaimView
from verifier.report.html.documents import DocumentView
from verifier.report.registry import Report
from verifier.report.sentence import NAMES

_AFTER_REPAIR = {Standing.REPAIRED, Standing.REPAIRED_SUPPORTED}
HOLDS = {Standing.PROVED, Standing.SUPPORTED} | _AFTER_REPAIR


class Front(NamedTuple):
    """What the first screen says of a document that names a headline.

    Attributes:
        verdict: whether the headline holds, in a sentence.
        word: the same as a verdict: proved where the kernel has decided all of it; unknown where some was not run.
        headline: the claims that make it.
        further: our own claims that say more.
        believed: each belief besides the kernel: its name, what is believed, and for how many of these claims.
        kernel_alone: how many claims rest on the kernel alone.
    """

    document: DocumentView
    verdict: str
    word: Verdict
    headline: tuple[ClaimView, ...]
    further: tuple[ClaimView, ...]
    believed: tuple[tuple[str, str, int], ...]
    kernel_alone: int


def count_standings(ledger: Ledger, *, ours: bool) -> dict[Standing, int]:
    """Return how many claims stand how: of those that documents make, or of the auditors' own; without zeros."""
    found: Counter[Standing] = Counter()
    for total in ledger.totals:
        found.update(total.standings if total.ours == ours else {})
    return {name: found[name] for name in Standing if found[name]}


def view_fronts(report: Report, documents: Sequence[DocumentView], claims: Sequence[ClaimView]) -> dict[str, Front]:
    """Return the first screens of the documents that name a headline, as far as it is in the report."""
    views = {claim.result.id: claim for claim in claims}
    found = {}
    for document in documents:
        model = report.library.document(document.id)
        if model is None or not any(name in views for name in model.headline):
            continue
        headline = tuple(views[name] for name in model.headline if name in views)
        further = tuple(views[name] for name in model.sharpened_by if name in views)
        beliefs = [claim.result.beliefs for claim in (*headline, *further) if claim.result.standing in HOLDS]
        counts = {belief: sum(belief in item for item in beliefs) for belief in Belief}
        believed = tuple((NAMES[belief], belief.value, count) for belief, count in counts.items() if count)
        verdict, word = _judge(headline, is_whole=len(headline) == len(model.headline))
        alone = sum(not item for item in beliefs)
        found[document.id] = Front(document, verdict, word, headline, further, believed, alone)
    return found


def _judge(headline: Sequence[ClaimView], *, is_whole: bool) -> tuple[str, Verdict]:
    """Say whether a headline holds, in a sentence and as a verdict."""
    standings = [claim.result.standing for claim in headline]
    if not is_whole or {Standing.NOT_RUN, Standing.UNDETERMINED}.intersection(standings):
        return "Not all of the headline was decided in this run.", Verdict.UNKNOWN
    if not HOLDS.issuperset(standings):
        how = "fails" if Standing.REFUTED in standings else "depends on how it is read"
        return f"Part of the headline {how}.", Verdict.REFUTED
    repaired = sum(standing in _AFTER_REPAIR for standing in standings)
    part = "all of it" if repaired == len(headline) else f"{repaired} of its {len(headline)} parts"
    believed = sum(bool(claim.result.beliefs) for claim in headline)
    some = f"; {believed} of its {len(headline)} parts {'is' if believed == 1 else 'are'} supported, not proved"
    in_coq = all(any(reading.result.in_coq for reading in claim.readings) for claim in headline)
    repair = f", {part} after a repair" if repaired else ""
    said = f"The headline holds{repair}{some if believed else ''}{'; all of it in Coq as well' if in_coq else ''}."
    return said, Verdict.SUPPORTED if believed else Verdict.PROVED
