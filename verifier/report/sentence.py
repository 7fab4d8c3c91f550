"""What a result says, a line each: the same words in every format."""

from __future__ import annotations

from verifier.kernel.verdict import Verdict
from verifier.methods.ledger import ClaimResult, ReadingResult
from verifier.report.trust import REACH, play_of, standing_of, verdict_of


def reading_sentence(result: ReadingResult) -> str:
    """Say what came out, why, and, where it differs, what was expected."""
    if result.trouble:
        return _one_line(result.trouble)
    if not result.is_run:
        return _one_line(result.reason or str(result.decided))
    found = verdict_of(result)
    head = f"{found}, as expected" if result.is_expected else f"expected {result.expected}, found {found}"
    return _one_line(f"{head}: {result.reason}" if result.reason else head)


def claim_sentence(result: ClaimResult) -> str:
    """Say how a claim stands, which of its readings are refuted and why, and what a repair adds."""
    source = result.model.source
    parts = [f"{standing_of(result)} ({source.document}, {source.place}: {result.model.title})"]
    for reading in result.readings:
        model = result.model.readings[reading.reading]
        if reading.verdict is Verdict.REFUTED and not model.control:
            held = f" (it {play_of(result.model, reading)})" if reading.in_play else ""
            parts.append(f"{reading.reading} is refuted{held}: {reading.reason}")
        elif reading.holds and model.repairs and model.because:
            parts.append(f"{reading.reading} is {verdict_of(reading)}: {model.because}")
    return _one_line("; ".join(parts))


def witness_sentence(result: ReadingResult) -> str:
    """Say which play, or which position and step, the kernel replayed; nothing where there is none."""
    witness = result.witness
    if not witness:
        return ""
    moves = " ".join(witness["moves"])
    if witness["kind"] == "counterexample":
        reach = REACH[witness["reachable"]]
        return f"the step fails from {witness['position']} by {moves or 'no move'} to {witness['after']}; {reach}"
    return f"play: from {witness['start']} by {moves or 'no move'} to {witness['position']}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
