"""What a result says, a line each: the same words in every format."""

from __future__ import annotations

from verifier.checkers.ledger import ClaimResult, ReadingResult


def reading_sentence(result: ReadingResult) -> str:
    """Say what came out, why, and, where it differs, what was expected."""
    if result.trouble:
        return _one_line(result.trouble)
    if result.skipped:
        return _one_line(result.reason)
    as_expected = f"{result.verdict}, as expected"
    head = as_expected if result.is_expected else f"expected {result.expected}, found {result.verdict}"
    return _one_line(f"{head}: {result.reason}" if result.reason else head)


def claim_sentence(result: ClaimResult) -> str:
    """Say how a claim stands, which of its readings are refuted and why, and what a repair adds."""
    source = result.model.source
    parts = [f"{result.standing} ({source.document}, {source.place}: {result.model.title})"]
    for reading in result.readings:
        model = result.model.readings[reading.reading]
        if not reading.skipped and str(reading.verdict) == "refuted":
            parts.append(f"{reading.reading} is refuted: {reading.reason}")
        elif str(reading.verdict) == "proved" and model.repairs and model.because:
            parts.append(f"{reading.reading} is proved: {model.because}")
    return _one_line("; ".join(parts))


def witness_sentence(result: ReadingResult) -> str:
    """Say which play, or which position and step, the kernel replayed; nothing where there is none."""
    witness = result.witness
    if not witness:
        return ""
    moves = " ".join(witness["moves"])
    if witness["kind"] == "counterexample":
        return f"counterexample: from {witness['position']} by {moves or 'no move'} to {witness['after']}"
    return f"play: from {witness['start']} by {moves or 'no move'} to {witness['position']}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
