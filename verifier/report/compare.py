"""What changed from one ledger to another: claims, readings, statements, verdicts, beliefs, hypotheses, statistics.

Texts of the specs, witnesses, evidence and the versions of the tools are not compared: what they change shows in the
rest, or does not matter to it. What a reading states is, by its hash, where both ledgers have evidence of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple

from verifier.audit.ledger import Ledger
from verifier.kernel.words import PRINTED_DIGITS, counted
from verifier.methods.result import ReadingResult, name_all
from verifier.report.printable import make_printable
from verifier.report.sentence import word_of

Value = str | int | list[str] | None
"""What stands at one side of a change; None: nothing."""

Facts = dict[tuple[str, str | None], Value]
"""What is compared of a claim or a reading, by ``Change.what`` and ``Change.name``."""

Items = dict[tuple[str, str | None], Facts]
"""What is compared of each claim and, after it, of each of its readings."""


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
    return list(_compare(_items(before), _items(after)))


def compare_with_baseline(
    before: Ledger, after: Ledger, known: Mapping[str, Container[str]]
) -> tuple[list[Change], int]:
    """Return what a run changes in a baseline, and how many readings of either could not be compared.

    A run says nothing about claims and readings that it leaves out, because they were not asked for: they are not
    compared, nor is a claim's standing where one of its readings is not. Known are the readings of every claim in the
    specs, in the run or not.
    """
    found = {reading.name: reading for reading in after.readings}
    asked = {claim.id for claim in after.claims}

    def is_left(was: ReadingResult) -> bool:
        now = found.get(was.name)
        return was.id in known.get(was.claim, ()) if now is None else not (was.is_run and now.is_run)

    left = {(item.claim, item.id) for item in before.readings if is_left(item)}
    partial = {claim for claim, _ in left}

    def take(items: Items) -> Items:
        return {
            (claim, reading): {
                fact: value
                for fact, value in facts.items()
                if claim not in partial or reading is not None or fact[0] not in ("standing", "beliefs")
            }
            for (claim, reading), facts in items.items()
            if (claim, reading) not in left and (claim in asked or claim not in known)
        }

    return list(_compare(take(_items(before)), take(_items(after)))), len(left)


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


def _items(ledger: Ledger) -> Items:
    found: Items = {}
    for claim in ledger.claims:
        found[claim.id, None] = {
            ("standing", None): str(claim.standing),
            ("beliefs", None): name_all(claim.beliefs),
            ("rules", None): claim.rules,
            ("uses", None): list(claim.uses),
        }
        found |= {(claim.id, reading.id): _facts(reading) for reading in claim.readings}
    return found


def _facts(reading: ReadingResult) -> Facts:
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
    facts: Facts = {(key, None): value for key, value in values.items()}
    for item in reading.needs:
        facts["hypotheses", item.part], facts["hypotheses cited", item.part] = list(item.used), list(item.cited)
    return facts | {("notes", None): list(reading.notes)} | {("stats", n): count for n, count in reading.stats.items()}


def _compare(old: Items, new: Items) -> Iterator[Change]:
    order = list(dict.fromkeys(claim for claim, _ in (*new, *old)))
    for key in sorted({**new, **old}, key=lambda key: order.index(key[0])):
        (claim, reading), was, now = key, old.get(key), new.get(key)
        if was is not None and now is not None:
            yield from _compare_facts(claim, reading, was, now)
        elif reading is None or {(claim, None)} <= old.keys() & new.keys():
            what, told = ("claim", "standing") if reading is None else ("reading", "verdict")
            yield Change(
                claim, reading, what, None, *(None if side is None else side[told, None] for side in (was, now))
            )


def _compare_facts(claim: str, reading: str | None, was: Facts, now: Facts) -> Iterator[Change]:
    for what, name in {**now, **was}:
        nothing: Value = [] if what.startswith("hypotheses") else None
        before, after = was.get((what, name), nothing), now.get((what, name), nothing)
        if before != after and not (what == "statement" and None in (before, after)):
            yield Change(claim, reading, what, name, before, after)


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
