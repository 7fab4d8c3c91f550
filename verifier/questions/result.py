"""The result of a reading, as the ledger and all reports have it.

``pending_result`` makes it from the spec. A run then adds what the kernel has decided, what people see of the evidence
(``Question.show``), and what follows from other readings (``audit/standing.py``).
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, ClassVar, Literal

from verifier.coq import Theorem
from verifier.kernel.certificate import BY_INVARIANT, evidence_path
from verifier.kernel.verdict import Belief, Verdict
from verifier.kernel.words import counted
from verifier.language.outline import AnyClaim, Severity
from verifier.questions.values import read_fields


class LedgerValue:
    """Base of the values in a ledger. Pydantic converts no types, and takes descriptions of fields from docstrings."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, bool]] = {"strict": True, "use_attribute_docstrings": True}


@dataclass(frozen=True, slots=True)
class LazyAnnotation:
    """Says how pydantic writes and describes the values of a type.

    Attributes:
        find: returns the type with pydantic's annotations. It is called only when the ledger is written as JSON,
            because pydantic is slow to load.
    """

    find: Callable[[], Any]

    def __get_pydantic_core_schema__(self, _source: Any, handler: Any) -> Any:
        """Return the schema of the type."""
        return handler.generate_schema(self.find())


@dataclass(frozen=True, slots=True)
class Line(LedgerValue):
    """A play that starts in some position."""

    start: str
    """the position before the first move"""
    moves: tuple[str, ...]
    """the moves, such as 4.0, or 4 on a single board"""
    position: str
    """the position after the last move"""
    reason: str
    """what the play shows"""
    kind: Literal["line"]


@dataclass(frozen=True, slots=True)
class Counterexample(LedgerValue):
    """A position, and moves from it (a step) after which a conclusion of the reading is false."""

    part: str
    """the part of the reading that fails"""
    position: str
    """the position before the step"""
    moves: tuple[str, ...]
    """the moves of the step"""
    after: str
    """the position after the step"""
    fails: str
    """the conclusion that fails, or why the step is not possible"""
    is_conclusion: bool
    """whether ``fails`` is a conclusion"""
    reason: str
    """why the reading is refuted, in a sentence"""
    reachable: bool | None
    """whether legal play reaches the position; null: not known, because the search reached a limit"""
    line: tuple[str, ...] | None
    """a play that reaches the position"""
    kind: Literal["counterexample"]


def _discriminate() -> Any:
    from pydantic import Field

    return Annotated[Line | Counterexample, Field(discriminator="kind")]


Witness = Annotated[Line | Counterexample, LazyAnnotation(_discriminate)]


@dataclass(frozen=True, slots=True)
class HypothesisUse(LedgerValue):
    """The hypotheses that a part's proof uses, and the hypotheses that the source names. Other proofs may use fewer."""

    part: str
    used: tuple[str, ...]
    """the hypotheses that the proof uses"""
    cited: tuple[str, ...]
    """the hypotheses that the source names"""

    @property
    def words(self) -> str:
        """The difference between the used hypotheses and the hypotheses that the source names, in words."""
        more = ", ".join(name for name in self.used if name not in self.cited)
        less = ", ".join(name for name in self.cited if name not in self.used)
        return (
            f"{self.part}: shown from {', '.join(self.used) or 'nothing'}"
            + (f"; needed but not cited: {more}" if more else "")
            + (f"; cited but not needed: {less}" if less else "")
        )


@dataclass(frozen=True, slots=True)
class Limit(LedgerValue):
    """The last ply that a verdict is about, if plays may go on after it."""

    through: int
    """the last ply that the verdict is about"""
    of: int | None
    """the last ply that the rules allow; null: the rules set no last ply"""
    is_partial: bool = False
    """whether some readings behind the verdict have no limit, or a later limit"""

    @property
    def words(self) -> str:
        """The limit in words. A *move* is a ply: a move of either player.

        >>> Limit(6, 9).words
        'for the first 6 moves (of at most 9)'
        >>> Limit(6, 9, is_partial=True).words
        'part of it only for the first 6 moves (of at most 9)'
        """
        of = "" if self.of is None else f" (of at most {self.of})"
        moves = "move" if self.through == 1 else counted(self.through, "move")
        return f"{'part of it only ' * self.is_partial}for the first {moves}{of}"


def add_limit(verdict: str, limit: Limit | None) -> str:
    """Return the text of a verdict or of a standing, followed by its limit."""
    return verdict if limit is None else f"{verdict}, {limit.words}"


def join_limits(limits: Collection[Limit | None]) -> Limit | None:
    """Return the limit of a verdict that rests on several verdicts, from their limits.

    It is the least of these limits; None if no verdict has a limit.
    """
    found = [limit for limit in limits if limit is not None]
    if not found:
        return None
    least = min(found, key=lambda limit: limit.through)
    is_partial = len(found) < len(limits) or any(limit.is_partial or limit != least for limit in found)
    return replace(least, is_partial=is_partial)


