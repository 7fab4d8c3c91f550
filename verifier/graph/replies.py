"""Olivia's replies of a bound's certificate as a graph to be followed move by move.

The certificate gives her reply in each race that the kernel meets (``kernel/bound.py``). Here the same races are met
once more, and every move of Xavier's is written down with where it leads. A place where the table says nothing more is
an end: he needs more marks than he has left, or everything was tried from there (``kernel/endgame.py``), also where she
confines him to two fields.

Positions that a symmetry of the square takes to each other are one node; the step to such a node says which symmetry
takes the node's board to the one that is played on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.bound import Bound, canonical, marks_left, open_cases, parse_bound
from verifier.kernel.errors import CertificateError
from verifier.kernel.games.nested import Move, Position
from verifier.kernel.race import (
    Fields,
    coarsen,
    field_table,
    format_race,
    least,
    least_from,
    moves_of,
    needs_of,
    play,
    race_of,
)
from verifier.kernel.relabel import SYMMETRIES, image_of

TOO_FEW, TRIED = 0, 1
"""The ends: he needs more marks than he has left; everything was tried from there."""

ENDS = 2
"""The number of the first node that is no end."""

IDENTITY = 0
"""The number of the symmetry that changes nothing, in ``SYMMETRIES``."""


@dataclass(frozen=True, slots=True)
class Step:
    """A move of Xavier's, and where it leads: a node, and the symmetry that takes its board to this one."""

    move: Move
    to: int
    symmetry: int = IDENTITY


@dataclass(slots=True)
class Reply:
    """A position with Olivia to move: her reply, and every move of Xavier's after it.

    Attributes:
        move: her reply; None where Xavier is to move at once, at the start of a case, and where she confines him.
        proof: the reading whose certificate holds the reply, and everything that was tried below it.
        steps: his moves then.
        confine: the two spots on which she plays from here on, where she confines him: an end too. Which of the two she
            has to take is not in the table: the kernel tries both (``kernel/endgame.py``), and claims no fixed order.
    """

    move: Move | None
    proof: str
    steps: list[Step] = field(default_factory=list)
    confine: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Challenge:
    """A position with Xavier to move from which he cannot force a win by a ply: its node, and the claim.

    Attributes:
        name: the reading, ``CLAIM/READING``.
        through: the ply.
        start: the position.
        node: its node, a ``Reply`` without a move.
    """

    name: str
    through: int
    start: Position
    node: int


Evidence = Mapping[str, Any]


@dataclass(slots=True)
class ReplyGraph:
    """The nodes of some certificates, in the order in which they were met; node ``n`` is ``replies[n - ENDS]``.

    Attributes:
        read: returns the replies of a table, given the reference to it in the evidence.
        owners: the reading that a table and a ply belong to, where it is not the one whose certificate is added.
    """

    read: Callable[[Any], Mapping[str, str]]
    owners: Mapping[tuple[str, int], str] = field(default_factory=dict)
    replies: list[Reply] = field(default_factory=list)
    challenges: list[Challenge] = field(default_factory=list)
    _tables: dict[tuple[str, int], dict[Position, tuple[int, Position]]] = field(default_factory=dict)

    def add(self, name: str, statement: Mapping[str, Any], evidence: Evidence) -> None:
        """Add a certificate's nodes, and a challenge for each case in which every first move counts.

        Raises:
            CertificateError: the evidence says nothing where it has to.
        """
        bound = parse_bound(statement)
        classes = self._classes(name, bound, evidence)
        for case in bound.cases:
            if case.first is None and bound.game.turn(case.start) == "X":
                node = self._new(Reply(None, name))
                self._reply(node).steps = [
                    Step(move, *self._enter(bound, classes, bound.game.play(case.start, move)))
                    for move in bound.game.legal_moves(case.start)
                ]
                self.challenges.append(Challenge(name, bound.through, case.start, node))

    def _new(self, reply: Reply) -> int:
        self.replies.append(reply)
        return len(self.replies) - 1 + ENDS

    def _reply(self, node: int) -> Reply:
        return self.replies[node - ENDS]

    def _enter(
        self, bound: Bound, classes: Mapping[Position, tuple[int, Position]], position: Position
    ) -> tuple[int, int]:
        """Return the node of a position with Olivia to move, and the symmetry from its board to this one."""
        if bound.game.is_over(position) or bound.game.ply(position) > bound.through:
            return TOO_FEW, IDENTITY
        node, held = classes[canonical(position)]
        return node, _symmetry(held, position)

    def _classes(self, name: str, bound: Bound, evidence: Evidence) -> dict[Position, tuple[int, Position]]:
        """Return the node and the position it was made for, of each class of positions that the evidence covers."""
        if "parts" not in evidence:
            return self._of_table(name, bound, evidence)
        covered: dict[Position, tuple[int, Position]] = {}
        for part in evidence["parts"]:
            covered |= self._classes(name, parse_bound(part["statement"]), part["evidence"])
        game = bound.game
        replies = {canonical(game.parse_position(text)): (text, move) for text, move in evidence["replies"].items()}
        joining = {one: game.parse_position(text) for one, (text, _) in replies.items() if one not in covered}
        covered |= {one: (self._new(Reply(None, name)), start) for one, start in joining.items()}
        for one, start in joining.items():
            node, _ = covered[one]
            move = game.parse_move(replies[one][1])
            after = game.play(start, move)
            self._reply(node).move = move
            self._reply(node).steps = [
                Step(other, *self._enter(bound, covered, game.play(after, other))) for other in game.legal_moves(after)
            ]
        return covered

    def _of_table(self, name: str, bound: Bound, evidence: Evidence) -> dict[Position, tuple[int, Position]]:
        key = (evidence["table"], bound.through)
        if key not in self._tables:
            owner = self.owners.get(key, name)
            races = _Races(self, self.read(evidence["table"]), evidence["frontier"], owner)
            found = {}
            for position, _ in open_cases(bound):
                fields, active = race_of(position)
                node = races.visit(fields, active, marks_left(bound.game, position, bound.through))
                found[canonical(position)] = node, position
            self._tables[key] = found
        return self._tables[key]


