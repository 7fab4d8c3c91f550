"""Run obligations in Z3: one fresh context each, a resource limit and no clock, models decoded to positions."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

import z3

from verifier.kernel.games.nested import Position
from verifier.solver.smtlib import WORDS, declarations, symbol

RESOURCE_LIMIT = 40_000_000
"""Z3's ``rlimit`` for one question. The hardest obligation of the shipped specs uses a small part of it."""


class SolverError(Exception):
    """Z3 printed something that is neither an answer nor a model."""


MINIMISING_LIMIT = 500_000
"""Z3's ``rlimit`` for a question whose answer only improves a result: fewer marks, fewer names in a core."""


def solver_name() -> str:
    """Return the solver with its version, for trust lines and caches."""
    return "Z3 " + ".".join(str(part) for part in z3.get_version())


@dataclass(frozen=True, slots=True)
class Answer:
    """``sat``, ``unsat`` or ``unknown``; a core of names where it is unsat, a position where it is sat."""

    outcome: str
    core: tuple[str, ...] = ()
    position: Position | None = None


class Session:
    """One fresh Z3 context with named formulas, any of which can be switched on for a question."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._context = z3.Context()
        self._names = {f"h{index}": name for index, name in enumerate(texts)}
        self._symbols = {name: tracker for tracker, name in self._names.items()}
        text = ["(set-option :produce-unsat-cores true)", f"(set-option :rlimit {RESOURCE_LIMIT})", declarations()]
        for name, written in texts.items():
            tracker = self._symbols[name]
            text.append(f"(declare-const {tracker} Bool)\n(assert (=> {tracker} {written}))")
        self._run("\n".join(text))

    def add(self, name: str, text: str) -> None:
        """Add a named formula, written for the solver, in place of an earlier one of that name."""
        tracker = f"h{len(self._names)}"
        self._names[tracker] = name
        self._symbols[name] = tracker
        self._run(f"(declare-const {tracker} Bool)\n(assert (=> {tracker} {text}))")

    @contextlib.contextmanager
    def scope(self) -> Iterator[None]:
        """Forget, at the end, what was added inside."""
        symbols = dict(self._symbols)
        self._run("(push 1)")
        yield
        self._run("(pop 1)")
        self._symbols = symbols

    def limit(self, resources: int) -> None:
        """Set what each question from here on may use, as Z3 counts resources."""
        self._run(f"(set-option :rlimit {resources})")

    def has(self, name: str) -> bool:
        """Say whether a formula of this name can be switched on."""
        return name in self._symbols

    def ask(self, names: list[str], *, want_model: bool = False) -> Answer:
        """Ask whether the named formulas can hold together."""
        trackers = " ".join(self._symbols[name] for name in names)
        outcome = self._run(f"(check-sat-assuming ({trackers}))").strip()
        if outcome == "unsat":
            core = re.findall(r"h\d+", self._run("(get-unsat-core)"))
            return Answer("unsat", tuple(sorted((self._names[tracker] for tracker in core), key=names.index)))
        if outcome == "sat":
            return Answer("sat", position=decode(self._run(_values())) if want_model else None)
        if outcome == "unknown":
            return Answer("unknown")
        raise SolverError(outcome[:200])

    def minimal_core(
        self, core: tuple[str, ...], needed: tuple[str, ...] = (), resources: int = MINIMISING_LIMIT
    ) -> tuple[str, ...]:
        """Drop names one by one while the rest stays contradictory; those that are known to be needed stay.

        A name stays as well where the solver cannot tell within the resources.
        """
        kept = list(core)
        self.limit(resources)
        for name in (name for name in core if name not in needed):
            rest = [other for other in kept if other != name]
            if self.ask(rest).outcome == "unsat":
                kept = rest
        self.limit(RESOURCE_LIMIT)
        return tuple(kept)

    def _run(self, text: str) -> str:
        answer: str = z3.Z3_eval_smtlib2_string(self._context.ref(), text)
        if "(error" in answer:
            raise SolverError(answer[:300])
        return answer


def find_small_position(texts: list[str]) -> tuple[Position | None, bool]:
    """Return a position that satisfies formulas with the fewest marks, and whether fewer were shown to be impossible.

    Each position found lowers the number of marks that the next one may have. None: Z3 finds no position at all
    within its limit.
    """
    session = Session({str(index): text for index, text in enumerate(texts)})
    names = [str(index) for index in range(len(texts))]
    marks = " ".join(symbol(player, (f, s)) for player in "XO" for f in range(9) for s in range(9))
    found = session.ask(names, want_model=True).position
    session.limit(MINIMISING_LIMIT)
    while found is not None and (count := (found.x_mask | found.o_mask).bit_count()):
        fewer = f"fewer than {count} marks"
        session.add(fewer, f"((_ at-most {count - 1}) {marks})")
        answer = session.ask([*names, fewer], want_model=True)
        if answer.position is None:
            return found, answer.outcome == "unsat"
        found = answer.position
    return found, found is not None


def _values() -> str:
    return f"(get-value ({' '.join(symbol(name, args) for name, args in WORDS)}))"


def decode(text: str) -> Position:
    """Turn Z3's list of values into a position.

    Raises:
        SolverError: a value is missing.
    """
    values = dict(re.findall(r"\((\w+) (true|false)\)", text))
    try:
        truth = {(name, args): values[symbol(name, args)] == "true" for name, args in WORDS}
    except KeyError as error:
        raise SolverError(f"no value for {error}") from None
    x, o = (sum(1 << 9 * f + s for f in range(9) for s in range(9) if truth[player, (f, s)]) for player in "XO")
    xs, os = (sum(1 << f for f in range(9) if truth[f"won_by_{player}", (f,)]) for player in "XO")
    return Position(x, o, xs, os, next(k for k in range(10) if truth["active", (k,)]))
