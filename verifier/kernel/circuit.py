"""Circuits of threshold gates, which express what formulas say about an unknown position.

A *variable* is an input or a gate. A *literal* is the number of a variable, or the negative of the number, which says
that the variable is false. A gate has a bound, and literals of earlier variables, each with a weight. The gate is true
exactly if the weights of its true literals add up to at least the bound (a pseudo-Boolean constraint). A conjunction is
a gate whose weights are all 1, and whose bound is the number of its literals. The negative of a gate can express a
disjunction, or an upper bound of a sum. One gate can compare a sum of any length with a bound. This module is trusted
for one fact: a literal that stands for a condition is true in exactly the positions that satisfy the condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from verifier.kernel.errors import CertificateError

TRUE, FALSE = 1, -1
"""The literals of variable 1, which is always true."""

LinearTerm: TypeAlias = Mapping[int, int]
"""Coefficients by variable. They stand for an integer: the sum of the coefficients of all true variables."""

Gate: TypeAlias = tuple[tuple[tuple[int, int], ...], int]
"""Literals with their weights, which are at least 1; and the bound."""

MAX_CIRCUIT_WORK, KEPT_LITERAL = 60_000_000, 20
"""Maximum number of literals and parts of formulas that are looked at. Storing a
literal in a new gate or list counts as looking at ``KEPT_LITERAL`` more literals."""


def count_true(literals: Iterable[int]) -> LinearTerm:
    """Return the number of literals that are true, as a ``LinearTerm``."""
    signed = [(literal, 1 if literal > 0 else -1) for literal in literals]
    opposites = sum(literal < 0 for literal, _ in signed)
    return add_terms([({TRUE: opposites}, 1), *(({abs(literal): sign}, 1) for literal, sign in signed)])


def add_terms(terms: Iterable[tuple[LinearTerm, int]]) -> LinearTerm:
    """Return the sum of terms, each multiplied by its factor."""
    found = {TRUE: 0}
    for term, factor in terms:
        for variable, coefficient in term.items():
            found[variable] = found.get(variable, 0) + factor * coefficient
    return found


class Circuit:
    """Inputs and gates, numbered from 2; equal gates have one number. ``gates`` has None at 0, at 1 and for inputs."""

    def __init__(self) -> None:
        self.gates: list[Gate | None] = [None, None]
        self._known: dict[Gate, int] = {}
        self._joined: dict[tuple[int, ...], int] = {}
        self.work = 0

    def variables(self, size: int) -> list[int]:
        """Return ``size`` new inputs."""
        self.gates += [None] * size
        return [*range(len(self.gates) - size, len(self.gates))]

    def every(self, literals: Iterable[int]) -> int:
        """Return a literal that is true exactly if all the given literals are true."""
        given = tuple(literals)
        self.spend(len(given))
        # Lists with ``FALSE`` are not looked up: -1 and -2 have the same hash in Python, so many lists would collide.
        found = FALSE if FALSE in given else self._joined.get(given)
        if found is None:
            gates = len(self.gates)
            found = self._joined[given] = self._join(given)
            # For a new gate, ``_gate`` has already added this work.
            self.spend(KEPT_LITERAL * len(given) if gates == len(self.gates) else 0)
        return found

    def _join(self, given: tuple[int, ...]) -> int:
        """Compute the result of ``every`` for literals that are not in the cache."""
        kept = set(given)
        kept.discard(TRUE)
        if not kept.isdisjoint([-literal for literal in kept]):
            return FALSE
        if len(kept) < 2:
            return kept.pop() if kept else TRUE
        return self._gate(tuple([(literal, 1) for literal in sorted(kept)]), len(kept))

    def some(self, literals: Iterable[int]) -> int:
        """Return a literal that is true exactly if at least one of the given literals is true."""
        return -self.every([-literal for literal in literals])

    def at_least(self, term: LinearTerm, bound: int) -> int:
        """Return a literal that is true exactly if a term is at least ``bound``."""
        self.spend(len(term))
        terms = [(variable, weight) for variable, weight in sorted(term.items()) if weight and variable != TRUE]
        weights = tuple([(variable if weight > 0 else -variable, abs(weight)) for variable, weight in terms])
        rest = bound - term.get(TRUE, 0) - sum([weight for _, weight in terms if weight < 0])
        total = sum([weight for _, weight in weights])
        if rest <= 0 or rest > total:
            return TRUE if rest <= 0 else FALSE
        if len(weights) == 1:
            return weights[0][0]
        opposite = (tuple((-literal, weight) for literal, weight in weights), total - rest + 1)
        return -self._known[opposite] if opposite in self._known else self._gate(weights, rest)

    def spend(self, work: int) -> None:
        """Add ``work`` + 1 literals and parts of formulas to the work. More than ``MAX_CIRCUIT_WORK`` is an error."""
        self.work += work + 1
        if self.work > MAX_CIRCUIT_WORK:
            said = f"the obligations have more than {MAX_CIRCUIT_WORK:,} literals and parts of formulas to look at"
            raise CertificateError("limit", f"{said}: use fewer parts, or shorter formulas and strategies")

    def _gate(self, weights: tuple[tuple[int, int], ...], bound: int) -> int:
        if (weights, bound) not in self._known:
            self.spend(KEPT_LITERAL * len(weights))
            self._known[weights, bound] = len(self.gates)
            self.gates.append((weights, bound))
        return self._known[weights, bound]
