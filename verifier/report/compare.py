"""What changed from one ledger to another: claims, readings, verdicts, beliefs, hypotheses, statistics.

Texts of the specs, witnesses, certificates and the versions of the tools are not compared: what they change shows in
the rest, or does not matter to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from verifier.methods.ledger import Decided
from verifier.report.printable import make_printable

_CLAIM_KEYS = ("standing", "beliefs", "uses")
_RUN_KEYS = ("standing", "beliefs")
"""What depends on which readings a run checks."""
_READING_KEYS = ("method", "verdict", "beliefs", "expected", "reason", "trouble", "joins", "in_play")
_FULL_KEYS = ("verdict", "beliefs", "expected", "stats")
"""What depends on whether a run decides all of a quick reading."""
_ABSENT = "—"


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
    before: Any
    after: Any

    def to_json(self) -> dict[str, Any]:
        """Return the change as an object."""
        return asdict(self)


def compare_ledgers(before: dict[str, Any], after: dict[str, Any]) -> list[Change]:
    """Return every difference, in the order of the claims: those of ``after``, then those that are gone."""
    return list(_compare(before, after, frozenset()))


def compare_with_baseline(
    before: dict[str, Any], after: dict[str, Any], known: Mapping[str, frozenset[str]]
) -> tuple[list[Change], int]:
    """Return what a run changes in a baseline, and how many readings of either could not be compared.

    A run says nothing about claims and readings that it leaves out, because they were not asked for: they are not
    compared, nor is a claim's standing where one of its readings is not. Nor is it compared how much of a quick reading
    the kernel decided: a run without ``--full`` believes a search where one with it does not.

    Args:
        before: the baseline.
        after: the run's ledger.
        known: the readings of every claim in the specs, in the run or not.
    """
    old, new = _by_id(before["claims"]), _by_id(after["claims"])
    left: dict[str, set[str]] = {}
    for name, claim in old.items():
        now = _by_id(new[name]["readings"]) if name in new else {}
        left[name] = {
            key
            for key, item in _by_id(claim["readings"]).items()
            if (_is_skipped(item) or _is_skipped(now[key]) if key in now else key in known.get(name, ()))
        }
    unasked = known.keys() - new.keys()
    partial = {name for name, readings in left.items() if readings}
    for name, reading, same in _without_full(old, new):
        old[name] = {**old[name], "readings": [same if r["id"] == reading else r for r in old[name]["readings"]]}
        partial.add(name)
    before = {**before, "claims": list(old.values())}
    changes = _compare(_without(before, left, unasked), _without(after, left, unasked), frozenset(partial))
    return list(changes), sum(map(len, left.values()))


def change_lines(changes: list[Change], left: int = 0) -> list[str]:
    """Return changes as lines of text, by claim; their number is last, with that of the readings left out."""
    lines = []
    claim = None
    for change in changes:
        if change.claim != claim:
            claim = change.claim
            lines.append(make_printable(claim))
        lines.append(f"    {make_printable(_describe(change))}")
    count = len({change.claim for change in changes})
    total = f"{_number(len(changes), 'change')} in {_number(count, 'claim')}" if changes else "no change"
    out = f"; not run, and not compared: {_number(left, 'reading')} of the baseline" if left else ""
    return [*lines, total + out]


def _compare(before: dict[str, Any], after: dict[str, Any], partial: frozenset[str]) -> Iterator[Change]:
    old, new = _by_id(before["claims"]), _by_id(after["claims"])
    for name in {**new, **old}:
        was, now = old.get(name), new.get(name)
        if was is None or now is None:
            yield Change(name, None, "claim", None, was and was["standing"], now and now["standing"])
            continue
        for key in _CLAIM_KEYS:
            if was[key] != now[key] and not (name in partial and key in _RUN_KEYS):
                yield Change(name, None, key, None, was[key], now[key])
        readings = (_by_id(was["readings"]), _by_id(now["readings"]))
        for reading in {**readings[1], **readings[0]}:
            yield from _compare_readings(name, reading, *(side.get(reading) for side in readings))


def _compare_readings(
    claim: str, name: str, was: dict[str, Any] | None, now: dict[str, Any] | None
) -> Iterator[Change]:
    if was is None or now is None:
        yield Change(claim, name, "reading", None, was and _verdict(was), now and _verdict(now))
        return
    for key in _READING_KEYS:
        pair = (_verdict(was), _verdict(now)) if key == "verdict" else (was.get(key), now.get(key))
        if pair[0] != pair[1]:
            yield Change(claim, name, key, None, *pair)
    old_needs, new_needs = ({item["part"]: item for item in side["needs"]} for side in (was, now))
    for part in {**new_needs, **old_needs}:
        for key, what in (("used", "hypotheses"), ("cited", "hypotheses cited")):
            before, after = (side.get(part, {}).get(key, []) for side in (old_needs, new_needs))
            if before != after:
                yield Change(claim, name, what, part, before, after)
    if was["notes"] != now["notes"]:
        yield Change(claim, name, "notes", None, was["notes"], now["notes"])
    for key in {**now["stats"], **was["stats"]}:
        if was["stats"].get(key) != now["stats"].get(key):
            yield Change(claim, name, "stats", key, was["stats"].get(key), now["stats"].get(key))


def _by_id(items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {item["id"]: item for item in items}


def _is_skipped(reading: dict[str, Any]) -> bool:
    return reading["verdict"] is None


def _verdict(reading: dict[str, Any]) -> str:
    return str(Decided.NOT_RUN if _is_skipped(reading) else reading["verdict"])


def _without_full(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the readings of which one run believed a search and one did not: claim, id, and the old one as the new."""
    for name in old.keys() & new.keys():
        now = _by_id(new[name]["readings"])
        for was in old[name]["readings"]:
            other = now.get(was["id"])
            if other is None or not (was["quick"] and other["quick"]):
                continue
            beliefs = [set(side["beliefs"]) for side in (was, other)]
            verdicts = {was["verdict"], other["verdict"]}
            if verdicts <= {"proved", "supported"} and beliefs[0] ^ beliefs[1] == {"search"}:
                yield name, was["id"], {**was, **{key: other[key] for key in _FULL_KEYS}}


def _without(ledger: dict[str, Any], left: dict[str, set[str]], claims: set[str]) -> dict[str, Any]:
    kept = [claim for claim in ledger["claims"] if claim["id"] not in claims]
    return {
        **ledger,
        "claims": [
            {**claim, "readings": [item for item in claim["readings"] if item["id"] not in left.get(claim["id"], ())]}
            for claim in kept
        ],
    }


def _describe(change: Change) -> str:
    place = f"{change.reading}, " if change.reading else ""
    if change.what in ("claim", "reading"):
        place = place.removesuffix(", ") or "the claim"
        return f"{place}: new ({change.after})" if change.before is None else f"{place}: gone (was {change.before})"
    name = f" {change.name}" if change.name else ""
    what = f"{change.what} of{name}" if change.what.startswith("hypotheses") else f"{change.what}{name}"
    return f"{place}{what.replace('_', ' ')}: {_show(change.before)} → {_show(change.after)}"


def _show(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(value) or _ABSENT
    if isinstance(value, dict):
        return "; ".join(map(str, value.values()))
    return _ABSENT if value in (None, "") else str(value)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