def _symmetry(held: Position, position: Position) -> int:
    return next(number for number, permutation in enumerate(SYMMETRIES) if image_of(permutation, held) == position)


@dataclass(slots=True)
class _Races:
    """The races of one table, each of which becomes a node."""

    graph: ReplyGraph
    replies: Mapping[str, str]
    frontier: int
    proof: str
    nodes: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def visit(self, fields: Fields, active: int, marks: int) -> int:
        """Return the node of a race with Olivia to move; see ``kernel/bound.py``, whose walk this follows."""
        if least(needs_of(fields)) > marks:
            return TOO_FEW
        return TRIED if marks <= self.frontier else self._node(fields, active, marks)

    def _node(self, fields: Fields, active: int, marks: int) -> int:
        """Return the node of a race that he can still win, with more marks than the frontier has."""
        fields = coarsen(fields, marks)
        key = (fields, active, marks)
        if key in self.nodes:
            return self.nodes[key]
        moves = list(moves_of(fields, active))
        if not moves:
            return TOO_FEW
        name = format_race(fields, active, marks)
        text = self.replies.get(name, "")
        if text.startswith("confine "):
            a, b = (int(word) for word in text.split(" ")[1:3])
            self.nodes[key] = node = self.graph._new(Reply(None, self.proof, confine=(a, b)))
            return node
        move = next((move for move in moves if f"{move[0]}.{move[1]}" == text), None)
        if move is None:
            raise CertificateError("no-reply", f"no reply in {name}")
        reply = Reply(move, self.proof)
        self.nodes[key] = node = self.graph._new(reply)
        after, follows = play(fields, *move, is_xavier=False)
        if least_from(needs_of(after), follows) > marks:
            reply.steps = [Step(other, TOO_FEW) for other in moves_of(after, follows)]
        else:
            reply.steps = list(self._steps(after, follows, marks - 1))
        return node

    def _steps(self, fields: Fields, active: int, marks: int) -> Iterator[Step]:
        """Yield Xavier's moves, with the marks that are left to him after each.

        Most of them end there, as the need of one field tells. That is looked up before the board is made.
        """
        table, needs = field_table(), needs_of(fields)
        fewest: dict[tuple[int, int], int] = {}
        for f, s in moves_of(fields, active):
            change = f, table.need[table.after_x[fields[f]][s]]
            if change not in fewest:
                fewest[change] = least((*needs[:f], change[1], *needs[f + 1 :]))
            if fewest[change] > marks:
                yield Step((f, s), TOO_FEW)
            elif marks <= self.frontier:
                yield Step((f, s), TRIED)
            else:
                yield Step((f, s), self._node(*play(fields, f, s, is_xavier=True), marks))
