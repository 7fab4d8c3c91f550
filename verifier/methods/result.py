"""The result of a reading: one value, from the kernel's decision to the last page that tells of it.

It begins as what its spec says (``pending_result``). What the kernel decides on evidence is written into it, then what
people are shown of that evidence (``Method.show``), then what follows from other readings (``audit/standing.py``).
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field, PlainSerializer, PlainValidator, TypeAdapter, WithJsonSchema

from verifier.coq import Theorem
from verifier.kernel.store import BY_INVARIANT, evidence_path
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.about import Severity
from verifier.language.model import Claim
from verifier.methods.witness import Needs, Value, Witness


class Decided(enum.StrEnum):
    """When a verdict was decided: in this run, in an earlier one of the same kernel on the same bytes, or not.

    Lost is what one of the ledger's faults has kept from being decided.
    """

    NOW = "decided now"
    REMEMBERED = "remembered"
    NOT_RUN = "not in this run"
    LOST = "lost to a fault"


def name_all(beliefs: Iterable[Belief]) -> list[str]:
    """Return the names of beliefs, sorted."""
    return sorted(map(str, beliefs))


def _parse_verdict(value: object) -> Verdict:
    found = value if isinstance(value, Verdict) else {str(item): item for item in Verdict}.get(str(value))
    if found is None:
        raise ValueError(f"no verdict: none of {', '.join(map(str, Verdict))}")
    return found


def _parse_beliefs(value: object) -> frozenset[Belief]:
    known = {str(belief): belief for belief in Belief}
    names = value if isinstance(value, list | frozenset) else [value]
    if not all(isinstance(name, Belief) or str(name) in known for name in names):
        raise ValueError(f"no list of beliefs: of {', '.join(known)}")
    return frozenset(name if isinstance(name, Belief) else known[str(name)] for name in names)


_VERDICTS = {"enum": [str(verdict) for verdict in Verdict]}
_BELIEFS = {"type": "array", "items": {"enum": [str(belief) for belief in Belief]}}
NamedVerdict = Annotated[
    Verdict, PlainValidator(_parse_verdict), PlainSerializer(str, return_type=str), WithJsonSchema(_VERDICTS)
]
NamedBeliefs = Annotated[
    frozenset[Belief],
    PlainValidator(_parse_beliefs),
    PlainSerializer(name_all, return_type=list[str]),
    WithJsonSchema(_BELIEFS),
]


@dataclass(frozen=True, slots=True)
class Filed(Value):
    """The evidence: a certificate, as stores keep it."""

    path: str
    """below the folder of the proofs"""
    sha256: str
    statement: str
    """the hash of what it states"""
    files: tuple[tuple[str, str], ...] = ()
    """the files that it names: the hash and the end of the name of each"""

    @property
    def key(self) -> str:
        """The key under which stores have it."""
        return self.statement + BY_INVARIANT * (self.path != evidence_path(self.statement))


@dataclass(frozen=True, slots=True)
class ReadingResult(Value):
    """One precise formalisation of a claim, and the verdict on it."""

    claim: str
    """the id of its claim"""
    id: str
    """its own id"""
    question: str
    """what it asks: plays, can, steps, bound, line, sum, count or joins"""
    verdict: NamedVerdict
    """what was decided; unknown where nothing was"""
    expected: NamedVerdict
    """the verdict that the spec expects of such a run"""
    reason: str = ""
    """why it is not proved, in one sentence"""
    beliefs: NamedBeliefs = frozenset()
    """what is believed besides the kernel: a supported verdict has some, and no other one"""
    stats: dict[str, int] = field(default_factory=dict)
    """what was counted"""
    witness: Witness | None = None
    """what refutes it, or shows that something exists"""
    needs: tuple[Needs, ...] = ()
    """what the proofs of its parts need, of those for which the source names anything"""
    notes: tuple[str, ...] = ()
    """what else a person should know, a line each"""
    hints: tuple[str, ...] = ()
    """what may have been meant otherwise, though the verdict stands: a line each"""
    trouble: str = ""
    """why the evidence was rejected, or which engines disagree; empty otherwise"""
    decided: Decided = field(default=Decided.NOW, compare=False)
    """when; a baseline does not compare it"""
    rules: str = ""
    """the rules under which it is meant, where they are its own; empty: those of its claim"""
    control: bool = False
    """whether it is our own and has to be refuted: that the check can fail"""
    repairs: tuple[str, ...] = ()
    """the readings that it repairs"""
    after_repair: bool = False
    """whether it repairs a reading, or relies on one that does: what rests on it stands after repair at best"""
    because: str = ""
    """why its spec reads the claim so: of a repair, what it adds or corrects"""
    joins: tuple[str, ...] = ()
    """the readings that its evidence relies on, as CLAIM/READING"""
    in_coq: Theorem | None = field(default=None, compare=False)
    """the theorem that a build of the Coq proofs on this machine has shown; a baseline does not compare it"""
    severity: Severity | None = None
    """how bad the fault is that it shows in its document, where it is refuted; null: none, or not graded"""
    certificate: Filed | None = None
    """the evidence"""
    seconds: Annotated[float, Field(exclude=True)] = field(default=0.0, compare=False)
    """how long it took in this run; it is in no ledger"""

    @property
    def name(self) -> str:
        """The reading as ``joins`` names it."""
        return f"{self.claim}/{self.id}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What stands beside the verdict for people: what proofs use, the notes and the hints."""
        return (*(needs.words for needs in self.needs), *self.notes, *(f"hint: {text}" for text in self.hints))

    @property
    def is_run(self) -> bool:
        """Say whether it has a verdict in this run, decided now or remembered."""
        return self.decided is not Decided.NOT_RUN

    @property
    def is_lost(self) -> bool:
        """Say whether a fault has kept it from being decided; the ledger lists the fault."""
        return self.decided is Decided.LOST

    @property
    def is_given_up(self) -> bool:
        """Say whether a search of an earlier run gave up, and none was made in this one."""
        return self.decided is Decided.REMEMBERED and self.verdict is Verdict.UNKNOWN and not self.joins

    @property
    def holds(self) -> bool:
        """Say whether it is proved or supported."""
        return self.verdict >= Verdict.SUPPORTED

    @property
    def is_followed(self) -> bool:
        """Say whether the kernel has followed a refutation of each obligation that there is."""
        return self.stats.get("refuted", 0) == self.stats.get("obligations", 0)

    @property
    def is_expected(self) -> bool:
        """Say whether the verdict meets what the spec expects, on accepted evidence; none is no other one.

        Refuted is met by refuted alone; supported also by proved, which says more.
        """
        if not self.is_run or self.is_lost:
            return not self.is_lost
        is_met = self.verdict == self.expected or (self.holds and self.verdict > self.expected >= Verdict.SUPPORTED)
        return is_met and not self.trouble

    @property
    def is_unexpected(self) -> bool:
        """Say whether another verdict came out than expected; what is lost to a fault is told with the fault."""
        return not self.is_expected and not self.is_lost


