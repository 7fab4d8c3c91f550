from __future__ import annotations

import pytest

from verifier.kernel.words import counted


@pytest.mark.parametrize(
    ("number", "words", "text"),
    [
        (0, ("claim",), "0 claims"),
        (1, ("claim",), "1 claim"),
        (2, ("claim",), "2 claims"),
        (1, ("ply", "plies"), "1 ply"),
        (1234, ("ply", "plies"), "1,234 plies"),
    ],
)
def test_one_is_counted_in_the_singular(number: int, words: tuple[str, ...], text: str) -> None:
    """Every other number in the plural, none included; thousands are parted."""
    assert counted(number, *words) == text
