"""Plays that Lemmas 5 to 7 speak of, met one by one: a second look beside the inductions, and no claim.

Three aligned fields do not end the game here, so that every numbering of the fields is as good as the one that is met.
"""

import pytest

from tests.audit.made import MADE
from verifier.kernel.statement import parse_statement
from verifier.language.compile import compile_reading
from verifier.language.folder import load_library
from verifier.search.walk import explore, find_hit


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lemma-6", "lemma-7", "lemma-7-special"])
def test_every_play_of_the_confinement_fills_two_fields(name: str) -> None:
    """From each start, some 27,000 positions: he gets out of two fields at ply 32, once they are full, not before."""
    library = load_library(MADE / "confined")
    statement = parse_statement(compile_reading(library, "plays", name).statement or {})
    found = explore(statement)
    assert found.trouble is None
    assert [find_hit(found, objective, value=False) for objective in statement.objectives] == [None] * 3
    assert {statement.game.ply(position) for position, edges in found.edges.items() if not edges} == {32}
