"""A pool of processes on this machine. Each process makes one call at a time.

If a process dies, only the call that it was making is lost. ``ProcessPoolExecutor`` and ``multiprocessing.Pool`` do not
ensure this. A call may have a *lane*, which is a string. A process prefers calls in the lane of its last call, because
it can use the cached results of that lane.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import multiprocessing
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple, TypeAlias, TypeVar

_T = TypeVar("_T")

_DEATH_SECONDS = 1.0
"""Maximum time to wait until a killed process is gone."""

Initializer: TypeAlias = Callable[[], object] | None
"""A function that each process calls when it starts."""


class DeadWorkerError(Exception):
    """A process ended before its call returned."""


class _Task(NamedTuple):
    """A call, its lane (empty if it has none), and the future that gets the result."""

    call: Callable[[], Any]
    lane: str
    future: Future[Any]


@dataclass(slots=True, eq=False)
class _Worker:
    """A process with its pipe, the thread that gives it one call after another, and the lane of the last call."""

    thread: threading.Thread
    lane: str = ""
    started: tuple[BaseProcess, Connection] | None = None


class Pool(Executor):
    """Makes calls in processes. A process starts when there is work, and ends at the latest when this process ends.

    The processes ignore SIGINT. Where a process can block signals, they also ignore SIGTERM and SIGHUP.
    """

    def __init__(self, count: int, initializer: Initializer = None) -> None:
        """Make a pool of at most ``count`` processes. Each process calls ``initializer``, if given, when it starts."""
        self.count = count
        self.killed: list[int] = []  # the ids of processes that were ended in the middle of a call, or waiting for one
        self._initializer = initializer
        self._waiting: list[_Task] = []
        self._workers: list[_Worker] = []
        self._is_closed = self._is_ended = False
        self._changed = threading.Condition()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a process call a function. Return a future that gets the result."""
        return self.submit_in_lane("", fn, *args, **kwargs)

    def submit_in_lane(self, lane: str, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do what ``submit`` does, but prefer a process whose last call was in the same lane."""
        task = _Task(functools.partial(fn, *args, **kwargs), lane, Future())
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
        """End the processes: at once if ``cancel_futures`` is true, otherwise after all calls.

        If ``wait`` is true, return only after the processes have ended.
        """
        with self._changed:
            self._is_closed = True
            if cancel_futures:
                self._is_ended = True
                for task in self._waiting:
                    task.future.cancel()
                self._waiting.clear()
                for worker in self._workers:
                    if worker.started is not None:
                        process = worker.started[0]
                        process.kill()
                        connection.wait([process.sentinel], _DEATH_SECONDS)
                        self.killed += [process.pid] if process.pid is not None else []
            self._changed.notify_all()
        for worker in self._workers if wait else ():
            worker.thread.join()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End the processes after all calls. After an exception, end them at once, and do not wait for them."""
        self.shutdown(wait=kind is None, cancel_futures=kind is not None)

    def _serve(self, worker: _Worker) -> None:
        """Give a process one call after another until the pool is closed and no call is left. Runs in a thread."""
        while (task := self._take(worker)) is not None:
            try:
                with self._changed:  # so that no process starts after the pool was shut down
                    if self._is_ended:
                        raise DeadWorkerError("the pool was shut down")
                    worker.started = worker.started or _start_process(self._initializer)
                if task.future.set_running_or_notify_cancel():
                    task.future.set_result(_ask(*worker.started, task.call))
            except Exception as error:  # noqa: BLE001 - ``Future.result`` raises it
                worker.started = None if isinstance(error, DeadWorkerError) else worker.started
                task.future.set_exception(error)
        if worker.started is not None:
            process, pipe = worker.started
            pipe.close()
            process.join()

    def _take(self, worker: _Worker) -> _Task | None:
        """Wait for a task, and return it. Return None if the pool is closed and no task is left.

        Prefer a task in the worker's own lane. Avoid tasks in the lanes of other workers.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed)
            if not self._waiting:
                return None
            own, others = {worker.lane} - {""}, {other.lane for other in self._workers if other is not worker} - {""}
            task = min(self._waiting, key=lambda task: (task.lane not in own, task.lane in others))
            self._waiting.remove(task)
            worker.lane = task.lane
            return task


def _start_process(initializer: Initializer) -> tuple[BaseProcess, Connection]:
    """Return a new process, and a pipe to it."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there, initializer), daemon=True)
    process.start()
    there.close()
    return process, here


def _ask(process: BaseProcess, pipe: Connection, call: Callable[[], Any]) -> Any:
    """Make a call in a process. Return its result or raise its exception; ``DeadWorkerError`` if the process died."""
    try:
        pipe.send(call)
        error, value = pipe.recv()
    except (EOFError, OSError):
        process.join()
        pipe.close()
        code = process.exitcode or 0
        how = f"was ended by signal {-code}" if code < 0 else "ended"
        raise DeadWorkerError(f"its process {how}; was there enough memory?") from None
    if error is not None:
        raise error
    return value


def _work(pipe: Connection, initializer: Initializer) -> None:
    """Make the calls that come through a pipe, until the pipe is closed. This runs in a process of a pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):  # a library can undo ``SIG_IGN``, but a blocked signal never arrives
        signal.pthread_sigmask(signal.SIG_SETMASK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    if initializer is not None:
        initializer()
    gc.set_threshold(200_000, 100, 100)  # collect garbage rarely: there are many positions and formulas, but no cycles
    with contextlib.suppress(EOFError, OSError):
        while True:
            call = pipe.recv()
            failed, value = None, None
            try:
                value = call()
            except Exception as error:  # noqa: BLE001 - ``_ask`` raises it
                failed = error
            try:
                pipe.send((failed, value))
            except OSError:
                return
            except Exception as error:  # noqa: BLE001 - send a description of a value or error that cannot be sent
                said = error if failed is None else failed
                pipe.send((RuntimeError(f"{type(said).__name__}: {said}"), None))


def call_or_begin(pool: Pool | None, function: Callable[..., _T], *args: Any) -> Callable[[], _T]:
    """Have a process of a pool call a function. Return a function that waits for the result, and returns it.

    Without a pool, or if the process dies, the returned function makes the call in this process.
    """
    begun = None if pool is None else pool.submit(function, *args)

    def wait() -> _T:
        if begun is not None:
            with contextlib.suppress(DeadWorkerError):
                found: _T = begun.result()
                return found
        return function(*args)

    return wait


def open_pool(count: int, initializer: Initializer = None) -> contextlib.AbstractContextManager[Pool | None]:
    """Return a pool for a ``with`` block; None if ``count`` is 1, because this process is enough then."""
    return Pool(count, initializer) if count > 1 else contextlib.nullcontext()
