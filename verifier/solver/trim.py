"""Make refutations that the kernel can follow: by unit propagation alone, or from Exact's logs, trimmed, with hints."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from verifier.kernel.certificate import MAX_DIGITS
from verifier.kernel.circuit import TRUE, Circuit
from verifier.kernel.errors import CertificateError
from verifier.kernel.obligations import Obligations
from verifier.kernel.refutation import Constraint, Follower, add
from verifier.solver.logs import LogError, read_logs, referred
from verifier.solver.propagation import Propagation

Step: TypeAlias = list[int | str]
"""The words of a step; the constraints that it refers to are integers. Empty for a ``rup`` step until it has hints."""

Part: TypeAlias = tuple[int, int]
"""The number of a constraint, and a literal: the part that makes the literal true if a gate is. ``ALL``: all of it."""

ALL = 0

Line: TypeAlias = tuple[Part | None, Constraint]
"""Our form of a line of a log, None if it says nothing beyond the fixed literals; and what the log derives by it."""

_LESS = (f"x{TRUE}", f"~x{TRUE}", "+")
"""Derives 0 >= -1. Adding a multiple of it lowers a degree."""

LONG = 100
"""If an expression has more words than this, we try whether unit propagation derives as much in fewer words."""

NEGATION = 0
"""The number of the constraint that negates what is derived."""

UNLIMITED = 10**18
"""The work that may be done before a log is trimmed. Exact's phases limit it already."""


def find_refutations(
    obligations: Obligations, uses: Iterable[Iterable[str]], *, is_short: bool = True
) -> list[list[str] | None]:
    """Return a refutation of each obligation; None if no refutation is found.

    Args:
        obligations: what the kernel derived.
        uses: the names of the assumptions to make for each obligation, in the order of the obligations.
        is_short: follow all of a log. Otherwise follow only the lines that the last line refers to, if they are
            enough; this takes a third of the time.
    """
    owed = [(part, breach) for part in obligations.preconditions for _, breach in part.breaches]
    assumed = [
        [breach, *(literal for name in names for literal in part.assumptions[name])]
        for (part, breach), names in zip(owed, uses, strict=True)
    ]
    circuit = obligations.circuit
    found = [Problem(circuit, literals).propagated() for literals in assumed]
    hard = [index for index, steps in enumerate(found) if steps is None]
    logs = read_logs(Problem(circuit, assumed[index]).renumbered() for index in hard)
    for index, log in zip(hard, logs, strict=True):
        found[index] = None if log is None else _trim(circuit, assumed[index], log, is_short)
    return found


def _trim(circuit: Circuit, assumed: Sequence[int], log: Sequence[Sequence[str]], is_short: bool) -> list[str] | None:
    if not is_short:
        with contextlib.suppress(LogError):  # a line by ``rup`` may need lines that it does not name
            return Problem(circuit, assumed).trim(referred(log))
    return Problem(circuit, assumed).trim(log)


