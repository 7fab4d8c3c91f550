"""All of ``make coq``: write the data, build, compare the theorems, leave a stamp, say how it went."""

from __future__ import annotations

import pathlib
import resource
import sys
from collections.abc import Sequence

from proofs.coq.tools.build import BuildError, NoCoqError, build, require_coq
from proofs.coq.tools.data import export
from proofs.coq.tools.general import build_general, find_general
from verifier.coq import DATA, Places
from verifier.kernel.errors import CertificateError, UsageError


def make(
    places: Places,
    jobs: int,
    *,
    goals: Sequence[str] = (),
    data: pathlib.Path | None = None,
    is_whole: bool = True,
    is_general: bool = False,
) -> int:
    """Build, and return the exit code: 0 if every proof holds; 1 if not, or if there are no data; 2 if Coq is missing.

    Args:
        places: the folders.
        jobs: the number of processes.
        goals: compile only these files, and compare nothing.
        data: a folder with data; None: make data from the evidence.
        is_whole: build with data. Without data, no theorem says that 43 is the value.
        is_general: build only the check for any game, with its claims if ``is_whole``.
    """
    try:
        require_coq()
        if is_general or (is_whole and data is None):
            build_general(find_general(places), jobs, with_claims=is_whole)
        if is_general:
            _say("make coq: every proof holds, and the theorems are the committed ones")
            return 0
        if is_whole and data is None:
            data = places.build / DATA
            export(places.proofs, data, jobs=jobs, say=_say)
        build(places, data, jobs, goals)
    except NoCoqError as error:
        _complain(error)
        return 2
    except (BuildError, CertificateError, UsageError) as error:
        _complain(error)
        return 1
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    what = "compiled" if goals else "every proof holds, and the theorems are the committed ones"
    if data is None:
        what += " (without data: nothing here says that 43 is the value)"
    _say(f"make coq: {what}; {used.ru_utime + used.ru_stime:.0f} s of processor time")
    return 0


def _say(text: str) -> None:
    print(text, flush=True)


def _complain(error: Exception) -> None:
    print(f"make coq: {error}", file=sys.stderr, flush=True)
