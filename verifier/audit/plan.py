"""What a run is asked for, where it finds and keeps evidence, and what it has come to."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from verifier.audit.ledger import Ledger
from verifier.audit.memory import Memory
from verifier.audit.recall import Desk
from verifier.audit.schedule import Reference
from verifier.audit.store import Store, Stores
from verifier.coq.stamp import Places, find_places
from verifier.language.dependents import select_readings
from verifier.language.library import Library
from verifier.language.problem import Costs, Problem
from verifier.search.resources import DEFAULT_MEMORY_MIB


@dataclass(frozen=True, slots=True)
class Folders:
    """Where a run looks for evidence and keeps it: what processes are told.

    Attributes:
        specs: the specs' folder.
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
        return Stores(tuple(map(Store, folders)))

    @property
    def coq(self) -> Places | None:
        """Where the Coq proofs of the shipped evidence are built."""
        return None if self.shipped is None else find_places(self.shipped)

    def open_desk(self, library: Library) -> Desk:
        """Return where results and evidence are looked up and kept."""
        return Desk(
            library,
            self.stores,
            out=None if self.out is None else Store(self.out),
            cache=None if self.cache is None else Store(self.cache),
            memory=Memory(self.cache if self.is_remembering else None),
            coq=self.coq,
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is asked for.

    Attributes:
        folders: where evidence is.
        library: the specs.
        claims: which claims, in the order of the report.
        reading: only this reading of each, where given.
        jobs: how many processes.
        left_out: readings of which only what is remembered is reported.
        is_anew: evidence is searched for whatever is there.
        executor: where long searches run, ``dask://HOST:PORT``; None: in the processes of this machine.
        memory_mib: the size of the tables of one process of such a search, in MiB.
        checkpoints: a folder in which such searches keep what is finished.
        problems: what is wrong with files of the specs that the library is without.
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
    problems: tuple[Problem, ...] = ()

    @property
    def selection(self) -> tuple[Reference, ...]:
        """The readings, with those that they join, in the order of the report."""
        return tuple(select_readings(self.library, self.claims, self.reading))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has come to.

    Attributes:
        ledger: every claim.
        problems: what is wrong with the specs of readings that did not compile.
        costs: the claims that were lost to faults of other files, by these.
        faults: readings that were lost to a defect of this tool, or with their process, and how.
    """

    ledger: Ledger
    problems: tuple[Problem, ...] = ()
    costs: Costs = field(default_factory=dict)
    faults: Mapping[Reference, str] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """The ledger's; but 2 where specs are wrong, and 3 where something of this tool is."""
        return 3 if self.faults else 2 if self.problems else self.ledger.exit_code
