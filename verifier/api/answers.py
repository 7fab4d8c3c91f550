"""What a recheck of a certificate came to: lines for people, JSON for programs. Loads the standard library alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.verdict import Verdict
from verifier.report.printable import make_printable

if TYPE_CHECKING:
    from verifier.kernel.verdict import Result
    from verifier.recheck import Answer

_PART = "followed refutations of {refuted:,} of {obligations:,} obligations"
"""How much of a supported statement the kernel has decided."""

_REASON = 200
"""How much is printed of why something is refuted: names in it come from files, and may be of any length."""


def _plain(text: str) -> str:
    """Return what comes from a file in ASCII, on a line in which spaces stand alone.

    Names may be of any length, and terminals wrap: with spaces enough a name would look like further lines. Another
    space is written out, since names that differ in spaces alone are two names.
    """
    shown = re.sub("[^ -~…]", lambda found: found[0].encode("unicode_escape").decode(), make_printable(text))
    return re.sub("(?<= ) ", r"\\x20", shown)


def _describe(outcome: Result | CertificateError) -> tuple[str, str]:
    """Return how a certificate came out in a word, and why, or how much was decided and by what the rest stands.

    Of what is refuted it tells which part fails: all of it, or a strategy that has no move, are not the same news.
    """
    if isinstance(outcome, CertificateError):
        return ("not decided" if outcome.reason == "time" else "rejected"), str(outcome)
    if outcome.verdict is Verdict.REFUTED:
        return "refuted", outcome.reason if len(outcome.reason) <= _REASON else f"{outcome.reason[:_REASON]}…"
    found = [belief.value for belief in outcome.beliefs]
    if found and {"refuted", "obligations"} <= set(outcome.stats):
        found.insert(0, _PART.format_map(outcome.stats))
    return str(outcome.verdict), "; ".join(found)


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """Return what a program is told of a certificate."""
    verdict, detail = _describe(answer.outcome)
    return {
        "statement": answer.request.statement,
        "words": answer.words,
        "filed": list(answer.request.names),
        "decided": answer.is_decided,
        "verdict": verdict,
        "detail": detail,
        "stats": {} if isinstance(answer.outcome, CertificateError) else dict(answer.outcome.stats),
    }


def answer_lines(answer: Answer) -> list[str]:
    """Return what is printed of a certificate: what it states, what it is filed as, and how it came out."""
    verdict, detail = _describe(answer.outcome)
    closer = f"    look closer: verifier check {answer.request.names[0].partition('/')[0]}"
    return [
        f"{answer.request.statement[:16]} {_plain(answer.words or 'nothing that could be read')}",
        f"    filed as {make_printable(', '.join(answer.request.names))}",
        f"    {verdict}" + (f" ({_plain(detail)})" if detail else ""),
        *([make_printable(closer)] * (verdict == "rejected")),
    ]
