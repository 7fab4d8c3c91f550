"""Decide claims about steps: take a step from a single position, and hold hypotheses and conclusions against it.

Trusted for: that a model satisfies the hypotheses it is shown for, and that a counterexample (to an entailment, or to
an induction step: a CTI) is one. That no counterexample exists is what the obligations say that ``obligations``
derives. Where all come with a refutation (``refutation``), the claim is proved; where not, that they are unsatisfiable
is a solver's word. A statement is JSON, its rules as ``games`` reads them::

    {"kind": "steps", "rules": RULES, "formulas": [FORMULA, ...], "parts": [{"part": NAME, "step": STEP,
     "claimant": "X", "turn": "X" | "O" | null, "hypotheses": [[NAME, FORMULA], ...],
     "conclusions": [[NAME, FORMULA], ...], "unless": FORMULA, "plays": MOVE or null, "strategy": STRATEGY or null}]}

Steps: ``none`` (the position itself), ``start`` (the starting position itself), ``move`` (one legal move), ``reply``
(the claimant's move by the strategy), ``round`` (a legal move of the opponent, then the claimant's reply),
``reply-first`` (the other way round).
``plays`` fixes the free move. ``turn`` is who is to move before the step. A conclusion need not hold where ``unless``
does, nor a step be gone on with that has come so far: the game may end within it there, or the strategy have no move.
``old`` inside one means the position before the step.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from verifier.kernel.errors import CertificateError, IllegalMoveError, NotationError, SpecError
from verifier.kernel.formula import Formulas, Test
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.line import parse_line
from verifier.kernel.obligations import ORDER, check_obligations, derive
from verifier.kernel.relabel import check_images
from verifier.kernel.store import Files
from verifier.kernel.strategy import Strategy, compile_strategy, find_breakdown, read_move
from verifier.kernel.verdict import Belief, Result, Verdict

STEPS = ("none", "start", *ORDER)


MAX_WORK = 200_000_000
"""Positions shown times the nodes of the statement: five times what the largest of the shipped proofs needs."""

A_POSITION = 40
"""How often it is told, for each position shown, how a game stands: also without each of its marks (``find_fault``)."""


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
    """A statement of kind ``steps``, compiled; ``size`` is how many nodes of formulas a position costs.

    What its strategies cost ``formulas`` count, as they are asked.
    """

    game: Game
    parts: tuple[Part, ...]
    size: int
    formulas: Formulas


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that was taken: the position after it, and why it is not a step of the claim (empty where it is one)."""

    after: Any
    failure: str


def parse_steps(data: Mapping[str, Any], *, is_derived: bool = False) -> StepsStatement:
    """Compile a statement.

    Args:
        data: the statement.
        is_derived: whether it may be one that ``invariant`` derives: of plays from all positions that are ``given``.

    Raises:
        SpecError: it is not well formed.
    """
    parts, has_start = data.get("parts"), is_derived and "given" in data
    if (
        data.get("kind") != "steps"
        or set(data) - {"formulas"} - ({"given"} if has_start else set()) != {"kind", "rules", "parts"}
        or not isinstance(parts, list)
        or not parts
    ):
        raise SpecError("the statement is not one of kind 'steps' with 'rules' and a list of 'parts'")
    game = parse_rules(data["rules"])
    formulas = Formulas(game, data.get("formulas", []))
    if has_start:
        formulas.compile(data["given"])
        formulas.has_start = True
    compiled = tuple(_part(formulas, part) for part in parts)
    formulas.close()
    return StepsStatement(game, compiled, formulas.nodes + A_POSITION * game.weight, formulas)


