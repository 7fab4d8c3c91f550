"""What a result says, a line each: the same words in every format."""

from __future__ import annotations

from verifier.audit.ledger import ClaimResult, Standing, Total
from verifier.kernel.verdict import Verdict
from verifier.methods.result import ReadingResult
from verifier.methods.witness import Counterexample
from verifier.report.trust import REACH, REPAIRED, rules_of, standing_of, verdict_of


def reading_sentence(result: ReadingResult) -> str:
    """Say what came out, why, and, where it differs, what was expected."""
    if result.trouble:
        return _one_line(result.trouble)
    if result.is_lost:
        return _one_line(f"{result.decided}: {result.reason}")
    if not result.is_run:
        return _one_line(result.reason or str(result.decided))
    found = verdict_of(result) + rules_of(result)
    head = f"{found}, as expected" if result.is_expected else f"expected {result.expected}, found {found}"
    return _one_line(f"{head}: {result.reason}" if result.reason else head)


def source_of(result: ClaimResult) -> str:
    """Say where a claim is made, or about what the auditors have made it."""
    source = result.source
    return f"{'our own, on ' if source.ours else ''}{source.document}, {source.place}"


def claim_sentence(result: ClaimResult) -> str:
    """Say how a claim stands, which of its readings are refuted and why, and what a repair adds."""
    parts = [f"{standing_of(result)} ({source_of(result)}: {result.title})"]
    for reading in result.readings:
        if reading.verdict is Verdict.REFUTED and not reading.control:
            parts.append(f"{reading.id} is refuted{rules_of(reading)}: {reading.reason}")
        elif reading.holds and reading.repairs and reading.because:
            parts.append(f"{reading.id} is {verdict_of(reading)}{rules_of(reading)}: {reading.because}")
    return _one_line("; ".join(parts))


def total_sentence(total: Total) -> str:
    """Say how many claims stand how; of those after repair also how bad the worst fault of each is.

    >>> from verifier.audit.ledger import Standing, Total
    >>> total_sentence(Total("paper", False, 3, {Standing.PROVED: 1, Standing.REPAIRED: 2}, {"slip": 2}))
    '1 proved as stated, 2 proved after repair (2 of a slip)'
    """
    severities = ", ".join(f"{count} {REPAIRED[severity]}" for severity, count in total.severities.items())
    last = Standing.REPAIRED_SUPPORTED if Standing.REPAIRED_SUPPORTED in total.standings else Standing.REPAIRED
    parts = (
        f"{count} {standing}{f' ({severities})' if severities and standing is last else ''}"
        for standing, count in total.standings.items()
    )
    return ", ".join(parts)


def witness_sentence(result: ReadingResult) -> str:
    """Say which play, or which position and step, the kernel replayed; nothing where there is none."""
    witness = result.witness
    if witness is None:
        return ""
    moves = " ".join(witness.moves) or "no move"
    if isinstance(witness, Counterexample):
        return f"the step fails from {witness.position} by {moves} to {witness.after}; {REACH[witness.reachable]}"
    return f"play: from {witness.start} by {moves} to {witness.position}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
