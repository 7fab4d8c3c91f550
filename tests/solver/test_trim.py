"""Refutations that Exact finds: the kernel follows them, and there is none for satisfiable literals."""

import random
from collections.abc import Callable

import pytest

from tests.kernel.test_refutation import positions, random_circuit
from verifier.kernel.circuit import Circuit, count_true
from verifier.kernel.errors import CertificateError
from verifier.kernel.obligations import Obligations, Precondition
from verifier.kernel.refutation import Follower
from verifier.solver.trim import find_refutations

pytest.importorskip("exact", reason="Exact is optional: it finds refutations, and nobody needs it to follow them")


def problems(seed: int) -> tuple[Obligations, list[list[int]]]:
    """Return obligations about literals of a random circuit, and the assumptions of each."""
    random_ = random.Random(seed)
    circuit = random_circuit(random_)
    variables = range(2, len(circuit.gates))
    assumed = [[random_.choice(variables) * random_.choice((1, -1)) for _ in range(4)] for _ in range(12)]
    parts = tuple(
        Precondition(at, {"all": tuple(rest)}, 1, (("it", first),)) for at, (first, *rest) in enumerate(assumed)
    )
    return Obligations(circuit, None, None, parts, ""), assumed  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 8))])
def test_exactly_the_unsatisfiable_literals_get_a_refutation(seed: int) -> None:
    """Literals get a refutation exactly if no inputs make them all true. The kernel follows it."""
    obligations, assumed = problems(seed)
    found = find_refutations(obligations, [["all"]] * len(assumed))
    for literals, steps in zip(assumed, found, strict=True):
        assert (steps is None) == any(True for _ in positions(obligations.circuit, literals)), literals
        if steps is not None:
            Follower(obligations.circuit).follow(literals, steps)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_every_step_is_needed(seed: int) -> None:
    """A refutation without one of its steps is refused. The same search gives the same refutation."""
    obligations, assumed = problems(seed)
    found = find_refutations(obligations, [["all"]] * len(assumed))
    assert found == find_refutations(obligations, [["all"]] * len(assumed))
    for literals, steps in zip(assumed, found, strict=True):
        if steps is not None:
            with pytest.raises(CertificateError):
                Follower(obligations.circuit).follow(literals, steps[:-1])


def pigeons() -> tuple[Obligations, list[int]]:
    """Return that four things have different places among three. Propagation alone does not refute this."""
    circuit = Circuit()
    places = [circuit.variables(3) for _ in range(4)]
    each = [circuit.some(row) for row in places]
    alone = [-circuit.at_least(count_true(column), 2) for column in zip(*places, strict=True)]
    return _alone(circuit, [*each, *alone])


def clauses() -> tuple[Obligations, list[int]]:
    """Return clauses of three literals that cannot all hold, which takes some search to show."""
    circuit, random_ = Circuit(), random.Random(3)
    variables = circuit.variables(9)
    chosen = [[v * random_.choice((1, -1)) for v in random_.sample(variables, 3)] for _ in range(60)]
    return _alone(circuit, [circuit.some(literals) for literals in chosen])


def _alone(circuit: Circuit, assumed: list[int]) -> tuple[Obligations, list[int]]:
    part = Precondition(0, {"all": tuple(assumed[1:])}, 1, (("it", assumed[0]),))
    return Obligations(circuit, None, None, (part,), ""), assumed  # type: ignore[arg-type]


@pytest.mark.parametrize("is_short", [True, False])
@pytest.mark.parametrize("make", [pigeons, clauses])
def test_a_log_becomes_steps_that_are_all_needed(
    make: Callable[[], tuple[Obligations, list[int]]], is_short: bool
) -> None:
    """If the refutation needs a search, the kernel follows its steps, and refuses them without any one of them."""
    obligations, assumed = make()
    (steps,) = find_refutations(obligations, [["all"]], is_short=is_short)
    assert steps is not None
    assert any(step.startswith("pol") for step in steps)
    Follower(obligations.circuit).follow(assumed, steps)
    for at in range(len(steps)):
        with pytest.raises(CertificateError):
            Follower(obligations.circuit).follow(assumed, steps[:at] + steps[at + 1 :])
