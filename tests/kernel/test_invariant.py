"""Invariants of plays: what a certificate that means to prove too much is rejected for.

The base is misère tic-tac-toe: X takes the centre and then the spot opposite to O's, and never makes a line.
"""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.circuits import evaluate
from tests.kernel.derived import derive_closure_once, derive_once
from tests.kernel.test_corpus import CORPUS, read, resolve
from tests.kernel.test_obligations import GAMES, names_without, random_position
from verifier.kernel.certificate import hash_bytes, pack
from verifier.kernel.decide import Memo, decide
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import STEP, derive_closure
from verifier.kernel.steps import parse_steps
from verifier.kernel.verdict import Belief, Result, Verdict

pytestmark = pytest.mark.usefixtures("derived_once")
Case = dict[str, Any]
Change = Callable[[Any, Any], None]
BASE = read(CORPUS / "valid" / "misere-invariant.json")
FILES = {hash_bytes(pack(table)): pack(table) for table in BASE["table"]}
HASHES = {f"auto table-{n}.json.gz": digest for n, digest in enumerate(FILES)}
SHOWN = Memo()
"""What is known of rules: of the same rules and the same evidence it is asked once."""


def parts_of(change: Change) -> tuple[Any, Any]:
    """Return the base's statement and evidence after a change."""
    certificate = copy.deepcopy(BASE["certificate"])
    statement, evidence = certificate["statement"], resolve(certificate["evidence"], HASHES)
    change(statement, evidence)
    return statement, evidence


def bind(statement: Any, evidence: Any) -> None:
    """Put in the digests of what is derived: whoever attacks knows them."""
    evidence["obligations"]["digest"] = derive_once(derive_steps(statement, evidence)).digest
    evidence["positions"]["digest"] = derive_closure_once(statement["rules"]).digest


def judge(statement: Any, evidence: Any, verdict: str = "proved") -> Result | str:
    """Return what the kernel says, of a rejection the reason."""
    try:
        return decide(statement, verdict, evidence, lambda digest, _: FILES[digest], memo=SHOWN)
    except CertificateError as error:
        return error.reason


def test_an_invariant_proves_what_all_plays_keep() -> None:
    """The base is proved, and without refutations only supported by a solver."""
    statement, evidence = parts_of(bind)
    result = judge(statement, evidence)
    assert isinstance(result, Result)
    assert result.verdict is Verdict.PROVED
    assert result.stats["obligations"] == result.stats["refuted"] > 0
    for key in ("obligations", "positions"):
        without = copy.deepcopy(evidence)
        del without[key]["refutations"]
        result = judge(statement, without)
        assert isinstance(result, Result)
        assert (result.verdict, result.beliefs) == (Verdict.SUPPORTED, frozenset({Belief.SOLVER}))


def _set(path: str, value: Any) -> Change:
    """Return a change: ``s`` is the statement, ``e`` the evidence; the rest is keys and indices."""

    def change(statement: Any, evidence: Any) -> None:
        *keys, last = path.split(".")
        at = {"s": statement, "e": evidence}[keys.pop(0)]
        for key in keys:
            at = at[int(key)] if isinstance(at, list) else at[key]
        at[int(last) if isinstance(at, list) else last] = value

    return change


def _drop(path: str) -> Change:
    """Return a change that takes something away."""

    def change(statement: Any, evidence: Any) -> None:
        *keys, last = path.split(".")
        at = {"s": statement, "e": evidence}[keys.pop(0)]
        for key in keys:
            at = at[int(key)] if isinstance(at, list) else at[key]
        del at[int(last) if isinstance(at, list) else last]

    return change


def _exchange(statement: Any, evidence: Any) -> None:
    """Let each side keep what the other one keeps."""
    del statement
    evidence["invariant"]["X"], evidence["invariant"]["O"] = evidence["invariant"]["O"], evidence["invariant"]["X"]


def _swap(statement: Any, evidence: Any) -> None:
    bind(statement, evidence)
    evidence["obligations"], evidence["positions"] = evidence["positions"], evidence["obligations"]


SOME = {"name": "never beaten", "type": "some", "at": ["every"], "holds": True}
AFTER = {"name": "never beaten", "type": "keep", "at": ["after:all"], "holds": True}
LATE = {"name": "never beaten", "type": "prevent", "goal": ["O_wins"], "through": 9}

