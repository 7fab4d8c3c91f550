from typing import Any

from tests.golden import require_golden
from tests.statements import play
from verifier.report.brief import say_briefly

WIN = {"name": "n", "type": "reach", "goal": ["X_wins"], "by": 9}
HELD = {"name": "n", "type": "prevent", "goal": ["X_wins"], "through": 8}
KEPT = {"name": "n", "type": "keep", "holds": ["over"], "at": ["every"]}


def say(**changes: Any) -> str:
    """Return what is said of a statement about plays of tic-tac-toe."""
    return say_briefly(play("tictactoe", ".........") | changes)[0]


SAID: list[dict[str, Any]] = [
    {"objectives": [WIN]},
    {"objectives": [WIN], "strategies": {"X": {}}},
    {"objectives": [WIN], "strategies": {"O": {}, "X": {}}},
    {"objectives": [WIN], "strategies": {"O": {}}},
    {"objectives": [WIN], "strategies": {"X": {}}, "chooses": True},
    {"objectives": [WIN], "chooses": False},
    {"objectives": [WIN, KEPT]},
    {"objectives": [WIN], "start": "XO......."},
    {"objectives": [HELD], "claimant": "O"},
    {"objectives": [HELD], "claimant": "O", "strategies": {"O": {}}},
    {"objectives": [KEPT], "strategies": {"X": {}}, "horizon": 4},
    {"objectives": []},
    {"objectives": [{"type": "reach", "goal": ["X_wins"], "by": "soon"}]},
    {"objectives": [WIN], "claimant": "Z", "strategies": {}},
    {"objectives": [WIN], "strategies": {"Z": {}, "X": {}}},
    {"objectives": [WIN], "start": "no position"},
    {"kind": "wish"},
]


def test_a_line_says_no_more_than_is_stated() -> None:
    """Who chooses, whose strategies are followed, where plays begin and end, and how many objectives are left out.

    What is no statement is not put into words.
    """
    require_golden("brief.txt", "".join(f"{changes}\n    {say(**changes)}\n" for changes in SAID))