class DecisionStatus(enum.StrEnum):
    """Says whether and when a verdict was decided.

    A remembered verdict comes from an earlier run, in which the same kernel checked the same bytes. A verdict is lost
    if a fault has prevented the decision; the ledger lists the fault.
    """

    NOW = "decided now"
    REMEMBERED = "remembered"
    NOT_RUN = "not checked"
    LOST = "lost to a fault"


def name_all(beliefs: Iterable[Belief]) -> list[str]:
    """Return the names of beliefs, sorted."""
    return sorted(map(str, beliefs))


def _name_verdict() -> Any:
    from pydantic import PlainSerializer, WithJsonSchema

    return Annotated[Verdict, PlainSerializer(str, return_type=str), WithJsonSchema({"enum": [*map(str, Verdict)]})]


def _name_beliefs() -> Any:
    from pydantic import PlainSerializer, WithJsonSchema

    schema = WithJsonSchema({"type": "array", "items": {"enum": [*map(str, Belief)]}})
    return Annotated[frozenset[Belief], PlainSerializer(name_all, return_type=list[str]), schema]


NamedVerdict = Annotated[Verdict, LazyAnnotation(_name_verdict)]
NamedBeliefs = Annotated[frozenset[Belief], LazyAnnotation(_name_beliefs)]


@dataclass(frozen=True, slots=True)
class CertificateFile(LedgerValue):
    """A certificate in a store."""

    path: str
    """the path below the folder of the proofs"""
    sha256: str
    statement: str
    """the hash of its statement"""
    files: tuple[tuple[str, str], ...] = ()
    """for each file that the certificate names: its hash, and the ending of its name"""

    @property
    def key(self) -> str:
        """The key of the certificate in stores."""
        return self.statement + BY_INVARIANT * (self.path != evidence_path(self.statement))


class Fate(enum.StrEnum):
    """The fate of evidence that a run has found and has not accepted."""

    FAULT = "fault"
    UNDECIDED = "not decided"
    THROWN_AWAY = "thrown away"


