"""Play random games by the rules of a file, and report parts of the rules that may not say what was meant."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable, Iterable, Iterator, Set
from typing import Any, NamedTuple

from verifier.describing import and_more
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import FormulaCompiler, Test
from verifier.kernel.games.general import General, GeneralPosition
from verifier.kernel.words import counted
from verifier.language.loader import Document
from verifier.language.rules.general import find_overlaps
from verifier.language.rules.general_clauses import GeneralRules
from verifier.language.rules.overlaps import Overlap

MAX_GAMES, MAX_GAME_MOVES, MAX_TOTAL_MOVES = 1000, 500, 10_000
"""Maximum number of games, of moves in a game, and of moves in all games."""

ENOUGH_GAMES = 50
"""After each multiple of this number of games, the search stops if all games ended and all parts of the rules that it
watches have been seen at work (``is_all_seen``)."""

HINTS_SEED = 0


class _Watch:
    """Watches a play for assignments of one move that give a cell two different values (``Overlap``).

    Attributes:
        waiting: the overlaps, by player and move. The test of an overlap is True in positions where the values differ.
        met: for each place in the rules file, a sentence about the first overlap that occurred there.
    """

    def __init__(self, game: General, overlaps: Iterable[Overlap]) -> None:
        self.waiting: dict[tuple[str, str], list[tuple[Overlap, Test]]] = {}
        self.met: dict[str, str] = {}
        for overlap in overlaps:
            with contextlib.suppress(SpecError):  # a condition can be too large for the kernel
                test = FormulaCompiler(game, []).compile(overlap.condition)
                self.waiting.setdefault((overlap.player, overlap.move), []).append((overlap, test))

    @property
    def is_waiting(self) -> bool:
        """True if there is a place where no overlap has occurred so far."""
        return any(each.place not in self.met for overlaps in self.waiting.values() for each, _ in overlaps)

    def look(self, position: GeneralPosition, player: str, moves: Iterable[str]) -> None:
        """Look for overlaps in the legal moves of a position, and add them to ``met``."""
        for move in moves if self.waiting else ():
            for overlap, is_met in self.waiting.get((player, move), ()):
                if overlap.place not in self.met and is_met(position, position):
                    text = f"the move {move!r} can give {overlap.cell!r} two different values: the later one counts"
                    self.met[overlap.place] = f"{overlap.place}: {text}"


class _Change(NamedTuple):
    """What a move does to a numeric cell: the cell's entry in the state, the new value, and the range of the cell."""

    name: str
    find_value: Callable[[Any, Any], int]
    least: int
    most: int


class _Ranges:
    """Watches a play for moves that are illegal only because a number would be larger than the ``most`` of its cell.

    Attributes:
        actions: for each player, the actions that change numbers. Each action is the move's text, its condition, and
            its changes.
        above: for each entry of the state, the positions in which its ``most`` alone made moves illegal.
        examples: for each entry in ``above``, the first move that ``most`` made illegal, the value that was too large,
            and ``most``.
        below: entries that a move whose condition is true would have made smaller than their ``least``.
    """

    def __init__(self, game: General) -> None:
        self.actions: dict[str, list[tuple[str, Test, list[_Change]]]] = {"X": [], "O": []}
        self.above: dict[str, set[GeneralPosition]] = {}
        self.examples: dict[str, tuple[str, int, int]] = {}
        self.below = set[str]()
        with contextlib.suppress(SpecError):  # the conditions can be too large for the kernel
            formulas = FormulaCompiler(game, game.data["formulas"])
            for text, _, actions in game.data["moves"]:
                for player, (guard, changes) in actions.items():
                    numbers = [*_compile_changes(game, formulas, changes)]
                    if numbers:
                        self.actions[player].append((text, formulas.compile(guard), numbers))

    def look(self, position: GeneralPosition, player: str, legal: Set[str]) -> None:
        """Look at the moves that are not legal in a position, and add what is out of range to the attributes."""
        for text, guard, changes in self.actions[player]:
            if text in legal or not guard(position, position):
                continue
            values = [(change, int(change.find_value(position, position))) for change in changes]
            low = {change.name for change, value in values if value < change.least}
            high = {change.name: (text, value, change.most) for change, value in values if value > change.most}
            self.below |= low
            if len(high) == 1 and not low and "turn" not in high:
                (name,) = high
                self.examples.setdefault(name, high[name])
                self.above.setdefault(name, set()).add(position._replace(ply=0))

    def say(self, games: str) -> Iterator[str]:
        """Yield a sentence about each entry in ``above`` that is not in ``below``."""
        # A number that leaves its range at both ends is a place on a board, and its range is the edge of the board. A
        # number that only becomes too small counts what moves take away: there, too, the range is meant as a rule. But
        # if a number only becomes too large, 'most' may be a guess.
        for name, positions in self.above.items():
            text, value, most = self.examples[name]
            if name not in self.below:
                where = f"moves were illegal in {counted(len(positions), 'position')} only because of the 'most' of"
                would = f"{text!r} would make it {value} (most: {most}); if this is a rule, say it in 'when'"
                yield f"{games}, {where} {name!r}: {would}"


