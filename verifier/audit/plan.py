"""What a run is asked for, in which order it checks that, where it finds and keeps evidence, and what it depends on."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from verifier.audit.fault import Fault
from verifier.audit.memory import Memory, hash_json
from verifier.audit.needs import find_used
from verifier.audit.store import Stores
from verifier.coq import Places, find_places
from verifier.language.library import Library
from verifier.language.shape import ABOUT
from verifier.language.syntax import spell_scopes
from verifier.questions.registry import find_question
from verifier.search.resources import DEFAULT_MEMORY_MIB, Resources


@dataclass(frozen=True, slots=True)
class Folders:
    """Where a run looks for evidence and keeps it: what processes are told.

    Attributes:
        out: where all evidence of this run is kept; None: nowhere.
        cache: the user's cache, or a folder that lasts as long as the run.
        shipped: the evidence that came with the specs; None: none did.
        is_remembering: results are remembered in the cache.
    """

    specs: pathlib.Path
    out: pathlib.Path | None
    cache: pathlib.Path | None
    shipped: pathlib.Path | None
    is_remembering: bool = True

    @property
    def stores(self) -> Stores:
        """The stores: what was shipped, and before the cache what this run writes."""
        shipped = self.shipped and self.shipped.resolve()
        others = [folder for folder in (self.out, self.cache) if folder is not None and folder.resolve() != shipped]
        return Stores(tuple(dict.fromkeys(others)), self.shipped)

    @property
    def coq(self) -> Places | None:
        """Where the Coq proofs of the shipped evidence are built; None: nowhere."""
        return None if self.shipped is None else find_places(self.shipped)

    @property
    def memory(self) -> Memory:
        """What is remembered of earlier runs."""
        return Memory(self.cache if self.is_remembering else None)

    def open(self, library: Library, resources: Resources | None = None, *, keeps: bool = True) -> Context:
        """Return where results and evidence are looked up and, if it ``keeps`` anything, kept."""
        return Context(library, self, Sources(library), resources or Resources(), keeps)


@dataclass(frozen=True, slots=True)
class Context:
    """What the readings of a run have in common, and no reading changes.

    Attributes:
        sources: what each reading is compiled from.
        resources: what searches may use.
        keeps: evidence is kept that the kernel has accepted.
    """

    library: Library
    folders: Folders
    sources: Sources
    resources: Resources
    keeps: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is asked for.

    Attributes:
        claims: which claims, in the order of the report.
        reading: only this reading of each, where given.
        left_out: readings of which only what is remembered is reported.
        is_anew: evidence is searched for whatever is there.
        executor: where long searches run, ``dask://HOST:PORT``; None: in the processes of this machine.
        memory_mib: the size of the tables of one process of such a search.
        checkpoints: a folder in which such searches keep what is finished.
        faults: what is wrong with files of the specs that the library is without.
    """

    folders: Folders
    library: Library
    claims: tuple[str, ...]
    reading: str | None = None
    jobs: int = 1
    left_out: frozenset[Reference] = frozenset()
    is_anew: bool = False
    executor: str | None = None
    memory_mib: int = DEFAULT_MEMORY_MIB
    checkpoints: pathlib.Path | None = None
    faults: tuple[Fault, ...] = ()


Reference = tuple[str, str]
"""A claim's id and a reading's id."""

LONG_SECONDS = 8
"""A reading that takes longer by guess comes after every shorter one."""


def plan_order(library: Library, wanted: Iterable[Reference]) -> list[Reference]:
    """Return readings in the order in which they begin.

    The claims of the documents come first, then our own; the long ones last, the longest of them first, so that no
    process is left with one alone. What shares a lane with a reading follows it at once.
    """

    def rank(item: tuple[int, Reference]) -> tuple[bool, int, bool, int]:
        number, reference = item
        seconds = guess_seconds(library, reference)
        is_long = seconds > LONG_SECONDS
        return is_long, -seconds if is_long else 0, library.is_ours(library.claim(reference[0]).source), number

    lanes: dict[object, list[Reference]] = {}
    for number, reference in sorted(enumerate(wanted), key=rank):
        lanes.setdefault(find_lane(library, reference) or number, []).append(reference)
    return [reference for lane in lanes.values() for reference in lane]


def find_lane(library: Library, reference: Reference) -> str:
    """Return what readings have in common that are best checked by one process, one after the other; empty: nothing."""
    claim, name = reference
    model = library.claim(claim)
    return find_question(model.readings[name].question).find_lane(model.readings[name], model.rules_of(name))


def is_shared_out(library: Library, reference: Reference) -> bool:
    """Say whether the search for a reading's evidence parts its own work among processes."""
    return find_question(library.claim(reference[0]).readings[reference[1]].question).parts_its_work


def guess_seconds(library: Library, reference: Reference) -> int:
    """Guess how long the kernel takes for a reading on shipped evidence, in seconds of one process."""
    reading = library.claim(reference[0]).readings[reference[1]]
    return find_question(reading.question).seconds if reading.long is None else 60 * reading.long


_ABOUT_A_FILE = frozenset({"title", "source", "readings"})
"""What is for people: no compiler sees it, as none sees what is said ``ABOUT`` a reading."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Finds what readings depend on; ``known`` has the hashes of files that were made before, by kind and id."""

    library: Library
    known: dict[tuple[str, str], str] = field(default_factory=dict)

    def of(self, reference: Reference) -> dict[str, str]:
        """Return the hashes of a reading and of every text that it could depend on, by what it is."""
        claim, name = reference
        value = self.library.claims[claim].document.value["readings"][name]
        found = {f"reading {claim}/{name}": hash_json(spell_scopes({k: v for k, v in value.items() if k not in ABOUT}))}
        for (kind, used), spec in find_used(self.library, claim, [name]).items():
            if (kind, used) not in self.known:
                said = {key: item for key, item in spec.document.value.items() if key not in _ABOUT_A_FILE}
                data = self.library.game(used).data if kind == "rules" else spell_scopes(said)
                self.known[kind, used] = hash_json(data)
            found[f"{kind} {used}"] = self.known[kind, used]
        return found
