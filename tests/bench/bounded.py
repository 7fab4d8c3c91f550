"""Hold the speed of the bounded search against the same search in C++: ``python -m tests.bench.bounded [RUNS]``.

Both answer the same races; another answer or another number of nodes is an error, with exit code 1. Without g++ only
the first one is measured.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.search.bounded.races import after
from verifier.kernel.race.relaxation import Fields, field_table
from verifier.search.bounded.plain import NODES
from verifier.search.bounded.prove import Search, prove

MEMORY = 512
LINE = "4.4 4.1 1.4 4.2 2.4 4.3 3.4 4.5 5.4 4.6 6.4 4.7 7.4 4.8 8.4 4.0"
ASKED = [(LINE, 11), (f"{LINE} 0.0", 11), (f"{LINE} 0.4", 11), (f"{LINE} 0.1", 11), (LINE, 12)]
"""Plays, and the marks within which Xavier is to win after them."""

PROVED = f"{LINE} 0.1"

Answers = list[tuple[bool, int]]


def races() -> list[tuple[Fields, int, int, bool]]:
    """Return the races, with the active field, the marks, and whether Xavier is to move."""
    return [(*after(moves), marks, len(moves.split()) % 2 == 0) for moves, marks in ASKED]


def measure() -> tuple[Answers, float]:
    """Return whether Xavier wins each race, with the nodes met, and the seconds that took."""
    search = Search(MEMORY)
    answers = []
    begin = time.perf_counter()
    for fields, active, marks, is_xavier in races():
        before = int(search.counts[NODES])
        is_held = search.settle(fields, active, marks, is_xavier=is_xavier, limit=1 << 60)
        answers.append((not is_held, int(search.counts[NODES]) - before))
    return answers, time.perf_counter() - begin


def measure_cpp(program: Path) -> tuple[Answers, float]:
    """Return the same of the program in C++."""
    table = field_table()
    columns = zip(table.after_x, table.after_o, zip(*table.coarse, strict=True), table.free, table.need, strict=True)
    rows = [(*x, *o, *coarse, free, need) for x, o, coarse, free, need in columns]
    asked = [(*fields, active, marks, int(is_xavier)) for fields, active, marks, is_xavier in races()]
    text = "\n".join([str(len(rows)), *(" ".join(map(str, row)) for row in [*rows, *asked])])
    output = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    found = [line.split() for line in output.splitlines()]
    return [(line[0] == "1", int(line[1])) for line in found], sum(float(line[2]) for line in found)


def main() -> int:
    """Print the medians; return the exit code."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    begin = time.perf_counter()
    fields, active = after(PROVED)
    Search(1).settle(fields, active, 1, is_xavier=False, limit=1)
    Search(1).confine(fields, active, 1, (0, 1))
    Search(1).prove(fields, active, 1)
    Search(1).reply(fields, active, 1)
    print(f"to compile: {time.perf_counter() - begin:.1f} s (20 s)", flush=True)
    measured = [measure() for _ in range(runs)]
    answers = measured[0][0]
    nodes, seconds = sum(count for _, count in answers), statistics.median(time for _, time in measured)
    print(
        f"plain search: {nodes} nodes, median {seconds:.2f} s of {runs}, {nodes / seconds / 1e6:.1f} million a second"
    )
    compiler = shutil.which("g++")
    if compiler is None:
        print("no g++: not compared")
    else:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "bounded"
            source = Path(__file__).with_suffix(".cpp")
            subprocess.run([compiler, "-O2", "-march=native", "-std=c++17", "-o", program, source], check=True)
            others = [measure_cpp(program) for _ in range(runs)]
        if any(found != answers for found, _ in [*measured, *others]):
            print("the answers or the nodes differ")
            return 1
        other = statistics.median(time for _, time in others)
        print(f"the same in C++: median {other:.2f} s; the ratio is {seconds / other:.2f} (1.5)")
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        proof = prove(fields, active, 12, home=4, frontier=8, memory=MEMORY)
        times.append(time.perf_counter() - begin)
        if proof is None:
            print("no proof")
            return 1
    print(f"a proof for 12 marks: median {statistics.median(times):.2f} s of {runs}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
