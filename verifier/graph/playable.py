"""Every play of a certificate as a graph to be followed move by move, with how long each position still takes.

Made from the kernel's walk of the certificate's table, and from nothing else: the moves, the rules they come from, and
what follows are those that the kernel has met.
"""

from __future__ import annotations

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


def build_play_graph(statement: Statement, walked: Walk) -> PlayGraph:
    """Return the graph of a walk."""
    find_move = show(statement.game).find_move
    numbers = {node.position: number for number, node in enumerate(walked.nodes)}
    edges = tuple(
        tuple(Edge(find_move(node.position, after), label, numbers[after]) for label, after in node.edges)
        for node in walked.nodes
    )
    return _measure(statement, walked.nodes, edges)


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
    return replace(_measure(statement, walked.nodes, tuple(edges)), turns=tuple(group))


def _measure(statement: Statement, nodes: tuple[Node, ...], edges: tuple[tuple[Edge, ...], ...]) -> PlayGraph:
    ends = tuple("" if node.mover else describe_end(statement, node.position) or "" for node in nodes)
    shortest, longest = [NEVER] * len(nodes), [NEVER] * len(nodes)
    for number in reversed(range(len(nodes))):  # a move leads to a position that stands later in the walk
        if ends[number] == f"{statement.claimant} wins":
            shortest[number] = longest[number] = 0
        following = [edge.to for edge in edges[number]]
        wins = [shortest[to] for to in following if shortest[to] != NEVER]
        if wins:
            shortest[number] = 1 + min(wins)
        if following and all(longest[to] != NEVER for to in following):
            longest[number] = 1 + max(longest[to] for to in following)
    return PlayGraph(
        statement.game,
        statement.claimant,
        tuple(node.position for node in nodes),
        tuple(node.mover for node in nodes),
        edges,
        ends,
        tuple(shortest),
        tuple(longest),
    )
