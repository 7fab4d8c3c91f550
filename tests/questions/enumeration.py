"""Games on one board and steps in them, made at random and decided by trying every position and every step.

Written from ``specs/`` and ``proofs/README.md`` alone, and nothing here asks the tool. Python evaluates the
expressions, because they have its syntax.
"""

import ast
import functools
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

OTHER = {"X": "O", "O": "X"}

Line = tuple[tuple[int, ...], tuple[int, ...]]


class _Old(ast.NodeTransformer):
    """Renames the words inside ``old``, so that they mean the position before the step."""

    def __init__(self, words: frozenset[str]) -> None:
        self.words, self.is_old = words, False

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id == "old":
            self.is_old = True
            found: ast.AST = self.visit(node.args[0])
            self.is_old = False
            return found
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(f"old_{node.id}", node.ctx) if self.is_old and node.id in self.words else node


FUNCTIONS: dict[str, Any] = {
    "implies": lambda one, other: not one or other,
    "iff": lambda one, other: bool(one) == bool(other),
    "exactly_one": lambda parts: sum(map(bool, parts)) == 1,
}
WORDS = frozenset(
    {
        *("X", "O", "free", "marked", "X_line", "O_line", "line", "X_makes", "O_makes", "makes"),
        *("X_wins", "O_wins", "over", "draw", "ply", "mine", "theirs", "i_win", "they_win"),
        *("i_make", "they_make", "my_line", "their_line"),
    }
)
"""The words about a position."""


@functools.cache
def compile_text(text: str) -> CodeType:
    """Return an expression of the language as Python code."""
    tree = _Old(WORDS).visit(ast.parse(text, mode="eval"))
    return compile(ast.fix_missing_locations(tree), text, "eval")


