"""Refutations in VeriPB's format: a checker of our own, which knows nothing of the kernel's dialect, follows them."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable

import pytest

from tests.solver.test_trim import problems
from verifier.cli import main
from verifier.export.veripb import Proof
from verifier.kernel.circuit import TRUE, Circuit
from verifier.kernel.refutation import Follower
from verifier.solver.trim import find_refutations

Constraint = tuple[dict[str, int], int]
"""Weights by literal, ``x1`` or ``~x1``, each at least 1, and the degree."""


def opposite(literal: str) -> str:
    return literal.removeprefix("~") if literal.startswith("~") else f"~{literal}"


def normal(terms: Iterable[tuple[int, str]], degree: int) -> Constraint:
    """Return a constraint in which every weight is positive, and no variable stands twice."""
    found: dict[str, int] = {}
    for weight, literal in terms:
        positive = literal if weight > 0 else opposite(literal)
        degree += max(0, -weight)
        rest = abs(weight) - found.pop(opposite(positive), 0)
        degree -= abs(weight) - max(0, rest) if rest < abs(weight) else 0
        if rest:
            kept = positive if rest > 0 else opposite(positive)
            found[kept] = found.get(kept, 0) + abs(rest)
    return found, degree


def read(text: str) -> Constraint:
    left, degree = text.split(" >=") if " >=" in text else ("", text.removeprefix(">="))
    words = left.split()
    return normal(zip(map(int, words[::2]), words[1::2], strict=True), int(degree))


def leads_to_conflict(database: list[Constraint]) -> bool:
    """Propagate units over all constraints until nothing changes."""
    true: set[str] = set()
    while True:
        before = len(true)
        for terms, degree in database:
            spare = sum(weight for k, weight in terms.items() if opposite(k) not in true) - degree
            if spare < 0:
                return True
            true |= {k for k, weight in terms.items() if weight > spare and opposite(k) not in true}
        if len(true) == before:
            return False


def evaluate(words: list[str], database: list[Constraint]) -> Constraint:
    """Return what an expression in reverse Polish notation derives."""
    stack: list[Constraint | int] = []

    def operand() -> Constraint:
        top = stack.pop()
        return top if isinstance(top, tuple) else database[top - 1]

    for word in words:
        if word == "+":
            (one, low), (other, high) = operand(), operand()
            stack.append(normal([(w, k) for terms in (one, other) for k, w in terms.items()], low + high))
        elif word == "s":
            terms, degree = operand()
            stack.append(({k: min(w, degree) for k, w in terms.items()} if degree > 0 else {}, max(0, degree)))
        elif word in ("*", "d"):
            factor = stack.pop()
            assert isinstance(factor, int)
            assert factor > 0
            terms, degree = operand()
            if word == "*":
                stack.append(({k: w * factor for k, w in terms.items()}, degree * factor))
            else:
                stack.append(({k: -(-w // factor) for k, w in terms.items()}, -(-degree // factor)))
        else:
            stack.append(({word: 1}, 0) if "x" in word else int(word))
    found = operand()
    assert not stack
    return found


def check(problem: Iterable[str], proof: Iterable[str]) -> None:
    """Follow a proof: each line but the frame ends with a semicolon, and the last constraint is a contradiction."""
    database = [read(line.removesuffix(" ;")) for line in [*problem][1:]]
    head, loaded, *lines, output, conclusion, end = (line.removesuffix(" ;") for line in proof)
    assert (head, loaded) == ("pseudo-Boolean proof version 3.0", f"f {len(database)}")
    for line in lines:
        rule, rest = line.split(" ", 1)
        if rule == "pol":
            database.append(evaluate(rest.split(), database))
        else:
            assert rule == "rup"
            terms, degree = read(rest)
            negated = normal([(-weight, k) for k, weight in terms.items()], 1 - degree)
            assert leads_to_conflict([*database, negated]), line
            database.append((terms, degree))
    assert (output, end) == ("output NONE", "end pseudo-Boolean proof")
    assert conclusion == f"conclusion UNSAT : {len(database)}"
    terms, degree = database[-1]
    assert sum(terms.values()) < degree


@pytest.mark.parametrize("seed", range(6))
def test_refutations_of_random_circuits_are_proofs(seed: int) -> None:
    """Each refutation that is found becomes a proof that holds."""
    pytest.importorskip("exact", reason="Exact is optional: it finds refutations")
    obligations, assumed = problems(seed)
    refuted = 0
    for literals, steps in zip(assumed, find_refutations(obligations, [["all"]] * len(assumed)), strict=True):
        if steps is not None:
            refuted += 1
            proof = Proof(obligations.circuit, literals, steps)
            check(proof.problem(), proof.lines())
    assert refuted


def test_a_refutation_may_name_what_it_does_not_need() -> None:
    """Gates that the obligation does not speak of, what is always true, what is not looked at, a step without words."""
    circuit = Circuit()
    a, b, c = circuit.variables(3)
    goal, other = circuit.every([a, b]), circuit.every([b, c])
    steps = [
        f"pol {2 * other} {2 * TRUE} +",
        f"fix -3 {2 * goal} -2 999",
        "fix",
        f"rup 1 ~x{other} 1 x{b} >= 1 : {2 * other}",
        "pol -2 u -3 +",
    ]
    assumed = [goal, -a]
    Follower(circuit).follow(assumed, steps)
    proof = Proof(circuit, assumed, steps)
    check(proof.problem(), proof.lines())


@pytest.mark.parametrize("claim", ["lemma-2-cases-before", pytest.param("lemma-4", marks=pytest.mark.slow)])
def test_the_command_writes_proofs_of_what_is_shipped(claim: str, tmp_path: pathlib.Path) -> None:
    """Every obligation of a claim that is refuted is written; the shortest proofs are followed."""
    assert main(["export", "veripb", str(tmp_path), claim]) == 0
    proofs = sorted(tmp_path.glob(f"{claim}.as-stated.*.pbp"), key=lambda path: path.stat().st_size)
    assert len(proofs) == len([*tmp_path.glob(f"{claim}.as-stated.*.opb")]) > 5
    for path in proofs[:4]:
        check(path.with_suffix(".opb").read_text().splitlines(), path.read_text().splitlines())
