"""A short run of what ``tests.fuzz`` does at length."""

from typing import Any

import pytest

from tests import fuzz
from tests.fuzz import SurpriseError, run
from verifier.kernel.verdict import Result, Verdict


@pytest.mark.parametrize(
    ("kind", "count", "expected"),
    [
        ("certificates", 100, "holds"),
        pytest.param("certificates", 600, "holds", marks=pytest.mark.slow),
        ("specs", 40, "faults"),
        pytest.param("specs", 80, "faults", marks=pytest.mark.slow),
        pytest.param("audits", 150, "faults", marks=pytest.mark.slow),
    ],
)
def test_what_is_changed_at_random_gets_a_verdict_or_one_clear_error(kind: str, count: int, expected: str) -> None:
    """No change shows what does not hold, or ends in an error of ours."""
    told = run(kind, count, 2)
    assert told.total() == count
    assert told[expected] > count / 20
    assert len(told) > 1


def test_a_kernel_that_believes_everything_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is changed would be noticed if it came out as shown: the run is not a run that cannot fail."""

    def believe(statement: Any, verdict: str, *_: Any, **__: Any) -> Result:
        del statement
        return Result(Verdict[verdict.upper()])

    monkeypatch.setattr(fuzz, "decide", believe)
    with pytest.raises(SurpriseError, match="and false"):
        run("certificates", 100, 2)


def test_an_audit_that_ends_in_an_error_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error, which ends a process with exit code 1, does not pass for a verdict other than expected."""

    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(fuzz, "audit", fail)
    with pytest.raises(SurpriseError, match="exit code 3"):
        run("audits", 60, 2)
