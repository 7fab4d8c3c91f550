"""No verdict hides what it rests on."""

import pytest

from verifier.kernel.verdict import Belief, Result, Verdict


@pytest.mark.parametrize("verdict", Verdict)
def test_only_a_supported_verdict_has_beliefs(verdict: Verdict) -> None:
    """A result has beliefs exactly if its verdict is *supported*."""
    is_supported = verdict is Verdict.SUPPORTED
    wrong = frozenset[Belief]() if is_supported else frozenset({Belief.SOLVER})
    right = frozenset({Belief.SOLVER}) - wrong if is_supported else frozenset[Belief]()
    assert Result(verdict, beliefs=right).beliefs == right
    with pytest.raises(ValueError, match=f"cannot rest on {Belief.SOLVER if wrong else 'nothing'}"):
        Result(verdict, beliefs=wrong)
