"""End a command soon and cleanly when Ctrl-C or another process stops it."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import NoReturn

from verifier.cli.options import print_message

PATIENCE_SECONDS = 0.6
"""If the main thread does not react to a signal within this time, we assume that it is running compiled code."""
_POLL_SECONDS = 0.1


class EndedError(KeyboardInterrupt):
    """Another process has asked this process to end.

    This process then ends as after Ctrl-C, and leaves no child process and no temporary folder behind.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def say_ended(number: int) -> int:
    """Print which signal ended the command; return the exit code."""
    print_message(
        "interrupted" if number == signal.SIGINT else f"terminated from outside by {signal.Signals(number).name}"
    )
    return 128 + number


def find_interrupt(error: BaseException) -> KeyboardInterrupt | None:
    """Return the interrupt that led to an error; None if no interrupt did.

    An interrupt between two steps of a library can leave a lock in disorder. The library then raises another error.
    """
    seen: list[BaseException] = []
    while error not in seen:
        if isinstance(error, KeyboardInterrupt):
            return error
        seen.append(error)
        error = error.__context__ or error
    return None


def _end(number: int, _: object) -> NoReturn:
    raise EndedError(number)


@contextlib.contextmanager
def end_in_order() -> Iterator[None]:
    """Raise an exception on SIGTERM and SIGHUP, as on Ctrl-C, unless the signal is already ignored or handled."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        numbers = []
    held = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    try:
        for number in held:
            signal.signal(number, _end)
        yield
    finally:
        for number in held:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Hold signals back until the end of a block, which has to be short. Then they end the command."""
    # Blocking the signals in this thread is not enough: if another thread receives a signal, Python calls the handler
    # all the same.
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    numbers = [getattr(signal, name) for name in names if threading.current_thread() is threading.main_thread()]
    caught: list[int] = []
    earlier = {number: signal.getsignal(number) for number in numbers if callable(signal.getsignal(number))}
    try:
        for number in earlier:
            signal.signal(number, lambda found, _: caught.append(found))
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)
        if caught:
            signal.raise_signal(caught[0])


@contextlib.contextmanager
def end_soon(last_words: Callable[[], object]) -> Iterator[None]:
    """Let signals end a block even while compiled code runs. Python handles signals only after that code has returned.

    A thread waits for signals, and interrupts the main thread. If the main thread does not react, the thread calls
    ``last_words`` and ends the process. If the system does not let a thread wait for signals, none of this is done.
    """
    names = ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, "sigtimedwait") else ()
    numbers = {number for name in names if callable(signal.getsignal(number := signal.Signals[name]))}
    main = threading.main_thread()
    if not numbers or threading.current_thread() is not main:
        yield
        return
    caught: list[int] = []

    lost: list[BaseException] = []

    def keep_lost(found: sys.UnraisableHookArgs) -> None:
        """Keep an interrupt instead of printing a traceback; do what was done before with all other errors."""
        if isinstance(found.exc_value, KeyboardInterrupt):
            lost.append(found.exc_value)
        else:
            earlier_hook(found)

    def interrupt(*_: object) -> None:
        signal.default_int_handler(signal.SIGINT, None) if caught[0] == signal.SIGINT else _end(caught[0], None)

    is_over, ends = threading.Event(), threading.Lock()
    arguments = (numbers, caught, is_over, ends, last_words)
    thread = threading.Thread(target=_wait, args=arguments, name="signals", daemon=True)
    # All threads block these signals, so that no library handles them. Otherwise Z3 would report an interrupted search
    # as a search that found nothing, and this would be remembered. SIGUSR1 interrupts the main thread.
    earlier = signal.signal(signal.SIGUSR1, interrupt)
    # If compiled code has called Python, an interrupt there ends only this call, and Python would print a traceback.
    earlier_hook, sys.unraisablehook = sys.unraisablehook, keep_lost
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        thread.start()
        yield
    finally:
        is_over.set()
        if not ends.acquire(blocking=False):
            threading.Event().wait()  # the thread is ending the process
        try:
            thread.join()  # if the thread has just caught a signal, ``interrupt`` raises its exception here
        finally:
            signal.signal(signal.SIGUSR1, earlier)
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            sys.unraisablehook = earlier_hook
        if lost:
            raise lost[0]


def _wait(
    numbers: set[signal.Signals],
    caught: list[int],
    is_over: threading.Event,
    ends: threading.Lock,
    last_words: Callable[[], object],
) -> None:
    """Wait for a signal until the block is over.

    The lock ``ends`` decides who ends the command: the main thread takes it at the end of the block, and this thread
    takes it if the main thread does not react in time.
    """
    # After SIGSTOP and SIGCONT, sigtimedwait can return a signal with a number that means nothing.
    while (found := signal.sigtimedwait(numbers, _POLL_SECONDS)) is None or found.si_signo not in numbers:
        if is_over.is_set():
            return
    caught.append(found.si_signo)
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
    if is_over.wait(PATIENCE_SECONDS) or not ends.acquire(blocking=False):
        return
    # A second signal ends the process at once, without reports.
    code = 128 + found.si_signo
    threading.Thread(target=lambda: os._exit(128 + signal.sigwait(numbers)), daemon=True).start()
    try:
        last_words()
        say_ended(found.si_signo)
        sys.stdout.flush()
    finally:
        if "multiprocessing" in sys.modules:  # otherwise there are no other processes
            for child in sys.modules["multiprocessing"].active_children():
                child.kill()
        os._exit(code)
