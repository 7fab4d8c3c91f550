"""Turn a statement about one board into a game that ``descent`` can search, with an attacker, a goal and a last ply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from verifier.kernel.errors import SpecError
from verifier.kernel.formula import FormulaCompiler, Test
from verifier.kernel.games import OTHER
from verifier.kernel.games.positional import BoardPosition, PositionalGame
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import Statement
from verifier.search.jit import Array, integers, signed
from verifier.search.threats import formulas as op
from verifier.search.threats.ahead import LINE, NO_LINE, NO_MOVE
from verifier.search.threats.descent import Game
from verifier.search.threats.encode import UnknownWordError, encode
from verifier.search.threats.legal import find_orders, read_clauses
from verifier.search.threats.symmetry import Finder

OUTCOMES = {None: op.GOES_ON, "X": 1, "O": 2, "draw": op.DRAW}

Reached: TypeAlias = Callable[[int, int, int], bool]
"""Says whether the goal is reached, given the ply, the lines (bit 1 for X, bit 0 for O) and the outcome."""


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    """A question for the search: can the attacker reach the goal in time?

    Attributes:
        game: the game.
        attacker: the player who wants to reach the goal.
        last: the ply by which the goal must be reached, or the ply at which every play is over, if that is sooner.
        orders: the orders in which a search for a short table tries the spots (``legal.find_orders``).
    """

    game: Game
    attacker: str
    last: int
    orders: Array

    def left(self, ply: int) -> int:
        """Return how many plies are left; in a race, how many marks the attacker has left."""
        plies = max(0, self.last - ply)
        if not self.game.is_race:
            return plies
        is_next = (ply % 2 == 0) == (self.attacker == "X")
        return (plies + is_next) // 2

    def ply(self, ply: int, left: int) -> int:
        """Return the ply that comes ``left`` plies later, but at most ``last``.

        In a race, ``left`` counts the attacker's marks.
        """
        if not self.game.is_race:
            return min(ply + left, self.last)
        is_next = (ply % 2 == 0) == (self.attacker == "X")
        return min(ply + 2 * left - is_next, self.last)

    def marks(self, position: BoardPosition) -> tuple[int, int]:
        """Return the masks of the attacker's and the defender's marks (``signed``); shared marks are the attacker's."""
        x, o = map(signed, position)
        return (o, x) if self.game.rules.is_swapped else (x, o)

    def position(self, mine: int, theirs: int) -> BoardPosition:
        """Return the position with these marks; the opposite of ``marks``."""
        return BoardPosition(theirs, mine) if self.game.rules.is_swapped else BoardPosition(mine, theirs)


def read_board(data: Mapping[str, Any], statement: Statement) -> tuple[SearchQuestion, Symmetries | None] | None:
    """Return the question of a statement about one board, and symmetries (see ``registry.read_question``)."""
    objective = statement.objectives[0]
    if statement.strategies or statement.given is not None:
        return None
    game: Any = statement.game
    attacker = statement.claimant if objective.type == "reach" else OTHER[statement.claimant]
    goal, entries = data["objectives"][0]["goal"], data.get("formulas", ())
    try:
        rules = _read_rules(game, attacker, goal, entries)
    except UnknownWordError:
        return None
    last = min(objective.bound, game.cells)
    reached = _read_goal(goal, entries)
    is_race, counts, last = _judge_race(game, statement.start, rules, reached, attacker, last)
    if reached is not None and not is_race:
        ends = _find_ends(game, statement.start, rules, reached, last)
        rules = rules._replace(ends=ends)
        last = max((ply for ply, values in enumerate(ends.tolist()) if 1 in values), default=last)
    attack, defend = (_masks([held for held, _ in game.lines[player]]) for player in (attacker, OTHER[attacker]))
    lines = {"X": game.lines["X"]} if game.is_alike else game.lines
    generators = Finder(game.cells, lines, game.formulas or (), [] if is_race else [goal], entries).find()
    symmetries = Symmetries(data, statement, [[*spots] for spots in generators]) if generators else None
    bits = _masks([[s] for s in range(game.cells)])
    searched = Game(
        is_race=is_race,
        is_shared=game.is_shared,
        attack=attack if is_race else _masks([]),
        defend=defend if is_race and counts else _masks([]),
        images=bits[np.array(symmetries.group if symmetries else [range(game.cells)])],
        rules=rules,
    )
    return SearchQuestion(searched, attacker, last, find_orders(rules.clauses, rules.held)), symmetries


def _read_rules(game: PositionalGame, attacker: str, goal: Any, entries: Sequence[Any]) -> op.Formulas:
    """Return the rules and the goal of a statement as programs for the module ``formulas``.

    Raises:
        UnknownWordError: a formula has a word that this search does not know.
    """
    code: list[tuple[int, int]] = []
    legal = [encode(formula, entries, code) for formula in game.formulas or ()]
    begin = encode(goal, entries, code)
    cases = [(case >> 2, bool(case & 2), bool(case & 1)) for case in range(game.cells + 1 << 2)]
    lines = [*game.lines["X"], *game.lines["O"]]
    is_swapped = attacker == "O" and not game.is_shared
    clauses, plain = read_clauses(game.formulas or (), is_swapped=is_swapped)
    return op.Formulas(
        board=_mask(range(game.cells)),
        is_swapped=is_swapped,
        held=_masks([held for held, _ in lines]),
        around=_masks([(*held, *others) for held, others in lines]),
        of_x=len(game.lines["X"]),
        outcomes=np.array([OUTCOMES[game.outcome_at(*case)] for case in cases], dtype=np.int64),
        stuck=np.array([OUTCOMES[game.outcome_at(*case, is_stuck=True)] for case in cases], dtype=np.int64),
        code=np.array(code, dtype=np.int64),
        legal=np.array([*legal, begin] if legal else [], dtype=np.int64),
        clauses=clauses,
        plain=plain,
        ends=integers(0, 3),
        goal=(begin, len(code)),
        asks_end=any(operation in (op.OVER, op.WINNER) for operation, _ in code[begin:]),
    )


