"""What is known of readings without any work: remembered statements, evidence as it is filed, remembered results."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from typing import Any

from verifier.audit.ledger import (
    ClaimResult,
    Decided,
    Decision,
    Filed,
    Ledger,
    ReadingResult,
    decision_from_json,
)
from verifier.audit.memory import COMPILE, DECIDE, SEARCH, Memory
from verifier.audit.schedule import Reference, guess_seconds
from verifier.audit.sources import Sources
from verifier.audit.standing import blank_result, conclude, find_standing
from verifier.audit.store import FileName, Found, Store, Stores, find_index
from verifier.coq import Places, read_theorems
from verifier.kernel.errors import CertificateError, IllegalMoveError, NotationError
from verifier.kernel.games import Game
from verifier.kernel.index import Index
from verifier.kernel.store import evidence_path
from verifier.language.library import Library
from verifier.language.references import find_parts
from verifier.methods.witness import Line, Witness


@dataclass(slots=True)
class Desk:
    """Where results and evidence are looked up and kept.

    Attributes:
        library: the specs.
        stores: where evidence is looked for, in this order.
        out, cache: where evidence is kept that the kernel has accepted.
        memory: what compile and decide have returned before.
        coq: where the Coq proofs of the shipped evidence are built; None: nowhere.
        sources: what each reading is compiled from.
        indexes: what the stores file under the names of readings.
    """

    library: Library
    stores: Stores
    out: Store | None = None
    cache: Store | None = None
    memory: Memory = field(default_factory=lambda: Memory(None))
    coq: Places | None = None
    sources: Sources = field(init=False)
    indexes: tuple[Index, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Look at the text of the specs, and at what is filed."""
        self.sources = Sources(self.library)
        self.indexes = tuple(find_index(store.folder) for store in self.stores.stores)


@dataclass(frozen=True, slots=True)
class Stated:
    """What a reading compiles to, as far as it has to be known to look for results.

    Attributes:
        statement: its hash; empty where the reading states nothing of its own.
        asked: the hash of what people are told beside the verdict: the hypotheses that the source names, an invariant.
    """

    statement: str
    asked: str


def recall_statement(desk: Desk, reference: Reference) -> Stated | None:
    """Return what a reading is remembered to compile to."""
    value = desk.memory.recall(COMPILE, desk.sources.of(reference))
    return None if value is None else Stated(str(value.get("statement")), str(value.get("asked")))


def recall(desk: Desk, reference: Reference, memory_mib: int = 0) -> ReadingResult | None:
    """Return what is remembered of a reading, without compiling, deciding or searching; None: nothing.

    That a search gave up is remembered where there is no evidence.

    Args:
        desk: where to look.
        reference: the reading.
        memory_mib: a search with less memory than this does not count.
    """
    stated = recall_statement(desk, reference)
    if stated is None:
        return None
    if not stated.statement:
        return wait_for_ledger(desk.library, reference)
    is_there = False
    for found in desk.stores.find(stated.statement):
        is_there = True
        if isinstance(found, Found):
            result = recall_decided(desk, reference, stated, found)
            if result is not None:
                return result
    return None if is_there else recall_search(desk, reference, stated, memory_mib)


def recall_search(desk: Desk, reference: Reference, stated: Stated, memory_mib: int) -> ReadingResult | None:
    """Return that a search is remembered to have given up, with as much memory or more."""
    value = desk.memory.recall(SEARCH, given_to_search(desk, reference, stated)) or {}
    reason, memory = value.get("reason"), value.get("memory")
    if not isinstance(reason, str) or not isinstance(memory, int) or memory < memory_mib:
        return None
    return replace(_blank(desk.library, reference), reason=reason, decided=Decided.REMEMBERED)


def look(desk: Desk, reference: Reference, *, compiles: bool = False) -> ReadingResult:
    """Return what is remembered of a reading, or a result that says where it could come from.

    Args:
        desk: where to look.
        reference: the reading.
        compiles: the reading is compiled where it is not remembered to what; otherwise what is filed under its name
            tells whether there is evidence.
    """
    known = recall(desk, reference)
    if known is not None:
        return known
    stated = recall_statement(desk, reference)
    if stated is None and compiles:
        stated = _state(desk, reference)
    if stated is not None:
        is_there, what = desk.stores.has(stated.statement), "there is evidence"
    else:
        is_there = any("/".join(reference) in index.filed for index in desk.indexes)
        what = "something is filed under its name"
    seconds = guess_seconds(desk.library, reference)
    if is_there:
        time = f"{seconds} s" if seconds < 60 else f"{seconds // 60} min"
        reason = f"{what}, not decided on here: verifier check {reference[0]}, about {time}"
    else:
        reason = f"no evidence here: verifier check {reference[0]} searches for it"
    return replace(_blank(desk.library, reference), reason=reason, decided=Decided.NOT_RUN)