REJECTED: dict[str, tuple[Change, str]] = {
    "false at the start": (_set("e.invariant.X.0.1", ["X", 4]), "not-at-the-start"),
    "false for X to move": (_set("e.invariant.X.0.1", False), "not-at-the-start"),
    "each side keeps what the other one does": (_exchange, "not-at-the-start"),
    "O is to move at the start": (_set("s.start", "X........"), "not-at-the-start"),
    "no play is shown for a scope": (_drop("e.lines"), "vacuous-scope"),
    "a play that ends in another scope": (_set("e.lines.opponent", ["4", "0"]), "vacuous-scope"),
    "a play that leaves the strategy": (_set("e.lines.opponent", ["0"]), "not-the-strategy"),
    "a play with an illegal move": (_set("e.lines.opponent", ["4", "4"]), "illegal-move"),
    "a play for a scope that nothing names": (_set("e.lines.end", ["4"]), "malformed"),
    "lines are a list": (_set("e.lines", [["4"]]), "malformed"),
    "plays end before the last ply": (_set("s.horizon", 8), "malformed"),
    "the last ply lies before the start": (_set("s.objectives.0.through", -1), "malformed"),
    "the horizon lies before the start": (_set("s.horizon", -1), "malformed"),
    "something happens": (_set("s.objectives.0", SOME), "invariant"),
    "a scope of rules": (_set("s.objectives.0", AFTER), "invariant"),
    "a side is left out": (_drop("e.invariant.O"), "malformed"),
    "a third side": (_set("e.invariant.both", []), "malformed"),
    "an invariant is not a list": (_set("e.invariant.O", True), "malformed"),
    "an invariant is a list of formulas": (_set("e.invariant.O", [["X", 4]]), "malformed"),
    "an invariant that says nothing": (_set("e.invariant.O", []), "malformed"),
    "an invariant of two positions": (_set("e.invariant.O.0.1", ["old", ["X", 4]]), "malformed"),
    "a formula that is used nowhere": (_set("e.formulas", [["X", 4]]), "malformed"),
    "formulas are an object": (_set("e.formulas", {}), "malformed"),
    "a table beside the invariant": (_set("e.table", "0" * 64), "malformed"),
    "models beside the invariant": (_set("e.models", []), "malformed"),
    "nothing is shown of the rules": (_drop("e.positions"), "malformed"),
    "nothing is shown of the steps": (_drop("e.obligations"), "malformed"),
    "the obligations of the rules twice": (_swap, "obligations"),
    "an obligation is left out": (_drop("e.obligations.shown.0"), "obligations"),
    "an obligation of the rules is left out": (_drop("e.positions.shown.0"), "obligations"),
    "the table of the rules": (_set("e.obligations.refutations", HASHES["auto table-1.json.gz"]), "malformed"),
    "an assumption that is not made": (_set("e.obligations.shown.0.2", ["X[4] for ever"]), "obligations"),
    "a refutation of less": (_set("e.obligations.shown.0.2", []), "refutation"),
}  # fmt: skip


@pytest.mark.parametrize("name", REJECTED)
def test_attack_is_rejected(name: str) -> None:
    """Every attack is rejected for its own reason, the digests being right where they can be."""
    change, reason = REJECTED[name]
    statement, evidence = parts_of(change)
    if name != "the obligations of the rules twice":
        with contextlib.suppress(CertificateError, SpecError, KeyError, TypeError, IndexError):
            bind(statement, evidence)
    assert judge(statement, evidence) == reason


def test_an_invariant_refutes_nothing() -> None:
    """What refutes a claim about plays is a play."""
    assert judge(*parts_of(bind), verdict="refuted") == "malformed"


def _add(side: str, formula: Any) -> Change:
    def change(statement: Any, evidence: Any) -> None:
        del statement
        evidence["invariant"][side].append(["more", formula])

    return change


def _both(formula: Any) -> Change:
    def change(statement: Any, evidence: Any) -> None:
        _add("X", formula)(statement, evidence)
        _add("O", formula)(statement, evidence)

    return change


RULES = "s.strategies.X.phases.0.instances.0.rules"
OPPOSITE = "all(iff(X[s], O[8 - s]) for s in SPOTS if s != 4)"
ANYWHERE = [{"when": True, "play": [s]} for s in range(9)]
FREE = [{"when": ["free", s], "play": [s]} for s in range(9)]
EVERYWHERE = {"name": "opposite", "type": "keep", "at": ["every"], "holds": ["X", 4]}
TOO_SOON = {"name": "opposite", "type": "reach", "goal": ["over"], "by": 8}
NEVER = {"name": "opposite", "type": "reach", "goal": ["X", 0], "by": 9}

FALSE: dict[str, tuple[Change, str, str]] = {
    "kept at all plies but one": (_both(["!=", ["ply"], 5]), "X moves", "more"),
    "kept up to the last ply but one": (_both(["<=", ["ply"], 8]), "X moves", "more"),
    "never the turn of O": (_add("O", False), "X moves", "more"),
    "play goes on for ever": (_both(["not", ["over"]]), "X moves", "more"),
    "the invariant is too weak": (_set("e.invariant.X", [["nothing", True]]), "X moves", STEP),
    "X takes any spot, free or not": (_set(f"{RULES}.1.choices", ANYWHERE), "X moves", STEP),
    "X takes any free spot": (_set(f"{RULES}.1.choices", FREE), "X moves", OPPOSITE),
    "X has no second move": (_drop(f"{RULES}.1"), "X moves", STEP),
    "X has no first move": (_drop(f"{RULES}.0"), "X moves", STEP),
    "an objective that the start contradicts": (_set("s.objectives.1", EVERYWHERE), "opposite: X to move", "opposite"),
    "the end comes later": (_set("s.objectives.1", TOO_SOON), "opposite: X to move", "opposite"),
    "a goal that is not reached": (_set("s.objectives.1", NEVER), "opposite: O to move", "opposite"),
    "O never loses": (_set("s.objectives.0.goal", ["X_wins"]), "never beaten: X to move", "never beaten"),
}  # fmt: skip


