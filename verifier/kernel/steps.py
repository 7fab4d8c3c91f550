"""Decide claims about steps: take a step from a single position, and hold hypotheses and conclusions against it.

Trusted for: that a model satisfies the hypotheses it is shown for, and that a counterexample (to an entailment, or to
an induction step: a CTI) is one. The kernel does not prove that no counterexample exists: for that the SMT-LIB
obligations stand, and the result's trust line says so. A statement is JSON::

    {"kind": "steps", "rules": NAME, "formulas": [FORMULA, ...], "parts": [{"part": NAME, "step": STEP,
     "claimant": "X", "turn": "X" | "O" | null, "hypotheses": [[NAME, FORMULA], ...],
     "conclusions": [[NAME, FORMULA], ...], "unless": FORMULA, "plays": MOVE or null, "strategy": STRATEGY or null}]}

Steps: ``none`` (the position itself), ``start`` (the starting position itself), ``move`` (one legal move), ``reply``
(the claimant's move by the strategy), ``round`` (a legal move of the opponent, then the claimant's reply),
``reply-first`` (the other way round).
``plays`` fixes the free move. ``turn`` is who is to move before the step. A conclusion need not hold where ``unless``
does, and ``old`` inside one means the position before the step.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifier.kernel.errors import CertificateError, IllegalMoveError, NotationError, SpecError
from verifier.kernel.formula import Formulas, Test
from verifier.kernel.games import Game, find_rules
from verifier.kernel.strategy import Strategy, compile_strategy
from verifier.kernel.verdict import Result, Verdict

STEPS = ("none", "start", "move", "reply", "round", "reply-first")

_ORDER = {
    "move": ("free",),
    "reply": ("reply",),
    "round": ("free", "reply"),
    "reply-first": ("reply", "free"),
}

TRUST_START = "the kernel's evaluation of the starting position"
TRUST_REPLAY = "the kernel's rules: it replays the counterexample"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a statement, compiled."""

    name: str
    step: str
    claimant: str
    turn: str | None
    hypotheses: tuple[tuple[str, Test], ...]
    conclusions: tuple[tuple[str, Test], ...]
    unless: Test
    plays: tuple[int, ...] | None
    strategy: Strategy | None


