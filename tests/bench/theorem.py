"""Print how big the proof of Theorem 1 is and how fast it is checked: ``python -m tests.bench.theorem [RUNS]``.

The compiled search decides every race that the replies leave, the kernel a sample of them, on one core each.
"""

from __future__ import annotations

import pathlib
import statistics
import sys
import time
from dataclasses import dataclass
from typing import Any

from verifier.kernel import certificate as files
from verifier.kernel.race.replies import Leaf, follow, holds, parse_bound
from verifier.kernel.race.endgame import Endgames
from verifier.kernel.recheck import read_index
from verifier.kernel.sample import draw
from verifier.search.bounded.prove import Search
from verifier.search.bounded.work import is_held
from verifier.search.resources import DEFAULT_MEMORY_MIB

PROOFS = pathlib.Path(__file__).parents[2] / "proofs"
CLAIM = "theorem-1"
SAMPLE_SIZE = 1500


@dataclass(frozen=True, slots=True)
class Part:
    """A table of replies: its size, and what it leaves open."""

    replies: int
    size: int
    frontier: int
    leaves: list[Leaf]


def find_parts(statement: Any, evidence: Any) -> dict[str, Part]:
    """Return the tables that a proof rests on, by path."""
    found: dict[str, Part] = {}
    for part in evidence.get("parts", []):
        found |= find_parts(part["statement"], part["evidence"])
    if "table" in evidence:
        path = evidence["table"]["path"]
        data = files.read_bytes(PROOFS, path)
        replies = files.unpack(data, path)["replies"]
        leaves, _, _ = follow(parse_bound(statement), replies, evidence["frontier"])
        found[path] = Part(len(replies), len(data), evidence["frontier"], leaves)
    return found


def search_all(parts: list[Part]) -> tuple[int, float]:
    """Have the compiled search decide every leaf; return the nodes met and the seconds."""
    nodes, begin = 0, time.perf_counter()
    for part in parts:
        search = Search(DEFAULT_MEMORY_MIB, part.frontier)
        for leaf in part.leaves:
            if not is_held(search, leaf):
                raise ValueError(f"Xavier wins {leaf}")
        nodes += search.nodes()["plain"] + search.nodes()["confined"]
    return nodes, time.perf_counter() - begin


def check_sample(parts: list[Part], seed: int) -> tuple[float, float, float]:
    """Have the kernel decide a sample; return the races it would look into and the seconds for all, and its speed."""
    races = seconds = visited = spent = 0.0
    count = sum(len(part.leaves) for part in parts)
    for part in parts:
        chosen = draw(seed, 0, len(part.leaves), max(1, SAMPLE_SIZE * len(part.leaves) // count))
        endgames, begin = Endgames(), time.perf_counter()
        for number in chosen:
            if not holds(part.leaves[number], part.frontier, endgames):
                raise ValueError(f"Xavier wins {part.leaves[number]}")
        taken, share = time.perf_counter() - begin, len(part.leaves) / len(chosen)
        races, seconds = races + endgames.visited * share, seconds + taken * share
        visited, spent = visited + endgames.visited, spent + taken
    return races, seconds, visited / spent


def main() -> None:
    """Print sizes, and medians of the times."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    found: dict[str, Part] = {}
    for entry in read_index(PROOFS):
        if entry.claim == CLAIM:
            shown = files.parse_certificate(files.unpack(files.read_bytes(PROOFS, entry.path), entry.path), entry.path)
            found |= find_parts(shown.statement, shown.evidence)
    parts = list(found.values())
    replies, leaves = sum(part.replies for part in parts), sum(len(part.leaves) for part in parts)
    print(f"{CLAIM}: {len(parts)} tables, {sum(part.size for part in parts)} bytes, {replies} positions with a reply")
    print(f"races left below them: {leaves}", flush=True)
    search_all([Part(0, 0, part.frontier, part.leaves[:1]) for part in parts])  # compiles
    searched = [search_all(parts) for _ in range(runs)]
    nodes, taken = searched[0][0], statistics.median(time for _, time in searched)
    speed = nodes / taken / 1e6
    print(f"compiled search: {nodes} positions below, median {taken:.1f} s of {runs}, {speed:.2f} million a second")
    sampled = [check_sample(parts, seed) for seed in range(runs)]
    races, seconds, speed = (statistics.median(values) for values in zip(*sampled, strict=True))
    print(
        f"kernel: about {races:.3g} positions below, {seconds:.0f} s on one core, from {SAMPLE_SIZE} races", flush=True
    )
    print(f"kernel: {speed / 1e3:.0f} thousand positions a second")


if __name__ == "__main__":
    main()
