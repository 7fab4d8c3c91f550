"""A short run of ``tests.fuzz``."""

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
def test_random_changes_give_a_verdict_or_one_clear_error(kind: str, count: int, expected: str) -> None:
    """No change makes the kernel accept something false, or end in an internal error."""
    told = run(kind, count, 2)
    assert told.total() == count
    assert told[expected] > count / 40
    assert len(told) > 1


def test_a_kernel_that_believes_everything_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run can fail: it notices a kernel that accepts every change."""

    def believe(statement: Any, verdict: str, *_: Any, **__: Any) -> Result:
        del statement
        return Result(Verdict[verdict.upper()])

    monkeypatch.setattr(fuzz, "decide", believe)
    with pytest.raises(SurpriseError, match="and false"):
        run("certificates", 100, 2)


def test_an_audit_that_ends_in_an_error_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error, which ends a process with exit code 1, is not taken for an unexpected verdict."""

    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(fuzz, "audit", fail)
    with pytest.raises(SurpriseError, match="exit code 3"):
        run("audits", 60, 2)