def pending_result(model: Claim, name: str) -> ReadingResult:
    """Return the result of a reading of which nothing is known but what its spec says."""
    reading = model.readings[name]
    return ReadingResult(
        model.claim,
        name,
        reading.question,
        Verdict.UNKNOWN,
        Verdict.parse(reading.expect),
        rules="" if reading.rules in (None, model.rules) else reading.rules,
        control=reading.control,
        repairs=tuple(reading.repairs),
        after_repair=bool(reading.repairs),
        because=" ".join((reading.because or "").split()),
        joins=tuple(reading.joins),
    )


# -- what is remembered of it ----------------------------------------------------------------------------------------

_DECISION = ("verdict", "reason", "beliefs", "stats", "witness", "needs", "notes", "hints", "certificate")
"""What follows from the statement and its evidence alone, whatever else a spec says."""


@functools.cache
def _adapter() -> TypeAdapter[ReadingResult]:
    return TypeAdapter(ReadingResult)


def decision_to_json(result: ReadingResult) -> dict[str, Any]:
    """Return what was decided on a reading, as an object."""
    value: dict[str, Any] = _adapter().dump_python(result, mode="json", include=set(_DECISION))
    return value


def decision_from_json(value: dict[str, Any], pending: ReadingResult) -> ReadingResult:
    """Return a result with what was decided on the same statement, by the same evidence.

    Raises:
        ValueError: the object has another shape.
    """
    if set(value) != set(_DECISION):
        raise ValueError("another shape")
    return _adapter().validate_python({**_adapter().dump_python(pending, mode="json"), **value}, strict=False)
