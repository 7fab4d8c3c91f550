"""Writes the kernel's obligations as SMT-LIB 2: with Z3's own operators, or with operators that every solver reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verifier.kernel.circuit import FALSE, TRUE
from verifier.kernel.obligations import Obligations
from verifier.solver.inputs import name_inputs


class Printer:
    """Writes the literals and gates of a statement's circuit (``kernel/circuit.py``). Each gate becomes a function.

    Args:
        obligations: the obligations, with their circuit and the unknown positions that the circuit is about.
        is_plain: write sums in linear arithmetic, so that solvers can derive new constraints by adding constraints.
            Otherwise write Z3's own pseudo-Boolean constraints, with which Z3 finds positions faster.
    """

    def __init__(self, obligations: Obligations, *, is_plain: bool = True) -> None:
        self._is_plain = is_plain
        self._gates = obligations.circuit.gates
        self.names = {literal: "_".join(map(str, word)) for word, literal in name_inputs(obligations.before).items()}
        start = {n: "_".join(map(str, ("start", *word))) for word, n in name_inputs(obligations.start).items()}
        self._inputs = self.names if obligations.start is obligations.before else {**self.names, **start}

    def literal(self, literal: int) -> str:
        """Write a literal."""
        if literal in (TRUE, FALSE):
            return "true" if literal == TRUE else "false"
        name = self._inputs.get(abs(literal), f"gate_{abs(literal)}")
        return name if literal > 0 else f"(not {name})"

    def every(self, literals: Iterable[int]) -> str:
        """Write a conjunction."""
        return _joined("and", [self.literal(literal) for literal in literals], "true")

    def definitions(self) -> Iterator[str]:
        """Yield the declarations of all inputs, and the definitions of all gates, in order."""
        yield from (f"(declare-const {name} Bool)" for name in self._inputs.values())
        for number, gate in enumerate(self._gates):
            if gate is not None:
                yield f"(define-fun gate_{number} () Bool {self._gate(*gate)})"

    def _gate(self, terms: tuple[tuple[int, int], ...], bound: int) -> str:
        if bound == sum(weight for _, weight in terms):
            return self.every(literal for literal, _ in terms)
        if not self._is_plain:
            weights, literals = zip(*((str(weight), self.literal(literal)) for literal, weight in terms), strict=True)
            return f"((_ pbge {bound} {' '.join(weights)}) {' '.join(literals)})"
        # Write 'not v' as 1 - v: then both literals of a variable share one term, and solvers can add constraints.
        more, less = (
            ["0", *(_weighted(self.literal(abs(literal)), weight) for literal, weight in terms if literal * sign > 0)]
            for sign in (1, -1)
        )
        rest = bound - sum(weight for literal, weight in terms if literal < 0)
        constant = str(rest) if rest >= 0 else f"(- {-rest})"
        return f"(>= (- {_joined('+', more, '0')} {' '.join(less)}) {constant})"


def _weighted(text: str, weight: int) -> str:
    counted = f"(ite {text} 1 0)"
    return counted if weight == 1 else f"(* {weight} {counted})"


def _joined(head: str, parts: list[str], empty: str) -> str:
    if len(parts) < 2:
        return parts[0] if parts else empty
    return f"({head} {' '.join(parts)})"


def _name(text: str) -> str:
    """Replace characters that could end a comment, or a symbol between bars (``|…|``), too early.

    Otherwise a solver would read the text after them as a command.
    """
    return "".join(c if " " <= c <= "~" and c not in "|\\" else "_" for c in text)


def write_obligations(obligations: Obligations, uses: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the lines of a file with a ``check-sat`` for each obligation. Each answer must be ``unsat``.

    Args:
        obligations: the obligations that the kernel derived.
        uses: the names of the hypotheses to assert for each obligation, in the order of the obligations.
    """
    printer = Printer(obligations)
    yield "; Each (check-sat) is one obligation. Each answer must be unsat."
    yield "; Each assertion has a name, between bars: a number, and the name of a hypothesis. (Two hypotheses may"
    yield "; have the same name.) The assertion |the goal| is the negation of what is to be proved."
    yield "(set-option :produce-unsat-cores true)"
    yield "(set-logic QF_LIA)"
    yield from printer.definitions()
    shown = ((part, name, breach) for part in obligations.preconditions for name, breach in part.breaches)
    for (part, name, breach), names in zip(shown, uses, strict=True):
        yield f"; part {part.part}: {_name(name)}"
        yield "(push 1)"
        for number, used in enumerate(names):
            yield f"(assert (! {printer.every(part.assumptions[used])} :named |{number} {_name(used)}|))"
        yield f"(assert (! {printer.literal(breach)} :named |the goal|))"
        yield "(check-sat)\n(pop 1)"
