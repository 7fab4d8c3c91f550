"""The exploration of plays is bounded, within a ply as well."""

import pytest

from tests.statements import NINE, SOME, play
from verifier.kernel.statement import parse_statement
from verifier.search import walk


def test_a_ply_of_too_many_positions_is_not_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are counted as they are met, and not once the whole ply is there: that would be too late for the memory."""
    monkeypatch.setattr(walk, "MAX_POSITIONS", 1000)
    made = []
    monkeypatch.setattr(walk, "has_ended", lambda *_: made.append(1))
    with pytest.raises(walk.NodeLimitError, match="more than 1,000 positions"):
        walk.explore(parse_statement(play("paper", NINE, {**SOME, "holds": ["X", 0, 0], "at": ["every"]}, horizon=9)))
    assert len(made) < 300
