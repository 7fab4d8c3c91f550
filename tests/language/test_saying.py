"""What a reading asks, in words: no condition of it is left out."""

from __future__ import annotations

from tests.rules import specs
from verifier.language.saying import say_reading


def test_a_bound_names_the_first_moves_that_count() -> None:
    """Without them it would be said of any first move, of which it may be wrong."""
    library = specs()
    (whole, case) = say_reading(library.claim("beyond-no-double").readings["by-43"])
    assert whole == "Xavier cannot force a win by ply 43, in each of these cases:"
    assert case == "'from the start': from the start, but for his first moves 0.0 1.1 2.2 3.3 4.4 5.5 6.6 7.7 8.8"
    told = list(say_reading(library.claim("lemma-7").readings["as-stated"]))
    assert "'0, then 1': after 0.0 0.1, but for his first moves 1.0" in told
