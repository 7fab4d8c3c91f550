"""What a report says has to be believed follows the trust lines that the kernel writes."""

from __future__ import annotations

from verifier.checkers.ledger import ReadingResult
from verifier.checkers.settle import CompiledSearch
from verifier.kernel import check, pattern, tables
from verifier.kernel.bound import Sample, trust_of
from verifier.kernel.verdict import Verdict
from verifier.report.registry import Report
from verifier.report.trust import KERNEL, NAMES, SEARCH, SOLVER, key_of, trust_in_full, trust_of_reading


def reading(trust: str) -> ReadingResult:
    return ReadingResult("c", "r", "exhaustive", Verdict.PROVED, Verdict.PROVED, "", trust, {}, None)


def test_the_kernels_own_lines_name_nothing_else() -> None:
    """What the kernel visited or replayed itself rests on it alone."""
    lines = (check.TRUST_ENUMERATION, check.TRUST_REPLAY, pattern.TRUST_LINE, pattern.TRUST_PATTERN, tables.TRUST)
    for line in lines:
        assert key_of(trust_of_reading(reading(line), {})) == KERNEL


def test_a_compiled_search_is_named_where_the_kernel_saw_a_sample() -> None:
    """A bound whose races a compiled search decided rests on it; one that the kernel decided whole does not."""
    stats = {"replies": 10, "leaves": 100, "settled": 4}
    searched = trust_of(stats, CompiledSearch(Sample(4, 0)))
    whole = trust_of({**stats, "settled": 100}, CompiledSearch(Sample(4, 0)))
    assert trust_of_reading(reading(searched), {}) == {SEARCH}
    assert trust_of_reading(reading(whole), {}) == frozenset()


def test_a_claim_rests_on_what_lies_below_it(report: Report) -> None:
    """A proof by Z3 counts for the claims above it, and a conjunction has the trust of what it joins."""
    claims = {claim.id: claim for claim in report.ledger.claims}
    assert key_of(trust_in_full("classic-draw", claims)) == KERNEL
    assert key_of(trust_in_full("p1-note", claims)) == SOLVER
    assert set(NAMES) >= {key_of(trust_in_full(name, claims)) for name in claims}