ALIKE = (
    "kept up to the last ply but one",
    "play goes on for ever",
    "never the turn of O",
    "X takes any free spot",
    "the end comes later",
    "an objective that the start contradicts",
    "O never loses",
)
"""What fails much as something else does."""


@pytest.mark.parametrize("name", names_without(*ALIKE, among=FALSE))
def test_of_what_is_not_kept_an_obligation_can_be_breached(name: str) -> None:
    """There is a position that breaches an obligation: nothing refutes it, and the base's refutations do not."""
    from verifier.solver.refute import decide_breaches

    change, part, fails = FALSE[name]
    statement, evidence = parts_of(change)
    derived = derive_steps(statement, evidence)
    obligations = derive_once(derived)
    parts = parse_steps(derived)
    breached = (
        (parts.parts[outcome.part].name, outcome.reason.partition(" fails")[0])
        for outcome in decide_breaches(parts.game, obligations)
        if outcome.refuting is not None
    )
    assert (part, repr(fails)) in breached
    bind(statement, evidence)
    assert not isinstance(judge(statement, evidence), Result)


def test_plays_that_end_owe_nothing() -> None:
    """At the horizon nobody moves: what no move keeps there may end there."""

    def change(statement: Any, evidence: Any) -> None:
        statement["horizon"] = 4
        statement["objectives"][0]["through"] = 4
        _both(["<=", ["ply"], 4])(statement, evidence)

    from verifier.solver.refute import decide_breaches

    statement, evidence = parts_of(change)
    obligations = derive_once(derive_steps(statement, evidence))
    outcomes = list(decide_breaches(parse_rules(statement["rules"]), obligations))
    assert not any(outcome.reason for outcome in outcomes)


def test_what_is_to_be_reached_is_owed_where_plays_end() -> None:
    """A goal that does not follow from the invariant and the horizon can be breached; one that does cannot."""
    from verifier.solver.refute import decide_breaches

    for goal, is_owed in ((["X", 4], False), (["X", 0], True)):

        def change(statement: Any, evidence: Any, goal: Any = goal) -> None:
            statement["horizon"] = 1
            statement["objectives"] = [{"name": "taken", "type": "reach", "goal": goal, "by": 9}]
            _both(["or", ["X", 4], ["<=", ["ply"], 0]])(statement, evidence)

        statement, evidence = parts_of(change)
        obligations = derive_once(derive_steps(statement, evidence))
        outcomes = list(decide_breaches(parse_rules(statement["rules"]), obligations))
        assert any(outcome.refuting is not None for outcome in outcomes) == is_owed


@pytest.mark.parametrize("count", [10, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name",
    names_without("paper", "tictactoe", "paper-play-on", "closed-open-fields", "closed-any-spot", "threesome4x4"),
)
def test_no_move_of_a_game_breaches_what_rules_keep(name: str, count: int) -> None:
    """In positions that play reaches, no breach of the closure is true; what it assumes is, once the game goes on."""
    game, chance = GAMES[name], random.Random(name)
    closure = derive_closure(game.data)
    for _ in range(count):
        position = random_position(game, chance)
        values = evaluate(closure.circuit, closure.before, game, position)
        for part in closure.preconditions:
            assumed = all(values[literal] for group in part.assumptions.values() for literal in group)
            assert assumed == (not game.is_over(position) and game.turn(position) == "XO"[part.part])
            assert not (assumed and any(values[literal] for _, literal in part.breaches))


def test_the_base_says_what_it_is() -> None:
    """The base has every kind of part: moves of both players, and objectives at scopes and plies."""
    statement, evidence = parts_of(bind)
    assert {part["step"] for part in derive_steps(statement, evidence)["parts"]} == {"move", "reply", "none"}
    assert json.dumps(statement["objectives"]).count('"type"') == 2


def test_what_an_invariant_uses_twice_may_have_a_name() -> None:
    """Formulas beside the lines: the base with a named formula is the base."""

    def name(statement: Any, evidence: Any) -> None:
        evidence["formulas"] = [["X", 4]]
        for side in ("X", "O"):
            evidence["invariant"][side].append(["named", ["iff", ["use", 0], ["X", 4]]])
        for key in ("obligations", "positions"):
            del evidence[key]["refutations"]
        derived = derive_once(derive_steps(statement, evidence))
        evidence["obligations"]["shown"] = [
            [part.part, fails, [*part.assumptions]] for part in derived.preconditions for fails, _ in part.breaches
        ]
        bind(statement, evidence)

    result = judge(*parts_of(name))
    assert isinstance(result, Result), result
    assert result.verdict is Verdict.SUPPORTED
