"""The obligations of one part of a ``steps`` statement: every case of the step, conclusion by conclusion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.games import find_rules
from verifier.kernel.games.ultimate import Position, Ultimate
from verifier.spec.language import conjunction, disjunction, negation
from verifier.symbolic.smtlib import write_formula, write_turn
from verifier.symbolic.solver import Session
from verifier.symbolic.state import State, replies, to_move, well_formed

Move = tuple[int, int]

_TURN = "position.turn"


@dataclass(frozen=True, slots=True)
class Case:
    """One way the step can go: the moves, the condition under which it goes so, and the state after it."""

    moves: tuple[Move, ...]
    condition: Any
    state: State


@dataclass(frozen=True, slots=True)
class Obligation:
    """Something to be shown: under the hypotheses and the case's condition, the goal.

    ``fails`` is what fails where the goal does not hold, in the kernel's words; empty: the kernel says.
    """

    name: str
    case: Case
    goal: Any
    fails: str


@dataclass(slots=True)
class Outcome:
    """What the solver said of one part.

    Attributes:
        verdict: ``proved``, ``refuted`` or ``unknown``.
        reason: why it is not proved.
        blocks: the SMT-LIB text of each obligation that was shown.
        cores: for each obligation, the names that its proof needs; minimal by deletion.
        models: a position and moves for the part, and one for each case that can occur.
        refuting: the formulas, written for the solver, that a counterexample satisfies; its moves; what fails
            (empty: the kernel says).
        failed: the names of the obligations that do not hold.
    """

    verdict: str = "proved"
    reason: str = ""
    blocks: list[str] = field(default_factory=list)
    cores: dict[str, tuple[str, ...]] = field(default_factory=dict)
    models: list[tuple[Position, tuple[Move, ...]]] = field(default_factory=list)
    refuting: tuple[list[str], tuple[Move, ...], str] | None = None
    failed: list[str] = field(default_factory=list)


def decide_part(rules_name: str, part: dict[str, Any]) -> Outcome:
    """Decide one part of a compiled ``steps`` statement.

    Args:
        rules_name: a rule set of the game on nine fields.
        part: as ``kernel.steps`` documents it, with a step other than ``start``.
    """
    rules = find_rules(rules_name)
    if not isinstance(rules, Ultimate):
        return Outcome("unknown", f"the rules {rules_name!r} have no symbolic meaning")
    return _Decision(rules, part).decide()


def part_is_any_move(part: dict[str, Any]) -> bool:
    """Say whether a part's step is any legal move: its cases are put into one obligation a conclusion."""
    return part["step"] == "move" and part["plays"] is None


