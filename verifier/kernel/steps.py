"""Decide claims about steps: take a step from one position, and test hypotheses before it and conclusions after it.

This module is trusted for two facts. The position of an accepted *model* or counterexample satisfies the hypotheses of
its part. And after the step of a counterexample, a conclusion is false, or the step itself fails. A model shows that
hypotheses do not contradict each other. ``obligations`` derives the obligations: if all of them hold, no
counterexample exists. If each has a refutation (``refutation``), the claim is proved. If a refutation is missing, you
have to trust a solver for that obligation, and the claim is supported. See ``proofs/README.md``, §10.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from verifier.kernel.certificate import Data, FileReader, require_shape
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.formula import FormulaCompiler, Test
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.obligations import ORDER, check_obligations, derive
from verifier.kernel.plays import parse_line
from verifier.kernel.relabel import check_images
from verifier.kernel.strategy import PLAYER, STRATEGY, Strategy, compile_strategy, find_breakdown, read_move
from verifier.kernel.verdict import Belief, Result, Verdict

STEPS = ("none", "start", *ORDER)

MAX_EVIDENCE_WORK, A_POSITION = 200_000_000, 40
"""``MAX_EVIDENCE_WORK`` limits a product: the number of positions in the evidence, times the work for one position.
The work for one position includes computing a fixed number of outcomes (``A_POSITION``)."""

NAMED = [[str, object]]
"""The shape of a list of pairs: a name and a formula."""

_PART = {"part": str, "step": frozenset((*STEPS, "begin")), "claimant": PLAYER, "turn": (PLAYER, None)}
_PART |= {"hypotheses": NAMED, "conclusions": NAMED, "unless": False}
_PART |= {"plays": ([int], None), "strategy": (STRATEGY, None)}

_EXAMPLE = {"part": int, "position": str, "moves": [str]}
"""The shape of a model: the index of a part, a position, the moves of the step. A counterexample has more keys."""

_Named: TypeAlias = tuple[tuple[str, Test], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a statement, ready to be decided."""

    name: str
    step: str
    claimant: str
    turn: str | None
    hypotheses: _Named
    conclusions: _Named
    plays: tuple[int, ...] | None
    strategy: Strategy | None


@dataclass(frozen=True, slots=True)
class StepsStatement:
    """A statement of kind ``steps``, ready to be decided.

    ``size`` is the work for one position, in nodes of formulas. Strategies are counted when they are evaluated.
    """

    game: Game
    parts: tuple[Part, ...]
    size: int
    formulas: FormulaCompiler


def parse_steps(data: Mapping[str, Any], *, is_derived: bool = False) -> StepsStatement:
    """Read a statement. Only a statement that ``invariant`` derives (``is_derived``) may have ``given``."""
    has_start = is_derived and "given" in data
    shape = {"kind": frozenset(["steps"]), "rules": dict, "parts": [_PART], "formulas": list}
    require_shape(data, shape | ({"given": object} if has_start else {}), "steps", is_statement=True)
    if not data["parts"]:
        raise SpecError("a statement without a part says nothing")
    game = parse_rules(data["rules"])
    formulas = FormulaCompiler(game, data["formulas"])
    if has_start:
        formulas.compile(data["given"])
        formulas.has_start = True
    compiled = tuple(_part(formulas, part) for part in data["parts"])
    formulas.close()
    return StepsStatement(game, compiled, formulas.nodes + A_POSITION * game.weight, formulas)


def _part(formulas: FormulaCompiler, data: Any) -> Part:
    step, plays, strategy = data["step"], data["plays"], data["strategy"]
    if step == "begin" and not formulas.has_start:
        raise SpecError(f"the step of a part must be one of {STEPS}")
    if (strategy is None) == ("reply" in ORDER.get(step, ())):
        raise SpecError(f"a step {step!r} {'needs a' if strategy is None else 'takes no'} strategy")
    if len(ORDER.get(step, ())) > 1 and not formulas.game.alternates:
        raise SpecError(f"a step {step!r} needs rules by which the players take turns, but here a move sets 'turn'")
    compiled = None if strategy is None else compile_strategy(formulas, strategy, data["claimant"])
    has_step, said = step in ORDER, data["conclusions"]
    conclusions = tuple((name, formulas.compile(one, is_after_step=has_step)) for name, one in said)
    if not conclusions:
        raise SpecError("a part without a conclusion says nothing")
    hypotheses = tuple((name, formulas.compile(formula)) for name, formula in data["hypotheses"])
    move = None if plays is None else read_move(formulas.game, plays)
    return Part(data["part"], step, data["claimant"], data["turn"], hypotheses, conclusions, move, compiled)


