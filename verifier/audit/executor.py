"""Opens the Dask cluster that runs long searches, if one is named. Otherwise processes of this machine run them."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from typing import Any

from verifier.kernel.errors import UsageError
from verifier.pool import DeadWorkerError

ANSWER_SECONDS = 10
"""Time in which a Dask scheduler must answer, in seconds."""


def parse_executor(name: str) -> str:
    """Return the ``HOST:PORT`` of ``dask://HOST:PORT``. Raise ``UsageError`` for any other text."""
    address = name.removeprefix("dask://")
    if address == name or not re.fullmatch(r"[^/\s]+:\d+", address):
        raise UsageError(f"{name!r} is not an executor: write dask://HOST:PORT")
    return address


@contextlib.contextmanager
def open_cluster(name: str) -> Iterator[Executor]:
    """Yield the executor of the Dask cluster at ``dask://HOST:PORT``."""
    address = parse_executor(name)
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--executor dask://… needs Dask: pip install 'dask[distributed]'") from None
    try:
        client = Client(f"tcp://{address}", timeout=ANSWER_SECONDS)
    except OSError as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        try:
            yield Cluster(client)
        finally:
            if client.status != "running":  # closing a connection that is lost would log a traceback
                logging.getLogger("distributed.client").disabled = True


class Cluster(Executor):
    """Runs calls on a Dask cluster. Dask repeats a call whose worker is lost.

    Dask's own executor is not used: it prints a traceback if a call is cancelled while the result is on the way.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, call: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """Send a call to the cluster. Raise ``DeadWorkerError`` if the connection to the scheduler is lost."""
        if self._client.status != "running":
            raise DeadWorkerError("the connection to the Dask scheduler is lost")
        asked, promised = self._client.submit(call, *args, **named), Future[Any]()
        promised.add_done_callback(lambda done: asked.cancel() if done.cancelled() else None)
        self._client.loop.add_callback(self._fulfil, asked, promised)
        return promised

    async def _fulfil(self, asked: Any, promised: Future[Any]) -> None:
        """Wait for a call, and put its result or its exception into a future.

        If Dask gives the call up, the exception is a ``DeadWorkerError``.
        """
        from distributed import KilledWorker

        found: list[Any] = []
        failure: Exception | None = None
        try:
            found = await self._client.gather([asked], asynchronous=True)
        except (CancelledError, KilledWorker) as error:
            failure = DeadWorkerError(f"Dask gave up a part of the search: {error}")
        except Exception as error:  # noqa: BLE001 - ``Future.result`` raises it
            failure = error
        if not promised.set_running_or_notify_cancel():
            return
        if failure is None:
            promised.set_result(found[0])
        else:
            promised.set_exception(failure)
