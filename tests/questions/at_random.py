"""Games on one board, strategies, and entries of claims about steps, made at random for ``enumeration``."""

import functools
import random
from collections.abc import Sequence
from typing import Any

from tests.questions.enumeration import Board, Part, Strategy, find_lines

SMALL = [(1, 4), (1, 5), (2, 2), (2, 3), (2, 3), (3, 2)]
"""Rows and columns of boards with so few positions that a test of them is quick."""


def random_board(chance: random.Random, sizes: Sequence[tuple[int, int]]) -> Board:
    """Return a game that is not over before the first mark."""
    rows, columns = chance.choice(sizes)
    size, is_shared = rows * columns, chance.random() < 0.25
    own = random_lines(chance, rows, columns)
    theirs = own if is_shared or chance.random() < 0.7 else random_lines(chance, rows, columns)
    clauses = {"X": own, "O": theirs}
    board = Board(
        rows,
        columns,
        chance.random() < 0.2,
        is_shared,
        clauses,
        random_outcomes(chance, is_shared, size),
        random_legal(chance, is_shared, size),
    )
    return board if board.outcome(board.start) is None else random_board(chance, sizes)


def random_lines(chance: random.Random, rows: int, columns: int) -> dict[str, Any]:
    """Return what a clause says of a player's lines; there is at least one."""
    size, length = rows * columns, chance.choice([2, 2, 3])
    if chance.random() < 0.5:
        sets = {tuple(sorted(chance.sample(range(size), length))) for _ in range(chance.randrange(1, 5))}
        return {"sets": [str([*spots]) for spots in sorted(sets)]}
    said = {"in_a_row": length, **({"spots": "exactly"} if chance.random() < 0.5 else {})}
    return said if find_lines(said, rows, columns) else random_lines(chance, rows, columns)


USUAL = [
    [("X_line", "X"), ("O_line", "O")],
    [("X_line", "O"), ("O_line", "X")],
    [("X_line and O_line", "draw"), ("X_line", "X"), ("O_line", "O")],
    [("X_line", "X"), ("stuck", "O")],
    [("stuck and X_turn", "O"), ("stuck", "X")],
]
USUAL_SHARED = [
    [("line and X_turn", "O"), ("line", "X")],
    [("line and X_turn", "X"), ("line", "O")],
    [("line", "draw")],
    [("line", "X"), ("stuck", "O")],
]


def random_outcomes(chance: random.Random, is_shared: bool, size: int) -> list[tuple[str, str]]:
    """Return outcomes of a usual game, or any."""
    if chance.random() < 0.5:
        return chance.choice(USUAL_SHARED if is_shared else USUAL)
    lines = ["line", "line"] if is_shared else ["X_line", "O_line"]

    def when() -> str:
        atoms = [
            *lines,
            *lines,
            "X_turn",
            "O_turn",
            "stuck",
            f"ply == {chance.randrange(1, size + 1)}",
            f"ply >= {chance.randrange(2, size + 1)}",
        ]
        one, other = chance.sample(atoms, 2)
        return chance.choice([one, f"{one} and {other}", f"{one} and not {other}", f"{one} or {other} and ply > 1"])

    found = [(when(), chance.choice(["X", "O", "draw", "goes-on"])) for _ in range(chance.randrange(1, 5))]
    found.append((f"{lines[0]} or stuck", chance.choice("XO")))
    return found


def random_legal(chance: random.Random, is_shared: bool, size: int) -> str | None:
    """Return a condition of spots; more often none."""
    if chance.random() < 0.6:
        return None
    mark = "marked" if is_shared else chance.choice("XO")
    k = chance.randrange(size)
    return chance.choice(
        [
            f"all(not free[t] for t in SPOTS if t == s + {chance.choice([1, 2, 3])})",
            f"s != {k} or ply > {chance.randrange(size)}",
            f"{mark}[{k}] or s == {k} or column == 1",
            f"implies(row == 1, ply >= {chance.randrange(1, 3)})",
            f"sum({mark}[t] for t in SPOTS) <= {chance.randrange(1, 4)}",
            f"ply == 0 or any(not free[t] for t in [s - 1, s + 1] if 0 <= t and t < {size})",
            f"iff(free[{k}], s % 2 == 0) or s == {k}",
        ]
    )


