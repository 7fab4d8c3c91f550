"""The ledger: what a run has come to, as values. Every format prints it, and ``--baseline`` reads it.

The classes are the only description of it: pydantic writes them as JSON, reads them back and makes the JSON Schema of
them, in which the docstrings are the descriptions. Programs may rely on what the schema says; further keys may be added
to objects without a new number of the schema.
"""

from __future__ import annotations

import enum
import functools
import pathlib
import platform
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import metadata
from typing import Annotated, Any, Literal

from pydantic import Field, PlainSerializer, PlainValidator, TypeAdapter, ValidationError, WithJsonSchema

import verifier
from verifier.audit.fault import Fault, FaultKind
from verifier.coq import Theorem
from verifier.kernel.errors import UsageError
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.model import Severity
from verifier.methods.witness import Needs, Value, Witness

MAX_BYTES = 256 * 2**20
"""How long a ledger may be: thousands of times as long as the shipped claims'."""


class Decided(enum.StrEnum):
    """When a verdict was decided: in this run, in an earlier one of the same kernel on the same bytes, or not.

    Lost is what one of the ledger's faults has kept from being decided.
    """

    NOW = "decided now"
    REMEMBERED = "remembered"
    NOT_RUN = "not in this run"
    LOST = "lost to a fault"


class Standing(enum.StrEnum):
    """How a claim stands by its readings; ``docs/verdicts.md`` says what each means."""

    PROVED = "proved as stated"
    SUPPORTED = "supported as stated"
    REPAIRED = "proved after repair"
    REPAIRED_SUPPORTED = "supported after repair"
    DEPENDS = "depends on the reading"
    REFUTED = "refuted"
    UNDETERMINED = "undetermined"
    NOT_RUN = "not run"


# -- verdicts and beliefs by their names: the kernel's enumerations know no JSON --------------------------------------


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


# -- values ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decision(Value):
    """What the kernel decided on some evidence, and what people are shown of that; it is remembered as it is."""

    verdict: NamedVerdict
    reason: str
    beliefs: NamedBeliefs
    stats: dict[str, int]
    witness: Witness | None
    needs: tuple[Needs, ...]
    notes: tuple[str, ...]
    hints: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    """the files that the evidence names: the hash and the end of the name of each"""


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


@dataclass(frozen=True, slots=True)
class InPlay(Value):
    """By which proved reading a refuted one holds in all play of some strategies, and which these are, by player."""

    reading: str
    strategies: dict[str, str]


@dataclass(frozen=True, slots=True)
class ReadingResult(Value):
    """One precise formalisation of a claim, and the verdict on it."""

    claim: str
    id: str
    method: str
    """how it was checked"""
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
    """the readings that it mends"""
    mended: bool = False
    """whether it repairs a reading, or relies on one that does: what rests on it stands after repair at best"""
    because: str = ""
    """why its spec reads the claim so: of a repair, what it adds or corrects"""
    joins: tuple[str, ...] = ()
    """the readings that its evidence relies on, as CLAIM/READING"""
    in_play: InPlay | None = None
    """by which proved reading a refuted one holds in play; null: by none"""
    in_coq: Theorem | None = field(default=None, compare=False)
    """the theorem that a build of the Coq proofs on this machine has shown; a baseline does not compare it"""
    severity: Severity | None = None
    """how bad the fault is that it shows in its document, where it is refuted; null: none, or not graded"""
    certificate: Filed | None = None
    """the evidence"""
    seconds: Annotated[float, Field(exclude=True)] = field(default=0.0, compare=False)

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


@dataclass(frozen=True, slots=True)
class Origin(Value):
    """Where a claim is made."""

    document: str
    place: str
    says: str
    """the claim in our own words"""
    ours: bool = False
    """whether it is the auditors' own, and nothing that the document says"""


@dataclass(frozen=True, slots=True)
class ClaimResult(Value):
    """A claim of a document."""

    id: str
    title: str
    source: Origin
    rules: str
    """the rule set; readings may have their own"""
    readings: tuple[ReadingResult, ...]
    standing: Standing
    """how it stands by its readings"""
    beliefs: NamedBeliefs = frozenset()
    """what a supported standing rests on besides the kernel"""
    severity: Severity | None = None
    """how bad the worst fault is that a repair corrects, where it stands after repair"""
    uses: tuple[str, ...] = ()
    """the claims to read before it; no verdict rests on that"""

    @property
    def is_expected(self) -> bool:
        """Say whether every reading that was run meets what the spec expects."""
        return all(reading.is_expected for reading in self.readings)

    @property
    def is_run(self) -> bool:
        """Say whether every reading has a verdict."""
        return all(reading.is_run for reading in self.readings)


