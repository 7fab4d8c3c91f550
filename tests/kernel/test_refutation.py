"""Refutations: what a step derives is true, on circuits that are small enough to try everything."""

import itertools
import pathlib
import random
from collections.abc import Iterator

import pytest

from tests.circuits import Values
from tests.kernel.asking import reason_of
from tests.kernel.test_corpus import CORPUS, decide, lay_out, read
from verifier.kernel import circuit as circuits
from verifier.kernel.circuit import Circuit
from verifier.kernel.errors import CertificateError
from verifier.kernel.refutation import Constraint, Follower
from verifier.kernel.verdict import Belief, Result, Verdict

INPUTS = 5


def random_circuit(random_: random.Random) -> Circuit:
    circuit = Circuit()
    literals = circuit.variables(INPUTS)
    for _ in range(6):
        chosen = random_.sample(literals, random_.randint(2, min(4, len(literals))))
        signed = [literal * random_.choice((1, -1)) for literal in chosen]
        weights = {abs(literal): random_.randint(1, 3) * (1 if literal > 0 else -1) for literal in signed}
        made = circuit.every(signed) if random_.random() < 0.4 else circuit.at_least(weights, random_.randint(-1, 4))
        if abs(made) > 1:
            literals.append(abs(made))
    return circuit


def positions(circuit: Circuit, assumed: list[int]) -> Iterator[Values]:
    """Yield all values of the inputs for which some literals are true."""
    for bits in itertools.product((False, True), repeat=INPUTS):
        values = Values(circuit, dict(zip(range(2, 2 + INPUTS), bits, strict=True)))
        if all(values[literal] for literal in assumed):
            yield values


def holds(constraint: Constraint, values: Values) -> bool:
    terms, degree = constraint
    return sum(weight for literal, weight in terms.items() if values[literal]) >= degree


def random_step(random_: random.Random, size: int, count: int) -> str:
    def name() -> str:
        return random_.choice(("x", "~x")) + str(random_.randint(1, size - 1))

    def number() -> str:
        return str(random_.choice((random_.randint(2, 2 * size), -random_.randint(1, count + 1))))

    rule = random_.choice(("fix", "pol", "pol", "pol", "rup"))
    if rule == "fix":
        return " ".join(["fix", *(number() for _ in range(random_.randint(1, 4)))])
    if rule == "rup":
        terms = [word for _ in range(random_.randint(0, 3)) for word in (str(random_.randint(1, 3)), name())]
        return " ".join(["rup", *terms, ">=", str(random_.randint(0, 4)), ":", *(number() for _ in range(4))])
    words = [number()]
    for _ in range(random_.randint(0, 6)):
        words += random_.choice((["u"], ["s"], ["2", "d"], ["3", "d"], ["2", "*"], [name(), "+"], [number(), "+"]))
    return " ".join(["pol", *words])


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.slow) if seed >= 60 else seed for seed in range(150)]
)
def test_a_step_derives_only_what_is_true(seed: int) -> None:
    """Whatever steps are followed, the derived constraints hold wherever the assumed literals are true."""
    random_ = random.Random(seed)
    circuit = random_circuit(random_)
    size = len(circuit.gates)
    assumed = [random_.randint(2, size - 1) * random_.choice((1, -1)) for _ in range(random_.randint(1, 4))]
    possible = list(positions(circuit, assumed))
    follower = Follower(circuit)
    follower.assume(assumed)
    followed = 0
    for _ in range(120):
        try:
            follower.derive(random_step(random_, size, len(follower.derived)))
        except CertificateError:
            continue
        followed += 1
        assert all(holds(follower.derived[-1], values) for values in possible), follower.derived[-1]
    assert followed > 10


def test_the_definition_of_a_gate_gives_its_value() -> None:
    """Its two constraints hold exactly where the gate has the value that its literals give."""
    circuit = random_circuit(random.Random(1))
    follower = Follower(circuit)
    for gate in (v for v in range(2, len(circuit.gates)) if circuit.gates[v] is not None):
        for values in positions(circuit, []):
            for value in (values[gate], not values[gate]):
                values.variables[gate] = value
                both = [holds(follower.constraint(number), values) for number in (2 * gate, 2 * gate + 1)]
                assert all(both) == (value == holds((dict(circuit.gates[gate][0]), circuit.gates[gate][1]), values))  # type: ignore[index]


