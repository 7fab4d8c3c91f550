"""The obligations of one part of a ``steps`` statement: every case of the step, conclusion by conclusion."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from verifier.kernel.games import parse_rules
from verifier.kernel.games.nested import Nested, Position
from verifier.language.connective import conjunction, disjunction, negation
from verifier.solver.balance import even_out
from verifier.solver.session import MINIMISING_LIMIT, Answer, Session
from verifier.solver.smtlib import write_formula, write_turn
from verifier.solver.state import State, last_mark, marks_counted, replies, to_move, well_formed

Move = tuple[int, int]

_TURN = "position.turn"


@dataclass(frozen=True)
class Case:
    """One way the step can go.

    Attributes:
        turn: who is to move before the step; None: either player.
        moves: the moves of the step.
        condition: when the step can go so, whose turn it is left aside.
        state: the state after the moves.
    """

    turn: str | None
    moves: tuple[Move, ...]
    condition: Any
    state: State

    @functools.cached_property
    def text(self) -> str:
        """The condition, written for the solver."""
        return write_formula(self.condition)


@dataclass(frozen=True)
class Obligation:
    """Something to be shown: under the hypotheses and the case's condition, the goal.

    ``fails`` is what fails where the goal does not hold, in the kernel's words; empty: the kernel says.
    """

    name: str
    case: Case
    goal: Any
    fails: str

    @functools.cached_property
    def text(self) -> str:
        """The goal, negated and written for the solver."""
        return write_formula(negation(self.goal))


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


def decide_parts(statement: dict[str, Any]) -> Iterator[Outcome]:
    """Decide the parts of a compiled ``steps`` statement, one after the other.

    No part is skipped, except the further members of a family one member of which has a counterexample.

    Args:
        statement: as ``kernel.steps`` documents it; a part at the start has a model and no obligations, for the kernel
            needs no solver there.
    """
    rules = parse_rules(statement["rules"])
    if not isinstance(rules, Nested):
        yield from (Outcome("unknown", "only nested rules have a symbolic meaning") for _ in statement["parts"])
        return
    session = Session(_shape_texts(rules))
    fallen: set[str] = set()
    for part in statement["parts"]:
        family = part["part"].split("[")[0]
        if part["step"] == "start":
            yield Outcome(models=[(rules.start, ())])
            continue
        if family in fallen:
            yield Outcome("refuted", "another member of the family fails")
            continue
        with session.scope():
            outcome = _Decision(rules, part, session).decide()
        if outcome.verdict == "refuted":
            fallen.add(family)
        yield outcome


def has_joined_cases(part: dict[str, Any]) -> bool:
    """Say whether the cases of a part are put into one obligation a conclusion: those of a single move, or a reply."""
    return part["step"] == "reply" or (part["step"] == "move" and part["plays"] is None)


class _Decision:
    def __init__(self, rules: Nested, part: dict[str, Any], session: Session) -> None:
        self.part = part
        self.rules = rules
        self.before = State.unknown(rules)
        self.hypotheses: dict[str, Any] = {}
        if part["step"] != "none":
            self.hypotheses["position.open"] = negation(self.before.over())
        for name, formula in part["hypotheses"]:
            self.hypotheses[name] = self.before.read(formula, self.before)
        named = [*part["hypotheses"], *part["conclusions"]]
        self.counts = any(_counts_marks(formula) for _, formula in named)
        if self.counts:
            self.hypotheses["position.sums"] = marks_counted()
        own = {name: write_formula(formula) for name, formula in self.hypotheses.items()}
        if part["turn"]:
            own["position.last"] = _last_text(rules, part["turn"])
        self.texts = {**_shape_texts(rules), **own}
        self.names = list(self.texts)
        self.session = session
        self.has_point = False
        for name, text in own.items():
            session.add(name, text)
        self.outcome = Outcome()

    def decide(self) -> Outcome:
        if has_joined_cases(self.part):
            self.decide_joined()
        else:
            self.decide_cases()
        outcome = self.outcome
        if outcome.verdict == "proved" and not outcome.models:
            outcome.verdict, outcome.reason = "unknown", "vacuous: no step is possible under the hypotheses"
            with self.session.scope():
                satisfiable = self.ask(self.part["turn"], [])
            if satisfiable.outcome == "unsat":
                core = self.session.minimal_core(satisfiable.core)
                outcome.reason = f"vacuous: the hypotheses contradict each other: {', '.join(core)}"
        elif outcome.verdict == "proved" and not self.has_point:
            outcome.verdict, outcome.reason = "unknown", "vacuous: 'unless' lets the conclusions off after every step"
        return outcome

    def decide_joined(self) -> None:
        """Put all moves into one obligation a conclusion; show one move that is possible.

        Where an obligation fails, the moves are looked at one by one, for a counterexample that names its move.
        """
        is_reply = self.part["step"] == "reply"
        start = Case(self.part["turn"], (), True, self.before)
        if is_reply:
            self.show_all(start, self.reply_obligations(start))
            if self.outcome.verdict != "proved":
                return
        moves = self.with_replies(start) if is_reply else self.starts()
        cases = [case for case in moves if case.condition is not False]
        for case in cases:
            if self.split([case], want_models=True)[0] and self.has_point:
                break
        self.show_joined(cases)
        if self.outcome.verdict == "refuted":
            self.outcome = Outcome()
            for case in cases:
                self.show_all(case, self.conclusions(case))

    def show_joined(self, cases: list[Case]) -> None:
        anything = Case(self.part["turn"], (), True, self.before)
        either = self.part["turn"] is None
        turns = {player: to_move(player) if either else True for player in self.movers()}
        goals = []
        for name, conclusion in self.part["conclusions"]:
            broken = [
                conjunction(
                    [turn, disjunction([self.broken(case, conclusion) for case in cases if case.turn == player])]
                )
                for player, turn in turns.items()
            ]
            goals.append(Obligation(f"{name} after any move", anything, negation(disjunction(broken)), name))
        self.show_all(anything, goals)

    def broken(self, case: Case, conclusion: Any) -> Any:
        """Say that a case occurs and a conclusion fails after it."""
        return conjunction([case.condition, negation(self.goal(case, conclusion))])

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
            nothing = Case(self.part["turn"], (), disjunction([case.condition for case in impossible]), self.before)
            self.show_all(nothing, [Obligation("no other case", nothing, False, "")])
        for case in possible:
            self.show_all(case, self.conclusions(case))

    def conclusions(self, case: Case) -> list[Obligation]:
        after = f" after {_text(case.moves)}" if case.moves else ""
        return [Obligation(name + after, case, self.goal(case, text), name) for name, text in self.part["conclusions"]]

    def split(self, cases: Iterable[Case], *, want_models: bool) -> tuple[list[Case], list[Case]]:
        """Part the cases that can occur under the hypotheses from those that cannot; keep models where wanted.

        Without models, whose turn it is stays out of the question: a case too many is only one more to be decided.
        """
        possible, impossible = [], []
        for case in cases:
            if case.condition is False:
                continue
            with self.session.scope():
                self.session.add("the case", case.text)
                answer = self.find_model(case) if want_models else self.ask_quickly(["the case"])
            if answer.outcome == "unknown":
                self.outcome.verdict, self.outcome.reason = "unknown", "resource limit"
            if answer.outcome == "unsat":
                impossible.append(case)
            else:
                possible.append(case)
                if answer.position is not None:
                    self.outcome.models.append((answer.position, case.moves))
                    self.show_point(case)
        return possible, impossible

    def show_point(self, case: Case) -> None:
        """Look for a position after which ``unless`` does not let the conclusions off, until the part has one."""
        if self.has_point:
            return
        point = negation(case.state.read(self.part["unless"], self.before))
        if point is not True:
            narrowed = replace(case, condition=conjunction([case.condition, point]))
            if narrowed.condition is False:
                return
            with self.session.scope():
                self.session.add("the case", narrowed.text)
                answer = self.find_model(narrowed)
            if answer.position is None:
                return
            self.outcome.models.append((answer.position, case.moves))
        self.has_point = True

    def find_model(self, case: Case) -> Answer:
        """Ask for a position in which a case occurs: with any number of marks first, then evened out."""
        answer = self.ask_quickly(["the case"], want_model=True)
        if answer.position is None:
            return answer
        position = even_out(answer.position, case.turn, [case.condition, *self.hypotheses.values()])
        if position and not self.rules.find_fault(position):
            return Answer("sat", position=position)
        return self.ask(case.turn, ["the case"], want_model=True)

    def ask_quickly(self, names: list[str], *, want_model: bool = False) -> Answer:
        """Ask for the hypotheses together with some names, but leave open whose turn it is: that takes arithmetic."""
        return self.session.ask([*self.names, *names], want_model=want_model)

    def turn_text(self, turn: str | None) -> str:
        """Say who is to move, in cardinalities; in plain arithmetic where the part counts marks as well."""
        if self.counts:
            return self.plain_turn(turn)
        either = [f"(and {write_turn(player)} {_last_text(self.rules, player)})" for player in turn or "XO"]
        return either[0] if turn else f"(or {' '.join(either)})"

    def plain_turn(self, turn: str | None) -> str:
        """Say who is to move, in plain arithmetic."""
        players = [conjunction([to_move(player), last_mark(self.rules, player)]) for player in turn or "XO"]
        return write_formula(disjunction(players))

    def ask(self, turn: str | None, names: list[str], *, want_model: bool = False) -> Answer:
        """Ask for all hypotheses together with some names."""
        if not self.session.has(_TURN):
            self.session.add(_TURN, self.turn_text(turn))
        return self.session.ask([*self.names, _TURN, *names], want_model=want_model)

    def movers(self) -> list[str]:
        return [self.part["turn"]] if self.part["turn"] else ["X", "O"]

    def starts(self) -> Iterator[Case]:
        """Yield what can precede the claimant's reply: each free move, or nothing at all."""
        step = self.part["step"]
        if step == "move":
            for mover in self.movers():
                for move in self.free_moves():
                    yield self.extend(Case(mover, (), True, self.before), mover, move, True)
        elif step == "round":
            for move in self.free_moves():
                yield self.extend(Case(self.part["turn"], (), True, self.before), self.opponent(), move, True)
        else:
            yield Case(self.part["turn"], (), True, self.before)

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
        return Case(case.turn, (*case.moves, move), condition, case.state.play(mover, move))

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
        """Ask for a counterexample to each obligation of a case."""
        if self.outcome.verdict != "proved":
            return
        with self.session.scope():
            self.session.add("the case", case.text)
            for obligation in obligations:
                self.session.add("the goal", obligation.text)
                self.show(obligation)
                if self.outcome.verdict != "proved":
                    break

    def show(self, obligation: Obligation) -> None:
        """Keep the minimal core and the text of an obligation that holds; note one that does not."""
        answer = self.ask_quickly(["the case", "the goal"])
        if answer.outcome == "sat":
            answer = self.ask(obligation.case.turn, ["the case", "the goal"])
        if answer.outcome == "unsat":
            # Without the goal the case is possible, so the goal is needed. Where marks are counted, a question whose
            # answer is yes takes long, and the core may keep a name too many.
            resources = MINIMISING_LIMIT // 20 if self.counts else MINIMISING_LIMIT
            core = self.session.minimal_core(answer.core, ("the goal",), resources)
            self.outcome.cores[obligation.name] = core
            self.outcome.blocks.append(self.block(obligation, core))
            return
        self.outcome.failed.append(obligation.name)
        if answer.outcome == "unknown":
            self.outcome.verdict, self.outcome.reason = "unknown", f"resource limit at {obligation.name!r}"
            return
        self.outcome.verdict, self.outcome.reason = "refuted", f"{obligation.name} fails"
        formulas = [*self.texts.values(), self.turn_text(obligation.case.turn), obligation.case.text, obligation.text]
        self.outcome.refuting = (formulas, obligation.case.moves, obligation.fails)

    def block(self, obligation: Obligation, core: tuple[str, ...]) -> str:
        turn = obligation.case.turn
        texts = {**self.texts, "the case": obligation.case.text, "the goal": obligation.text}
        if _TURN in core:
            texts[_TURN] = self.plain_turn(turn)
        lines = [f"; {self.part['part']}: {obligation.name}", "(push 1)"]
        for name in core:
            lines.append(f"(assert (! {texts[name]} :named |{name}|))")
        return "\n".join([*lines, "(check-sat)", "(pop 1)", ""])


@functools.cache
def _shape_texts(rules: Nested) -> dict[str, str]:
    return {name: write_formula(formula) for name, formula in well_formed(rules).items()}


@functools.cache
def _last_text(rules: Nested, turn: str) -> str:
    return write_formula(last_mark(rules, turn))


def _counts_marks(formula: Any) -> bool:
    """Say whether a formula compares numbers of marks."""
    return isinstance(formula, list) and (formula[0] in ("ply", "sum") or any(map(_counts_marks, formula[1:])))


def _text(moves: tuple[Move, ...]) -> str:
    return " ".join(f"{f}.{s}" for f, s in moves)
