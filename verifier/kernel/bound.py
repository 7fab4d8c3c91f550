"""What Xavier cannot force: Olivia's replies down to few marks, and what is left there.

Trusted for: that a table of Olivia's replies, or parts that are proved, show a statement of this kind::

    {"kind": "bound", "rules": RULES, "through": PLY, "cases": [{"start": POSITION, "first": [MOVE, …] or null}, …]}

The rules are the paper's. In each case, from its start on, Olivia can play so that Xavier has not won at that ply:
whatever he plays, or, where ``first`` is given, whenever his first move from there is one of these.

*A table* (``verifier-replies``) gives her reply in each race (``race``: her own wins are ignored) in which more than
``frontier`` marks are left to him::

    {"relaxation": "race", "frontier": MARKS, "table": {"path": PATH, "sha256": HASH}}
    "replies": {RACE: "FIELD.SPOT" or "confine A B FROM", …}

The races are coarsened (``race.coarsen``). The kernel makes every move of Xavier; where no more than ``frontier`` marks
are left, or Olivia confines him to fields A and B, ``endgame`` decides by trying everything.

*Parts* are other statements of this kind with their evidence, and her replies before one of them applies::

    {"parts": [{"statement": STATEMENT, "evidence": EVIDENCE}, …], "replies": {POSITION: MOVE, …}}

Positions that the symmetries of the square take to each other are one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from verifier.kernel.endgame import Endgames
from verifier.kernel.errors import CertificateError, IllegalMoveError, NotationError, SpecError
from verifier.kernel.games import parse_rules
from verifier.kernel.games.nested import PAPER, Move, Nested, Position
from verifier.kernel.race import (
    Fields,
    coarsen,
    format_race,
    least,
    least_from,
    moves_of,
    needs_of,
    parse_race,
    play,
    race_of,
)
from verifier.kernel.relabel import SYMMETRIES, image_of
from verifier.kernel.verdict import Belief, Result, Verdict

RELAXATION = "race"
MAX_FRONTIER = 10
"""The most marks that a table may leave to ``endgame``: more would take it too long."""

MAX_PARTS = 50
MAX_CASES = 100

MAX_VISITED = 1_000_000
"""The most races that ``endgame`` looks into for one leaf: ten seconds and more."""


@dataclass(frozen=True, slots=True)
class Case:
    """A start, and Xavier's first moves that count (None: every legal one)."""

    start: Position
    first: tuple[Move, ...] | None


