"""The obligations of a reading with steps: what was shown, from which hypotheses, against those cited.

Of a refuted reading the evidence holds the counterexample alone; of the other parts nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from verifier.audit.store import Stores
from verifier.kernel.errors import CertificateError
from verifier.kernel.verdict import Verdict
from verifier.language.library import Library
from verifier.language.questions import Steps
from verifier.methods.result import ReadingResult
from verifier.methods.shown import read_cores, read_uses
from verifier.methods.witness import Counterexample


@dataclass(slots=True)
class Family:
    """The parts of a reading that one entry of its spec stands for.

    Attributes:
        members: how many parts it stands for.
        fails: of a refuted reading, what fails in one of them; empty where nothing was found to.
        is_refuted: the reading is.
        is_evident: the certificate holds the evidence for all of them, and the kernel has followed it.
        images: how many of these are images of others under a symmetry of the board.
        obligations: how many obligations were shown, each unsatisfiable.
        used: the hypotheses that some obligation is shown from; of an image those in their place.
        cited: those that the source names; None where it names none.
    """

    name: str
    members: int = 0
    fails: str = ""
    is_refuted: bool = False
    is_evident: bool = True
    images: int = 0
    obligations: int = 0
    used: set[str] = field(default_factory=set)
    cited: set[str] | None = None

    @property
    def status(self) -> str:
        """What became of its obligations, in words."""
        if self.fails:
            return f"fails: {self.fails}"
        if not self.is_evident:
            why = "the evidence holds the counterexample alone" if self.is_refuted else "a solver's word was taken"
            return f"not told: {why}"
        if self.images == self.members:
            return "shown: an image of another part"
        return "all unsatisfiable: shown" if self.obligations else "evaluated by the kernel"

    @property
    def not_cited(self) -> list[str]:
        """The hypotheses from which it is shown and which the source does not name."""
        return sorted(self.used - (self.cited or set()))

    @property
    def not_needed(self) -> list[str]:
        """The hypotheses that the source names and it is shown without."""
        return sorted((self.cited or set()) - self.used)


def list_obligations(library: Library, store: Stores, result: ReadingResult) -> list[Family]:
    """Return the families of a reading's parts; none where it has none, was not decided, or its file is not at hand."""
    model = library.claim(result.claim).readings[result.id]
    filed = result.certificate
    if not isinstance(model, Steps) or result.verdict == Verdict.UNKNOWN or filed is None:
        return []
    try:
        certificate = store.certificate(filed.key, filed.sha256)
    except CertificateError:
        return []
    evidence = certificate.evidence
    families, home = dict[str, Family](), dict[str, str]()
    labels = [str(part["part"]) for part in certificate.statement["parts"]]
    for label in labels:
        # A part has the name of its entry in the spec, with the values of its variables where it has any.
        named = (name for name in model.steps if label == name or label.startswith(f"{name}["))
        home[label] = max(named, key=len, default=label)
        families.setdefault(home[label], Family(home[label])).members += 1
    if result.verdict == Verdict.REFUTED:
        example = result.witness
        if not isinstance(example, Counterexample) or example.part not in home:
            return []
        families[home[example.part]].fails = example.fails
        return [replace(family, is_evident=False, is_refuted=True) for family in families.values()]
    if not result.is_followed:
        return [replace(family, is_evident=False) for family in families.values()]
    for label, _ in read_cores(certificate.statement, evidence):
        families[home[label]].obligations += 1
    for index, _, _ in evidence.get("images", ()):
        families[home[labels[index]]].images += 1
    for label, names in read_uses(certificate.statement, evidence).items():
        families[home[label]].used |= {*names}
    for name, part in model.steps.items():
        if name in families and part.cites is not None:
            families[name].cited = {str(item) for item in part.cites}
    return list(families.values())
