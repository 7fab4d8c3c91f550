from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.derived import derive_once
from tests.kernel.test_corpus import CORPUS, read
from tests.statements import part as make_part
from tests.statements import rule, steps_of, strategy
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.steps import parse_steps
from verifier.kernel.verdict import Belief, Result, Verdict

pytestmark = pytest.mark.usefixtures("derived_once")


def plays(*moves: int) -> dict[str, Any]:
    """Return a strategy of Xavier's that plays the first free one of some spots."""
    return strategy(*(rule(str(s), (["free", s], [s])) for s in moves))


def part(**changes: Any) -> dict[str, Any]:
    given = {"hypotheses": [["given", ["X", 0]]], "conclusions": [["then", ["O", 4]]]}
    return make_part(**{"part": "part", **given, **changes})


def steps(*parts: dict[str, Any]) -> dict[str, Any]:
    return steps_of("tictactoe", *parts)


def example(position: str, *moves: str, index: int = 0, fails: str = "then") -> dict[str, Any]:
    return {"part": index, "position": position, "moves": list(moves), "fails": fails}


def stand(shown: dict[str, Any]) -> dict[str, Any]:
    """Return an example where nothing fails."""
    return {key: said for key, said in shown.items() if key != "fails"}


def show(data: dict[str, Any], verdict: str, evidence: Any) -> Result:
    return decide(data, verdict, evidence, lambda digest, suffix: b"")


def owed(data: dict[str, Any]) -> dict[str, Any]:
    """Return the obligations of a statement as evidence lists them, each from no assumption."""
    derived = derive_once(data)
    return {
        "digest": derived.digest,
        "shown": [[p.part, fails, []] for p in derived.preconditions for fails, _ in p.breaches],
    }


def refute(data: dict[str, Any], counterexample: Any) -> str:
    """Return the reason of the result, or of the rejection."""
    try:
        return show(data, "refuted", {"counterexample": counterexample}).reason
    except CertificateError as error:
        return error.reason


def model(data: dict[str, Any], *models: Any, **more: Any) -> str:
    """Return the verdict, or the reason of the rejection."""
    shown = [stand(item) if isinstance(item, dict) else item for item in models]
    evidence = {"obligations": owed(data), "models": shown, **more}
    try:
        return str(show(data, "proved", evidence).verdict)
    except CertificateError as error:
        return error.reason


ROUND = part(step="round", turn="O", strategy=plays(4, 5, 6))
REPLY_FIRST = part(step="reply-first", turn="X", strategy=plays(4, 5, 6), hypotheses=[])


@pytest.mark.parametrize(
    ("data", "counterexample", "outcome"),
    [
        (part(), example("X........"), "'part': 'then' fails"),
        (part(), example("X...O...."), "not-refuted"),
        (part(), example("........."), "hypothesis"),
        (part(), example("X........", "4"), "malformed"),
        (part(turn="X"), example("X........"), "wrong-turn"),
        (part(unless=["X", 0]), example("X........"), "not-refuted"),
        (part(), example("X........", fails="given"), "not-refuted"),
        (part(), example("X........", fails=""), "not-refuted"),
        (part(step="move"), example("X........", "1"), "'part': 'then' fails"),
        (part(step="move"), example("X........", "4"), "not-refuted"),
        (part(step="move"), example("X........", "0"), "illegal-move"),
        (part(step="move"), example("X........"), "malformed"),
        (part(step="move"), example("X........", "1", "2"), "malformed"),
        (part(step="move"), example("XXXOO...."), "over"),
        (part(step="move", plays=[1]), example("X........", "1"), "'part': 'then' fails"),
        (part(step="move", plays=[1]), example("X........", "2"), "malformed"),
        (ROUND, example("X........", "1", "4"), "'part': 'then' fails"),
        (ROUND, example("X........", "1", "5"), "not-the-strategy"),
        (ROUND, example("X........", "1"), "malformed"),
        (ROUND, example("X........", "1", "4", "2"), "malformed"),
        (ROUND, example("XO.......", "2", "4"), "wrong-turn"),
        (ROUND | {"turn": None}, example("XO.......", "2", "4"), "wrong-turn"),
        (
            ROUND | {"strategy": plays()},
            example("X........", "1", fails="the strategy has no move"),
            "'part': the strategy has no move",
        ),
        (ROUND | {"strategy": plays()}, example("X........", "1", "2", fails="the strategy has no move"), "malformed"),
        (ROUND | {"strategy": plays()}, example("X........", "1"), "not-refuted"),
        (REPLY_FIRST, example(".........", "4", "0"), "'part': 'then' fails"),
        (REPLY_FIRST, example(".........", "0", "4"), "not-the-strategy"),
        (REPLY_FIRST | {"turn": None}, example("X........", "4", "5"), "wrong-turn"),
        (REPLY_FIRST | {"plays": [0]}, example(".........", "4", "0"), "'part': 'then' fails"),
        (REPLY_FIRST | {"plays": [0]}, example(".........", "4", "1"), "malformed"),
    ],
)
def test_counterexample(data: dict[str, Any], counterexample: dict[str, Any], outcome: str) -> None:
    """A counterexample is a step of its part, by its players, that fails what the evidence says."""
    assert refute(steps(data), counterexample) == outcome


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({"line": ["0"]}, "'part': 'then' fails"),
        ({"line": ["1"]}, "not-refuted"),
        ({"line": []}, "not-refuted"),
        ({"line": ["0", "0"]}, "illegal-move"),
        ({"line": "0"}, "malformed"),
        ({"line": None}, "malformed"),
        ({"reached": True}, "malformed"),
    ],
)
def test_the_play_that_reaches_a_counterexample_is_followed(more: dict[str, Any], outcome: str) -> None:
    """It ends in the position; nothing else is said of one."""
    assert refute(steps(part()), example("X........") | more) == outcome