def look_at_claims(desk: Desk, claims: Iterable[str], compiled: Container[str] = ()) -> Ledger:
    """Return the ledger of what is known of some claims; those named in ``compiled`` are compiled for it.

    Raises:
        SpecProblemsError: one of these does not compile.
    """
    library = desk.library
    theorems = read_theorems(desk.coq)
    results: dict[str, ClaimResult] = {}
    for claim in claims:
        model = library.claim(claim)
        found = [look(desk, (claim, name), compiles=claim in compiled) for name in model.readings]
        is_ours = library.is_ours(model.source)
        severities = library.severities_of(claim)
        results[claim] = conclude(model, found, results, is_ours=is_ours, severities=severities, theorems=theorems)
    return Ledger(tuple(results.values()))


def find_other_text(desk: Desk, claims: Iterable[ClaimResult]) -> str:
    """Say which claim of a ledger, or which reading of it, says something else in the specs; empty: none does.

    Verdicts are of the text that they were decided on, and are printed beside no other one. Compared is what verdicts
    and standings are about: each statement with evidence, the readings, and what these are to each other.

    Raises:
        SpecProblemsError: a reading does not compile.
    """
    for claim in claims:
        model = desk.library.claim(claim.id)
        if model.readings.keys() != {reading.id for reading in claim.readings}:
            return f"{claim.id} has other readings"
        for reading in claim.readings:
            here = blank_result(model, reading.id)
            if any(getattr(here, key) != getattr(reading, key) for key in ("method", "joins", "repairs", "control")):
                return f"{reading.name} is another reading"
            if here.expected is not reading.expected:
                return f"{reading.name} is expected to be {here.expected}"
            filed, reference = reading.certificate, (claim.id, reading.id)
            if filed is not None and _state(desk, reference).statement != filed.statement:
                return f"{reading.name} states something else"
            if not _is_play(desk.library.rules.game(model.rules_of(reading.id)), reading.witness):
                return f"{reading.name} has a witness that is no play"
        if find_standing(claim.readings, find_parts(model)) != (claim.standing, claim.beliefs):
            return f"{claim.id} stands otherwise by its readings"
    return ""


def _is_play(game: Game, witness: Witness | None) -> bool:
    """Say whether the moves of a witness, if there is one, lead to where it says that they do."""
    if witness is None:
        return True
    start, end = (witness.start, witness.position) if isinstance(witness, Line) else (witness.position, witness.after)
    try:
        position = game.parse_position(start)
        for move in witness.moves:
            position = game.play(position, game.parse_move(move))
    except (NotationError, IllegalMoveError):
        return False
    return game.format_position(position) == end


def _state(desk: Desk, reference: Reference) -> Stated:
    """Return what a reading is remembered to compile to, or what it compiles to."""
    from verifier.audit.compiling import state

    return recall_statement(desk, reference) or state(desk, reference)[0]


def wait_for_ledger(library: Library, reference: Reference) -> ReadingResult:
    """Return the result of a reading that states nothing of its own: the ledger makes it of others."""
    return replace(_blank(library, reference), reason="waits for what it joins")


def recall_decided(desk: Desk, reference: Reference, stated: Stated, found: Found) -> ReadingResult | None:
    """Return what the kernel is remembered to have decided on some evidence; None: nothing that has its shape."""
    value = desk.memory.recall(DECIDE, given_to_decide(stated, found.sha256))
    if value is None:
        return None
    with contextlib.suppress(CertificateError, ValueError):
        decision = decision_from_json(value)
        if any(store not in (None, found.store) for store in (desk.out, desk.cache)):
            files = {(name, end): desk.stores.read(name, end) for name, end in decision.files}
            keep(desk, stated, found.data, files)
        return replace(make_result(desk.library, reference, stated, found.sha256, decision), decided=Decided.REMEMBERED)
    return None


def keep(desk: Desk, stated: Stated, data: bytes, files: Mapping[FileName, bytes]) -> None:
    """Keep evidence that the kernel has accepted.

    Raises:
        OSError: it cannot be written where it was asked for; a cache that cannot be written costs time alone.
    """
    if desk.out is not None:
        desk.out.keep(stated.statement, data, files)
    if desk.cache is not None:
        with contextlib.suppress(OSError):
            desk.cache.keep(stated.statement, data, files)


def given_to_decide(stated: Stated, sha256: str) -> list[Any]:
    """Return what decide is given: a statement, evidence, and what people are told beside it."""
    return [stated.statement, sha256, stated.asked]


def given_to_search(desk: Desk, reference: Reference, stated: Stated) -> list[Any]:
    """Return what a search is given: a statement, the text that says how to look, and the solvers that it may ask."""
    return [stated.statement, desk.sources.of(reference), _solvers()]


@functools.cache
def _solvers() -> list[str]:
    found = []
    for name in ("z3-solver", "exact"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            found.append(f"{name} {metadata.version(name)}")
    return found


def _blank(library: Library, reference: Reference) -> ReadingResult:
    return blank_result(library.claim(reference[0]), reference[1])


def make_result(
    library: Library, reference: Reference, stated: Stated, sha256: str, decision: Decision
) -> ReadingResult:
    """Return the result of a reading whose evidence was decided."""
    return replace(
        _blank(library, reference),
        verdict=decision.verdict,
        reason=decision.reason,
        beliefs=decision.beliefs,
        stats=decision.stats,
        witness=decision.witness,
        needs=decision.needs,
        notes=decision.notes,
        hints=decision.hints,
        certificate=Filed(evidence_path(stated.statement), sha256, stated.statement, decision.files),
    )
