"""That Xavier cannot force a win in time: find Olivia's replies, or put a bound together from parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verifier.checkers.finding import FileName, Finding, Task
from verifier.kernel import certificate as files
from verifier.kernel.bound import RELAXATION, Bound, canonical, covered_by, follow, marks_left, open_cases, parse_bound
from verifier.kernel.errors import CertificateError
from verifier.kernel.games.nested import Position
from verifier.kernel.race import race_of
from verifier.kernel.store import TABLE
from verifier.kernel.verdict import Verdict
from verifier.spec.compile import compile_reading
from verifier.spec.model import Bound as BoundReading

FRONTIER = 8
"""The marks left to Xavier from which on the checkers try everything: fewer make longer tables, more longer checks."""

MAX_LATER = 1
"""How many of Xavier's moves may lead to positions that no part covers at once: in the opening one, his return."""


def check_no_win(task: Task) -> Finding:
    """Find evidence that Xavier cannot force a win in time; that he can is ``unknown`` here."""
    return _find(task, task.claim, task.name)


def _find(task: Task, claim: str, reading: str) -> Finding:
    known = task.shared.bounds.get((claim, reading))
    if known is None:
        model = task.library.claim(claim).readings[reading]
        statement = compile_reading(task.library, claim, reading).statement or {}
        if isinstance(model, BoundReading) and model.parts:
            known = _join(task, statement, model.parts)
        else:
            known = _search(task, statement)
        task.shared.bounds[claim, reading] = known
    return known


def _search(task: Task, statement: dict[str, Any]) -> Finding:
    from verifier.search.bounded.work import Unit, solve

    bound = parse_bound(statement)
    try:
        roots = list(open_cases(bound))
    except CertificateError as error:
        return Finding(Verdict.UNKNOWN, str(error))
    units = []
    for position, came_from in roots:
        fields, active = race_of(position)
        units.append(Unit(fields, active, marks_left(bound.game, position, bound.through), came_from, FRONTIER))
    replies: dict[str, str] = {}
    for unit, solved in zip(units, solve(units, task.shared.resources), strict=True):
        if solved.replies is None:
            return Finding(Verdict.UNKNOWN, f"{solved.reason}: {unit}")
        for name, reply in solved.replies.items():
            replies.setdefault(name, reply)
    try:
        used = follow(bound, replies, FRONTIER)[2]
    except CertificateError as error:
        return Finding(Verdict.UNKNOWN, f"the replies found, or kept in a checkpoint, do not hold: {error}")
    value = {
        "format": files.REPLIES_FORMAT,
        "version": files.VERSION,
        "replies": {name: replies[name] for name in used},
    }
    packed = files.pack(value)
    digest = files.hash_bytes(packed)
    evidence = {"relaxation": RELAXATION, "frontier": FRONTIER, "table": digest}
    return Finding(Verdict.PROVED, "", evidence, {(digest, TABLE): packed})


def _join(task: Task, statement: dict[str, Any], names: list[str]) -> Finding:
    bound = parse_bound(statement)
    parts: list[dict[str, Any]] = []
    found_files: dict[FileName, bytes] = {}
    joiner = Joiner(bound)
    for name in names:
        claim, _, reading = name.partition("/")
        found = _find(task, claim, reading)
        if found.evidence is None:
            return Finding(Verdict.UNKNOWN, f"{name} is not proved: {found.reason}")
        part = compile_reading(task.library, claim, reading).statement or {}
        parts.append({"statement": part, "evidence": found.evidence})
        found_files |= found.files
        joiner.add(parse_bound(part))
    for position, _ in open_cases(bound):
        if not joiner.covers(position):
            where = bound.game.format_position(position)
            return Finding(Verdict.UNKNOWN, f"the parts do not cover what Xavier can play from {where}")
    replies = {bound.game.format_position(at): bound.game.format_move(move) for at, move in joiner.used().items()}
    return Finding(Verdict.PROVED, "", {"parts": parts, "replies": replies}, found_files)


@dataclass(slots=True)
class Joiner:
    """Looks for Olivia's replies that lead into the cases of some parts whatever Xavier plays.

    Attributes:
        bound: what is to be shown.
        covered: the positions from which a part shows it, each the least of its class.
        replies: for each position met, the class's first one and Olivia's move there; None where no move does.
    """

    bound: Bound
    covered: set[Position] = field(default_factory=set)
    replies: dict[Position, tuple[Position, Any] | None] = field(default_factory=dict)

    def add(self, part: Bound) -> None:
        """Add a part, if it reaches far enough."""
        if part.through >= self.bound.through:
            self.covered |= covered_by(part)

    def covers(self, position: Position) -> bool:
        """Say whether Olivia, to move, can lead every play into a part."""
        game, name = self.bound.game, canonical(position)
        if name in self.covered:
            return True
        if name not in self.replies:
            self.replies[name] = None
            good = (move for move in game.legal_moves(position) if self._leads(game.play(position, move)))
            reply = next(good, None)
            self.replies[name] = None if reply is None else (position, reply)
        return self.replies[name] is not None

    def _leads(self, position: Position) -> bool:
        """Say whether every move of Xavier leads to what is covered, all but one of them at once."""
        game = self.bound.game
        if canonical(position) in self.covered:
            return True
        follows = [game.play(position, move) for move in game.legal_moves(position)]
        later = [after for after in follows if canonical(after) not in self.covered]
        return len(later) <= MAX_LATER and all(self.covers(after) for after in later)

    def used(self) -> dict[Position, Any]:
        """Return the replies that the plays from the cases meet."""
        found: dict[Position, Any] = {}
        open_positions = [position for position, _ in open_cases(self.bound)]
        game = self.bound.game
        while open_positions:
            name = canonical(open_positions.pop())
            known = self.replies.get(name)
            if name in self.covered or known is None or known[0] in found:
                continue
            found[known[0]] = known[1]
            position = game.play(*known)
            if canonical(position) not in self.covered:
                open_positions += [game.play(position, move) for move in game.legal_moves(position)]
        return found