def _compile_changes(game: General, formulas: FormulaCompiler, changes: list[Any]) -> Iterator[_Change]:
    """Yield the changes of numeric cells. Leave out each constant up to the cell's ``most``."""
    for target, value in changes:
        cells = game.ranges[game.find_cell(target)]
        if cells.is_number and (type(value) is not int or value > cells.most):
            yield _Change(target[0], formulas.compile(value, is_term=True), cells.least, cells.most)


def find_hints(game: General, model: GeneralRules, document: Document) -> Iterator[str]:
    """Play random games. Yield sentences about parts of the rules that never did anything, and about endless games.

    Also yield sentences about legal moves that assign two different values to a cell, and about numbers whose largest
    value alone made moves illegal.

    Args:
        game: the game.
        model: the rules file of the game, which has the names of moves and outcomes.
        document: the same file, with the place of each value in it.
    """
    watch, ranges = _Watch(game, find_overlaps(model, document)), _Ranges(game)
    chance, games, played = random.Random(HINTS_SEED), 0, 0  # noqa: S311 - these are games, not secrets
    made, changed, met, endless = set[str](), set[int](), set[int | None](), 0

    def is_all_seen() -> bool:
        is_whole = len(met - {None}) == len(model.outcomes) and not _list_still(game, changed)
        return is_whole and not endless and not watch.is_waiting and not _list_never_made(model, made)

    while games < MAX_GAMES and played < MAX_TOTAL_MOVES:
        if games >= ENOUGH_GAMES and games % ENOUGH_GAMES == 0 and is_all_seen():
            break
        position = game.start
        moves = game.legal_moves(position)
        for _ in range(min(MAX_GAME_MOVES, MAX_TOTAL_MOVES - played)):
            if not moves:
                break
            texts = [*map(game.format_move, moves)]
            made.update(texts)
            watch.look(position, game.turn(position), texts)
            ranges.look(position, game.turn(position), {*texts})
            after = game.play(position, moves[int(chance.random() * len(moves))])
            changed |= {at for at, value in enumerate(after.values) if value != position.values[at]}
            position, played = after, played + 1
            met.add(next((n for n, (holds, _) in enumerate(game.clauses) if holds(position, position)), None))
            moves = game.legal_moves(position)
        games, endless = games + 1, endless + (bool(moves) and played < MAX_TOTAL_MOVES)
    yield from watch.met.values()
    played_games = counted(games, "random game")
    in_games = f"in {played_games}"
    yield from ranges.say(in_games)
    for template in _list_never_made(model, made):
        yield f"{in_games}, no move {template!r} was ever legal: check its 'when', and the ranges of cells"
    still = _list_still(game, changed)
    if still:
        yield f"{in_games}, {still[0]!r}{and_more(len(still) - 1, 'cell')} never changed"
    for number, name in enumerate(model.outcomes):
        if number not in met:
            yield f"{in_games}, the outcome {name!r} was never met"
    if endless:
        yield f"of {played_games}, {endless:,} had not ended after {MAX_GAME_MOVES} moves: can play go on for ever?"


def _list_never_made(model: GeneralRules, made: Set[str]) -> list[str]:
    """Return the moves that were never legal, as the rules file writes them."""
    patterns = {template: re.sub(r"\\\{\w+\\\}", ".+", re.escape(template)) for template in model.moves}
    return [name for name, pattern in patterns.items() if not any(re.fullmatch(pattern, text) for text in made)]


def _list_still(game: General, changed: Set[int]) -> list[str]:
    """Return the names of the cells that never changed."""
    same = [cells for at, cells in enumerate(game.all_cells) if at in changed]
    return [name for name, cells in game.cells.items() if cells not in same]
