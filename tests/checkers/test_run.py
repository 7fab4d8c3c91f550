from __future__ import annotations

import pathlib
from concurrent.futures import Future

import pytest

from verifier.checkers.ledger import ReadingResult
from verifier.checkers.run import Run
from verifier.spec.library import Library


def test_a_time_out_inside_a_worker_ends_the_wait(tmp_path: pathlib.Path) -> None:
    """An error of that name, such as a network folder's, is raised like any other: the run does not wait for ever."""
    future: Future[list[ReadingResult]] = Future()
    future.set_exception(TimeoutError("the folder does not answer"))
    run = Run(tmp_path, Library({}, {}, {}), [], on_progress=lambda progress: None)
    with pytest.raises(TimeoutError, match="does not answer"):
        run._wait(future)
