from __future__ import annotations

from typing import Any

import pytest

from tests.rules import rules_data
from verifier.report.brief import say_briefly

PLAYS: dict[str, Any] = {"kind": "play", "start": ".........", "claimant": "X", "horizon": None, "strategies": {}}
WIN = {"name": "n", "type": "reach", "goal": ["X_wins"], "by": 9}
HELD = {"name": "n", "type": "prevent", "goal": ["X_wins"], "through": 8}
KEPT = {"name": "n", "type": "keep", "holds": ["over"], "at": ["every"]}


def say(**changes: Any) -> str:
    """Return what is said of a statement about plays of tic-tac-toe."""
    return say_briefly({**PLAYS, "rules": rules_data("tictactoe"), **changes})[0]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"objectives": [WIN]}, "X can win by ply 9"),
        ({"objectives": [WIN], "strategies": {"X": {}}}, "X wins by ply 9 against every reply"),
        (
            {"objectives": [WIN], "strategies": {"O": {}, "X": {}}},
            "X wins by ply 9 in every play by the strategies of O and X",
        ),
        ({"objectives": [WIN], "strategies": {"O": {}}}, "X can win by ply 9 against the strategy of O"),
        (
            {"objectives": [WIN], "strategies": {"X": {}}, "chooses": True},
            "X can win by ply 9 by moves of a strategy",
        ),
        ({"objectives": [WIN], "chooses": False}, "X wins by ply 9 in every play"),
        ({"objectives": [WIN, KEPT]}, "X can win by ply 9; and 1 more objective"),
        ({"objectives": [WIN], "start": "XO......."}, "from a position at ply 2: X can win by ply 9"),
        ({"objectives": [HELD], "claimant": "O"}, "O can keep X from winning through ply 8"),
        (
            {"objectives": [HELD], "claimant": "O", "strategies": {"O": {}}},
            "O is not beaten through ply 8, whatever X plays",
        ),
        (
            {"objectives": [KEPT], "strategies": {"X": {}}, "horizon": 4},
            "up to ply 4: a condition holds throughout every play by the strategy of X",
        ),
    ],
)
def test_a_line_says_no_more_than_is_stated(changes: dict[str, Any], told: str) -> None:
    """Who chooses, whose strategies are followed, where plays begin and end, and how many objectives are left out."""
    assert say(**changes) == told


@pytest.mark.parametrize(
    "changes",
    [
        {"objectives": []},
        {"objectives": [{"type": "reach", "goal": ["X_wins"], "by": "soon"}]},
        {"objectives": [WIN], "claimant": "Z", "strategies": {}},
        {"objectives": [WIN], "strategies": {"Z": {}, "X": {}}},
        {"objectives": [WIN], "start": "no position"},
        {"kind": "wish"},
    ],
)
def test_what_is_no_statement_is_not_put_into_words(changes: dict[str, Any]) -> None:
    """A file may say anything; the kernel refuses it afterwards."""
    assert say(**changes) == "a statement that is not well formed"
