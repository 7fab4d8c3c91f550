"""The exported text of obligations agrees with the kernel's circuit, by Z3."""

import random
import re

import pytest
import z3

from tests.circuits import evaluate
from tests.kernel.conftest import derive_once
from tests.kernel.test_obligations import GAMES, random_part, random_position
from tests.statements import part, steps_of
from verifier.kernel.obligations import derive
from verifier.kernel.steps import parse_steps
from verifier.solver.inputs import read_position
from verifier.solver.refute import decide_parts
from verifier.solver.smtlib import Printer, write_obligations


def ask(text: str) -> str:
    context = z3.Context()
    answer: str = z3.Z3_eval_smtlib2_string(context.ref(), text)
    return answer


@pytest.mark.parametrize("count", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("is_plain", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_the_smt_text_of_a_gate_has_its_value(name: str, is_plain: bool, count: int) -> None:
    """If all inputs are given, Z3 gives every gate its value, and the inputs are the position."""
    game, rng = GAMES[name], random.Random(name)
    for _ in range(count):
        obligations = derive_once(steps_of(game.data, random_part(game, rng)))
        position = random_position(game, rng)
        circuit, before = obligations.circuit, obligations.before
        values = evaluate(circuit, before, game, position)
        printer = Printer(obligations, is_plain=is_plain)
        gates = [number for number, gate in enumerate(circuit.gates) if gate is not None]
        lines = [
            *printer.definitions(),
            *(f"(assert {printer.literal(at if values[at] else -at)})" for at in printer.names),
        ]
        asked = f"(check-sat)(get-value ({' '.join(map(printer.literal, gates))}))"
        answer = ask("\n".join([*lines, asked]))
        assert answer.startswith("sat")
        found = dict(re.findall(r"\((\w+) (true|false)\)", answer))
        assert {gate: found[f"gate_{gate}"] == "true" for gate in gates} == {gate: values[gate] for gate in gates}
        assert read_position(before, {at for at in printer.names if values[at]}) == position


@pytest.mark.parametrize("name", [pytest.param("paper", marks=pytest.mark.slow), "small", "shared", "falling"])
def test_a_file_of_obligations_has_the_solvers_answers(name: str) -> None:
    """Proved obligations are unsatisfiable in the exported text. An obligation that fails, fails in a position."""
    game, rng = GAMES[name], random.Random(name)
    answered = {"shown": 0, "breached": 0}
    for _ in range(12):
        data = steps_of(game.data, random_part(game, rng))
        statement, obligations = parse_steps(data), derive(data)
        (outcome,) = decide_parts(statement.game, obligations)
        (part,) = obligations.preconditions
        if outcome.refuting is not None:
            values = evaluate(obligations.circuit, obligations.before, game, outcome.refuting)
            assert all(values[literal] for literals in part.assumptions.values() for literal in literals)
            assert any(values[breach] for _, breach in part.breaches)
            answered["breached"] += 1
        elif len(outcome.cores) == len(part.breaches):
            text = "\n".join(write_obligations(obligations, outcome.cores))
            assert ask(text).split() == ["unsat"] * len(part.breaches)
            answered["shown"] += 1
    assert min(answered.values()) > 0, answered


@pytest.mark.parametrize("name", ["all |)) (assert false) (assert (! true :named |more", "all\r(assert false)\r"])
def test_a_name_cannot_inject_a_solver_command(name: str) -> None:
    """Names come from files, even strangers' files. No name makes an obligation that fails unsatisfiable."""
    game = GAMES["small"]
    named = {"hypotheses": [[name, True]], "conclusions": [[name, ["==", ["ply"], 0]]]}
    data = steps_of(game.data, part(**named))
    assert ask("\n".join(write_obligations(derive(data), [[name]]))).split() == ["sat"]


@pytest.mark.parametrize(
    "names", [["the goal"], ["X_0"], ["gate_20"], ["and"], ["true"], ["a|", "a_"], ["\u00e9", "\u00e8"]]
)
def test_names_are_symbols_of_their_own(names: list[str]) -> None:
    """Whatever hypotheses are called, no assertion is lost: an obligation that holds stays unsatisfiable."""
    game = GAMES["small"]
    named = {"hypotheses": [[name, ["free", 1]] for name in names], "conclusions": [["c", ["not", ["X", 1]]]]}
    data = steps_of(game.data, part(**named))
    text = "\n".join(write_obligations(derive(data), [names]))
    assert text.isascii()
    assert ask(text).split() == ["unsat"]
