"""What a verdict rests on, as a tree: a claim, the evidence for its readings, and the claims that it uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from verifier.audit.ledger import ClaimResult, Ledger
from verifier.audit.store import Stores
from verifier.language.library import Library
from verifier.language.questions import Steps
from verifier.language.references import joined_claims
from verifier.methods.result import ReadingResult, name_all
from verifier.methods.shown import read_uses
from verifier.report.layout import Layout
from verifier.report.sentence import rules_of, standing_of, trust_of
from verifier.report.show import label_lines, reading_head

BOXES = ("├─ ", "└─ ", "│  ", "   ")
ASCII = ("|- ", "`- ", "|  ", "   ")
"""Before a branch, before the last one, and before what stands below each of the two."""


Hypotheses = dict[str, list[str]]
"""Which ones the proof of each part of a step needed, in the order in which they are met."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A claim, and below it those that it rests on.

    Attributes:
        role: why it stands here: ``asked for``, ``joined`` or ``used``.
        is_above: it was met before, and stands there in full; here it has no branches.
        rests_on, reads: the claims of which it joins readings, and those to read first.
    """

    result: ClaimResult
    role: str
    is_above: bool
    readings: tuple[tuple[ReadingResult, Hypotheses], ...] = ()
    rests_on: tuple[Tree, ...] = ()
    reads: tuple[Tree, ...] = ()


def build_tree(ledger: Ledger, library: Library, evidence: Stores, claim: str) -> Tree:
    """Return what a claim of a ledger rests on, each claim in full where it is met first."""
    results = {result.id: result for result in ledger.claims}
    met: set[str] = set()

    def grow(name: str, role: str) -> Tree:
        result = results[name]
        if name in met:
            return Tree(result, role, is_above=True)
        met.add(name)
        readings = tuple((reading, _find_uses(library, evidence, reading)) for reading in result.readings)
        joined = joined_claims(library.claim(name))
        rests_on = tuple(grow(other, "joined") for other in joined)
        reads = tuple(grow(other, "used") for other in result.uses if other not in joined)
        return Tree(result, role, False, readings, rests_on, reads)

    return grow(claim, "asked for")


def _find_uses(library: Library, evidence: Stores, result: ReadingResult) -> Hypotheses:
    model, filed = library.claim(result.claim).readings[result.id], result.certificate
    if filed is None or not isinstance(model, Steps) or not result.is_followed:
        return {}
    certificate = evidence.certificate(filed.key, filed.sha256)
    return read_uses(certificate.statement, certificate.evidence)


def tree_to_json(tree: Tree) -> dict[str, Any]:
    """Return a tree as an object."""
    value: dict[str, Any] = {
        "claim": tree.result.id,
        "role": tree.role,
        "title": tree.result.title,
        "standing": tree.result.standing,
        "beliefs": name_all(tree.result.beliefs),
        "above": tree.is_above,
    }
    if not tree.is_above:
        value["readings"] = [_reading_to_json(*reading) for reading in tree.readings]
        value["rests_on"] = [tree_to_json(other) for other in tree.rests_on]
        value["reads"] = [tree_to_json(other) for other in tree.reads]
    return value


def _reading_to_json(result: ReadingResult, hypotheses: Hypotheses) -> dict[str, Any]:
    return {
        "id": result.id,
        "question": result.question,
        "rules": result.rules,
        "verdict": str(result.verdict),
        "decided": result.decided,
        "beliefs": name_all(result.beliefs),
        "expected": str(result.expected),
        "as_expected": result.is_expected,
        "repairs": list(result.repairs),
        "reason": result.reason,
        "trouble": result.trouble,
        "trust": trust_of(result),
        "in_coq": result.in_coq is not None,
        "hypotheses": hypotheses,
        "joins": list(result.joins),
        "certificate": result.certificate and {"path": result.certificate.path, "sha256": result.certificate.sha256},
    }


def render_tree(tree: Tree, layout: Layout, encoding: str | None = "utf-8") -> str:
    """Return a tree as text, in characters that an encoding has."""
    code = encoding or "ascii"
    try:
        "".join(BOXES).encode(code)
        marks = BOXES
    except UnicodeEncodeError:
        marks = ASCII
    text = "\n".join(_lines(tree, marks, layout)) + "\n"
    return text.encode(code, "replace").decode(code)


def _lines(tree: Tree, marks: tuple[str, str, str, str], layout: Layout) -> Iterator[str]:
    standing = layout.paint(standing_of(tree.result), tree.result.standing)
    if tree.is_above:
        yield f"{tree.result.id}: {standing}, see above"
        return
    yield f"{tree.result.id}: {standing}"
    inner = replace(layout, width=layout.width - 3)
    branches = [list(_reading_lines(*reading, inner)) for reading in tree.readings]
    for other in (*tree.rests_on, *tree.reads):
        first, *rest = _lines(other, marks, inner)
        role = "to read first (no verdict rests on it):" if other.role == "used" else "joins"
        branches.append([f"{role} {first}", *rest])
    below = marks[2] if branches else marks[3]
    yield from (below + line for line in inner.wrap(tree.result.title, ""))
    for number, (first, *rest) in enumerate(branches, 1):
        branch, below = (marks[0], marks[2]) if number < len(branches) else (marks[1], marks[3])
        yield branch + first
        yield from (below + line for line in rest)


def _reading_lines(result: ReadingResult, hypotheses: Hypotheses, layout: Layout) -> Iterator[str]:
    odd = rules_of(result) + ("" if result.is_expected else f", expected {result.expected}")
    yield from reading_head(result, "", odd, layout)
    names = dict.fromkeys(name for core in hypotheses.values() for name in core)
    for line in label_lines(
        reason=result.trouble or result.reason,
        trust=trust_of(result),
        hypotheses_used=", ".join(names),
        certificate=result.certificate.path if result.certificate else "",
    ):
        yield from layout.wrap(line, "", "  ")
