"""Plays as the explorer follows them: lists of numbers, with what the page says of each position."""

from __future__ import annotations

import base64
import json
import zlib
from array import array
from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from verifier.graph.plays import NEVER, PlayGraph
from verifier.kernel.formula import Formulas, Test
from verifier.kernel.games import Game
from verifier.presentation.registry import show
from verifier.report.html.properties import Property

_NONE = 255
"""What stands for no number of plies."""

Scopes = Mapping[str, Container[Any]]
"""The positions of each scope of a walk."""


def pack_plays(
    graph: PlayGraph, properties: Sequence[Property], scopes: Scopes = MappingProxyType({})
) -> dict[str, Any]:
    """Return a graph of plays as lists of numbers.

    ``end`` and ``rule`` are places in a list of words; ``state`` is one in the list ``states`` of what is to be told of
    the properties of a position, a bit for each: which hold of those that are promised there, and which these are.
    Properties are those of positions in which the claimant is not to move.
    """
    edges, number = [edge for some in graph.edges for edge in some], number_moves(graph.game)
    rules = sorted({edge.rule for edge in edges})
    ends = sorted(set(graph.ends))
    told = _tell(graph, properties, scopes)
    states = {state: number for number, state in enumerate(sorted(set(told)))}
    return {
        "claimant": graph.claimant,
        "start": start_of(graph.game, graph.positions[0]),
        "rules": rules,
        "ends": ends,
        "properties": [_describe(item) for item in properties],
        "states": list(states),
        "turns": graph.turns,
        "lists": pack_lists(
            count=[len(some) for some in graph.edges],
            end=[ends.index(end) for end in graph.ends],
            shortest=[_NONE if plies == NEVER else plies for plies in graph.shortest],
            longest=[_NONE if plies == NEVER else plies for plies in graph.longest],
            state=[states[state] for state in told],
            move=[number[edge.move] for edge in edges],
            rule=[rules.index(edge.rule) for edge in edges],
            to=[edge.to for edge in edges],
            turn=[edge.turn for edge in edges],
        ),
    }


def _describe(item: Property) -> dict[str, Any]:
    """Return what the page says of a property, whatever the position."""
    scopes = dict.fromkeys(scope.replace(":", " ") for promise in item.promises for scope in promise.scopes)
    return {
        "name": item.name,
        "says": item.says,
        "place": item.place,
        "ours": item.is_ours,
        "promised": list(scopes),
        "by": list(dict.fromkeys(promise.claim for promise in item.promises)),
    }


def _tell(graph: PlayGraph, properties: Sequence[Property], scopes: Scopes) -> list[tuple[int, int]]:
    """Return which properties are promised in every position of a graph, and which of these hold: the latter first.

    Many are promised at the same places under the same demands, and share their cases: each of these is decided once.
    """
    formulas = Formulas(graph.game)
    alike: dict[tuple[tuple[str, ...], str], int] = {}
    cases: dict[str, tuple[Test, list[tuple[int, Test]]]] = {}
    for number, item in enumerate(properties):
        for promise in item.promises:
            key = promise.scopes, json.dumps(promise.demands)
            alike[key] = alike.get(key, 0) | 1 << number
        for when, holds in item.cases:
            tests = cases.setdefault(json.dumps(when), (formulas.compile(when), []))[1]
            tests.append((1 << number, formulas.compile(holds)))
    promises = [
        (bits, [scopes[name] for name in names if name in scopes], formulas.compile(json.loads(demands)))
        for (names, demands), bits in alike.items()
    ]
    states = []
    for position, mover in zip(graph.positions, graph.movers, strict=True):
        promised = true = 0
        for bits, places, demands in promises if mover != graph.claimant else ():
            if bits & ~promised and any(position in place for place in places) and demands(position, position):
                promised |= bits
        for when, tests in cases.values() if promised else ():
            if when(position, position):
                true = _find_true(position, tests, true)
        states.append((true & promised, promised))
    return states


def _find_true(position: Any, tests: list[tuple[int, Test]], known: int) -> int:
    """Return the bits of the tests that a position passes, beside those that are known."""
    for bit, holds in tests:
        if not known & bit and holds(position, position):
            known |= bit
    return known


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
