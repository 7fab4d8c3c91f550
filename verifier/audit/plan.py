"""What a run is asked for, and where it finds and keeps evidence."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass

from verifier.audit.fault import Fault
from verifier.audit.memory import Memory
from verifier.audit.schedule import Reference
from verifier.audit.sources import Sources
from verifier.audit.store import Stores, find_index
from verifier.coq import Places, find_places
from verifier.kernel.store import Index
from verifier.language.library import Library
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
        """The stores in the order in which they are asked."""
        folders = dict.fromkeys(folder for folder in (self.out, self.cache, self.shipped) if folder is not None)
        return Stores(tuple(folders))

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
        indexes = tuple(map(find_index, self.stores.folders))
        return Context(
            library, self, Sources(library), indexes, resources or Resources(None, DEFAULT_MEMORY_MIB), keeps
        )


@dataclass(frozen=True, slots=True)
class Context:
    """What the readings of a run have in common, and no reading changes.

    Attributes:
        sources: what each reading is compiled from.
        indexes: what the stores file under the names of readings.
        resources: what searches may use.
        keeps: evidence is kept that the kernel has accepted.
    """

    library: Library
    folders: Folders
    sources: Sources
    indexes: tuple[Index, ...]
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
