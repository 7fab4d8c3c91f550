"""Olivia's replies of a bound's certificate as a graph to be followed move by move.

The tables give her reply in each race that the kernel meets (``kernel/race/replies.py``). Here the same races are met
once more, down to ``SHOWN`` marks and up to ``MOST`` races from each root, and every move of Xavier's is written down
with where it leads. An end is where he has too few marks left, or where the certificate alone goes on.

Positions that a symmetry of the square takes to each other are one node; the step to such a node says which symmetry
takes the node's board to the one that is played on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from verifier.kernel.games.nested import Move, Position
from verifier.kernel.race import relaxation
from verifier.kernel.race import replies as kernel
from verifier.kernel.race.bound import Bound, marks_left, parse_bound
from verifier.kernel.race.replies import Race, Replies, Walk, parse_lemma

SHOWN = 8
"""With this number of marks left to Xavier a play ends: the certificates go on, but nobody reads so far."""

MOST = 300
"""So many races are shown from each root of a table, those that are met sooner first."""

TOO_FEW, CUT = 0, 1
"""The ends: he has too few marks left (``is_held_at_once``); the certificate goes on, and the graph does not."""

ENDS = 2
"""The number of the first node that is not an end."""

IDENTITY = 0
"""The number of the symmetry that changes nothing, in ``SYMMETRIES``."""


class Step(NamedTuple):
    """A move of Xavier's, and where it leads: a node, and the symmetry that takes its board to this one."""

    move: Move
    to: int
    symmetry: int = IDENTITY


@dataclass(slots=True)
class Reply:
    """A position with Olivia to move: her reply, and every move of Xavier's after it.

    Attributes:
        move: her reply; None where Xavier is to move at once, at the start of a case.
        proof: the reading whose certificate holds the reply, and what follows.
        steps: his moves then.
    """

    move: Move | None
    proof: str
    steps: list[Step] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Challenge:
    """A position with Xavier to move from which he cannot force a win by a ply: its node, and the claim.

    Attributes:
        name: the reading, ``CLAIM/READING``.
        through: the ply.
        start: the position.
        node: its node, a ``Reply`` without a move.
        is_whole: whether each first move counts: otherwise those alone that the node has.
    """

    name: str
    through: int
    start: Position
    node: int
    is_whole: bool


Evidence = Mapping[str, Any]
Nodes = dict[Race, int]


@dataclass(slots=True)
class ReplyGraph:
    """The nodes of some certificates, in the order in which they were met; node ``n`` is ``replies[n - ENDS]``.

    Attributes:
        read: returns the JSON value of a table, given its hash.
        owners: the reading that a table belongs to, where it is not the one whose certificate is added.
        through: the ply of each reading that was added, or that owns a table of one.
    """

    read: Callable[[str], Any]
    owners: Mapping[str, str] = field(default_factory=dict)
    replies: list[Reply] = field(default_factory=list)
    challenges: list[Challenge] = field(default_factory=list)
    through: dict[str, int] = field(default_factory=dict)
    _tables: dict[str, Nodes] = field(default_factory=dict)

    def add(self, name: str, statement: Mapping[str, Any], evidence: Evidence) -> None:
        """Add a certificate's nodes, and a challenge for each case.

        Raises:
            CertificateError: the evidence says nothing where it has to.
        """
        bound = parse_bound(statement)
        roots: Nodes = {}
        for digest in evidence["tables"]:
            self.through.setdefault(self.owners.get(digest, name), bound.through)
            roots |= self._of_table(self.owners.get(digest, name), digest, roots)
        for case in bound.cases:
            node = self.new(Reply(None, name))
            self.replies[node - ENDS].steps = [
                Step(move, *_enter(bound, roots, bound.game.play(case.start, move)))
                for move in case.first or bound.game.legal_moves(case.start)
            ]
            self.challenges.append(Challenge(name, bound.through, case.start, node, case.first is None))

    def new(self, reply: Reply) -> int:
        """Add a node and return its number."""
        self.replies.append(reply)
        return len(self.replies) - 1 + ENDS

    def _of_table(self, name: str, digest: str, roots: Nodes) -> Nodes:
        """Return the nodes of a table's roots."""
        if digest not in self._tables:
            lemma = parse_lemma(self.read(digest), digest)
            found: dict[Race, kernel.Reply] = {}
            stream = Replies(lemma)

            def choose(fields: relaxation.Fields, active: int, marks: int) -> kernel.Reply:
                found[fields, active, marks] = reply = stream.choose(fields, active, marks)
                return reply

            Walk(max(lemma.frontier, SHOWN), lemma.given, lemma.roots, choose, lambda *_: None).run()
            races = _Races(self, found, name, {race: roots[race] for race in lemma.given})
            self._tables[digest] = {race: races.follow(race) for race in lemma.roots}
        return self._tables[digest]


