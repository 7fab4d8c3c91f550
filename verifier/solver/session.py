"""Asks the solver Z3. Each ``Session`` has a new Z3 context. Limits are on the work that Z3 counts, not on time."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import z3

from verifier.kernel.games import Game
from verifier.kernel.obligations import Obligations
from verifier.solver.inputs import list_counted, measure, read_position
from verifier.solver.smtlib import Printer

RESOURCE_LIMIT = 40_000_000
"""Z3's ``rlimit`` for one question. The hardest obligation of the shipped specs uses a small part of it."""

MINIMISING_LIMIT = 100_000
"""Z3's ``rlimit`` for a question that tries to make a result smaller: a position with fewer marks, or a smaller set of
assumptions that contradict each other."""


class SolverError(Exception):
    """Z3 did not print an answer or a model."""


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """Z3's answer.

    Attributes:
        outcome: ``sat``, ``unsat`` or ``unknown``.
        core: if unsat, the names of assumptions that contradict each other.
        position: if sat, the position of the model; None if no model was asked for.
    """

    outcome: str
    core: tuple[str, ...] = ()
    position: Any = None


class Session:
    """A new Z3 context that has the formulas of obligations. Each question names the assumptions that it makes.

    Args:
        game: the game of the positions.
        obligations: the obligations, with gates (a *circuit*) that express their formulas.
        is_plain: write sums in linear arithmetic (see ``Printer``).
    """

    def __init__(self, game: Game, obligations: Obligations, *, is_plain: bool = True) -> None:
        self._game = game
        self._before = obligations.before
        self._printer = Printer(obligations, is_plain=is_plain)
        self._context = z3.Context()
        self._names: dict[str, str] = {}
        self._symbols: dict[str, str] = {}
        self._run("\n".join(["(set-option :produce-unsat-cores true)", *self._printer.definitions()]))

    @contextlib.contextmanager
    def assuming(self, assumptions: Mapping[str, Iterable[int]]) -> Iterator[None]:
        """Name assumptions, and forget the names on exit. An assumption says that all its literals are true."""
        symbols = dict(self._symbols)
        self._run("(push 1)")
        for name, literals in assumptions.items():
            self._add(name, self._printer.every(literals))
        yield
        self._run("(pop 1)")
        self._symbols = symbols

    def ask(self, names: Iterable[str], *, want_model: bool = False, resources: int = RESOURCE_LIMIT) -> SolverAnswer:
        """Ask whether named assumptions can all be true in one position. ``resources`` is Z3's ``rlimit``."""
        named = list(names)
        self._run(f"(set-option :rlimit {resources})")
        trackers = " ".join(self._symbols[name] for name in named)
        outcome = self._run(f"(check-sat-assuming ({trackers}))").strip()
        if outcome == "unsat":
            core = re.findall(r"h\d+", self._run("(get-unsat-core)"))
            return SolverAnswer("unsat", tuple(sorted((self._names[tracker] for tracker in core), key=named.index)))
        if outcome == "sat":
            return SolverAnswer("sat", position=self._position() if want_model else None)
        if outcome == "unknown":
            return SolverAnswer("unknown")
        raise SolverError(outcome[:200])

    def minimal_core(self, core: tuple[str, ...]) -> tuple[str, ...]:
        """Drop names from a core one by one, if the other assumptions still contradict each other. Return the rest.

        A name also stays if Z3 does not decide this within ``MINIMISING_LIMIT``.
        """
        kept = list(core)
        for name in core:
            rest = [other for other in kept if other != name]
            if self.ask(rest, resources=MINIMISING_LIMIT).outcome == "unsat":
                kept = rest
        return tuple(kept)

    def find_small_position(self, names: Iterable[str]) -> Any:
        """Return a position in which named assumptions are true, with few marks; None if Z3 finds no position.

        Ask for fewer marks than in the last position, until Z3 finds no other position within ``MINIMISING_LIMIT``.
        """
        named, fewer = list(names), "fewer marks"
        found = self.ask(named, want_model=True).position
        literals = {*list_counted(self._before)}
        marks = " ".join(name for literal, name in self._printer.names.items() if literal in literals)
        while found is not None and (count := measure(self._before, found)):
            with self.assuming({}):
                self._add(fewer, f"((_ at-most {count - 1}) {marks})")
                position = self.ask([*named, fewer], want_model=True, resources=MINIMISING_LIMIT).position
            if position is None:
                break
            found = position
        return found

    def _add(self, name: str, text: str) -> None:
        """Give a name to a formula in SMT-LIB text."""
        tracker = f"h{len(self._names)}"
        self._names[tracker] = name
        self._symbols[name] = tracker
        self._run(f"(declare-const {tracker} Bool)\n(assert (=> {tracker} {text}))")

    def _position(self) -> Any:
        """Return the position of Z3's current model."""
        names = self._printer.names
        values = dict(re.findall(r"\((\w+) (true|false)\)", self._run(f"(get-value ({' '.join(names.values())}))")))
        if len(values) < len(names):
            raise SolverError("Z3 did not print the value of each input")
        return read_position(self._before, {literal for literal, name in names.items() if values[name] == "true"})

    def _run(self, text: str) -> str:
        answer: str = z3.Z3_eval_smtlib2_string(self._context.ref(), text)
        if "(error" in answer:
            raise SolverError(answer[:300])
        return answer