def _read_goal(goal: Any, entries: Sequence[Any]) -> Reached | None:
    """Return the goal as a function of the ply, the lines and the outcome; None if it depends on anything else."""
    atoms: dict[str, Test] = {
        "X_line": lambda at, _: at[1] & 2 != 0,
        "O_line": lambda at, _: at[1] & 1 != 0,
        "X_wins": lambda at, _: at[2] == OUTCOMES["X"],
        "O_wins": lambda at, _: at[2] == OUTCOMES["O"],
        "over": lambda at, _: at[2] != op.GOES_ON,
    }
    words: Any = SimpleNamespace(
        vocabulary=dict.fromkeys(atoms, ()),
        compile_atom=lambda name, _: atoms[name],
        number_words=(),
        ply=lambda at: at[0],
        weight=1,
    )
    try:
        test = FormulaCompiler(words, entries).compile(goal)
    except SpecError:
        return None
    return lambda *at: test(at, at)


def _judge_race(
    game: PositionalGame, start: BoardPosition, rules: op.Formulas, reached: Reached | None, attacker: str, last: int
) -> tuple[bool, bool, int]:
    """Return whether a game is a race, whether the defender's lines count, and the last ply to search.

    A game is a race if two conditions hold. First: at every ply the goal is reached if the attacker has a line, and
    only then. Second: the defender's lines always end play without the goal, or they affect neither the end of play nor
    the goal. The defender's lines count if they end play.
    """
    has_others = any(others for lines in game.lines.values() for _, others in lines)
    if game.is_shared or game.formulas is not None or has_others or reached is None:
        return False, False, last

    def lines_of(attack: bool, defend: bool) -> int:
        return attack << 1 | defend if attacker == "X" else defend << 1 | attack

    def is_over(ply: int, attack: bool, defend: bool) -> bool:
        return bool(rules.outcomes[ply << 2 | lines_of(attack, defend)] != op.GOES_ON)

    def is_goal(ply: int, attack: bool, defend: bool) -> bool:
        lines = lines_of(attack, defend)
        return reached(ply, lines, int(rules.outcomes[ply << 2 | lines]))

    first = game.ply(start)
    last = next((ply for ply in range(first + 1, last) if is_over(ply, False, False)), last)
    plies = range(first + 1, last + 1)
    own = [ply for ply in plies if (ply % 2 == 1) == (attacker == "X")]
    others = [ply for ply in plies if ply not in own]
    mine, theirs = start if attacker == "X" else (start.o_mask, start.x_mask)
    if any(is_goal(ply, False, False) for ply in plies) or any(is_goal(ply, False, True) for ply in plies):
        return False, False, last
    if game.has_line[attacker](mine) or not all(is_goal(ply, True, False) for ply in own):
        return False, False, last
    if all(is_over(ply, False, True) for ply in others if ply < last) and not game.has_line[OTHER[attacker]](theirs):
        return True, True, last
    is_weak = all(is_goal(ply, True, True) for ply in own)
    return is_weak and not any(is_over(ply, False, True) for ply in plies if ply < last), False, last


def _find_ends(game: PositionalGame, start: BoardPosition, rules: op.Formulas, reached: Reached, last: int) -> Array:
    """Return the table ``Formulas.ends`` for the plies after the start, up to the last ply to search.

    The table is empty if a line need not end play.
    """
    none, ends = integers(0, 3), integers(game.cells + 2, 3)
    if game.is_shared or game.has_line["X"](start.x_mask) or game.has_line["O"](start.o_mask):
        return none

    def judge(outcomes: Array, ply: int, lines: int) -> int:
        """Return 1 if the goal is reached, 0 if play ends without it, -1 if play goes on."""
        outcome = int(outcomes[ply << 2 | lines])
        return 1 if reached(ply, lines, outcome) else -1 if outcome == op.GOES_ON else 0

    for ply in range(game.ply(start) + 1, last + 1):
        line = 2 if ply % 2 else 1
        without, with_line = judge(rules.outcomes, ply, 0), judge(rules.outcomes, ply, line)
        without_move = judge(rules.stuck, ply, 0)
        if with_line < 0 or with_line != judge(rules.stuck, ply, line) or without not in (-1, without_move):
            return none
        ends[ply, NO_LINE], ends[ply, NO_MOVE], ends[ply, LINE] = without, without_move, with_line
    return ends


def _mask(spots: Sequence[int]) -> int:
    return signed(sum(1 << s for s in spots))


def _masks(sets: Sequence[Sequence[int]]) -> Array:
    return np.array([_mask(spots) for spots in sets], dtype=np.int64)
