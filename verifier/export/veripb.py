"""Refutations as proofs in VeriPB's format, version 3.0, for checkers that know nothing of our dialect.

What is ``fix`` or ``u`` there becomes ``rup`` and ``pol``: each literal that is fixed is derived as a constraint of its
own, and what is fixed is weakened away, or added. Hints are left out: a checker propagates units over all there is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from verifier.kernel.circuit import TRUE, Circuit
from verifier.kernel.refutation import Constraint, Follower
from verifier.solver.logs import opb
from verifier.solver.trim import needed_gates, write_literal


class Proof:
    """An obligation as a problem, and its refutation as a proof, a line at a time.

    Args:
        circuit: what the kernel derived.
        assumed: the literals of the obligation: its breach, and what its assumptions say.
        steps: the refutation. The problem defines the gates that the obligation needs, and those that this names.
    """

    def __init__(self, circuit: Circuit, assumed: Sequence[int], steps: Sequence[str]) -> None:
        self._steps = steps
        self._follower = Follower(circuit)
        self._follower.assume(assumed)
        self._first = 2 * len(circuit.gates)
        named = {number // 2 for step in steps for number in _named(step) if number < self._first}
        needed = needed_gates(circuit, [*assumed, *named])
        defined = sorted(v for v in needed if v == TRUE or circuit.gates[v] is not None)
        numbers = [
            *(2 * v + half for v in defined for half in (0, 1) if v != TRUE or half),
            *range(self._first, self._first + len(assumed)),
        ]
        self._at = {number: place for place, number in enumerate(numbers, 1)}
        self._units: dict[int, int] = {}
        self._lines = len(numbers)

    def problem(self) -> Iterator[str]:
        """Yield the lines of the problem, in the OPB format."""
        assumed = len(self._follower.derived)
        gates = [number for number in self._at if number < self._first]
        yield from opb([self._follower.constraint(number) for number in (*gates, *range(-assumed, 0))])

    def lines(self) -> Iterator[str]:
        """Yield the lines of the proof.

        Raises:
            CertificateError: the steps do not follow from the obligation.
        """
        yield "pseudo-Boolean proof version 3.0 ;"
        yield f"f {self._lines} ;"
        for step in self._steps:
            rule, *words = step.split(" ")
            said = [f"pol {' '.join(self._expression(words))} ;"] if rule == "pol" else []
            before = {*self._follower.true}
            self._follower.derive(step)
            derived = self._follower.derived[-1]
            if rule == "fix":
                fixed = sorted(self._follower.true - before)
                self._units.update((literal, self._lines + at) for at, literal in enumerate(fixed, 1))
                said = [f"rup {_constraint(({literal: 1}, 1))} ;" for literal in fixed] or ["rup >= 0 ;"]
            if rule == "rup" or derived[1] > sum(derived[0].values()):
                said.append(f"rup {_constraint(derived)} ;")
            yield from said
            self._lines += len(said)
            self._at[self._first + len(self._follower.derived) - 1] = self._lines
        yield "output NONE ;"
        yield f"conclusion UNSAT : {self._lines} ;"
        yield "end pseudo-Boolean proof ;"

    def _expression(self, words: Sequence[str]) -> list[str]:
        """Return an expression without ``u``."""
        stack: list[tuple[list[str], list[str]]] = []  # as it is in our dialect, and in plain words
        for word, after in zip(words, [*words[1:], ""], strict=True):
            if word in ("+", "*", "d"):
                ours, plain = stack.pop()
                stack[-1] = ([*stack[-1][0], *ours, word], [*stack[-1][1], *plain, word])
            elif word == "s":
                stack[-1] = ([*stack[-1][0], word], [*stack[-1][1], word])
            elif word == "u":
                ours, plain = stack.pop()
                self._follower.derive(" ".join(["pol", *ours]))
                stack.append(([*ours, word], [*plain, *self._without_fixed(self._follower.derived.pop())]))
            else:
                is_constraint = "x" not in word and after not in ("*", "d")
                stack.append(([word], self._write_number(int(word)) if is_constraint else [word]))
        return stack.pop()[1]

    def _write_number(self, number: int) -> list[str]:
        """Return what derives a constraint: that the first variable is true or nothing, 0 >= 0, is not a line."""
        if number == 2 * TRUE:
            return [str(self._at[number + 1]), write_literal(-TRUE), "+"]
        return [str(self._at[number if number >= 0 else self._first + len(self._follower.derived) + number])]

    def _without_fixed(self, constraint: Constraint) -> Iterator[str]:
        """Yield what takes away the literals that are fixed."""
        for literal, weight in constraint[0].items():
            if literal in self._units:
                yield from (write_literal(-literal), str(weight), "*", "+")
            elif -literal in self._units:
                yield from (str(self._units[-literal]), str(weight), "*", "+")


def _named(step: str) -> Iterator[int]:
    """Yield the numbers that a step names, looked at or not; what was derived is counted back to, by a minus."""
    rule, *words = step.split(" ")
    words = words[words.index(":") + 1 :] if rule == "rup" else words
    for word, after in itertools.pairwise([*words, ""]):
        if word.isdecimal() and after not in ("*", "d"):
            yield int(word)


def _constraint(constraint: Constraint) -> str:
    terms, degree = constraint
    words = [f"{weight} {write_literal(literal)}" for literal, weight in sorted(terms.items())]
    return " ".join([*words, ">=", str(degree)])
