"""Processes of this machine, each given one task at a time; and tables of replies, which they follow and count.

A process that dies costs the task it was at and no other. Tasks of one *lane* stay with one process as far as it goes,
so that what it remembers of the last one helps with the next.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from verifier.kernel.certificate import Files, is_hash, unpack
from verifier.kernel.limits import run_limited
from verifier.kernel.race.bound import MAX_KEPT, MAX_TABLES, Shown, check_table


class DeadWorkerError(Exception):
    """A process has ended before its task was done."""


Counter: TypeAlias = ctypes.c_longlong
"""Counts replies, in memory that processes share; where two add at once, one may be lost: nobody has to wait."""

_COUNTERS: list[Counter] = []
"""What this process counts in."""


def make_counter() -> Counter:
    """Return a counter that can be handed to processes as they start."""
    counter: Counter = multiprocessing.get_context("spawn").RawValue("q")
    return counter


@dataclass(slots=True)
class _Task:
    """Something to be done: ``lane`` is empty where it shares nothing with others."""

    future: Future[Any]
    call: Callable[[], Any]
    lane: str


@dataclass(slots=True, eq=False)
class _Worker:
    """A thread that hands a process one task after the other; the lane of the last one; the process and its pipe."""

    thread: threading.Thread
    lane: str = ""
    started: tuple[BaseProcess, Connection] | None = None


class Pool(Executor):
    """Runs tasks in processes that leave signals to this one and end with it; they start when there is work."""

    def __init__(self, count: int, counter: Counter | None = None) -> None:
        """Make one.

        Args:
            count: how many processes at most.
            counter: counts the replies that they follow in tables.
        """
        self.count = count
        self.counter = make_counter() if counter is None else counter
        self._waiting: list[_Task] = []
        self._workers: list[_Worker] = []
        self._is_closed = self._is_ended = False
        self._changed = threading.Condition()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a process call a function."""
        return self.submit_in_lane("", fn, *args, **kwargs)

    def submit_in_lane(self, lane: str, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a process call a function, if it can be that which had the last task of the same lane."""
        task = _Task(Future(), functools.partial(fn, *args, **kwargs), lane)
        with self._changed:
            if self._is_closed:
                raise RuntimeError("the pool is closed")
            self._waiting.append(task)
            if len(self._workers) < self.count:
                worker = _Worker(threading.Thread(target=lambda: self._serve(worker), name="pool", daemon=True))
                self._workers.append(worker)
                worker.thread.start()
            self._changed.notify()
        return task.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: at once if what waits is cancelled, else after all work is done."""
        with self._changed:
            self._is_closed = True
            if cancel_futures:
                self._is_ended = True
                for task in self._waiting:
                    task.future.cancel()
                self._waiting.clear()
                for worker in self._workers:
                    if worker.started is not None:
                        worker.started[0].kill()
            self._changed.notify_all()
        for worker in self._workers if wait else ():
            worker.thread.join()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End the processes with a block; after an exception what they are at is lost, and nothing is waited for."""
        self.shutdown(wait=kind is None, cancel_futures=kind is not None)

    def _serve(self, worker: _Worker) -> None:
        """Hand a process one task after the other until the pool is closed and nothing is left; runs in a thread."""
        while (task := self._take(worker)) is not None:
            try:
                with self._changed:  # once the pool is ended no process starts any more
                    if self._is_ended:
                        raise DeadWorkerError("it was ended")
                    worker.started = worker.started or _start_process(self.counter)
                if task.future.set_running_or_notify_cancel():
                    task.future.set_result(_ask(*worker.started, task.call))
            except Exception as error:  # noqa: BLE001 - the waiting caller raises it
                worker.started = None if isinstance(error, DeadWorkerError) else worker.started
                task.future.set_exception(error)
        if worker.started is not None:
            process, pipe = worker.started
            pipe.close()
            process.join()

    def _take(self, worker: _Worker) -> _Task | None:
        """Take the next task for a process: of its own lane, else of one that is nobody's, else the first."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed)
            if not self._waiting:
                return None
            own, others = {worker.lane} - {""}, {other.lane for other in self._workers if other is not worker} - {""}
            task = min(self._waiting, key=lambda task: (task.lane not in own, task.lane in others))
            self._waiting.remove(task)
            worker.lane = task.lane
            return task


def _start_process(counter: Counter) -> tuple[BaseProcess, Connection]:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there, counter), daemon=True)
    process.start()
    there.close()
    return process, here


