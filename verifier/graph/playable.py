"""Every play of a certificate as a graph to be followed move by move, with how long each position still takes.

Made from the kernel's walk of the certificate's table, and from nothing else: the moves, the rules they come from, and
what follows are those that the kernel has met.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verifier.graph.plays import Walk
from verifier.kernel.games import Game
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
    """

    move: tuple[int, ...]
    rule: str
    to: int


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
    """

    game: Game = field(repr=False)
    claimant: str
    positions: tuple[Any, ...] = field(repr=False)
    movers: tuple[str, ...] = field(repr=False)
    edges: tuple[tuple[Edge, ...], ...] = field(repr=False)
    ends: tuple[str, ...] = field(repr=False)
    shortest: tuple[int, ...] = field(repr=False)
    longest: tuple[int, ...] = field(repr=False)

    def follow(self, number: int, move: tuple[int, ...]) -> int | None:
        """Return the number of the position after a move, or None where no play has it."""
        return next((edge.to for edge in self.edges[number] if edge.move == move), None)


def build_play_graph(statement: Statement, walked: Walk) -> PlayGraph:
    """Return the graph of a walk."""
    game, nodes, find_move = statement.game, walked.nodes, show(statement.game).find_move
    numbers = {node.position: number for number, node in enumerate(nodes)}
    edges = tuple(
        tuple(Edge(find_move(node.position, after), label, numbers[after]) for label, after in node.edges)
        for node in nodes
    )
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
        game,
        statement.claimant,
        tuple(node.position for node in nodes),
        tuple(node.mover for node in nodes),
        edges,
        ends,
        tuple(shortest),
        tuple(longest),
    )
