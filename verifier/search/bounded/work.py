"""Search independent races side by side, keeping what is finished."""

from __future__ import annotations

import hashlib
import json
import pathlib
from collections.abc import Iterator
from concurrent.futures import Executor, Future, as_completed
from dataclasses import asdict, dataclass

from verifier.files import MAX_BYTES, read_start, replace_whole
from verifier.kernel.race.relaxation import Fields, field_table, format_race
from verifier.search.bounded.prove import prove
from verifier.search.resources import Resources
from verifier.search.walk import NodeLimitError

ENGINE = 7
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
    """

    replies: dict[str, str] | None
    reason: str = ""


def solve(units: list[Unit], resources: Resources) -> Iterator[Solved]:
    """Yield what a search says of each unit, in their order, whatever the executor.

    Finished units are kept in ``resources.checkpoints``, if given, and not searched again.
    """
    found = {unit: _load(resources, unit) for unit in units}
    for unit, new in _run([unit for unit in units if found[unit] is None], resources):
        found[unit] = new
        _store(resources, unit, new)
    yield from (solved for unit in units if (solved := found[unit]))


def _run(units: list[Unit], resources: Resources) -> Iterator[tuple[Unit, Solved]]:
    executor: Executor | None = resources.executor
    if executor is None:
        yield from ((unit, solve_unit(unit, resources.memory_mib)) for unit in units)
        return
    futures: dict[Future[Solved], Unit] = {
        executor.submit(solve_unit, unit, resources.memory_mib): unit for unit in units
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
        replies = prove(unit.fields, unit.active, unit.marks, home=home, frontier=unit.frontier, memory=memory_mib)
    except NodeLimitError as error:
        return Solved(None, f"the search gave up: {error}")
    if replies is None:
        return Solved(None, "Xavier wins the race, in which Olivia's own wins do not count")
    return Solved(replies)


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
        return Solved(value["replies"], value["reason"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _store(resources: Resources, unit: Unit, solved: Solved) -> None:
    path = _find(resources, unit)
    if path is not None:
        replace_whole(path, json.dumps(asdict(solved), sort_keys=True).encode())
