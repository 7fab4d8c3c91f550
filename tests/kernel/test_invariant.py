"""Invariants of plays: certificates that try to prove too much are rejected.

The base is misère tic-tac-toe: X takes the centre and then the spot opposite to O's, and never makes a line.
"""

import contextlib
import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.circuits import evaluate
from tests.kernel.asking import judge
from tests.kernel.conftest import derive_closure_once, derive_once
from tests.kernel.test_corpus import CORPUS, read, unfold
from tests.kernel.test_obligations import GAMES, names_without, random_position
from tests.statements import keep, reach, some
from verifier.kernel.decide import Memo
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import STEP, derive_closure
from verifier.kernel.steps import parse_steps

pytestmark = pytest.mark.usefixtures("derived_once")
Change = Callable[[Any, Any], None]
BASE = unfold(read(CORPUS / "valid" / "misere-invariant.json"))
FILES = BASE[2].values()
SHOWN = Memo()
"""What is known of rules: of the same rules and the same evidence it is asked once."""


def parts_of(*changes: Change) -> tuple[Any, Any]:
    statement, evidence = copy.deepcopy(BASE[:2])
    for change in changes:
        change(statement, evidence)
    return statement, evidence


def bind(statement: Any, evidence: Any) -> None:
    """Fill in the digests of what is derived, because an attacker knows them."""
    evidence["obligations"]["digest"] = derive_once(derive_steps(statement, evidence)).digest
    evidence["positions"]["digest"] = derive_closure_once(statement["rules"]).digest


def ask(statement: Any, evidence: Any) -> str:
    return judge(statement, evidence, *FILES, memo=SHOWN)


def test_an_invariant_proves_what_all_plays_keep() -> None:
    """The base is proved; without refutations it is only supported by a solver. It refutes nothing."""
    statement, evidence = parts_of()
    assert ask(statement, evidence) == "proved"
    assert judge(statement, evidence, *FILES, verdict="refuted") == "malformed"
    for key in ("obligations", "positions"):
        assert ask(*parts_of(_drop(f"e.{key}.refutations"))) == "supported"


def _place(path: str, statement: Any, evidence: Any) -> tuple[Any, Any]:
    """Return the part at a path, and the last key of the path: ``s`` is the statement, ``e`` the evidence."""
    *keys, last = (int(key) if key.isdigit() else key for key in path.split("."))
    at: Any = {"s": statement, "e": evidence}
    for key in keys:
        at = at[key]
    return at, last


def _set(path: str, value: Any) -> Change:
    def change(*parts: Any) -> None:
        at, last = _place(path, *parts)
        at[last] = value

    return change


def _drop(path: str) -> Change:
    def change(*parts: Any) -> None:
        at, last = _place(path, *parts)
        del at[last]

    return change


def _claim(objective: dict[str, Any]) -> Change:
    return _set("s.objectives.1", {**objective, "name": "opposite"})


def _add(sides: str, formula: Any) -> Change:
    def change(statement: Any, evidence: Any) -> None:
        del statement
        for side in sides:
            evidence["invariant"][side].append(["more", formula])

    return change


def _exchange(statement: Any, evidence: Any) -> None:
    """Exchange the formulas of both players."""
    del statement
    evidence["invariant"]["X"], evidence["invariant"]["O"] = evidence["invariant"]["O"], evidence["invariant"]["X"]


def _swap(statement: Any, evidence: Any) -> None:
    bind(statement, evidence)
    evidence["obligations"], evidence["positions"] = evidence["positions"], evidence["obligations"]


REJECTED: dict[str, tuple[Change, str]] = {
    "false for X to move": (_set("e.invariant.X.0.1", False), "not-at-the-start"),
    "each side keeps what the other one does": (_exchange, "not-at-the-start"),
    "O is to move at the start": (_set("s.start", "X........"), "not-at-the-start"),
    "no play is shown for a scope": (_drop("e.lines"), "vacuous-scope"),
    "a play that ends in another scope": (_set("e.lines.opponent", ["4", "0"]), "vacuous-scope"),
    "a play that leaves the strategy": (_set("e.lines.opponent", ["0"]), "not-the-strategy"),
    "a play with an illegal move": (_set("e.lines.opponent", ["4", "4"]), "illegal-move"),
    "a play for a scope that nothing names": (_set("e.lines.end", ["4"]), "malformed"),
    "plays end before the last ply": (_set("s.horizon", 8), "malformed"),
    "the horizon lies before the start": (_set("s.horizon", -1), "malformed"),
    "something happens": (_set("s.objectives.0", some(True)), "invariant"),
    "a scope of rules": (_set("s.objectives.0", keep(True, "after:all")), "invariant"),
    "an invariant of two positions": (_set("e.invariant.O.0.1", ["old", ["X", 4]]), "malformed"),
    "the obligations of the rules twice": (_swap, "obligations"),
    "an obligation of the rules is left out": (_drop("e.positions.shown.0"), "obligations"),
    "the table of the rules": (_set("e.obligations.refutations", [*BASE[2]][1]), "malformed"),
    "an assumption that is not made": (_set("e.obligations.shown.0.2", ["X[4] for ever"]), "obligations"),
    "a refutation of less": (_set("e.obligations.shown.0.2", []), "refutation"),
}  # fmt: skip


