"""Circuits of threshold gates: what formulas say of an unknown position, shared where they say the same.

Trusted for: that a gate is true just where what it stands for is. A literal is the number of a variable, or its
negative: that the variable is false. A variable is an input or a gate, and a gate is defined by a pseudo-Boolean
constraint over variables before it: it is true where the weights of the literals that are true add up to a bound.
Conjunctions are such gates (all weights 1, the bound their number), disjunctions and what is less than a bound are the
negatives of some, and a sum stays a sum. Gates that are the same constraint are the same variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from verifier.kernel.errors import CertificateError

TRUE, FALSE = 1, -1
"""The literals of the first variable, which is true."""

Term: TypeAlias = Mapping[int, int]
"""An integer that depends on a position: coefficients by variable, that of variable 1 being the constant."""

Gate: TypeAlias = tuple[tuple[tuple[int, int], ...], int]
"""Literals with their weights, each at least 1, and the bound."""

MAX_WORK, KEPT = 60_000_000, 20
"""How many literals and parts of formulas are looked at, and what one costs that is kept, of a new gate or list."""


def count(literals: Iterable[int]) -> Term:
    """Return the number of literals that are true."""
    signed = [(literal, 1 if literal > 0 else -1) for literal in literals]
    opposites = sum(literal < 0 for literal, _ in signed)
    return add([({TRUE: opposites}, 1), *(({abs(literal): sign}, 1) for literal, sign in signed)])


def add(terms: Iterable[tuple[Term, int]]) -> Term:
    """Return the sum of terms, each multiplied by a factor."""
    found = {TRUE: 0}
    for term, factor in terms:
        for variable, coefficient in term.items():
            found[variable] = found.get(variable, 0) + factor * coefficient
    return found


class Circuit:
    """Inputs and gates, numbered from 2 on; ``gates`` has None for an input and for the constant."""

    def __init__(self) -> None:
        self.gates: list[Gate | None] = [None, None]
        self._known: dict[Gate, int] = {}
        self._joined: dict[tuple[int, ...], int] = {}
        self.work = 0

    def variables(self, size: int) -> list[int]:
        """Return some new inputs."""
        self.gates += [None] * size
        return [*range(len(self.gates) - size, len(self.gates))]

    def every(self, literals: Iterable[int]) -> int:
        """Return a literal that is true where all of some are."""
        given = tuple(literals)
        self.spend(len(given))
        found = FALSE if FALSE in given else self._joined.get(given)  # in Python -1 has the hash of -2
        if found is None:
            gates = len(self.gates)
            found = self._joined[given] = self._join(given)
            self.spend(KEPT * len(given) if gates == len(self.gates) else 0)  # a new gate is paid for already
        return found

    def _join(self, given: tuple[int, ...]) -> int:
        """Return what ``every`` does of literals that it was not asked for before."""
        kept = set(given)
        kept.discard(TRUE)
        if not kept.isdisjoint([-literal for literal in kept]):
            return FALSE
        if len(kept) < 2:
            return kept.pop() if kept else TRUE
        return self._gate(tuple([(literal, 1) for literal in sorted(kept)]), len(kept))

    def some(self, literals: Iterable[int]) -> int:
        """Return a literal that is true where one of some is."""
        return -self.every([-literal for literal in literals])

    def at_least(self, term: Term, bound: int) -> int:
        """Return a literal that is true where a term is at least ``bound``."""
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
        """Count literals and parts of formulas that are looked at."""
        self.work += work + 1
        if self.work > MAX_WORK:
            raise CertificateError("limit", "the obligations of the statement are larger than is allowed")

    def _gate(self, weights: tuple[tuple[int, int], ...], bound: int) -> int:
        if (weights, bound) not in self._known:
            self.spend(KEPT * len(weights))
            self._known[weights, bound] = len(self.gates)
            self.gates.append((weights, bound))
        return self._known[weights, bound]