class _Decision:
    def __init__(self, rules: Ultimate, part: dict[str, Any]) -> None:
        self.part = part
        self.before = State.unknown(rules)
        self.hypotheses: dict[str, Any] = well_formed(rules)
        if part["step"] != "none":
            self.hypotheses["position.open"] = negation(self.before.over())
        for name, formula in part["hypotheses"]:
            self.hypotheses[name] = self.before.read(formula, self.before)
        if part["turn"] is not None:
            self.hypotheses[_TURN] = to_move(part["turn"])
        else:
            self.hypotheses[_TURN] = disjunction([to_move("X"), to_move("O")])
        self.texts = {name: write_formula(formula) for name, formula in self.hypotheses.items()}
        self.asked_texts = {**self.texts, _TURN: write_turn(part["turn"])}
        self.session = Session(self.asked_texts)
        self.quick = Session({name: text for name, text in self.texts.items() if name != _TURN})
        self.names = list(self.hypotheses)
        self.asked = 0
        self.outcome = Outcome()

    def decide(self) -> Outcome:
        outcome = self.outcome
        if part_is_any_move(self.part):
            self.decide_any_move()
        else:
            self.decide_cases()
        if outcome.verdict == "proved" and not outcome.models:
            outcome.verdict, outcome.reason = "unknown", "vacuous: no step is possible under the hypotheses"
            satisfiable = self.session.ask(self.names)
            if satisfiable.outcome == "unsat":
                core = self.session.minimal_core(satisfiable.core)
                outcome.reason = f"vacuous: the hypotheses contradict each other: {', '.join(core)}"
        return outcome

    def decide_any_move(self) -> None:
        """Put all moves into one obligation a conclusion; show one move that is possible."""
        cases = [case for case in self.starts() if case.condition is not False]
        for case in cases:
            if self.split([case], want_models=True)[0]:
                break
        anything = Case((), True, self.before)
        goals = []
        for name, conclusion in self.part["conclusions"]:
            broken = [conjunction([case.condition, negation(self.goal(case, conclusion))]) for case in cases]
            goals.append(Obligation(f"{name} after any move", anything, negation(disjunction(broken)), name))
        self.show_all(anything, goals)

    def decide_cases(self) -> None:
        """Go through the step case by case; stop at the first obligation that fails."""
        step = self.part["step"]
        has_reply = step in ("round", "reply-first")
        starts, impossible = self.split(self.starts(), want_models=not has_reply)
        if has_reply:
            for start in starts:
                self.show_all(start, self.reply_obligations(start))
            if self.outcome.verdict != "proved":
                return
            possible, never = self.split(self.cases(starts), want_models=True)
            impossible += never
        else:
            possible = starts
        if impossible and self.outcome.verdict == "proved":
            nothing = Case((), disjunction([case.condition for case in impossible]), self.before)
            self.show_all(nothing, [Obligation("no other case", nothing, False, "")])
        for case in possible:
            after = f" after {_text(case.moves)}" if case.moves else ""
            conclusions = self.part["conclusions"]
            self.show_all(
                case, [Obligation(name + after, case, self.goal(case, text), name) for name, text in conclusions]
            )

    def split(self, cases: Iterable[Case], *, want_models: bool) -> tuple[list[Case], list[Case]]:
        """Part the cases that can occur under the hypotheses from those that cannot; keep models where wanted.

        Without models, whose turn it is stays out of the question: a case too many is only one more to be decided.
        """
        session = self.session if want_models else self.quick
        names = [name for name in self.names if want_models or name != _TURN]
        possible, impossible = [], []
        for case in cases:
            if case.condition is False:
                continue
            name = f"case {self.asked}"
            self.asked += 1
            session.add(name, write_formula(case.condition))
            answer = session.ask([*names, name], want_model=want_models)
            if answer.outcome == "unknown":
                self.outcome.verdict, self.outcome.reason = "unknown", "resource limit"
            if answer.outcome == "unsat":
                impossible.append(case)
            else:
                possible.append(case)
                if answer.position is not None:
                    self.outcome.models.append((answer.position, case.moves))
        return possible, impossible

    def movers(self) -> list[str]:
        return [self.part["turn"]] if self.part["turn"] else ["X", "O"]

    def starts(self) -> Iterator[Case]:
        """Yield what can precede the claimant's reply: each free move, or nothing at all."""
        step = self.part["step"]
        if step == "move":
            for mover in self.movers():
                turn = [] if self.part["turn"] else [to_move(mover)]
                for move in self.free_moves():
                    yield self.extend(Case((), conjunction(turn), self.before), mover, move, True)
        elif step == "round":
            for move in self.free_moves():
                yield self.extend(Case((), True, self.before), self.opponent(), move, True)
        else:
            yield Case((), True, self.before)

    def cases(self, starts: list[Case]) -> Iterator[Case]:
        """Yield the whole steps of a ``round`` or ``reply-first``."""
        for start in starts:
            if self.part["step"] == "round":
                yield from self.with_replies(start)
            else:
                for replied in self.with_replies(start):
                    for move in self.free_moves():
                        yield self.extend(replied, self.opponent(), move, True)

    def opponent(self) -> str:
        return "O" if self.part["claimant"] == "X" else "X"

    def free_moves(self) -> list[Move]:
        plays = self.part["plays"]
        return [(plays[0], plays[1])] if plays is not None else [(f, s) for f in range(9) for s in range(9)]

    def with_replies(self, case: Case) -> Iterator[Case]:
        for move, condition in replies(self.part["strategy"], case.state, self.before):
            yield self.extend(case, self.part["claimant"], move, condition)

    def extend(self, case: Case, mover: str, move: Move, guard: Any) -> Case:
        condition = conjunction([case.condition, guard, case.state.legal(move)])
        return Case((*case.moves, move), condition, case.state.play(mover, move))

    def goal(self, case: Case, conclusion: Any) -> Any:
        unless = case.state.read(self.part["unless"], self.before)
        return disjunction([unless, case.state.read(conclusion, self.before)])

    def reply_obligations(self, start: Case) -> list[Obligation]:
        """Require that the reply is legal, and that the game does not end before it (``reply-first``: nor with it)."""
        part, before = self.part, self.before
        unless = start.state.read(part["unless"], before)
        choices = [
            (move, when, start.state.legal(move)) for move, when in replies(part["strategy"], start.state, before)
        ]
        has_move = disjunction([when for _, when, _ in choices])
        is_legal = conjunction([disjunction([negation(when), legal]) for _, when, legal in choices])
        goal = disjunction([unless, conjunction([negation(start.state.over()), has_move, is_legal])])
        found = [Obligation(f"legal reply after {_text(start.moves) or 'the position'}", start, goal, "")]
        if part["step"] == "reply-first":
            for case in self.with_replies(start):
                ends = conjunction([case.condition, case.state.over()])
                goes_on = disjunction([case.state.read(part["unless"], before), negation(ends)])
                found.append(Obligation(f"game goes on after {_text(case.moves)}", case, goes_on, ""))
        return found

    def show_all(self, case: Case, obligations: list[Obligation]) -> None:
        """Ask, in one fresh context a case, for a counterexample to each obligation of the case."""
        if self.outcome.verdict != "proved":
            return
        session = Session({name: text for name, text in self.texts.items() if name != _TURN})
        session.add("the case", write_formula(case.condition))
        for index, obligation in enumerate(obligations):
            goal = f"the goal {index}"
            session.add(goal, write_formula(negation(obligation.goal)))
            self.show(session, obligation, goal)
            if self.outcome.verdict != "proved":
                return

    def show(self, session: Session, obligation: Obligation, goal: str) -> None:
        """Keep the minimal core and the text of an obligation that holds; note one that does not."""
        question = [*(name for name in self.names if name != _TURN), "the case", goal]
        answer = session.ask(question)
        if answer.outcome == "sat":
            # Whose turn it is takes arithmetic, which costs time and is hardly ever needed.
            if not session.has(_TURN):
                session.add(_TURN, self.asked_texts[_TURN])
            answer = session.ask([*question, _TURN])
        if answer.outcome == "unsat":
            core = tuple("the goal" if name == goal else name for name in session.minimal_core(answer.core))
            self.outcome.cores[obligation.name] = core
            self.outcome.blocks.append(self.block(obligation, core))
            return
        self.outcome.failed.append(obligation.name)
        if answer.outcome == "unknown":
            if self.outcome.verdict == "proved":
                self.outcome.verdict, self.outcome.reason = "unknown", f"resource limit at {obligation.name!r}"
            return
        if self.outcome.refuting is None:
            own = [write_formula(obligation.case.condition), write_formula(negation(obligation.goal))]
            self.outcome.verdict, self.outcome.reason = "refuted", f"{obligation.name} fails"
            self.outcome.refuting = ([*self.asked_texts.values(), *own], obligation.case.moves, obligation.fails)

    def block(self, obligation: Obligation, core: tuple[str, ...]) -> str:
        case, goal = write_formula(obligation.case.condition), write_formula(negation(obligation.goal))
        texts = {**self.texts, "the case": case, "the goal": goal}
        lines = [f"; {self.part['part']}: {obligation.name}", "(push 1)"]
        for name in core:
            lines.append(f"(assert (! {texts[name]} :named |{name}|))")
        return "\n".join([*lines, "(check-sat)", "(pop 1)", ""])


def _text(moves: tuple[Move, ...]) -> str:
    return " ".join(f"{f}.{s}" for f, s in moves)
