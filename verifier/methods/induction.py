"""Method ``induction``: Z3 decides every case of a step, and the kernel replays every model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from verifier.kernel.certificate import hash_bytes, pack_text
from verifier.kernel.errors import IllegalMoveError, NotationError
from verifier.kernel.games import Game, parse_rules
from verifier.kernel.relabel import IDENTITY, SYMMETRIES, Relabelled
from verifier.kernel.steps import describe_failure, failed_conclusions, parse_steps, take_step
from verifier.kernel.store import OBLIGATIONS
from verifier.kernel.verdict import Result, Verdict
from verifier.language.sharing import unfold
from verifier.methods.finding import Evidence, Finding, Task
from verifier.methods.method import Method
from verifier.methods.shown import Shown, find_line, is_hypothesis, read_cores
from verifier.methods.witness import Counterexample, Needs
from verifier.search.random_games import find_failure

if TYPE_CHECKING:
    from verifier.solver.obligation import Outcome


def search(task: Task) -> Finding:
    """Decide every part; the first counterexample is the witness."""
    from verifier.solver.obligation import decide_parts

    statement = parse_steps(task.statement)
    at_start = _check_start(task)
    if at_start is not None:
        return at_start
    own, images = find_images(task.statement)
    plain = unfold(task.statement)
    outcomes = list(decide_parts({**plain, "parts": [plain["parts"][index] for index in own]}))
    names = [statement.parts[index].name for index in own]
    for index, outcome in zip(own, outcomes, strict=False):
        if outcome.refuting is not None:
            return _refuted(task, index, outcome.refuting)
    for name, outcome in zip(names, outcomes, strict=True):
        if outcome.verdict != "proved":
            return Finding(Verdict.UNKNOWN, f"{name}: {outcome.reason}")
    text = _smtlib(outcomes)
    digest = hash_bytes(text)
    game = statement.game
    evidence = {
        "file": digest,
        "models": [
            {"part": index, "position": game.format_position(p), "moves": [game.format_move(move) for move in moves]}
            for index, outcome in zip(own, outcomes, strict=True)
            for p, moves in outcome.models
        ],
        "cores": [[names[i], name, list(core)] for i, o in enumerate(outcomes) for name, core in o.cores.items()],
    }
    if images:
        evidence["images"] = images
    return Finding(Verdict.PROVED, "", evidence, {(digest, OBLIGATIONS): text})


def show(task: Task, decided: Result, evidence: Evidence) -> Shown:
    """Show the position from which a step fails, or compare what proofs needed with what the source names."""
    if decided.verdict != Verdict.REFUTED:
        return Shown(needs=tuple(_compare_hypotheses(task, evidence)))
    game, example = parse_rules(task.statement["rules"]), evidence["counterexample"]
    position = after = game.parse_position(example["position"])
    for move in example["moves"]:
        after = game.play(after, game.parse_move(move))
    part = task.statement["parts"][example["part"]]
    line = _replay(game, example.get("line"), position)
    reachable, found = (True, line) if line is not None else find_line(game, position)
    return Shown(
        Counterexample(
            part=part["part"],
            position=example["position"],
            moves=tuple(example["moves"]),
            after=game.format_position(after),
            fails=example["fails"],
            is_conclusion=any(example["fails"] == name for name, _ in part["conclusions"]),
            reason=decided.reason,
            reachable=reachable,
            line=None if found is None else tuple(game.format_move(move) for move in found),
        )
    )


def _replay(game: Game, line: object, position: Any) -> list[Any] | None:
    """Return the moves of a play that ends in a position; None where the line is none: the kernel did not look."""
    if not isinstance(line, list):
        return None
    reached, moves = game.start, []
    try:
        for text in line:
            moves.append(game.parse_move(str(text)))
            reached = game.play(reached, moves[-1])
    except (IllegalMoveError, NotationError):
        return None
    return moves if reached == position else None


def _compare_hypotheses(task: Task, evidence: Evidence) -> Iterator[Needs]:
    """Compare, for each part that cites hypotheses, what was needed with what the source names."""
    used: dict[str, set[str]] = {}
    for name, core in read_cores(evidence):
        used.setdefault(name, set()).update(filter(is_hypothesis, core))
    for name, needed in used.items():
        if name in task.compiled.cites:
            yield Needs(name, tuple(sorted(needed)), tuple(sorted(set(task.compiled.cites[name]))))


def find_images(statement: dict[str, Any]) -> tuple[list[int], list[list[Any]]]:
    """Find parts that are images of earlier ones under a symmetry of the board.

    Returns:
        The indices of the other parts, and for each image its index, that of the part it is an image of, and the
        permutation, as the kernel reads it.
    """
    parts, said = statement["parts"], Relabelled(statement["formulas"])
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
    return Finding(Verdict.PROVED, "", {"models": models})


def _refuted(task: Task, index: int, refuting: Any) -> Finding:
    """Show the step that fails from the fewest marks; if play does not reach it, rather one that play reaches."""
    from verifier.solver.session import find_small_position

    statement = parse_steps(task.statement)
    game, part = statement.game, statement.parts[index]
    formulas, moves, fails = refuting
    position, _ = find_small_position(formulas)
    if position is None:
        return Finding(Verdict.UNKNOWN, f"{part.name}: no counterexample within the resource limit")
    line = find_line(game, position)[1]
    if line is None and (met := find_failure(statement)) is not None:
        index, part, position, moves, fails = met.part, statement.parts[met.part], met.position, met.moves, met.fails
        line = list(met.line)
    taken = take_step(game, part, position, list(moves))
    failed = failed_conclusions(part, position, taken)
    fails = fails or (failed[0] if failed else "")
    example: dict[str, Any] = {
        "part": index,
        "position": game.format_position(position),
        "moves": [game.format_move(move) for move in moves],
        "fails": fails,
    }
    if line is not None:
        example["line"] = [game.format_move(move) for move in line]
    return Finding(Verdict.REFUTED, describe_failure(part, fails), {"counterexample": example})


def _smtlib(outcomes: list[Outcome]) -> bytes:
    from verifier.solver.smtlib import declarations

    header = [
        "; Each (check-sat) is one obligation, and each answer has to be unsat.",
        "; A name in bars is the hypothesis that an assertion comes from; 'the goal' is what is shown, negated.",
        "(set-option :produce-unsat-cores true)",
        "(set-logic QF_LIA)",
    ]
    blocks = [block for outcome in outcomes for block in outcome.blocks]
    return pack_text(("\n".join(header) + "\n" + declarations() + "\n" + "\n".join(blocks)).encode())


METHOD = Method(
    kind="steps",
    about="a step from any position that satisfies the hypotheses",
    kernel="the kernel replayed a position for every part",
    search=search,
    show=show,
    seconds=5,
)
