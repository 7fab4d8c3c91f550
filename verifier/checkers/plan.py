"""Which readings are checked by one process, one after the other."""

from __future__ import annotations

from verifier.spec.library import Library
from verifier.spec.model import Bound, Entailment, Enumeration, Exhaustive, Induction

Reference = tuple[str, str]
"""A claim's id and a reading's id."""


def is_shared_out(library: Library, reference: Reference) -> bool:
    """Say whether a reading parts its own work, and so is checked by the process that plans."""
    reading = library.claim(reference[0]).readings[reference[1]]
    return isinstance(reading, Bound) and reading.no_win_by is not None


def plan_groups(library: Library, selection: list[Reference]) -> list[list[Reference]]:
    """Part readings into groups that share nothing, the longest first; readings of the same plays stay together."""
    groups: dict[str, list[Reference]] = {}
    for claim, name in selection:
        reading = library.claim(claim).readings[name]
        if is_shared_out(library, (claim, name)):
            key = f"{claim}/{name}"
        elif isinstance(reading, Exhaustive):
            key = repr((reading.strategies, reading.start, reading.horizon, library.claim(claim).rules))
        elif isinstance(reading, Enumeration):
            key = f"{claim}/{name}"
        elif isinstance(reading, Induction | Entailment):
            key = f"{claim}/{name}"
            if reading.expect == "refuted" and reading.reachable_in is not None:
                player = library.strategy(reading.reachable_in).player
                key = repr(({player: reading.reachable_in}, None, None, library.claim(claim).rules))
        else:
            key = "the rest"
        groups.setdefault(key, []).append((claim, name))

    def weight(group: list[Reference]) -> int:
        return sum(10 if library.claim(c).readings[r].method in ("induction", "enumeration") else 1 for c, r in group)

    return sorted(groups.values(), key=weight, reverse=True)


_SECONDS = {"enumeration": 30, "induction": 5, "exhaustive": 2}
"""About how long a reading takes, by its method; where it is not one second."""


def weigh(library: Library, reference: Reference) -> int:
    """Guess how long a reading takes, in seconds of one process: for an estimate that is better than counting."""
    reading = library.claim(reference[0]).readings[reference[1]]
    if is_shared_out(library, reference):
        return 10 if isinstance(reading, Bound) and reading.pieces else 60
    return _SECONDS.get(reading.method, 1) * (5 if reading.slow else 1)
