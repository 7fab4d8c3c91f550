"""What tests of the kernel share."""

import pytest

from tests.kernel.derived import derive_closure_once, derive_once
from verifier.kernel import invariant, steps


@pytest.fixture
def derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the same statement or the same rules owe, the kernel does not derive again for each attack on it."""
    monkeypatch.setattr(steps, "derive", derive_once)
    monkeypatch.setattr(invariant, "derive", derive_once)
    monkeypatch.setattr(invariant, "derive_closure", derive_closure_once)
