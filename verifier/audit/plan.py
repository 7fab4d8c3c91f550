"""The plan of a run, the context that its readings share, and the order in which the readings are checked."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from verifier.audit.fault import Fault
from verifier.audit.keys import Reference
from verifier.audit.needs import find_headline
from verifier.audit.store import Store
from verifier.language.outline import AnyLibrary, Outline, ReadingOutline, parse_whole
from verifier.search.resources import DEFAULT_MEMORY_MIB, Resources

if TYPE_CHECKING:
    from verifier.audit.sources import Sources
    from verifier.language.library import Library
    from verifier.language.made import SpecText
    from verifier.questions.question import Question


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of a run. Each process of the run gets this object.

    Attributes:
        specs: the folder of the specs; ``NO_FOLDER`` if all specs are made in Python.
        store: finds and keeps evidence and remembered results.
        wanted: the claims and folders to read, with the files that they need; None for all specs.
        made: the specs that are made in Python.
    """

    specs: pathlib.Path
    store: Store
    wanted: tuple[str, ...] | None = None
    made: tuple[SpecText, ...] = ()

    def open(self, library: AnyLibrary, resources: Resources | None = None, *, keeps: bool = True) -> Context:
        """Return the context of the readings. If ``keeps`` is False, no evidence is written."""
        store = self.store if keeps else replace(self.store, is_keeping=False)
        if isinstance(library, Outline):
            return Context(library, store, library, resources or Resources())
        from verifier.audit.sources import Sources

        return Context(library, store, Sources(library), resources or Resources())


@dataclass(frozen=True, slots=True)
class Context:
    """The objects that all readings of a run share. No reading changes them.

    Attributes:
        known: the specs, or only their outline (``outlining.py``), which is enough to look up remembered results.
        store: finds and keeps evidence and remembered results.
        sources: knows the hashes of the texts on which each reading depends.
        resources: the processes, memory and folder that searches may use.
    """

    known: AnyLibrary
    store: Store
    sources: Sources | Outline
    resources: Resources

    @property
    def library(self) -> Library:
        """The parsed specs."""
        return parse_whole(self.known)


@dataclass(frozen=True, slots=True)
class Plan:
    """The claims that a run checks, and its options.

    Attributes:
        claims: the claims, in the order of the report.
        reading: if given, check only the readings with this id, and the readings that they join.
        left_out: readings to skip. If the result of such a reading is remembered, it is reported. A reading is not
            skipped if this run checks the tables of its evidence anyway, for other readings (``spare`` in ``run.py``).
        is_anew: search for evidence even if there is some.
        executor: where long searches run, as ``dask://HOST:PORT``; None for the processes of this machine.
        memory_mib: the size of the tables of one process of a long search, in MiB.
        checkpoints: a folder in which long searches save finished parts.
        faults: the faults of the spec files that the library leaves out.
    """

    folders: Folders
    library: AnyLibrary
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
"""A reading counts as long if we expect that its check takes more seconds than this."""


def plan_order(library: Library, wanted: Iterable[Reference]) -> list[Reference]:
    """Return readings in the order in which their checks begin.

    First come the readings on which a document's headline (its main claims) rests, then the others. In each of these
    two parts, the documents' own claims come first, then the auditors' claims, then the long readings. Readings in one
    lane (see ``find_lane``) stay together.
    """
    headline = find_headline(library)

    def rank(item: tuple[int, Reference]) -> tuple[bool, bool, int, bool, int]:
        number, reference = item
        seconds = guess_seconds(library, reference)
        is_long = seconds > LONG_SECONDS
        is_ours = library.is_ours(library.claim(reference[0]).source)
        # The longest reading begins first: otherwise one process might check it last, while the others are idle.
        return reference not in headline, is_long, -seconds if is_long else 0, is_ours, number

    lanes: dict[object, list[Reference]] = {}
    for number, reference in sorted(enumerate(wanted), key=rank):
        lanes.setdefault(find_lane(library, reference) or number, []).append(reference)
    return [reference for lane in lanes.values() for reference in lane]


def find_lane(library: Library, reference: Reference) -> str:
    """Return the name of a reading's lane; empty if it has no lane.

    Readings of one lane share work, so the same process checks them.
    """
    from verifier.questions.registry import find_question

    claim, name = reference
    model = library.claim(claim)
    return find_question(model.readings[name].question).find_lane(model.readings[name], model.rules_of(name))


def is_parallel(library: AnyLibrary, reference: Reference) -> bool:
    """Say whether the search for a reading's evidence divides its work among processes."""
    return _ask(library, reference).parts_its_work


def guess_seconds(library: AnyLibrary, reference: Reference) -> int:
    """Estimate how many seconds one process takes to check a reading that has shipped evidence."""
    reading = library.claim(reference[0]).readings[reference[1]]
    return _ask(library, reference).seconds if not reading.long else 60 * reading.long


def _ask(library: AnyLibrary, reference: Reference) -> Question | ReadingOutline:
    """Return the outline or the question of a reading. Both have ``seconds`` and ``parts_its_work``."""
    reading = library.claim(reference[0]).readings[reference[1]]
    if isinstance(reading, ReadingOutline):
        return reading
    from verifier.questions.registry import find_question

    return find_question(reading.question)
