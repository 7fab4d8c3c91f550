"""Makes refutations for the kernel: by unit propagation alone, or from logs of the solver Exact.

A refutation derives a contradiction from assumed literals (``kernel.refutation``). Steps that it does not need are
trimmed away.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Sequence

from verifier.kernel.errors import CertificateError
from verifier.kernel.obligations import Obligations
from verifier.solver.derivation import Derivation, ProofStep, write_literal
from verifier.solver.logs import LogError, keep_needed_lines, read_logs
from verifier.solver.replay import replay_log

LONG = 100
"""If a ``pol`` step derives a clause in more words than this, try a ``rup`` step, which may need fewer words."""

NEGATION = 0
"""While ``_shorten`` looks for a shorter step, the negation of the step's constraint has this number."""


def find_refutations(
    obligations: Obligations, uses: Iterable[Iterable[str]], *, is_short: bool = True
) -> list[list[str] | None]:
    """Return a refutation of each obligation; None if no refutation is found.

    Args:
        obligations: the obligations that the kernel derived.
        uses: the names of the assumptions to make for each obligation, in the order of the obligations.
        is_short: follow all lines of a log, to get a shorter refutation. If False, first try only the lines that the
            last line needs (``keep_needed_lines``). This takes a third of the time.
    """
    owed = [(part, breach) for part in obligations.preconditions for _, breach in part.breaches]
    assumed = [
        [breach, *(literal for name in names for literal in part.assumptions[name])]
        for (part, breach), names in zip(owed, uses, strict=True)
    ]
    circuit = obligations.circuit
    # A ``Derivation`` is large, so it is not kept. For an obligation that needs a log, it is made again.
    found = [trim(Derivation(circuit, literals)) for literals in assumed]
    hard = [index for index, steps in enumerate(found) if steps is None]
    logs = read_logs(Derivation(circuit, assumed[index]).renumbered() for index in hard)
    for index, log in zip(hard, logs, strict=True):
        if log is not None and not is_short:
            with contextlib.suppress(LogError):  # a ``rup`` line may need lines that it does not name
                found[index] = refute(Derivation(circuit, assumed[index]), keep_needed_lines(log))
                continue
        if log is not None:
            found[index] = refute(Derivation(circuit, assumed[index]), log)
    return found


def refute(problem: Derivation, log: Iterable[Sequence[str]]) -> list[str] | None:
    """Return the steps that lead to a log's contradiction; None if they exceed a limit of the kernel.

    Raises:
        LogError: the log does not lead to a contradiction.
    """
    try:
        replay_log(problem, log)
    except CertificateError as error:
        if error.reason != "limit":
            raise
        return None
    steps = trim(problem)
    if steps is None:
        raise LogError("Exact's log does not lead to a contradiction")
    return steps


def trim(problem: Derivation) -> list[str] | None:
    """Return, as text, the steps that lead to the contradiction of a derivation; None if it has no contradiction.

    This modifies ``problem``: it takes back all steps.
    """
    if problem.conflict is None:
        return None
    known, entries, kept = problem.known, problem.entries, dict[int, ProofStep]()
    order = {literal: at for at, literal in enumerate(known.trail)}
    hints, wanted = known.explain(problem.conflict, problem.fixed)
    needed = {*hints}
    last = problem.first + len(entries)
    if hints != [last - 1] or problem.constraint(last - 1)[0]:
        kept[last] = ["fix", *hints]
    for at in range(len(entries) - 1, -1, -1):
        number, (step, fixed), before = problem.first + at, entries[at], entries[at - 1].fixed if at else 0
        if step == ["fix"]:
            for literal, reason in reversed([*known.trail.items()][before:fixed]):
                if literal in wanted:
                    wanted |= known.causes(reason, literal, order)
                    step = [step[0], reason, *step[1:]]
            known.undo(before)
            if len(step) > 1:
                kept[number] = step
        else:
            known.undo(fixed)
            known.remove(number)
            if number in needed:
                kept[number], roots = _shorten(problem, number, step, needed)
                wanted |= roots
        needed.update(word for word in kept.get(number, ()) if isinstance(word, int))
    new = {number: problem.first + at for at, number in enumerate(reversed(kept))}
    steps = [[new.get(k, k) if isinstance(k, int) else k for k in step] for step in reversed(kept.values())]
    return [problem.write(step, number) for number, step in enumerate(steps, problem.first)]


def _shorten(problem: Derivation, number: int, step: ProofStep, needed: set[int]) -> tuple[ProofStep, set[int]]:
    """Return a step, or a shorter ``rup`` step for the same constraint.

    Also return the fixed literals that the returned step may need.
    """
    known, size = problem.known, len(problem.known.trail)
    terms, degree = problem.constraint(number)
    known.add(NEGATION, ({-k: weight for k, weight in terms.items()}, sum(terms.values()) - degree + 1))
    is_clause = all(weight >= degree for weight in terms.values())
    is_tried = not step or (is_clause and len(step) > LONG)
    conflict = known.run([NEGATION], needed) if is_tried else None
    hints, roots = ([], set[int]()) if conflict is None else known.explain(conflict, size)
    known.undo(size)
    known.remove(NEGATION)
    said = [word for literal, weight in sorted(terms.items()) for word in (str(weight), write_literal(literal))]
    other: ProofStep = ["rup", *said, ">=", str(degree), ":", *(hint for hint in hints if hint != NEGATION)]
    if conflict is not None and (not step or len(other) < len(step)):
        return other, roots
    if not step:
        raise LogError(f"a line of Exact's log does not follow by unit propagation: {terms} >= {degree}")
    for word, after in itertools.pairwise(step):
        if isinstance(word, int) and after == "u":
            roots |= {k for of in problem.constraint(word)[0] for k in (of, -of) if k in known.trail}
    return step, roots