def _ask(process: BaseProcess, pipe: Connection, call: Callable[[], Any]) -> Any:
    """Return what a call comes to in a process, or raise what it raises there, or that the process has died."""
    try:
        pipe.send(call)
        error, value = pipe.recv()
    except (EOFError, OSError):
        process.join()
        pipe.close()
        code = process.exitcode or 0
        raise DeadWorkerError(f"its process ended by signal {-code}" if code < 0 else "it ended") from None
    if error is not None:
        raise error
    return value


def _work(pipe: Connection, counter: Counter) -> None:
    """Do what comes through a pipe, until it is closed: the life of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):  # a library may hear of what is ignored, and of what is blocked none does
        signal.pthread_sigmask(signal.SIG_SETMASK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    _COUNTERS[:] = [counter]
    gc.set_threshold(200_000, 100, 100)  # positions and formulas have no cycles, and there are many
    with contextlib.suppress(EOFError, OSError):
        while True:
            call = pipe.recv()
            failed, value = None, None
            try:
                value = call()
            except Exception as error:  # noqa: BLE001 - it travels to the waiting caller
                failed = error
            try:
                pipe.send((failed, value))
            except OSError:
                return
            except Exception as error:  # noqa: BLE001 - what cannot be sent is put in words
                said = error if failed is None else failed
                pipe.send((RuntimeError(f"{type(said).__name__}: {said}"), None))


def open_pool(count: int, counter: Counter | None = None) -> contextlib.AbstractContextManager[Pool | None]:
    """Return processes for a block; None where one process is enough, which is this one."""
    return Pool(count, counter) if count > 1 else contextlib.nullcontext()


# -- tables of replies -----------------------------------------------------------------------------------------------


class Tables:
    """Tables of replies, followed side by side by the processes of a pool, or by this one, each once."""

    def __init__(self, pool: Pool | None, read: Files, counter: Counter) -> None:
        """Make one; ``read`` reads the tables, also in other processes, which count in the counter as well."""
        self.pool = pool
        self.read = read
        self.counter = counter
        if pool is None:
            _COUNTERS[:] = [counter]
        self._begun: dict[str, Callable[[], Shown | None]] = {}
        self._sizes: dict[str, int] = {}

    def begin(self, names: Iterable[str]) -> None:
        """Have tables followed, by their hashes, but no more of them than the kernel keeps."""
        for name in names:
            if name not in self._begun and len(self._begun) < MAX_KEPT:
                here = functools.cache(functools.partial(_follow, name, self.read))
                self._begun[name] = self.pool.submit(_follow, name, self.read).result if self.pool else here

    def take(self, names: Iterable[str]) -> dict[str, Shown]:
        """Return what those tables show that were begun, once they are followed; nothing of one that is rejected."""
        found = {name: self._begun[name]() for name in self._begun.keys() & names}
        return {name: shown for name, shown in found.items() if shown is not None}

    def has_all(self, names: Iterable[str]) -> bool:
        """Say whether tables were begun."""
        return self._begun.keys() >= {*names}

    @property
    def counts(self) -> tuple[int, int, int]:
        """About how many replies were followed, how many tables were begun, and about how many replies these have."""
        begun = [*self._begun]
        for name in begun:
            if name not in self._sizes:
                self._sizes[name] = _count_digits(name, self.read)
        return self.counter.value, len(begun), sum(map(self._sizes.__getitem__, begun))


def _count_digits(name: str, read: Files) -> int:
    """Return how many digits the replies of a table have: as many as replies, or some more; 0: it cannot be read."""
    try:
        return sum(map(len, unpack(read(name), name)["replies"].values()))
    except Exception:  # noqa: BLE001 - what is wrong with it shows where it is followed
        return 0


def _follow(name: str, read: Files) -> Shown | None:
    """Decide on all of a table; None: it is rejected, and whatever rests on it says so."""
    try:
        return run_limited(lambda: check_table(name, read, _tell))
    except Exception:  # noqa: BLE001 - a defect of the kernel is told where a statement rests on the table
        return None


def _tell(count: int) -> None:
    """Add what this process has followed."""
    for counter in _COUNTERS:
        counter.value += count


def tables_of(statement: Mapping[str, Any], evidence: Mapping[str, Any]) -> list[str]:
    """Return the tables that evidence for a bound names, if it has that shape; else none: the kernel says why."""
    names = evidence.get("tables") if statement.get("kind") == "bound" else None
    return names if isinstance(names, list) and len(names) <= MAX_TABLES and all(map(is_hash, names)) else []