def _part(formulas: Formulas, data: Any) -> Part:
    keys = {"part", "step", "claimant", "turn", "hypotheses", "conclusions", "unless", "plays", "strategy"}
    if not isinstance(data, dict) or set(data) != keys:
        raise SpecError(f"a part has the keys {sorted(keys)}")
    step, turn, plays = data["step"], data["turn"], data["plays"]
    known = (*STEPS, "begin") if formulas.has_start else STEPS
    if step not in known or turn not in ("X", "O", None) or data["claimant"] not in ("X", "O"):
        raise SpecError(f"a part steps by one of {STEPS}, and names players X and O")
    if (data["strategy"] is None) == (step in ("reply", "round", "reply-first")):
        raise SpecError(f"a step {step!r} {'needs' if data['strategy'] is None else 'takes no'} strategy")
    strategy = None if data["strategy"] is None else compile_strategy(formulas, data["strategy"])
    if strategy is not None and data["strategy"].get("player") != data["claimant"]:
        raise SpecError("a strategy names its player, and is used as that player's")
    is_after_step = step in ORDER
    conclusions = _named(formulas, data["conclusions"], is_after_step=is_after_step)
    if not conclusions:
        raise SpecError("a part without a conclusion says nothing")
    return Part(
        str(data["part"]),
        step,
        data["claimant"],
        turn,
        _named(formulas, data["hypotheses"]),
        conclusions,
        formulas.compile(data["unless"], is_after_step=is_after_step),
        None if plays is None else read_move(formulas.game, plays),
        strategy,
    )


def _named(formulas: Formulas, data: Any, *, is_after_step: bool = False) -> tuple[tuple[str, Test], ...]:
    if not isinstance(data, list) or not all(
        isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) for item in data
    ):
        raise SpecError("hypotheses and conclusions are lists of a name and a formula")
    return tuple((name, formulas.compile(formula, is_after_step=is_after_step)) for name, formula in data)


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
    order, failure = ORDER[part.step], ""
    if part.strategy is not None and (game.turn(position) == part.claimant) != (order[0] == "reply"):
        raise CertificateError("wrong-turn", f"the other player is to move in {game.format_position(position)}")
    after = position
    pending = list(moves)
    for kind in order:
        if game.is_over(after):
            failure = "the game ends within the step"
        elif part.strategy is not None and kind == "reply":
            choices = [choice for _, choice in part.strategy(after)]
            fault = find_breakdown(game, after, choices)
            failure = fault and f"the strategy {fault}"
            if not fault and pending and pending[0] not in choices:
                raise CertificateError("not-the-strategy", f"{pending[0]} in {game.format_position(after)}: {choices}")
        if failure:
            break
        if not pending:
            raise CertificateError("malformed", f"part {part.name!r}: a move is missing")
        move = pending.pop(0)
        if kind == "free" and part.plays not in (None, move):
            raise CertificateError("malformed", f"part {part.name!r} is about the move {part.plays}, not {move}")
        try:
            after = game.play(after, move)
        except IllegalMoveError as error:
            raise CertificateError("illegal-move", str(error)) from None
    if pending:
        raise CertificateError("malformed", "moves follow the end of the step")
    return Taken(after, failure)


def failed_conclusions(part: Part, before: Any, taken: Taken) -> list[str]:
    """Return what does not hold after a step: names of conclusions, or why the step itself fails."""
    if part.unless(taken.after, before):
        return []
    if taken.failure:
        return [taken.failure]
    return [name for name, test in part.conclusions if not test(taken.after, before)]


def check_steps(data: Mapping[str, Any], is_proof: bool, evidence: Mapping[str, Any], read: Files) -> Result:
    """Check what stands for a claim about steps: a counterexample, or models and the obligations of a solver.

    Args:
        data: the statement.
        is_proof: whether it is to be proved; otherwise it is to be refuted.
        evidence: ``{"counterexample": EXAMPLE}``; or ``{"models": [EXAMPLE, …], "obligations": …, "images": [IMAGE,
            …]}``, obligations (``check_obligations``) only where a part takes more than the starting position; images
            only where there are any.
        read: reads the refutations of obligations.

    Raises:
        CertificateError: it does not stand.
    """
    statement = parse_steps(data)
    if not is_proof:
        if set(evidence) != {"counterexample"}:
            raise CertificateError("malformed", "a claim about steps is refuted by a counterexample, and nothing more")
        return check_counterexample(statement, evidence["counterexample"])
    images = check_images(statement.game, data, evidence["images"]) if "images" in evidence else frozenset()
    is_owing = any(part.step != "start" and index not in images for index, part in enumerate(statement.parts))
    needed = {"models", "obligations"} if is_owing else {"models"}
    if not needed <= set(evidence) <= needed | {"images"}:
        raise CertificateError("malformed", f"a claim about steps is shown by {sorted(needed)}, not {sorted(evidence)}")
    check_models(statement, evidence["models"], images)
    stats = {"parts": len(statement.parts), "refuted": 0}
    if not is_owing:
        return Result(Verdict.PROVED, stats=stats)
    stats["obligations"], stats["refuted"] = check_obligations(derive(data, images), evidence["obligations"], read)
    stats["images"] = len(images)
    if stats["refuted"] == stats["obligations"]:
        return Result(Verdict.PROVED, stats=stats)
    return Result(Verdict.SUPPORTED, beliefs=frozenset({Belief.SOLVER}), stats=stats)


