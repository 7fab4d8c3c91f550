"""The outline of a folder of specs, as plain values: what is known of its claims before any claim is compiled.

``audit/outlining.py`` makes the outline from the parsed files, and remembers it. A command that only shows what earlier
runs have decided needs no more than the outline. So this module loads no parser and no models. A run that decides
something reads the files themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules

if TYPE_CHECKING:
    from verifier.language.library import Library
    from verifier.language.model import Claim
    from verifier.language.reading import Reading
    from verifier.language.rules.drawn import DrawnClause
    from verifier.language.shape import SourcePlace

_T = TypeVar("_T", bound=Hashable)

Severity = Literal["remark", "wording", "slip", "gap", "hypothesis", "step", "statement"]
"""How serious a mistake is, mildest first. ``SEVERITIES`` in ``report/sentence.py`` names and explains each."""


@dataclass(frozen=True, slots=True)
class ReadingOutline:
    """Facts about a reading: keys of its spec (see ``VerdictKeys``), and what its question says about the reading.

    Attributes:
        needs: the texts that the reading's result depends on, as keys of ``Outline.hashes``, in order.
        said: lines that say what the reading asks.
        said_evidence: lines that show the evidence in the spec itself, such as an invariant.
        trust: texts that say what the kernel did to reach the verdict (see ``Question.trust``).
        seconds: the approximate time that one process takes to check the reading on shipped evidence.
        parts_its_work: True if the search for evidence distributes its work over several processes.
    """

    question: str
    expect: str
    rules: str | None
    long: int | None
    joins: list[str]
    repairs: list[str]
    control: bool
    agrees_with: str | None
    coq: str | None
    half_of: str
    note: str | None
    is_conjunction: bool
    objective_types: list[str]
    needs: list[str]
    said: list[str]
    said_evidence: list[str]
    trust: dict[str, str]
    seconds: int
    parts_its_work: bool


@dataclass(frozen=True, slots=True)
class SourceOutline:
    """The place of a claim in its document."""

    document: str
    place: str
    says: str
    ours: bool


@dataclass(frozen=True, slots=True)
class ClaimOutline:
    """A claim, and the file that it is in."""

    claim: str
    title: str
    source: SourceOutline
    rules: str
    uses: list[str]
    readings: dict[str, ReadingOutline]
    file: str

    def rules_of(self, reading: str) -> str:
        """Return the name of the rules that a reading is about."""
        return self.readings[reading].rules or self.rules


@dataclass(frozen=True, slots=True)
class ErratumOutline:
    """A mistake in a document: the readings that show it, and its severity."""

    readings: list[str]
    severity: Severity


@dataclass(frozen=True, slots=True)
class DocumentOutline:
    """A document.

    Attributes:
        read: how the document was read, such as *in full*; empty if no spec says so.
        beyond: the auditors' own claims that say more than the document, as its errata list them.
    """

    title: str
    read: str = ""
    ours: bool = False
    beyond: list[str] = field(default_factory=list)
    headline: list[str] = field(default_factory=list)
    contents: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outline:
    """A folder of specs without faults. It has the members of ``Library`` that do not need the parsed files.

    Attributes:
        rules: the rules in the kernel's terms, by name.
        drawn: the clause ``drawn`` of each rules file that has one, by name.
        hashes: the hashes of the texts that results depend on, by kind and name.
        parse: returns the parsed specs. It reads the files when it is first called.
    """

    claims: dict[str, ClaimOutline]
    documents: dict[str, DocumentOutline]
    errata: dict[str, dict[str, ErratumOutline]]
    rules: dict[str, dict[str, Any]]
    drawn: dict[str, dict[str, Any]]
    hashes: dict[str, str]
    parse: Callable[[], Library] = field(compare=False, repr=False)

    @property
    def lost(self) -> dict[tuple[str, str], str]:
        """The specs that were left out: none, because no file has a fault."""
        return {}

    def claim(self, name: str) -> ClaimOutline:
        """Return a claim."""
        return self.claims[name]

    def file_of(self, claim: str) -> str:
        """Return the file of a claim, below the folder of the specs."""
        return self.claims[claim].file

    def document(self, name: str) -> DocumentOutline:
        """Return a document; if the specs do not describe it, a description that has only the id."""
        return self.documents.get(name) or DocumentOutline(name)

    def game(self, name: str) -> Game:
        """Return the game of the rules with this id."""
        return parse_rules(self.rules[name])

    def drawings_of(self, name: str) -> dict[Game, DrawnClause]:
        """Return the game of a rules file with its clause ``drawn``; an empty map if the rules have no such clause."""
        if name not in self.drawn:
            return {}
        from verifier.language.rules.drawn import DrawnClause  # loads pydantic, which few claims need

        return {self.game(name): DrawnClause.model_validate(self.drawn[name])}

    def read_of(self, document: str) -> str:
        """Return how a document was read, such as *in full*; empty if no spec says so."""
        return self.document(document).read

    def beyond_of(self, document: str) -> list[str]:
        """Return the auditors' own claims that say more than a document, as its errata list them."""
        return self.document(document).beyond

    def errata_of(self, document: str) -> dict[str, ErratumOutline]:
        """Return the entries of a document's errata, by name, in the order of the file."""
        return self.errata.get(document, {})

    def is_ours(self, source: SourceOutline | SourcePlace) -> bool:
        """True if the auditors make a claim themselves; False if they found it in a document."""
        return source.ours or self.document(source.document).ours

    def texts_of(self, reference: tuple[str, str]) -> dict[str, str]:
        """Return the hashes of a reading and of every file that it could depend on, by kind and name."""
        return {name: self.hashes[name] for name in self.claims[reference[0]].readings[reference[1]].needs}


