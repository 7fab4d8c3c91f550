"""Refutations: steps that derive a contradiction from assumed literals. So no position makes all these literals true.

This module is trusted for one fact: the constraint that a step derives follows from the constraints before it. A
constraint says that the weights of its true literals add up to at least its degree. ``proofs/README.md`` describes the
rules of steps (``fix``, ``pol``, ``rup``) in §10. Two constraints define each variable V that is a gate or 1 (true):
number 2V says what follows if V is true, number 2V + 1 if V is false. All others are in a list: the assumed literals,
then what each step has derived; number -1 is the last. In a contradiction, all weights add up to less than the degree.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import NoReturn, TypeAlias

from verifier.kernel.certificate import MAX_DIGITS
from verifier.kernel.circuit import TRUE, Circuit
from verifier.kernel.errors import CertificateError

Constraint: TypeAlias = tuple[dict[int, int], int]
"""Weights, each at least 1, by literal; and the degree. At most one literal of each variable has a weight."""

KEPT_TERM = 100
"""Work of storing a literal of a constraint. (Looking at a literal is work 1.) Real proofs store few literals."""

MAX_STEP, MAX_NUMBER = 10**6, 10**18
"""Maximum length of a step, in characters. Maximum weight or degree in the result of a step or of a multiplication."""


class Follower:
    """Follows refutations over one circuit. The constraints that define a gate are made only once.

    ``derived`` has the assumed literals and then the derived constraints. ``true`` has the literals known to be true.
    """

    def __init__(self, circuit: Circuit) -> None:
        self.derived: list[Constraint] = []
        self.true: set[int] = set()
        self._circuit = circuit
        self._definitions: dict[int, Constraint] = {2 * TRUE: ({}, 0), 2 * TRUE + 1: ({TRUE: 1}, 1)}
        self._numbers: dict[str, int] = {}
        self._step = ""

    def follow(self, assumed: Iterable[int], steps: Iterable[str]) -> None:
        """Follow steps from assumed literals; raise unless the last step is a contradiction."""
        self.assume(assumed)
        for step in steps:
            self.derive(step)
        terms, degree = self.derived[-1]
        if sum(terms.values()) >= degree:
            self._refuse("the last step is not a contradiction")

    def assume(self, literals: Iterable[int]) -> None:
        """Start again with assumed literals, each as a constraint."""
        self.derived, self.true = [({literal: 1}, 1) for literal in literals], set()

    def derive(self, step: str) -> None:
        """Follow one step."""
        self._step = step
        if len(step) > MAX_STEP:
            raise CertificateError("limit", f"a step has more than {MAX_STEP:,} characters: split the step")
        rule, *words = step.split(" ")
        if rule == "fix":
            derived: Constraint = {}, int(self._propagate(map(self._named, words), self.true))
        elif rule == "pol":
            derived = self._pol(words)
        elif rule == "rup":
            derived = self._rup(words)
        else:
            self._refuse("a step must begin with 'fix', 'pol' or 'rup'")
        self._circuit.spend(KEPT_TERM * len(derived[0]))
        self.derived.append(self._bounded(derived))

    def _propagate(self, constraints: Iterable[Constraint], true: set[int]) -> bool:
        """Go through constraints. If a constraint can be met only if a literal is true, add this literal to ``true``.

        Stop at the first constraint that cannot be met at all; return whether there is such a constraint.
        """
        spend = self._circuit.spend
        for terms, degree in constraints:
            spend(len(terms))
            spare = -degree
            for literal, weight in terms.items():
                if -literal not in true:
                    spare += weight
            if spare < 0:
                return True
            for literal, weight in terms.items():
                if weight > spare and -literal not in true:
                    true.add(literal)
        return False

    def _pol(self, words: list[str]) -> Constraint:
        """Return the constraint that an expression in reverse Polish notation derives."""
        stack: list[str | Constraint] = []
        for word in words:
            if word in ("*", "d"):
                factor = self._number(stack.pop() if stack else "")
                terms, degree = self._operand(stack)
                if not factor:
                    self._refuse("a factor or divisor must be at least 1")
                if word == "*":
                    scaled = {literal: weight * factor for literal, weight in terms.items()}
                    stack.append(self._bounded((scaled, degree * factor)))
                else:
                    rounded = {literal: -(-weight // factor) for literal, weight in terms.items()}
                    stack.append((rounded, -(-degree // factor)))
            elif word == "+":
                stack.append(add_constraints(self._operand(stack), self._operand(stack)))
            elif word == "s":
                terms, degree = self._operand(stack)
                saturated = {literal: min(weight, degree) for literal, weight in terms.items()}
                stack.append((saturated, degree) if degree > 0 else ({}, 0))
            elif word == "u":
                terms, degree = self._operand(stack)
                unknown = {k: weight for k, weight in terms.items() if k not in self.true and -k not in self.true}
                stack.append((unknown, degree - sum(weight for k, weight in terms.items() if k in self.true)))
            else:
                stack.append(word)
            if len(stack) > 3 and not isinstance(stack[-1], str):  # a long stack costs work; real stacks are short
                self._circuit.spend(KEPT_TERM * len(stack[-1][0]))
        derived = self._operand(stack)
        if stack:
            self._refuse("a constraint is left over")
        return derived

    def _rup(self, words: list[str]) -> Constraint:
        """Return a constraint; require that its negation and the named constraints contradict each other."""
        end = words.index(">=") if ">=" in words else len(words)
        weights, literals, rest = words[:end:2], words[1:end:2], words[end + 1 :]
        if len(weights) != len(literals) or rest[1:2] != [":"]:
            self._refuse("a constraint is written as in 'rup 1 x3 2 ~x4 >= 2 : 12'")
        terms = dict(zip(map(self._literal, literals), map(self._number, weights), strict=True))
        degree = self._number(rest[0])
        if len({abs(literal) for literal in terms}) < len(literals) or not all(terms.values()):
            self._refuse("a variable must be in a constraint once, with a weight of at least 1")
        negation = {-literal: weight for literal, weight in terms.items()}, sum(terms.values()) - degree + 1
        self._circuit.spend(len(self.true))
        if not self._propagate(itertools.chain([negation], map(self._named, rest[2:])), {*self.true}):
            self._refuse("propagation does not reach a constraint that cannot be met")
        return terms, degree

    def _operand(self, stack: list[str | Constraint]) -> Constraint:
        """Take a constraint from a stack. The caller may modify the constraint."""
        if not stack:
            self._refuse("a constraint is missing")
        top = stack.pop()
        if isinstance(top, str):
            terms, degree = ({self._literal(top): 1}, 0) if "x" in top else self._named(top)
            top = dict(terms), degree
        self._circuit.spend(len(top[0]))
        return top

    def _named(self, word: str) -> Constraint:
        if word not in self._numbers:  # cached, because a few words occur again and again
            self._numbers[word] = -self._number(word[1:]) if word.startswith("-") else self._number(word)
        return self.constraint(self._numbers[word])

    def constraint(self, number: int) -> Constraint:
        """Return the constraint with a number: a negative number counts from the end of the list."""
        if number < 0:
            if -number > len(self.derived):
                self._refuse(f"there is no constraint {number} so far")
            return self.derived[number]
        if number not in self._definitions:
            gates = self._circuit.gates
            gate = gates[number // 2] if number < 2 * len(gates) else None
            if gate is None:
                self._refuse(f"there is no constraint {number}: nothing defines that variable")
            self._definitions[number] = _half(number // 2, *gate, is_true=number % 2 == 0)
        return self._definitions[number]

    def _literal(self, word: str) -> int:
        variable = self._number(word.removeprefix("~").removeprefix("x"))
        if "x" not in word or not 0 < variable < len(self._circuit.gates):
            self._refuse(f"{word[:20]!r} is not a literal")
        return -variable if word[0] == "~" else variable

    def _number(self, word: object) -> int:
        if not isinstance(word, str) or not (word.isascii() and word.isdecimal()) or len(word) > MAX_DIGITS:
            self._refuse(f"expected a number of at most {MAX_DIGITS} digits")
        return int(word)

    def _bounded(self, constraint: Constraint) -> Constraint:
        """Return a constraint; raise if one of its weights, or its degree, is too large."""
        terms, degree = constraint
        if max(terms.values(), default=0) > MAX_NUMBER or abs(degree) > MAX_NUMBER:
            raise CertificateError("limit", f"a weight or degree is above {MAX_NUMBER:,}: divide earlier")
        return constraint

    def _refuse(self, why: str) -> NoReturn:
        raise CertificateError("refutation", f"{why}: {self._step[:80]!r}")


def _half(variable: int, weights: Iterable[tuple[int, int]], bound: int, *, is_true: bool) -> Constraint:
    """Return the constraint that says what follows if a gate is true or, without ``is_true``, if it is false."""
    if is_true:
        return {**dict(weights), -variable: bound}, bound
    rest = sum(weight for _, weight in weights) - bound + 1
    return {**{-literal: weight for literal, weight in weights}, variable: rest}, rest


def add_constraints(one: Constraint, other: Constraint) -> Constraint:
    """Return the sum of two constraints; a literal and its negative add up to 1. Both constraints may be modified."""
    (terms, _), (added, _) = (one, other) if len(one[0]) > len(other[0]) else (other, one)
    degree = one[1] + other[1]
    for literal, weight in added.items():
        opposite = terms.get(-literal, 0)
        if not opposite:
            terms[literal] = terms.get(literal, 0) + weight
            continue
        degree -= min(weight, opposite)
        del terms[-literal]
        if weight != opposite:
            terms[literal if weight > opposite else -literal] = abs(weight - opposite)
    return terms, degree
