"""What a verdict rests on, as a tree: a claim, the evidence for its readings, and the claims that it uses."""

from __future__ import annotations

import enum
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
from verifier.report.trust import rules_of, standing_of, trust_of, verdict_of

BOXES = ("├─ ", "└─ ", "│  ", "   ")
ASCII = ("|- ", "`- ", "|  ", "   ")
"""Before a branch, before the last one, and before what stands below each of the two."""


class Role(enum.StrEnum):
    """Why a claim stands in a tree."""

    ASKED = "asked for"
    JOINED = "joined"
    USED = "used"


@dataclass(frozen=True, slots=True)
class Branch:
    """A reading, with what its ledger does not hold.

    Attributes:
        hypotheses: which ones the proof of each part of a step needed, in the order in which they are met.
    """

    result: ReadingResult
    hypotheses: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Tree:
    """A claim, and below it those that it rests on.

    Attributes:
        is_above: it was met before, and stands there in full; here it has no branches.
        rests_on, reads: the claims of which it joins readings, and those to read first.
    """

    result: ClaimResult
    role: Role
    is_above: bool
    readings: tuple[Branch, ...] = ()
    rests_on: tuple[Tree, ...] = ()
    reads: tuple[Tree, ...] = ()


def build_tree(ledger: Ledger, library: Library, evidence: Stores, claim: str) -> Tree:
    """Return what a claim rests on, each claim in full where it is met first.

    Args:
        ledger: how the claim, and every claim that it rests on, came out.
        library: the specs.
        evidence: where the certificates are.
        claim: whose tree it is.
    """
    results = {result.id: result for result in ledger.claims}
    met: set[str] = set()

    def grow(name: str, role: Role) -> Tree:
        result = results[name]
        if name in met:
            return Tree(result, role, is_above=True)
        met.add(name)
        readings = tuple(_branch(library, evidence, reading) for reading in result.readings)
        joined = joined_claims(library.claim(name))
        rests_on = tuple(grow(other, Role.JOINED) for other in joined)
        reads = tuple(grow(other, Role.USED) for other in result.uses if other not in joined)
        return Tree(result, role, is_above=False, readings=readings, rests_on=rests_on, reads=reads)

    return grow(claim, Role.ASKED)


def _branch(library: Library, evidence: Stores, result: ReadingResult) -> Branch:
    model, filed = library.claim(result.claim).readings[result.id], result.certificate
    hypotheses: dict[str, list[str]] = {}
    if filed is not None and isinstance(model, Steps) and result.is_followed:
        certificate = evidence.certificate(filed.key, filed.sha256)
        hypotheses = read_uses(certificate.statement, certificate.evidence)
    return Branch(result, hypotheses)


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
        value["readings"] = [_branch_to_json(branch) for branch in tree.readings]
        value["rests_on"] = [tree_to_json(other) for other in tree.rests_on]
        value["reads"] = [tree_to_json(other) for other in tree.reads]
    return value


def _branch_to_json(branch: Branch) -> dict[str, Any]:
    result = branch.result
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
        "hypotheses": branch.hypotheses,
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
    branches: list[list[str]] = []
    inner = replace(layout, width=layout.width - 3)
    for branch in tree.readings:
        branches.append(list(_branch_lines(branch, inner)))
    for other in (*tree.rests_on, *tree.reads):
        lines = list(_lines(other, marks, inner))
        role = "to read first (no verdict rests on it):" if other.role is Role.USED else "joins"
        branches.append([f"{role} {lines[0]}", *lines[1:]])
    below = marks[2] if branches else marks[3]
    for line in inner.wrap(tree.result.title, ""):
        yield below + line
    for number, lines in enumerate(branches):
        is_last = number == len(branches) - 1
        yield (marks[1] if is_last else marks[0]) + lines[0]
        for line in lines[1:]:
            yield (marks[3] if is_last else marks[2]) + line


def _branch_lines(branch: Branch, layout: Layout) -> Iterator[str]:
    result = branch.result
    word = str(result.verdict if result.is_run else result.decided)
    repairs = f", repairs {', '.join(result.repairs)}" if result.repairs else ", a control" if result.control else ""
    odd = rules_of(result) + ("" if result.is_expected else f", expected {result.expected}")
    found = verdict_of(result)
    for line in layout.wrap(f"{result.id} ({result.question}{repairs}): {found}{odd}", "", "  "):
        yield line.replace(f"): {found}", f"): {layout.paint(found, word)}")
    names = list(dict.fromkeys(name for core in branch.hypotheses.values() for name in core))
    for label, text in (
        ("reason", result.trouble or result.reason),
        ("trust", trust_of(result)),
        ("hypotheses used", ", ".join(names)),
        ("certificate", result.certificate.path if result.certificate else ""),
    ):
        if text:
            yield from layout.wrap(f"{label}: {text}", "", "  ")
