"""What changed from one ledger to another: claims, readings, statements, verdicts, beliefs, hypotheses, statistics.

Texts of the specs, witnesses, evidence and the versions of the tools are not compared: what they change shows in the
rest, or does not matter to it. What a reading states is, by its hash, where both ledgers have evidence of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from verifier.audit.ledger import ClaimResult, Ledger
from verifier.kernel.words import PRINTED_DIGITS, counted
from verifier.methods.result import ReadingResult, name_all
from verifier.report.printable import make_printable
from verifier.report.sentence import word_of

Value = str | int | list[str] | None
"""What stands at one side of a change; None: nothing."""

Facts = dict[tuple[str, str | None], Value]
"""What is compared of a claim or a reading, by ``Change.what`` and ``Change.name``."""


class Change(NamedTuple):
    """One difference.

    Attributes:
        claim, reading: where; no reading where it is about the claim.
        what: ``claim`` or ``reading`` (added or gone), a key of the ledger, ``hypotheses`` or
            ``hypotheses cited``, ``notes`` or ``stats``.
        name: which hypotheses (of a part) or statistics.
        before, after: the values; None for what is not there.
    """

    claim: str
    reading: str | None
    what: str
    name: str | None
    before: Value
    after: Value


def compare_ledgers(before: Ledger, after: Ledger) -> list[Change]:
    """Return every difference, in the order of the claims: those of ``after``, then those that are gone."""
    return list(_compare(_claims(before), _claims(after), frozenset()))


def compare_with_baseline(
    before: Ledger, after: Ledger, known: Mapping[str, Container[str]]
) -> tuple[list[Change], int]:
    """Return what a run changes in a baseline, and how many readings of either could not be compared.

    A run says nothing about claims and readings that it leaves out, because they were not asked for: they are not
    compared, nor is a claim's standing where one of its readings is not. Known are the readings of every claim in the
    specs, in the run or not.
    """
    old, new = _claims(before), _claims(after)

    def is_left(was: ReadingResult) -> bool:
        now = _readings(new[was.claim]).get(was.id) if was.claim in new else None
        return was.id in known.get(was.claim, ()) if now is None else not (was.is_run and now.is_run)

    left = list(filter(is_left, before.readings))
    names, partial = {item.name for item in left}, {item.claim for item in left}

    def take(claims: Mapping[str, ClaimResult]) -> dict[str, ClaimResult]:
        return {
            name: replace(claim, readings=tuple(item for item in claim.readings if item.name not in names))
            for name, claim in claims.items()
            if name in new or name not in known
        }

    return list(_compare(take(old), take(new), partial)), len(left)


def change_lines(changes: list[Change], left: int = 0) -> list[str]:
    """Return changes as lines of text, by claim; their number is last, with that of the readings left out."""
    lines = []
    for claim, found in itertools.groupby(changes, lambda change: change.claim):
        lines.append(make_printable(claim))
        for _, alike in itertools.groupby(found, _line_of):
            lines.append(f"    {make_printable(_describe(*alike))}")
    count = len({change.claim for change in changes})
    total = f"{counted(len(changes), 'change')} in {counted(count, 'claim')}" if changes else "no change"
    out = f"; not run, and not compared: {counted(left, 'reading')} of the baseline" if left else ""
    return [*lines, total + out]


def _claims(ledger: Ledger) -> dict[str, ClaimResult]:
    return {claim.id: claim for claim in ledger.claims}


def _readings(claim: ClaimResult) -> dict[str, ReadingResult]:
    return {reading.id: reading for reading in claim.readings}


def _compare(
    old: Mapping[str, ClaimResult], new: Mapping[str, ClaimResult], partial: Container[str]
) -> Iterator[Change]:
    """Yield the differences; of claims that are compared in part, not how they stand, which rests on all readings."""
    for name in {**new, **old}:
        was, now = old.get(name), new.get(name)
        if was is None or now is None:
            yield Change(
                name, None, "claim", None, *(None if side is None else str(side.standing) for side in (was, now))
            )
            continue
        is_whole = name not in partial
        yield from _compare_facts(name, None, _facts_of_claim(was, is_whole), _facts_of_claim(now, is_whole))
        before, after = _readings(was), _readings(now)
        for reading in {**after, **before}:
            sides = before.get(reading), after.get(reading)
            if None in sides:
                yield Change(
                    name, reading, "reading", None, *(None if side is None else word_of(side) for side in sides)
                )
                continue
            for facts in zip(*(_facts(side) for side in sides if side), strict=True):
                yield from _compare_facts(name, reading, *facts)


def _compare_facts(claim: str, reading: str | None, was: Facts, now: Facts) -> Iterator[Change]:
    for what, name in {**now, **was}:
        nothing: Value = [] if what.startswith("hypotheses") else None
        before, after = was.get((what, name), nothing), now.get((what, name), nothing)
        if before != after and not (what == "statement" and None in (before, after)):
            yield Change(claim, reading, what, name, before, after)


def _facts_of_claim(claim: ClaimResult, is_whole: bool) -> Facts:
    stands: Facts = {("standing", None): str(claim.standing), ("beliefs", None): name_all(claim.beliefs)}
    return {**(stands if is_whole else {}), ("rules", None): claim.rules, ("uses", None): list(claim.uses)}


def _facts(reading: ReadingResult) -> tuple[Facts, Facts, Facts]:
    """Return what is compared of a reading, in the order in which it is told."""
    values: dict[str, Value] = {
        "question": reading.question,
        "rules": reading.rules,
        "verdict": word_of(reading),
        "beliefs": name_all(reading.beliefs),
        "expected": str(reading.expected),
        "reason": reading.reason,
        "trouble": reading.trouble,
        "joins": list(reading.joins),
        "statement": reading.certificate.statement[:PRINTED_DIGITS] if reading.certificate else None,
    }
    needs: Facts = {}
    for item in reading.needs:
        needs["hypotheses", item.part], needs["hypotheses cited", item.part] = list(item.used), list(item.cited)
    counts: Facts = {("stats", name): count for name, count in reading.stats.items()}
    return (
        {(key, None): value for key, value in values.items()},
        needs,
        {("notes", None): list(reading.notes), **counts},
    )


def _line_of(change: Change) -> tuple[str | None, ...]:
    """Return what the changes that share a line have in common: the statistics of a reading do."""
    return change.reading, change.what, None if change.what == "stats" else change.name


def _describe(change: Change, *more: Change) -> str:
    place = f"{change.reading}, " if change.reading else ""
    if change.what in ("claim", "reading"):
        place = change.reading or "the claim"
        return f"{place}: new ({change.after})" if change.before is None else f"{place}: gone (was {change.before})"
    if change.what == "statement":
        return f"{place}statement: not the same"
    if change.what == "stats":
        values = (f"{item.name}: {_show(item.before)} → {_show(item.after)}" for item in (change, *more))
        return f"{place}stats {'; '.join(values)}".replace("_", " ")
    what = f"{change.what} of {change.name}" if change.name else change.what
    return f"{place}{what.replace('_', ' ')}: {_show(change.before)} → {_show(change.after)}"


def _show(value: Value) -> str:
    return ("; ".join(value) if isinstance(value, list) else "" if value is None else str(value)) or "—"
