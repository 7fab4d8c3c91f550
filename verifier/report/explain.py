"""What a verdict rests on, as a tree: a claim, its readings, the claims that these join, and those to read first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from verifier.audit.ledger import ClaimResult, Ledger
from verifier.language.library import Library
from verifier.language.references import joined_claims
from verifier.methods.result import ReadingResult
from verifier.report.layout import Layout
from verifier.report.sentence import rules_of, standing_of, trust_of
from verifier.report.show import label_lines, reading_head


def render_tree(ledger: Ledger, library: Library, claim: str, layout: Layout) -> str:
    """Return what a claim of a ledger rests on as text, each claim in full where it is met first."""
    results = {result.id: result for result in ledger.claims}
    return "\n".join(_lines(results, library, claim, layout, set())) + "\n"


def _lines(
    results: Mapping[str, ClaimResult], library: Library, name: str, layout: Layout, met: set[str]
) -> Iterator[str]:
    """Yield the lines of a claim and what is below it; this adds what it meets to the given set."""
    result = results[name]
    head = f"{name}: {layout.paint(standing_of(result), result.standing)}"
    if name in met:
        yield f"{head}, see above"
        return
    met.add(name)
    yield head
    inner = replace(layout, width=layout.width - 3)
    branches = [list(_reading_lines(reading, inner)) for reading in result.readings]
    joined = joined_claims(library.claim(name))
    for other in dict.fromkeys([*joined, *result.uses]):
        role = "joins" if other in joined else "to read first (no verdict rests on it):"
        first, *rest = _lines(results, library, other, inner, met)
        branches.append([f"{role} {first}", *rest])
    yield from (f"│  {line}" for line in inner.wrap(result.title, ""))
    for number, (first, *rest) in enumerate(branches, 1):
        branch, below = ("├─ ", "│  ") if number < len(branches) else ("└─ ", "   ")
        yield branch + first
        yield from (below + line for line in rest)


def _reading_lines(result: ReadingResult, layout: Layout) -> Iterator[str]:
    odd = rules_of(result) + ("" if result.is_expected else f", expected {result.expected}")
    yield from reading_head(result, "", odd, layout)
    for line in label_lines(
        reason=result.trouble or result.reason,
        trust=trust_of(result),
        hypotheses_used=", ".join(dict.fromkeys(name for needs in result.needs for name in needs.used)),
        certificate=result.certificate.path if result.certificate else "",
    ):
        yield from layout.wrap(line, "", "  ")