@dataclass(frozen=True, slots=True)
class Rejection(LedgerValue):
    """Evidence that was found and not accepted. If there is a verdict, it rests on other evidence."""

    path: str
    """the file, relative to the current folder if it is below that folder"""
    reason: str
    """why it is not accepted"""
    fate: Fate
    """'fault': wrong evidence that was shipped beside the specs. 'not decided': evidence that exceeds a limit or has
    another version of the format. 'thrown away': wrong evidence from the cache or from the folder of --out"""

    def __str__(self) -> str:
        if self.fate is Fate.UNDECIDED:
            return f"evidence was found and not decided: {self.path}: {self.reason}"
        more = " and thrown away" if self.fate is Fate.THROWN_AWAY else ""
        return f"evidence was rejected{more}: {self.path}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ReadingResult(LedgerValue):
    """A reading, which is one exact meaning of a claim, and the verdict on it."""

    claim: str
    """the id of the claim"""
    id: str
    """the id of the reading"""
    question: str
    """what the reading asks: plays, can, steps, bound, line, sum, count or joins"""
    verdict: NamedVerdict
    """the verdict; unknown if nothing was decided"""
    expected: NamedVerdict | None
    """the verdict that the spec expects. A reading with ``exactly`` (by this ply, and not sooner) has two halves. If it
    is expected to be refuted, this is null for both halves: the spec does not say which half fails"""
    reason: str = ""
    """why the reading is not proved, in one sentence"""
    beliefs: NamedBeliefs = frozenset()
    """what you have to trust besides the kernel; empty unless the verdict is *supported*"""
    limit: Limit | None = None
    """the last ply that the verdict is about; null: it is about whole plays, or the reading itself names the ply"""
    stats: dict[str, int] = field(default_factory=dict)
    """what the kernel counted, by name. If ``symmetries`` is one of the names, each counted position stands for all its
    images under this number of symmetries"""
    witness: Witness | None = None
    """a play or position that refutes it, or that shows that something exists"""
    needs: tuple[HypothesisUse, ...] = ()
    """the hypotheses that the proof of each part uses, if the spec says which hypotheses the document cites"""
    notes: tuple[str, ...] = ()
    """other facts that a reader should know, one line each"""
    hints: tuple[str, ...] = ()
    """possible mistakes in the spec, one line each; they do not change the verdict"""
    trouble: str = ""
    """why the evidence was rejected, or which methods disagree; empty otherwise"""
    decided: DecisionStatus = field(default=DecisionStatus.NOW, compare=False)
    """whether and when the verdict was decided"""
    rules: str = ""
    """its own rules; empty: the rules of its claim"""
    control: bool = False
    """whether it was made false on purpose, to show that the check can fail"""
    repairs: tuple[str, ...] = ()
    """the readings that it repairs"""
    after_repair: bool = False
    """whether it repairs a reading, or relies on a repair; a claim that relies on it is not *proved as stated*"""
    because: str = ""
    """what a repair adds or corrects"""
    says: str = ""
    """what a repair itself says, in words"""
    half_of: str = ""
    """the name of the reading with ``exactly`` from which this reading was made; empty if there is none"""
    joins: tuple[str, ...] = ()
    """the readings that its evidence relies on, as CLAIM/READING"""
    in_coq: Theorem | None = field(default=None, compare=False)
    """the theorem that a build of the Coq proofs on this machine has proved"""
    severity: Severity | None = None
    """how serious the mistake in the document is; null: the document's errata do not list this reading"""
    certificate: CertificateFile | None = None
    """the evidence"""
    rejected: tuple[Rejection, ...] = ()
    """evidence that was found and not accepted"""

    def __repr__(self) -> str:
        reason = self.trouble or self.reason
        expected = "" if self.expected is None or not self.is_run else f", {'not ' * self.is_unexpected}as expected"
        return f"<{self.name}: {self.verdict}{expected}{f': {reason}' * bool(reason)}>"

    @property
    def name(self) -> str:
        """CLAIM/READING, as in ``joins``."""
        return f"{self.claim}/{self.id}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """Lines to print below the verdict: hypotheses that proofs use, notes, rejected evidence, hints."""
        lines = (*(needs.words for needs in self.needs), *self.notes, *map(str, self.rejected))
        return (*lines, *(f"hint: {text}" for text in self.hints))

    @property
    def is_run(self) -> bool:
        """True if the reading was checked: it was decided now, remembered, or lost to a fault."""
        return self.decided is not DecisionStatus.NOT_RUN

    @property
    def is_lost(self) -> bool:
        """True if a fault has prevented the decision. The ledger lists the fault."""
        return self.decided is DecisionStatus.LOST

    @property
    def is_given_up(self) -> bool:
        """True if the search gave up in an earlier run, and this run did not search again."""
        return self.decided is DecisionStatus.REMEMBERED and self.verdict is Verdict.UNKNOWN and not self.joins

    @property
    def holds(self) -> bool:
        """True if the reading is proved or supported."""
        return self.verdict >= Verdict.SUPPORTED

    @property
    def is_expected(self) -> bool:
        """True if the verdict is as expected and there is no trouble, or if the reading is not checked.

        If the spec expects *supported*, *proved* is as expected, too. False if a fault has prevented the decision.
        """
        if not self.is_run or self.is_lost:
            return not self.is_lost
        wanted = self.verdict if self.expected is None else self.expected
        is_met = self.verdict == wanted or (self.holds and self.verdict > wanted >= Verdict.SUPPORTED)
        return is_met and not self.trouble

    @property
    def is_unexpected(self) -> bool:
        """True if the verdict is not as expected. If a fault has prevented the decision, this is False."""
        return not self.is_expected and not self.is_lost


def pending_result(model: AnyClaim, name: str) -> ReadingResult:
    """Return the result of a reading before anything is decided: what its spec says, and the verdict *unknown*."""
    reading = model.readings[name]
    whole = model.readings.get(reading.half_of, reading)
    is_open = whole is not reading and whole.expect == "refuted"  # the spec does not say which half fails
    return ReadingResult(
        model.claim,
        name,
        reading.question,
        Verdict.UNKNOWN,
        None if is_open else Verdict[reading.expect.upper()],
        rules="" if reading.rules in (None, model.rules) else reading.rules,
        control=reading.control,
        repairs=tuple(reading.repairs),
        after_repair=bool(reading.repairs),
        because=" ".join((reading.note or "").split()) if reading.repairs else "",
        half_of=reading.half_of,
        joins=tuple(reading.joins),
    )


_DECISION = ("verdict", "reason", "beliefs", "limit", "stats", "witness", "needs", "notes", "hints", "certificate")
"""The fields that follow from the statement and the evidence. They do not depend on the rest of the spec."""


def decision_to_json(result: ReadingResult) -> dict[str, Any]:
    """Return the decision on a reading as a JSON object."""
    known = asdict(result)
    named = {"verdict": str(result.verdict), "beliefs": name_all(result.beliefs)}
    return {name: named.get(name, known[name]) for name in _DECISION}


def decision_from_json(value: dict[str, Any], pending: ReadingResult) -> ReadingResult:
    """Return ``pending`` with the decision in ``value``. Both must be about the same statement and evidence.

    Raises:
        ValueError: the fields are not those of a decision.
    """
    if set(value) != set(_DECISION):
        raise ValueError("the fields are not those of a decision")
    return replace(pending, **read_fields(ReadingResult, value))
