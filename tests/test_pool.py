"""The processes of a run: each has one task at a time, and its death loses only that task."""

import multiprocessing
import os
import pathlib
import signal
import time
from concurrent.futures import Future
from multiprocessing.process import BaseProcess

import pytest

from verifier.kernel.errors import CertificateError, IllegalMoveError
from verifier.pool import DeadWorkerError, Pool, open_pool


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def fail(kind: str) -> None:
    if kind == "certificate":
        raise CertificateError("malformed", "a reason")
    if kind == "move":
        raise IllegalMoveError("taken", "a spot is taken")
    raise ValueError("a value")


def where(pause: float) -> int:
    time.sleep(pause)
    return os.getpid()


def wait_for(path: pathlib.Path) -> None:
    while not path.exists():
        time.sleep(0.01)


def unsendable() -> object:
    return lambda: None


def test_results_and_errors_come_back() -> None:
    """Each goes to its own waiter. An error that cannot be sent comes back in words."""
    with open_pool(2) as pool:
        assert pool is not None
        futures = [pool.submit(divmod, number, 3) for number in range(20)]
        assert [future.result() for future in futures] == [divmod(number, 3) for number in range(20)]
        with pytest.raises(CertificateError, match="a reason"):
            pool.submit(fail, "certificate").result()
        with pytest.raises(Exception, match=r"a spot is taken|missing"):
            pool.submit(fail, "move").result()
        with pytest.raises(ValueError, match="a value"):
            pool.submit(fail, "value").result()
        with pytest.raises(RuntimeError):
            pool.submit(unsendable).result()
        with pytest.raises(Exception, match=r"pickle|local"):
            pool.submit(lambda: None).result()
        assert pool.submit(divmod, 7, 2).result() == (3, 1)


def test_a_dead_process_loses_only_its_own_task() -> None:
    with open_pool(2) as pool:
        assert pool is not None
        futures: list[Future[int]] = [pool.submit(die if number in (2, 5) else abs, number) for number in range(9)]
        for number, future in enumerate(futures):
            if number in (2, 5):
                with pytest.raises(DeadWorkerError, match="signal 9"):
                    future.result()
            else:
                assert future.result() == number


def test_a_process_that_died_while_idle_loses_its_next_task() -> None:
    """The death is noticed when a task is sent. The next task gets another process."""
    with Pool(1) as pool:
        number = pool.submit(os.getpid).result()
        (process,) = (child for child in multiprocessing.active_children() if child.pid == number)
        process.kill()
        process.join()
        first, second = pool.submit(abs, -1), pool.submit(abs, -2)
        with pytest.raises(DeadWorkerError, match="signal 9"):
            first.result()
        assert second.result() == 2


def test_a_process_that_cannot_start_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The waiter gets the reason, and does not wait for ever."""

    def refuse(_: BaseProcess) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(BaseProcess, "start", refuse)
    with open_pool(2) as pool:
        assert pool is not None
        for _ in range(2):
            with pytest.raises(OSError, match="no more processes"):
                pool.submit(abs, 1).result(timeout=20)


def test_a_lane_stays_with_one_process(tmp_path: pathlib.Path) -> None:
    """This holds as long as other processes have other work. An idle process takes what is left of any lane."""
    with open_pool(2) as pool:
        assert pool is not None
        all_are_there = tmp_path / "all are there"
        for _ in range(2):
            pool.submit(wait_for, all_are_there)
        futures = [pool.submit_in_lane(lane, where, 0.05) for lane in "aabbaabb"]
        all_are_there.touch()
        found = [future.result() for future in futures]
        assert len(set(found)) == 2
        by_lane = {lane: {found[at] for at in range(8) if "aabbaabb"[at] == lane} for lane in "ab"}
        assert [len(homes) for homes in by_lane.values()].count(1) >= 1


def test_an_exception_ends_the_processes_at_once() -> None:
    began = time.monotonic()
    waiting: list[Future[int]] = []

    def work() -> None:
        with open_pool(2) as pool:
            assert pool is not None
            waiting.extend(pool.submit(where, 60) for _ in range(4))
            while not waiting[0].running():
                time.sleep(0.01)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - began < 30
    assert waiting[3].cancelled()


def test_a_closed_pool_accepts_no_task() -> None:
    pool = Pool(2)
    pool.shutdown()
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(abs, 1)
