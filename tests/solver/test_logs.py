"""What Exact logs: the shortest of several logs is taken, and what it does not need is left out."""

from __future__ import annotations

import itertools
import pathlib

import pytest

from verifier.kernel.refutation import Constraint
from verifier.solver import logs


def pigeons(holes: int) -> list[Constraint]:
    """Return that one pigeon more than there are holes has a hole of its own."""
    at = {pair: number for number, pair in enumerate(itertools.product(range(holes + 1), range(holes)), 1)}
    somewhere = [({at[pigeon, hole]: 1 for hole in range(holes)}, 1) for pigeon in range(holes + 1)]
    alone = [({-at[pigeon, hole]: 1 for pigeon in range(holes + 1)}, holes) for hole in range(holes)]
    return [*somewhere, *alone]


def test_lines_that_the_last_one_does_not_need_derive_nothing() -> None:
    """Numbers are kept, and so are lines that only say what is given; factors and divisors are not lines."""
    log = ["f 2", "l 1", "l 2", "pol 1 2 +", "rup 1 x1 >= 1", "pol 3 5 * 2 d"]
    assert logs.referred([line.split() for line in log]) == [
        *(["l", "1"], ["l", "2"], ["pol", "1", "2", "+"]),
        logs.NOTHING,
        ["pol", "3", "5", "*", "2", "d"],
    ]


def test_the_shortest_log_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those by all seeds the one of which fewest words are needed; seeds for which Exact fails count nothing."""
    pytest.importorskip("exact", reason="Exact is optional")
    problems = [pigeons(3), pigeons(4)]
    monkeypatch.setattr(logs, "SEEDS", range(1, 4))
    chosen = [*logs.read_logs(problems)]
    found = []
    for seed in logs.SEEDS:
        monkeypatch.setattr(logs, "SEEDS", [seed])
        found.append([*logs.read_logs(problems)])
    for at, log in enumerate(chosen):
        every = [logs_of[at] for logs_of in found]
        assert log in every
        assert log is not None
        needed = [sum(len(line) for line in logs.referred(one or []) if line != logs.NOTHING) for one in every]
        assert needed[every.index(log)] == min(needed)

    def ask(folder: pathlib.Path, seed: int, real=logs._ask) -> list[str]:  # type: ignore[no-untyped-def]
        return real(folder, seed)[:1] if seed == 1 else []

    monkeypatch.setattr(logs, "SEEDS", range(1, 3))
    monkeypatch.setattr(logs, "_ask", ask)
    assert [*logs.read_logs(problems)] == [found[0][0], None]
    assert [*logs.read_logs([[({1: 1}, 1)]])] == [None], "what can be met is not refuted"
