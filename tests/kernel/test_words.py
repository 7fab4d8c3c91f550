import pytest

from verifier.kernel.words import counted, short


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
    """Every other number, including zero, has the plural. Thousands are separated."""
    assert counted(number, *words) == text


def test_a_text_that_is_too_long_is_shortened() -> None:
    """It keeps as many characters as fit."""
    assert short("x" * 10, 10) == "x" * 10
    assert short("x" * 11, 10) == "xxxxx… (11 characters)"
