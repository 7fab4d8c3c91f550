import pytest

from verifier.report.layout import Layout

POSITION = "/".join(["XO......."] * 9)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_longer_than_the_terminal_and_no_word_is_broken(width: int) -> None:
    """A word that is too long for a line is whole. A position of nine fields is broken after a field."""
    text = f"the play ends at {POSITION} by lemma-7-special-play, a well-known-and-hyphenated case"
    lines = Layout(width).wrap(text)
    assert max(map(len, lines)) <= width
    assert " ".join(line.strip() for line in lines).replace("/ ", "/") == text
    assert Layout(width).wrap("x" * 200) == ["  " + "x" * 200]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_a_row_has_as_many_whole_words_as_fit(width: int) -> None:
    row = Layout(width).row("proved", "lemma-3", "the strategy wins by ply 43 " * 9, (12, 9))
    assert len(row) <= width
    assert row.split()[:2] == ["proved", "lemma-3"]
    assert set(row.split()[2:]) <= {"the", "strategy", "wins", "by", "ply", "43", "…"}
    assert Layout(40).row("proved", "x" * 60, "said", (12, 9)) == f"proved        {'x' * 60}"


def test_a_continued_line_is_not_a_command() -> None:
    lines = Layout(40).wrap("a text that is long enough to be wrapped ::error::no", "", "")
    assert not any(line.lstrip().startswith("::") for line in lines)
