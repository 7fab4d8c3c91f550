"""Derives the verdicts of readings that join others, and the standing of a claim from its readings."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import get_args

from verifier.audit.ledger import ClaimResult, Origin, Standing
from verifier.coq import Theorem
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.outline import AnyClaim, AnyLibrary, AnyReading, Severity, find_parts, find_severities
from verifier.questions.result import DecisionStatus, ReadingResult, join_limits, pending_result
from verifier.questions.words import say_whole


def conclude(
    model: AnyClaim,
    found: Iterable[ReadingResult],
    results: Mapping[str, ClaimResult],
    library: AnyLibrary | None = None,
    theorems: Mapping[str, Theorem] | None = None,
) -> ClaimResult:
    """Return the result of a claim.

    Args:
        model: the claim.
        found: the results of the readings that are in this run.
        results: the results of earlier claims, by id. Readings of claims that are missing here count as not run.
        library: the specs; they say which claims are the auditors' own, and how severe each mistake is.
        theorems: the theorems that Coq has proved on this machine, as ``read_theorems`` returns them.
    """
    known = {result.id: result for result in found}
    joining = (*known.values(), *model.readings.values())
    others = {name.partition("/")[0] for reading in joining for name in reading.joins}
    joined = {result.name: result for other in others & results.keys() for result in results[other].readings}

    def settle(name: str) -> ReadingResult:
        reading = model.readings[name]
        own = known.get(name) or replace(pending_result(model, name), decided=DecisionStatus.NOT_RUN)
        result = _hold_against_coq(reading, _join(reading, own, joined), theorems or {})
        if result.is_run and result.expected is Verdict.SUPPORTED and result.verdict is Verdict.PROVED:
            return replace(result, notes=(*result.notes, "proved, while the spec expects only supported"))
        return result

    # Conjunctions only join other readings. They come last, because they may join readings of this claim.
    conjunctions = [name for name, reading in model.readings.items() if reading.is_conjunction]
    settled: dict[str, ReadingResult] = {}
    for name in [*(name for name in model.readings if name not in conjunctions), *conjunctions]:
        settled[name] = settle(name)
        joined[settled[name].name] = settled[name]
    held = {name: _hold_against_another(model, settled[name], settled) for name in model.readings}
    held = {name: _find_repaired(result, held, joined) for name, result in held.items()}
    joined |= {result.name: result for result in held.values()}
    held |= {name: settle(name) for name in conjunctions}  # again: the joined results may have changed
    severities = {} if library is None else find_severities(library, model.claim)
    everything = [
        replace(result, severity=severities[result.id]) if result.id in severities else result
        for result in held.values()
    ]
    readings = [_hint_at_repairs(model, item, everything) if item.repairs else item for item in everything]
    if library is not None:
        readings = [replace(r, says=say_whole(library, r.name)) if r.repairs else r for r in readings]
    parts = find_parts(model)
    standing, shown = find_standing(readings, parts)
    is_ours = library is not None and library.is_ours(model.source)
    source = Origin(model.source.document, model.source.place, " ".join((model.source.says or "").split()), is_ours)
    failed = {result.severity for result in readings if result.verdict is Verdict.REFUTED}
    is_repaired = standing in (Standing.REPAIRED, Standing.REPAIRED_SUPPORTED)
    severity = next((item for item in reversed(get_args(Severity)) if item in failed and is_repaired), None)
    return ClaimResult(
        id=model.claim,
        title=model.title,
        source=source,
        rules=model.rules,
        readings=tuple(readings),
        standing=standing,
        beliefs=frozenset[Belief]().union(*(result.beliefs for result in shown)),
        limit=join_limits([result.limit for result in shown]),
        severity=severity,
        uses=tuple(model.uses),
    )


def _join(model: AnyReading, own: ReadingResult, joined: Mapping[str, ReadingResult]) -> ReadingResult:
    """Combine the result of a reading with the results of the readings that it joins.

    The verdict is the weakest of all these verdicts, with two exceptions:

    - If a joined reading was not run, and no verdict is *refuted*, the verdict is unknown.
    - If a joined reading is refuted, but this reading's own evidence does not refute this reading, the verdict is
      unknown, because the evidence relies on something false. (This does not concern a *conjunction*, which
      has no evidence of its own: it is refuted.)

    If the verdict is *supported*, the result has the *beliefs* of all these results: what you have to trust.
    """
    if not own.joins or not own.is_run or own.is_lost or own.trouble:
        return own
    is_conjunction = model.is_conjunction
    others = [joined[name] for name in own.joins if name in joined and joined[name].is_run]
    missing = [name for name in own.joins if name not in {other.name for other in others}]
    verdicts = [*(other.verdict for other in others), *([] if is_conjunction else [own.verdict])]
    verdict = min(verdicts, default=Verdict.UNKNOWN)
    if missing and verdict is not Verdict.REFUTED:
        reason = f"not checked: {', '.join(missing)}"
        open_one = replace(own, verdict=Verdict.UNKNOWN, beliefs=frozenset(), limit=None)
        return replace(open_one, reason=reason, decided=DecisionStatus.NOT_RUN)
    reason, decided = own.reason * (not is_conjunction), own.decided
    weak = [
        f"{other.name} is {other.verdict}" + (f": {other.reason}" if other.reason and other.half_of == own.id else "")
        for other in others
        if not other.holds
    ]
    if weak and own.verdict is not Verdict.REFUTED:
        reason, verdict = "; ".join(weak), verdict if is_conjunction else Verdict.UNKNOWN
    beliefs = own.beliefs.union(*(other.beliefs for other in others))
    if is_conjunction:
        is_remembered = all(other.decided is DecisionStatus.REMEMBERED for other in others)
        decided = DecisionStatus.REMEMBERED if is_remembered else DecisionStatus.NOW
    if verdict is Verdict.UNKNOWN and any(other.is_lost for other in others):
        decided = DecisionStatus.LOST
    limit = None if verdict is Verdict.UNKNOWN else own.limit
    if others and verdict >= Verdict.SUPPORTED:
        # A reading with the key ``exactly`` joins two readings that were made from it. One says "by this ply", the
        # other "not sooner". The limits of these two are not limits of this reading.
        parts = [None if other.half_of == own.id else other.limit for other in others]
        limit = join_limits(parts if is_conjunction else [own.limit, *parts])
    return replace(
        own,
        verdict=verdict,
        limit=limit,
        beliefs=beliefs if verdict is Verdict.SUPPORTED else frozenset(),
        reason=reason,
        after_repair=own.after_repair or any(other.after_repair for other in others),
        decided=decided,
    )


def _find_repaired(
    result: ReadingResult, readings: Mapping[str, ReadingResult], joined: Mapping[str, ReadingResult]
) -> ReadingResult:
    """Return the result of a reading. Set its ``after_repair`` to False if no repair is needed.

    A repair is not needed if all readings that it repairs hold, and no reading that it joins rests on a repair.
    """
    if not result.after_repair:
        return result
    is_needed = not all(readings[name].is_run and readings[name].holds for name in result.repairs)
    is_joining = any(joined[name].after_repair for name in result.joins if name in joined)
    return result if is_needed or is_joining else replace(result, after_repair=False)


def _hold_against_coq(model: AnyReading, result: ReadingResult, theorems: Mapping[str, Theorem]) -> ReadingResult:
    """Add a Coq theorem to the result of a reading: the one that the spec names, or the one made from the statement.

    The verdict changes only if Coq has proved its opposite. Then either Coq or the evidence is wrong, or the theorem
    says something else. The verdict becomes unknown, and the result says why (``trouble``).
    """
    # A theorem that was made from a statement says nothing about the readings that this reading joins.
    statement = "" if result.certificate is None or result.joins else result.certificate.statement
    theorem = theorems.get(model.coq or statement)
    if theorem is None or not (result.holds or result.verdict is Verdict.REFUTED):
        return result
    if (theorem.verdict == "refuted") is result.holds:
        said = "disproved" if result.holds else "proved"
        return _disagree(result, f"two methods disagree: {theorem.name} is {said} in Coq, this is {result.verdict}")
    return replace(result, in_coq=theorem)


def _hold_against_another(
    model: AnyClaim, result: ReadingResult, readings: Mapping[str, ReadingResult]
) -> ReadingResult:
    """Compare a reading with the reading that its ``agrees_with`` names. The two have evidence of different kinds.

    Return the result of the first reading. Its verdict becomes unknown if one of the two holds and the other is
    refuted.
    """
    name = model.readings[result.id].agrees_with
    other = readings.get(name or "")
    if other is None or Verdict.REFUTED not in (other.verdict, result.verdict) or not (other.holds or result.holds):
        return result
    return _disagree(result, f"two methods disagree: {name} is {other.verdict}, this is {result.verdict}")


def _disagree(result: ReadingResult, trouble: str) -> ReadingResult:
    return replace(result, trouble=trouble, verdict=Verdict.UNKNOWN, beliefs=frozenset(), limit=None)


def _hint_at_repairs(model: AnyClaim, result: ReadingResult, readings: list[ReadingResult]) -> ReadingResult:
    """Add hints to a repair's result if a reading that it repairs holds, or has other types of objectives."""
    held = [other.id for other in readings if other.id in result.repairs and other.is_run and other.holds]
    hints = [f"it repairs {name}, which holds: there is nothing to repair" for name in held]
    own = set(model.readings[result.id].objective_types)
    for name in result.repairs:
        other = set(model.readings[name].objective_types)
        if own and other and own.isdisjoint(other):
            asked = f"{' and '.join(sorted(other))}, this about {' and '.join(sorted(own))}"
            hints.append(f"it repairs {name}, but asks something else ({name} is about {asked}): is that intended?")
    return replace(result, hints=(*result.hints, *hints)) if hints else result


