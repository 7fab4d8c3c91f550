"""The executor of a Dask cluster ends without a traceback, also if workers or the scheduler are lost."""

import os
import time
from collections.abc import Iterator
from typing import Any

import pytest

from verifier.audit.executor import Cluster, open_cluster
from verifier.pool import DeadWorkerError

pytestmark = pytest.mark.slow


class Fatal:
    """A result that ends the worker that sends it."""

    def __reduce__(self) -> str:
        os._exit(1)


def lose_worker(count: list[int]) -> Fatal:
    return Fatal()


@pytest.fixture
def scheduler() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as local:
        yield local


def test_a_call_that_is_cancelled_while_its_worker_is_lost_leaves_no_traceback(
    scheduler: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Dask asks for a result, its worker ends, and the call is cancelled: tornado logs nothing."""
    address = scheduler.scheduler_address.removeprefix("tcp://")
    with open_cluster(f"dask://{address}") as executor:
        future = executor.submit(lose_worker, [1])
        while not any("Couldn't gather" in record.message for record in caplog.records):
            time.sleep(0.05)
        assert future.cancel()
    assert [record for record in caplog.records if record.name.startswith("tornado")] == []


def test_a_call_that_dask_gives_up_is_lost(scheduler: Any) -> None:
    """A call that ends worker after worker gets an error that says so, like a call whose process died."""
    distributed = pytest.importorskip("distributed")
    with distributed.Client(scheduler) as client, pytest.raises(DeadWorkerError, match="Dask gave up"):
        Cluster(client).submit(os._exit, 1).result()


def test_nothing_is_sent_to_a_scheduler_that_is_lost(scheduler: Any) -> None:
    """After the connection is closed, a call is refused, and does not wait for ever."""
    distributed = pytest.importorskip("distributed")
    with distributed.Client(scheduler) as client:
        executor = Cluster(client)
    with pytest.raises(DeadWorkerError, match="scheduler is lost"):
        executor.submit(abs, 1)
