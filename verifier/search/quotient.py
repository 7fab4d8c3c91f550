"""Find the quotient of a board: classes of sums that can replace each other without changing the winner.

A *sum* is several copies of the board side by side; a move is a mark on one of them (``kernel/sum``). Two sums are
*equivalent* if they have the same winner, whatever third sum is put beside each of them. The classes of equivalent sums
are the *elements* of the quotient. Put a sum of one element beside a sum of another element: the class of the result is
the *product* of the two elements.

A *test* is a sum that is put beside each of two other sums, to see whether the winners differ. The search guesses a
quotient from a few tests, and adds tests until no sum contradicts the guess. (This is Angluin's algorithm for automata,
but here the order of the boards does not matter.)
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.games.positional import BoardPosition, PositionalGame
from verifier.search.walk import NodeLimitError

BoardSum = tuple[int, ...]
"""A sum: the numbers of the positions on its boards (``MoveGraph``), in ascending order."""

MAX_SUMS = 2_000_000
"""Maximum number of sums examined."""

MAX_GUESSED_ELEMENTS = 100
SMALLER = "What may help: a smaller board, or fewer lines."


@dataclass(slots=True)
class MoveGraph:
    """The positions of one board, numbered.

    Positions with the same tree of moves share a number. The number is 0 if no move is left.

    Attributes:
        options: for each number, the numbers of the positions after one move. All of these numbers are smaller.
        numbers: the number of each position.
        last_loses: True if the player who makes the last move loses, False if he wins.
        values: for each sum examined, True if the player who is not to move wins.
    """

    options: list[BoardSum]
    numbers: dict[BoardPosition, int]
    last_loses: bool
    values: dict[BoardSum, bool] = field(default_factory=dict)

    def is_won(self, boards: BoardSum) -> bool:
        """Return True if the player who is not to move wins a sum."""
        known = self.values.get(boards)
        if known is None:
            if len(self.values) > MAX_SUMS:
                said = f"no quotient was found after {MAX_SUMS:,} sums of boards: the quotient may be infinite"
                raise NodeLimitError(f"{said}. {SMALLER}")
            moves = list(self.moves(boards))
            known = self.values[boards] = (bool(moves) or not self.last_loses) and not any(map(self.is_won, moves))
        return known

    def moves(self, boards: BoardSum) -> Iterator[BoardSum]:
        """Yield the sum after each move in a sum."""
        for at, board in enumerate(boards):
            if not at or boards[at - 1] != board:
                for option in self.options[board]:
                    yield join(boards[:at], boards[at + 1 :], (option,))


def join(*sums: BoardSum) -> BoardSum:
    """Return one sum of all the boards of several sums, without the boards on which no move is left."""
    return tuple(sorted(board for boards in sums for board in boards if board))


def read_boards(game: PositionalGame, *, last_loses: bool) -> MoveGraph:
    """Return the graph of all positions that can be reached on one board."""
    order, seen = [game.start], {game.start}
    for position in order:
        for move in game.legal_moves(position):
            after = game.play(position, move)
            if after not in seen:
                seen.add(after)
                order.append(after)
    trees: dict[BoardSum, int] = {(): 0}
    numbers: dict[BoardPosition, int] = {}
    for position in reversed(order):  # a move leads to a later position of the list
        options = {numbers[game.play(position, move)] for move in game.legal_moves(position)}
        numbers[position] = trees.setdefault(tuple(sorted(options)), len(trees))
    return MoveGraph(list(trees), numbers, last_loses)


@dataclass(slots=True)
class Quotient:
    """A quotient, or a guess at it. Elements are numbers.

    Attributes:
        words: for each element, a sum that belongs to it. The first is the empty sum.
        product: the product of any two elements x and y, as ``product[x][y]``.
        types: for the number of each position (``MoveGraph``), the element to which a single board in this position
            belongs.
        won: the elements of the sums that the player who is not to move wins.
    """

    words: list[BoardSum]
    product: list[list[int]]
    types: list[int]
    won: list[int]


def find_quotient(boards: MoveGraph) -> Quotient:
    """Guess the quotient until no sum contradicts the guess (``_Guess.find_trouble``). Return the last guess.

    Raises:
        NodeLimitError: no quotient was found within the limits.
    """
    tests: dict[BoardSum, None] = {(): None}
    while True:
        guess = _Guess(boards, list(tests))
        if (trouble := guess.find_trouble()) is None:
            return guess.quotient
        size = len(tests)
        for count in range(len(trouble) + 1):
            tests.update(dict.fromkeys(itertools.combinations(trouble, count)))
        if len(tests) == size:  # all parts of the sum were tests already, so longer tests are needed
            tests.update((join(test, (board,)), None) for test in list(tests) for board in range(len(boards.options)))


class _Guess:
    """A guess at the quotient: two sums count as equivalent if they have the same winner beside every given test."""

    def __init__(self, boards: MoveGraph, tests: Sequence[BoardSum]) -> None:
        self.boards, self.tests = boards, tests
        self.classes, self.steps = dict[tuple[bool, ...], int](), list[list[int]]()
        words: list[BoardSum] = []
        self._number((), words)
        for word in words:  # the loop adds words
            self.steps.append([self._number(join(word, (board,)), words) for board in range(len(boards.options))])
            if len(words) > MAX_GUESSED_ELEMENTS:
                said = f"the quotient has more than {MAX_GUESSED_ELEMENTS} elements, which is the limit"
                raise NodeLimitError(f"{said}. {SMALLER}")
        product = [[self._walk(x, word) for word in words] for x in range(len(words))]
        won = [x for x, word in enumerate(words) if boards.is_won(word)]
        self.quotient = Quotient(words, product, self.steps[0], won)

    def _number(self, boards: BoardSum, words: list[BoardSum]) -> int:
        results = tuple(self.boards.is_won(join(boards, test)) for test in self.tests)
        found = self.classes.setdefault(results, len(words))
        if found == len(words):
            words.append(boards)
        return found

    def _walk(self, x: int, boards: BoardSum) -> int:
        return functools.reduce(lambda x, board: self.steps[x][board], boards, x)

    def find_trouble(self) -> BoardSum | None:
        """Return a sum that shows that more tests are needed; None if there is no such sum."""
        words, product, types = self.quotient.words, self.quotient.product, self.quotient.types
        for x, word in enumerate(words):
            for board, after in enumerate(self.steps[x]):
                if after != product[x][types[board]]:
                    return join(word, (board,))
        for x, y in itertools.combinations(range(len(words)), 2):
            if product[x][y] != product[y][x]:
                return join(words[x], words[y])
        return self._find_wrong()

    def _find_wrong(self) -> BoardSum | None:
        """Return a sum that shows that the guess contradicts the moves; None if there is no such sum."""
        product, types, won = self.quotient.product, self.quotient.types, set(self.quotient.won)
        options = enumerate(self.boards.options)
        singles = {(types[board], frozenset(types[o] for o in after)): (board,) for board, after in options}
        found: dict[tuple[int, frozenset[int]], BoardSum] = {**singles, (0, frozenset()): ()}
        waiting = list(found)
        for x, after in waiting:
            if (x in won) != ((bool(after) or not self.boards.last_loses) and not after & won):
                boards = found[x, after]
                sums = [boards, *self.boards.moves(boards)]
                return next((one for one in sums if (self._walk(0, one) in won) != self.boards.is_won(one)), boards)
            for (y, more), (board,) in singles.items():
                pair = product[x][y], frozenset(product[x][z] for z in more) | frozenset(product[z][y] for z in after)
                if pair not in found:
                    found[pair] = join(found[x, after], (board,))
                    waiting.append(pair)
        return None


def give_letters(quotient: Quotient, statement: Mapping[str, Any], types: Mapping[str, int]) -> dict[str, int] | None:
    """Return an element for each letter of a statement, such that the statement is true; None if this is impossible.

    The statement writes a product of elements as a word, with a letter for each element. ``types`` has the element of
    each position on a single board, by the text of the position.
    """
    words = [*itertools.chain(*(statement["relations"] or ())), *(statement["won"] or ()), *statement["types"].values()]
    names = sorted(set("".join(words)))
    known = {word: types[text] for text, word in statement["types"].items() if len(word) == 1 and text in types}
    return next(_assign(names, known, quotient, statement, types), None)


def _assign(
    names: list[str], known: dict[str, int], quotient: Quotient, statement: Mapping[str, Any], types: Mapping[str, int]
) -> Iterator[dict[str, int]]:
    """Yield the assignments of elements to letters that make the statement true. ``known`` has the assignments so far.

    Check each word of the statement as soon as all its letters have elements.
    """
    product = quotient.product

    def value(word: str) -> int:
        return functools.reduce(lambda x, letter: product[x][known[letter]], word, 0)

    def is_known(*words: str) -> bool:
        return all(letter in known for word in words for letter in word)

    relations = [pair for pair in statement["relations"] or () if is_known(*pair)]
    told = [(text, word) for text, word in statement["types"].items() if is_known(word)]
    if any(value(one) != value(other) for one, other in relations) or any(types.get(t) != value(w) for t, w in told):
        return
    won = [word for word in statement["won"] or () if is_known(word)]
    if any(value(word) not in quotient.won for word in won):
        return
    rest = [name for name in names if name not in known]
    if rest:
        for x in range(len(quotient.words)):
            yield from _assign(names, {**known, rest[0]: x}, quotient, statement, types)
        return
    fits = statement["won"] is None or {value(word) for word in won} == set(quotient.won)
    if fits and (statement["relations"] is None or _generates(product, known.values())):
        yield known


def _generates(product: list[list[int]], letters: Collection[int]) -> bool:
    found = {0}
    while more := {product[x][letter] for x in found for letter in letters} - found:
        found |= more
    return len(found) == len(product)
