"""Methods ``induction`` and ``entailment``: Z3 decides every case, and the kernel replays every model."""

from __future__ import annotations

from typing import Any

from verifier.checkers.finding import Finding, Task, is_hypothesis, plays_of_strategy
from verifier.kernel.certificate import hash_bytes, pack_text
from verifier.kernel.relabel import IDENTITY, SYMMETRIES, Relabelled
from verifier.kernel.steps import describe_failure, failed_conclusions, parse_steps, take_step
from verifier.kernel.verdict import Verdict
from verifier.spec.compile import Compiled
from verifier.spec.model import Entailment, Induction
from verifier.spec.sharing import unfold
from verifier.symbolic.obligation import Outcome, decide_parts
from verifier.symbolic.smtlib import declarations
from verifier.symbolic.solver import find_small_position, solver_name


def check_steps(task: Task) -> Finding:
    """Decide every part; the first counterexample is the witness."""
    statement = parse_steps(task.statement)
    at_start = _check_start(task)
    if at_start is not None:
        return at_start
    own, images = find_images(task.statement)
    plain = unfold(task.statement)
    outcomes = list(decide_parts({**plain, "parts": [plain["parts"][index] for index in own]}))
    names = [statement.parts[index].name for index in own]
    stats = {
        "parts": len(statement.parts),
        "obligations": sum(len(outcome.blocks) + len(outcome.failed) for outcome in outcomes),
        "failed": sum(len(outcome.failed) for outcome in outcomes),
        "cases": sum(len(outcome.models) for outcome in outcomes),
    }
    notes = tuple(_notes(task.compiled, names, outcomes))
    for index, outcome in zip(own, outcomes, strict=False):
        if outcome.refuting is not None:
            return _refuted(task, index, outcome.refuting, stats, notes)
    for name, outcome in zip(names, outcomes, strict=True):
        if outcome.verdict != "proved":
            return Finding(Verdict.UNKNOWN, f"{name}: {outcome.reason}", stats=stats, notes=notes)
    text = _smtlib(task, outcomes)
    path = f"{task.folder}/obligations.smt2.gz"
    game = statement.game
    evidence = {
        "solver": solver_name(),
        "obligations": stats["obligations"],
        "file": {"path": path, "sha256": hash_bytes(text)},
        "models": [
            {"part": index, "position": game.format_position(p), "moves": [game.format_move(move) for move in moves]}
            for index, outcome in zip(own, outcomes, strict=True)
            for p, moves in outcome.models
        ],
        "cores": [[names[i], name, list(core)] for i, o in enumerate(outcomes) for name, core in o.cores.items()],
    }
    if images:
        evidence["images"] = images
    return Finding(Verdict.PROVED, "", evidence, {path: text}, stats, notes=notes)


def find_images(statement: dict[str, Any]) -> tuple[list[int], list[list[Any]]]:
    """Find parts that are images of earlier ones under a symmetry of the board.

    Returns:
        The indices of the other parts, and for each image its index, that of the part it is an image of, and the
        permutation, as the kernel reads it.
    """
    parts, said = statement["parts"], Relabelled(statement["formulas"], keeps_lines=True)
    own: list[int] = []
    images: list[list[Any]] = []
    known: dict[str, tuple[int, str]] = {}
    for index, part in enumerate(parts):
        found = known.get(said.part(part, IDENTITY)) if len(parts) > 1 else None
        if found is not None:
            images.append([index, *found])
            continue
        own.append(index)
        for permutation in SYMMETRIES if len(parts) > 1 else ():
            known.setdefault(said.part(part, permutation), (index, "".join(map(str, permutation))))
    return own, images


def _check_start(task: Task) -> Finding | None:
    """Evaluate the parts about the starting position; decide where one fails, or where there are no others."""
    statement = parse_steps(task.statement)
    game = statement.game
    start = game.format_position(game.start)
    models: list[dict[str, Any]] = []
    for index, part in enumerate(statement.parts):
        if part.step != "start":
            continue
        failed = failed_conclusions(part, game.start, take_step(game, part, game.start, []))
        if failed:
            example = {"part": index, "position": start, "moves": [], "fails": failed[0]}
            return Finding(Verdict.REFUTED, f"{failed[0]} fails at the start", {"counterexample": example})
        models.append({"part": index, "position": start, "moves": []})
    if len(models) < len(statement.parts):
        return None
    return Finding(Verdict.PROVED, "", {"models": models}, stats={"parts": len(statement.parts)})


def _refuted(task: Task, index: int, refuting: Any, stats: dict[str, int], notes: tuple[str, ...]) -> Finding:
    statement = parse_steps(task.statement)
    game, part = statement.game, statement.parts[index]
    formulas, moves, fails = refuting
    position, is_fewest = find_small_position(formulas)
    if position is None:
        return Finding(
            Verdict.UNKNOWN, f"{part.name}: no counterexample within the resource limit", stats=stats, notes=notes
        )
    taken = take_step(game, part, position, list(moves))
    failed = failed_conclusions(part, position, taken)
    fails = fails or (failed[0] if failed else "")
    example = {
        "part": index,
        "position": game.format_position(position),
        "moves": [game.format_move(move) for move in moves],
        "fails": fails,
    }
    reachable, line = _reachable(task, position)
    witness = {
        "kind": "counterexample",
        **example,
        "part": part.name,
        "after": game.format_position(taken.after),
        "reason": describe_failure(part, fails),
        "fewest_marks": is_fewest,
        "reachable": reachable,
        "line": line,
    }
    return Finding(
        Verdict.REFUTED, describe_failure(part, fails), {"counterexample": example}, {}, stats, witness, notes
    )


def _reachable(task: Task, position: Any) -> tuple[bool | None, list[str] | None]:
    """Say whether a position is met in the named strategy's play, and how; None where no strategy is named."""
    reading = task.reading
    if not isinstance(reading, Induction | Entailment) or reading.reachable_in is None:
        return None, None
    found = task.shared.explore(plays_of_strategy(task.library, reading.reachable_in, task.statement["rules"]))
    if position not in found.edges:
        return False, None
    game = found.statement.game
    return True, [game.format_move(move) for move in found.line_to(position)]


def _smtlib(task: Task, outcomes: list[Outcome]) -> bytes:
    header = [
        f"; {task.claim}, reading {task.name}: each (check-sat) is one obligation, and each answer has to be unsat.",
        "; A name in bars is the hypothesis that an assertion comes from; 'the goal' is what is shown, negated.",
        "(set-option :produce-unsat-cores true)",
        "(set-logic QF_LIA)",
    ]
    blocks = [block for outcome in outcomes for block in outcome.blocks]
    return pack_text(("\n".join(header) + "\n" + declarations() + "\n" + "\n".join(blocks)).encode())


def _notes(compiled: Compiled, names: list[str], outcomes: list[Outcome]) -> list[str]:
    """Compare, for each part that cites hypotheses, what was needed with what the source names."""
    notes = []
    for name, outcome in zip(names, outcomes, strict=True):
        if outcome.failed:
            notes.append(f"{name}: {outcome.failed[0]!r} fails")
        if name in compiled.cites and not outcome.failed:
            used = {item for core in outcome.cores.values() for item in core if is_hypothesis(item)}
            cited = set(compiled.cites[name])
            more, less = sorted(used - cited), sorted(cited - used)
            notes.append(
                f"{name}: needs {', '.join(sorted(used)) or 'nothing'}"
                + (f"; not cited: {', '.join(more)}" if more else "")
                + (f"; cited, not needed: {', '.join(less)}" if less else "")
            )
    return notes