@pytest.mark.parametrize("name", REJECTED)
def test_attack_is_rejected(name: str) -> None:
    """Every attack is rejected for its own reason, with right digests if possible."""
    change, reason = REJECTED[name]
    statement, evidence = parts_of(change)
    if name != "the obligations of the rules twice":
        with contextlib.suppress(CertificateError, SpecError, KeyError, TypeError, IndexError):
            bind(statement, evidence)
    assert ask(statement, evidence) == reason


RULES = "s.strategies.X.phases.0.instances.0.rules"
OPPOSITE = "all(iff(X[s], O[8 - s]) for s in SPOTS if s != 4)"
ANYWHERE = [{"when": True, "play": [s]} for s in range(9)]
FREE = [{"when": ["free", s], "play": [s]} for s in range(9)]

FALSE: dict[str, tuple[Change, str, str]] = {
    "kept at all plies but one": (_add("XO", ["!=", ["ply"], 5]), "X moves", "more"),
    "kept up to the last ply but one": (_add("XO", ["<=", ["ply"], 8]), "X moves", "more"),
    "never the turn of O": (_add("O", False), "X moves", "more"),
    "play goes on for ever": (_add("XO", ["not", ["over"]]), "X moves", "more"),
    "the invariant is too weak": (_set("e.invariant.X", [["nothing", True]]), "X moves", STEP),
    "X takes any spot, free or not": (_set(f"{RULES}.1.choices", ANYWHERE), "X moves", STEP),
    "X takes any free spot": (_set(f"{RULES}.1.choices", FREE), "X moves", OPPOSITE),
    "X has no second move": (_drop(f"{RULES}.1"), "X moves", STEP),
    "X has no first move": (_drop(f"{RULES}.0"), "X moves", STEP),
    "an objective that the start contradicts": (_claim(keep(["X", 4])), "opposite: X to move", "opposite"),
    "the end comes later": (_claim(reach(["over"], 8)), "opposite: X to move", "opposite"),
    "a goal that is not reached": (_claim(reach(["X", 0], 9)), "opposite: O to move", "opposite"),
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
def test_a_formula_that_is_not_kept_has_an_obligation_that_fails(name: str) -> None:
    """Some position breaks the obligation, so there is no refutation, and those of the base do not fit."""
    from verifier.solver.refute import decide_parts

    change, part, fails = FALSE[name]
    statement, evidence = parts_of(change)
    derived = derive_steps(statement, evidence)
    obligations = derive_once(derived)
    parts = parse_steps(derived)
    breached = (
        (parts.parts[outcome.part].name, outcome.reason.partition(" fails")[0])
        for outcome in decide_parts(parts.game, obligations, is_quick=True)
        if outcome.refuting is not None
    )
    assert (part, repr(fails)) in breached
    bind(statement, evidence)
    assert ask(statement, evidence) not in ("proved", "supported")


def breached(*changes: Change) -> bool:
    """Return whether an obligation of the changed base can fail."""
    from verifier.solver.refute import decide_parts

    statement, evidence = parts_of(*changes)
    obligations = derive_once(derive_steps(statement, evidence))
    outcomes = decide_parts(parse_rules(statement["rules"]), obligations, is_quick=True)
    return any(outcome.reason for outcome in outcomes)


def test_obligations_where_plays_end() -> None:
    """At the horizon nobody moves. Formulas may stop being true there, and what has to be reached must follow there."""
    assert not breached(_set("s.horizon", 4), _set("s.objectives.0.through", 4), _add("XO", ["<=", ["ply"], 4]))
    for goal, is_owed in ((["X", 4], False), (["X", 0], True)):
        reached = _set("s.objectives", [reach(goal, 9, "taken")])
        assert breached(_set("s.horizon", 1), reached, _add("XO", ["or", ["X", 4], ["<=", ["ply"], 0]])) == is_owed


@pytest.mark.parametrize("count", [10, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name",
    names_without("paper", "tictactoe", "paper-play-on", "closed-open-fields", "closed-any-spot", "threesome4x4"),
)
def test_no_move_breaks_the_obligations_of_the_rules(name: str, count: int) -> None:
    """In positions of plays, no obligation of the rules fails, and its assumptions hold once play goes on."""
    game, chance = GAMES[name], random.Random(name)
    closure = derive_closure(game.data)
    for _ in range(count):
        position = random_position(game, chance)
        values = evaluate(closure.circuit, closure.before, game, position)
        for part in closure.preconditions:
            assumed = all(values[literal] for group in part.assumptions.values() for literal in group)
            assert assumed == (not game.is_over(position) and game.turn(position) == "XO"[part.part])
            assert not (assumed and any(values[literal] for _, literal in part.breaches))


def test_a_formula_of_an_invariant_may_have_a_name() -> None:
    """Named formulas are beside the lines. The base with a named formula is the same base."""

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

    assert ask(*parts_of(name)) == "supported"
