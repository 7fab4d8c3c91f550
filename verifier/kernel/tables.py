"""Decide claims about correction tables of the 4×4 game (seed 004): the kernel solves the game and makes them anew.

Trusted for: verdicts on statements of kind ``tables``::

    {"kind": "tables", "rules": [RULES, ...], "order": [SPOT, ...], "turns": [FIRST, LAST],
     "entries": [[TURN, CODE, SPOT], ...], "asks": "entries" | "one-spot" | "common-spot"}

The *plain* spot of a position is the first free one in ``order`` that gives X no threesome. X plays it where it keeps
his forced win, and otherwise the first spot in ``order`` that does: that is an entry, with the code of O's marks (bit s
for spot s). ``entries`` asks whether the entries of these turns, over all positions of this play against every reply,
are those listed; ``one-spot`` whether X plays one spot in all its positions of a turn and a code; ``common-spot``
whether some spot keeps the win in all of them. Without a forced win none of them is the case. Of several rule sets,
one has to do.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games import parse_rules
from verifier.kernel.games.positional import Position, Positional
from verifier.kernel.verdict import Result, Verdict
from verifier.kernel.words import counted

QUESTIONS = ("entries", "one-spot", "common-spot")
MAX_GAMES, MAX_VALUES, MAX_ALL_VALUES = 24, 400_000, 3_000_000
"""How many rule sets a statement names at most, and how many positions are decided of each, and of all of them."""

LAST_TURN = 8
"""X has eight turns."""


Entry = tuple[int, int, int]
"""Turn, code, spot."""


@dataclass(frozen=True, slots=True)
class TablesStatement:
    """A statement of kind ``tables``, compiled."""

    games: tuple[Positional, ...]
    order: tuple[int, ...]
    turns: range
    entries: frozenset[Entry]
    asks: str


@dataclass(slots=True)
class Play:
    """X's play: his spot in each position, ply by ply, and how each position is reached."""

    spots: dict[Position, int] = field(default_factory=dict)
    parents: dict[Position, tuple[Position, int, int]] = field(default_factory=dict)

    def line_to(self, position: Position) -> tuple[int, ...]:
        """Return the moves of one play to a position."""
        moves: tuple[int, ...] = ()
        while position in self.parents:
            position, spot, reply = self.parents[position]
            moves = (spot, reply, *moves)
        return moves


def parse_tables(data: Mapping[str, Any]) -> TablesStatement:
    """Compile a statement.

    Raises:
        SpecError: it is not well formed.
    """
    if data.get("kind") != "tables" or set(data) != {"kind", "rules", "order", "turns", "entries", "asks"}:
        raise SpecError("the statement is not one of kind 'tables' with the keys that the kernel documents")
    games = _games(data["rules"])
    order, turns, entries = data["order"], data["turns"], data["entries"]
    if not _is_integers(order) or sorted(order) != list(range(16)):
        raise SpecError("the order names each of the sixteen spots once")
    if not _is_integers(turns) or len(turns) != 2 or not 1 <= turns[0] <= turns[1] < LAST_TURN:
        raise SpecError(f"the turns are a first and a last one, 1 to {LAST_TURN - 1}")
    span = range(turns[0], turns[1] + 1)
    if not isinstance(entries, list) or not all(
        _is_integers(entry) and len(entry) == 3 and entry[0] in span and 0 <= entry[1] < 1 << 16 and 0 <= entry[2] < 16
        for entry in entries
    ):
        raise SpecError("an entry is one of these turns, a code below 65536, and a spot, 0 to 15")
    if len({tuple(entry) for entry in entries}) != len(entries):
        raise SpecError("an entry stands twice")
    if data["asks"] not in QUESTIONS:
        raise SpecError(f"asks is one of {', '.join(QUESTIONS)}")
    return TablesStatement(games, tuple(order), span, frozenset((a, b, c) for a, b, c in entries), data["asks"])


