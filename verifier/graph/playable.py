"""Every play of a certificate, to be followed move by move, with how long each position still takes.

``Guide`` follows one play. ``PlayGraph`` has all of them, for a page that follows them without Python.

Made from the kernel's walk of the certificate's table, and from nothing else: the moves, the rules they come from, and
what follows are those that the kernel has met.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from verifier.graph.plays import Walk
from verifier.kernel.automorphism import Symmetries
from verifier.kernel.games import Game
from verifier.kernel.games.symmetry import Permutation, find_images
from verifier.kernel.plays import Node
from verifier.kernel.statement import Statement
from verifier.presentation.ends import describe_end
from verifier.presentation.registry import show

NEVER = -1
"""The plies to a win where some play, or every one, has none."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A move of a play.

    Attributes:
        move: the move.
        rule: the label of the strategy's rule, ``phase.rule``; empty for a player who has no strategy.
        to: the number of the position after it.
        turn: the number of the permutation that takes the board after the move to that position.
    """

    move: tuple[int, ...]
    rule: str
    to: int
    turn: int = 0


@dataclass(frozen=True, slots=True)
class PlayGraph:
    """The positions of a walk in its order, the start first; everything else is given by their numbers.

    Attributes:
        claimant: whose strategy it is.
        positions: the positions.
        movers: who moves there; empty at an end.
        edges: what may be played there.
        ends: how a play ends there; empty where it goes on.
        shortest: the fewest plies from here to a win of the claimant, over all plays; ``NEVER`` where none wins.
        longest: the most plies; ``NEVER`` where some play does not win.
        turns: permutations of the spots, the one that changes nothing first.
    """

    game: Game = field(repr=False)
    claimant: str
    positions: tuple[Any, ...] = field(repr=False)
    movers: tuple[str, ...] = field(repr=False)
    edges: tuple[tuple[Edge, ...], ...] = field(repr=False)
    ends: tuple[str, ...] = field(repr=False)
    shortest: tuple[int, ...] = field(repr=False)
    longest: tuple[int, ...] = field(repr=False)
    turns: tuple[Permutation, ...] = field(default=(), repr=False)

    def follow(self, number: int, move: tuple[int, ...]) -> int | None:
        """Return the number of the position after a move, or None where no play has it."""
        return next((edge.to for edge in self.edges[number] if edge.move == move), None)


@dataclass(frozen=True, slots=True)
class Guide:
    """What the walk says of each position of a play.

    Attributes:
        statement: whose plays they are.
        nodes: the positions of the walk, in its order.
        numbers: their numbers.
        ends: as in ``PlayGraph``, with the two below.
        shortest: the fewest plies to a win of the claimant.
        longest: the most plies.
        symmetries: those that the walk was folded by; None: it was not.
    """

    statement: Statement
    nodes: tuple[Node, ...]
    numbers: Mapping[Any, int]
    ends: tuple[str, ...]
    shortest: tuple[int, ...]
    longest: tuple[int, ...]
    symmetries: Symmetries | None

    def find(self, position: Any) -> int | None:
        """Return the number of a position, or of the one that stands for it; None where no play meets it."""
        return self.numbers.get(position if self.symmetries is None else self.symmetries.least(position))

    def moves(self, position: Any) -> dict[tuple[int, ...], tuple[str, Any]]:
        """Return what may be played at a position: the rule of the strategy, and the position after the move.

        Of moves that a symmetry joins the claimant makes the first one.
        """
        number, game = self.find(position), self.statement.game
        node = None if number is None else self.nodes[number]
        if node is None or not node.edges:
            return {}
        rules = {self.numbers[after]: label for label, after in node.edges}
        reached = [(move, game.play(position, move)) for move in game.legal_moves(position)]
        found = {move: (rules[to], after) for move, after in reached if (to := self.find(after)) in rules}
        is_one = self.symmetries is not None and node.mover == self.statement.claimant
        return dict(list(found.items())[:1]) if is_one else found


def build_guide(statement: Statement, walked: Walk, symmetries: Symmetries | None) -> Guide:
    """Return what follows a play by a walk."""
    numbers = {node.position: number for number, node in enumerate(walked.nodes)}
    following = [[numbers[after] for _, after in node.edges] for node in walked.nodes]
    return Guide(statement, walked.nodes, numbers, *measure(statement, walked.nodes, following), symmetries)


def build_play_graph(statement: Statement, walked: Walk) -> PlayGraph:
    """Return the graph of a walk."""
    find_move = show(statement.game).find_move
    numbers = {node.position: number for number, node in enumerate(walked.nodes)}
    edges = tuple(
        tuple(Edge(find_move(node.position, after), label, numbers[after]) for label, after in node.edges)
        for node in walked.nodes
    )
    return _make(statement, walked.nodes, edges)


def build_folded_graph(statement: Statement, walked: Walk, symmetries: Symmetries) -> PlayGraph:
    """Return the graph of a walk whose positions stand for their images.

    Args:
        statement: what is claimed, of one board.
        walked: its plays, each position the least of its images.
        symmetries: those that it was folded by.
    """
    game, images, turns = statement.game, find_images(symmetries.group), dict[int, int]()
    numbers = {node.position: number for number, node in enumerate(walked.nodes)}

    def follow(position: Any, move: tuple[int, ...]) -> Edge:
        after = game.play(position, move)
        least = symmetries.least(after)
        pairs = zip(*map(images, after), strict=True)
        turn = next(number for number, pair in enumerate(pairs) if pair == tuple(least))
        return Edge(move, "", numbers.get(least, -1), turns.setdefault(turn, len(turns)))

    turns[0] = 0
    edges = []
    for node in walked.nodes:
        found = [follow(node.position, move) for move in game.legal_moves(node.position)] if node.edges else []
        chosen = {numbers[after] for _, after in node.edges}
        found = [edge for edge in found if edge.to in chosen]
        edges.append(tuple(found[:1] if node.mover == statement.claimant else found))
    group = [symmetries.group[turn] for turn in turns]
    return replace(_make(statement, walked.nodes, tuple(edges)), turns=tuple(group))


def _make(statement: Statement, nodes: tuple[Node, ...], edges: tuple[tuple[Edge, ...], ...]) -> PlayGraph:
    lengths = measure(statement, nodes, [[edge.to for edge in found] for found in edges])
    positions, movers = tuple(node.position for node in nodes), tuple(node.mover for node in nodes)
    return PlayGraph(statement.game, statement.claimant, positions, movers, edges, *lengths)


def measure(
    statement: Statement, nodes: Sequence[Node], following: Sequence[Sequence[int]]
) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
    """Return how plays end at each position, and the fewest and the most plies to a win, as ``PlayGraph`` has them.

    Args:
        statement: whose plays they are.
        nodes: the positions in the order of the walk, so that a move leads to a later one.
        following: the numbers of those that a move leads to, for each.
    """
    ends = tuple("" if node.mover else describe_end(statement, node.position) or "" for node in nodes)
    shortest, longest = [NEVER] * len(nodes), [NEVER] * len(nodes)
    for number in reversed(range(len(nodes))):
        if ends[number] == f"{statement.claimant} wins":
            shortest[number] = longest[number] = 0
        wins = [shortest[to] for to in following[number] if shortest[to] != NEVER]
        if wins:
            shortest[number] = 1 + min(wins)
        if following[number] and all(longest[to] != NEVER for to in following[number]):
            longest[number] = 1 + max(longest[to] for to in following[number])
    return ends, tuple(shortest), tuple(longest)