def test_a_position_has_its_keys_and_no_others() -> None:
    """One that shows that hypotheses can hold says of what part, and which moves follow."""
    whole = {"part": 0, "position": "X...O....", "moves": []}
    assert model(steps(part()), whole) == "supported"
    assert model(steps(part()), whole | {"line": ["0"]}) == "malformed"
    for key in whole:
        assert model(steps(part()), {name: said for name, said in whole.items() if name != key}) == "malformed"


def test_game_that_ends_within_the_step_fails_it() -> None:
    """A round that the opponent's move ends is not a round, unless the claim excuses it."""
    data = ROUND | {"hypotheses": []}
    ended = example("OO.XX.X..", "2", fails="the game ends within the step")
    assert refute(steps(data), ended) == "'part': the game ends within the step"
    assert refute(steps(data | {"unless": ["O_wins"]}), ended) == "not-refuted"
    named = steps(data | {"conclusions": [["the game ends within the step", True]]})
    assert refute(named, ended) == "'part': the game ends within the step", "and no conclusion that is called so"


def test_illegal_move_of_the_strategy_fails_the_step() -> None:
    """A strategy that names a taken spot fails the round."""
    bad = strategy(rule("r", (True, [0])))
    fails = "the strategy names the illegal move 0"
    assert refute(steps(ROUND | {"strategy": bad}), example("X........", "1", fails=fails)) == f"'part': {fails}"


def test_old_means_before_the_step() -> None:
    """A conclusion may speak of the position before the step."""
    data = part(step="move", conclusions=[["then", ["==", ["ply"], ["+", ["old", ["ply"]], 1]]]])
    assert refute(steps(data), example("X........", "1")) == "not-refuted"
    assert model(steps(data), example("X........", "1")) == "supported"


def test_each_part_needs_its_model() -> None:
    """A proof shows for every part a position where its hypotheses hold and its conclusions follow."""
    data = steps(part(), part(hypotheses=[["given", ["X", 8]]]))
    good = (example("X...O...."), example("....O...X", index=1))
    assert model(data, *good) == "supported"
    assert model(data, good[0]) == "vacuous-part"
    assert model(data, good[0], good[0]) == "vacuous-part"
    assert model(data, good[0], example("X...O....", index=1)) == "hypothesis"
    assert model(data, good[0], example("O.......X", index=1)) == "engines-disagree"
    assert model(data, *good, example("X........")) == "engines-disagree"


def test_unless_does_not_let_every_conclusion_off() -> None:
    """Where ``unless`` holds after every step that is shown, nothing is: the part has to have a point."""
    let_off = part(unless=["X", 0])
    assert model(steps(let_off), example("X........")) == "vacuous-unless"
    assert model(steps(part(unless=True, conclusions=[["then", False]])), example("X........")) == "vacuous-unless"
    excused = part(unless=["X", 8], hypotheses=[["given", ["X", 0]]])
    assert model(steps(excused), example("XO.....OX")) == "vacuous-unless"
    assert model(steps(excused), example("XO.....OX"), example("X...O....")) == "supported"
    assert model(steps(excused), example("XO.....OX"), example("X........")) == "engines-disagree"


def test_start_is_decided_by_the_kernel_alone() -> None:
    """A claim about the starting position needs no solver, and no other position shows it."""
    data = part(step="start", hypotheses=[], conclusions=[["then", ["==", ["ply"], 0]]])
    result = show(steps(data), "proved", {"models": [stand(example("........."))]})
    assert (result.verdict, result.beliefs) == (Verdict.PROVED, frozenset())
    both = steps(data, part())
    models = [stand(example(".........")), stand(example("X...O....", index=1))]
    with pytest.raises(CertificateError, match="obligations"):
        show(both, "proved", {"models": models})
    assert show(both, "proved", {"models": models, "obligations": owed(both)}).beliefs == {Belief.SOLVER}


@pytest.mark.parametrize("key", ["solver", "file", "cores", "trust", "counterexample"])
def test_no_text_of_the_file_is_believed(key: str) -> None:
    """Evidence has no room for who found it: a name, a count or a sentence of the file's own is refused."""
    assert model(steps(part()), example("X...O...."), **{key: "The kernel"}) == "malformed"
    named = {**owed(steps(part())), key: "The kernel"}
    assert model(steps(part()), example("X...O...."), obligations=named) == "malformed"