class Problem:
    """Assumed literals, and the definitions of the gates that they need, as numbered constraints.

    Follows a log of Exact line by line. As soon as unit propagation shows that a literal is true, the literal is fixed,
    and then removed from all constraints. Exact derives these literals one by one, and adds each to each constraint.
    """

    def __init__(self, circuit: Circuit, assumed: Sequence[int]) -> None:
        own = Circuit()
        own.gates, own.work = circuit.gates, -UNLIMITED
        self._follower = Follower(own)
        self._follower.assume(assumed)
        self._assumed = 2 * len(own.gates)
        self._first = self._assumed + len(assumed)
        self._needed = sorted(needed_gates(circuit, assumed))
        defined = (v for v in self._needed if v == TRUE or circuit.gates[v] is not None)
        numbers = [*range(self._assumed, self._first), *(2 * v + half for v in defined for half in (0, 1))]
        self._known = Propagation()
        for number in numbers:
            self._known.add(number, self._constraint(number))
        self._entries: list[Step] = []
        self._sizes: list[int] = []
        self._conflict = self._known.run(numbers)
        if self._conflict is None:
            self._fix()
            trail = self._known.trail
            self._variables = [0, *(v for v in self._needed if v not in trail and -v not in trail)]
            self._formula = [part for number in numbers for part in self._parts(number)]

    def propagated(self) -> list[str] | None:
        """Return the refutation by unit propagation alone; None if that is not enough."""
        if self._conflict is None:
            return None
        return [self._write(["fix", *self._known.explain(self._conflict, 0)[0]], self._first)]

    def renumbered(self) -> list[Constraint]:
        """Return the constraints without the fixed literals, with variables numbered from 1 on."""
        at = {variable: number for number, variable in enumerate(self._variables)}
        return [
            ({at[abs(k)] * (1 if k > 0 else -1): 1 if literal else weight for k, weight in terms.items()}, degree)
            for number, literal in self._formula
            for terms, degree in [self._rest(number, literal)]
        ]

    def trim(self, log: Iterable[Sequence[str]]) -> list[str] | None:
        """Return the steps that lead to a log's contradiction; None if they exceed a limit of the kernel."""
        try:
            self._follow(log)
        except CertificateError as error:
            if error.reason != "limit":
                raise
            return None
        if self._conflict is None:
            raise LogError("what Exact derives is not a contradiction")
        return self._keep()

    def _constraint(self, number: int) -> Constraint:
        """Return a constraint by its number here. Definitions have the kernel's numbers; all others come after them."""
        if number >= self._assumed:
            number -= self._assumed + len(self._follower.derived)
        return self._follower.constraint(number)

    def _derive(self, step: Step) -> None:
        self._follower.derive(self._write(step, self._assumed + len(self._follower.derived)))

    def _write(self, step: Step, number: int) -> str:
        """Return a step as text. ``number`` is its own: references count back from it, except to definitions."""
        return " ".join(
            str(word - number if word >= self._assumed else word) if isinstance(word, int) else word for word in step
        )

    def _rest(self, number: int, literal: int = ALL) -> Constraint:
        """Return a constraint without the fixed literals, or only its clause about one literal."""
        (terms, degree), trail = self._constraint(number), self._known.trail
        if literal:
            clause = {k: 1 for k, weight in terms.items() if k == literal or weight == degree}
            return clause, int(not clause.keys() & trail.keys() and not any(-k in trail for k in clause))
        return self._unknown((terms, degree))

    def _parts(self, number: int) -> list[Part]:
        """Return what Exact gets of a constraint. If a gate makes several literals true, each gets a clause."""
        terms, degree = self._rest(number)
        if degree <= 0:
            return []
        if 1 < degree == len(terms) - 1 and sum(terms.values()) == 2 * degree:
            return [(number, literal) for literal, weight in terms.items() if weight == 1]
        return [(number, ALL)]

    def _fix(self) -> None:
        """Fix the literals that have become true since the last entry."""
        found = [*self._known.trail.values()][self._sizes[-1] if self._sizes else 0 :]
        if found:
            self._derive(["fix", *found])
            self._entries.append(["fix"])
            self._sizes.append(len(self._known.trail))

    def _follow(self, log: Iterable[Sequence[str]]) -> None:
        """Follow the lines of a log until a constraint cannot be met."""
        given = [self._rest(*part) for part in self._formula]
        lines: list[Line] = [(None, ({}, 0))]  # the log numbers its lines from 1 on
        for rule, *words in log:
            if any(len(word) > MAX_DIGITS for word in words):
                raise CertificateError("limit", "the log has a number that is too long for the kernel")
            if rule == "l":
                lines.append((self._formula[int(words[0]) - 1], given[int(words[0]) - 1]))
            elif rule == "rup":
                end = words.index(">=")
                pairs = zip(words[:end:2], words[1:end:2], strict=True)
                derived = {self._literal(name): int(weight) for weight, name in pairs}, int(words[end + 1])
                lines.append((self._record([], derived), derived))
            elif rule == "pol" and len(words) == 1:
                lines.append(lines[int(words[0])])
            elif rule == "pol":
                step, logged = self._expression(words, lines)
                part = None
                if step:
                    self._derive(["pol", *step])
                    part = self._record(["pol", *step], self._follower.derived.pop())
                lines.append((part, logged))
            if self._conflict is not None:
                return

    def _record(self, step: Step, derived: Constraint) -> Part | None:
        """Add what a line derives, and return its part; None if it says nothing beyond the fixed literals."""
        number = self._first + len(self._entries)
        self._follower.derived.append(derived)
        self._follower.derived[-1] = self._rest(number)
        if self._follower.derived[-1][1] <= 0:
            self._follower.derived.pop()
            return None
        self._entries.append(step)
        self._sizes.append(len(self._known.trail))
        self._known.add(number, self._follower.derived[-1])
        self._conflict = self._known.run([number])
        if self._conflict is None:
            self._fix()
        return number, ALL

    def _expression(self, words: Sequence[str], lines: Sequence[Line]) -> tuple[Step, Constraint]:
        """Return the step for an expression, without the fixed literals, and what the log derives by it.

        At each point the step derives the same literals with the same weights as the log, except for fixed literals.
        Only its degree may be higher, by ``spare``.
        """
        # A constraint that is stronger in another way does not always lead to a stronger result.
        stack: list[tuple[Step, Constraint, int]] = []
        factor = 0
        for word, after in zip(words, [*words[1:], ""], strict=True):
            if after in ("*", "d"):
                factor = int(word)
                continue
            if word == "+":
                (added, other, more), (step, logged, spare) = stack.pop(), stack.pop()
                step = [*step, *added, "+"] if step and added else [*step, *added]
                logged, spare = add(logged, other), spare + more
            elif word in ("*", "d"):
                step, (terms, degree), spare = stack.pop()
                step = [*step, str(factor), word] if step else []
                if word == "*":
                    logged = {k: weight * factor for k, weight in terms.items()}, degree * factor
                    spare *= factor
                else:
                    high = self._unknown((terms, degree))[1] + spare
                    logged = {k: -(-weight // factor) for k, weight in terms.items()}, -(-degree // factor)
                    spare = -(-high // factor) - self._unknown(logged)[1]
            elif word == "s":
                step, logged, spare = self._saturate(*stack.pop())
            elif "x" in word:
                literal = self._literal(word)
                logged = {literal: 1}, 0
                known, degree = self._unknown(logged)
                step, spare = [write_literal(literal)] if known else [], -degree
            else:
                part, logged = lines[int(word)]
                step, spare = self._operand(part, logged)
                logged = dict(logged[0]), logged[1]
            stack.append((step, logged, spare))
        step, logged, _ = stack.pop()
        return step, logged

    def _saturate(self, step: Step, logged: Constraint, spare: int) -> tuple[Step, Constraint, int]:
        """Saturate an operand of an expression."""
        terms, degree = logged
        saturated = ({k: min(weight, degree) for k, weight in terms.items()}, degree) if degree > 0 else ({}, 0)
        (before, low), (after, least) = self._unknown(logged), self._unknown(saturated)
        high = low + spare
        if high <= 0 or degree <= 0:
            return _weaken([], after), saturated, -least
        if before != after:
            if high > degree:
                step, high = [*step, *_LESS, str(high - degree), "*", "+"], degree
            raised = {k: weight - min(before[k], high) for k, weight in after.items()}
            step = _weaken([*step, "s"], raised)
        return step, saturated, high - least

    def _operand(self, part: Part | None, logged: Constraint) -> tuple[Step, int]:
        """Return a step that derives at least as much as a line of the log, and how much higher its degree is."""
        terms, degree = self._unknown(logged)
        have = ({}, 0) if part is None else self._rest(*part)
        if part is None or have[1] <= 0:
            return _weaken([], terms), -degree
        number, literal = part
        step: Step = [number, "u"] if self._rest(number) != self._constraint(number) else [number]
        if literal:
            for other in sorted(self._rest(number)[0].keys() - have[0].keys()):
                step += [write_literal(-other), "+"]
            step.append("s")
        return _weaken(step, {k: weight - have[0].get(k, 0) for k, weight in terms.items()}), have[1] - degree

    def _unknown(self, constraint: Constraint) -> Constraint:
        """Return a constraint without the fixed literals."""
        (terms, degree), trail = constraint, self._known.trail
        unknown = {k: weight for k, weight in terms.items() if k not in trail and -k not in trail}
        return unknown, degree - sum(weight for k, weight in terms.items() if k in trail)

    def _literal(self, word: str) -> int:
        variable = self._variables[int(word.lstrip("~x"))]
        return -variable if word[0] == "~" else variable

    def _keep(self) -> list[str]:
        """Return the entries that the contradiction needs, as text."""
        known, kept = self._known, dict[int, Step]()
        order = {literal: at for at, literal in enumerate(known.trail)}
        hints, wanted = known.explain(self._conflict or 0, self._sizes[-1] if self._sizes else 0)
        needed = {*hints}
        last = self._first + len(self._entries)
        if hints != [last - 1] or self._constraint(last - 1)[0]:
            kept[last] = ["fix", *hints]
        for at in range(len(self._entries) - 1, -1, -1):
            number, step, size = self._first + at, self._entries[at], self._sizes[at - 1] if at else 0
            if step == ["fix"]:
                for literal, reason in reversed([*known.trail.items()][size : self._sizes[at]]):
                    if literal in wanted:
                        wanted |= known.causes(reason, literal, order)
                        step = [step[0], reason, *step[1:]]
                known.undo(size)
                if len(step) > 1:
                    kept[number] = step
            else:
                known.undo(self._sizes[at])
                known.remove(number)
                if number in needed:
                    kept[number], roots = self._shorter(number, step, needed)
                    wanted |= roots
            needed.update(word for word in kept.get(number, ()) if isinstance(word, int))
        new = {number: self._first + at for at, number in enumerate(reversed(kept))}
        steps = [[new.get(k, k) if isinstance(k, int) else k for k in step] for step in reversed(kept.values())]
        return [self._write(step, number) for number, step in enumerate(steps, self._first)]

    def _shorter(self, number: int, step: Step, needed: set[int]) -> tuple[Step, set[int]]:
        """Return a step, or a step by ``rup`` that derives as much in fewer words; and fixed literals it may need."""
        known, size = self._known, len(self._known.trail)
        terms, degree = self._constraint(number)
        known.add(NEGATION, ({-k: weight for k, weight in terms.items()}, sum(terms.values()) - degree + 1))
        is_clause = all(weight >= degree for weight in terms.values())
        is_tried = not step or (is_clause and len(step) > LONG)
        conflict = known.run([NEGATION], needed) if is_tried else None
        hints, roots = ([], set[int]()) if conflict is None else known.explain(conflict, size)
        known.undo(size)
        known.remove(NEGATION)
        said = [word for literal, weight in sorted(terms.items()) for word in (str(weight), write_literal(literal))]
        other: Step = ["rup", *said, ">=", str(degree), ":", *(hint for hint in hints if hint != NEGATION)]
        if conflict is not None and (not step or len(other) < len(step)):
            return other, roots
        if not step:
            raise LogError(f"what Exact derives does not follow by unit propagation: {terms} >= {degree}")
        for word, after in itertools.pairwise(step):
            if isinstance(word, int) and after == "u":
                roots |= {k for of in self._constraint(word)[0] for k in (of, -of) if k in known.trail}
        return step, roots


def needed_gates(circuit: Circuit, literals: Iterable[int]) -> set[int]:
    """Return the variables that some literals depend on, directly or through gates."""
    waiting, needed = [abs(literal) for literal in literals], set[int]()
    while waiting:
        variable = waiting.pop()
        if variable not in needed:
            needed.add(variable)
            gate = circuit.gates[variable]
            waiting += [abs(literal) for literal, _ in gate[0]] if gate else []
    return needed


def _weaken(step: Step, weights: Mapping[int, int]) -> Step:
    """Return a step that also adds literals with weights. This is sound because a literal is at least 0."""
    for literal, weight in sorted(weights.items()):
        if weight:
            added: Step = [write_literal(literal), str(weight), "*"] if weight > 1 else [write_literal(literal)]
            step = [*step, *added, "+"] if step else added
    return step


def write_literal(literal: int) -> str:
    """Return a literal as steps write it."""
    return f"x{literal}" if literal > 0 else f"~x{-literal}"