def check_models(statement: StepsStatement, models: object, images: frozenset[int]) -> None:
    """Check that each part says something: of a position where its hypotheses hold, and where ``unless`` does not.

    Args:
        statement: what is claimed.
        models: positions, each of a part, with the moves of a step.
        images: the parts that were shown to be images of others under a symmetry: they need nothing.

    Raises:
        CertificateError: ``vacuous-part`` (no model), ``vacuous-unless`` (in all of them the conclusions are let off),
            or a model is none, or it contradicts the claim.
    """
    met, seen = set(images), set(images)
    for index, position, moves, _ in _examples(statement, models):
        part = statement.parts[index]
        taken = take_step(statement.game, part, position, moves)
        if statement.formulas.work > MAX_WORK:
            raise CertificateError("limit", "the strategies are too large to be asked in so many positions")
        failed = failed_conclusions(part, position, taken)
        if failed:
            text = statement.game.format_position(position)
            raise CertificateError("engines-disagree", f"{part.name!r}: {failed[0]} fails after {text}")
        met.add(index)
        if not part.unless(taken.after, position):
            seen.add(index)
    for index, part in enumerate(statement.parts):
        if index not in met:
            raise CertificateError("vacuous-part", f"no position is shown where the hypotheses of {part.name!r} hold")
        if index not in seen:
            raise CertificateError("vacuous-unless", f"{part.name!r}: 'unless' holds after every step that is shown")


def check_counterexample(statement: StepsStatement, example: object) -> Result:
    """Check that a counterexample satisfies the hypotheses of its part and fails what the part concludes.

    Raises:
        CertificateError: it does not.
    """
    index, position, moves, fails = _examples(statement, [example], {"fails"}, {"line"})[0]
    part = statement.parts[index]
    if isinstance(example, dict) and "line" in example:
        _require_reached(statement.game, parse_line(statement.game, example["line"]), position)
    taken = take_step(statement.game, part, position, moves)
    failed = failed_conclusions(part, position, taken)
    if fails not in failed:
        raise CertificateError("not-refuted", f"{fails!r} of {part.name!r} does not fail; what fails: {failed}")
    shown = fails if taken.failure else f"{fails!r} fails"  # names come from files, and stand in quotation marks
    return Result(Verdict.REFUTED, f"{part.name!r}: {shown}")


def _require_reached(game: Game, line: list[Any], position: Any) -> None:
    reached = game.start
    try:
        for move in line:
            reached = game.play(reached, move)
    except IllegalMoveError as error:
        raise CertificateError("illegal-move", str(error)) from None
    if reached != position:
        raise CertificateError("not-refuted", "the line of the counterexample leads to another position")


def _examples(
    statement: StepsStatement, data: object, more: Set[str] = frozenset(), optional: Set[str] = frozenset()
) -> list[tuple[int, Any, list[Any], str]]:
    needed = {"part", "position", "moves"} | more
    if not isinstance(data, list) or not data or not all(isinstance(item, dict) for item in data):
        raise CertificateError("malformed", "a list of positions is missing")
    if len(data) * statement.size > MAX_WORK:
        raise CertificateError("limit", f"{len(data)} positions are too many for formulas of that size")
    found = []
    for item in data:
        if not needed <= set(item) <= needed | optional:
            raise CertificateError("malformed", f"a position has the keys {sorted(needed)}, not {sorted(item)!r:.99}")
        index = item["part"]
        if type(index) is not int or not 0 <= index < len(statement.parts):
            raise CertificateError("malformed", f"there is no part {str(index)[:20]}")
        try:
            position = statement.game.parse_position(str(item["position"]))
        except NotationError as error:
            raise CertificateError("malformed", str(error)) from None
        found.append((index, position, parse_line(statement.game, item["moves"]), str(item.get("fails", ""))))
    return found
