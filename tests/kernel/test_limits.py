"""The last defence: whatever costs too much ends in one refusal, and leaves nothing behind."""

import contextlib
import resource
import signal
import threading
from typing import Any

import pytest

from tests.kernel.asking import decide_plays_by
from tests.kernel.test_corpus import CORPUS
from verifier.kernel import limits as module
from verifier.kernel.certificate import files_of
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.limits import run_limited


def spin(*_: Any) -> None:
    """Run for ever, and ignore every exception that does not end the process."""
    while True:
        with contextlib.suppress(Exception):
            sum(range(1000))


def settings() -> tuple[Any, ...]:
    return (
        signal.getsignal(signal.SIGPROF),
        signal.getitimer(signal.ITIMER_PROF),
        resource.getrlimit(resource.RLIMIT_DATA),
    )


def refuse(seconds: float | None = 1.0) -> str:
    """Decide a statement about plays within some time. Return the reason of the refusal."""
    with pytest.raises(CertificateError) as caught:
        run_limited(lambda: decide({"kind": "play"}, "proved", {}, files_of(CORPUS)), seconds)
    return str(caught.value)


def test_a_decision_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """No handler of exceptions keeps it running, and the process is as before."""
    decide_plays_by(monkeypatch, spin)
    before = settings()
    assert refuse(0.05) == "time: not decided within 0.05 s of processor time"
    assert settings() == before


def test_an_interruption_at_the_very_end_stops_the_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the time is over while the timer is being stopped, this decision fails, and not the next one."""
    before, set_timer = settings(), signal.setitimer
    ends: list[float] = []

    def set_late(which: int, seconds: float, again: float = 0.0) -> object:
        if not seconds:
            ends.append(seconds)
            if len(ends) == 1:
                signal.raise_signal(signal.SIGPROF)
        return set_timer(which, seconds, again)

    monkeypatch.setattr(signal, "setitimer", set_late)
    with pytest.raises(CertificateError, match="time"):
        run_limited(lambda: None, 1.0)
    assert settings() == before


def test_an_interruption_that_is_lost_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python drops an exception in a destructor. The decision then goes on, and is interrupted once more."""
    lost: list[BaseException] = []

    def spin_on(*args: Any) -> None:
        try:
            spin()
        except BaseException as error:  # noqa: BLE001 - a stand-in for a destructor
            lost.append(error)
        spin(*args)

    decide_plays_by(monkeypatch, spin_on)
    monkeypatch.setattr(module, "REPEAT_SECONDS", 0.02)
    assert refuse(0.02).startswith("time:")
    assert len(lost) == 1


def test_without_a_limit_no_timer_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a timer runs already, there is no second one."""
    seen: list[float] = []

    def look(*_: Any) -> None:
        seen.append(signal.getitimer(signal.ITIMER_PROF)[0])
        raise KeyError

    decide_plays_by(monkeypatch, look)
    assert refuse(None).startswith("defect:")
    assert refuse().startswith("defect:")
    said, left = run_limited(lambda: (refuse(), signal.getitimer(signal.ITIMER_PROF)[0]), 1.0)
    assert said.startswith("defect:")
    assert left > 0, "the inner one has stopped the outer one's timer"
    assert [second > 0 for second in seen] == [False, True, True]


def test_threads_have_no_timer() -> None:
    """Only the main thread can set the handler of a signal. Other threads decide without a timer."""
    outcomes: list[str] = []
    thread = threading.Thread(target=lambda: outcomes.append(refuse()))
    thread.start()
    thread.join()
    assert outcomes[0].startswith("malformed:")


@pytest.mark.skipif(not module.held_bytes(), reason="it cannot be told here how much memory a process holds")
@pytest.mark.parametrize("seconds", [None, 1.0])
def test_a_decision_that_takes_too_much_memory_is_given_up(
    seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The granted memory can be used, and no more, with or without a limit of time."""
    sizes: list[int] = []

    def take(*_: Any) -> None:
        for size in (2**25, 2**27):
            sizes.append(len(bytearray(size)))

    decide_plays_by(monkeypatch, take)
    monkeypatch.setattr(module, "MAX_MEMORY", 2**26)
    before = settings()
    assert refuse(seconds).startswith("too-large:")
    assert sizes == [2**25]
    assert settings() == before


def test_a_tighter_limit_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the process already has a lower limit, it is never raised."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    own = module.held_bytes() + 2**30
    resource.setrlimit(resource.RLIMIT_DATA, (own, hard))
    try:
        assert run_limited(lambda: resource.getrlimit(resource.RLIMIT_DATA)[0]) == own
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@pytest.mark.skipif(not module.held_bytes(), reason="it cannot be told here how much memory a process holds")
def test_threads_leave_no_limit_behind() -> None:
    """If two threads decide at the same time, the one that ends last does not restore the other one's limit."""
    before, first_is_in, second_is_in, first_is_out = settings(), *(threading.Event() for _ in range(3))

    def meet(mine: threading.Event, other: threading.Event) -> None:
        mine.set()
        other.wait(5)

    def first() -> None:
        run_limited(lambda: meet(first_is_in, second_is_in))
        first_is_out.set()

    def second() -> None:
        first_is_in.wait(5)
        run_limited(lambda: meet(second_is_in, first_is_out))

    threads = [threading.Thread(target=work) for work in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert first_is_out.is_set()
    assert settings() == before