def _games(data: object) -> tuple[Positional, ...]:
    if not isinstance(data, list) or not 0 < len(data) <= MAX_GAMES:
        raise SpecError(f"the rules are a list of at most {MAX_GAMES}")
    games = []
    for rules in data:
        game = parse_rules(rules)
        if not isinstance(game, Positional) or not is_threesome_game(game):
            raise SpecError("tables are about games of threesomes on 4 by 4 spots, in which nobody waits for an answer")
        games.append(game)
    if len(set(games)) != len(games):
        raise SpecError("the rules are a list in which each stands once")
    return tuple(games)


def is_threesome_game(game: Positional) -> bool:
    """Say whether the solver knows how to play under some rules.

    It needs a board of 4 by 4, of which each symmetry takes lines to lines; every free spot may be marked. Up to X's
    eighth mark a game in which nobody has a line goes on, X's line ends it, and O's line, where X has none, wins for X.
    """
    if (game.rows, game.columns, game.is_shared) != (4, 4, False) or game.data["legal"] is not None:
        return False
    lines = set(game.lines)
    for image in _symmetries():
        if {tuple(tuple(sorted(image[s] for s in spots)) for spots in line) for line in lines} != lines:
            return False
    return all(
        game.outcome_at(ply, False, False) is None
        and (game.outcome_at(ply, True, False) is not None if ply % 2 else game.outcome_at(ply, False, True) == "X")
        for ply in range(2 * LAST_TURN - 1)
    )


def _is_integers(value: object) -> bool:
    return isinstance(value, list) and all(type(item) is int for item in value)


class Solver:
    """Says where X can force a win, by a search of the whole game; positions that a symmetry joins share a value.

    A position is two masks, of X and of O.
    """

    def __init__(self, game: Positional) -> None:
        self.game = game
        self.has_line = game.has_line
        self.values: dict[int, bool] = {}

    def is_won(self, x: int, o: int) -> bool:
        """Say whether X, who is to move in a game that goes on, can force a win."""
        known = self.values.get(x << 16 | o)
        if known is None:
            xl, xh, ol, oh = x & 255, x >> 8, o & 255, o >> 8
            least = min((low[xl] | high[xh]) << 16 | low[ol] | high[oh] for low, high in _IMAGES)
            known = self.values.get(least)
            if known is None:
                if len(self.values) > MAX_VALUES:
                    raise CertificateError("limit", f"a game of more than {MAX_VALUES} positions to be decided")
                known = any(self.keeps(x, o, spot) for spot in free_spots(x | o))
                self.values[least] = known
            self.values[x << 16 | o] = known
        return known

    def keeps(self, x: int, o: int, spot: int) -> bool:
        """Say whether X has won, or can still force it, once he has marked a free spot."""
        x |= 1 << spot
        if self.has_line(x) or x.bit_count() == LAST_TURN:
            return self.is_end_won(Position(x, o))
        for reply in free_spots(x | o):
            after = o | 1 << reply
            if not self.has_line(after) and not self.is_won(x, after):
                return False
        return True

    def is_end_won(self, position: Position) -> bool:
        """Say whether X has won, or wins by O's last mark, once his threesome or his eighth mark stands."""
        if self.game.is_over(position):
            return self.game.outcome(position) == "X"
        replies = (self.game.play(position, move) for move in self.game.legal_moves(position))
        return all(self.game.outcome(reply) == "X" for reply in replies)

    def play(self, order: tuple[int, ...]) -> Play:
        """Return X's play against every reply: the plain spot where it keeps the win, else the first that does.

        It ends with the first line, X's or O's.
        """
        play = Play()
        level = {self.game.start: None}
        for _ in range(1, LAST_TURN):
            following: dict[Position, None] = {}
            for position in level:
                x, o = position
                plain = plain_spot(self.game, order, position)
                choices = [] if plain is None else [plain]
                choices += [spot for spot in order if not (x | o) >> spot & 1]
                spot = play.spots[position] = next(choice for choice in choices if self.keeps(x, o, choice))
                x |= 1 << spot
                for reply in () if self.has_line(x) else free_spots(x | o):
                    after = Position(x, o | 1 << reply)
                    if not self.has_line(after.o_mask) and after not in following:
                        following[after] = None
                        play.parents[after] = (position, spot, reply)
            level = following
        return play


