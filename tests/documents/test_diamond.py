"""The codes of five digits, counted by the test's own loops."""

from __future__ import annotations

from itertools import pairwise, product


def test_the_codes_of_an_opening_are_fifty_six() -> None:
    """Four marks on different spots, Xavier's two on 4.4 and on spot 4 of the field that he is sent to."""
    codes = list(product(range(9), repeat=5))
    marks = {code: list(pairwise(code)) for code in codes}
    legal = [code for code in codes if len(set(marks[code])) == 4]
    openings = [code for code in legal if marks[code][0] == (4, 4) and marks[code][2] == (code[2], 4)]
    assert (len(codes), len(legal), len(openings)) == (59049, 55080, 56)
    assert openings == [(4, 4, a, 4, b) for a in range(9) for b in range(9) if 4 not in {a, b} and a != b]
