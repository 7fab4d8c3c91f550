"""What a run is asked for, in which order it checks the readings, and what these have in common."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from verifier.audit.fault import Fault
from verifier.audit.keys import Reference, Sources
from verifier.audit.store import Store
from verifier.language.library import Library
from verifier.questions.registry import find_question
from verifier.search.resources import DEFAULT_MEMORY_MIB, Resources


@dataclass(frozen=True, slots=True)
class Folders:
    """Where a run finds everything: what its processes are told.

    Attributes:
        specs: the folder of the specs.
        store: where evidence and remembered results are found and kept.
        wanted: the claims and folders that are read, with what they need; None: all specs.
    """

    specs: pathlib.Path
    store: Store
    wanted: tuple[str, ...] | None = None

    def open(self, library: Library, resources: Resources | None = None, *, keeps: bool = True) -> Context:
        """Return the context of readings. Unless it ``keeps`` evidence, none is written."""
        store = self.store if keeps else replace(self.store, is_keeping=False)
        return Context(library, store, Sources(library), resources or Resources())


@dataclass(frozen=True, slots=True)
class Context:
    """What the readings of a run have in common. No reading changes it.

    Attributes:
        store: where evidence and remembered results are found and kept.
        sources: finds the texts that each reading depends on.
        resources: what searches may use.
    """

    library: Library
    store: Store
    sources: Sources
    resources: Resources


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is asked for.

    Attributes:
        claims: the claims, in the order of the report.
        reading: check only this reading of each; None: all.
        left_out: readings for which only remembered results are reported.
        is_anew: search for evidence even if there is some.
        executor: where long searches run, ``dask://HOST:PORT``; None: in the processes of this machine.
        memory_mib: the size of the tables of one process of such a search.
        checkpoints: a folder in which such searches save finished parts.
        faults: the faults of the spec files that the library leaves out.
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


LONG_SECONDS = 8
"""Readings that are estimated longer than this come after all shorter ones."""


def plan_order(library: Library, wanted: Iterable[Reference]) -> list[Reference]:
    """Return readings in the order in which they begin.

    The claims of the documents come first, then our own, then the long ones. A reading is followed at once by those
    that share its lane.
    """

    def rank(item: tuple[int, Reference]) -> tuple[bool, int, bool, int]:
        number, reference = item
        seconds = guess_seconds(library, reference)
        is_long = seconds > LONG_SECONDS
        # The longest begins first, so that it is not left over for one process while the others are idle.
        return is_long, -seconds if is_long else 0, library.is_ours(library.claim(reference[0]).source), number

    lanes: dict[object, list[Reference]] = {}
    for number, reference in sorted(enumerate(wanted), key=rank):
        lanes.setdefault(find_lane(library, reference) or number, []).append(reference)
    return [reference for lane in lanes.values() for reference in lane]


def find_lane(library: Library, reference: Reference) -> str:
    """Return a name for the readings that are best checked one after the other by one process; empty: there is none."""
    claim, name = reference
    model = library.claim(claim)
    return find_question(model.readings[name].question).find_lane(model.readings[name], model.rules_of(name))


def is_parallel(library: Library, reference: Reference) -> bool:
    """Say whether the search for a reading's evidence runs in parallel by itself."""
    return find_question(library.claim(reference[0]).readings[reference[1]].question).parts_its_work


def guess_seconds(library: Library, reference: Reference) -> int:
    """Estimate how many seconds one process takes to check a reading on shipped evidence."""
    reading = library.claim(reference[0]).readings[reference[1]]
    return find_question(reading.question).seconds if reading.long is None else 60 * reading.long