@functools.lru_cache(maxsize=32)
def solver_of(game: Positional) -> Solver:
    """Return the solver of a rule set, with what it found before."""
    return Solver(game)


def plain_spot(game: Positional, order: tuple[int, ...], position: Position) -> int | None:
    """Return the first free spot that gives X no threesome, or None."""
    taken = position.x_mask | position.o_mask
    return next((s for s in order if not taken >> s & 1 and not game.has_line(position.x_mask | 1 << s)), None)


@functools.cache
def free_spots(taken: int) -> tuple[int, ...]:
    """Return the spots that a mask leaves free, in ascending order."""
    return tuple(spot for spot in range(16) if not taken >> spot & 1)


def _symmetries() -> Iterator[tuple[int, ...]]:
    """Yield the eight symmetries of the square: each keeps rows, columns and diagonals, whatever a threesome is."""
    for is_flipped in (False, True):
        for turns in range(4):
            image = []
            for spot in range(16):
                r, c = divmod(spot, 4)
                c = 3 - c if is_flipped else c
                for _ in range(turns):
                    r, c = c, 3 - r
                image.append(4 * r + c)
            yield tuple(image)


def _image_of_bytes(spots: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Return where a symmetry takes the lower eight spots of a mask, and the upper eight, by the byte that they are."""
    low = [sum(1 << spots[b] for b in range(8) if byte >> b & 1) for byte in range(256)]
    high = [sum(1 << spots[8 + b] for b in range(8) if byte >> b & 1) for byte in range(256)]
    return low, high


_IMAGES = tuple(_image_of_bytes(spots) for spots in _symmetries())


@dataclass(frozen=True, slots=True)
class Answer:
    """What the kernel finds under one rule set.

    Attributes:
        reason: why the answer is no; empty where it is yes.
        stats: what was counted.
        lines: moves from the start that show it: to a position whose entry is not as listed, to positions of one code;
            or, without a forced win, a game that X does not win though he plays the plain spots.
    """

    game: Positional
    reason: str
    stats: Mapping[str, int]
    lines: tuple[tuple[int, ...], ...] = ()


@functools.lru_cache(maxsize=2)
def decide_tables(statement: TablesStatement) -> tuple[Result, tuple[Answer, ...]]:
    """Decide a statement; return the verdict, and the answer of each rule set, or of the first that does.

    Raises:
        CertificateError: ``limit``: a game, or all of them together, are too large.
    """
    answers: list[Answer] = []
    values = 0
    for game in statement.games:
        answers.append(answer_for(statement, game))
        values += len(solver_of(game).values)
        if values > MAX_ALL_VALUES:
            raise CertificateError("limit", f"games of more than {MAX_ALL_VALUES} positions to be decided in all")
        if not answers[-1].reason:
            return Result(Verdict.PROVED, stats=answers[-1].stats), (answers[-1],)
    nearest = max(answers, key=lambda answer: answer.stats.get("entries_in_both", -1))
    if len(answers) == 1:
        return Result(Verdict.REFUTED, nearest.reason, stats=nearest.stats), tuple(answers)
    reason = f"none of {len(answers)} rule sets; the nearest is number {answers.index(nearest) + 1}: {nearest.reason}"
    return Result(Verdict.REFUTED, reason, stats=nearest.stats), tuple(answers)


def answer_for(statement: TablesStatement, game: Positional) -> Answer:
    """Solve the game under one rule set, and answer the statement's question."""
    solver = solver_of(game)
    if not solver.is_won(*game.start):
        return Answer(game, "X cannot force a win", {}, (_unwon_game(solver, statement.order),))
    play = solver.play(statement.order)
    by_code: dict[tuple[int, int], list[Position]] = {}
    found: set[Entry] = set()
    for position, spot in play.spots.items():
        turn = position.x_mask.bit_count() + 1
        if turn in statement.turns:
            by_code.setdefault((turn, position.o_mask), []).append(position)
            if spot != plain_spot(solver.game, statement.order, position):
                found.add((turn, position.o_mask, spot))
    stats = {"positions": sum(len(group) for group in by_code.values()), "codes": len(by_code)}
    if statement.asks == "entries":
        missing, surplus = sorted(found - statement.entries), sorted(statement.entries - found)
        stats["entries_found"], stats["entries_listed"] = len(found), len(statement.entries)
        stats["entries_in_both"] = len(found & statement.entries)
        lines = (play.line_to(p) for turn, code, _ in [*missing, *surplus] for p in by_code.get((turn, code), []))
        return Answer(game, _difference(game, missing, surplus), stats, tuple(itertools.islice(lines, 1)))
    differing = [group for group in by_code.values() if len({play.spots[position] for position in group}) > 1]
    apart = [group for group in differing if not common_spots(solver, group)]
    stats["codes_of_several_positions"] = sum(len(group) > 1 for group in by_code.values())
    stats["codes_with_different_spots"], stats["codes_without_a_common_spot"] = len(differing), len(apart)
    groups = differing if statement.asks == "one-spot" else apart
    if not groups:
        return Answer(game, "", stats)
    group = min(groups, key=lambda group: (group[0].x_mask.bit_count(), group[0].o_mask))
    turn, code = group[0].x_mask.bit_count() + 1, group[0].o_mask
    if statement.asks == "one-spot":
        group = [group[0], next(p for p in group if play.spots[p] != play.spots[group[0]])]
        spots = " and ".join(game.format_move((play.spots[position],)) for position in group)
        reason = f"turn {turn}, code {code}: X plays {spots} in positions that differ in his own marks"
    else:
        reason = f"turn {turn}, code {code}: no spot keeps the win in all {len(group)} positions"
    return Answer(game, reason, stats, tuple(play.line_to(position) for position in group))


def common_spots(solver: Solver, positions: list[Position]) -> list[int]:
    """Return the spots that keep X's win in each of some positions."""
    return [
        spot for spot in range(16) if all(not (x | o) >> spot & 1 and solver.keeps(x, o, spot) for x, o in positions)
    ]


def _difference(game: Positional, missing: list[Entry], surplus: list[Entry]) -> str:
    parts = []
    for entries, what in ((missing, "not listed"), (surplus, "listed, but not found")):
        if entries:
            turn, code, spot = entries[0]
            text = game.format_move((spot,))
            listed = counted(len(entries), "entry is", "entries are")
            parts.append(f"{listed} {what}, such as turn {turn}, code {code}, spot {text}")
    return "; ".join(parts)


def _unwon_game(solver: Solver, order: tuple[int, ...]) -> tuple[int, ...]:
    """Return a game that X does not win: he plays plain spots, O the first reply after which he cannot force a win."""
    game, position = solver.game, solver.game.start
    moves: list[int] = []
    while not game.is_over(position):
        free = free_spots(position.x_mask | position.o_mask)
        if game.turn(position) == "X":
            plain = plain_spot(solver.game, order, position)
            spot = free[0] if plain is None else plain
        else:
            spot = next(s for s in free if _escapes(solver, game.play(position, (s,))))
        moves.append(spot)
        position = game.play(position, (spot,))
    return tuple(moves)


def _escapes(solver: Solver, position: Position) -> bool:
    if solver.game.is_over(position):
        return solver.game.outcome(position) != "X"
    return not solver.is_won(*position)


def check_tables(statement: TablesStatement, is_proof: bool) -> Result:
    """Check that the kernel's own answer is the claimed one; there is no evidence that could be believed.

    Raises:
        CertificateError: ``not-proved`` or ``not-refuted``.
    """
    result, _ = decide_tables(statement)
    if is_proof != (result.verdict is Verdict.PROVED):
        raise CertificateError("not-proved" if is_proof else "not-refuted", result.reason or "the tables are as stated")
    return result
