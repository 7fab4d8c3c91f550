"""Search for evidence that an invariant proves a claim about plays, and choose what people see of the evidence.

Two solvers decide the obligations of the invariant. Z3 looks for a position in which an obligation fails. If Z3 finds
none, Exact looks for a proof that there is none: a refutation that the kernel can follow. If a move does not preserve
the invariant, the claim may still be true. The verdict is then *unknown*, and the reason names a position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.games import Game
from verifier.kernel.invariant import ALWAYS_MET, derive_steps
from verifier.kernel.obligations import Obligations, derive, derive_closure
from verifier.kernel.plays import replay
from verifier.kernel.scopes import with_scopes
from verifier.kernel.statement import Statement, parse_statement
from verifier.kernel.steps import parse_steps
from verifier.kernel.verdict import Verdict
from verifier.language.sharing import fold
from verifier.questions.finding import Evidence, Finding, ObligationEvidence, Task
from verifier.questions.plays.words import TURNS
from verifier.questions.result import ReadingResult
from verifier.questions.shown import find_empty
from verifier.questions.steps.evidence import show_obligations


def search(task: Task) -> Finding:
    """Decide each obligation. Offer refutations if Exact is installed; otherwise, offer the answers of Z3."""
    statement = parse_statement(task.statement)
    evidence = _write_invariant(task)
    lines = _find_lines(statement)
    if isinstance(lines, str):
        return Finding(Verdict.UNKNOWN, f"vacuous: {lines}")
    if lines:
        evidence["lines"] = lines
    try:
        derived = derive_steps(task.statement, evidence)
    except CertificateError as error:
        return Finding(Verdict.UNKNOWN, error.args[1])
    parts = parse_steps(derived, is_derived=True).parts
    start, turn = statement.start, statement.game.turn(statement.start)
    for name, test in (named for part in parts if part.turn == turn for named in part.hypotheses[:-1]):
        if not test(start, start):
            return Finding(Verdict.UNKNOWN, f"at the start: {name!r} does not hold in {task.statement['start']}")
    files, answered = dict[str, bytes](), dict[str, Any]()
    names = [(part.name, part.step == "begin") for part in parts]
    steps, closure = derive(derived), derive_closure(task.statement["rules"])
    of_rules = [(f"when {player} moves by the rules alone", False) for player in "XO"]
    for key, obligations, said in (("obligations", steps, names), ("positions", closure, of_rules)):
        found = task.memo.closure_evidence.get(obligations.digest) or _decide(statement.game, obligations, said)
        if isinstance(found, str):
            return Finding(Verdict.UNKNOWN, found)
        if key == "positions":
            task.memo.closure_evidence[obligations.digest] = found
        evidence[key], answered[key] = found.refuted, found.answered
        files |= found.files
    is_refuted, is_answered = bool(files), None not in answered.values()
    plain = Finding(Verdict.PROVED, "", {**evidence, **answered}) if is_refuted and is_answered else None
    return Finding(Verdict.PROVED, "", evidence, files, fallback=lambda: plain)


def _decide(game: Game, obligations: Obligations, names: Sequence[tuple[str, bool]]) -> ObligationEvidence | str:
    """Return evidence for obligations. If an obligation has no evidence, return a reason that names this obligation.

    ``names`` has, for each part of the statement, its name, and whether the part is about where plays begin.
    """
    from verifier.solver.refute import decide_parts

    outcomes = []
    for outcome in decide_parts(game, obligations, is_quick=True):
        if outcome.refuting is not None:
            moved, is_start = names[outcome.part]
            where = "some given position" if is_start else game.format_position(outcome.refuting)
            return f"{moved}: {outcome.reason} from {where}"
        outcomes.append(outcome)
    found = show_obligations(obligations, outcomes, is_short=False)
    if found.undecided:
        part, fails = found.undecided[0]
        return f"{names[part][0]}: neither Z3 nor Exact decides {fails!r}"
    return found


def _write_invariant(task: Task) -> dict[str, Any]:
    """Return the reading's invariant as evidence.

    The numbers of its shared formulas (``sharing``) continue the numbers of the statement's shared formulas.
    """
    given = task.compiled.invariant
    folded = fold({"conclusions": [*given["X"], *given["O"]]}, task.library.nodes)
    shift, count = len(task.statement.get("formulas", ())), len(given["X"])

    def renumber(node: Any) -> Any:
        if not isinstance(node, list):
            return node
        return ["use", node[1] + shift] if node[:1] == ["use"] else [renumber(part) for part in node]

    named = [[name, renumber(formula)] for name, formula in folded["conclusions"]]
    evidence: dict[str, Any] = {"invariant": {"X": named[:count], "O": named[count:]}}
    if folded["formulas"]:
        evidence["formulas"] = renumber(folded["formulas"])
    return evidence


def _find_lines(statement: Statement) -> dict[str, list[str]] | str:
    """Return a line for each scope that needs a line: the moves with which a play comes to the scope.

    A *scope* names positions in which an objective is tested. All lines are beginnings of one play. If this play misses
    a scope, return a reason that names the scope.
    """
    required = frozenset().union(*(objective.scopes for objective in statement.objectives)) - ALWAYS_MET
    game, lines, moves = statement.game, dict[str, list[str]](), list[Any]()
    while True:
        *_, (node, _, scopes) = with_scopes(statement, replay(statement, moves))
        for scope in required & scopes:
            lines.setdefault(scope, [game.format_move(move) for move in moves])
        missing = sorted(required - set(lines))
        if not missing:
            return lines
        strategy, legal = statement.strategies.get(node.mover), game.legal_moves(node.position)
        choices = [move for _, move in strategy(node.position)] if strategy else legal
        if not node.mover or not choices or choices[0] not in legal:
            return f"found no play that comes to a position at {missing[0]!r}"
        moves.append(choices[0])  # any move that the strategy and the rules allow will do


def show(task: Task, result: ReadingResult, evidence: Evidence) -> ReadingResult:
    """Show the invariant in the words of the spec, if the evidence has the same invariant as the spec."""
    hints = tuple(find_empty(task.statement))
    own = _write_invariant(task)
    if any(own.get(key) != evidence.get(key) for key in ("invariant", "formulas")):
        return replace(result, notes=("the invariant of the proof is not the one in the spec",), hints=hints)
    names = {player: [name for name, _ in evidence["invariant"][player]] for player in "XO"}
    both = [name for name in names["X"] if name in names["O"]]
    own = {player: [name for name in names[player] if name not in both] for player in "XO"}
    said = {"both": both, "X": own["X"], "O": own["O"]}
    notes = tuple(f"invariant, {when}: {'; '.join(said[turn])}" for turn, when in TURNS.items() if said[turn])
    return replace(result, notes=notes, hints=hints)
