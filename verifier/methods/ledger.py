"""The ledger: how every reading came out, and how every claim stands by its readings."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from verifier.coq.stamp import Theorem
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.library import Library
from verifier.language.model import Claim, Conjunction, Reading
from verifier.language.references import needed_claims


class Decided(enum.StrEnum):
    """When a verdict was decided: in this run, in an earlier one of the same kernel on the same bytes, or not."""

    NOW = "decided now"
    REMEMBERED = "remembered"
    NOT_RUN = "not in this run"


class Standing(enum.StrEnum):
    """How a claim stands by its readings; ``find_standing`` says what each means."""

    PROVED = "proved as stated"
    SUPPORTED = "supported as stated"
    REPAIRED = "proved after repair"
    REPAIRED_SUPPORTED = "supported after repair"
    DEPENDS = "depends on the reading"
    REFUTED = "refuted"
    UNDETERMINED = "undetermined"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Needs:
    """Which hypotheses the proof of a part needs, and which the source names for it."""

    part: str
    used: tuple[str, ...]
    cited: tuple[str, ...]

    @property
    def words(self) -> str:
        """Both, in words."""
        more = ", ".join(name for name in self.used if name not in self.cited)
        less = ", ".join(name for name in self.cited if name not in self.used)
        return (
            f"{self.part}: needs {', '.join(self.used) or 'nothing'}"
            + (f"; not cited: {more}" if more else "")
            + (f"; cited, not needed: {less}" if less else "")
        )


@dataclass(frozen=True, slots=True)
class ReadingResult:
    """The verdict on one reading, after the kernel's decision.

    Attributes:
        verdict: what was decided; ``UNKNOWN`` where nothing was.
        expected: what the spec expects, of a run of this kind.
        beliefs: what is believed besides the kernel; a supported verdict has some, and no other one.
        needs: what the proofs of its parts need, of those for which the source names anything.
        notes: what else a person should know, a line each.
        trouble: why the evidence was rejected or two engines disagree; empty otherwise.
        decided: when.
        is_mended: it repairs a reading, or relies on one that does: what rests on it stands after repair at best.
        is_quick: a run without ``--full`` leaves some of it undecided.
        in_coq: the theorem in Coq that says the same, where a build on this machine has shown it.
        in_play: the proved reading by which this refuted one holds in all play of some strategies; empty: none does.
        path, sha256, statement: where a store has the certificate, its hash and its statement's.
        files: the files that it names: the hash and the end of the name of each.
        seconds: how long it took in this run; 0 where it is remembered.
    """

    claim: str
    reading: str
    method: str
    verdict: Verdict
    expected: Verdict
    reason: str = ""
    beliefs: frozenset[Belief] = frozenset()
    stats: dict[str, int] = field(default_factory=dict)
    witness: dict[str, Any] | None = None
    needs: tuple[Needs, ...] = ()
    notes: tuple[str, ...] = ()
    trouble: str = ""
    decided: Decided = field(default=Decided.NOW, compare=False)
    is_mended: bool = False
    is_quick: bool = False
    in_coq: Theorem | None = field(default=None, compare=False)
    in_play: str = ""
    path: str = ""
    sha256: str = ""
    statement: str = ""
    files: tuple[tuple[str, str], ...] = ()
    seconds: float = field(default=0.0, compare=False)

    @property
    def name(self) -> str:
        """The reading as ``joins`` names it."""
        return f"{self.claim}/{self.reading}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What stands beside the verdict for people: what proofs need, and the notes."""
        return (*(needs.words for needs in self.needs), *self.notes)

    @property
    def is_run(self) -> bool:
        """Say whether it has a verdict in this run, decided now or remembered."""
        return self.decided is not Decided.NOT_RUN

    @property
    def holds(self) -> bool:
        """Say whether it is proved or supported."""
        return self.verdict >= Verdict.SUPPORTED

    @property
    def is_expected(self) -> bool:
        """Say whether the verdict meets what the spec expects, on accepted evidence; none is no other one.

        Refuted is met by refuted alone; supported also by proved, which says more.
        """
        if not self.is_run:
            return True
        is_met = self.verdict == self.expected or (self.holds and self.verdict > self.expected >= Verdict.SUPPORTED)
        return is_met and not self.trouble


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """A claim with its readings.

    Attributes:
        beliefs: what its standing rests on besides the kernel; only a supported one rests on any.
    """

    id: str
    model: Claim
    readings: tuple[ReadingResult, ...]
    standing: Standing
    beliefs: frozenset[Belief] = frozenset()

    @property
    def is_expected(self) -> bool:
        """Say whether every reading that was run meets what the spec expects."""
        return all(reading.is_expected for reading in self.readings)

    @property
    def is_run(self) -> bool:
        """Say whether every reading has a verdict."""
        return all(reading.is_run for reading in self.readings)


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every claim that was checked."""

    claims: tuple[ClaimResult, ...]

    @property
    def readings(self) -> tuple[ReadingResult, ...]:
        """Every reading, in order."""
        return tuple(reading for claim in self.claims for reading in claim.readings)

    @property
    def exit_code(self) -> int:
        """0: as expected; 1: some verdict differs; 4: evidence was rejected, or engines disagree."""
        if any(reading.trouble for reading in self.readings):
            return 4
        return 0 if all(claim.is_expected for claim in self.claims) else 1


def leave_out(claim: str, name: str, model: Reading) -> ReadingResult:
    """Return what stands in the ledger for a reading that is not part of the run."""
    expected = Verdict.parse(model.expect)
    return ReadingResult(claim, name, model.method, Verdict.UNKNOWN, expected, decided=Decided.NOT_RUN)


def conclude(
    model: Claim,
    found: Iterable[ReadingResult],
    results: Mapping[str, ClaimResult],
    *,
    is_full: bool = False,
    theorems: Mapping[str, Theorem] | None = None,
) -> ClaimResult:
    """Return how a claim came out.

    Args:
        model: the claim.
        found: what the kernel decided on its readings; the others are not in this run.
        results: the claims that were concluded before, among them those of which it joins readings.
        is_full: the run decides all of what is quick otherwise.
        theorems: what a build of the Coq proofs on this machine has shown, by name.
    """
    known = {result.reading: result for result in found}
    joined = {result.name: result for claim in results.values() for result in claim.readings}
    readings = []
    for name, reading in model.readings.items():
        result = _join(reading, known.get(name) or leave_out(model.claim, name, reading), joined)
        result = _hold_against_coq(reading, _believe_words(reading, result), theorems or {})
        readings.append(_expect(reading, result, is_full=is_full))
    readings = [_hold_against_others(model, result, readings) for result in readings]
    standing, beliefs = find_standing(model, readings)
    return ClaimResult(model.claim, model, tuple(readings), standing, beliefs)


def _believe_words(model: Reading, result: ReadingResult) -> ReadingResult:
    """Say that an argument in words is believed, where the parts make up the claim by one: that proves nothing."""
    if not result.holds or getattr(model, "in_words", None) is None:
        return result
    return replace(result, verdict=Verdict.SUPPORTED, beliefs=result.beliefs | {Belief.WORDS})


def _join(model: Reading, own: ReadingResult, joined: Mapping[str, ReadingResult]) -> ReadingResult:
    """Give a reading the least verdict of its own evidence and of the readings that it joins, and all their beliefs.

    A conjunction has no evidence of its own, and is refuted where one of its members is. Evidence of another kind that
    relies on a refuted reading shows nothing: what it was for is unknown.
    """
    own = replace(own, is_mended=bool(model.repairs), is_quick=model.quick is not None)
    is_conjunction = isinstance(model, Conjunction)
    if not model.joins or not own.is_run or own.trouble:
        return own
    others = [joined[name] for name in model.joins if name in joined and joined[name].is_run]
    missing = set(model.joins).difference(other.name for other in others)
    verdict = Verdict.combine([*(other.verdict for other in others), *([] if is_conjunction else [own.verdict])])
    if missing and verdict is not Verdict.REFUTED:
        reason = f"not in this run: {', '.join(name for name in model.joins if name in missing)}"
        return replace(own, verdict=Verdict.UNKNOWN, beliefs=frozenset(), reason=reason, decided=Decided.NOT_RUN)
    weak = [f"{other.name} is {other.verdict}" for other in others if not other.holds]
    if not is_conjunction and weak and own.verdict is not Verdict.REFUTED:
        verdict = Verdict.UNKNOWN
    beliefs = frozenset[Belief]().union(own.beliefs, *(other.beliefs for other in others))
    is_remembered = all(other.decided is Decided.REMEMBERED for other in others)
    return replace(
        own,
        verdict=verdict,
        beliefs=beliefs if verdict is Verdict.SUPPORTED else frozenset(),
        reason="; ".join(weak) if weak and own.verdict is not Verdict.REFUTED else own.reason * (not is_conjunction),
        is_mended=own.is_mended or any(other.is_mended for other in others),
        is_quick=own.is_quick or any(other.is_quick for other in others),
        decided=(Decided.REMEMBERED if is_remembered else Decided.NOW) if is_conjunction else own.decided,
    )


def _expect(model: Reading, result: ReadingResult, *, is_full: bool) -> ReadingResult:
    """Expect support alone of what a run leaves undecided without ``--full``; note what is better than expected."""
    if result.is_quick and not is_full and result.expected is Verdict.PROVED:
        return replace(result, expected=Verdict.SUPPORTED)
    if result.is_run and model.expect == "supported" and result.verdict is Verdict.PROVED:
        return replace(result, notes=(*result.notes, "proved, where the spec expects no more than supported"))
    return result


def _hold_against_coq(model: Reading, result: ReadingResult, theorems: Mapping[str, Theorem]) -> ReadingResult:
    """Say that Coq has proved what a reading says, beside the verdict, which it does not change.

    Where the reading is refuted one of the two is wrong, or the theorem says something else.
    """
    theorem = theorems.get(model.coq or "")
    if theorem is None:
        return result
    if result.verdict is Verdict.REFUTED:
        text = f"two methods disagree: {theorem.name} is proved in Coq, this is refuted"
        return replace(result, trouble=text, verdict=Verdict.UNKNOWN, beliefs=frozenset())
    return replace(result, in_coq=theorem) if result.holds else result


def _hold_against_others(model: Claim, result: ReadingResult, readings: list[ReadingResult]) -> ReadingResult:
    """Compare a reading with those of its claim that it names: one that agrees, one that shows it for some play."""
    verdicts = {other.reading: other.verdict for other in readings}
    reading = model.readings[result.reading]
    other = getattr(reading, "agrees_with", None)
    if (
        other in verdicts
        and Verdict.REFUTED in (pair := {verdicts[other], result.verdict})
        and max(pair) > Verdict.UNKNOWN
    ):
        text = f"two engines disagree: {other} is {verdicts[other]}, this is {result.verdict}"
        return replace(result, trouble=text, verdict=Verdict.UNKNOWN, beliefs=frozenset())
    is_earned = result.verdict is Verdict.REFUTED and verdicts.get(reading.in_play or "") is Verdict.PROVED
    return replace(result, in_play=reading.in_play) if is_earned and reading.in_play else result


def find_standing(model: Claim, readings: Iterable[ReadingResult]) -> tuple[Standing, frozenset[Belief]]:
    """Return how a claim stands, and what that rests on besides the kernel; the first line that fits.

    - not run: a stated reading was not run. Stated are those that repair nothing and are no control.
    - proved as stated: all stated ones are proved, and rely on no repair.
    - supported as stated: the same with supported.
    - proved after repair: every refuted one is repaired by a proved reading; all others are proved.
    - supported after repair: the same with supported.
    - depends on the reading: some hold, some are refuted, none of these is repaired.
    - refuted, if one is; else undetermined.
    """
    found = {result.reading: result for result in readings}
    stated = [found[name] for name, item in model.readings.items() if not item.repairs and not item.control]
    if not stated or not all(result.is_run for result in stated):
        return Standing.NOT_RUN, frozenset()
    nothing = frozenset[Belief]()
    for verdict, plain, repaired in (
        (Verdict.PROVED, Standing.PROVED, Standing.REPAIRED),
        (Verdict.SUPPORTED, Standing.SUPPORTED, Standing.REPAIRED_SUPPORTED),
    ):
        if all(result.verdict >= verdict and not result.is_mended for result in stated):
            return plain, nothing.union(*(result.beliefs for result in stated))
        shown = [_find_shown(model, result, found) for result in stated]
        if all(result is not None and result.verdict >= verdict for result in shown):
            return repaired, nothing.union(*(result.beliefs for result in shown if result is not None))
    refuted = [result for result in stated if result.verdict is Verdict.REFUTED]
    is_repaired = any(_find_shown(model, result, found) is not None for result in refuted)
    if refuted and any(result.holds for result in stated) and not is_repaired:
        return Standing.DEPENDS, nothing.union(*(result.beliefs for result in stated))
    return (Standing.REFUTED if refuted else Standing.UNDETERMINED), nothing


def _find_shown(model: Claim, result: ReadingResult, found: Mapping[str, ReadingResult]) -> ReadingResult | None:
    """Return what holds of a stated reading: itself or, where it is refuted, the strongest of its repairs."""
    if result.verdict is not Verdict.REFUTED:
        return result if result.holds else None
    repairs = [found[name] for name, item in model.readings.items() if result.reading in item.repairs]
    return max((item for item in repairs if item.holds), key=lambda item: item.verdict, default=None)


def order_claims(library: Library, wanted: list[str]) -> list[str]:
    """Return claims so that each follows those it rests on; otherwise in the order of the spec files' names."""
    ordered: dict[str, None] = {}

    def add(name: str) -> None:
        if name in ordered:
            return
        for other in needed_claims(library.claim(name)):
            if other in wanted:
                add(other)
        ordered[name] = None

    for name in sorted(wanted):
        add(name)
    return list(ordered)
