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

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.formula import Formulas, Test
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.line import parse_line
from verifier.kernel.obligations import ORDER, check_obligations, derive
from verifier.kernel.relabel import check_images
from verifier.kernel.shape import require_shape
from verifier.kernel.store import Files
from verifier.kernel.strategy import PLAYER, STRATEGY, Strategy, compile_strategy, find_breakdown, read_move
from verifier.kernel.verdict import Belief, Result, Verdict

STEPS = ("none", "start", *ORDER)

MAX_WORK = 200_000_000
"""Positions shown times the nodes of the statement: five times what the largest of the shipped proofs needs."""

A_POSITION = 40
"""How often it is told, for each position shown, how a game stands: also without each of its marks (``find_fault``)."""


NAMED = [[str, object]]
"""The shape of formulas, each with a name before it."""

_PART = {
    "part": str,
    "step": frozenset((*STEPS, "begin")),
    "claimant": PLAYER,
    "turn": (PLAYER, None),
    "hypotheses": NAMED,
    "conclusions": NAMED,
    "unless": object,
    "plays": ([int], None),
    "strategy": (STRATEGY, None),
}

_EXAMPLE = {"part": int, "position": str, "moves": [str]}

Example: TypeAlias = Mapping[str, Any]
"""A position of a part, with the moves of a step."""


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
    """Compile a statement; or one that ``invariant`` derives, which may be of plays from what is ``given``."""
    has_start = is_derived and "given" in data
    shape = {"kind": frozenset(["steps"]), "rules": dict, "parts": [_PART], "formulas?": list}
    require_shape(data, shape | ({"given": object} if has_start else {}), "steps", is_statement=True)
    if not data["parts"]:
        raise SpecError("a statement without a part says nothing")
    game = parse_rules(data["rules"])
    formulas = Formulas(game, data.get("formulas", []))
    if has_start:
        formulas.compile(data["given"])
        formulas.has_start = True
    compiled = tuple(_part(formulas, part) for part in data["parts"])
    formulas.close()
    return StepsStatement(game, compiled, formulas.nodes + A_POSITION * game.weight, formulas)


def _part(formulas: Formulas, data: Any) -> Part:
    step, plays, strategy = data["step"], data["plays"], data["strategy"]
    if step == "begin" and not formulas.has_start:
        raise SpecError(f"a part steps by one of {STEPS}")
    if (strategy is None) == ("reply" in ORDER.get(step, ())):
        raise SpecError(f"a step {step!r} {'needs' if strategy is None else 'takes no'} strategy")
    compiled = None if strategy is None else compile_strategy(formulas, strategy)
    if strategy is not None and strategy["player"] != data["claimant"]:
        raise SpecError("a strategy names its player, and is used as that player's")
    conclusions = _named(formulas, data["conclusions"], is_after_step=step in ORDER)
    if not conclusions:
        raise SpecError("a part without a conclusion says nothing")
    hypotheses = _named(formulas, data["hypotheses"])
    unless = formulas.compile(data["unless"], is_after_step=step in ORDER)
    move = None if plays is None else read_move(formulas.game, plays)
    return Part(data["part"], step, data["claimant"], data["turn"], hypotheses, conclusions, unless, move, compiled)


def _named(formulas: Formulas, data: Any, *, is_after_step: bool = False) -> tuple[tuple[str, Test], ...]:
    return tuple((name, formulas.compile(formula, is_after_step=is_after_step)) for name, formula in data)


def take_step(game: Game, part: Part, position: Any, moves: list[Any]) -> Taken:
    """Take a part's step from a position, which has to be one that the part speaks of."""
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
        after = game.play(after, move)
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
    """Check what stands for a claim about steps: a counterexample, or models and obligations.

    Obligations are there where some part takes more than the starting position, images where there are any.
    """
    statement = parse_steps(data)
    if not is_proof:
        require_shape(evidence, {"counterexample": {**_EXAMPLE, "fails": str, "line?": [str]}}, "the evidence")
        return check_counterexample(statement, evidence["counterexample"])
    images = check_images(statement.game, data, evidence["images"]) if "images" in evidence else frozenset()
    is_owing = any(part.step != "start" and index not in images for index, part in enumerate(statement.parts))
    shape = {"models": [_EXAMPLE], "images?": object} | ({"obligations": dict} if is_owing else {})
    require_shape(evidence, shape, "the evidence")
    check_models(statement, evidence["models"], images)
    counts = check_obligations(derive(data, images), evidence["obligations"], read) if is_owing else (0, 0)
    return result_of(counts, parts=len(statement.parts), images=len(images))


def result_of(counts: tuple[int, int], **stats: int) -> Result:
    """Return what obligations show, given how many there are and are refuted: a solver is believed of the others."""
    stats |= dict(zip(("obligations", "refuted"), counts, strict=True))
    if counts[0] == counts[1]:
        return Result(Verdict.PROVED, stats=stats)
    return Result(Verdict.SUPPORTED, beliefs=frozenset({Belief.SOLVER}), stats=stats)


def check_models(statement: StepsStatement, models: Sequence[Example], images: frozenset[int]) -> None:
    """Check that each part says something: of a position where its hypotheses hold, and where ``unless`` does not.

    The parts that were shown to be images of others under a symmetry need nothing.
    """
    met, seen = set(images), set(images)
    for example in models:
        part, position, taken = _take(statement, example, len(models))
        failed = failed_conclusions(part, position, taken)
        if failed:
            text = statement.game.format_position(position)
            raise CertificateError("engines-disagree", f"{part.name!r}: {failed[0]} fails after {text}")
        met.add(example["part"])
        if not part.unless(taken.after, position):
            seen.add(example["part"])
    for index, part in enumerate(statement.parts):
        if index not in met:
            raise CertificateError("vacuous-part", f"no position is shown where the hypotheses of {part.name!r} hold")
        if index not in seen:
            raise CertificateError("vacuous-unless", f"{part.name!r}: 'unless' holds after every step that is shown")


def check_counterexample(statement: StepsStatement, example: Example) -> Result:
    """Check that a counterexample satisfies the hypotheses of its part and fails what the part concludes."""
    part, position, taken = _take(statement, example, 1)
    game, fails = statement.game, example["fails"]
    moves = parse_line(game, example["line"]) if "line" in example else []
    if "line" in example and functools.reduce(game.play, moves, game.start) != position:
        raise CertificateError("not-refuted", "the line of the counterexample leads to another position")
    failed = failed_conclusions(part, position, taken)
    if fails not in failed:
        raise CertificateError("not-refuted", f"{fails!r} of {part.name!r} does not fail; what fails: {failed}")
    shown = fails if taken.failure else f"{fails!r} fails"  # names come from files, and stand in quotation marks
    return Result(Verdict.REFUTED, f"{part.name!r}: {shown}")


def _take(statement: StepsStatement, example: Example, count: int) -> tuple[Part, Any, Taken]:
    """Return the part and the position of one of so many examples, and the step that is taken there."""
    if count * statement.size > MAX_WORK:
        raise CertificateError("limit", f"{count} positions are too many for formulas of that size")
    if not 0 <= example["part"] < len(statement.parts):
        raise CertificateError("malformed", f"there is no part {example['part']}")
    part, position = statement.parts[example["part"]], statement.game.parse_position(example["position"])
    taken = take_step(statement.game, part, position, parse_line(statement.game, example["moves"]))
    if statement.formulas.work > MAX_WORK:
        raise CertificateError("limit", "the strategies are too large to be asked in so many positions")
    return part, position, taken
