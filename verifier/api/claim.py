"""A claim of a folder of specs, and its readings: what its file says, what is decided on it, and by what evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from verifier.api.certificate import Certificate
from verifier.api.selection import find_below
from verifier.audit.fault import FaultKind, fault_lines
from verifier.kernel.errors import SpecError, UsageError
from verifier.kernel.verdict import Verdict

if TYPE_CHECKING:
    from verifier.api.judgement import Judgement, Ledger
    from verifier.api.specs import Specs
    from verifier.language import model


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of a document.

    >>> import verifier
    >>> claim = verifier.load()["lowest-spot-keeps-fields"]
    >>> claim.document, claim.rules, list(claim.readings)
    ('examples', 'paper', ['as-stated'])
    >>> claim.check().standings
    {'lowest-spot-keeps-fields': <Standing.REFUTED: 'refuted'>}

    Attributes:
        id: its id.
        specs: where it is from.
    """

    id: str
    specs: Specs = field(repr=False)

    @property
    def model(self) -> model.Claim:
        """The claim as its file says it."""
        return self.specs.library.claim(self.id)

    @property
    def title(self) -> str:
        """What it says, in a line."""
        return " ".join(self.model.title.split())

    @property
    def says(self) -> str:
        """What the document says, restated."""
        return " ".join(self.model.source.says.split())

    @property
    def document(self) -> str:
        """The id of the document."""
        return self.model.source.document

    @property
    def place(self) -> str:
        """Where the document says it."""
        return self.model.source.place

    @property
    def rules(self) -> str:
        """The id of the rules that it is about."""
        return self.model.rules

    @property
    def readings(self) -> dict[str, Reading]:
        """Its readings by id: the ways to take it, repairs and controls."""
        return {name: Reading(self.id, name, self.specs) for name in self.model.readings}

    @property
    def rests_on(self) -> list[str]:
        """The ids of all claims that it rests on, by joining or using them, in reading order; its own comes last."""
        return find_below(self.specs.library, self.id)

    def check(self, *, anew: bool = False) -> Ledger:
        """Check every reading, and what they join; the arguments are those of ``Specs.check``."""
        return self.specs.check(self.id, anew=anew)

    def look(self) -> Ledger:
        """Return what earlier runs have decided."""
        return self.specs.look(self.id, compiled=[self.id])

    def __str__(self) -> str:
        return self.look().show(self.id)

    def __repr__(self) -> str:
        return f"<Claim {self.id}>"

    def _repr_html_(self) -> str:
        return self.look()._repr_html_()


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to take a claim: exact enough to be decided.

    >>> import verifier
    >>> reading = verifier.load()["careful-first-is-safe"].readings["as-stated"]
    >>> reading.method, reading.expected
    ('exhaustive', <Verdict.PROVED: 3>)
    >>> reading.check().stats["leaves"]
    118

    Attributes:
        claim: the id of the claim.
        id: its own id.
        specs: where it is from.
    """

    claim: str
    id: str
    specs: Specs = field(repr=False)

    @property
    def name(self) -> str:
        """The reading, as ``CLAIM/READING``."""
        return f"{self.claim}/{self.id}"

    @property
    def model(self) -> model.Reading:
        """The reading as its file says it."""
        return self.specs.library.claim(self.claim).readings[self.id]

    @property
    def method(self) -> str:
        """By which method it is decided."""
        return self.model.method

    @property
    def expected(self) -> Verdict:
        """The verdict that its file expects."""
        return Verdict.parse(self.model.expect)

    @property
    def statement(self) -> dict[str, Any] | None:
        """What it states, in the kernel's terms: JSON; None where it joins others and says nothing of its own.

        Raises:
            SpecError: it does not compile.
        """
        from verifier.language.compile import compile_reading

        return compile_reading(self.specs.library, self.claim, self.id).statement

    @property
    def certificate(self) -> Certificate:
        """Its evidence, as it lies in the cache or in the shipped proofs.

        Raises:
            UsageError: there is none.
            CertificateError: what lies there cannot be read, or states something else.
            SpecError: it does not compile.
        """
        from verifier.audit.plays import find_evidence

        context = self.specs.folders.open(self.specs.library, keeps=False)
        found = find_evidence(context, (self.claim, self.id))
        if found is None:
            raise UsageError(f"there is no evidence here of {self.name}: check it first")
        return Certificate(found, context)

    def check(self, *, anew: bool = False) -> Judgement:
        """Have the kernel decide; the arguments are those of ``Specs.check``.

        Raises:
            SpecError: it does not compile.
        """
        ledger = self.specs.check(self.claim, reading=self.id, anew=anew)
        if any(fault.kind is FaultKind.SPEC for fault in ledger.value.faults):
            raise SpecError("\n".join(fault_lines(ledger.value.faults)))
        return ledger[self.name]

    def look(self) -> Judgement:
        """Return what earlier runs have decided."""
        return self.specs.look(self.claim, compiled=[self.claim])[self.name]

    def __repr__(self) -> str:
        return f"<Reading {self.name}>"