def find_standing(
    readings: Iterable[ReadingResult], parts: Container[str] = ()
) -> tuple[Standing, list[ReadingResult]]:
    """Return the standing of a claim, and the readings on which the standing rests. All of these readings hold.

    A reading is *stated* if it is not a repair, a control (false on purpose) or a part of another reading. A repair
    that is refuted is stated as well. A reading that was lost to a fault counts as not run. The first line that fits is
    the standing:

    - not checked: no reading is stated, or a stated reading was not run. Also: a stated reading is refuted, no repair
      of it holds, and some repair of it was not run.
    - proved as stated: all stated readings are proved, without relying on a repair.
    - supported as stated: the same, but some are only supported.
    - proved after repair: each refuted reading has a repair that is proved; all other stated readings are proved.
    - supported after repair: the same, but some are only supported.
    - depends on the reading: some stated readings hold, some are refuted, and no refuted one has a repair that holds.
    - refuted: a stated reading is refuted, and no repair of it holds.
    - undetermined: everything else.

    Args:
        readings: all readings of the claim.
        parts: the readings that do not count because other readings of the claim join them (``find_parts``).
    """
    found = list(readings)
    stated = [
        item
        for item in found
        if not item.control and item.id not in parts and (not item.repairs or item.verdict is Verdict.REFUTED)
    ]
    if not stated or not all(map(_is_known, stated)):
        return Standing.NOT_RUN, []
    for verdict, plain, repaired in (
        (Verdict.PROVED, Standing.PROVED, Standing.REPAIRED),
        (Verdict.SUPPORTED, Standing.SUPPORTED, Standing.REPAIRED_SUPPORTED),
    ):
        if all(result.verdict >= verdict and not result.after_repair for result in stated):
            return plain, stated
        shown = [one for result in stated if (one := _find_shown(result, found)) is not None]
        if len(shown) == len(stated) and all(result.verdict >= verdict for result in shown):
            return repaired, shown
    refuted = [result for result in stated if result.verdict is Verdict.REFUTED]
    failed = {result.id for result in refuted if _find_shown(result, found) is None}
    if any(failed.intersection(other.repairs) and not _is_known(other) for other in found):
        return Standing.NOT_RUN, []
    holding = [result for result in stated if result.holds]
    if refuted and holding and len(failed) == len(refuted):
        return Standing.DEPENDS, holding
    return (Standing.REFUTED if failed else Standing.UNDETERMINED), []


def _is_known(result: ReadingResult) -> bool:
    """Say whether a reading was run, and was not lost to a fault."""
    return result.is_run and not result.is_lost


def _find_shown(result: ReadingResult, found: Iterable[ReadingResult]) -> ReadingResult | None:
    """Return a stated reading if it holds; if it is refuted, its strongest repair that holds; otherwise None."""
    if result.verdict is not Verdict.REFUTED:
        return result if result.holds else None
    repairs = [other for other in found if result.id in other.repairs]
    return max((item for item in repairs if item.holds), key=lambda item: item.verdict, default=None)