def test_all_refuted_is_proved_and_half_is_supported(tmp_path: pathlib.Path) -> None:
    """If every obligation is refuted, the claim is proved. If a refutation is missing, a solver is believed."""
    case = read(CORPUS / "valid" / "steps-refuted.json")
    verdicts = []
    for number, left_out in enumerate(([], [0], [1], [0, 1])):
        root = tmp_path / str(number)
        refutations = [None if at in left_out else steps for at, steps in enumerate(case["table"]["refutations"])]
        lay_out(root, {**case, "table": {**case["table"], "refutations": refutations}})
        outcome = decide(root)
        assert isinstance(outcome, Result), outcome
        verdicts.append((outcome.verdict, outcome.beliefs, outcome.stats["refuted"]))
    solver = frozenset({Belief.SOLVER})
    assert verdicts == [(Verdict.PROVED, frozenset(), 2), *((Verdict.SUPPORTED, solver, n) for n in (1, 1, 0))]


def wide() -> tuple[Circuit, int]:
    circuit = Circuit()
    return circuit, circuit.every(circuit.variables(500))


@pytest.mark.parametrize("step", ["pol {0}", "pol {0}" + " {0} +" * 200, "fix" + " {0}" * 200])
def test_work_and_kept_constraints_are_counted(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of a constraint are cheap to write and would fill the memory. A refutation with too many is refused."""
    circuit, gate = wide()
    monkeypatch.setattr(circuits, "MAX_CIRCUIT_WORK", 1_000_000)
    follower = Follower(circuit)
    assert reason_of(follower.follow, [gate], [step.format(2 * gate)] * 5000) == "limit"
    assert sum(len(terms) for terms, _ in follower.derived) < 10_000


@pytest.mark.parametrize("waiting", ["", " 2"])
def test_constraints_inside_a_step_are_counted(waiting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many copies in one expression fill the memory like copies in many steps. Three copies are allowed."""
    circuit, gate = wide()
    follower, word = Follower(circuit), f" {2 * gate} s"
    follower.assume([gate])
    before = circuit.work
    follower.derive(f"pol{word * 3} + +")
    assert circuit.work - before < 60_000
    monkeypatch.setattr(circuits, "MAX_CIRCUIT_WORK", circuit.work + 500_000)
    assert reason_of(follower.derive, f"pol{(word + waiting) * 20} +" + " +" * 18) == "limit"


def small() -> Follower:
    """Return a follower for a circuit of two inputs and their conjunction, with no assumptions."""
    circuit = Circuit()
    follower = Follower(circuit)
    follower.assume([circuit.every(circuit.variables(2))])
    return follower


@pytest.mark.parametrize(
    "step",
    ["rup 1 x2 >= 1 -1", "rup 1 2 >= 1 : -1 8", "pol -1 -1 *", "pol --1", "pol -", "fix +1", "fix \u0661\u0660"],
)
def test_a_malformed_step_is_refused(step: str) -> None:
    """Each word has its kind, and numbers have ASCII digits. Other faults are in the corpus."""
    with pytest.raises(CertificateError, match="refutation: "):
        small().follow([4], [step])


@pytest.mark.parametrize(
    ("step", "derived"),
    [
        ("pol x2 s", ({}, 0)),
        ("pol -1 3 *", ({4: 3}, 3)),
        ("pol -1 3 * 2 d", ({4: 2}, 2)),
        ("rup 1 x2 >= 1 : -1 8", ({2: 1}, 1)),
        ("rup 1 x1 >= 1 : 3", ({1: 1}, 1)),
        ("rup 1 x4 >= 1 : -1", ({4: 1}, 1)),
    ],
)
def test_what_small_steps_derive(step: str, derived: Constraint) -> None:
    """The first and the last variable have literals, and an axiom disappears when it is saturated."""
    follower = small()
    follower.derive(step)
    assert follower.derived[-1] == derived


@pytest.mark.parametrize("step", ["pol x2 6 *", "pol -1 4 * -2 4 * +", "pol -1 4 * -2 4 * + ~x2 6 * +"])
def test_weights_and_degrees_are_both_bounded(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may grow alone: a literal is at least 0 whatever its weight, and degrees add up."""
    circuit = Circuit()
    one, other = circuit.variables(2)
    for most, is_refused in ((8, False), (5, True)):
        monkeypatch.setattr("verifier.kernel.refutation.MAX_NUMBER", most)
        follower = Follower(circuit)
        follower.assume([one, other])
        if is_refused:
            assert reason_of(follower.derive, step) == "limit"
        else:
            follower.derive(step)