@dataclass(frozen=True)
class Board:
    """A game on one board. A position is a text of ``.XO``; shared marks are X's.

    Attributes:
        rows, columns: the board.
        is_by_row: the notation of moves is row and column.
        is_shared: every mark counts for both players.
        clauses: what the rules say of each player's lines.
        outcomes: conditions and results; the first condition that holds decides.
        legal: which free spots may be marked; None: all.
    """

    rows: int
    columns: int
    is_by_row: bool
    is_shared: bool
    clauses: dict[str, dict[str, Any]]
    outcomes: list[tuple[str, str]]
    legal: str | None
    _known: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def size(self) -> int:
        """The number of spots."""
        return self.rows * self.columns

    @functools.cached_property
    def lines(self) -> dict[str, list[Line]]:
        """The lines of each player."""
        return {player: find_lines(said, self.rows, self.columns) for player, said in self.clauses.items()}

    @property
    def start(self) -> str:
        """The empty board."""
        return "." * self.size

    def once(self, what: str, position: str, find: Callable[[str], Any]) -> Any:
        """Return what a function finds of a position, from a cache."""
        if (what, position) not in self._known:
            self._known[what, position] = find(position)
        return self._known[what, position]

    def turn(self, position: str) -> str:
        """Return who is to move."""
        return "XO"[(self.size - position.count(".")) % 2]

    def has_line(self, position: str, player: str) -> bool:
        """Say whether a player has a line."""
        mark = "X" if self.is_shared else player
        return any(
            all(position[s] == mark for s in held) and all(position[s] != mark for s in others)
            for held, others in self.lines[player]
        )

    def allowed(self, position: str) -> list[int]:
        """Return the spots that are free and allowed, also if the game is over."""

        def find(position: str) -> list[int]:
            free = [s for s in range(self.size) if position[s] == "."]
            if self.legal is None:
                return free
            code, words = compile_text(self.legal), self.marks(position)
            return [
                s
                for s in free
                if eval(code, {**words, "s": s, "row": s // self.columns + 1, "column": s % self.columns + 1})  # noqa: S307
            ]

        found: list[int] = self.once("allowed", position, find)
        return found

    def marks(self, position: str) -> dict[str, Any]:
        """Return what the words about marks mean, with the functions of the language."""
        x, o, free = ([mark == which for mark in position] for which in "XO.")
        said = {"marked": x} if self.is_shared else {"X": x, "O": o}
        return {**FUNCTIONS, **said, "free": free, "ply": self.size - sum(free), "SPOTS": range(self.size)}

    def outcome(self, position: str) -> str | None:
        """Return who has won, or ``draw``; None: play goes on."""

        def find(position: str) -> str | None:
            words: dict[str, Any] = {
                "X_turn": self.turn(position) == "X",
                "O_turn": self.turn(position) == "O",
                "stuck": not self.allowed(position),
                "ply": self.size - position.count("."),
                **{f"{player}_line": self.has_line(position, player) for player in "XO"},
            }
            words["line"] = words["X_line"]
            said = next((result for when, result in self.outcomes if eval(compile_text(when), words)), "goes-on")  # noqa: S307
            return said if said != "goes-on" else "draw" if words["stuck"] else None

        found: str | None = self.once("outcome", position, find)
        return found

    def moves(self, position: str) -> list[int]:
        """Return the legal moves."""
        return [] if self.outcome(position) else self.allowed(position)

    def say(self, move: int) -> str:
        """Return a move in the notation of the rules."""
        return f"{move // self.columns + 1},{move % self.columns + 1}" if self.is_by_row else str(move)

    def play(self, position: str, move: int) -> str:
        """Return the position after a move."""
        mark = "X" if self.is_shared else self.turn(position)
        return put(position, move, mark)

    def is_well_formed(self, position: str) -> bool:
        """Say whether a position is well formed."""
        ply = self.size - position.count(".")
        if self.is_shared:
            if "O" in position:
                return False
        elif position.count("X") - position.count("O") not in (0, 1):
            return False
        mark = "X" if self.is_shared or ply % 2 else "O"
        before = ((s, put(position, s, ".")) for s in range(self.size) if position[s] == mark)
        return not ply or any(self.outcome(one) is None and s in self.allowed(one) for s, one in before)

    @functools.cached_property
    def positions(self) -> list[str]:
        """All well-formed positions."""
        every = map("".join, itertools.product(".X" if self.is_shared else ".XO", repeat=self.size))
        return [position for position in every if self.is_well_formed(position)]

    def words(self, position: str, me: str) -> dict[str, Any]:
        """Return what the words of expressions mean in a position; relative ones are about ``me``."""

        def find(position: str) -> dict[str, Any]:
            found, outcome = self.marks(position), self.outcome(position)
            for player in "XO":
                found[f"{player}_line"] = self.has_line(position, player)
                found[f"{player}_wins"] = outcome == player
                mark = "X" if self.is_shared else player
                found[f"{player}_makes"] = [self.has_line(put(position, s, mark), player) for s in range(self.size)]
            them = OTHER[me]
            found |= {"over": outcome is not None, "draw": outcome == "draw"}
            found |= {"line": found["X_line"], "makes": found["X_makes"]}
            if not self.is_shared:
                found |= {"mine": found[me], "theirs": found[them]}
                found |= {"my_line": found[f"{me}_line"], "their_line": found[f"{them}_line"]}
                found |= {"i_make": found[f"{me}_makes"], "they_make": found[f"{them}_makes"]}
            return found | {"i_win": found[f"{me}_wins"], "they_win": found[f"{them}_wins"]}

        words: dict[str, Any] = self.once(f"words {me}", position, find)
        return words

    def holds(self, text: str, position: str, me: str, before: str = "", env: Mapping[str, int] | None = None) -> bool:
        """Say whether an expression is true in a position, after a step from ``before``."""
        words = self.words(position, me)
        if before:
            old = self.words(before, me)
            words = {**words, **{f"old_{word}": old[word] for word in WORDS & old.keys()}}
            words["last_move"] = lambda s: old["free"][s] and not words["free"][s]
        return bool(eval(compile_text(text), {**words, **(env or {})}))  # noqa: S307


def find_lines(said: dict[str, Any], rows: int, columns: int) -> list[Line]:
    """Return the lines that a clause means: spots to hold, and spots not to hold."""
    if "sets" in said:
        return [(ast.literal_eval(spots), ()) for spots in said["sets"]]
    found, length = list[Line](), said["in_a_row"]
    for r, c, (down, right) in itertools.product(range(rows), range(columns), [(0, 1), (1, 0), (1, 1), (1, -1)]):
        places = [(r + k * down, c + k * right) for k in range(-1, length + 1)]
        spots = [i * columns + j if 0 <= i < rows and 0 <= j < columns else -1 for i, j in places]
        if -1 not in spots[1:-1]:
            found.append((tuple(spots[1:-1]), tuple(s for s in (spots[0], spots[-1]) if s >= 0 and "spots" in said)))
    return found


def put(position: str, s: int, mark: str) -> str:
    """Return a position with something else on a spot."""
    return f"{position[:s]}{mark}{position[s + 1 :]}"


Strategy = dict[str, Any]
"""A strategy, as its file says it."""


def choose(board: Board, strategy: Strategy, position: str) -> set[int]:
    """Return the moves that a strategy allows, also if they are not legal."""
    me = strategy["player"]
    for phase in strategy["phases"].values():
        opened = [env for env in members(phase) if board.holds(str(phase.get("when", "True")), position, me, env=env)]
        if opened:
            return set().union(*(_first(board, phase["rules"], position, me, env) for env in opened))
    return set()


def members(said: dict[str, Any]) -> list[dict[str, int]]:
    """Return the variables of each member of a phase or rule."""
    loops = said.get("for", {})
    return [dict(zip(loops, values, strict=True)) for values in itertools.product(*loops.values())]


def _first(board: Board, rules: dict[str, Any], position: str, me: str, env: dict[str, int]) -> set[int]:
    for rule in rules.values():
        whole = [{**env, **own} for own in members(rule)]
        moves = {
            eval(compile_text(str(rule["play"][0])), {**one})  # noqa: S307
            for one in whole
            if board.holds(str(rule.get("when", "True")), position, me, env=one)
        }
        if moves:
            return moves
    return set()


@dataclass(frozen=True)
class Trial:
    """What comes of one way to make a step: its moves, the position after it, why it fails (empty: it does not)."""

    moves: tuple[int, ...]
    after: str
    failure: str = ""


@dataclass(frozen=True)
class Part:
    """One entry of a reading."""

    step: str
    given: tuple[str, ...]
    turn: str | None
    play: int | None
    side: str
    strategy: Strategy | None

    def order(self) -> str:
        """Return the moves of the step: ``f`` for a free one, ``r`` for a reply of the strategy."""
        if self.step == "round":
            return "rf" if self.turn == self.side else "fr"
        return {"move": "f", "reply": "r"}.get(self.step, "")

    def is_about(self, board: Board, position: str) -> bool:
        """Say whether the part speaks of a well-formed position."""
        order = self.order()
        turn = self.turn or ({"r": self.side, "f": OTHER[self.side]}[order[0]] if "r" in order else None)
        if (self.step == "start" and position != board.start) or turn not in (None, board.turn(position)):
            return False
        if order and board.outcome(position):
            return False
        return all(board.holds(text, position, self.side) for text in self.given)

    def trials(self, board: Board, position: str) -> Iterator[Trial]:
        """Yield every way to make the step from a position."""

        def go_on(at: str, moves: tuple[int, ...], left: str) -> Iterator[Trial]:
            if not left:
                yield Trial(moves, at)
                return
            if board.outcome(at):
                yield Trial(moves, at, "the game ends within the step")
                return
            legal = board.moves(at)
            if left[0] == "f":
                chosen = [move for move in legal if self.play in (None, move)]
            else:
                assert self.strategy is not None
                chosen = sorted(choose(board, self.strategy, at))
                illegal = [move for move in chosen if move not in legal]
                if illegal or not chosen:
                    yield Trial(
                        moves,
                        at,
                        f"the strategy names the illegal move {board.say(illegal[0])}"
                        if illegal
                        else "the strategy has no move",
                    )
                    return
            for move in chosen:
                yield from go_on(board.play(at, move), (*moves, move), left[1:])

        return go_on(position, (), self.order())

    def fails(self, board: Board, text: str, before: str, trial: Trial) -> bool:
        """Say whether a conclusion fails after a step."""
        return bool(trial.failure) or not board.holds(text, trial.after, self.side, before if self.order() else "")


def cases(board: Board, part: Part) -> list[tuple[str, Trial]]:
    """Return every step of a part from every position that it is about."""
    about = (position for position in board.positions if part.is_about(board, position))
    return [(position, trial) for position in about for trial in part.trials(board, position)]
