"""The input of a search (``Task``), and its result (``Finding``). Neither is trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel import decide as kernel
from verifier.kernel.certificate import TABLE_FORMAT, VERSION, hash_bytes, hash_value
from verifier.kernel.statement import Statement, parse_statement, plays_of
from verifier.kernel.verdict import Result, Verdict
from verifier.language.library import Library
from verifier.language.reading import Reading
from verifier.packing import pack
from verifier.questions.compiler import CompiledReading
from verifier.search.resources import Resources
from verifier.search.walk import Exploration, explore

Evidence = Mapping[str, Any]
"""A certificate without its statement and its verdict."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a search. It is not trusted until the kernel has accepted the evidence.

    Attributes:
        verdict: the verdict that the evidence should show.
        reason: why the reading is not proved, in one sentence.
        evidence: the certificate's evidence; None if nothing was found (``unknown``).
        files: the files that the evidence names, by hash.
        fallback: called if the kernel rejects this evidence; returns another finding, or None.
    """

    verdict: Verdict
    reason: str = ""
    evidence: dict[str, Any] | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    fallback: Callable[[], Finding | None] | None = None


@dataclass(frozen=True, slots=True)
class ObligationEvidence:
    """The part of a certificate's evidence that is about obligations. Z3 and Exact are solvers.

    Attributes:
        refuted: the answers of Z3 and, if Exact is installed, the hash of a table of refutations.
        answered: the answers of Z3 alone; None if Z3 has not decided every obligation.
        undecided: the obligations that neither Z3 nor Exact decides. Each entry is the index of a part of the
            statement, and the name of the conclusion that may fail there (*the step* if the step itself may fail).
        files: the table of refutations, by hash.
    """

    refuted: dict[str, Any]
    answered: dict[str, Any] | None
    undecided: list[tuple[int, str]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class ProcessMemo(kernel.Memo):
    """Results that one process has found, and can use for the readings that it checks later.

    The kernel, too, stores its *walks* in this object: the positions of the plays that it followed. It uses a walk
    again for other statements about the same plays.

    Attributes:
        explorations: the plays that a search has explored, by the hash of the plays.
        bounds: the findings of readings with ``bound``, by claim and reading; other bounds use them.
        closure_evidence: evidence that every move by the rules of a game keeps positions well-formed. The key is the
            digest of the obligations.
        decided: results of the kernel with the files that it read, by the hashes of statement and certificate. These
            results help if another reading has the same statement. Results for which the kernel kept a walk are not
            here.
        lane: the lane (``Question.find_lane``) of the last reading; empty if it had none.
    """

    explorations: dict[str, Exploration] = field(default_factory=dict)
    bounds: dict[tuple[str, str], Finding] = field(default_factory=dict)
    closure_evidence: dict[str, ObligationEvidence] = field(default_factory=dict)
    decided: dict[tuple[str, str], tuple[Result, tuple[str, ...]]] = field(default_factory=dict)
    lane: str = ""

    def enter(self, lane: str) -> None:
        """Prepare for a reading. Forget what takes much memory, unless the last reading was in the same lane."""
        # The other findings are small, so this object keeps them: readings of any lane can use them.
        if lane != self.lane or not lane:
            self.walks, self.tables, self.last = {}, {}, []
            self.explorations, self.bounds = {}, {}
        self.lane = lane

    def explore(
        self, data: dict[str, Any], statement: Statement, is_enough: Callable[[Exploration], bool] | None = None
    ) -> Exploration:
        """Explore all plays of a statement, and keep the result for statements about the same plays.

        Args:
            data: the statement as data.
            statement: the statement, parsed.
            is_enough: returns True if the plays explored so far are enough. In that case, return these plays, but do
                not keep them.
        """
        key = hash_value([plays_of(data) if statement.until is None else data, statement.has_number])
        if key not in self.explorations:
            found = explore(statement, is_enough=is_enough)
            if is_enough is not None and found.trouble is None and is_enough(found):
                return found
            self.explorations[key] = found
        return self.explorations[key]


@dataclass(frozen=True, slots=True)
class Task:
    """A reading to check. ``memo`` has what was found for other readings; searches and the kernel add to it."""

    library: Library
    claim: str
    name: str
    compiled: CompiledReading
    memo: ProcessMemo = field(default_factory=ProcessMemo)
    resources: Resources = field(default_factory=Resources)

    @property
    def reading(self) -> Reading:
        """The reading's model."""
        return self.library.claim(self.claim).readings[self.name]

    @property
    def statement(self) -> dict[str, Any]:
        """The statement in the kernel's terms."""
        return self.compiled.statement or {}

    @property
    def parsed(self) -> Statement:
        """The parsed statement of a reading about plays. If the kernel has parsed it, this is the kernel's object."""
        return self.memo.statement or parse_statement(self.statement)


def pack_table(found: Exploration, more: Mapping[str, Any] | None = None) -> tuple[str, dict[str, bytes]]:
    """Pack the claimant's moves in an exploration, and the entries in ``more``, as a table.

    Return the hash of the table, and the table as a file, by this hash.
    """
    packed = pack({"format": TABLE_FORMAT, "version": VERSION, "moves": found.moves(), **(more or {})})
    digest = hash_bytes(packed)
    return digest, {digest: packed}


def hash_plays(data: dict[str, Any]) -> str:
    """Return the hash of the plays that a statement is about."""
    return hash_value(plays_of(data))
