"""A short run of what ``tests.fuzz`` does at length."""

from __future__ import annotations

import pytest

from tests.fuzz import run


@pytest.mark.parametrize(
    ("kind", "count", "expected"),
    [
        ("certificates", 100, "holds"),
        pytest.param("certificates", 600, "holds", marks=pytest.mark.slow),
        ("specs", 40, "faults"),
        pytest.param("specs", 80, "faults", marks=pytest.mark.slow),
    ],
)
def test_what_is_changed_at_random_gets_a_verdict_or_one_clear_error(kind: str, count: int, expected: str) -> None:
    """No change shows what does not hold, or ends in an error of ours."""
    told = run(kind, count, 2)
    assert told.total() == count
    assert told[expected] > count / 20
    assert len(told) > 1
