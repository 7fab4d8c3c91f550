"""What one decision may cost at most, whatever a file says.

Trusted for: that what costs more ends in one ``CertificateError``, and that nothing takes it for an answer. It is a
backstop: limits on bytes, items, moves and nodes stand where these are counted, and are the same on every machine.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import re
import signal
import threading
from collections.abc import Callable
from typing import NoReturn, TypeVar

from verifier.kernel.errors import CertificateError

with contextlib.suppress(ImportError):  # on Windows, where nothing below asks for it
    import resource

_T = TypeVar("_T")

MAX_BYTES = 4 * 2**30
"""Memory, beside what the process holds before."""

_AGAIN_SECONDS = 5.0
"""After which time it is interrupted again, where the first interruption was lost, as in a destructor."""

_MEMORY = threading.Lock()
"""Held while memory is limited: the limit is the process's, and a second one would be put back in its place."""


class _Spent(BaseException):
    """The time is over: not an ``Exception``, so that nothing on the way catches it."""


def limited(work: Callable[[], _T], seconds: float | None = None) -> _T:
    """Do some work, and give up what takes too much memory, or more processor time than the caller has set.

    Time is counted in the main thread of a process, where the system has a timer for it and nobody else counts;
    memory on Linux, where threads share the limit of the first one. The work is a function, and no block of ``with``:
    an interruption as such a block ends is caught by nobody, and leaves the timer running. Python's collector of
    cycles rests meanwhile: a tenth of the time of a walk is its, and positions have no cycles.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return _in_memory(work if seconds is None else functools.partial(_in_time, work, seconds))
    except _Spent:
        if seconds is None:  # somebody else counts
            raise
        raise CertificateError("time", f"not decided within {seconds:g} s of processor time") from None
    except RecursionError:
        raise CertificateError("malformed", "nested too deeply") from None
    except MemoryError:
        raise CertificateError("too-large", "it takes more memory than there is, or than it is given") from None
    finally:
        if collects:
            gc.enable()


def _in_time(work: Callable[[], _T], seconds: float) -> _T:
    is_possible = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if not is_possible or signal.getitimer(signal.ITIMER_PROF)[0]:
        return work()
    before = signal.signal(signal.SIGPROF, _interrupt)
    try:
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN_SECONDS)
            return work()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    finally:  # once more: the first one may have been interrupted, and what comes next would be
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _interrupt(*_: object) -> NoReturn:
    raise _Spent


def _in_memory(work: Callable[[], _T]) -> _T:
    held = _held_bytes()
    if not held or not _MEMORY.acquire(blocking=False):
        return work()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    given = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (min([held + MAX_BYTES, *given]), hard))
        return work()
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
        _MEMORY.release()


def _held_bytes() -> int:
    """Return how much memory this process holds; 0: it cannot be told."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            found = re.search(r"^VmData:\s+(\d+) kB$", status.read(), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0
