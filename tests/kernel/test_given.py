"""Plays from all given positions: the obligations, compared with concrete positions, and refusals."""

import functools
import random
from typing import Any

import pytest

from tests.circuits import Values
from tests.kernel.asking import judge
from tests.kernel.conftest import derive_closure_once, derive_once
from tests.kernel.test_obligations import GAMES, names_without, random_formula, random_position
from tests.rules import in_a_row, positional
from tests.statements import keep, play, prevent, reach, rule, some, strategy
from verifier.kernel.certificate import REFUTATIONS_FORMAT, VERSION, hash_bytes
from verifier.kernel.decide import Memo
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import Obligations, derive
from verifier.kernel.statement import parse_statement
from verifier.kernel.steps import decide_steps, parse_steps
from verifier.packing import pack
from verifier.solver.inputs import name_inputs
from verifier.solver.trim import find_refutations

GAME = parse_rules(positional(2, 3, in_a_row(3, 2, 3), [[["X_line"], "X"], [["O_line"], "O"]], notation="spots"))
pytestmark = pytest.mark.usefixtures("derived_once")
CENTRE = ["X", 4]
FREE = strategy(rule("any", *((["free", s], [s]) for s in range(6))), player="O", phase="all")
STATEMENT = play(GAME.data, "....X.", keep(CENTRE), given=CENTRE, claimant="O", strategies={"O": FREE})
MORE = ["<=", ["ply"], ["+", ["old", ["ply"]], 1]]
"""True after each step of the position before it, and not of where a play started."""

SAME = ["iff", ["free", 0], ["old", ["free", 0]]]
STAYS = ["implies", ["old", ["X", 0]], ["X", 0]]
SHOWN = Memo()
"""What is known of the game's rules: of the same evidence it is asked once."""


def stated(holds: Any = CENTRE, **changes: Any) -> dict[str, Any]:
    return {**STATEMENT, "objectives": [keep(holds)], **changes}


def shown(statement: Any, kept: Any) -> tuple[dict[str, Any], tuple[bytes, ...], list[tuple[str, str]]]:
    """Return evidence by unit propagation and Exact, its files, and the obligations that are left open."""
    evidence: dict[str, Any] = {"invariant": {player: [["kept", kept]] for player in "XO"}}
    derived = derive_steps(statement, evidence)
    names = [part.name for part in parse_steps(derived, is_derived=True).parts]
    evidence["obligations"], table, left = refuted(derive_once(derived))
    evidence["positions"], closed = shown_of_the_rules()
    return evidence, (table, closed), [(names[p], fails) for p, fails in left]


def refuted(obligations: Obligations) -> tuple[dict[str, Any], bytes, list[tuple[int, str]]]:
    """Return the evidence for obligations, its table, and the open obligations: the part, and what fails."""
    owed = [(part, fails) for part in obligations.preconditions for fails, _ in part.breaches]
    found = find_refutations(obligations, [[*part.assumptions] for part, _ in owed])
    table = pack({"format": REFUTATIONS_FORMAT, "version": VERSION, "refutations": found})
    listed = [[part.part, fails, [*part.assumptions]] for part, fails in owed]
    evidence = {"digest": obligations.digest, "shown": listed, "refutations": hash_bytes(table)}
    left = [(part.part, fails) for (part, fails), steps in zip(owed, found, strict=True) if steps is None]
    return evidence, table, left


@functools.cache
def shown_of_the_rules() -> tuple[dict[str, Any], bytes]:
    """Return the evidence for the obligations of the rules, and its table."""
    evidence, table, left = refuted(derive_closure_once(GAME.data))
    assert not left
    return evidence, table


@pytest.mark.parametrize("holds", [CENTRE, STAYS, [">=", ["ply"], ["old", ["ply"]]]])
def test_a_formula_that_is_kept_from_all_given_positions_is_proved(holds: Any) -> None:
    """The kernel follows all refutations. Without those about the start, nothing is proved."""
    statement = stated(holds)
    evidence, files, left = shown(statement, holds)
    assert not left
    assert judge(statement, evidence, *files, memo=SHOWN) == "proved"
    shorter = {**evidence["obligations"], "shown": evidence["obligations"]["shown"][1:]}
    assert judge(statement, {**evidence, "obligations": shorter}, *files, memo=SHOWN) == "obligations"
    assert judge(statement, {**evidence, "lines": {"start": []}}, *files, memo=SHOWN) == "malformed"