def test_every_conclusion_is_an_obligation() -> None:
    """Each conclusion of each part is owed, and that a strategy's step goes well; a part at the start owes nothing."""
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
    "item",
    [
        None,
        [],
        {},
        example("X........") | {"part": 1},
        example("X........") | {"part": -1},
        example("X........") | {"part": False},
        example("X........") | {"part": "0"},
        example("X........") | {"moves": None},
        example("X........") | {"moves": [1]},
        example("X........", "9"),
        example("X......."),
        example("XX......."),
        example("X........") | {"position": None},
    ],
)
def test_malformed_example_is_refused(item: Any) -> None:
    """An example has a part, a position and moves, all of them well formed."""
    assert refute(steps(part()), item) == "malformed"
    assert model(steps(part()), item) == "malformed"


@pytest.mark.parametrize("models", [None, {}, [None], "x"])
def test_missing_models_are_refused(models: object) -> None:
    """Models are a list of positions."""
    with pytest.raises(CertificateError, match="malformed"):
        show(steps(part()), "proved", {"models": models, "obligations": owed(steps(part()))})


@pytest.mark.parametrize(
    "data",
    [
        {},
        steps(part()) | {"kind": "play"},
        steps(),
        steps(part()) | {"extra": 1},
        steps(part()) | {"rules": "chess"},
        steps(part()) | {"parts": {}},
        steps_of("tictactoe", None),
        steps(part(extra=1)),
        steps({key: value for key, value in part().items() if key != "unless"}),
        steps(part(step="leap")),
        steps(part(step=None)),
        steps(part(turn="Z")),
        steps(part(claimant=None)),
        steps(part(conclusions=[])),
        steps(part(conclusions=None)),
        steps(part(conclusions=[["then"]])),
        steps(part(conclusions=[["then", ["X", 9]]])),
        steps(part(hypotheses=[["given", 1]])),
        steps(part(unless=None)),
        steps(part(plays=4)),
        steps(part(plays=[True])),
        steps(part(step="round")),
        steps(part(step="reply-first")),
        steps(part(strategy=plays(4))),
        steps(part(step="move", strategy=plays(4))),
        steps(part(step="round", strategy=[])),
        steps(part(step="round", claimant="O", strategy=plays(4))),
        steps(part(step="round", strategy={"phases": plays(4)["phases"]})),
    ],
)
def test_ill_formed_statement_is_refused(data: dict[str, Any]) -> None:
    """A statement has the documented keys and types; a strategy goes with the steps that use one."""
    with pytest.raises(SpecError):
        parse_steps(data)


def test_hypotheses_are_read_before_the_step() -> None:
    """A hypothesis that only holds after the step does not count."""
    data = part(step="move", hypotheses=[["given", ["O", 1]]])
    assert refute(steps(data), example("X........", "1")) == "hypothesis"


@pytest.mark.parametrize(
    ("position", "moves", "outcome"),
    [
        (".........", ("4",), "'part': 'then' fails"),
        (".........", ("5",), "not-the-strategy"),
        (".........", (), "malformed"),
        (".........", ("4", "0"), "malformed"),
        ("X........", ("4",), "wrong-turn"),
        ("XO.OXX.OX", (), "over"),
    ],
)
def test_a_reply_is_the_claimants_move_alone(position: str, moves: tuple[str, ...], outcome: str) -> None:
    """The step ``reply`` is one move, of the claimant, by the strategy."""
    data = steps(part(step="reply", strategy=plays(4, 5, 6), hypotheses=[]))
    assert refute(data, example(position, *moves)) == outcome


def test_a_reply_needs_a_strategy() -> None:
    """Without a strategy there is no reply."""
    with pytest.raises(SpecError, match="needs strategy"):
        parse_steps(steps(part(step="reply")))


def test_a_counterexample_comes_alone() -> None:
    """A claim about steps is refuted by one position and a step from it, and nothing else is looked at."""
    certificate = read(CORPUS / "valid" / "steps-counterexample.json")["certificate"]
    statement, evidence = certificate["statement"], certificate["evidence"]
    assert decide(statement, "refuted", evidence, lambda *_: b"").verdict is Verdict.REFUTED
    with pytest.raises(CertificateError, match="has the keys 'counterexample', 'models', not counterexample"):
        decide(statement, "refuted", {**evidence, "models": []}, lambda *_: b"")


@pytest.mark.parametrize("item", ["ab", [1, True], ["a"], ["a", True, True], {"a": 1, "b": True}, None])
def test_a_hypothesis_is_a_name_and_a_formula(item: Any) -> None:
    """Anything else under hypotheses or conclusions is refused as such."""
    for key in ("hypotheses", "conclusions"):
        with pytest.raises(SpecError, match=r"is not a (list of 2 parts|text)"):
            parse_steps(steps(part(**{key: [item]})))
