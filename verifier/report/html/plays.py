"""Plays as the explorer follows them: lists of numbers, with what the page says of each position."""

from __future__ import annotations

import base64
import zlib
from array import array
from collections.abc import Sequence
from typing import Any

from verifier.graph.plays import NEVER, PlayGraph
from verifier.kernel.games import Game
from verifier.presentation.registry import show

_NONE = 255
"""What stands for no number of plies."""


def pack_plays(graph: PlayGraph) -> dict[str, Any]:
    """Return a graph of plays as lists of numbers; ``end`` and ``rule`` are places in a list of words."""
    edges, number = [edge for some in graph.edges for edge in some], number_moves(graph.game)
    rules = sorted({edge.rule for edge in edges})
    ends = sorted(set(graph.ends))
    return {
        "claimant": graph.claimant,
        "start": start_of(graph.game, graph.positions[0]),
        "rules": rules,
        "ends": ends,
        "turns": graph.turns,
        "lists": pack_lists(
            count=[len(some) for some in graph.edges],
            end=[ends.index(end) for end in graph.ends],
            shortest=[_NONE if plies == NEVER else plies for plies in graph.shortest],
            longest=[_NONE if plies == NEVER else plies for plies in graph.longest],
            move=[number[edge.move] for edge in edges],
            rule=[rules.index(edge.rule) for edge in edges],
            to=[edge.to for edge in edges],
            turn=[edge.turn for edge in edges],
        ),
    }


def start_of(game: Game, position: Any) -> dict[str, Any]:
    """Return a position as what the page plays on from."""
    shown = show(game)
    return {} if shown.table is None else shown.table.start(shown, position)


def number_moves(game: Game) -> dict[tuple[int, ...], int]:
    """Return the number of the spot that each move marks, as the board counts its spots."""
    spots = [name for area in show(game).board.areas for name in area.spots]
    return {game.parse_move(name): at for at, name in enumerate(spots)}


def pack_lists(**lists: Sequence[int]) -> dict[str, Any]:
    """Return lists of numbers below 2**24: their lengths, and all of them, in three bytes each, the lowest ones first.

    Numbers of positions are near to those before them, so that what is compressed is how much more they are.
    """
    raw = bytearray()
    for values in lists.values():
        steps = array("I", ((value - before) % (1 << 24) for value, before in zip(values, [0, *values], strict=False)))
        four = steps.tobytes() if steps.itemsize == 4 else b""
        for at in range(3):
            raw += four[at::4]
    sizes = {name: len(values) for name, values in lists.items()}
    return {"sizes": sizes, "packed": base64.b64encode(zlib.compress(raw, 9)).decode()}