@pytest.mark.parametrize(
    ("holds", "given", "left"),
    [
        (MORE, CENTRE, "moves"),
        (SAME, CENTRE, "moves"),
        (["X", 0], CENTRE, "begins"),
        (["not", ["old", ["free", 0]]], True, "begins"),
        (["old", ["X", 4]], ["not", ["O", 4]], "begins"),
    ],
)
def test_a_formula_that_is_not_kept_is_not_proved(holds: Any, given: Any, left: str) -> None:
    """``old`` means neither the position before a step nor any other, and ``given`` has to be enough."""
    evidence, files, unknown = shown(stated(holds, given=given), holds)
    assert left in {name.split()[-1] for name, _ in unknown}
    found = judge(stated(holds, given=given), evidence, *files, memo=SHOWN)
    assert found in ("not-at-the-start", "supported")


@pytest.mark.parametrize("count", [4, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", names_without("tictactoe", among=("paper", "tictactoe", "small")))
def test_obligations_are_about_two_positions(name: str, count: int) -> None:
    """The assumptions about start and position, and what fails, have the values that the kernel computes."""
    game, chance = GAMES[name], random.Random(name)
    breached = 0
    for _ in range(count):
        given = FormulaCompiler(game).compile(said := chance.choice([True, [">=", ["ply"], 3]]))
        kept = random_formula(game, chance, 3)
        test = FormulaCompiler(game).compile(kept, is_after_step=True)
        statement = stated(kept, rules=game.data, start=game.format_position(game.start), given=said, strategies={})
        statement["chooses"] = False
        obligations = derive(derive_steps(statement, {"invariant": {p: [["kept", kept]] for p in "XO"}}))
        for _ in range(6):
            start, position = random_position(game, chance, 20), random_position(game, chance, 20)
            values = evaluate_both(obligations, game, position, start)
            for part in obligations.preconditions:
                at = start if set(part.assumptions).isdisjoint({"kept"}) else position
                mover = "OX"[part.part >= len(obligations.preconditions) // 2]
                assumed = all(values[literal] for group in part.assumptions.values() for literal in group)
                hypotheses = at is start or test(position, start)
                is_move = "position.open" in part.assumptions
                goes_on = not is_move or not game.is_over(at)
                assert assumed == (game.turn(at) == mover and hypotheses and goes_on and given(start, start))
                if assumed:
                    after = [game.play(at, move) for move in game.legal_moves(at)] if is_move else [at]
                    fails = any(not test(p, start) for p in after)
                    assert any(values[literal] for _, literal in part.breaches) == fails
                    breached += fails
    assert breached


def evaluate_both(obligations: Obligations, game: Any, position: Any, start: Any) -> Values:
    """Return the values of a circuit, given the position and the position where the play started."""
    values: dict[int, bool] = {}
    for state, at in ((obligations.before, position), (obligations.start, start)):
        inputs = name_inputs(state)
        values |= {inputs[word]: game.compile_atom(word[0], word[1:])(at, at) for word in inputs}
    return Values(obligations.circuit, values)


@pytest.mark.parametrize(
    "change",
    [
        {"given": ["X", 0]},
        {"given": ["old", CENTRE]},
        {"given": ["ply"]},
        {"objectives": [keep(CENTRE, "start")]},
        {"objectives": [some(CENTRE)]},
        {"objectives": [prevent(["O_wins"], 9)]},
        {"objectives": [reach(CENTRE, 9)]},
    ],
)
def test_malformed_statements_about_given_positions_are_refused(change: dict[str, Any]) -> None:
    """The start satisfies ``given``, and every objective is kept in every position."""
    with pytest.raises(SpecError):
        parse_statement({**STATEMENT, **change})


def test_only_an_invariant_proves_a_statement_about_given_positions() -> None:
    """A walk, or a play that refutes an objective, would begin in only one of the positions."""
    assert judge(stated(), {}) == judge(stated(), {"lines": {}}) == "malformed"
    assert judge(stated(["X", 0]), {"objective": "kept", "line": []}, verdict="refuted") == "malformed"


def test_a_certificate_about_steps_has_no_given() -> None:
    """The statement that is derived from an invariant may have it, but no certificate may."""
    derived = derive_steps(stated(), {"invariant": {player: [["kept", CENTRE]] for player in "XO"}})
    parse_steps(derived, is_derived=True)
    with pytest.raises(SpecError):
        parse_steps(derived)
    with pytest.raises(SpecError):
        decide_steps(derived, True, {"models": []}, lambda *_: b"", Memo())
    plain = {**derived, "given": True}
    del plain["given"]
    with pytest.raises(SpecError, match=r"begin|must be one of"):
        parse_steps(plain, is_derived=True)