def _enter(bound: Bound, roots: Nodes, position: Position) -> tuple[int, int]:
    """Return the node of a position with Olivia to move, and the symmetry from its board to this one."""
    fields, active = relaxation.race_of(position)
    marks = marks_left(bound.game, position, bound.through)
    if bound.game.is_over(position) or bound.game.ply(position) > bound.through:
        return TOO_FEW, IDENTITY
    if relaxation.is_held_at_once(fields, relaxation.needs_of(fields), active, marks):
        return TOO_FEW, IDENTITY
    return _turn(roots, relaxation.coarsen(fields, marks), active, marks)


def _turn(nodes: Nodes, fields: relaxation.Fields, active: int, marks: int) -> tuple[int, int]:
    """Return the node of a race's least image, and the symmetry from that image to the race."""
    image = relaxation.canonical(fields, active)
    symmetry = next(number for number in range(8) if relaxation.image_of_race(number, *image) == (fields, active))
    return nodes[*image, marks], symmetry


@dataclass(slots=True)
class _Races:
    """The races of one table, each of which becomes a node."""

    graph: ReplyGraph
    replies: Mapping[Race, kernel.Reply]
    proof: str
    given: Nodes
    nodes: Nodes = field(default_factory=dict)
    _waiting: deque[Race] = field(default_factory=deque)
    _room: int = 0

    def follow(self, root: Race) -> int:
        """Return the node of a root, and make those of the races that follow it, the next ones first."""
        self._room = MOST
        node = self._enter(root)
        while self._waiting:
            race = self._waiting.popleft()
            self.graph.replies[self.nodes[race] - ENDS].steps += self._steps(*race)
        return node

    def _enter(self, race: Race) -> int:
        if race in self.nodes:
            return self.nodes[race]
        if race not in self.replies or not self._room:
            return CUT
        self._room -= 1
        self._waiting.append(race)
        self.nodes[race] = self.graph.new(Reply(self.replies[race], self.proof))
        return self.nodes[race]

    def _steps(self, fields: relaxation.Fields, active: int, marks: int) -> Iterator[Step]:
        """Yield his moves after her reply; see ``kernel/race/replies.py``, whose walk this follows."""
        after, to = relaxation.play(fields, *self.replies[fields, active, marks], is_xavier=False)
        is_late = relaxation.least_from(relaxation.needs_of(after), to) > marks
        for f, s in relaxation.moves_of(after, to):
            yield Step((f, s), *((TOO_FEW, IDENTITY) if is_late else self._answer(after, f, s, marks - 1)))

    def _answer(self, fields: relaxation.Fields, f: int, s: int, marks: int) -> tuple[int, int]:
        after, to = relaxation.play(fields, f, s, is_xavier=True)
        if relaxation.is_held_at_once(after, relaxation.needs_of(after), to, marks):
            return TOO_FEW, IDENTITY
        after = relaxation.coarsen(after, marks)
        if self.given and (*relaxation.canonical(after, to), marks) in self.given:
            return _turn(self.given, after, to, marks)
        return self._enter((after, to, marks)), IDENTITY
