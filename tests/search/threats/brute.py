"""Random small games in two forms: data for the tool, and Python that solves them by trying everything.

The Python here does not use the tool. A position is two sets of spots; shared marks are all in the first.
"""

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Spots = frozenset[int]
NONE: Spots = frozenset()


@dataclass(frozen=True)
class Small:
    """A game and a goal.

    Attributes:
        cells: the number of spots, in one row.
        lines: for each line, the spots that it has, and the spots that it must not have.
        is_shared: whether marks belong to both players.
        outcome: the end of the game (X, O, draw or None), by ply, X's line and O's line.
        allows: whether a free spot may be marked, by the spot and the marks.
        goal: whether the goal is reached, by the marks, X's line, O's line and the end of the game.
        data: the rules, and the goal as a formula.
        theirs: O's lines, if they differ from X's.
        stuck: who has won if nobody can move, by the ply; None: it is a draw.
    """

    cells: int
    lines: list[tuple[Spots, Spots]]
    is_shared: bool
    outcome: Callable[[int, bool, bool], str | None]
    allows: Callable[[int, Spots, Spots], bool]
    goal: Callable[[Spots, Spots, bool, bool, str | None], bool]
    data: dict[str, Any]
    theirs: list[tuple[Spots, Spots]] | None = None
    stuck: Callable[[int], str] | None = None

    def has_line(self, marks: Spots, player: str) -> bool:
        """Return whether a player's marks make a line."""
        lines = self.lines if player == "X" or self.theirs is None else self.theirs
        return any(held <= marks and not others & marks for held, others in lines)

    def moves(self, x: Spots, o: Spots) -> list[int]:
        """Return the spots that may be marked while the game goes on."""
        return [s for s in range(self.cells) if s not in x | o and self.allows(s, x, o)]

    def end(self, x: Spots, o: Spots) -> str | None:
        """Return how the game has ended."""
        found = self.outcome(len(x | o), self.has_line(x, "X"), self.has_line(o, "O"))
        if not self.moves(x, o) and self.stuck and found in (None, "draw"):
            return self.stuck(len(x | o))
        return found if found or self.moves(x, o) else "draw"

    def after(self, x: Spots, o: Spots, s: int) -> tuple[Spots, Spots]:
        """Return the marks after a move."""
        return (x | {s}, o) if self.is_shared or len(x | o) % 2 == 0 else (x, o | {s})

    def begin(self, plies: int, chance: random.Random) -> tuple[Spots, Spots]:
        """Return the position after some random moves, or earlier if the game or play ends."""
        x, o = NONE, NONE
        for _ in range(plies):
            moves = self.moves(x, o)
            after = self.after(x, o, chance.choice(moves)) if moves else (x, o)
            if self.end(*after):
                break
            x, o = after
        return x, o

    def can_reach(self, attacker: str, by: int, start: tuple[Spots, Spots]) -> bool:
        """Return whether a player can make every play from a position reach the goal by a ply, by trying everything."""

        @functools.cache
        def can(x: Spots, o: Spots) -> bool:
            ply, end = len(x | o), self.end(x, o)
            if self.goal(x, o, self.has_line(x, "X"), self.has_line(o, "O"), end):
                return True
            if end or ply >= by:
                return False
            quantifier = any if (ply % 2 == 0) == (attacker == "X") else all
            return quantifier(can(*self.after(x, o, s)) for s in self.moves(x, o))

        return can(*start)

    def statement(
        self, claimant: str, kind: str, ply: int, start: tuple[Spots, Spots] = (NONE, NONE)
    ) -> dict[str, Any]:
        """Return the kernel's statement that a claimant can reach, or prevent, the goal from a position."""
        bound = {"reach": "by", "prevent": "through"}[kind]
        return {
            "kind": "play",
            "rules": self.data["rules"],
            "formulas": [],
            "start": "".join("X" if s in start[0] else "O" if s in start[1] else "." for s in range(self.cells)),
            "claimant": claimant,
            "horizon": ply,
            "strategies": {},
            "objectives": [{"name": "goal", "type": kind, "goal": self.data["goal"], bound: ply}],
        }


def make(form: str, chance: random.Random) -> Small:
    """Return a random game of a form; ``FORMS`` has what is special about each form."""
    cells = chance.choice([5, 6, 7, 7, 8])
    lines = random_lines(cells, chance, has_others=form == "not held")
    game: dict[str, Any] = {
        "cells": cells,
        "lines": [(frozenset(held), frozenset(others)) for held, others in lines],
        "is_shared": form in ("shared", "shared misère"),
        "outcome": lambda ply, x_line, o_line: "X" if x_line else "O" if o_line else "draw" if ply == cells else None,
        "allows": lambda s, x, o: True,
        "goal": lambda x, o, x_line, o_line, end: end == "X",
    }
    told: dict[str, Any] = {"outcomes": [[["X_line"], "X"], [["O_line"], "O"]], "legal": None, "goal": ["X_wins"]}
    told["form"] = form
    FORMS[form](cells, chance, game, told)
    rules = {
        "family": "positional",
        "rows": 1,
        "columns": cells,
        "notation": "spots",
        "marks": "shared" if game["is_shared"] else "own",
        "lines": told.get("lines", sorted([held, others] for held, others in lines)),
        "outcomes": told["outcomes"],
        "legal": told["legal"],
    }
    return Small(**game, data={"rules": rules, "goal": told["goal"]})


