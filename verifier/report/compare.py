"""What changed from one ledger to another: claims, readings, statements, verdicts, beliefs, hypotheses, statistics.

Texts of the specs, witnesses, evidence and the versions of the tools are not compared: what they change shows in the
rest, or does not matter to it. What a reading states is, by its hash, where both ledgers have evidence of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator, Mapping
from dataclasses import asdict, dataclass, replace

from verifier.audit.ledger import ClaimResult, Ledger
from verifier.kernel.words import PRINTED_DIGITS
from verifier.methods.result import ReadingResult, name_all
from verifier.report.printable import make_printable

_ABSENT = "—"

Value = str | int | list[str] | None
"""What stands at one side of a change; None: nothing."""


@dataclass(frozen=True, slots=True)
class Change:
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

    def to_json(self) -> dict[str, Value]:
        """Return the change as an object."""
        return asdict(self)


def compare_ledgers(before: Ledger, after: Ledger) -> list[Change]:
    """Return every difference, in the order of the claims: those of ``after``, then those that are gone."""
    return list(_compare(_claims(before), _claims(after), frozenset()))


def compare_with_baseline(
    before: Ledger, after: Ledger, known: Mapping[str, frozenset[str]]
) -> tuple[list[Change], int]:
    """Return what a run changes in a baseline, and how many readings of either could not be compared.

    A run says nothing about claims and readings that it leaves out, because they were not asked for: they are not
    compared, nor is a claim's standing where one of its readings is not.

    Args:
        before: the baseline.
        after: the run's ledger.
        known: the readings of every claim in the specs, in the run or not.
    """
    old, new = _claims(before), _claims(after)
    left: dict[str, set[str]] = {}
    partial: set[str] = set()
    for name, claim in old.items():
        now = _readings(new[name]) if name in new else {}
        left[name] = {
            key
            for key, item in _readings(claim).items()
            if (not (item.is_run and now[key].is_run) if key in now else key in known.get(name, ()))
        }
        if left[name]:
            partial.add(name)
    unasked = known.keys() - new.keys()
    changes = _compare(_without(old, left, unasked), _without(new, left, unasked), partial)
    return list(changes), sum(map(len, left.values()))


def change_lines(changes: list[Change], left: int = 0) -> list[str]:
    """Return changes as lines of text, by claim; their number is last, with that of the readings left out."""
    lines = []
    for claim, found in itertools.groupby(changes, lambda change: change.claim):
        lines.append(make_printable(claim))
        for _, alike in itertools.groupby(found, _line_of):
            lines.append(f"    {make_printable(_describe(*alike))}")
    count = len({change.claim for change in changes})
    total = f"{_number(len(changes), 'change')} in {_number(count, 'claim')}" if changes else "no change"
    out = f"; not run, and not compared: {_number(left, 'reading')} of the baseline" if left else ""
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
            before, after = (None if side is None else str(side.standing) for side in (was, now))
            yield Change(name, None, "claim", None, before, after)
            continue
        is_whole = name not in partial
        yield from _compare_values(name, None, _standing(was, is_whole=is_whole), _standing(now, is_whole=is_whole))
        readings = _readings(was), _readings(now)
        for reading in {**readings[1], **readings[0]}:
            yield from _compare_readings(name, reading, *(side.get(reading) for side in readings))


def _compare_readings(claim: str, name: str, was: ReadingResult | None, now: ReadingResult | None) -> Iterator[Change]:
    if was is None or now is None:
        verdicts = [None if side is None else _verdict(side) for side in (was, now)]
        yield Change(claim, name, "reading", None, *verdicts)
        return
    yield from _compare_values(claim, name, _values(was), _values(now))
    if was.certificate is not None and now.certificate is not None:
        stated = (
            {"statement": was.certificate.statement[:PRINTED_DIGITS]},
            {"statement": now.certificate.statement[:PRINTED_DIGITS]},
        )
        yield from _compare_values(claim, name, *stated)
    old_needs, new_needs = ({item.part: item for item in side.needs} for side in (was, now))
    for part in {**new_needs, **old_needs}:
        sides = old_needs.get(part), new_needs.get(part)
        used = [list(side.used) if side else [] for side in sides]
        cited = [list(side.cited) if side else [] for side in sides]
        for what, (before, after) in (("hypotheses", used), ("hypotheses cited", cited)):
            if before != after:
                yield Change(claim, name, what, part, before, after)
    if was.notes != now.notes:
        yield Change(claim, name, "notes", None, list(was.notes), list(now.notes))
    for key in {**now.stats, **was.stats}:
        if was.stats.get(key) != now.stats.get(key):
            yield Change(claim, name, "stats", key, was.stats.get(key), now.stats.get(key))


def _compare_values(
    claim: str, reading: str | None, was: Mapping[str, Value], now: Mapping[str, Value]
) -> Iterator[Change]:
    for key in was:
        if was[key] != now[key]:
            yield Change(claim, reading, key, None, was[key], now[key])


def _verdict(reading: ReadingResult) -> str:
    return str(reading.verdict if reading.is_run else reading.decided)


def _standing(claim: ClaimResult, *, is_whole: bool) -> dict[str, Value]:
    """Return what is compared of a claim, by the keys of the ledger; in part, where not all readings are compared."""
    stands: dict[str, Value] = {"standing": str(claim.standing), "beliefs": name_all(claim.beliefs)}
    return {**(stands if is_whole else {}), "rules": claim.rules, "uses": list(claim.uses)}


def _values(reading: ReadingResult) -> dict[str, Value]:
    """Return what is compared of a reading as it is, by the keys of the ledger."""
    return {
        "question": reading.question,
        "rules": reading.rules,
        "verdict": _verdict(reading),
        "beliefs": name_all(reading.beliefs),
        "expected": str(reading.expected),
        "reason": reading.reason,
        "trouble": reading.trouble,
        "joins": list(reading.joins),
    }


def _without(
    claims: Mapping[str, ClaimResult], left: Mapping[str, set[str]], unasked: Container[str]
) -> dict[str, ClaimResult]:
    return {
        name: replace(claim, readings=tuple(item for item in claim.readings if item.id not in left.get(name, ())))
        for name, claim in claims.items()
        if name not in unasked
    }


def _line_of(change: Change) -> tuple[str | None, ...]:
    """Return what the changes that share a line have in common: the statistics of a reading do."""
    return change.reading, change.what, None if change.what == "stats" else change.name


def _describe(change: Change, *more: Change) -> str:
    place = f"{change.reading}, " if change.reading else ""
    if change.what in ("claim", "reading"):
        place = place.removesuffix(", ") or "the claim"
        return f"{place}: new ({change.after})" if change.before is None else f"{place}: gone (was {change.before})"
    if change.what == "statement":
        return f"{place}statement: not the same"
    if change.what == "stats":
        values = (f"{item.name}: {_show(item.before)} → {_show(item.after)}" for item in (change, *more))
        return f"{place}stats {'; '.join(values)}".replace("_", " ")
    name = f" {change.name}" if change.name else ""
    what = f"{change.what} of{name}" if change.what.startswith("hypotheses") else f"{change.what}{name}"
    return f"{place}{what.replace('_', ' ')}: {_show(change.before)} → {_show(change.after)}"


def _show(value: Value) -> str:
    if isinstance(value, list):
        return "; ".join(value) or _ABSENT
    return _ABSENT if value in (None, "") else str(value)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
