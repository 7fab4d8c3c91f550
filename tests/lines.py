"""Lines of play found in the certificates."""

from __future__ import annotations

import functools
import pathlib
import random

from verifier.graph.playable import PlayGraph, build_play_graph
from verifier.kernel.plays import Walk
from verifier.kernel.recheck import Walks, read_index, recheck_entry
from verifier.kernel.statement import Statement, parse_statement

PROOFS = pathlib.Path(__file__).parents[1] / "proofs"


@functools.cache
def strategy_plays() -> tuple[Statement, Walk]:
    """Return what the claim states that Xavier's strategy wins by ply 43, and the walk through all its plays."""
    entry = next(entry for entry in read_index(PROOFS) if entry.claim == "lemma-3")
    walks: Walks = {}
    certificate, _ = recheck_entry(PROOFS, entry, walks, {}, full=False)
    return parse_statement(certificate.statement), next(iter(walks.values()))


@functools.cache
def strategy_graph() -> PlayGraph:
    """Return every play of Xavier's strategy as a graph."""
    return build_play_graph(*strategy_plays())


def line_to_win(graph: PlayGraph, plies: int) -> list[str]:
    """Return a play, both players' moves, in which the claimant wins at a ply that is the soonest or the latest."""
    number, line = 0, []
    is_longest = graph.longest[0] == plies
    length = graph.longest if is_longest else graph.shortest
    while graph.edges[number]:
        edge = next(edge for edge in graph.edges[number] if length[edge.to] == length[number] - 1)
        line.append(graph.game.format_move(edge.move))
        number = edge.to
    return line


def random_line(graph: PlayGraph, seed: int) -> list[str]:
    """Return a play in which the replies are drawn at random."""
    draw = random.Random(seed)
    number, line = 0, []
    while graph.edges[number]:
        edge = draw.choice(graph.edges[number])
        line.append(graph.game.format_move(edge.move))
        number = edge.to
    return line
