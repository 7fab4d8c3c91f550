"""Measure the search of named games on one board: ``python -m tests.bench.boards [NAME ...]``.

For each game: the time of the search, the number of positions that it meets, the time to find and follow its moves, the
size of the table of moves, and the most memory that is used. Times are processor times. Each game has its own process,
which loads machine code that the first run has compiled. A game that takes more time or memory than intended is marked.
A name is a reading in ``tests/specs/boards``, or a shipped reading with its claim.
"""

import multiprocessing
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from tests.boards import boards
from tests.rules import specs
from verifier.kernel.decide import decide
from verifier.kernel.statement import parse_statement
from verifier.questions.can.evidence import find_moves
from verifier.questions.compile import compile_reading
from verifier.questions.finding import pack_table
from verifier.search.threats.descent import NODES
from verifier.search.threats.forced import open_search
from verifier.search.walk import NodeLimitError

TARGETS = {
    "n5-by-11": 60,
    "cube-by-7": 2,
    "plane-by-15": 60,
    "plane-by-13": 60,
    "falling-4-o-draws": 3,
    "falling-5-o-draws": 6,
}
"""What a claim may take in all, in seconds, where that is promised."""

MEMORY = {"falling-5-o-draws": 300}
"""How much memory the process of a claim may use, in MiB, where that is promised."""

LONGEST = ("animal-skinny/not-six", "animal-skinny/seven-moves", "animal-y5/seven-by-seven", "animal-l5/nine-moves")
"""The readings about Harary's table whose searches are the longest."""

HEAD = "claim                     verdict   search s   positions  moves s kernel s   entries     bytes    MiB"


def main() -> None:
    """Print a line for each claim."""
    print(HEAD)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        for line in pool.map(_measure, sys.argv[1:] or [*boards().claim("boards").readings, *LONGEST]):
            print(line, flush=True)


def _measure(claim: str) -> str:
    library, name = (specs(), claim) if "/" in claim else (boards(), f"boards/{claim}")
    data = compile_reading(library, *name.split("/")).statement
    if data is None:
        raise SystemExit(f"{claim} has no statement")
    times = [time.process_time()]
    statement = parse_statement(data)
    search = open_search(data, statement)
    if search is None:
        raise SystemExit(f"{claim} is not searched as a game of one board")
    is_won = search.is_won(statement.start)
    times.append(time.process_time())
    verdict, positions = "proved" if is_won else "refuted", int(search.tables.counts[NODES])
    head = f"{claim:25} {verdict:8} {times[1] - times[0]:9.2f} {positions:11,}"
    side = search if is_won else search.oppose()
    try:
        found, held = find_moves(data, side)
    except NodeLimitError as error:
        return f"{head}  no table: {error}"
    times.append(time.process_time())
    digest, files = pack_table(found, held)
    evidence = {"table": digest, **({"symmetries": side.symmetries.generators} if side.symmetries else {})}
    if not is_won:
        evidence |= {"objective": statement.objectives[0].name}
    decide(data, verdict, evidence, files.__getitem__)
    times.append(time.process_time())
    moves, size = found.moves(), sum(len(data) for data in files.values())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    is_long, is_large = times[3] - times[0] > TARGETS.get(claim, times[3]), memory > MEMORY.get(claim, memory)
    missed = "  missed" if is_long or is_large else ""
    return f"{head} {times[2] - times[1]:8.2f} {times[3] - times[2]:8.2f} {len(moves):9,} {size:9,} {memory:6,}{missed}"


if __name__ == "__main__":
    main()