@dataclass(frozen=True, slots=True)
class StepsStatement:
    """A statement of kind ``steps``, compiled."""

    game: Game
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that was taken: the position after it, and why it is no step of the claim (empty where it is one)."""

    after: Any
    failure: str


def parse_steps(data: Mapping[str, Any]) -> StepsStatement:
    """Compile a statement.

    Raises:
        SpecError: it is not well formed.
    """
    parts = data.get("parts")
    if (
        data.get("kind") != "steps"
        or set(data) - {"formulas"} != {"kind", "rules", "parts"}
        or not isinstance(parts, list)
        or not parts
    ):
        raise SpecError("the statement is not one of kind 'steps' with 'rules' and a list of 'parts'")
    game = find_rules(data["rules"])
    formulas = Formulas(game, data.get("formulas", []))
    statement = StepsStatement(game, tuple(_part(formulas, part) for part in parts))
    formulas.close()
    return statement


def _part(formulas: Formulas, data: Any) -> Part:
    keys = {"part", "step", "claimant", "turn", "hypotheses", "conclusions", "unless", "plays", "strategy"}
    if not isinstance(data, dict) or set(data) != keys:
        raise SpecError(f"a part has the keys {sorted(keys)}")
    step, turn, plays = data["step"], data["turn"], data["plays"]
    if step not in STEPS or turn not in ("X", "O", None) or data["claimant"] not in ("X", "O"):
        raise SpecError(f"a part steps by one of {STEPS}, and names players X and O")
    if (data["strategy"] is None) == (step in ("reply", "round", "reply-first")):
        raise SpecError(f"a step {step!r} {'needs' if data['strategy'] is None else 'takes no'} strategy")
    if plays is not None and not (isinstance(plays, list) and all(type(part) is int for part in plays)):
        raise SpecError(f"{str(plays)[:40]!r} is no move")
    strategy = None if data["strategy"] is None else compile_strategy(formulas, data["strategy"])
    if strategy is not None and data["strategy"].get("player") != data["claimant"]:
        raise SpecError("a strategy names its player, and is used as that player's")
    conclusions = _named(formulas, data["conclusions"])
    if not conclusions:
        raise SpecError("a part without a conclusion says nothing")
    return Part(
        str(data["part"]),
        step,
        data["claimant"],
        turn,
        _named(formulas, data["hypotheses"]),
        conclusions,
        formulas.compile(data["unless"]),
        None if plays is None else tuple(plays),
        strategy,
    )


def _named(formulas: Formulas, data: Any) -> tuple[tuple[str, Test], ...]:
    if not isinstance(data, list) or not all(isinstance(item, list) and len(item) == 2 for item in data):
        raise SpecError("hypotheses and conclusions are lists of a name and a formula")
    return tuple((str(name), formulas.compile(formula)) for name, formula in data)


def take_step(game: Game, part: Part, position: Any, moves: list[Any]) -> Taken:
    """Take a part's step from a position.

    Raises:
        CertificateError: the position is not one the part speaks of, or the moves are not a step of it.
    """
    if part.turn is not None and game.turn(position) != part.turn:
        raise CertificateError("wrong-turn", f"{part.turn} is not to move in {game.format_position(position)}")
    for name, hypothesis in part.hypotheses:
        if not hypothesis(position, position):
            raise CertificateError("hypothesis", f"{name} does not hold in {game.format_position(position)}")
    if part.step in ("none", "start"):
        if moves or (part.step == "start" and position != game.start):
            raise CertificateError("malformed", f"part {part.name!r} takes no step")
        return Taken(position, "")
    if game.is_over(position):
        raise CertificateError("over", f"the game is over in {game.format_position(position)}")
    opponent = "O" if part.claimant == "X" else "X"
    first = {"round": opponent, "reply": part.claimant, "reply-first": part.claimant}.get(part.step)
    if first is not None and game.turn(position) != first:
        raise CertificateError("wrong-turn", f"{first} is not to move in {game.format_position(position)}")
    order = _ORDER[part.step]
    after = position
    pending = list(moves)
    for kind in order:
        if game.is_over(after):
            return _finish(pending, after, "the game ends within the step")
        if kind == "reply":
            failure = _reply_failure(game, part, after, pending)
            if failure:
                return _finish(pending, after, failure)
        if not pending:
            raise CertificateError("malformed", f"part {part.name!r}: a move is missing")
        move = pending.pop(0)
        if kind == "free" and part.plays not in (None, move):
            raise CertificateError("malformed", f"part {part.name!r} is about the move {part.plays}, not {move}")
        try:
            after = game.play(after, move)
        except IllegalMoveError as error:
            raise CertificateError("illegal-move", str(error)) from None
    return _finish(pending, after, "")


def _finish(pending: list[Any], after: Any, failure: str) -> Taken:
    if pending:
        raise CertificateError("malformed", "moves follow the end of the step")
    return Taken(after, failure)


def _reply_failure(game: Game, part: Part, position: Any, pending: list[Any]) -> str:
    choices = [move for _, move in part.strategy(position)] if part.strategy else []
    if not choices:
        return "the strategy has no move"
    illegal = [move for move in choices if move not in game.legal_moves(position)]
    if illegal:
        return f"the strategy names the illegal move {game.format_move(illegal[0])}"
    if pending and pending[0] not in choices:
        raise CertificateError("not-the-strategy", f"{pending[0]} in {game.format_position(position)}: {choices}")
    return ""


def failed_conclusions(part: Part, before: Any, taken: Taken) -> list[str]:
    """Return what does not hold after a step: names of conclusions, or why the step itself fails."""
    if part.unless(taken.after, before):
        return []
    if taken.failure:
        return [taken.failure]
    return [name for name, test in part.conclusions if not test(taken.after, before)]


def describe_failure(part: Part, fails: str) -> str:
    """Say what a counterexample shows of a part: that a conclusion fails, or why the step itself does."""
    is_conclusion = any(fails == name for name, _ in part.conclusions)
    return f"{part.name}: {fails}" + (" fails" if is_conclusion else "")


def check_models(
    statement: StepsStatement, evidence: Mapping[str, Any], images: frozenset[int] = frozenset()
) -> Result:
    """Check what a proof leaves: for each part a position where its hypotheses hold and its conclusions follow.

    Args:
        statement: what is claimed.
        evidence: the models, and what the solver was asked.
        images: the parts that were shown to be images of others under a symmetry: they need nothing.

    Raises:
        CertificateError: ``vacuous`` (a part without a model), or a model is none, or it contradicts the claim.
    """
    seen = set(images)
    for index, position, moves, _ in _examples(statement, evidence.get("models")):
        part = statement.parts[index]
        taken = take_step(statement.game, part, position, moves)
        failed = failed_conclusions(part, position, taken)
        if failed:
            text = statement.game.format_position(position)
            raise CertificateError("engines-disagree", f"{part.name!r}: {failed[0]} fails after {text}")
        seen.add(index)
    for index, part in enumerate(statement.parts):
        if index not in seen:
            raise CertificateError("vacuous", f"no position is shown where the hypotheses of {part.name!r} hold")
    if all(part.step == "start" for part in statement.parts):
        return Result(Verdict.PROVED, "", TRUST_START, {"parts": len(statement.parts)})
    solver, count = evidence.get("solver"), evidence.get("obligations")
    owing = sum(part.step != "start" and index not in images for index, part in enumerate(statement.parts))
    if (
        not isinstance(solver, str)
        or not re.fullmatch(r"[A-Za-z0-9 .-]{1,40}", solver)
        or type(count) is not int
        or count < max(1, owing)
    ):
        raise CertificateError("malformed", f"the evidence names no solver, or no obligation for each of {owing} parts")
    trust = f"{solver} alone for {count} obligations; the kernel replays the models of the hypotheses"
    if images:
        trust += f", and moves {len(statement.parts) - len(images)} parts to {len(images)} others by symmetry"
    return Result(Verdict.PROVED, "", trust, {"parts": len(statement.parts), "obligations": count})


def check_counterexample(statement: StepsStatement, evidence: Mapping[str, Any]) -> Result:
    """Check that a counterexample satisfies the hypotheses of its part and fails what the part concludes.

    Raises:
        CertificateError: it does not.
    """
    examples = _examples(statement, [evidence.get("counterexample")])
    index, position, moves, fails = examples[0]
    part = statement.parts[index]
    taken = take_step(statement.game, part, position, moves)
    failed = failed_conclusions(part, position, taken)
    if fails not in failed:
        raise CertificateError("not-refuted", f"{fails!r} of {part.name!r} does not fail; what fails: {failed}")
    return Result(Verdict.REFUTED, describe_failure(part, fails), TRUST_REPLAY)


def _examples(statement: StepsStatement, data: object) -> list[tuple[int, Any, list[Any], str]]:
    if not isinstance(data, list) or not data or not all(isinstance(item, dict) for item in data):
        raise CertificateError("malformed", "a list of positions is missing")
    found = []
    for item in data:
        index, moves = item.get("part"), item.get("moves")
        if type(index) is not int or not 0 <= index < len(statement.parts):
            raise CertificateError("malformed", f"there is no part {str(index)[:20]}")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise CertificateError("malformed", "the moves of a step are a list of moves")
        try:
            position = statement.game.parse_position(str(item.get("position")))
            found.append((index, position, [statement.game.parse_move(m) for m in moves], str(item.get("fails", ""))))
        except NotationError as error:
            raise CertificateError("malformed", str(error)) from None
    return found
