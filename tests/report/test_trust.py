"""What a report says has to be believed follows the trust lines that the kernel writes."""

from __future__ import annotations

from tests.report.conftest import SPECS
from verifier.checkers.ledger import Ledger, ReadingResult, conclude
from verifier.kernel import check, pattern, tables
from verifier.kernel.verdict import Verdict
from verifier.report.json import build_ledger
from verifier.report.registry import Report
from verifier.report.text import show_claim
from verifier.report.trust import (
    KERNEL,
    NAMES,
    SOLVER,
    WORDS,
    in_words,
    key_of,
    name_of,
    trust_in_full,
    trust_of_reading,
)
from verifier.spec.library import Library, load_library


def proved(claim: str, library: Library) -> ReadingResult:
    """Return a proof by Z3 of a claim's first reading."""
    name = next(iter(library.claim(claim).readings))
    return ReadingResult(claim, name, "induction", Verdict.PROVED, Verdict.PROVED, "", "Z3", {}, None)


def reading(trust: str) -> ReadingResult:
    return ReadingResult("c", "r", "exhaustive", Verdict.PROVED, Verdict.PROVED, "", trust, {}, None)


def test_the_kernels_own_lines_name_nothing_else() -> None:
    """What the kernel visited or replayed itself rests on it alone."""
    lines = (check.TRUST_ENUMERATION, check.TRUST_REPLAY, pattern.TRUST_LINE, pattern.TRUST_PATTERN, tables.TRUST)
    for line in lines:
        assert key_of(trust_of_reading(reading(line), {})) == KERNEL


def test_a_claim_rests_on_what_lies_below_it(report: Report) -> None:
    """A proof by Z3 counts for the claims above it, and a conjunction has the trust of what it joins."""
    claims = {claim.id: claim for claim in report.ledger.claims}
    assert key_of(trust_in_full("classic-draw", claims)) == KERNEL
    assert key_of(trust_in_full("p1-note", claims)) == SOLVER
    assert {kind for name in claims for kind in trust_in_full(name, claims)} <= set(NAMES)


def test_an_argument_in_words_is_named() -> None:
    """Where a spec says that its parts are joined in words, that has to be believed, by what rests on it as well."""
    library = load_library(SPECS)
    found = [conclude(library.claim(name), [proved(name, library)], {}) for name in ("lemma-5", "lemma-4")]
    claims = {claim.id: claim for claim in found}
    assert trust_of_reading(claims["lemma-4"].readings[0], claims) == {SOLVER, WORDS}
    assert name_of(key_of(trust_in_full("lemma-4", claims))) == "the kernel, Z3 and an argument in words"
    assert name_of(key_of(frozenset())) == "the kernel alone"


def test_ledgers_tell_arguments_in_words_and_what_is_ours() -> None:
    """JSON and the terminal have the argument in full, and say which claims no document makes."""
    library = load_library(SPECS)
    claims = tuple(
        conclude(library.claim(name), [proved(name, library)], {}) for name in ("lemma-4", "lemma-6-strengthened")
    )
    data = build_ledger(Ledger(claims), library)["claims"]
    words = [in_words(library.claim(claim.id).readings["as-stated"]) for claim in claims]
    assert [item["readings"][0]["in_words"] for item in data] == words
    assert [item["source"]["ours"] for item in data] == [False, True]
    shown = [
        " ".join(show_claim(claim, is_ours=item["source"]["ours"]).split())
        for claim, item in zip(claims, data, strict=True)
    ]
    assert all(f"in words, to be believed: {text}" in text_shown for text, text_shown in zip(words, shown, strict=True))
    assert ["our own, on paper" in text for text in shown] == [False, True]
