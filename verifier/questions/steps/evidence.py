"""Search for evidence of a claim about steps, and choose what people see of the evidence.

Two solvers help: Z3 says whether each obligation has a solution, and Exact writes refutations of obligations.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from verifier.kernel.certificate import REFUTATIONS_FORMAT, VERSION, hash_bytes
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.obligations import Obligations, derive
from verifier.kernel.relabel import IDENTITY, SYMMETRIES, Relabelling
from verifier.kernel.steps import StepsStatement, find_failures, parse_steps
from verifier.kernel.verdict import Verdict
from verifier.packing import pack
from verifier.questions.finding import Evidence, Finding, ObligationEvidence, Task
from verifier.questions.result import Counterexample, HypothesisUse, ReadingResult
from verifier.search.reach import FailingStep, find_failing_step, find_failure_in_games, find_play, steps_from
from verifier.solver.logs import is_exact_installed
from verifier.solver.trim import find_refutations

if TYPE_CHECKING:
    from verifier.solver.refute import Outcome


def search(task: Task) -> Finding:
    """Decide every part. The first part with a counterexample refutes the reading."""
    from verifier.solver.refute import decide_parts

    statement = parse_steps(task.statement)
    game = statement.game
    models: list[dict[str, Any]] = []
    vacuous = ""
    for index, part in enumerate(statement.parts):
        if part.step == "start":
            try:
                _, failed = find_failures(game, part, game.start, [])
            except CertificateError as error:  # the start does not satisfy the hypotheses, or the other player begins
                vacuous = vacuous or f"{part.name}: vacuous: {error.args[1]}"
                continue
            if failed:
                example = {**_example(game, index, game.start, ()), "fails": failed[0]}
                return Finding(Verdict.REFUTED, f"{failed[0]} fails at the start", {"counterexample": example})
            models.append(_example(game, index, game.start, ()))
    if all(part.step == "start" for part in statement.parts):
        return Finding(Verdict.UNKNOWN, vacuous) if vacuous else Finding(Verdict.PROVED, "", {"models": models})
    images = find_images(task.statement)
    obligations = derive(task.statement, {index for index, _, _ in images})
    outcomes = []
    for outcome in decide_parts(game, obligations):
        if outcome.refuting is not None:
            return _refuted(statement, outcome)
        outcomes.append(outcome)
    if vacuous:  # only now, because a counterexample to another part has precedence
        return Finding(Verdict.UNKNOWN, vacuous)
    for outcome in outcomes:
        if outcome.reason:
            return Finding(Verdict.UNKNOWN, f"{statement.parts[outcome.part].name}: {outcome.reason}")
        model = outcome.model
        moves = next(steps_from(game, statement.parts[outcome.part], model), None)
        if moves is None:
            raise AssertionError(f"the solver's position {game.format_position(model)} has no step")
        models.append(_example(game, outcome.part, model, moves))
    models.sort(key=lambda example: int(example["part"]))
    found = show_obligations(obligations, outcomes)
    evidence: dict[str, Any] = {"models": models, "obligations": found.refuted}
    if images:
        evidence["images"] = images
    answered = Finding(Verdict.PROVED, "", {**evidence, "obligations": found.answered})
    return Finding(Verdict.PROVED, "", evidence, found.files, lambda: answered) if found.files else answered


def show_obligations(obligations: Obligations, outcomes: list[Outcome], *, is_short: bool = True) -> ObligationEvidence:
    """Return the evidence for obligations: the answers of Z3 and, if Exact is installed, refutations.

    Args:
        obligations: the obligations that the kernel derived.
        outcomes: the answers of Z3, in the order of the parts.
        is_short: if True, search longer for shorter refutations (``find_refutations``).
    """
    shown: list[Any] = [
        [part.part, fails, list(core)]
        for part, outcome in zip(obligations.preconditions, outcomes, strict=True)
        for (fails, _), core in zip(part.breaches, outcome.cores, strict=True)
    ]
    listed, cores, has_exact = (
        {"digest": obligations.digest, "shown": shown},
        [c for _, _, c in shown],
        is_exact_installed(),
    )
    refutations = find_refutations(obligations, cores, is_short=is_short) if has_exact else []
    all_open = [is_open for outcome in outcomes for is_open in outcome.is_open]
    together = itertools.zip_longest(shown, refutations, all_open)
    undecided = [(part, fails) for (part, fails, _), steps, is_open in together if steps is None and is_open]
    found = ObligationEvidence(listed, None if any(all_open) else listed, undecided)
    if not has_exact:
        return found
    packed = pack({"format": REFUTATIONS_FORMAT, "version": VERSION, "refutations": refutations})
    name = hash_bytes(packed)
    return replace(found, refuted={**listed, "refutations": name}, files={name: packed})


def _example(game: Game, part: int, position: Any, moves: Iterable[Any]) -> dict[str, Any]:
    formatted = [game.format_move(move) for move in moves]
    return {"part": part, "position": game.format_position(position), "moves": formatted}


def show(task: Task, result: ReadingResult, evidence: Evidence) -> ReadingResult:
    """If the reading is refuted, show the position from which a step fails, and whether legal play reaches it.

    If the reading is proved, compare the hypotheses that the proof uses with the hypotheses that the document cites. If
    the reading is not refuted, add hints.
    """
    if result.verdict != Verdict.REFUTED:
        empty = [
            part["part"] for part in task.statement["parts"] if all(said is True for _, said in part["conclusions"])
        ]
        hints = [f"{name!r} says nothing: what it concludes is true in any position" for name in empty]
        is_shown = result.verdict is Verdict.PROVED  # otherwise the kernel has not checked what the proof needs
        needs = tuple(_compare_hypotheses(task, evidence)) if is_shown else ()
        return replace(result, needs=needs, hints=tuple(hints))
    game, example = parse_rules(task.statement["rules"]), evidence["counterexample"]
    position = after = game.parse_position(example["position"])
    for move in example["moves"]:
        after = game.play(after, game.parse_move(move))
    part = task.statement["parts"][example["part"]]
    line = example.get("line")  # the kernel has followed this line
    reachable, found = find_play(game, position) if line is None else (True, [game.parse_move(move) for move in line])
    return replace(
        result,
        witness=Counterexample(
            part=part["part"],
            position=example["position"],
            moves=tuple(example["moves"]),
            after=game.format_position(after),
            fails=example["fails"],
            is_conclusion=any(example["fails"] == name for name, _ in part["conclusions"]),
            reason=result.reason,
            reachable=reachable,
            line=None if found is None else tuple(game.format_move(move) for move in found),
            kind="counterexample",
        ),
    )


def _compare_hypotheses(task: Task, evidence: Evidence) -> Iterator[HypothesisUse]:
    """Yield, for each part with citations, the hypotheses that the proof uses and the hypotheses that are cited."""
    used: dict[str, set[str]] = {}
    for part, _, core in evidence.get("obligations", {}).get("shown", ()):
        # The conditions on well-formed positions hold anyway: they are not hypotheses of the reading.
        hypotheses = (name for name in core if not name.startswith("position."))
        used.setdefault(task.statement["parts"][part]["part"], set()).update(hypotheses)
    for name, needed in used.items():
        if name in task.compiled.cites:
            yield HypothesisUse(name, tuple(sorted(needed)), tuple(sorted(set(task.compiled.cites[name]))))


def find_images(statement: dict[str, Any]) -> list[list[Any]]:
    """Find parts that are images of earlier parts under a symmetry of the board.

    Returns:
        For each such part: its index, the index of the earlier part, and the permutation, as in certificates.
    """
    parts, game = statement["parts"], parse_rules(statement["rules"])
    if len(parts) == 1 or not game.is_square:  # the kernel accepts images only under symmetries of the square
        return []
    said = Relabelling(game.vocabulary, statement["formulas"])
    images: list[list[Any]] = []
    known: dict[int, tuple[int, str]] = {}
    for index, part in enumerate(parts):
        found = known.get(said.part(part, IDENTITY))
        if found is not None:
            images.append([index, *found])
            continue
        for permutation in SYMMETRIES:
            known.setdefault(said.part(part, permutation), (index, "".join(map(str, permutation))))
    return images


def _refuted(statement: StepsStatement, outcome: Outcome) -> Finding:
    """Refute by the solver's counterexample. If no play reaches it, prefer a counterexample that a play does reach."""
    game, part, position = statement.game, statement.parts[outcome.part], outcome.refuting
    failing = find_failing_step(game, part, position)
    if failing is None:
        raise AssertionError(f"{part.name}: no step fails from {game.format_position(position)}, which a solver found")
    found = FailingStep(outcome.part, position, *failing, find_play(game, position)[1])
    if found.line is None:
        found = find_failure_in_games(statement) or found
    example = {**_example(game, found.part, found.position, found.moves), "fails": found.fails}
    if found.line is not None:
        example["line"] = [game.format_move(move) for move in found.line]
    return Finding(Verdict.REFUTED, f"{statement.parts[found.part].name!r} fails", {"counterexample": example})
