"""Circuits for tests, evaluated gate by gate."""

from collections.abc import Mapping
from typing import Any

from verifier.kernel.circuit import Circuit
from verifier.kernel.games import Game
from verifier.kernel.games.registry import State
from verifier.solver.inputs import name_inputs


class Values:
    """The values of all variables, given those of the inputs."""

    def __init__(self, circuit: Circuit, inputs: Mapping[int, bool]) -> None:
        self.variables = [False, True]
        for number, gate in enumerate(circuit.gates):
            if gate is not None:
                terms, bound = gate
                self.variables.append(sum(weight for literal, weight in terms if self[literal]) >= bound)
            elif number > 1:
                self.variables.append(inputs[number])

    def __getitem__(self, literal: int) -> bool:
        """Return whether a literal is true."""
        return self.variables[literal] if literal > 0 else not self.variables[-literal]


def evaluate(circuit: Circuit, before: State, game: Game, position: Any) -> Values:
    """Return the values of a circuit over an unknown position, given the position."""
    inputs = name_inputs(before)
    tests = {word: game.compile_atom(word[0], word[1:]) for word in inputs}
    return Values(circuit, {inputs[word]: bool(test(position, position)) for word, test in tests.items()})