def tool_versions() -> dict[str, str]:
    """Return what a verdict may depend on: this tool, Python, and the libraries that find proofs."""
    versions = {"verifier": verifier.__version__, "python": platform.python_version()}
    for name in ("z3-solver", "numba", "numpy", "networkx", "pydantic", "pyyaml"):
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "unknown"
    return versions


@dataclass(frozen=True, slots=True)
class Ledger(Value):
    """What 'verifier check --format json' prints."""

    claims: tuple[ClaimResult, ...]
    faults: tuple[Fault, ...] = ()
    """what kept files, claims or readings from being checked"""
    tool: dict[str, str] = field(default_factory=tool_versions, compare=False)
    """versions: of this tool, of Python, of the libraries that find proofs"""
    schema: Literal[4] = 4

    @property
    def readings(self) -> tuple[ReadingResult, ...]:
        """Every reading, in order."""
        return tuple(reading for claim in self.claims for reading in claim.readings)

    @property
    def exit_code(self) -> int:
        """0: as expected; 1: some verdict differs; 4: evidence was rejected, or engines disagree.

        2 where specs are wrong, and 3 where something of this tool is, come before these.
        """
        kinds = {fault.kind for fault in self.faults}
        if kinds - {FaultKind.ENDED}:
            return 3 if FaultKind.INTERNAL in kinds else 2
        if any(reading.trouble for reading in self.readings):
            return 4
        return 0 if not kinds and all(claim.is_expected for claim in self.claims) else 1


# -- JSON ------------------------------------------------------------------------------------------------------------


@functools.cache
def _adapter() -> TypeAdapter[Ledger]:
    return TypeAdapter(Ledger)


@functools.cache
def _decisions() -> TypeAdapter[Decision]:
    return TypeAdapter(Decision)


def make_schema() -> dict[str, Any]:
    """Return the JSON Schema of a ledger."""
    schema = _adapter().json_schema(mode="serialization")
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **schema, "title": "The ledger of the claim verifier"}


def ledger_to_json(ledger: Ledger) -> dict[str, Any]:
    """Return a ledger as an object that fits the schema; its keys are in the order of the classes."""
    value: dict[str, Any] = _adapter().dump_python(ledger, mode="json")
    return {key: value[key] for key in ("schema", "tool", "faults", "claims")}


def decision_to_json(decision: Decision) -> dict[str, Any]:
    """Return a decision as an object."""
    value: dict[str, Any] = _decisions().dump_python(decision, mode="json")
    return value


def decision_from_json(value: dict[str, Any]) -> Decision:
    """Read a decision from an object.

    Raises:
        ValueError: it has another shape.
    """
    return _decisions().validate_python(value, strict=False)


def read_ledger(path: pathlib.Path) -> Ledger:
    """Read a ledger from a file.

    Raises:
        OSError: it cannot be read.
        UsageError: it is no ledger, or too large for one.
    """
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UsageError(f"{path}: no ledger of 'check --format json': more than {MAX_BYTES} bytes")
    return parse_ledger(data, str(path))


def parse_ledger(data: bytes, name: str) -> Ledger:
    """Read a ledger from a file's bytes.

    Raises:
        UsageError: they are no ledger; one line says where and why.
    """
    try:
        ledger = _adapter().validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = "".join(f"[{item}]" if isinstance(item, int) else f".{item}" for item in first["loc"]).lstrip(".")
        fault = f"{where or 'the ledger'}: {first['msg']}"
        raise UsageError(f"{name}: no ledger of 'check --format json': {fault}") from None
    fault = _find_doubles(ledger)
    if fault:
        raise UsageError(f"{name}: no ledger of 'check --format json': {fault}")
    return ledger


def _find_doubles(ledger: Ledger) -> str:
    """Say which claim, or which reading of one, stands twice, or under another claim; empty: none does."""
    named: dict[str, Iterable[str]] = {"claims": [claim.id for claim in ledger.claims]}
    for claim in ledger.claims:
        named[f"readings of {claim.id}"] = [reading.id for reading in claim.readings]
        for reading in claim.readings:
            if reading.claim != claim.id:
                return f"{reading.name!r} stands among the readings of {claim.id!r}"
    for where, names in named.items():
        double = next((name for name, count in Counter(names).items() if count > 1), None)
        if double is not None:
            return f"{double!r} stands twice among the {where}"
    return ""
