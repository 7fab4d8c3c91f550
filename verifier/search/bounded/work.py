"""Search independent races side by side, keeping what is finished."""

from __future__ import annotations

import hashlib
import json
import pathlib
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, as_completed
from dataclasses import asdict, dataclass
from typing import Any

from verifier.files import MAX_BYTES, read_start, replace_whole
from verifier.kernel.race.relaxation import Fields, field_table, format_race
from verifier.search.bounded.prove import prove
from verifier.search.resources import Resources
from verifier.search.walk import NodeLimitError

ENGINE = 6
"""Changes whenever the search finds other replies: what older ones left in checkpoints is not used."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A race in which Olivia moves.

    Attributes:
        fields, active: the race.
        marks: the marks left to Xavier.
        frontier: replies are wanted while more marks than this are left.
    """

    fields: Fields
    active: int
    marks: int
    frontier: int

    def __str__(self) -> str:
        return format_race(self.fields, self.active, self.marks)


@dataclass(frozen=True, slots=True)
class Solved:
    """What a search says of a unit.

    Attributes:
        replies: Olivia's, by race; None where there are none.
        reason: why there are none.
        nodes: how many races the search looked into.
    """

    replies: dict[str, str] | None
    reason: str
    nodes: int


def solve(units: list[Unit], resources: Resources) -> Iterator[Solved]:
    """Yield what a search says of each unit, in their order, whatever the executor.

    Finished units are kept in ``resources.checkpoints``, if given, and not searched again.
    """
    began = time.monotonic()
    found: dict[int, Solved] = {}
    for number, unit in enumerate(units):
        kept = _load(resources, unit)
        if kept is not None:
            found[number] = kept
    missing = [number for number in range(len(units)) if number not in found]
    for number, solved in _run([(number, units[number]) for number in missing], resources):
        found[number] = solved
        _store(resources, units[number], solved)
        if resources.on_part is not None:
            resources.on_part(len(found), len(units), time.monotonic() - began)
    yield from (found[number] for number in range(len(units)))


def _run(units: list[tuple[int, Unit]], resources: Resources) -> Iterator[tuple[int, Solved]]:
    executor: Executor | None = resources.executor
    if executor is None:
        yield from ((number, solve_unit(unit, resources.memory_mib)) for number, unit in units)
        return
    futures: dict[Future[Solved], int] = {
        executor.submit(solve_unit, unit, resources.memory_mib): number for number, unit in units
    }
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()


def solve_unit(unit: Unit, memory_mib: int) -> Solved:
    """Search one unit in this process."""
    room = field_table().free
    others = [f for f in range(9) if f != unit.active]
    home = min(others, key=lambda f: room[unit.fields[f]].bit_count())
    try:
        proof = prove(
            unit.fields,
            unit.active,
            unit.marks,
            home=home,
            frontier=unit.frontier,
            memory=memory_mib,
        )
    except NodeLimitError as error:
        return Solved(None, f"the search gave up: {error}", 0)
    if proof is None:
        return Solved(None, "Xavier wins the race, in which Olivia's own wins do not count", 0)
    return Solved(proof.replies, "", proof.nodes["plain"] + proof.nodes["confined"] + proof.nodes["expanded"])


def _find(resources: Resources, unit: Unit) -> pathlib.Path | None:
    """Return where a unit is kept: the size of the tables may decide which replies are found."""
    if resources.checkpoints is None:
        return None
    text = json.dumps([ENGINE, resources.memory_mib, asdict(unit)], sort_keys=True)
    return resources.checkpoints / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"


def _load(resources: Resources, unit: Unit) -> Solved | None:
    """Return what a checkpoint holds; a damaged one is as good as none."""
    path = _find(resources, unit)
    if path is None:
        return None
    try:
        value = json.loads(read_start(path, MAX_BYTES))
        solved = Solved(value["replies"], value["reason"], value["nodes"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return solved if _is_whole(value) else None


def _is_whole(value: dict[str, Any]) -> bool:
    replies = value["replies"]
    if type(value["nodes"]) is not int or type(value["reason"]) is not str:
        return False
    return replies is None or (isinstance(replies, dict) and all(type(reply) is str for reply in replies.values()))


def _store(resources: Resources, unit: Unit, solved: Solved) -> None:
    path = _find(resources, unit)
    if path is not None:
        replace_whole(path, json.dumps(asdict(solved), sort_keys=True).encode())
