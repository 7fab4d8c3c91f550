"""Samples: no single change of a certificate whose levels are held whole is accepted, and the draw is a fixed one."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.search.plays import statement
from verifier.kernel.errors import CertificateError
from verifier.kernel.sample import Enumeration, check_sample, draw
from verifier.kernel.verdict import Belief, Verdict
from verifier.search.compiled.engine import Engine

Path = tuple[Any, ...]

DRAWN = [934652, 1372255, 1375414, 1386000]
"""The first numbers of ``0 17 0``, ``0 17 1``, …, that differ modulo 1410830."""


def prove(data: dict[str, Any]) -> tuple[Enumeration, dict[str, Any]]:
    engine = Engine(data)
    found = engine.enumerate()
    return engine.plan, {"start": found.start, "levels": found.levels}


def paths_of(value: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths_of(inner, (*path, key))


def follow(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def mutants(evidence: dict[str, Any], chance: random.Random) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield copies with one entry deleted, one number changed, or one text with two characters exchanged.

    Every count and every level is changed, and 150 of the other entries.
    """
    paths = list(paths_of(evidence))
    for path in [p for p in paths if len(p) < 4] + chance.sample([p for p in paths if len(p) >= 4], 150):
        old = follow(evidence, path)
        changed: list[Any] = []
        if isinstance(old, int):
            changed = [old + 1, old - 1]
        elif isinstance(old, str):
            i, j = sorted(chance.sample(range(len(old)), 2))
            changed = [new for new in (old[:i] + old[j] + old[i + 1 : j] + old[i] + old[j + 1 :],) if new != old]
        elif isinstance(old, list):
            changed = [[*old, *old[-1:]]] if old else []
        for new in [None, *changed]:
            mutant = copy.deepcopy(evidence)
            holder = follow(mutant, path[:-1])
            if new is None:
                del holder[path[-1]]
            else:
                holder[path[-1]] = new
            yield path, mutant


@pytest.mark.parametrize("symmetry", ["none", "relabelling"])
def test_every_change_of_a_certificate_held_whole_is_rejected(symmetry: str) -> None:
    """Only a permutation can be exchanged for one that does the same."""
    horizon = 2 if symmetry == "none" else 6
    plan, evidence = prove(statement(symmetry=symmetry, horizon=horizon, sample=200))
    result = check_sample(plan, evidence)
    assert (result.verdict, result.beliefs) == (Verdict.SUPPORTED, {Belief.SEARCH})
    reasons: Counter[str] = Counter()
    for path, mutant in mutants(evidence, random.Random(1)):
        try:
            check_sample(plan, mutant)
        except CertificateError as error:
            reasons[error.reason] += 1
        else:
            old, new = follow(evidence, path), follow(mutant, path)
            assert symmetry == "relabelling", path
            assert sorted(old) == sorted(new) == list("012345678"), path
    assert {"count", "engines-disagree", "malformed", "not-the-draw", "relabelling"} == set(reasons)
    assert sum(reasons.values()) > 250


def test_the_draw_is_fixed() -> None:
    """Which positions a seed names does not depend on the machine or the version of Python."""
    assert draw(0, 17, 1410830, 4) == DRAWN
    assert draw(0, 17, 4, 4) == draw(9, 1, 4, 200) == [0, 1, 2, 3]
    assert draw(1, 17, 1410830, 4) != DRAWN != draw(0, 16, 1410830, 4)
    for count in (5, 6, 7, 1000):
        drawn = draw(3, 0, count, 5)
        assert drawn == sorted(set(drawn))
        assert len(drawn) == 5
        assert 0 <= drawn[0] <= drawn[-1] < count
