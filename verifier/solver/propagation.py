"""Unit propagation: finds the literals that constraints force, and the constraint that is the reason for each literal.

A constraint says that the weights of its true literals add up to at least its degree (``kernel.refutation``). A literal
is forced by a constraint that cannot be met while the literal is false. Constraints can be added and removed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

from verifier.kernel.refutation import Constraint

NO_LITERAL = 0
"""In calls of ``causes``, this takes the place of a forced literal if a constraint cannot be met."""


class Propagation:
    """Constraints by number, and the literals that they force.

    Attributes:
        trail: the true literals in the order in which they became true, each with the number of the constraint that
            forced it.
    """

    def __init__(self) -> None:
        self.trail: dict[int, int] = {}
        self._known: dict[int, Constraint] = {}
        self._spare: dict[int, int] = {}
        self._heaviest: dict[int, int] = {}
        self._uses: dict[int, list[tuple[int, int]]] = {}

    def add(self, number: int, constraint: Constraint) -> None:
        """Add a constraint, but do not propagate it yet (``run``)."""
        terms, degree = self._known[number] = constraint
        self._spare[number] = sum(weight for k, weight in terms.items() if -k not in self.trail) - degree
        self._heaviest[number] = max(terms.values(), default=0)
        for literal, weight in terms.items():
            self._uses.setdefault(literal, []).append((number, weight))

    def remove(self, number: int) -> None:
        """Remove the constraint that was added last. ``number`` must be its number."""
        for literal in self._known.pop(number)[0]:
            self._uses[literal].pop()

    def undo(self, size: int) -> None:
        """Forget all literals of the trail except the first ``size``."""
        while len(self.trail) > size:
            literal, _ = self.trail.popitem()
            for number, weight in self._uses.get(-literal, ()):
                self._spare[number] += weight

    def run(self, numbers: Iterable[int], core: Collection[int] = ()) -> int | None:
        """Propagate the constraints with these numbers, and all constraints that new literals affect.

        Constraints that new literals affect come first if their numbers are in ``core``. Return the number of a
        constraint that cannot be met; None if each propagated constraint can be met.
        """
        preferred, others = deque[int](), deque(numbers)
        while preferred or others:
            number = (preferred or others).popleft()
            spare = self._spare[number]
            if spare < 0:
                return number
            if spare >= self._heaviest[number]:
                continue
            for literal, weight in self._known[number][0].items():
                if weight > spare and literal not in self.trail and -literal not in self.trail:
                    self.trail[literal] = number
                    for other, lost in self._uses.get(-literal, ()):
                        self._spare[other] -= lost
                        if self._spare[other] < self._heaviest[other]:
                            (preferred if other in core else others).append(other)
        return None

    def explain(self, conflict: int, first: int) -> tuple[list[int], set[int]]:
        """Explain why a constraint cannot be met.

        Args:
            conflict: the number of the constraint.
            first: the number of literals at the start of the trail that are not explained.

        Returns:
            The numbers of the constraints that lead to the conflict, in the order of propagation. The last number is
            ``conflict``. Also the unexplained literals (``first``) that these constraints need.
        """
        hints, order = [conflict], {literal: at for at, literal in enumerate(self.trail)}
        wanted = self.causes(conflict, NO_LITERAL, order)
        for literal, reason in reversed([*self.trail.items()][first:]):
            if literal in wanted:
                wanted |= self.causes(reason, literal, order)
                if reason != hints[-1]:
                    hints.append(reason)
        return hints[::-1], {literal for literal in wanted if order[literal] < first}

    def causes(self, number: int, forced: int, order: dict[int, int]) -> set[int]:
        """Return true literals because of which a constraint forces the literal ``forced``.

        If ``forced`` is ``NO_LITERAL``, they show that the constraint cannot be met. Otherwise all of them come before
        ``forced`` in ``order``.
        """
        terms, degree = self._known[number]
        end = order.get(forced, len(order))
        false = sorted((order[-literal], literal) for literal in terms if order.get(-literal, end) < end)
        spare = sum(terms.values()) - degree - sum(terms[literal] for _, literal in false)
        kept = set()
        for _, literal in reversed(false):
            if spare + terms[literal] < terms.get(forced, 0):
                spare += terms[literal]
            else:
                kept.add(-literal)
        return kept
