"""Measure the search of games of cells: ``python -m tests.bench.cells [NAME ...]``.

For each reading in ``tests/specs/cells``: the time of the search, the number of positions that it lists, the time to
find and follow its moves, the size of the table of moves, and the most memory that is used. Times are processor times.
Each reading has its own process. A reading that takes more time or memory than intended is marked.
"""

import functools
import itertools
import multiprocessing
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from tests.audit.made import MADE
from tests.rules import load_library
from verifier.kernel.decide import decide
from verifier.kernel.statement import parse_statement
from verifier.language.library import Library
from verifier.questions.can.evidence import decide_start, find_moves
from verifier.questions.compile import compile_reading
from verifier.questions.finding import pack_table
from verifier.search.resources import DEFAULT_MEMORY_MIB

TARGET, MEMORY = 60, 1024
"""What a claim may take in all, in seconds and in MiB."""

HEAD = "reading               verdict  search s    listed  moves s kernel s   entries     bytes    MiB"


@functools.cache
def cells() -> Library:
    """Return claims about games of cells whose results are known."""
    return load_library(MADE / "cells")


def main() -> None:
    """Print a line for each reading."""
    print(HEAD)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        for line in pool.map(_measure, sys.argv[1:] or cells().claim("cells").readings):
            print(line, flush=True)


def _measure(name: str) -> str:
    data = compile_reading(cells(), "cells", name).statement
    if data is None:
        raise SystemExit(f"{name} has no statement")
    times = [time.process_time()]
    statement = parse_statement(data)
    solver, is_proved = decide_start(data, statement, DEFAULT_MEMORY_MIB)
    times.append(time.process_time())
    found, held = find_moves(data, solver)
    times.append(time.process_time())
    digest, files = pack_table(found, held)
    verdict = "proved" if is_proved else "refuted"
    evidence = {"table": digest, **({} if is_proved else {"objective": statement.objectives[0].name})}
    decide(data, verdict, evidence, files.__getitem__)
    times.append(time.process_time())
    graph = getattr(solver, "graph", None)
    listed = "by plays" if graph is None else f"{len(graph.numbers):,}"
    search, moves, kernel = (after - before for before, after in itertools.pairwise(times))
    size, memory = sum(map(len, files.values())), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    missed = "  missed" if times[-1] - times[0] > TARGET or memory > MEMORY else ""
    row = f"{name:20} {verdict:8} {search:9.2f} {listed:>9} {moves:8.2f} {kernel:8.2f}"
    return f"{row} {len(found.moves()):9,} {size:9,} {memory:6,}{missed}"


if __name__ == "__main__":
    main()
