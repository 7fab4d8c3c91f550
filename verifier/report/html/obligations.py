"""The obligations of a reading by induction or entailment: what was shown, from which hypotheses, against those cited.

Of a refuted reading the evidence holds the counterexample alone; which of the other parts fail as well its notes say.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from verifier.checkers.finding import is_hypothesis
from verifier.checkers.ledger import ReadingResult
from verifier.kernel.certificate import unpack_text
from verifier.kernel.errors import CertificateError
from verifier.kernel.store import read_bytes
from verifier.kernel.verdict import Verdict
from verifier.spec.library import Library
from verifier.spec.model import Entailment, Induction


@dataclass(slots=True)
class Family:
    """The parts of a reading that one entry of its spec stands for.

    Attributes:
        name: the entry's name.
        members: how many parts it stands for.
        fails: of a refuted reading, what fails in one of them; empty where nothing was found to.
        is_evident: the certificate holds the evidence for all of them.
        images: how many of these are images of others under a symmetry of the board.
        obligations: how many obligations were shown, each unsatisfiable.
        used: the hypotheses that some obligation needed.
        cited: those that the source names; None where it names none.
    """

    name: str
    members: int = 0
    fails: str = ""
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
            return "no counterexample: Z3 finds none, and no evidence is kept"
        return "all unsatisfiable: shown" if self.obligations else "evaluated by the kernel"

    @property
    def not_cited(self) -> list[str]:
        """The hypotheses that the proof used and the source does not name."""
        return sorted(self.used - (self.cited or set()))

    @property
    def not_needed(self) -> list[str]:
        """The hypotheses that the source names and the proof did not use."""
        return sorted((self.cited or set()) - self.used)


def family_of(label: str, names: Iterable[str]) -> str:
    """Return the spec's entry that a part belongs to: its name, with the values of its variables where it has any."""
    return max((name for name in names if label == name or label.startswith(f"{name}[")), key=len, default=label)


def list_obligations(library: Library, proofs: pathlib.Path, result: ReadingResult) -> list[Family]:
    """Return the families of a reading's parts; none where it has none, was not decided, or its file is not at hand."""
    model = library.claim(result.claim).readings[result.reading]
    if not isinstance(model, Induction | Entailment) or result.verdict == Verdict.UNKNOWN or not result.path:
        return []
    try:
        # The kernel has accepted this very file, so that it need not be read as strictly again (which takes longer).
        certificate = json.loads(unpack_text(read_bytes(proofs, result.path), result.path))
    except CertificateError:
        return []
    evidence = certificate["evidence"]
    families: dict[str, Family] = {}
    labels = [str(part["part"]) for part in certificate["statement"]["parts"]]
    home = {label: family_of(label, model.parts) for label in labels}
    for label in labels:
        families.setdefault(home[label], Family(home[label])).members += 1
    if result.verdict == Verdict.REFUTED:
        return _note_failures(result, list(families.values()), home)
    for index, _, _ in evidence.get("images", ()):
        families[home[labels[index]]].images += 1
    for label, _, core in evidence.get("cores", ()):
        family = families[home[label]]
        family.obligations += 1
        family.used |= {name for name in core if is_hypothesis(name)}
    for name, part in model.parts.items():
        if name in families and part.cites is not None:
            families[name].cited = {str(item) for item in part.cites}
    return list(families.values())


def _note_failures(result: ReadingResult, families: list[Family], home: Mapping[str, str]) -> list[Family]:
    """Say which families of a refuted reading fail; none where the notes do not name the one of the counterexample."""
    found = {family.name: family for family in families}
    for note in result.notes:
        label = max((name for name in home if note.startswith(f"{name}: ")), key=len, default="")
        if label and note.endswith(" fails"):
            family = found[home[label]]
            family.fails = family.fails or note.removeprefix(f"{label}: ").removesuffix(" fails").strip("'\"")
    shown = result.witness["part"] if result.witness else ""
    if not found.get(home.get(shown, ""), Family("")).fails:
        return []
    for family in families:
        family.is_evident = False
    return families
