from typing import Any

import pytest

from tests.kernel.asking import judge
from tests.kernel.conftest import derive_once
from tests.statements import part as make_part
from tests.statements import rule, steps_of, strategy
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.steps import parse_steps
from verifier.kernel.verdict import Belief, Verdict

pytestmark = pytest.mark.usefixtures("derived_once")


def plays(*moves: int) -> dict[str, Any]:
    """Return a strategy of Xavier's that plays the first free one of some spots."""
    return strategy(*(rule(str(s), (["free", s], [s])) for s in moves))


def part(**changes: Any) -> dict[str, Any]:
    given = {"hypotheses": [["given", ["X", 0]]], "conclusions": [["then", ["O", 4]]]}
    return make_part(**{"part": "part", **given, **changes})


def steps(*parts: dict[str, Any]) -> dict[str, Any]:
    return steps_of("tictactoe", *parts)


def example(position: str, *moves: str, index: int = 0, **fails: Any) -> dict[str, Any]:
    return {"part": index, "position": position, "moves": [*moves], **fails}


def owed(data: dict[str, Any]) -> dict[str, Any]:
    """Return the obligations of a statement as evidence lists them, each without assumptions."""
    derived = derive_once(data)
    return {
        "digest": derived.digest,
        "shown": [[p.part, fails, []] for p in derived.preconditions for fails, _ in p.breaches],
    }


def refute(data: dict[str, Any], counterexample: dict[str, Any], fails: str = "then") -> str:
    try:
        evidence = {"counterexample": {**counterexample, "fails": fails}}
        return decide(data, "refuted", evidence, lambda *_: b"").reason
    except CertificateError as error:
        return error.reason


def model(data: dict[str, Any], *models: Any, **more: Any) -> str:
    return judge(data, {"obligations": owed(data), "models": [*models], **more})


ROUND = part(step="round", turn="O", strategy=plays(4, 5, 6))
STUCK = {**ROUND, "strategy": plays()}
REPLY_FIRST = part(step="reply-first", turn="X", strategy=plays(4, 5, 6), hypotheses=[])
REPLY = part(step="reply", strategy=plays(4, 5, 6), hypotheses=[])
ENDS = {**ROUND, "hypotheses": []}
OLD = [["then", ["==", ["ply"], ["+", ["old", ["ply"]], 1]]]]
ILLEGAL = {**ROUND, "strategy": strategy(rule("r", (True, [0])))}
FAILS = "'part': 'then' fails"
STEPS: list[tuple[dict[str, Any], str, str, str]] = [
    (part(), "X........", "", FAILS),
    (part(), "XX.......", "", "malformed"),
    (part(step="move"), "X........", "1", FAILS),
    (part(step="move"), "X........", "", "malformed"),
    (part(step="move"), "X........", "12", "malformed"),
    (part(step="move", conclusions=OLD), "X........", "1", "not-refuted"),
    (part(step="move", plays=[1]), "X........", "1", FAILS),
    (ROUND, "X........", "14", FAILS),
    (ROUND, "X........", "142", "malformed"),
    (STUCK, "X........", "1", "not-refuted"),
    (REPLY_FIRST, ".........", "40", FAILS),
    (REPLY_FIRST, ".........", "04", "not-the-strategy"),
    ({**REPLY_FIRST, "turn": None}, "X........", "45", "wrong-turn"),
    ({**REPLY_FIRST, "plays": [0]}, ".........", "40", FAILS),
    (REPLY, ".........", "4", FAILS),
    (REPLY, ".........", "40", "malformed"),
    (REPLY, "X........", "4", "wrong-turn"),
]


@pytest.mark.parametrize(("data", "position", "moves", "found"), STEPS)
def test_a_counterexample_is_a_step_that_fails(data: dict[str, Any], position: str, moves: str, found: str) -> None:
    """It is a step of its part, by the right players, and the conclusion fails. Other faults are in the corpus."""
    assert refute(steps(data), example(position, *moves)) == found


NO_MOVE, ENDED = "the strategy has no move", "the game ends within the step"


