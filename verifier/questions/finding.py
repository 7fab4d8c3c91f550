"""What a checker gets, and what it hands to the kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.files import pack
from verifier.kernel import decide as kernel
from verifier.kernel.certificate import TABLE_FORMAT, VERSION, hash_bytes, hash_value
from verifier.kernel.statement import Statement, parse_statement, plays_of
from verifier.kernel.verdict import Result, Verdict
from verifier.language.library import Library
from verifier.language.reading import Reading
from verifier.questions.compiler import Compiled
from verifier.search.resources import Resources
from verifier.search.walk import Exploration, explore

Evidence = Mapping[str, Any]
"""What a certificate holds beside its statement and its verdict."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A checker's answer, untrusted until the kernel has accepted its evidence.

    Attributes:
        verdict: what the evidence is meant to show.
        reason: why it is not proved, in one sentence.
        evidence: the certificate's evidence; None where there is none (``unknown``).
        files: the files that it names.
        fallback: gives another answer where the kernel rejects this one's evidence.
    """

    verdict: Verdict
    reason: str = ""
    evidence: dict[str, Any] | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    fallback: Callable[[], Finding | None] | None = None


@dataclass(frozen=True, slots=True)
class ObligationEvidence:
    """What a certificate says of obligations.

    Attributes:
        refuted: with refutations, where there are any.
        answered: without them, for Z3 has answered each; None where it has not.
        undecided: those that neither decides, by the index of their part and what fails.
        files: the table of refutations.
    """

    refuted: dict[str, Any]
    answered: dict[str, Any] | None
    undecided: list[tuple[int, str]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class Memo(kernel.Memo):
    """What one process has found, and helps with the readings that it checks next.

    The kernel adds what it has walked through, for statements about the same plays; searches add the rest.

    Attributes:
        explorations: by the hash of their plays, so that claims about one strategy explore it once.
        bounds: findings by claim and reading, for bounds that rest on others.
        closure_evidence: what shows that play by some rules leads to well-formed positions only, by the digest of the
            obligations.
        decided: what the kernel decided, and which files it read, by the hashes of statement and certificate, where it
            kept no walk: another reading may state the same.
        lane: what the readings that it was last used for have in common; empty: nothing.
    """

    explorations: dict[str, Exploration] = field(default_factory=dict)
    bounds: dict[tuple[str, str], Finding] = field(default_factory=dict)
    closure_evidence: dict[str, ObligationEvidence] = field(default_factory=dict)
    decided: dict[tuple[str, str], tuple[Result, tuple[str, ...]]] = field(default_factory=dict)
    lane: str = ""

    def enter(self, lane: str) -> None:
        """Go on with a reading of a lane; unless the last one was of the same, forget what takes memory.

        What was shown of rules alone is small, holds for every statement under them, and stays.
        """
        if lane != self.lane or not lane:
            self.walks, self.tables, self.last = {}, {}, []
            self.explorations, self.bounds = {}, {}
        self.lane = lane

    def explore(
        self, data: dict[str, Any], statement: Statement, is_enough: Callable[[Exploration], bool] | None = None
    ) -> Exploration:
        """Return every play of a statement whose claimant has a strategy, or which leaves nobody a choice to make.

        ``is_enough`` says of the plays up to some ply whether these will do; they are not shared.
        """
        key = hash_plays(data)
        if key not in self.explorations:
            found = explore(statement, is_enough=is_enough)
            if is_enough is not None and found.trouble is None and is_enough(found):
                return found
            self.explorations[key] = found
        return self.explorations[key]


@dataclass(frozen=True, slots=True)
class Task:
    """One reading to be checked; ``memo``, what was found for other readings, is changed."""

    library: Library
    claim: str
    name: str
    compiled: Compiled
    memo: Memo = field(default_factory=Memo)
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
    def walked(self) -> Statement:
        """The statement as the kernel has read it to decide, of a reading about plays."""
        return self.memo.statement or parse_statement(self.statement)


def pack_table(found: Exploration, held: Mapping[str, Any] | None = None) -> tuple[str, dict[str, bytes]]:
    """Return a claimant's moves in some plays, and what is ``held`` beside them, as a table: its hash, and the file."""
    packed = pack({"format": TABLE_FORMAT, "version": VERSION, "moves": found.moves(), **(held or {})})
    digest = hash_bytes(packed)
    return digest, {digest: packed}


def hash_plays(data: dict[str, Any]) -> str:
    """Return the hash of the plays that a statement is about."""
    return hash_value(plays_of(data))
