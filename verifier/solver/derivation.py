"""A refutation in the making: numbered constraints, and the steps so far, which derived some of the constraints.

The constraints are assumptions, definitions of gates, and what the steps derived from these. As soon as unit
propagation shows that a literal is true, the literal is *fixed*: it is removed from all constraints. The log of the
solver Exact derives each fixed literal separately, and then needs one more step for each constraint in which the
literal occurs. So a refutation is shorter than the log that it is made from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from verifier.kernel.circuit import TRUE, Circuit
from verifier.kernel.refutation import Constraint, Follower
from verifier.solver.propagation import Propagation

ProofStep: TypeAlias = list[int | str]
"""The words of a step. An integer is the number of a constraint. A ``rup`` step is an empty list until we know which
constraints it needs."""

ALL_LITERALS = 0

ConstraintPart: TypeAlias = tuple[int, int]
"""A part of a constraint, given by the constraint's number and a literal. The part is a clause that follows
from the constraint and contains the literal (``rest``). With ``ALL_LITERALS`` in place of a literal, the part is the
whole constraint."""

UNLIMITED = 10**18
"""Limit on the work for a log from which no steps have been removed yet. The work never reaches the limit, because
Exact's logs are limited (``logs.MAX_PHASES``)."""


class StepRecord(NamedTuple):
    """A step that has derived a constraint or new fixed literals, and the number of fixed literals after it."""

    step: ProofStep
    fixed: int


class Derivation:
    """Assumed literals, the definitions of the gates that they need, and the steps made so far.

    Attributes:
        known: all constraints. Its trail begins with the fixed literals.
        first: the number of the constraint that the first step derives.
        entries: the steps so far.
        conflict: the number of a constraint that cannot be met; None if no such constraint was found.
        formula: the parts of constraints that Exact gets; empty if unit propagation alone finds a conflict.
    """

    def __init__(self, circuit: Circuit, assumed: Sequence[int]) -> None:
        own = Circuit()
        own.gates, own.work = circuit.gates, -UNLIMITED
        self._follower = Follower(own)
        self._follower.assume(assumed)
        self._assumed = 2 * len(own.gates)
        self.first = self._assumed + len(assumed)
        needed = sorted(needed_gates(circuit, assumed))
        defined = (v for v in needed if v == TRUE or circuit.gates[v] is not None)
        numbers = [*range(self._assumed, self.first), *(2 * v + half for v in defined for half in (0, 1))]
        self.known = Propagation()
        for number in numbers:
            self.known.add(number, self.constraint(number))
        self.entries: list[StepRecord] = []
        self.conflict = self.known.run(numbers)
        self.formula: list[ConstraintPart] = []
        if self.conflict is None:
            self._fix()
            trail = self.known.trail
            self._variables = [0, *(v for v in needed if v not in trail and -v not in trail)]
            self.formula = [part for number in numbers for part in self._parts(number)]

    @property
    def fixed(self) -> int:
        """The number of fixed literals. The trail may have more literals."""
        return self.entries[-1].fixed if self.entries else 0

    def renumbered(self) -> list[Constraint]:
        """Return the constraints that Exact gets: without the fixed literals, and with variables numbered from 1."""
        at = {variable: number for number, variable in enumerate(self._variables)}
        return [
            ({at[abs(k)] * (1 if k > 0 else -1): 1 if literal else weight for k, weight in terms.items()}, degree)
            for number, literal in self.formula
            for terms, degree in [self.rest(number, literal)]
        ]

    def read_literal(self, word: str) -> int:
        """Return the literal for a word of Exact's log."""
        variable = self._variables[int(word.lstrip("~x"))]
        return -variable if word[0] == "~" else variable

    # -- constraints by number --------------------------------------------------------------------------------------

    def constraint(self, number: int) -> Constraint:
        """Return a constraint by its number. Definitions have the kernel's numbers; all other numbers are higher."""
        if number >= self._assumed:
            number -= self._assumed + len(self._follower.derived)
        return self._follower.constraint(number)

    def unknown(self, constraint: Constraint) -> Constraint:
        """Return a constraint without the literals that are known to be true or false."""
        (terms, degree), trail = constraint, self.known.trail
        unknown = {k: weight for k, weight in terms.items() if k not in trail and -k not in trail}
        return unknown, degree - sum(weight for k, weight in terms.items() if k in trail)

    def rest(self, number: int, literal: int = ALL_LITERALS) -> Constraint:
        """Return a constraint by its number, without the literals that are known to be true or false.

        If ``literal`` is given, return only a clause. It consists of ``literal`` and of the literals whose weight is
        the degree. If the value of a literal of the clause is known, the clause has degree 0, so it demands nothing.
        """
        (terms, degree), trail = self.constraint(number), self.known.trail
        if literal:
            clause = {k: 1 for k, weight in terms.items() if k == literal or weight == degree}
            return clause, int(not clause.keys() & trail.keys() and not any(-k in trail for k in clause))
        return self.unknown((terms, degree))

    def _parts(self, number: int) -> list[ConstraintPart]:
        """Return the parts of a constraint for Exact.

        If the constraint says that a gate implies several literals, each literal gets a clause. Otherwise the whole
        constraint is the only part. If the constraint is known to be met, there are no parts.
        """
        terms, degree = self.rest(number)
        if degree <= 0:
            return []
        if 1 < degree == len(terms) - 1 and sum(terms.values()) == 2 * degree:
            return [(number, literal) for literal, weight in terms.items() if weight == 1]
        return [(number, ALL_LITERALS)]

    # -- steps ------------------------------------------------------------------------------------------------------

    def write(self, step: ProofStep, number: int) -> str:
        """Return a step as text. Constraints are numbered relative to the step's ``number``, except definitions."""
        return " ".join(
            str(word - number if word >= self._assumed else word) if isinstance(word, int) else word for word in step
        )

    def derive(self, step: ProofStep) -> Constraint:
        """Return the constraint that the kernel would derive from ``step`` if it came next."""
        self._follower.derive(self.write(step, self.first + len(self.entries)))
        return self._follower.derived.pop()

    def record(self, step: ProofStep, derived: Constraint) -> ConstraintPart | None:
        """Add a step and its constraint; return the whole constraint as a ``ConstraintPart``.

        If fixed literals imply the constraint, add nothing and return None.
        """
        derived = self.unknown(derived)
        if derived[1] <= 0:
            return None
        number = self.first + len(self.entries)
        self._follower.derived.append(derived)
        self.entries.append(StepRecord(step, len(self.known.trail)))
        self.known.add(number, derived)
        self.conflict = self.known.run([number])
        if self.conflict is None:
            self._fix()
        return number, ALL_LITERALS

    def _fix(self) -> None:
        """Add a step that fixes the literals that have become true since the last entry."""
        reasons = [*self.known.trail.values()][self.fixed :]
        if reasons:
            self._follower.derived.append(self.derive(["fix", *reasons]))
            self.entries.append(StepRecord(["fix"], len(self.known.trail)))


def needed_gates(circuit: Circuit, literals: Iterable[int]) -> set[int]:
    """Return the variables of ``literals``, and all variables on which these depend through gates."""
    waiting, needed = [abs(literal) for literal in literals], set[int]()
    while waiting:
        variable = waiting.pop()
        if variable not in needed:
            needed.add(variable)
            gate = circuit.gates[variable]
            waiting += [abs(literal) for literal, _ in gate[0]] if gate else []
    return needed


def write_literal(literal: int) -> str:
    """Return a literal as a word of a step."""
    return f"x{literal}" if literal > 0 else f"~x{-literal}"
