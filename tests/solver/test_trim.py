"""Refutations that Exact finds: the kernel follows them; where there is none, none is made up."""

import random

import pytest

from tests.kernel.test_refutation import positions, random_circuit
from verifier.kernel.errors import CertificateError
from verifier.kernel.obligations import Obligations, Precondition
from verifier.kernel.refutation import Follower
from verifier.solver.trim import find_refutations

pytest.importorskip("exact", reason="Exact is optional: it finds refutations, and nobody needs it to follow them")


def problems(seed: int) -> tuple[Obligations, list[list[int]]]:
    """Return obligations that assume some literals of a random circuit, and what each assumes."""
    random_ = random.Random(seed)
    circuit = random_circuit(random_)
    variables = range(2, len(circuit.gates))
    assumed = [[random_.choice(variables) * random_.choice((1, -1)) for _ in range(4)] for _ in range(12)]
    parts = tuple(
        Precondition(at, {"all": tuple(rest)}, 1, (("it", first),)) for at, (first, *rest) in enumerate(assumed)
    )
    return Obligations(circuit, None, None, parts, ""), assumed  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(8))
def test_what_cannot_be_is_refuted_and_nothing_else(seed: int) -> None:
    """Just the literals that no inputs make true together get a refutation, and the kernel follows it."""
    obligations, assumed = problems(seed)
    found = find_refutations(obligations, [["all"]] * len(assumed))
    for literals, steps in zip(assumed, found, strict=True):
        assert (steps is None) == any(True for _ in positions(obligations.circuit, literals)), literals
        if steps is not None:
            Follower(obligations.circuit).follow(literals, steps)


@pytest.mark.parametrize("seed", range(3))
def test_every_step_is_needed(seed: int) -> None:
    """A refutation without one of its steps is refused, and the same search gives the same refutation."""
    obligations, assumed = problems(seed)
    found = find_refutations(obligations, [["all"]] * len(assumed))
    assert found == find_refutations(obligations, [["all"]] * len(assumed))
    for literals, steps in zip(assumed, found, strict=True):
        if steps is not None:
            with pytest.raises(CertificateError):
                Follower(obligations.circuit).follow(literals, steps[:-1])
