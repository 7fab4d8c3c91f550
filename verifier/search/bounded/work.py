"""Search independent races in parallel, and keep the results of finished races. The package explains races."""

from __future__ import annotations

import hashlib
import json
import pathlib
from collections.abc import Iterator
from concurrent.futures import as_completed
from typing import TypeAlias

from verifier.files import MAX_KEPT_BYTES, read_start, replace_whole
from verifier.kernel.race.bound import Race
from verifier.search.bounded.prove import prove
from verifier.search.resources import Resources
from verifier.search.walk import NodeLimitError

ENGINE = 9
"""Change this number if the search changes and finds other replies. Then checkpoints of the old search are not used."""

CaseResult: TypeAlias = dict[str, str] | str
"""Olivia's replies, by race; or the reason why there are no replies."""


def solve(races: list[Race], frontier: int, resources: Resources) -> Iterator[CaseResult]:
    """Yield, for each race in order, Olivia's replies in it, or the reason why there are no replies.

    There is a reply for each race that play can reach while Xavier has more than ``frontier`` marks left, and
    sometimes for later races (``prove``). If ``resources`` names a folder for checkpoints, the result of each finished
    race is kept in this folder, and the race is not searched again.
    """
    paths = {race: _place(resources, race, frontier) for race in races}
    found = {race: _load(path) for race, path in paths.items()}
    for race, new in _run([race for race in races if found[race] is None], frontier, resources):
        found[race] = new
        _store(paths[race], new)
    yield from (solved for race in races if (solved := found[race]) is not None)


def _run(races: list[Race], frontier: int, resources: Resources) -> Iterator[tuple[Race, CaseResult]]:
    executor, memory = resources.executor, resources.memory_mib
    if executor is None:
        yield from ((race, solve_race(race, frontier, memory)) for race in races)
        return
    futures = {executor.submit(solve_race, race, frontier, memory): race for race in races}
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()


def solve_race(race: Race, frontier: int, memory_mib: int) -> CaseResult:
    """Search one race in this process. Return Olivia's replies, or the reason why there are none."""
    fields, active, marks = race
    try:
        replies = prove(fields, active, marks, frontier=frontier, memory=memory_mib)
    except NodeLimitError as error:
        return f"the search gave up: {error}"
    return "Xavier wins the race, in which Olivia's own wins do not count" if replies is None else replies


def _place(resources: Resources, race: Race, frontier: int) -> pathlib.Path | None:
    """Return the file of a race. The size of the tables is part of the name, since the replies can depend on it."""
    if resources.checkpoints is None:
        return None
    text = json.dumps([ENGINE, resources.memory_mib, race, frontier])
    return resources.checkpoints / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"


def _load(path: pathlib.Path | None) -> CaseResult | None:
    """Return the result in a checkpoint; None if the checkpoint is missing or damaged."""
    try:
        found: CaseResult | None = json.loads(read_start(path, MAX_KEPT_BYTES)) if path else None
    except (OSError, ValueError):
        return None
    return found


def _store(path: pathlib.Path | None, solved: CaseResult) -> None:
    if path is not None:
        replace_whole(path, json.dumps(solved, sort_keys=True).encode())
