"""Decide everything that replies leave open, in several processes, keeping what is done.

Trusted for: that each race was decided by ``endgame``. A file of progress is believed: it holds the numbers of the
races already decided, under a name that is the hash of all of them; whoever wants to believe less removes it.
"""

from __future__ import annotations

import multiprocessing
import pathlib
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass

from verifier.kernel.bound import Leaf, describe, require
from verifier.kernel.certificate import hash_value
from verifier.kernel.endgame import Endgames
from verifier.kernel.errors import CertificateError

CHUNK = 8
"""How many races a process decides before it reports."""


@dataclass(frozen=True, slots=True)
class Full:
    """Decide all of the leaves.

    Attributes:
        jobs: how many processes.
        folder: where progress is kept, so that an interrupted run goes on; None: nowhere.
        on_progress: called with the decided races, all races, and the seconds since the start.
    """

    jobs: int
    folder: pathlib.Path | None = None
    on_progress: Callable[[int, int, float], None] | None = None

    def decide(self, leaves: list[Leaf], frontier: int) -> int:
        """Decide those that an earlier run has not."""
        kept = None
        done: set[int] = set()
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            kept = self.folder / f"{hash_value([frontier, [describe(leaf) for leaf in leaves]])}.txt"
            if kept.exists():
                done = _read_numbers(kept.read_text(errors="replace"), len(leaves))
            kept.write_text("".join(f"{number}\n" for number in sorted(done)))
        missing = [number for number in range(len(leaves)) if number not in done]
        began = time.monotonic()
        for numbers in self._decide_chunks(leaves, missing, frontier):
            done.update(numbers)
            if kept is not None:
                with kept.open("a") as file:
                    file.write("".join(f"{number}\n" for number in numbers))
            if self.on_progress is not None:
                self.on_progress(len(done), len(leaves), time.monotonic() - began)
        return len(done)

    def _decide_chunks(self, leaves: list[Leaf], missing: list[int], frontier: int) -> Iterator[list[int]]:
        chunks = [missing[i : i + CHUNK] for i in range(0, len(missing), CHUNK)]
        if self.jobs == 1:
            for chunk in chunks:
                failure = decide_chunk([leaves[number] for number in chunk], frontier)
                yield _accept(chunk, failure)
            return
        with ProcessPoolExecutor(self.jobs, multiprocessing.get_context("spawn")) as pool:
            try:
                futures = {
                    pool.submit(decide_chunk, [leaves[number] for number in chunk], frontier): chunk for chunk in chunks
                }
                for future in as_completed(futures):
                    yield _accept(futures[future], future.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def describe(self, settled: int, leaves: int) -> str:
        """Say that all were decided."""
        return "it tried everything in all of them" if settled == leaves else f"it decided {settled} only"


def _read_numbers(text: str, count: int) -> set[int]:
    """Return the numbers below ``count`` that a file of progress holds; a last line that was cut off may be another."""
    lines = text.split("\n")[:-1]
    return {int(line) for line in lines if re.fullmatch("[0-9]{1,9}", line) and int(line) < count}


def decide_chunk(leaves: list[Leaf], frontier: int) -> tuple[str, str] | None:
    """Decide some leaves in this process; return a refusal's reason and detail: exceptions do not travel."""
    endgames = Endgames()
    try:
        for leaf in leaves:
            require(leaf, frontier, endgames)
    except CertificateError as error:
        return error.reason, str(error).removeprefix(f"{error.reason}: ")
    return None


def _accept(chunk: list[int], failure: tuple[str, str] | None) -> list[int]:
    if failure is not None:
        raise CertificateError(*failure)
    return chunk
