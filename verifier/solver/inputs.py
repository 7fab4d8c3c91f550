"""The inputs of a circuit (``kernel/circuit.py``): their names, and the position that their values describe.

Nothing here is trusted: the kernel tests each position that a solver finds.
"""

from __future__ import annotations

import itertools
from collections.abc import Container
from typing import Any

from verifier.kernel.games.general import GeneralPosition
from verifier.kernel.games.general_marks import GeneralState
from verifier.kernel.games.nested import ANY, NestedPosition
from verifier.kernel.games.nested_marks import NestedState
from verifier.kernel.games.positional import BoardPosition
from verifier.kernel.games.registry import State

_Names = dict[tuple[Any, ...], int]


def name_inputs(state: State) -> _Names:
    """Return the literals that determine a position, by name. A name is a tuple, such as a word and its indices."""
    if isinstance(state, GeneralState):
        cells = {("cell", at, k): literal for at, steps in enumerate(state.steps) for k, literal in enumerate(steps)}
        return cells | {("O_to_move",): state.second}
    words: tuple[str, ...] = ("marked",) if getattr(state.rules, "is_shared", False) else ("X", "O")
    if isinstance(state, NestedState):
        words = ("X", "won_by_X", "O", "won_by_O", "active")
    sizes = {word: map(range, state.rules.vocabulary[word]) for word in words}
    names = [(word, indices) for word, size in sizes.items() for indices in itertools.product(*size)]
    return {(word, *indices): state.word(word, [*indices])[0](state) for word, indices in names}


def list_counted(state: State) -> list[int]:
    """Return the literals of all marks, or of all cells. A search for a small position makes few of them true."""
    if isinstance(state, GeneralState):
        return [literal for steps in state.steps for literal in steps]
    return [*state.marks["X"], *state.marks["O"]]


def measure(state: State, position: Any) -> Any:
    """Return how many of the literals in ``list_counted`` are true in a position."""
    if isinstance(state, GeneralState):
        return sum(position.values) - sum([cell.least for cell in state.rules.all_cells])
    return state.rules.ply(position)


def read_position(state: State, true: Container[int]) -> Any:
    """Return the position in which the inputs in ``true`` are true, and all other inputs are false."""
    if isinstance(state, GeneralState):
        counts = [sum(literal in true for literal in steps) for steps in state.steps]
        values = tuple(cell.least + count for cell, count in zip(state.rules.all_cells, counts, strict=True))
        return state.rules.without_number(GeneralPosition(values, 2 if state.second in true else 1, 0))
    parts = [state.marks["X"], state.marks["O"]]
    if not isinstance(state, NestedState):
        return BoardPosition(*(sum(1 << s for s, literal in enumerate(part) if literal in true) for part in parts))
    parts += [state.owners["X"], state.owners["O"]]
    x, o, x_fields, o_fields = (sum(1 << k for k, literal in enumerate(part) if literal in true) for part in parts)
    return NestedPosition(x, o, x_fields, o_fields, next((k for k in range(ANY) if state.active[k] in true), ANY))
