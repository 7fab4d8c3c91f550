"""Turns a log of the solver Exact, line by line, into steps of a refutation that the kernel can follow.

Each step derives a constraint that is at least as strong as the constraint of its line. *Fixed* literals, which are
known to be true (``derivation``), are left out of all constraints. A line that follows from fixed
literals gets no step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from verifier.kernel.certificate import MAX_DIGITS
from verifier.kernel.circuit import TRUE
from verifier.kernel.errors import CertificateError
from verifier.kernel.refutation import Constraint, add_constraints
from verifier.solver.derivation import ConstraintPart, Derivation, ProofStep, write_literal

LogLine: TypeAlias = tuple[ConstraintPart | None, Constraint]
"""For a line of a log: the constraint that its step derives, as a ``ConstraintPart``; and the log's own constraint.
The first is None if fixed literals imply the line, so that it has no step."""

_LESS = (f"x{TRUE}", f"~x{TRUE}", "+")
"""Words of a step that derive 0 >= -1. Adding a multiple of this to a constraint lowers its degree."""


def replay_log(problem: Derivation, log: Iterable[Sequence[str]]) -> None:
    """Add steps to ``problem`` for the lines of a log. Stop if a constraint cannot be met.

    Raises:
        CertificateError: a step exceeds a limit of the kernel.
    """
    given = [problem.rest(*part) for part in problem.formula]
    lines: list[LogLine] = [(None, ({}, 0))]  # the log numbers its lines from 1
    for rule, *words in log:
        if any(len(word) > MAX_DIGITS for word in words):
            raise CertificateError("limit", "the log has a number that is too long for the kernel")
        if rule == "l":
            number = int(words[0]) - 1
            lines.append((problem.formula[number], given[number]))
        elif rule == "rup":
            end = words.index(">=")
            pairs = zip(words[:end:2], words[1:end:2], strict=True)
            derived = {problem.read_literal(name): int(weight) for weight, name in pairs}, int(words[end + 1])
            lines.append((problem.record([], derived), derived))
        elif rule == "pol" and len(words) == 1:
            lines.append(lines[int(words[0])])
        elif rule == "pol":
            step, logged = _translate(problem, words, lines)
            step = ["pol", *step] if step else []
            lines.append((problem.record(step, problem.derive(step)) if step else None, logged))
        if problem.conflict is not None:
            return


def _translate(problem: Derivation, words: Sequence[str], lines: Sequence[LogLine]) -> tuple[ProofStep, Constraint]:
    """Return the step for an expression of the log, and the constraint that the log derives with this expression.

    After each word, the step's constraint has the same literals with the same weights as the log's, apart from fixed
    literals. Only its degree can be higher than the log's: ``spare`` says by how much.
    """
    # If literals or weights differed, the step's constraint could be stronger now, but lead to a weaker one later.
    stack: list[tuple[ProofStep, Constraint, int]] = []
    factor = 0
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if after in ("*", "d"):
            factor = int(word)
            continue
        if word == "+":
            (added, other, more), (step, logged, spare) = stack.pop(), stack.pop()
            step = [*step, *added, "+"] if step and added else [*step, *added]
            logged, spare = add_constraints(logged, other), spare + more
        elif word in ("*", "d"):
            step, (terms, degree), spare = stack.pop()
            step = [*step, str(factor), word] if step else []
            if word == "*":
                logged = {k: weight * factor for k, weight in terms.items()}, degree * factor
                spare *= factor
            else:
                high = problem.unknown((terms, degree))[1] + spare
                logged = {k: -(-weight // factor) for k, weight in terms.items()}, -(-degree // factor)
                spare = -(-high // factor) - problem.unknown(logged)[1]
        elif word == "s":
            step, logged, spare = _saturate(problem, *stack.pop())
        elif "x" in word:
            literal = problem.read_literal(word)
            logged = {literal: 1}, 0
            known, degree = problem.unknown(logged)
            step, spare = [write_literal(literal)] if known else [], -degree
        else:
            part, logged = lines[int(word)]
            step, spare = _name(problem, part, logged)
            logged = dict(logged[0]), logged[1]
        stack.append((step, logged, spare))
    step, logged, _ = stack.pop()
    return step, logged


def _saturate(
    problem: Derivation, step: ProofStep, logged: Constraint, spare: int
) -> tuple[ProofStep, Constraint, int]:
    """Do what the word ``s`` does to an operand: lower each weight that is larger than the degree to the degree.

    Return the step, the log's constraint, and by how much the step's degree exceeds the log's.
    """
    terms, degree = logged
    saturated = ({k: min(weight, degree) for k, weight in terms.items()}, degree) if degree > 0 else ({}, 0)
    (before, low), (after, least) = problem.unknown(logged), problem.unknown(saturated)
    high = low + spare
    if high <= 0 or degree <= 0:
        return _weaken([], after), saturated, -least
    if before != after:
        if high > degree:
            step, high = [*step, *_LESS, str(high - degree), "*", "+"], degree
        raised = {k: weight - min(before[k], high) for k, weight in after.items()}
        step = _weaken([*step, "s"], raised)
    return step, saturated, high - least


def _name(problem: Derivation, part: ConstraintPart | None, logged: Constraint) -> tuple[ProofStep, int]:
    """Return a step that derives at least as much as a line of the log, and by how much the step's degree is higher."""
    terms, degree = problem.unknown(logged)
    have = ({}, 0) if part is None else problem.rest(*part)
    if part is None or have[1] <= 0:
        return _weaken([], terms), -degree
    number, literal = part
    step: ProofStep = [number, "u"] if problem.rest(number) != problem.constraint(number) else [number]
    if literal:
        for other in sorted(problem.rest(number)[0].keys() - have[0].keys()):
            step += [write_literal(-other), "+"]
        step.append("s")
    return _weaken(step, {k: weight - have[0].get(k, 0) for k, weight in terms.items()}), have[1] - degree


def _weaken(step: ProofStep, weights: Mapping[int, int]) -> ProofStep:
    """Return a step that also adds literals with weights. This is sound because a literal is 0 or 1."""
    for literal, weight in sorted(weights.items()):
        if weight:
            added: ProofStep = [write_literal(literal), str(weight), "*"] if weight > 1 else [write_literal(literal)]
            step = [*step, *added, "+"] if step else added
    return step
