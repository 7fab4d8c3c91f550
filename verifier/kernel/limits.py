"""Limits on the memory and the processor time of a function, set in this process while the function runs.

If a function exceeds a limit, this module is trusted to raise a ``CertificateError``, and to return no answer.
Limits in other modules, such as those on moves, do not depend on the machine. Usually they are reached first.
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

with contextlib.suppress(ImportError):  # Windows has no module ``resource``, and does not need it here
    import resource

_T = TypeVar("_T")

MAX_MEMORY = 4 * 2**30
"""Maximum memory of the function, in bytes, in addition to the memory that the process already holds."""

REPEAT_SECONDS = 5.0
"""Time between interruptions. Python ignores an exception in a destructor, so one interruption may not be enough."""

_MEMORY = threading.Lock()
"""A thread holds this lock while it limits memory. The limit is for the whole process. Without a lock, a second caller
would mistake the first caller's limit for the original limit, and restore the wrong limit in the end."""


class _TimeIsUpError(BaseException):
    """The time is up. This is not an ``Exception``, so no handler inside the function catches it."""


def run_limited(work: Callable[[], _T], seconds: float | None = None) -> _T:
    """Call a function, and return its result; raise ``CertificateError`` if it needs too much memory or processor time.

    Time is limited if ``seconds`` is given, this is the main thread, and the system has a timer that is not running
    yet. Memory is limited on Linux. If another call, in any thread, already limits memory, that limit applies.
    """
    # Not ``with``: an interruption just at the end of a ``with`` block would not be caught, and the timer would run on.
    collects = gc.isenabled()
    gc.disable()  # Python's search for cycles takes a tenth of the time of a walk, and positions have no cycles
    try:
        return _limit_memory(work if seconds is None else functools.partial(_limit_time, work, seconds))
    except _TimeIsUpError:
        if seconds is None:  # it was the timer of an outer call
            raise
        raise CertificateError("time", f"not decided within {seconds:g} s of processor time") from None
    except RecursionError:
        raise CertificateError("malformed", "nested too deeply") from None
    except MemoryError:
        most = f"{MAX_MEMORY // 2**30} GiB, or than the machine has"
        raise CertificateError("too-large", f"needs more memory than {most}: use a smaller table") from None
    finally:
        if collects:
            gc.enable()


def _limit_time(work: Callable[[], _T], seconds: float) -> _T:
    is_possible = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if not is_possible or signal.getitimer(signal.ITIMER_PROF)[0]:
        return work()
    before = signal.signal(signal.SIGPROF, _interrupt)
    try:
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds, REPEAT_SECONDS)
            return work()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    finally:  # stop the timer again: an interruption may have hit the first attempt to stop it
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _interrupt(*_: object) -> NoReturn:
    raise _TimeIsUpError


def _limit_memory(work: Callable[[], _T]) -> _T:
    held = held_bytes()
    if not held or not _MEMORY.acquire(blocking=False):
        return work()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    given = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (min([held + MAX_MEMORY, *given]), hard))
        return work()
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
        _MEMORY.release()


def held_bytes() -> int:
    """Return the number of bytes that this process holds; 0 if the system does not say."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            found = re.search(r"^VmData:\s+(\d+) kB$", status.read(), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0