def random_lines(cells: int, chance: random.Random, *, has_others: bool) -> list[tuple[list[int], list[int]]]:
    """Return some lines of two to four spots. If asked, every other line has spots that it must not have.

    Every other game is its own mirror image.
    """
    found = set()
    is_mirrored = chance.random() < 0.5
    for number in range(chance.randint(2, 9)):
        spots = chance.sample(range(cells), chance.choice([2, 3, 3, 3, 4]))
        split = len(spots) - 1 if has_others and number % 2 else len(spots)
        found.add((tuple(sorted(spots[:split])), tuple(sorted(spots[split:]))))
        if is_mirrored:
            spots = [cells - 1 - s for s in spots]
            found.add((tuple(sorted(spots[:split])), tuple(sorted(spots[split:]))))
    return [(list(held), list(others)) for held, others in sorted(found)]


def as_is(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """The player who first has a line wins."""


def maker(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """Only X's lines count."""
    game["outcome"] = lambda ply, x_line, o_line: "X" if x_line else "O" if ply == cells else None
    told["outcomes"] = [[["X_line"], "X"], [["==", ["ply"], cells], "O"]]


def misere(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """A player who has a line loses."""
    game["outcome"] = lambda ply, x_line, o_line: "O" if x_line else "X" if o_line else "draw" if ply == cells else None
    told["outcomes"] = [[["X_line"], "O"], [["O_line"], "X"]]


def shared(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """Marks are shared, and the player who completes a line wins, or loses if the rules say so."""
    first, second = "OX" if "misère" in told["form"] else "XO"
    game["outcome"] = lambda ply, line, _: (first if ply % 2 else second) if line else "draw" if ply == cells else None
    told["outcomes"] = [[["and", ["line"], ["O_turn"]], first], [["line"], second]]


def legal(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """A spot may be marked only after another one is marked: by anybody, by X, or not by O; some only from a ply on."""
    wait = {s: (chance.randrange(cells), chance.choice(["any", "X", "not O", "late", "free"])) for s in range(cells)}
    wait[chance.randrange(cells)] = (0, "free")

    def allows(s: int, x: Spots, o: Spots) -> bool:
        t, how = wait[s]
        if how == "late":
            return len(x | o) >= t % 3
        return {"any": t in x | o, "X": t in x, "not O": t not in o, "free": True}[how]

    game["allows"] = allows
    told["legal"] = [
        {
            "any": ["or", ["X", t], ["O", t]],
            "X": ["X", t],
            "not O": ["not", ["O", t]],
            "late": [">=", ["ply"], t % 3],
            "free": True,
        }[how]
        for t, how in wait.values()
    ]


def falling(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """Conditions on two spots: all, or any, must be marked, free, X's, or not O's. Both ends are always open."""
    words: list[tuple[Callable[[int], Any], Callable[[int, Spots, Spots], bool]]] = [
        (lambda t: ["not", ["free", t]], lambda t, x, o: t in x | o),
        (lambda t: ["free", t], lambda t, x, o: t not in x | o),
        (lambda t: ["X", t], lambda t, x, o: t in x),
        (lambda t: ["implies", ["O", t], ["X", t]], lambda t, x, o: t not in o),
    ]
    wait = [
        (chance.choice([any, all]), [(chance.choice(words), t) for t in chance.sample(range(cells), 2)])
        for _ in range(cells)
    ]
    if chance.random() < 0.5:  # each condition has its mirror image
        for s, (how, parts) in enumerate(wait[: cells // 2]):
            wait[cells - 1 - s] = (how, [(word, cells - 1 - t) for word, t in parts])
        wait[cells // 2] = (all, [])
    wait[0] = wait[-1] = (all, [])
    game["allows"] = lambda s, x, o: wait[s][0](test(t, x, o) for (_, test), t in wait[s][1])
    told["legal"] = [["or" if how is any else "and", *(said(t) for (said, _), t in parts)] for how, parts in wait]
    if chance.random() < 0.5:
        misere(cells, chance, game, told)


def answered(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """A line wins only after the opponent's answer, unless the answer makes a line too. At one ply it wins at once."""
    last = chance.randrange(3, cells)

    def outcome(ply: int, x_line: bool, o_line: bool) -> str | None:
        if x_line and o_line:
            return "draw"
        if ply >= last and (x_line or o_line):
            return "X" if x_line else "O"
        if (x_line and ply % 2 == 1) or (o_line and ply % 2 == 0):
            return "draw" if ply == cells else None
        return "X" if x_line else "O" if o_line else "draw" if ply == cells else None

    game["outcome"] = outcome
    told["outcomes"] = [
        [["and", ["X_line"], ["O_line"]], "draw"],
        [["and", ["X_line"], [">=", ["ply"], last]], "X"],
        [["and", ["O_line"], [">=", ["ply"], last]], "O"],
        [["and", ["X_line"], ["O_turn"]], "goes-on"],
        [["and", ["O_line"], ["X_turn"]], "goes-on"],
        [["X_line"], "X"],
        [["O_line"], "O"],
    ]


def last_word(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """X's line wins. O's line makes the game a draw, but only after one more mark of X's, which may win."""

    def outcome(ply: int, x_line: bool, o_line: bool) -> str | None:
        if x_line:
            return "X"
        return "draw" if ply == cells or (o_line and ply % 2 == 1) else None

    game["outcome"] = outcome
    told["outcomes"] = [[["X_line"], "X"], [["and", ["O_line"], ["O_turn"]], "draw"]]


def sooner(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """The game is over at some ply, whoever has a line."""
    last = chance.randrange(3, cells)
    game["outcome"] = lambda ply, x_line, o_line: "X" if x_line else "O" if o_line else "draw" if ply == last else None
    told["outcomes"] = [[["X_line"], "X"], [["O_line"], "O"], [["==", ["ply"], last], "draw"]]


def other_goals(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """The goal is about marks, threats, or how the game ends."""
    a, b, c = chance.sample(range(cells), 3)
    lines = game["lines"]

    def makes(marks: Spots) -> bool:
        return any(held <= marks for held, _ in lines)

    goals: list[tuple[Any, Any]] = [
        (
            ["and", ["X", a], ["not", ["O", b]], ["free", c]],
            lambda x, o, xl, ol, end: a in x and b not in o and c not in x | o,
        ),
        (["and", ["over"], ["not", ["X_wins"]]], lambda x, o, xl, ol, end: end is not None and end != "X"),
        (
            [">", ["+", ["sum", ["X", a], ["X", b], ["X", c]], ["-", ["ply"], 5]], 1],
            lambda x, o, xl, ol, end: len({a, b, c} & x) + len(x | o) - 5 > 1,
        ),
        (["and", ["X_makes", a], ["free", a]], lambda x, o, xl, ol, end: makes(x | {a}) and a not in x | o),
        (["implies", ["O", a], ["exactly-one", ["X", b], ["X", c], ["O_line"]]], None),
        (["iff", ["O_makes", a], ["!=", ["ply"], 4]], lambda x, o, xl, ol, end: makes(o | {a}) == (len(x | o) != 4)),
    ]
    told["goal"], goal = chance.choice(goals)
    game["goal"] = goal or (lambda x, o, xl, ol, end: a not in o or (b in x) + (c in x) + ol == 1)


def of_each_player(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """Each player has lines of his own."""
    theirs = random_lines(cells, chance, has_others=chance.random() < 0.3)
    game["theirs"] = [(frozenset(held), frozenset(others)) for held, others in theirs]
    own = sorted([sorted(held), sorted(others)] for held, others in game["lines"])
    told["lines"] = {"X": own, "O": sorted([held, others] for held, others in theirs)}
    if own == told["lines"]["O"]:
        told["lines"] = own


def stuck(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """Spots may depend on others. A player who cannot move loses, or wins. There may be lines."""
    legal(cells, chance, game, told)
    if chance.random() < 0.3:
        told["legal"] = None
        game["allows"] = lambda s, x, o: True
    loses = chance.random() < 0.7
    game["stuck"] = lambda ply: "XO"[(ply % 2 == 0) == loses]
    told["outcomes"] = [
        [["X_line"], "X"],
        [["O_line"], "O"],
        [["and", ["stuck"], ["X_turn"]], "O" if loses else "X"],
        [["stuck"], "X" if loses else "O"],
    ]
    if chance.random() < 0.5:
        game["lines"], told["lines"], told["outcomes"] = [], [], told["outcomes"][2:]


def stuck_first(cells: int, chance: random.Random, game: dict[str, Any], told: dict[str, Any]) -> None:
    """A player who cannot move loses, whoever has a line. Play goes on after a line."""
    legal(cells, chance, game, told)
    game["stuck"] = lambda ply: "XO"[ply % 2 == 0]
    game["outcome"] = lambda ply, x_line, o_line: None
    told["outcomes"] = [[["and", ["stuck"], ["X_turn"]], "O"], [["stuck"], "X"], [["X_line"], "goes-on"]]
    told["goal"] = chance.choice([["X_wins"], ["O_wins"], ["and", ["X_wins"], ["O_line"]]])
    game["goal"] = {
        "X_wins": lambda x, o, xl, ol, end: end == "X",
        "O_wins": lambda x, o, xl, ol, end: end == "O",
        "and": lambda x, o, xl, ol, end: end == "X" and ol,
    }[told["goal"][0]]


FORMS: dict[str, Callable[[int, random.Random, dict[str, Any], dict[str, Any]], None]] = {
    "own": as_is,
    "not held": as_is,
    "maker": maker,
    "misère": misere,
    "shared": shared,
    "shared misère": shared,
    "legal": legal,
    "falling": falling,
    "answered": answered,
    "last word": last_word,
    "sooner": sooner,
    "other goals": other_goals,
    "of each player": of_each_player,
    "stuck": stuck,
    "stuck first": stuck_first,
}
