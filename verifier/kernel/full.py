"""Decide everything that replies leave open, in several processes, keeping what is done.

Trusted for: that so many races were decided by ``endgame`` in this run. A file of progress saves time and is no
evidence: what it names is not counted as decided. It holds a mark for each race decided, under a name that depends on
all races and on the kernel's own text; a mark that was cut off, or is none, counts for nothing.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import pathlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field

from verifier.kernel.bound import Leaf, describe, require
from verifier.kernel.certificate import hash_bytes, hash_value
from verifier.kernel.endgame import Endgames
from verifier.kernel.errors import CertificateError

CHUNK = 12
"""How many races a process decides, with one memory, before it reports."""


@dataclass(frozen=True, slots=True)
class Full:
    """Decide all of the leaves.

    Attributes:
        jobs: how many processes.
        folder: where progress is kept, so that an interrupted run goes on; None: nowhere.
        on_progress: called with the decided races, all races, and the seconds since the start.
        resumed: how many races of each call were decided before.
    """

    jobs: int
    folder: pathlib.Path | None = None
    on_progress: Callable[[int, int, float], None] | None = None
    resumed: list[int] = field(default_factory=list)

    def decide(self, leaves: list[Leaf], frontier: int) -> int:
        """Decide those that an earlier run has not."""
        key = hash_value([frontier, kernel_hash(), [describe(leaf) for leaf in leaves]])
        kept = None if self.folder is None else self.folder / f"{key}.txt"
        marks = {mark_of(key, number): number for number in range(len(leaves))}
        done = set[int]()
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            text = kept.read_bytes() if kept.exists() else b""
            done = {marks[line] for line in text.split(b"\n")[:-1] if line in marks}
            self.resumed.append(len(done))
            if text and not text.endswith(b"\n"):
                _append(kept, b"\n")
        missing = [number for number in range(len(leaves)) if number not in done]
        began = time.monotonic()
        for numbers in self._decide_chunks(leaves, missing, frontier):
            done.update(numbers)
            if kept is not None:
                _append(kept, b"".join(mark_of(key, number) + b"\n" for number in numbers))
            if self.on_progress is not None:
                self.on_progress(len(done), len(leaves), time.monotonic() - began)
        return len(missing)

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


def mark_of(key: str, number: int) -> bytes:
    """Return the line that says that a race was decided: no part of it, and no two of them joined, is another one."""
    return hash_value([key, number])[:32].encode()


@functools.cache
def kernel_hash() -> str:
    """Return the hash of the modules that decide a race: what another version decided is decided again."""
    folder = pathlib.Path(__file__).parent
    names = ("endgame.py", "race.py", "bound.py", "full.py", "games/nested.py")
    return hash_value([hash_bytes((folder / name).read_bytes()) for name in names])


def _append(path: pathlib.Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


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
