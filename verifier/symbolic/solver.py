"""Run obligations in Z3: one fresh context each, a resource limit and no clock, models decoded to positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import z3

from verifier.kernel.games.ultimate import Position
from verifier.symbolic.smtlib import WORDS, declarations, symbol

RESOURCE_LIMIT = 40_000_000
"""Z3's ``rlimit`` for one question. The hardest obligation of the shipped specs uses a small part of it."""


class SolverError(Exception):
    """Z3 printed something that is neither an answer nor a model."""


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
        """Add another named formula, written for the solver."""
        tracker = f"h{len(self._names)}"
        self._names[tracker] = name
        self._symbols[name] = tracker
        self._run(f"(declare-const {tracker} Bool)\n(assert (=> {tracker} {text}))")

    def has(self, name: str) -> bool:
        """Say whether a formula of this name was added."""
        return name in self._symbols

    def ask(self, names: list[str], *, want_model: bool = False, literals: Sequence[str] = ()) -> Answer:
        """Ask whether the named formulas, and literals in the solver's names, can hold together."""
        trackers = " ".join([*(self._symbols[name] for name in names), *literals])
        outcome = self._run(f"(check-sat-assuming ({trackers}))").strip()
        if outcome == "unsat":
            core = re.findall(r"h\d+", self._run("(get-unsat-core)"))
            return Answer("unsat", tuple(sorted((self._names[tracker] for tracker in core), key=names.index)))
        if outcome == "sat":
            return Answer("sat", position=decode(self._run(_values())) if want_model else None)
        if outcome == "unknown":
            return Answer("unknown")
        raise SolverError(outcome[:200])

    def minimal_core(self, core: tuple[str, ...]) -> tuple[str, ...]:
        """Drop names one by one while the rest stays contradictory."""
        kept = list(core)
        for name in core:
            rest = [other for other in kept if other != name]
            if self.ask(rest).outcome == "unsat":
                kept = rest
        return tuple(kept)

    def _run(self, text: str) -> str:
        answer: str = z3.Z3_eval_smtlib2_string(self._context.ref(), text)
        if "(error" in answer:
            raise SolverError(answer[:300])
        return answer


def find_small_position(texts: list[str]) -> Position | None:
    """Return a position with few marks that satisfies formulas, or None where Z3 finds none in its limit.

    Marks are taken away one after the other while the formulas can still hold, and what is empty stays empty. At the
    end no mark can be left out; another position may still have fewer.
    """
    session = Session({str(index): text for index, text in enumerate(texts)})
    names = [str(index) for index in range(len(texts))]
    found = session.ask(names, want_model=True).position
    needed: set[str] = set()
    while found is not None:
        marked, empty = _marks(found)
        candidate = next((mark for mark in marked if mark not in needed), None)
        if candidate is None:
            break
        smaller = session.ask(names, want_model=True, literals=[f"(not {mark})" for mark in [*empty, candidate]])
        if smaller.position is None:
            needed.add(candidate)
        else:
            found = smaller.position
    return found


def _marks(position: Position) -> tuple[list[str], list[str]]:
    """Return the solver's names of the marks that stand on the board, and of those that do not."""
    marked: list[str] = []
    empty: list[str] = []
    for player, mask in (("X", position.x_mask), ("O", position.o_mask)):
        for f in range(9):
            for s in range(9):
                (marked if mask >> 9 * f + s & 1 else empty).append(symbol(player, (f, s)))
    return marked, empty


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
