"""Processes of this machine, each given one task at a time, and those of a cluster.

A process that dies costs the task it was at and no other. Tasks of one *lane* stay with one process as far as it goes,
so that what it remembers of the last one helps with the next.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import re
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from verifier.following import Counter, begin, make_counter
from verifier.kernel.errors import UsageError

ANSWER_SECONDS = 10
"""How long a Dask scheduler may take to answer."""


class DeadWorkerError(Exception):
    """A process has ended before its task was done."""


@dataclass(slots=True)
class _Task:
    """Something to be done: ``lane`` is empty where it shares nothing with others."""

    future: Future[Any]
    call: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
    lane: str = ""


@dataclass(slots=True)
class _Worker:
    """A process, the pipe to it, and what it is at; None: nothing."""

    process: BaseProcess
    pipe: Connection
    task: _Task | None = None
    lane: str = ""


@dataclass(slots=True, eq=False)
class Pool(Executor):
    """Runs tasks in processes that leave Ctrl-C to this one and end with it; they start when there is work.

    Attributes:
        count: how many processes at most.
        counter: counts the replies that they follow in tables.
    """

    count: int
    _waiting: deque[_Task] = field(default_factory=deque)
    _workers: list[_Worker] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _bell: tuple[Connection, Connection] = field(default_factory=lambda: multiprocessing.Pipe(duplex=False))
    _thread: threading.Thread | None = None
    _is_closed: bool = False
    counter: Counter = field(default_factory=make_counter)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a process call a function."""
        return self.submit_in_lane("", fn, *args, **kwargs)

    def submit_in_lane(self, lane: str, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a process call a function, if it can be that which had the last task of the same lane."""
        task = _Task(Future(), (fn, args, kwargs), lane)
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the pool is closed")
            self._waiting.append(task)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="pool", daemon=True)
                self._thread.start()
        self._ring()
        return task.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: at once if what waits is cancelled, else after all work is done."""
        with self._lock:
            self._is_closed = True
            thread = self._thread
            if cancel_futures:
                while self._waiting:
                    self._waiting.popleft().future.cancel()
                for worker in self._workers:
                    worker.process.terminate()
        self._ring()
        if thread is not None and wait:
            thread.join()

    def _ring(self) -> None:
        with contextlib.suppress(OSError):
            self._bell[1].send_bytes(b"!")

    def _serve(self) -> None:
        """Hand out tasks and take results until the pool is closed and nothing is left; runs in a thread."""
        bell = self._bell[0]
        while True:
            with self._lock:
                self._hand_out()
                if self._is_closed and not self._waiting and all(worker.task is None for worker in self._workers):
                    break
                pipes = {worker.pipe: worker for worker in self._workers}
            for ready in wait([bell, *pipes]):
                if ready is bell:
                    bell.recv_bytes()
                else:
                    self._take(pipes[ready])  # type: ignore[index] # it is one of these
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join()

    def _hand_out(self) -> None:
        """Give every idle process a task, as long as some wait."""
        while self._waiting:
            worker = next((worker for worker in self._workers if worker.task is None), None)
            if worker is None:
                if len(self._workers) >= self.count:
                    return
                try:
                    worker = _start_worker(self.counter)
                except Exception as error:  # noqa: BLE001 - the waiting caller raises it
                    while self._waiting:
                        self._waiting.popleft().future.set_exception(error)
                    return
                self._workers.append(worker)
            task = self._choose(worker)
            if not task.future.set_running_or_notify_cancel():
                continue
            worker.task, worker.lane = task, task.lane
            try:
                worker.pipe.send(task.call)
            except ConnectionError:  # the process has died: `_take` meets the end of its pipe, and says so of the task
                continue
            except Exception as error:  # noqa: BLE001 - whatever cannot be sent: the waiting caller raises it
                worker.task = None
                task.future.set_exception(error)

    def _choose(self, worker: _Worker) -> _Task:
        """Take the next task for a process: of its own lane, else of one that is nobody's, else the first."""
        others = {other.lane for other in self._workers if other is not worker and other.lane}
        task = next((task for task in self._waiting if task.lane and task.lane == worker.lane), None)
        task = task or next((task for task in self._waiting if task.lane not in others), None) or self._waiting[0]
        self._waiting.remove(task)
        return task

    def _take(self, worker: _Worker) -> None:
        """Take what a process has sent, or note that it has died."""
        task = worker.task
        try:
            is_good, value = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join()
            code = worker.process.exitcode or 0
            is_good, value = False, DeadWorkerError(f"its process ended by signal {-code}" if code < 0 else "it ended")
            with self._lock:
                self._workers.remove(worker)
            worker.pipe.close()
        except Exception as error:  # noqa: BLE001 - what was sent cannot be read: the process lives on
            is_good, value = False, RuntimeError(f"what a process sent is not a result: {error}")
        worker.task = None
        if task is not None:
            if is_good:
                task.future.set_result(value)
            else:
                task.future.set_exception(value)


def _start_worker(counter: Counter) -> _Worker:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there, counter), daemon=True)
    process.start()
    there.close()
    return _Worker(process, here)


def _work(pipe: Connection, counter: Counter) -> None:
    """Do what comes through a pipe, until it is closed: the life of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begin(counter)
    while True:
        try:
            function, args, kwargs = pipe.recv()
        except (EOFError, OSError):
            return
        answer: tuple[bool, Any]
        try:
            answer = True, function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - it travels to the waiting caller
            answer = False, error
        try:
            pipe.send(answer)
        except OSError:
            return
        except Exception:  # noqa: BLE001 - an error that cannot be sent is put in words
            pipe.send((False, RuntimeError(f"{type(answer[1]).__name__}: {answer[1]}")))


def parse_executor(name: str) -> str:
    """Return the ``HOST:PORT`` of a Dask scheduler.

    Raises:
        UsageError: the name is no ``dask://HOST:PORT``.
    """
    address = name.removeprefix("dask://")
    if address == name or not re.fullmatch(r"[^/\s]+:\d+", address):
        raise UsageError(f"{name!r} is not an executor: dask://HOST:PORT")
    return address


@contextlib.contextmanager
def find_executor(name: str | None, local: Executor | None) -> Iterator[Executor | None]:
    """Yield the executor of long searches: a Dask cluster's where one is named, else the given one.

    Raises:
        UsageError: the name is no ``dask://HOST:PORT``, Dask is not installed, or nobody answers there.
    """
    if name is None:
        yield local
        return
    address = parse_executor(name)
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--executor dask://… needs Dask: pip install 'claim-verifier[dask]'") from None
    try:
        client = Client(f"tcp://{address}", timeout=ANSWER_SECONDS)
    except OSError as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        yield client.get_executor()
    finally:
        client.close()


@contextlib.contextmanager
def open_pool(count: int) -> Iterator[Pool | None]:
    """Yield processes; None where one process is enough, which is this one.

    Where the block is left by an exception, what they are at is lost and nothing is waited for.
    """
    if count < 2:
        yield None
        return
    pool = Pool(count)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