class Sayer:
    """Says expressions at random."""

    def __init__(self, chance: random.Random, board: Board, *, is_relative: bool, is_after: bool = False) -> None:
        self.chance, self.board, self.is_after = chance, board, is_after
        marks = ["marked", "free"] if board.is_shared else ["X", "O", "free"]
        makes = ["makes"] if board.is_shared else ["X_makes", "O_makes"]
        self.plain = ["over", "draw", "X_wins", "O_wins", *(["line"] if board.is_shared else ["X_line", "O_line"])]
        self.indexed = [*marks, *marks, *makes]
        if is_relative:
            self.plain += ["i_win", "they_win"]
            if not board.is_shared:
                self.plain += ["my_line", "their_line"]
                self.indexed += ["mine", "theirs", "i_make", "they_make"]

    def list(self) -> str:
        """Return a list of spots."""
        size, k = self.board.size, self.chance.randrange(self.board.size)
        return self.chance.choice(
            ["SPOTS", "SPOTS", f"range(0, {k})", f"[{k}, {(k + 1) % size}]", f"[i for i in SPOTS if i != {k}]"]
        )

    def condition(self, depth: int, variables: Sequence[str] = (), *, is_old: bool = False) -> str:
        """Return a condition, with parts nested no deeper than ``depth``."""
        chance = self.chance
        if depth <= 0 or chance.random() < 0.15:
            return self.atom(variables, is_old=is_old)
        inner = functools.partial(self.condition, depth - 1, variables, is_old=is_old)
        has_old = self.is_after and not is_old
        kind = chance.choice(
            ["not", "and", "or", "implies", "iff", "loop", "loop", "compare", "compare", *["old"] * 2 * has_old]
        )
        if kind == "not":
            return f"not ({inner()})"
        if kind in ("and", "or"):
            return f"({inner()} {kind} {inner()})"
        if kind in ("implies", "iff"):
            return f"{kind}({inner()}, {inner()})"
        if kind == "old":
            return f"old({self.condition(depth - 1, variables, is_old=True)})"
        if kind == "compare":
            one, other = self.term(depth - 1, variables, is_old=is_old), self.term(depth - 1, variables, is_old=is_old)
            return f"{one} {chance.choice(['==', '!=', '<', '<=', '>', '>='])} {other}"
        return f"{chance.choice(['all', 'any', 'exactly_one'])}{self.loop(depth, variables, is_old=is_old)}"

    def law(self) -> str:
        """Return what may be true of all positions: that a word follows from one or two others."""
        one, two, three = (self.atom((), is_old=False) for _ in range(3))
        negated = f"not {three}" if self.chance.random() < 0.4 else three
        return f"implies({self.chance.choice([one, one, f'{one} and {two}', f'not {one} and {two}'])}, {negated})"

    def loop(self, depth: int, variables: Sequence[str], *, is_old: bool) -> str:
        """Return a loop over spots, in brackets."""
        name = "tuvw"[len(variables) % 4]
        inner = self.condition(depth - 2, (*variables, name), is_old=is_old)
        guard = f" if {self.atom((*variables, name), is_old=is_old)}" if self.chance.random() < 0.4 else ""
        return f"({inner} for {name} in {self.list()}{guard})"

    def atom(self, variables: Sequence[str], *, is_old: bool) -> str:
        """Return a word about a position, with its index if it has one."""
        if not variables and self.chance.random() < 0.6:
            return self.chance.choice(self.plain)
        spot = self.chance.choice([*variables, *variables, *variables, str(self.chance.randrange(self.board.size))])
        if self.is_after and not is_old and self.chance.random() < 0.25:
            return self.chance.choice([f"last_move({spot})", f"old({self.chance.choice(self.indexed)}[{spot}])"])
        return f"{self.chance.choice(self.indexed)}[{spot}]"

    def term(self, depth: int, variables: Sequence[str] = (), *, is_old: bool = False) -> str:
        """Return a number."""
        chance = self.chance
        has_old = self.is_after and not is_old
        kind = chance.choice(["ply", "sum", "sum", "number", "number", *["join"] * (depth > 0), *["old"] * has_old])
        if kind == "number":
            return str(chance.randrange(self.board.size + 1))
        if kind == "ply":
            return "ply"
        if kind == "join":
            inner = functools.partial(self.term, depth - 1, variables, is_old=is_old)
            return f"({inner()} {chance.choice('+-')} {inner()})"
        if kind == "old":
            return f"old({chance.choice(['ply', 'sum' + self.loop(1, variables, is_old=True)])})"
        return f"sum{self.loop(depth, variables, is_old=is_old)}"


def random_strategy(chance: random.Random, board: Board, player: str) -> Strategy:
    """Return a strategy, some of whose moves may be illegal, and which may have none."""
    sayer = Sayer(chance, board, is_relative=True)
    spots = list(range(board.size))

    def rule(variables: Sequence[str]) -> dict[str, Any]:
        if chance.random() < 0.2:
            return {"when": sayer.condition(1, variables), "play": [chance.choice(spots)]}
        free = (
            f"free[s] and {sayer.condition(1, (*variables, 's'))}"
            if chance.random() < 0.9
            else sayer.condition(1, ("s",))
        )
        return {"for": {"s": chance.sample(spots, chance.randrange(1, board.size + 1))}, "when": free, "play": ["s"]}

    def phase(is_last: bool) -> dict[str, Any]:
        has_loop = chance.random() < 0.3
        variables = ["a"] if has_loop else []
        found: dict[str, Any] = {"for": {"a": chance.sample(spots, 2)}} if has_loop else {}
        if has_loop or not is_last:
            found["when"] = f"free[a] or {sayer.condition(1, variables)}" if has_loop else sayer.condition(1)
        found["rules"] = {f"r{k}": rule(variables) for k in range(chance.randrange(1, 3))}
        if chance.random() < 0.7:
            found["rules"]["any"] = {"for": {"s": spots}, "when": "free[s]", "play": ["s"]}
        return found

    count = chance.randrange(1, 3)
    return {"player": player, "phases": {f"p{k}": phase(k == count - 1) for k in range(count)}}


def random_part(chance: random.Random, board: Board, strategy: Strategy | None, side: str) -> Part:
    """Return a part without conclusions; it uses the strategy, if there is one, more often than not."""
    step = chance.choice(["none", "start", "move", "move"] if strategy is None else ["reply", "round", "round", "move"])
    sayer = Sayer(chance, board, is_relative=strategy is not None)
    given = [sayer.condition(chance.choice([1, 1, 2])) for _ in range(chance.choice([0, 0, 1, 2]))]
    if step == "round" or chance.random() < 0.2:
        given.append(f"ply {chance.choice(['==', '<', '>'])} {chance.randrange(board.size)}")
    turn = chance.choice([None, None, side] if step in ("start", "reply") else [None, "X", "O"])
    play = chance.randrange(board.size) if step in ("move", "round") and chance.random() < 0.3 else None
    return Part(step, tuple(given), turn, play, side, strategy if step in ("reply", "round") else None)
