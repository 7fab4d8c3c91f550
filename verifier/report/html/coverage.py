"""The sentences of the documents, each with its claims or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.language.about import CoverageFile
from verifier.report.registry import Report
from verifier.report.trust import rules_of, standing_of, verdict_of


@dataclass(frozen=True, slots=True)
class SentenceView:
    """A sentence: where it stands, what it asserts, its claims with how they stand, or why there is none.

    Attributes:
        claims: the claim's id, what it is called here, and how it stands; empty where the report has it not.
    """

    document: str
    place: str
    says: str
    claims: tuple[tuple[str, str, str], ...]
    none: str


def list_sentences(report: Report) -> list[SentenceView]:
    """Return the sentences of the documents that a report has claims of, in the order of the text."""
    documents = {claim.source.document for claim in report.ledger.claims}
    standings = {claim.id: standing_of(claim) for claim in report.ledger.claims}
    verdicts = {result.name: verdict_of(result) + rules_of(result) for result in report.ledger.readings}
    found = []
    for spec in report.library.coverage.values():
        if not isinstance(spec.model, CoverageFile) or spec.model.coverage not in documents:
            continue
        for part, sentences in spec.model.contents.items():
            for number, sentence in sentences.items():
                claims = tuple(
                    (name.partition("/")[0], name, (verdicts if "/" in name else standings).get(name, ""))
                    for name in sentence.readings
                )
                place, says = f"{part}, {number}", " ".join(sentence.says.split())
                none = " ".join((sentence.left_out or "").split())
                found.append(SentenceView(spec.model.coverage, place, says, claims, none))
    return found
