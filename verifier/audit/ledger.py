"""The ledger: the results of a run, as values that every report format prints.

These classes are the only description of the ledger. Pydantic writes their values as JSON, and makes the JSON Schema
from the classes and their docstrings. Programs may rely on the schema. If a change only adds keys, the number of the
schema stays the same.
"""

from __future__ import annotations

import enum
import functools
import platform
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from importlib import metadata
from typing import TYPE_CHECKING, Any, Literal

import verifier
from verifier.audit.fault import Fault, FaultKind
from verifier.kernel.words import counted
from verifier.language.outline import Severity
from verifier.language.problem import suggest
from verifier.questions.result import LedgerValue, Limit, NamedBeliefs, ReadingResult, add_limit

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_ROWS = 12
"""Maximum number of claims in a notebook's table of a ledger."""


class Standing(enum.StrEnum):
    """The result of a claim, derived from its readings. ``docs/verdicts.md`` explains each standing."""

    PROVED = "proved as stated"
    SUPPORTED = "supported as stated"
    REPAIRED = "proved after repair"
    REPAIRED_SUPPORTED = "supported after repair"
    DEPENDS = "depends on the reading"
    REFUTED = "refuted"
    UNDETERMINED = "undetermined"
    NOT_RUN = "not checked"


@dataclass(frozen=True, slots=True)
class Origin(LedgerValue):
    """The place where a claim is made."""

    document: str
    place: str
    says: str
    """the claim in the auditors' words"""
    ours: bool = False
    """whether the auditors, and not the document, make the claim"""


@dataclass(frozen=True, slots=True)
class ClaimResult(LedgerValue):
    """A claim and its results."""

    id: str
    title: str
    source: Origin
    rules: str
    """the rule set; readings may have their own"""
    readings: tuple[ReadingResult, ...]
    standing: Standing
    """the result of the claim, derived from its readings"""
    beliefs: NamedBeliefs = frozenset()
    """what you have to trust besides the kernel; empty unless the standing says *supported*"""
    limit: Limit | None = None
    """the last ply that the standing is about; null if there is no limit, or if the claim itself names the limit"""
    severity: Severity | None = None
    """the severity of the worst mistake that a repair corrects; null if the standing is not *after repair*"""
    uses: tuple[str, ...] = ()
    """the claims to read first; no verdict depends on them"""

    def __repr__(self) -> str:
        return f"<{self.id}: {add_limit(self.standing, self.limit)}; {self.title}>"

    @property
    def is_expected(self) -> bool:
        """Whether every reading has the expected result. Readings that were not run do not count."""
        return all(reading.is_expected for reading in self.readings)

    @property
    def is_run(self) -> bool:
        """Whether every reading was run."""
        return all(reading.is_run for reading in self.readings)


@dataclass(frozen=True, slots=True)
class Total(LedgerValue):
    """The number of claims with each standing, among a document's own claims or the auditors' claims about it."""

    document: str
    ours: bool
    """whether the auditors make these claims themselves; if so, a refutation says nothing against the document"""
    claims: int
    standings: dict[Standing, int]
    """the number of claims with each standing; zeros are left out"""


def find_tool_versions() -> dict[str, str]:
    """Return the versions of this tool, of Python and of the main libraries. A result may depend on the versions."""
    libraries = find_versions("z3-solver", "numba", "numpy", "networkx", "pydantic", "pyyaml")
    return {"verifier": verifier.__version__, "python": platform.python_version(), **libraries}


def find_versions(*packages: str) -> dict[str, str]:
    """Return the versions of packages; ``unknown`` for a package that is not installed."""
    return {name: _find_version(name) for name in packages}


@functools.cache
def _find_version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True, slots=True)
class Ledger(LedgerValue):
    """The results of all claims of a run, as ``verifier check --format json`` prints them.

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
    """the claims and their results, in the order of the report"""
    faults: tuple[Fault, ...] = ()
    """the problems that make the run fail; each lists everything that was not checked because of the problem"""
    tool: dict[str, str] = field(default_factory=find_tool_versions, compare=False)
    """the versions of this tool, of Python, and of the main libraries"""
    schema: Literal[4] = 4
    """the version of this format"""

    @property
    def readings(self) -> tuple[ReadingResult, ...]:
        """All readings, in order."""
        return tuple(reading for claim in self.claims for reading in claim.readings)

    def __repr__(self) -> str:
        stands = Counter(str(claim.standing) for claim in self.claims)
        wrong = sum(reading.is_unexpected for reading in self.readings)
        stands |= {"not as expected": wrong} if wrong else {}
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

    @property
    def totals(self) -> tuple[Total, ...]:
        """The totals of each document's own claims, then of the auditors' claims about each document."""
        groups: dict[tuple[bool, str], list[ClaimResult]] = {}
        for claim in self.claims:
            groups.setdefault((claim.source.ours, claim.source.document), []).append(claim)
        totals = []
        for (ours, document), found in sorted(groups.items(), key=lambda item: item[0][0]):
            stand = Counter(claim.standing for claim in found)
            standings = {standing: stand[standing] for standing in Standing if stand[standing]}
            totals.append(Total(document, ours, len(found), standings))
        return tuple(totals)

    @property
    def exit_code(self) -> int:
        """The exit code of the command line: 0 if everything is as expected.

        Otherwise it is the first of these that applies. 3: internal error. 2: specs have faults, or a file could not
        be written. 4: evidence was rejected, or two methods disagree. 1: anything else.
        """
        kinds = {fault.kind for fault in self.faults}
        codes = {FaultKind.INTERNAL: 3, FaultKind.SPEC: 2, FaultKind.UNWRITTEN: 2, FaultKind.EVIDENCE: 4}
        for kind, code in codes.items():
            if kind in kinds:
                return code
        if any(reading.trouble for reading in self.readings):
            return 4
        return 0 if not kinds and all(claim.is_expected for claim in self.claims) else 1


@functools.cache
def _adapters() -> tuple[TypeAdapter[Ledger], TypeAdapter[tuple[Total, ...]]]:
    """Return pydantic's adapters of a ledger and of its totals. Pydantic loads slowly, so only this loads it."""
    from pydantic import TypeAdapter

    return TypeAdapter(Ledger), TypeAdapter(tuple[Total, ...])


def make_schema() -> dict[str, Any]:
    """Return the JSON Schema of a ledger."""
    schema, totals = (adapter.json_schema(mode="serialization") for adapter in _adapters())
    schema["$defs"] |= totals.pop("$defs")
    about = {"title": "Totals", "description": Ledger.totals.__doc__, "readOnly": True}
    schema["properties"]["totals"] = totals | about
    schema["required"] = [*schema["required"], "totals"]
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **schema, "title": "The ledger of the game claim verifier"}


def ledger_to_json(ledger: Ledger) -> dict[str, Any]:
    """Return a ledger as an object that fits the schema. The order of its keys is fixed here."""
    whole, totals = _adapters()
    value: dict[str, Any] = whole.dump_python(ledger, mode="json")
    value["totals"] = totals.dump_python(ledger.totals, mode="json")
    return {key: value[key] for key in ("schema", "tool", "faults", "totals", "claims")}