@pytest.mark.parametrize(
    ("data", "position", "moves", "fails", "found"),
    [
        (part(), "X........", "", "given", "not-refuted"),
        (part(), "X........", "", "", "not-refuted"),
        (STUCK, "X........", "1", NO_MOVE, "fails"),
        (STUCK, "X........", "12", NO_MOVE, "malformed"),
        (ILLEGAL, "X........", "1", "the strategy names the illegal move 0", "fails"),
        (ENDS, "OO.XX.X..", "2", ENDED, "fails"),
        ({**ENDS, "conclusions": [[ENDED, True]]}, "OO.XX.X..", "2", ENDED, "fails"),
        ({**ENDS, "unless": ["O_wins"]}, "OO.XX.X..", "2", ENDED, "malformed"),
    ],
)
def test_a_counterexample_names_what_fails(
    data: dict[str, Any], position: str, moves: str, fails: str, found: str
) -> None:
    """A conclusion, or the step: a strategy without a legal move, or a game that ends, whatever the names are."""
    outcome = refute(steps(data), example(position, *moves), fails)
    assert outcome == (f"'part': {fails}" if found == "fails" else found)


@pytest.mark.parametrize(
    ("line", "found"), [(["0"], FAILS), (["1"], "not-refuted"), ([], "not-refuted"), (["0", "0"], "illegal-move")]
)
def test_the_play_that_reaches_a_counterexample_is_followed(line: list[str], found: str) -> None:
    """It has to end in the position. Nothing else is required of it."""
    assert refute(steps(part()), example("X........", line=line)) == found
    assert model(steps(part()), example("X...O....", line=["0"])) == "malformed"


def test_each_part_needs_its_model() -> None:
    """For every part, a proof has a position where its hypotheses hold and its conclusions follow."""
    data = steps(part(), part(hypotheses=[["given", ["X", 8]]]))
    good = (example("X...O...."), example("....O...X", index=1))
    assert model(data, *good) == "supported"
    assert model(data, good[0]) == "vacuous-part"
    assert model(data, good[0], good[0]) == "vacuous-part"
    assert model(data, good[0], example("X...O....", index=1)) == "hypothesis"
    assert model(data, good[0], example("O.......X", index=1)) == "engines-disagree"
    assert model(data, *good, example("X........")) == "engines-disagree"


def test_start_is_decided_by_the_kernel_alone() -> None:
    """A claim about the start needs no solver, and no other position proves it."""
    data = part(step="start", hypotheses=[], conclusions=[["then", ["==", ["ply"], 0]]])
    result = decide(steps(data), "proved", {"models": [example(".........")]}, lambda *_: b"")
    assert (result.verdict, result.beliefs) == (Verdict.PROVED, frozenset())
    both = steps(data, part())
    models = [example("........."), example("X...O....", index=1)]
    assert judge(both, {"models": models}) == "malformed"
    result = decide(both, "proved", {"models": models, "obligations": owed(both)}, lambda *_: b"")
    assert (result.verdict, result.beliefs) == (Verdict.SUPPORTED, frozenset({Belief.SOLVER}))


def test_every_conclusion_is_an_obligation() -> None:
    """So is the success of a strategy's step. A part about the start has no obligations."""
    start = part(step="start", hypotheses=[], conclusions=[["then", ["==", ["ply"], 0]]])
    two = part(conclusions=[["then", ["O", 4]], ["and then", ["free", 2]]])
    data = steps(two, start, ROUND)
    shown = owed(data)["shown"]
    assert [item[:2] for item in shown] == [[0, "then"], [0, "and then"], [2, "the step"], [2, "then"]]
    models = [example("X...O...."), example(".........", index=1), example("X...X..O.", "4", index=2)]
    for number in range(len(shown)):
        rest = shown[:number] + shown[number + 1 :]
        assert model(data, *models[:2], obligations={**owed(data), "shown": rest}) in ("obligations", "vacuous-part")


@pytest.mark.parametrize(
    "data",
    [
        part(conclusions=[]),
        part(conclusions=[["then", ["X", 9]]]),
        part(step="round"),
        part(step="reply"),
        part(step="reply-first"),
        part(strategy=plays(4)),
        part(step="move", strategy=plays(4)),
        part(step="round", claimant="O", strategy=plays(4)),
    ],
)
def test_malformed_parts_are_refused(data: dict[str, Any]) -> None:
    """A part has a conclusion. It has a strategy of the claimant exactly if its step uses one."""
    with pytest.raises(SpecError):
        parse_steps(steps(data))
    with pytest.raises(SpecError):
        parse_steps(steps())
