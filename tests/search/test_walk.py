"""The exploration of plays: the plays of Lemmas 5 to 7, and limits, even within a ply."""

import pytest

from tests.audit.made import MADE
from tests.kernel.test_general import write_rules
from tests.rules import load_library
from tests.statements import NINE, SOME, play, prevent
from verifier.kernel.statement import parse_statement
from verifier.questions.compile import compile_reading
from verifier.search import walk


def test_a_ply_of_too_many_positions_is_not_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions are counted as they are met. After the whole ply, it would be too late for the memory."""
    monkeypatch.setattr(walk, "MAX_POSITIONS", 1000)
    made = []
    monkeypatch.setattr(walk, "has_ended", lambda *_: made.append(1))
    with pytest.raises(walk.NodeLimitError, match="more than 1,000 positions"):
        walk.explore(parse_statement(play("paper", NINE, {**SOME, "holds": ["X", 0, 0], "at": ["every"]}, horizon=9)))
    assert len(made) < 300


def test_the_moves_that_are_followed_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many moves can lead to few positions, and each takes memory. Equal positions are one object."""
    statement = parse_statement(play("tictactoe", "." * 9, {**SOME, "holds": ["X", 0], "at": ["every"]}))
    after = [after for edges in walk.explore(statement).edges.values() for *_, after in edges]
    assert len({*map(id, after)}) == len({*after}) < len(after)
    monkeypatch.setattr(walk, "MAX_EXPLORED_MOVES", 500)
    with pytest.raises(walk.NodeLimitError, match="more than 500 moves"):
        walk.explore(statement)


def test_a_position_with_many_cells_counts_more_than_once(monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_rules([["b", [300], 0, None, [0] * 300]], [], [])
    moves = [[str(n), [n], {"X": [True, [[["b", n], True]]], "O": [True, [[["b", n], True]]]}] for n in range(300)]
    statement = parse_statement(play(data | {"moves": moves}, "0" * 300 + " X 0", prevent(["X_wins"], 2), horizon=2))
    monkeypatch.setattr(walk, "MAX_POSITIONS", 1000)
    with pytest.raises(walk.NodeLimitError, match="more than 1,000 positions"):
        walk.explore(statement, most_moves=400)
    monkeypatch.setattr(walk, "MAX_POSITIONS", 2000)
    assert not walk.explore(statement, most_moves=400).is_whole


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lemma-6", "lemma-7", "lemma-7-special"])
def test_every_play_of_the_confinement_fills_two_fields(name: str) -> None:
    """From each start, some 27,000 positions: at ply 32 two fields are full, and only then he gets out of them.

    This is a second test beside the inductions. Three aligned fields do not end the game here, so any numbering of the
    fields is as good as another.
    """
    library = load_library(MADE / "confined")
    statement = parse_statement(compile_reading(library, "plays", name).statement or {})
    found = walk.explore(statement)
    assert found.trouble is None
    assert [walk.find_hit(found, objective, value=False) for objective in statement.objectives] == [None] * 3
    assert {statement.game.ply(position) for position, edges in found.edges.items() if not edges} == {32}
