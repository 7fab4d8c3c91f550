"""The ledger: how every reading came out, and how every claim stands by its readings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from verifier.kernel.verdict import Belief, Verdict
from verifier.spec.library import Library, needed_claims
from verifier.spec.model import Claim, Conjunction


@dataclass(frozen=True, slots=True)
class ReadingResult:
    """The verdict on one reading, after the kernel's decision.

    Attributes:
        beliefs: what is believed for it besides the kernel; a supported verdict has some, and no other one.
        trouble: why the evidence was rejected or two engines disagree; empty otherwise.
        skipped: why the reading was not checked in this run; empty where it was.
        path, sha256, statement: where a store has the certificate, its hash and its statement's.
        files: the files that it names: the hash and the end of the name of each.
        is_remembered: an earlier run of the same kernel decided the same evidence; nothing was done in this one.
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
    notes: tuple[str, ...] = ()
    trouble: str = ""
    skipped: str = ""
    path: str = ""
    sha256: str = ""
    statement: str = ""
    files: tuple[tuple[str, str], ...] = ()
    is_remembered: bool = field(default=False, compare=False)

    @property
    def trust(self) -> str:
        """Interim."""
        return "; ".join(belief.value for belief in Belief if belief in self.beliefs)

    @property
    def is_expected(self) -> bool:
        """Say whether the verdict is the one that the spec expects, on accepted evidence; none is no other one."""
        return bool(self.skipped) or (self.verdict == self.expected and not self.trouble)


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """A claim with its readings."""

    id: str
    model: Claim
    readings: tuple[ReadingResult, ...]
    standing: str
    fully_proved: bool


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
        return 0 if all(reading.is_expected for reading in self.readings) else 1


def conclude(model: Claim, found: list[ReadingResult], results: dict[str, ClaimResult]) -> ClaimResult:
    """Return how a claim came out, given its readings and the claims that were checked before it."""
    readings = tuple(_check_agreement(model, [_join(model, reading, results) for reading in found]))
    return ClaimResult(model.claim, model, readings, standing(model, readings), False)


def _join(model: Claim, result: ReadingResult, results: dict[str, ClaimResult]) -> ReadingResult:
    """Give a conjunction the weakest verdict of the claims it joins, as they stand; other readings stay as they are."""
    reading = model.readings[result.reading]
    if not isinstance(reading, Conjunction):
        return result
    missing = [name for name in reading.of if name not in results]
    if missing:
        return replace(result, reason=f"not checked in this run: {', '.join(missing)}")
    verdict = Verdict.combine(_standing_verdict(results[name].standing) for name in reading.of)
    weak = [name for name in reading.of if _standing_verdict(results[name].standing) != Verdict.PROVED]
    reason = f"not proved: {', '.join(weak)}" if weak else ""
    return replace(
        result,
        verdict=verdict,
        reason=reason,
    )


def _standing_verdict(text: str) -> Verdict:
    if text.startswith("proved"):
        return Verdict.PROVED
    return Verdict.REFUTED if text == "refuted" else Verdict.UNKNOWN


def _check_agreement(model: Claim, readings: list[ReadingResult]) -> Iterator[ReadingResult]:
    verdicts = {result.reading: result.verdict for result in readings}
    for result in readings:
        other = getattr(model.readings[result.reading], "agrees_with", None)
        if other in verdicts and {verdicts[other], result.verdict} == {Verdict.PROVED, Verdict.REFUTED}:
            yield replace(
                result, trouble=f"two engines disagree: {other} is {verdicts[other]}, this is {result.verdict}"
            )
        else:
            yield result


def standing(model: Claim, readings: tuple[ReadingResult, ...]) -> str:
    """Return how a claim stands, in words.

    They are ``proved as stated``, ``proved after repair``, ``refuted``, ``undetermined`` and ``not run``. Readings that
    repair nothing are the claim as stated. A refuted one of these is mended where a reading that repairs it is proved.
    What was not run decides nothing; a claim that has nothing else is ``not run``.
    """
    skipped = {result.reading for result in readings if result.skipped}
    verdicts = {result.reading: result.verdict for result in readings if not result.skipped}
    stated = {
        name: verdicts.get(name)
        for name, reading in model.readings.items()
        if not reading.repairs and name not in skipped
    }
    if not stated and skipped:
        return "not run"
    if all(verdict == Verdict.PROVED for verdict in stated.values()):
        return "proved as stated"
    proved = [reading for name, reading in model.readings.items() if verdicts.get(name) == Verdict.PROVED]
    mended = {other for reading in proved for other in reading.repairs}
    if all(verdict == Verdict.PROVED or name in mended for name, verdict in stated.items()):
        return "proved after repair"
    return "refuted" if Verdict.REFUTED in stated.values() else "undetermined"


def settle(library: Library, results: dict[str, ClaimResult]) -> dict[str, ClaimResult]:
    """Say of each claim whether it is fully proved: it, and everything it rests on, in this run."""
    fully: dict[str, bool] = {}

    def is_fully_proved(name: str) -> bool:
        if name not in fully:
            result = results.get(name)
            fully[name] = (
                result is not None
                and result.standing.startswith("proved")
                and all(is_fully_proved(other) for other in needed_claims(library.claim(name)))
            )
        return fully[name]

    return {name: replace(result, fully_proved=is_fully_proved(name)) for name, result in results.items()}


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
