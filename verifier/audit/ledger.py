"""The ledger: what a run has come to, as values, which every format prints.

The classes are the only description of it: pydantic writes them as JSON and makes the JSON Schema of them, in which the
docstrings are the descriptions. Programs may rely on what the schema says; further keys may be added
to objects without a new number of the schema.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import platform
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from importlib import metadata
from typing import Any, Literal, get_args

from pydantic import TypeAdapter, computed_field

import verifier
from verifier.audit.fault import Fault, FaultKind
from verifier.kernel.words import counted
from verifier.language.problem import suggest
from verifier.language.shape import Severity
from verifier.questions.result import LedgerValue, Limit, NamedBeliefs, ReadingResult, add_limit

_ROWS = 12
"""How many claims a notebook shows of a ledger."""


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


@dataclass(frozen=True, slots=True)
class Origin(LedgerValue):
    """Where a claim is made."""

    document: str
    place: str
    says: str
    """the claim in our own words"""
    ours: bool = False
    """whether it is the auditors' own, and nothing that the document says"""


@dataclass(frozen=True, slots=True)
class ClaimResult(LedgerValue):
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
    limit: Limit | None = None
    """up to which ply it is shown; null: of all plays to their end, or as the claim itself says"""
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


@dataclass(frozen=True, slots=True)
class Total(LedgerValue):
    """How many claims of a document stand how: of those that it makes itself, or of the auditors' own about it."""

    document: str
    ours: bool
    """whether these are the auditors' own questions: a refuted one is not a fault of the document"""
    claims: int
    standings: dict[Standing, int]
    """how many stand how, in the order of standings; without zeros"""
    severities: dict[Severity, int]
    """of those that stand after repair: for how many is the worst fault how bad, the mildest first; without zeros"""


def count_standings(claims: Iterable[ClaimResult]) -> tuple[Total, ...]:
    """Return the totals of what each document says, in the order of its first claim, and then of what is ours."""
    groups: dict[tuple[bool, str], list[ClaimResult]] = {}
    for claim in claims:
        groups.setdefault((claim.source.ours, claim.source.document), []).append(claim)
    totals = []
    for (ours, document), found in sorted(groups.items(), key=lambda item: item[0][0]):
        stand, severe = Counter(claim.standing for claim in found), Counter(claim.severity for claim in found)
        standings = {standing: stand[standing] for standing in Standing if stand[standing]}
        severities = {severity: severe[severity] for severity in get_args(Severity) if severe[severity]}
        totals.append(Total(document, ours, len(found), standings, severities))
    return tuple(totals)


def tool_versions() -> dict[str, str]:
    """Return what a verdict may depend on: this tool, Python, and the libraries that find proofs."""
    libraries = find_versions("z3-solver", "numba", "numpy", "networkx", "pydantic", "pyyaml")
    return {"verifier": verifier.__version__, "python": platform.python_version(), **libraries}


def find_versions(*packages: str) -> dict[str, str]:
    """Return the versions of packages; ``unknown`` of one that is not installed."""
    versions = dict.fromkeys(packages, "unknown")
    for name in packages:
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


@dataclass(frozen=True, slots=True)
class Ledger(LedgerValue):
    """The results of all claims of a run; what ``verifier check --format json`` prints.

    >>> import verifier
    >>> ledger = verifier.load(cache=False).check("examples")
    >>> ledger["careful-first-is-safe/as-stated"].verdict
    <Verdict.PROVED: 3>
    >>> ledger.standings["lowest-spot-keeps-fields"]
    <Standing.REFUTED: 'refuted'>
    >>> ledger.exit_code
    0
    """

    claims: tuple[ClaimResult, ...]
    """the results, in the order of reports"""
    faults: tuple[Fault, ...] = ()
    """errors that kept files, claims or readings from being checked"""
    tool: dict[str, str] = field(default_factory=tool_versions, compare=False)
    """the versions of this tool, of Python, and of the libraries that find proofs"""
    schema: Literal[4] = 4
    """the version of this format"""

    @property
    def readings(self) -> tuple[ReadingResult, ...]:
        """All readings, in order."""
        return tuple(reading for claim in self.claims for reading in claim.readings)

    def __repr__(self) -> str:
        stands = Counter(str(claim.standing) for claim in self.claims)
        told = ", ".join(f"{number} {word}" for word, number in stands.items())
        return f"<Ledger of {counted(len(self.claims), 'claim')}{told and f': {told}'}>"

    def __getitem__(self, name: str) -> ReadingResult:
        """Return the result of a reading, by CLAIM/READING."""
        found = next((reading for reading in self.readings if reading.name == name), None)
        if found is None:
            near = ", ".join(reading.name for reading in self.readings if reading.claim == name)
            hint = suggest(name, [*(claim.id for claim in self.claims), *(reading.name for reading in self.readings)])
            raise KeyError(f"no reading {name!r}{f': name it CLAIM/READING, such as {near}' if near else hint}")
        return found

    def _repr_html_(self) -> str:
        rows = [(claim.id, claim.title, add_limit(claim.standing, claim.limit)) for claim in self.claims[:_ROWS]]
        if len(self.claims) > _ROWS:
            rows.append((f"and {counted(len(self.claims) - _ROWS, 'more claim')}", "", ""))
        cells = ("".join(f'<td style="text-align: left">{escape(cell)}</td>' for cell in row) for row in rows)
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"

    @property
    def standings(self) -> dict[str, Standing]:
        """The standing of each claim, by id."""
        return {claim.id: claim.standing for claim in self.claims}

    @computed_field  # type: ignore[prop-decorator]
    @property
    def totals(self) -> tuple[Total, ...]:
        """Counts of standings: for each document its own claims, then for each the auditors' own."""
        return count_standings(self.claims)

    @property
    def exit_code(self) -> int:
        """0: all as expected. 1: some verdict is not. 4: evidence was rejected, or engines disagree.

        If specs have faults it is 2 instead, and after an internal error 3.
        """
        kinds = {fault.kind for fault in self.faults}
        for kind, code in ((FaultKind.INTERNAL, 3), (FaultKind.SPEC, 2), (FaultKind.EVIDENCE, 4)):
            if kind in kinds:
                return code
        if any(reading.trouble for reading in self.readings):
            return 4
        return 0 if not kinds and all(claim.is_expected for claim in self.claims) else 1


@functools.cache
def _adapter() -> TypeAdapter[Ledger]:
    return TypeAdapter(Ledger)


def make_schema() -> dict[str, Any]:
    """Return the JSON Schema of a ledger."""
    schema = _adapter().json_schema(mode="serialization")
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **schema, "title": "The ledger of the game claim verifier"}


def ledger_to_json(ledger: Ledger) -> dict[str, Any]:
    """Return a ledger as an object that fits the schema; its keys are in the order of the classes."""
    value: dict[str, Any] = _adapter().dump_python(ledger, mode="json")
    return {key: value[key] for key in ("schema", "tool", "faults", "totals", "claims")}
