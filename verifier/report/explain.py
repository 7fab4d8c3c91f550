"""What a verdict rests on, as a tree: a claim, the evidence for its readings, and the claims that it uses."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from verifier.audit.store import Stores
from verifier.kernel.verdict import Belief
from verifier.language.library import Library
from verifier.language.references import joined_claims
from verifier.methods.ledger import ClaimResult, Decided, Ledger, ReadingResult
from verifier.methods.shown import is_hypothesis, read_cores
from verifier.report.printable import make_printable
from verifier.report.text import WIDTH, paint
from verifier.report.trust import IN_COQ, in_words, name_beliefs, play_of, trust_of

BOXES = ("├─ ", "└─ ", "│  ", "   ")
ASCII = ("|- ", "`- ", "|  ", "   ")
"""Before a branch, before the last one, and before what stands below each of the two."""


def build_tree(ledger: Ledger, library: Library, evidence: Stores, claim: str) -> dict[str, Any]:
    """Return what a claim rests on, each claim in full where it is met first; ``above`` says that it was met before.

    Args:
        ledger: how the claim, and every claim that it rests on, came out.
        library: the specs.
        evidence: where the certificates are.
        claim: whose tree it is.
    """
    results = {result.id: result for result in ledger.claims}
    met: set[str] = set()

    def grow(name: str, role: str) -> dict[str, Any]:
        result = results[name]
        tree: dict[str, Any] = {
            "claim": name,
            "role": role,
            "title": result.model.title,
            "standing": str(result.standing),
            "beliefs": sorted(map(str, result.beliefs)),
            "above": name in met,
        }
        if name in met:
            return tree
        met.add(name)
        tree["readings"] = [_describe(result, reading, evidence) for reading in result.readings]
        joined = joined_claims(result.model)
        tree["rests_on"] = [grow(other, "joined") for other in joined]
        tree["reads"] = [grow(other, "used") for other in result.model.uses if other not in joined]
        return tree

    return grow(claim, "asked for")


def _describe(result: ClaimResult, reading: ReadingResult, evidence: Stores) -> dict[str, Any]:
    model = result.model.readings[reading.reading]
    return {
        "id": reading.reading,
        "method": reading.method,
        "verdict": str(reading.verdict) if reading.is_run else None,
        "beliefs": sorted(map(str, reading.beliefs)),
        "expected": str(reading.expected),
        "as_expected": reading.is_expected,
        "repairs": list(model.repairs),
        "reason": reading.trouble or reading.reason,
        "trust": trust_of(reading),
        "in_coq": reading.in_coq is not None,
        "in_play": play_of(result.model, reading),
        "in_words": in_words(model) or None,
        "hypotheses": _hypotheses(reading, evidence),
        "joins": list(model.joins),
        "pieces": list(getattr(model, "pieces", [])),
        "certificate": {"path": reading.path, "sha256": reading.sha256} if reading.path else None,
    }


def _hypotheses(reading: ReadingResult, evidence: Stores) -> dict[str, list[str]]:
    """Return which hypotheses the proof of each part of a step needed, in the order in which they are met."""
    if not reading.path or reading.method not in ("induction", "entailment"):
        return {}
    found: dict[str, list[str]] = {}
    certificate = evidence.certificate(reading.statement, reading.sha256)
    for part, core in read_cores(certificate.statement, certificate.evidence):
        names = found.setdefault(part, [])
        names += [name for name in core if name not in names and is_hypothesis(name)]
    return found


def render_tree(tree: dict[str, Any], *, colour: bool = False, encoding: str | None = "utf-8") -> str:
    """Return a tree as text, in characters that an encoding has."""
    code = encoding or "ascii"
    try:
        "".join(BOXES).encode(code)
        marks = BOXES
    except UnicodeEncodeError:
        marks = ASCII
    text = "\n".join(_lines(tree, marks, "", colour=colour)) + "\n"
    return text.encode(code, "replace").decode(code)


def _lines(tree: dict[str, Any], marks: tuple[str, str, str, str], indent: str, *, colour: bool) -> Iterator[str]:
    by = name_beliefs(map(Belief.parse, tree["beliefs"]))
    standing = paint(tree["standing"] + (f", by {by}" if by else ""), tree["standing"], colour=colour)
    if tree["above"]:
        yield f"{tree['claim']}: {standing}, see above"
        return
    yield f"{tree['claim']}: {standing}"
    branches: list[list[str]] = []
    for reading in tree["readings"]:
        branches.append(list(_reading_lines(reading, len(indent) + 3, colour=colour)))
    for other in [*tree["rests_on"], *tree["reads"]]:
        lines = list(_lines(other, marks, indent + "   ", colour=colour))
        role = "to be read before:" if other["role"] == "used" else "joins"
        branches.append([f"{role} {lines[0]}", *lines[1:]])
    below = marks[2] if branches else marks[3]
    for line in textwrap.wrap(make_printable(tree["title"]), max(WIDTH - len(indent) - 3, 30)):
        yield below + line
    for number, branch in enumerate(branches):
        is_last = number == len(branches) - 1
        yield (marks[1] if is_last else marks[0]) + branch[0]
        for line in branch[1:]:
            yield (marks[3] if is_last else marks[2]) + line


def _reading_lines(reading: dict[str, Any], depth: int, *, colour: bool) -> Iterator[str]:
    word = reading["verdict"] or str(Decided.NOT_RUN)
    by = name_beliefs(map(Belief.parse, reading["beliefs"]))
    verdict = (f"{word} by {by}" if by else word) + IN_COQ * reading["in_coq"]
    repairs = f", repairs {', '.join(reading['repairs'])}" if reading["repairs"] else ""
    odd = "" if reading["as_expected"] else f", expected {reading['expected']}"
    yield f"{reading['id']} ({reading['method']}{repairs}): {paint(verdict, word, colour=colour)}{odd}"
    names = list(dict.fromkeys(name for core in reading["hypotheses"].values() for name in core))
    for label, text in (
        ("all the same", reading["in_play"]),
        ("reason", reading["reason"]),
        ("trust", reading["trust"]),
        ("in words, to be believed", reading["in_words"] or ""),
        ("hypotheses used", ", ".join(names)),
        ("its pieces", ", ".join(reading["pieces"])),
        ("certificate", reading["certificate"]["path"] if reading["certificate"] else ""),
    ):
        if text:
            yield from textwrap.wrap(make_printable(f"{label}: {text}"), max(WIDTH - depth, 40), subsequent_indent="  ")