@dataclass(frozen=True, slots=True)
class Bound:
    """A statement of kind ``bound``, compiled."""

    game: Nested
    through: int
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A race, Olivia to move, that a table leaves to ``endgame``.

    Attributes:
        fields, active: the race.
        marks: the marks left to Xavier.
        confine: the two spots on which she plays and the field that he comes from, where the table says so.
    """

    fields: Fields
    active: int
    marks: int
    confine: tuple[int, int, int] | None = None


class Settle(Protocol):
    """A way to decide what replies leave open."""

    def decide(self, leaves: list[Leaf], frontier: int) -> int:
        """Decide leaves, and return how many the kernel decided.

        Raises:
            CertificateError: ``not-held``: Xavier wins one that was decided; ``too-long``.
        """


def parse_bound(data: Mapping[str, Any]) -> Bound:
    """Compile a statement.

    Raises:
        SpecError: it is not well formed, or not about the rules of which ``race`` is a relaxation.
    """
    if set(data) != {"kind", "rules", "through", "cases"} or data["kind"] != "bound":
        raise SpecError("a bound has the keys kind, rules, through and cases")
    game = parse_rules(data["rules"])
    if not isinstance(game, Nested) or game != PAPER:
        raise SpecError("bounds are proved under the paper's rules")
    through, cases = data["through"], data["cases"]
    if isinstance(cases, list) and len(cases) > MAX_CASES:
        raise SpecError(f"a bound has at most {MAX_CASES} cases")
    if type(through) is not int or not 0 <= through <= 81 or not isinstance(cases, list) or not cases:
        raise SpecError("a bound has a ply from 0 to 81, and at least one case")
    return Bound(game, through, tuple(_parse_case(game, case) for case in cases))


def _parse_case(game: Nested, data: Any) -> Case:
    if not isinstance(data, dict) or set(data) != {"start", "first"}:
        raise SpecError("a case has a start and the first moves, or null")
    try:
        start = game.parse_position(str(data["start"]))
        if data["first"] is None:
            return Case(start, None)
        if not isinstance(data["first"], list) or not data["first"]:
            raise SpecError("the first moves are a list of moves, or null")
        first = tuple(game.parse_move(str(text)) for text in data["first"])
    except NotationError as error:
        raise SpecError(f"a case: {error}") from None
    if game.turn(start) != "X" or len(set(first)) < len(first) or not set(first) <= set(game.legal_moves(start)):
        raise SpecError(f"the first moves are Xavier's, legal and each given once: {str(data['first'])[:80]}")
    return Case(start, first)


def marks_left(game: Nested, position: Position, through: int) -> int:
    """Return how many marks Xavier may still place up to a ply: he places those with odd numbers (§1)."""
    return max(0, (through + 1) // 2 - (game.ply(position) + 1) // 2)


def canonical(position: Position) -> Position:
    """Return the least of the positions that the eight symmetries of the square make of one."""
    return min(image_of(permutation, position) for permutation in SYMMETRIES)


def open_cases(bound: Bound) -> Iterator[tuple[Position, int]]:
    """Yield the positions with Olivia to move that the cases begin with, one of each class, and where he came from.

    The field of Xavier's last move is -1 where the case does not tell.

    Raises:
        CertificateError: ``not-held``: Xavier has won, or wins at once.
    """
    seen: set[Position] = set()
    for case in bound.cases:
        if bound.game.turn(case.start) == "O":
            after = [(case.start, -1)]
        else:
            moves = bound.game.legal_moves(case.start) if case.first is None else case.first
            after = [(bound.game.play(case.start, move), move[0]) for move in moves]
        for position, came_from in after:
            if bound.game.winner(position) == "X" and bound.game.ply(position) <= bound.through:
                raise CertificateError("not-held", f"Xavier has won in {bound.game.format_position(position)}")
            if bound.game.is_over(position) or bound.game.ply(position) > bound.through:
                continue
            name = canonical(position)
            if name not in seen:
                seen.add(name)
                yield position, came_from
    if any(bound.game.winner(case.start) == "X" for case in bound.cases):
        raise CertificateError("not-held", "Xavier has won at the start of a case")


def follow(bound: Bound, replies: Mapping[str, Any], frontier: int) -> tuple[list[Leaf], int, set[str]]:
    """Follow a table of replies from every case.

    Returns:
        what it leaves to ``endgame``, the number of races visited, and the races whose replies were asked for.

    Raises:
        CertificateError: ``no-reply``, ``illegal-reply``, ``not-held`` (Xavier wins).
    """
    walk = _Walk(replies, frontier)
    for position, _ in open_cases(bound):
        fields, active = race_of(position)
        walk.visit(fields, active, marks_left(bound.game, position, bound.through))
    return list(walk.leaves.values()), len(walk.seen), walk.used


@dataclass(slots=True)
class _Walk:
    replies: Mapping[str, Any]
    frontier: int
    used: set[str] = field(default_factory=set)
    seen: set[tuple[Fields, int, int]] = field(default_factory=set)
    leaves: dict[tuple[Fields, int, int, Any], Leaf] = field(default_factory=dict)

    def visit(self, fields: Fields, active: int, marks: int) -> None:
        """Follow the table from a race in which Olivia moves."""
        if least(needs_of(fields)) > marks:
            return
        fields = coarsen(fields, marks)
        if (fields, active, marks) in self.seen:
            return
        self.seen.add((fields, active, marks))
        if marks <= self.frontier:
            self.leaves[fields, active, marks, None] = Leaf(fields, active, marks)
            return
        moves = list(moves_of(fields, active))
        if not moves:
            return
        name = format_race(fields, active, marks)
        reply = self.replies.get(name)
        if reply is None:
            raise CertificateError("no-reply", f"no reply in {name}")
        self.used.add(name)
        confine = _parse_confinement(reply)
        if confine is not None:
            self.leaves[fields, active, marks, confine] = Leaf(fields, active, marks, confine)
            return
        chosen = next((move for move in moves if f"{move[0]}.{move[1]}" == reply), None)
        if chosen is None:
            raise CertificateError("illegal-reply", f"{str(reply)[:40]!r} is no reply in {name}")
        fields, active = play(fields, *chosen, is_xavier=False)
        if least_from(needs_of(fields), active) > marks:
            return
        for f, s in moves_of(fields, active):
            after, follows = play(fields, f, s, is_xavier=True)
            if least(needs_of(after)) == 0:
                raise CertificateError("not-held", f"Xavier wins by {f}.{s} after the reply {reply} in {name}")
            self.visit(after, follows, marks - 1)


def _parse_confinement(reply: object) -> tuple[int, int, int] | None:
    if not isinstance(reply, str) or not reply.startswith("confine "):
        return None
    words = reply.split(" ")[1:]
    if len(words) != 3 or any(len(word) != 1 or word not in "012345678" for word in words) or words[0] == words[1]:
        raise CertificateError("illegal-reply", f"{reply[:40]!r} names no two spots and a field")
    return int(words[0]), int(words[1]), int(words[2])


def holds(leaf: Leaf, frontier: int, endgames: Endgames) -> bool:
    """Decide one leaf.

    Raises:
        CertificateError: ``too-long``: it takes more than ``MAX_VISITED`` races.
    """
    endgames.limit = endgames.visited + MAX_VISITED
    if leaf.confine is None:
        return endgames.holds(leaf.fields, leaf.active, leaf.marks)
    a, b, came_from = leaf.confine
    return endgames.holds_confined(leaf.fields, leaf.active, leaf.marks, (a, b), came_from, frontier)


def require(leaf: Leaf, frontier: int, endgames: Endgames) -> None:
    """Require that Olivia holds a leaf.

    Raises:
        CertificateError: ``not-held``, or ``too-long``.
    """
    if not holds(leaf, frontier, endgames):
        raise CertificateError("not-held", f"Xavier wins {describe(leaf)}")


@dataclass(frozen=True, slots=True)
class Sample:
    """Decide some of the leaves only, drawn at random.

    Attributes:
        size: how many.
        seed: which.
    """

    size: int
    seed: int

    def decide(self, leaves: list[Leaf], frontier: int) -> int:
        """Decide those that are drawn."""
        endgames = Endgames()
        chosen = draw(self.seed, 0, len(leaves), self.size)
        for number in chosen:
            require(leaves[number], frontier, endgames)
        return len(chosen)


def draw(seed: int, ply: int, count: int, size: int) -> list[int]:
    """Return the indices that are drawn: all of them, or ``size`` that the seed decides, ascending."""
    if count <= size:
        return list(range(count))
    found: set[int] = set()
    number = 0
    while len(found) < size:
        digest = hashlib.sha256(f"{seed} {ply} {number}".encode()).digest()
        found.add(int.from_bytes(digest[:8], "big") % count)
        number += 1
    return sorted(found)


def describe(leaf: Leaf) -> str:
    """Return a leaf in words."""
    how = f", confined to {leaf.confine[0]} and {leaf.confine[1]}" if leaf.confine else ""
    return f"{format_race(leaf.fields, leaf.active, leaf.marks)}{how}"


def check_table(bound: Bound, evidence: Mapping[str, Any], replies: Mapping[str, Any], settle: Settle) -> Result:
    """Check a table of replies.

    Raises:
        CertificateError: it does not show the statement.
    """
    frontier = evidence.get("frontier")
    if set(evidence) != {"relaxation", "frontier", "table"} or evidence["relaxation"] != RELAXATION:
        raise CertificateError("relaxation", f"a bound is shown in the relaxation {RELAXATION!r}, from a frontier on")
    if type(frontier) is not int or not 0 <= frontier <= MAX_FRONTIER:
        raise CertificateError("malformed", f"the frontier is a number of marks up to {MAX_FRONTIER}")
    for name in replies:
        _check_name(name)
    leaves, visited, used = follow(bound, replies, frontier)
    unused = sorted(set(replies) - used)
    if unused:
        raise CertificateError("unused-entry", f"{len(unused)} replies that no play asks for: {unused[0][:120]!r}")
    settled = settle.decide(leaves, frontier)
    stats = {"replies": len(replies), "races": visited, "leaves": len(leaves), "settled": settled}
    return conclude(stats)


def conclude(stats: Mapping[str, int]) -> Result:
    """Return what accepted replies show: all of it where the kernel decided every race that they leave open."""
    if stats["settled"] == stats["leaves"]:
        return Result(Verdict.PROVED, stats=stats)
    return Result(Verdict.SUPPORTED, beliefs=frozenset({Belief.SEARCH}), stats=stats)


def _check_name(name: str) -> None:
    try:
        fields, active, marks = parse_race(name)
    except NotationError as error:
        raise CertificateError("malformed", str(error)) from None
    if coarsen(fields, marks) != fields or format_race(fields, active, marks) != name:
        raise CertificateError("malformed", f"{name[:120]!r} is not coarsened")


def check_parts(bound: Bound, evidence: Mapping[str, Any], prove: Callable[[Any, Any], Bound]) -> Result:
    """Check that proved parts show a statement.

    Args:
        bound: the statement.
        evidence: its parts and replies.
        prove: checks one part, a statement and its evidence, and returns it compiled; raises CertificateError.

    Raises:
        CertificateError: a part is not proved, or together they do not show it.
    """
    parts, data = evidence.get("parts"), evidence.get("replies")
    if set(evidence) != {"parts", "replies"} or not isinstance(parts, list) or not isinstance(data, dict) or not parts:
        raise CertificateError("malformed", "parts are a list, with replies by position")
    if len(parts) > MAX_PARTS:
        raise CertificateError("too-large", f"{len(parts)} parts: more than {MAX_PARTS}")
    if not all(isinstance(part, dict) and set(part) == {"statement", "evidence"} for part in parts):
        raise CertificateError("malformed", "a part is a statement and its evidence")
    covered: set[Position] = set()
    for part in parts:
        proved = prove(part["statement"], part["evidence"])
        if proved.game != bound.game or proved.through < bound.through:
            raise CertificateError("other-bound", f"a part reaches to ply {proved.through} only, or has other rules")
        covered |= covered_by(proved)
    replies = {canonical(_read(bound.game.parse_position, text)): (text, move) for text, move in data.items()}
    joined = _Joined(bound, covered, replies)
    for position, _ in open_cases(bound):
        joined.visit(position)
    unused = sorted(text for name, (text, _) in replies.items() if name not in joined.used)
    if unused or len(replies) < len(data):
        raise CertificateError("unused-entry", f"a reply that no play asks for: {(unused or sorted(data))[0][:120]!r}")
    return Result(Verdict.PROVED, stats={"parts": len(parts), "replies": len(data)})


def covered_by(part: Bound) -> set[Position]:
    """Return the positions, each the least of its class, from which a part says that Xavier cannot force a win."""
    found: set[Position] = set()
    for case in part.cases:
        if case.first is None:
            found.add(canonical(case.start))
        else:
            found |= {canonical(part.game.play(case.start, move)) for move in case.first}
    return found


def _read(parse: Callable[[str], Any], text: object) -> Any:
    try:
        return parse(str(text))
    except NotationError as error:
        raise CertificateError("malformed", str(error)) from None


@dataclass(slots=True)
class _Joined:
    bound: Bound
    covered: set[Position]
    replies: dict[Position, tuple[str, Any]]
    used: set[Position] = field(default_factory=set)

    def visit(self, position: Position) -> None:
        """Require that a position with Olivia to move is covered by a part, or that her reply leads to such ones."""
        game = self.bound.game
        name = canonical(position)
        if name in self.covered or game.is_over(position) or name in self.used:
            return
        if name not in self.replies:
            raise CertificateError("no-reply", f"no part and no reply covers {game.format_position(position)}")
        self.used.add(name)
        text, reply = self.replies[name]
        start = game.parse_position(text)
        try:
            position = game.play(start, _read(game.parse_move, reply))
        except IllegalMoveError as error:
            raise CertificateError("illegal-reply", str(error)) from None
        if canonical(position) in self.covered or game.ply(position) >= self.bound.through:
            return
        for move in game.legal_moves(position):
            follows = game.play(position, move)
            if game.winner(follows) == "X":
                raise CertificateError("not-held", f"Xavier wins in {game.format_position(follows)}")
            self.visit(follows)
