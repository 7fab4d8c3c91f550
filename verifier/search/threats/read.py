"""A statement about one board becomes a game that ``descent`` can search: who attacks, what for, and until when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from verifier.kernel.games.positional import Position, Positional
from verifier.kernel.statement import Statement
from verifier.search.jit import Array
from verifier.search.threats import formulas as op
from verifier.search.threats.descent import Game
from verifier.search.threats.encode import Encoder, UnknownWordError, bit_of
from verifier.search.threats.symmetry import find_symmetries

OUTCOMES = {None: op.GOES_ON, "X": 1, "O": 2, "draw": op.DRAW}

OF_LINES = {op.CONSTANT, op.PLY, op.X_LINE, op.O_LINE, op.WINNER, op.OVER, *range(op.NOT, op.LESS + 1)}
"""The operations of a goal that asks for nothing but the ply and what follows from lines."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for.

    Attributes:
        game: the game.
        attacker: who wants to reach the goal.
        last: the ply by which it has to be reached, or the one at which every play is over, if that is sooner.
    """

    game: Game
    attacker: str
    last: int

    def left(self, ply: int) -> int:
        """Return how many marks of the attacker's (in a race) or plies are left."""
        plies = max(0, self.last - ply)
        if not self.game.is_race:
            return plies
        is_next = (ply % 2 == 0) == (self.attacker == "X")
        return (plies + is_next) // 2

    def ply(self, ply: int, left: int) -> int:
        """Return the ply by which so many marks of the attacker's (in a race) or plies are used up."""
        if not self.game.is_race:
            return min(ply + left, self.last)
        is_next = (ply % 2 == 0) == (self.attacker == "X")
        return min(ply + 2 * left - is_next, self.last)

    def marks(self, position: Position) -> tuple[int, int]:
        """Return the attacker's and the defender's marks as signed words; those that are shared are the attacker's."""
        x, o = (_signed(mask) for mask in position)
        return (o, x) if self.attacker == "O" and not self.game.is_shared else (x, o)


def read_question(data: Mapping[str, Any], statement: Statement) -> Question | None:
    """Return what a statement of one objective asks, or None where this search does not know its rules or words.

    Args:
        data: the statement, as JSON.
        statement: the same, compiled.
    """
    game, objective = statement.game, statement.objectives[0]
    if not isinstance(game, Positional) or statement.strategies or statement.given is not None:
        return None
    other = "O" if statement.claimant == "X" else "X"
    attacker = statement.claimant if objective.type == "reach" else other
    encoder = Encoder(data.get("formulas", ()))
    try:
        legal = [encoder.add(formula) for formula in game.formulas or ()]
        goal = encoder.add(data["objectives"][0]["goal"])
    except UnknownWordError:
        return None
    rules = op.Formulas(
        board=_mask(range(game.cells)),
        is_swapped=attacker == "O" and not game.is_shared,
        held=_masks([held for held, _ in game.lines]),
        around=_masks([(*held, *others) for held, others in game.lines]),
        outcomes=np.array(
            [
                OUTCOMES[game.outcome_at(case >> 2, bool(case & 2), bool(case & 1))]
                for case in range(game.cells + 1 << 2)
            ],
            dtype=np.int64,
        ),
        code=np.array(encoder.code, dtype=np.int64),
        legal=np.array([*legal, goal] if legal else [], dtype=np.int64),
        goal=(goal, len(encoder.code)),
        asks_over=any(operation == op.OVER for operation, _ in encoder.code[goal:]),
    )
    last = min(objective.bound, game.cells)
    is_race, counts, last = _judge_race(game, statement.start, rules, attacker, last)
    lines = _masks([held for held, _ in game.lines]) if is_race else _masks([])
    return Question(
        Game(
            is_race=is_race,
            is_shared=game.is_shared,
            attack=lines,
            defend=lines if counts else _masks([]),
            images=_images(
                game,
                [] if is_race else _written_out([data["objectives"][0]["goal"]], data.get("formulas", ())),
            ),
            rules=rules,
        ),
        attacker,
        last,
    )


def _written_out(node: Any, entries: Sequence[Any]) -> Any:
    """Return formulas in which no entry of a statement is used by its number."""
    if not isinstance(node, list):
        return node
    if len(node) == 2 and node[0] == "use":
        return _written_out(entries[node[1]], entries)
    return [_written_out(part, entries) for part in node]


def _images(game: Positional, formulas: Sequence[Any]) -> Array:
    found = find_symmetries(game.cells, game.lines, game.formulas or (), formulas)
    bits = np.array([bit_of(s) for s in range(game.cells)], dtype=np.int64)
    images: Array = bits[np.array(found)]
    return images


def _judge_race(
    game: Positional, start: Position, rules: op.Formulas, attacker: str, last: int
) -> tuple[bool, bool, int]:
    """Say whether a game is a race, whether the defender's lines count in it, and by which ply it is over.

    It is one where the attacker's line is the goal, at any ply; where the defender's line ends play without it, at
    any ply, or never matters; and where nothing else does.
    """
    begin, end = rules.goal
    is_plain = not game.is_shared and game.formulas is None and not any(others for _, others in game.lines)
    if not is_plain or not {operation for operation, _ in rules.code[begin:end].tolist()} <= OF_LINES:
        return False, False, last
    tell = _teller(game, rules, attacker)
    first = game.ply(start)
    last = next((ply for ply in range(first + 1, last) if tell(ply, False, False)[1]), last)
    own, other = start if attacker == "X" else (start.o_mask, start.x_mask)
    counts = None
    for ply in range(first + 1, last + 1):
        if tell(ply, False, False)[0]:
            return False, False, last
        if (ply % 2 == 1) == (attacker == "X"):
            if not tell(ply, True, False)[0]:
                return False, False, last
            continue
        is_goal, ends = tell(ply, False, True)
        if is_goal or (counts is not None and ply < last and counts is not ends):
            return False, False, last
        counts = ends if counts is None or ply < last else counts
    if not counts and not all(tell(ply, True, True)[0] for ply in range(first + 1, last + 1)):
        return False, False, last
    is_open = not game.has_line(own) and not (counts and game.has_line(other))
    return is_open, bool(counts), last


def _teller(game: Positional, rules: op.Formulas, attacker: str) -> Callable[[int, bool, bool], tuple[bool, bool]]:
    """Return what says, of a ply and of whether attacker and defender have lines: is it the goal, is it over?"""
    stack = np.zeros(len(rules.code) + 1, dtype=np.int64)
    begin, end = rules.goal

    def tell(ply: int, attack: bool, defend: bool) -> tuple[bool, bool]:
        x_line, o_line = (attack, defend) if attacker == "X" else (defend, attack)
        lines, marks = x_line << 1 | o_line, _mask(range(ply))
        outcome = int(rules.outcomes[ply << 2 | lines])
        is_goal = op.value_of(rules, stack, begin, end, marks, 0, lines, outcome)
        return bool(is_goal), outcome != op.GOES_ON

    return tell


def _mask(spots: Sequence[int]) -> int:
    return _signed(sum(1 << s for s in spots))


def _masks(sets: Sequence[Sequence[int]]) -> Array:
    return np.array([_mask(spots) for spots in sets], dtype=np.int64)


def _signed(mask: int) -> int:
    return mask - (1 << 64) if mask >> 63 else mask
