"""Lines of play by the paper's strategy."""

import functools
import pathlib
import random
from typing import Any, NamedTuple

from tests.rules import specs
from verifier.graph.plays import Guide, PlayMove, build_guide, find_edges
from verifier.kernel.games import Game
from verifier.kernel.plays import walk
from verifier.kernel.statement import parse_statement
from verifier.questions.compile import compile_reading

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
def strategy_graph() -> PlayGraph:
    """Return every play of Xavier's strategy as a graph. A claim states that the strategy wins by ply 43."""
    statement = parse_statement(compile_reading(specs(), "lemma-3", "as-stated").statement or {})
    return graph_of(build_guide(statement, tuple(walk(statement, None)), None))


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
