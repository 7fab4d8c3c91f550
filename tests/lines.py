"""Lines of play by the paper's strategy."""

import functools
import pathlib
import random
from typing import Any, NamedTuple

from verifier.audit.store import Store
from verifier.graph.plays import Guide, PlayMove, find_edges, follow_plays
from verifier.kernel.certificate import read_certificate, read_index
from verifier.kernel.games import Game

PROOFS = pathlib.Path(__file__).parents[1] / "proofs"


class PlayGraph(NamedTuple):
    """The positions of a guide, and the moves between them, by number."""

    guide: Guide
    game: Game
    positions: list[Any]
    movers: list[str]
    edges: list[list[PlayMove]]
    turns: list[tuple[int, ...]]


@functools.cache
def shipped_guide(key: str) -> Guide | None:
    """Return a guide to the plays of a shipped certificate; None if the kernel keeps no walk."""
    return follow_plays(read_certificate(PROOFS, key), Store(PROOFS).read)


@functools.cache
def strategy_graph() -> PlayGraph:
    """Return every play of Xavier's strategy as a graph. A claim states that the strategy wins by ply 43."""
    guide = shipped_guide(read_index(PROOFS).filed["lemma-3/as-stated"])
    assert guide is not None
    return graph_of(guide)


def graph_of(guide: Guide) -> PlayGraph:
    """Return the graph of a guide."""
    positions, movers = [node.position for node in guide.nodes], [node.mover for node in guide.nodes]
    return PlayGraph(guide, guide.statement.game, positions, movers, *find_edges(guide))


def reach(graph: PlayGraph, line: list[str]) -> int:
    """Return the number of the position to which a play leads."""
    number = 0
    for move in line:
        parsed = graph.game.parse_move(move)
        number = next(edge.to for edge in graph.edges[number] if edge.move == parsed)
    return number


def line_to_win(graph: PlayGraph, plies: int) -> list[str]:
    """Return a play of both players in which the claimant wins as soon, or as late, as possible."""
    number, line = 0, []
    is_longest = graph.guide.longest[0] == plies
    length = graph.guide.longest if is_longest else graph.guide.shortest
    while graph.edges[number]:
        edge = next(edge for edge in graph.edges[number] if length[edge.to] == length[number] - 1)
        line.append(graph.game.format_move(edge.move))
        number = edge.to
    return line


def random_line(graph: PlayGraph, seed: int) -> list[str]:
    """Return a play with random replies."""
    draw = random.Random(seed)
    number, line = 0, []
    while graph.edges[number]:
        edge = draw.choice(graph.edges[number])
        line.append(graph.game.format_move(edge.move))
        number = edge.to
    return line