AnyReading: TypeAlias = "Reading | ReadingOutline"
AnyClaim: TypeAlias = "Claim | ClaimOutline"
AnyLibrary: TypeAlias = "Library | Outline"
"""The specs of a folder: the parsed specs, or only their outline."""


def parse_whole(library: AnyLibrary) -> Library:
    """Return the parsed specs. Read them if only their outline is known."""
    return library.parse() if isinstance(library, Outline) else library


def outline_to_json(outline: Outline) -> dict[str, Any]:
    """Return an outline as a JSON object."""
    claims = {name: asdict(claim) for name, claim in outline.claims.items()}
    documents = {name: asdict(document) for name, document in outline.documents.items()}
    errata = {name: {key: asdict(item) for key, item in own.items()} for name, own in outline.errata.items()}
    value = {"claims": claims, "documents": documents, "errata": errata}
    return value | {"rules": outline.rules, "drawn": outline.drawn, "hashes": outline.hashes}


def outline_from_json(value: Mapping[str, Any], parse: Callable[[], Library]) -> Outline:
    """Return the outline that a JSON object describes.

    Raises:
        KeyError, TypeError, AttributeError: the object does not describe an outline.
    """
    claims = {name: _read_claim(item) for name, item in value["claims"].items()}
    documents = {name: DocumentOutline(**item) for name, item in value["documents"].items()}
    errata = {name: {key: ErratumOutline(**item) for key, item in own.items()} for name, own in value["errata"].items()}
    return Outline(claims, documents, errata, value["rules"], value["drawn"], value["hashes"], parse)


def _read_claim(value: Mapping[str, Any]) -> ClaimOutline:
    readings = {name: ReadingOutline(**item) for name, item in value["readings"].items()}
    return ClaimOutline(**{**value, "source": SourceOutline(**value["source"]), "readings": readings})


# -- how claims and readings depend on each other ----------------------------------------------------------------------


def split_headline(library: AnyLibrary, document: str) -> tuple[list[str], list[str]]:
    """Return a document's main claims (its headline) as two lists: its own claims, and the auditors' claims."""
    made, own = list[str](), list[str]()
    for name in library.document(document).headline:
        source = library.claim(name).source if name in library.claims else None
        is_own = source is not None and (source.ours or source.document != document)
        (own if is_own else made).append(name)
    return made, own


def find_severities(library: AnyLibrary, claim: str) -> dict[str, Severity]:
    """Return the severities that the errata give to the readings of a claim, by the id of the reading."""
    entries = library.errata_of(library.claim(claim).source.document).values()
    named = [(name.partition("/"), entry.severity) for entry in entries for name in entry.readings]
    return {reading: severity for (owner, _, reading), severity in named if owner == claim}


def find_parts(claim: AnyClaim) -> set[str]:
    """Return the readings of a claim that are only parts of other readings, and do not decide its standing."""
    # A reading is a part if another reading of the claim joins it, unless that other reading is a repair or a control.
    # The two halves of a reading with ``exactly`` (see ``likeness``) are always parts.
    return {
        name
        for name, part in claim.readings.items()
        for other, reading in claim.readings.items()
        if part.half_of
        or (other != name and not reading.repairs and not reading.control and f"{claim.claim}/{name}" in reading.joins)
    }


def joined_claims(claim: AnyClaim) -> list[str]:
    """Return the other claims that a claim's readings join."""
    named = [name.partition("/")[0] for reading in claim.readings.values() for name in reading.joins]
    return [name for name in dict.fromkeys(named) if name != claim.claim]


def needed_claims(claim: AnyClaim) -> list[str]:
    """Return the claims to read before a claim: the claims that it uses, or that its readings join."""
    return list(dict.fromkeys([*claim.uses, *joined_claims(claim)]))


def follow(items: Iterable[_T], others_of: Callable[[_T], Iterable[_T]]) -> list[_T]:
    """Return items and all items reachable from them, each once. An item comes after all items that it leads to."""
    found: list[_T] = []
    seen: set[_T] = set()

    def add(item: _T) -> None:
        if item not in seen:
            seen.add(item)
            for other in others_of(item):
                add(other)
            found.append(item)

    for item in items:
        add(item)
    return found