def find_failures(game: Game, part: Part, position: Any, moves: Sequence[Any]) -> tuple[str, list[str]]:
    """Take a part's step from a position; raise if the part is not about the position, or the moves do not fit.

    Return two values. The first is the reason why the step fails, or an empty text. The second is the list of failures:
    that reason, if there is one; otherwise the names of the conclusions that fail.
    """
    text, order = game.format_position(position), ORDER.get(part.step, ())
    if part.turn is not None and game.turn(position) != part.turn:
        raise CertificateError("wrong-turn", f"{part.turn} is not to move in {text}")
    for name, hypothesis in part.hypotheses:
        if not hypothesis(position, position):
            raise CertificateError("hypothesis", f"{name} does not hold in {text}")
    if part.step == "start" and position != game.start:
        raise CertificateError("malformed", f"part {part.name!r} is about the start of the game, not {text}")
    if order and game.is_over(position):
        raise CertificateError("over", f"the game is over in {text}")
    if part.strategy is not None and (game.turn(position) == part.claimant) != (order[0] == "reply"):
        raise CertificateError("wrong-turn", f"the other player is to move in {text}")
    after, pending, failure = position, list(moves), ""
    for kind in order:
        if game.is_over(after):
            failure = "the game ends within the step"
        elif part.strategy is not None and kind == "reply":
            choices = [choice for _, choice in part.strategy(after)]
            fault = find_breakdown(game, after, choices)
            failure = fault and f"the strategy {fault}"
            if not fault and pending and pending[0] not in choices:
                said = f"the strategy allows only {choices}, not {pending[0]}"
                raise CertificateError("not-the-strategy", f"{said}, in {game.format_position(after)}")
        if failure:
            break
        move = pending.pop(0) if pending else None
        if move is None or (kind == "free" and part.plays not in (None, move)):
            raise CertificateError("malformed", f"part {part.name!r}: expected {part.plays or 'a move'}, not {move}")
        after = game.play(after, move)
    if pending:
        raise CertificateError("malformed", "moves follow the end of the step")
    failed = [name for name, test in part.conclusions if not test(after, position)]
    return failure, [failure] if failure else failed


def decide_steps(data: Data, is_proof: bool, evidence: Data, read: FileReader, *_: object) -> Result:
    """Decide a claim: by a counterexample, or by models, images of parts (``relabel``) and evidence for obligations."""
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
    """Return the result, given how many obligations exist and how many are refuted. The others rest on a solver."""
    owed, refuted = counts
    beliefs = frozenset[Belief]() if owed == refuted else frozenset({Belief.SOLVER})
    verdict = Verdict.SUPPORTED if beliefs else Verdict.PROVED
    return Result(verdict, beliefs=beliefs, stats={**stats, "obligations": owed, "refuted": refuted})


def check_models(statement: StepsStatement, models: Sequence[Mapping[str, Any]], images: frozenset[int]) -> None:
    """Check that conclusions hold after each model's step, and that each part has a model or is in ``images``."""
    met = set(images)
    for example in models:
        part, position, _, failed = _take(statement, example, len(models))
        if failed:
            text = statement.game.format_position(position)
            raise CertificateError("engines-disagree", f"the model {text} of {part.name!r} fails: {failed[0]}")
        met.add(example["part"])
    for index, part in enumerate(statement.parts):
        if index not in met:
            raise CertificateError("vacuous-part", f"no model shows that the hypotheses of {part.name!r} can hold")


def check_counterexample(statement: StepsStatement, example: Mapping[str, Any]) -> Result:
    """Check that a counterexample satisfies the hypotheses of its part, and that the failure that it names occurs."""
    part, position, failure, failed = _take(statement, example, 1)
    game, fails = statement.game, example["fails"]
    moves = parse_line(game, example["line"]) if "line" in example else []
    if "line" in example and functools.reduce(game.play, moves, game.start) != position:
        raise CertificateError("not-refuted", "the line does not lead to the position of the counterexample")
    if fails not in failed:
        raise CertificateError("not-refuted", f"{fails!r} of {part.name!r} does not fail; the failures are {failed}")
    shown = failure or f"{fails!r} fails"  # quoted, because names come from files
    return Result(Verdict.REFUTED, f"{part.name!r}: {shown}")


def _take(statement: StepsStatement, example: Mapping[str, Any], count: int) -> tuple[Part, Any, str, list[str]]:
    """Return an example's part and position, and what ``find_failures`` gives. There are ``count`` examples in all."""
    if count * statement.size > MAX_EVIDENCE_WORK:
        most = MAX_EVIDENCE_WORK // statement.size
        raise CertificateError("limit", f"{count:,} positions, but the limit for these formulas is {most:,}")
    if not 0 <= example["part"] < len(statement.parts):
        raise CertificateError("malformed", f"there is no part {example['part']}")
    part, position = statement.parts[example["part"]], statement.game.parse_position(example["position"])
    failure, failed = find_failures(statement.game, part, position, parse_line(statement.game, example["moves"]))
    if statement.formulas.work > MAX_EVIDENCE_WORK:
        said = f"evaluating strategies takes more than {MAX_EVIDENCE_WORK:,} steps: use fewer parts or rules"
        raise CertificateError("limit", said)
    return part, position, failure, failed
