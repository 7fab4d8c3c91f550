"""Finds the executor that runs long searches: processes of this machine, or a Dask cluster."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from concurrent.futures import Executor

from verifier.kernel.errors import UsageError

ANSWER_SECONDS = 10
"""Time in which a Dask scheduler must answer, in seconds."""


def parse_executor(name: str) -> str:
    """Return the ``HOST:PORT`` of ``dask://HOST:PORT``. Raise ``UsageError`` for any other text."""
    address = name.removeprefix("dask://")
    if address == name or not re.fullmatch(r"[^/\s]+:\d+", address):
        raise UsageError(f"{name!r} is not an executor: write dask://HOST:PORT")
    return address


@contextlib.contextmanager
def find_executor(name: str | None, local: Executor | None) -> Iterator[Executor | None]:
    """Yield the executor of the Dask cluster at ``dask://HOST:PORT``; if ``name`` is None, yield ``local``."""
    if name is None:
        yield local
        return
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
        yield client.get_executor()
