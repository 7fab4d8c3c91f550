"""Measure the search of named games on one board: ``python -m tests.bench.boards [NAME ...]``.

For each game: the time of the search, the number of positions that it meets, the time to find its moves, the time in
which the kernel follows them, the size of the table of moves, and the most memory that is used. As in a command, what
the search keeps in memory is freed before the kernel follows the moves. Times are processor times. Each game has its
own process, which loads machine code that the first run has compiled. A game that takes more time or memory than
intended is marked. A name is a reading in ``tests/specs/boards``, or a shipped reading with its claim.
"""

import multiprocessing
import pathlib
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeAlias

from verifier.kernel.certificate import unpack
from verifier.kernel.decide import decide
from verifier.kernel.statement import parse_statement
from verifier.language.folder import read_library
from verifier.language.library import Library
from verifier.questions.can.evidence import find_moves
from verifier.questions.compile import compile_reading
from verifier.questions.finding import pack_table
from verifier.questions.registry import GRAMMAR
from verifier.search.threats.descent import NODES
from verifier.search.threats.forced import open_search
from verifier.search.walk import NodeLimitError

SPECS, BOARDS = (pathlib.Path(__file__).parents[2] / folder for folder in ("specs", "tests/specs/boards"))
"""The shipped specs, and a folder with one claim, ``boards``: a reading for each known fact about a named game."""

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

_Found: TypeAlias = tuple[str, dict[str, Any], dict[str, bytes]]
"""The verdict, the evidence, and its files by hash."""

HEAD = "claim                     verdict   search s   positions  moves s kernel s   entries     bytes    MiB"


def main() -> None:
    """Print a line for each claim."""
    print(HEAD)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        for line in pool.map(_measure, sys.argv[1:] or [*_read(BOARDS, "boards").claim("boards").readings, *LONGEST]):
            print(line, flush=True)


def _read(folder: pathlib.Path, claim: str) -> Library:
    """Read the files that a claim needs, and no others, as a command does."""
    library, problems = read_library(folder, GRAMMAR, [claim])
    if problems:
        raise SystemExit("\n".join(map(str, problems)))
    return library


def _measure(claim: str) -> str:
    folder, (name, reading) = (SPECS, claim.split("/")) if "/" in claim else (BOARDS, ("boards", claim))
    data = compile_reading(_read(folder, name), name, reading).statement
    if data is None:
        raise SystemExit(f"{claim} has no statement")
    times = [time.process_time()]
    head, found = _search(claim, data, times)
    if found is None:
        return head
    verdict, evidence, files = found
    decide(data, verdict, evidence, files.__getitem__)
    times.append(time.process_time())
    size, memory = sum(map(len, files.values())), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    entries = len(unpack(files[evidence["table"]], "the table")["moves"])
    is_long, is_large = times[3] - times[0] > TARGETS.get(claim, times[3]), memory > MEMORY.get(claim, memory)
    missed = "  missed" if is_long or is_large else ""
    return f"{head} {times[2] - times[1]:8.2f} {times[3] - times[2]:8.2f} {entries:9,} {size:9,} {memory:6,}{missed}"


def _search(claim: str, data: dict[str, Any], times: list[float]) -> tuple[str, _Found | None]:
    """Search for the moves of a claim, and add to ``times`` when the search ended, and when there was a table.

    Return the beginning of the line, and what was found; None if the table would be too large.
    """
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
        return f"{head}  no table: {error}", None
    digest, files = pack_table(found, held)
    evidence = {"table": digest, **({"symmetries": side.symmetries.generators} if side.symmetries else {})}
    if not is_won:
        evidence |= {"objective": statement.objectives[0].name}
    times.append(time.process_time())
    return head, (verdict, evidence, files)


if __name__ == "__main__":
    main()
