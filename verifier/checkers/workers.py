"""Processes of this machine, and those of a cluster."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import re
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor

from verifier.kernel.errors import UsageError


def parse_executor(name: str) -> str:
    """Return the ``HOST:PORT`` of a Dask scheduler.

    Raises:
        UsageError: the name is no ``dask://HOST:PORT``.
    """
    address = name.removeprefix("dask://")
    if address == name or not re.fullmatch(r"[^/\s]+:\d+", address):
        raise UsageError(f"{name!r} is no executor: dask://HOST:PORT")
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
        client = Client(f"tcp://{address}", timeout=10)
    except OSError as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        yield client.get_executor()
    finally:
        client.close()


@contextlib.contextmanager
def workers(jobs: int) -> Iterator[Executor | None]:
    """Yield processes that leave Ctrl-C to this one and end with it; None where one process is enough."""
    if jobs < 2:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(jobs, mp_context=context, initializer=_prepare_worker)
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    executor.shutdown()


def _prepare_worker() -> None:
    """Leave Ctrl-C to the parent, and look for cycles seldom: positions and formulas have none, and there are many."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(200_000, 100, 100)
