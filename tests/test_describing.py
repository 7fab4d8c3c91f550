from typing import Any

from tests.golden import require_golden
from tests.kernel.test_count import PAIRS
from tests.kernel.test_sum import NOTAKTO
from tests.rules import rules_data
from tests.statements import NINE, SOME, keep, part, play, plays, prevent, some, steps_of
from verifier.describing import describe_statement


def step(**changes: Any) -> dict[str, Any]:
    """Return a part of a statement about steps, with a name that seems to say more."""
    return part(**{"part": "Xavier wins every game", "conclusions": [["he wins", True]], **changes})


def steps(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return steps_of("paper", *parts, **more)


START = "." * 9
CASE = {"start": NINE, "first": None}
LATE = {"start": "/".join(["XO.......", *["." * 9] * 8]) + " ......... 1", "first": ["1.0", "1.1"]}
BOTH = {"X": plays([4]), "O": plays([0], player="O")}
PHASE = "xavier answers each mark of olivia"
SCOPES = (f"after:{PHASE}", f"after:{PHASE}.win now", f"before:{'p' * 200}.{chr(0x1F600) * 20}")
NESTED = [["X", 0, 0], *(["and", ["use", n], ["use", n]] for n in range(60))]
OBJECTIVES = [{**SOME, "name": str(number), "holds": ["X", number]} for number in range(5)]
CHANGED: list[dict[str, Any]] = [
    {"lines": [[[0, 1], [2]]]},
    {"outcomes": []},
    {"outcomes": [[["X_line"], "O"]] * 6},
    {"legal": [["free", 0]] * 9},
    {"marks": "shared", "outcomes": []},
]
TOLD = [
    *(play("tictactoe", START, *OBJECTIVES[:count]) for count in (4, 5)),
    *({"kind": "bound", "rules": rules_data("paper"), "through": 58, "cases": [CASE] * count} for count in (1, 2)),
    steps(step()),
    steps(step(step="move", turn="O")),
    steps(step(step="reply")),
    steps(step(step="round")),
    steps(step(step="reply-first")),
    steps(step(step="move", plays=[0, 1])),
    steps(step(step="reply-first", plays=[0, 1])),
    steps(step(hypotheses=[["he has won", ["X_wins"]], ["so", False]], conclusions=[["a", ["over"]], ["b", True]])),
    steps(step(step="start"), step()),
    steps(step(hypotheses=[["n", ["X", 0, spot]] for spot in range(6)]), step()),
    *(play({**rules_data("tictactoe"), **change}, START, SOME) for change in CHANGED),
    play("tictactoe", START, keep(["not", ["X_wins"]]), horizon=4, strategies={"X": plays([4])}),
    play("tictactoe", START, prevent(["O_wins"], 9), some(["O_wins"])),
    play("tictactoe", START, prevent(["O_wins"], 9), strategies={"X": plays([4], [0])}, chooses=True),
    *(play("tictactoe", START, keep(True, "claimant", "opponent"), strategies=BOTH, claimant=one) for one in "XO"),
    play("tictactoe", START, keep(["free", 4], "claimant"), chooses=False, horizon=2),
    play("tictactoe", START, keep(["X_wins"], "end"), chooses=False, horizon=5),
    play("tictactoe", START, some(["O_wins"], "start", "claimant", "opponent", "end")),
    *(play("tictactoe", START, some(["X", 0], scope)) for scope in SCOPES),
    play("tictactoe", START, keep(True, "\x1b[2K\n")),
    steps_of("tictactoe", step(part="\x1b[2K", hypotheses=[["\x1b[2K", True]], conclusions=[["proved: all", True]])),
    play("tictactoe", "....X....", keep(["X", 4]), given=["X", 4], claimant="O"),
    play("paper", NINE, keep(["free", 4, 4]), given=["free", 4, 4], claimant="O", symmetric=True),
    {"kind": "bound", "rules": rules_data("paper"), "through": 43, "cases": [LATE, CASE]},
    steps(step(conclusions=[["a", ["use", 1]], ["b", ["use", 60]]]), formulas=NESTED),
    PAIRS,
    NOTAKTO,
]


WIN = {"name": "n", "type": "reach", "goal": ["X_wins"], "by": 9}
HELD = {"name": "n", "type": "prevent", "goal": ["X_wins"], "through": 8}
KEPT = {"name": "n", "type": "keep", "holds": ["over"], "at": ["every"]}
CHANGES: list[dict[str, Any]] = [
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
    {"objectives": [{**HELD, "goal": ["over"]}], "claimant": "O"},
    {"objectives": [KEPT]},
    {"objectives": [KEPT], "strategies": {"X": {}}, "horizon": 4},
    {"objectives": []},
    {"objectives": [{"type": "reach", "goal": ["X_wins"], "by": "soon"}]},
    {"objectives": [WIN], "claimant": "Z", "strategies": {}},
    {"objectives": [WIN], "strategies": {"Z": {}, "X": {}}},
    {"objectives": [WIN], "start": "no position"},
    {"kind": "wish"},
]


def test_what_statements_say() -> None:
    """Parts are named by their hypotheses and conclusions, not by the file's names. Long lists are counted.

    The rules are described too: three in a row may win, lose or do nothing. The words have everything that was decided,
    and nothing else: who chooses, whose strategies are followed, where plays begin and end, who moves at a scope, how
    many objectives and parts are left out, and where a bound begins. A malformed statement gets no description.
    """
    told = [f"{changes}\n    {describe_statement(play('tictactoe', START) | changes).words}" for changes in CHANGES]
    found = map(describe_statement, TOLD)
    require_golden("statements.txt", "\n".join([*told, *(f"{one.words}\n    {one.data}" for one in found)]) + "\n")


def test_a_name_that_uses_itself_is_not_expanded_for_ever() -> None:
    """Only a refused statement has such a name. The description has as much of it as fits."""
    for back, said in (
        (["not", ["use", 0]], "X can have a condition hold"),
        (["use", 0], "a statement of kind 'play'"),
    ):
        statement = play("tictactoe", START, keep(["use", 0]), formulas=[back])
        assert describe_statement(statement).words.startswith(said)
        assert len(describe_statement(statement).data) < 5000
