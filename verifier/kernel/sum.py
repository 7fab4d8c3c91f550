"""Any number of boards side by side, on which both players make the same marks: who wins, by an algebra.

Trusted for: every verdict on a statement of kind ``sum``. It is JSON, and says what follows of sums of boards, in which
a move is a mark on one of them, and the player who makes the last one of all ``loses``, or ``wins``::

    {"kind": "sum", "rules": RULES, "last": "loses" or "wins", "elements": COUNT or null,
     "relations": [[WORD, WORD], ...] or null, "won": [WORD, ...] or null, "types": {POSITION: WORD, ...},
     "copies": {POSITION: [FIRST, [true or false, ...]], ...}}

Two sums are alike if with any third one beside each the same player wins. The classes form a monoid, the quotient.

- ``elements``: the number of its elements. ``copies``: of n equal positions, n being FIRST or more, the player to move
  wins if what is listed at n - FIRST, over and over, is true.
- There are elements for the letters of all words, of which: the types of these positions are these products; those who
  moved last win the sums whose types are ``won``, and no others; the letters generate the quotient, and ``relations``
  and what follows of them are all that holds between them. The word of no letter is the type of a sum without moves.

The rules are those of one board with shared marks, on which play ends by lines alone. Evidence is ``types``, an element
for each position of a board (0 if no move is left), ``product``, a table, ``won``, and ``letters``. A sum has a type,
the product of those of its boards, and a set of types of what a move leads to; (x, S) and (y, T) side by side are
(xy, xT and Sy). All such pairs are made, of which there are finitely many. Where of each x is in ``won`` exactly if S
meets it nowhere (and is not empty, where the last one loses), that holds of every sum, and so by induction on the marks
that are left, ``won`` are the sums that the last mover wins.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Mapping, Sequence
from typing import Any

from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.positional import Position, Positional
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.shape import fits, require_shape
from verifier.kernel.verdict import Result, Verdict

Pair = tuple[int, int]
"""A type, and types as a mask."""

Vector = tuple[int, ...]
"""How often a word has each letter."""

MAX_ELEMENTS, MAX_PRODUCTS, MAX_POSITIONS, MAX_STEPS = 100, 300_000, 70_000, 300_000
MAX_CLAIMS, MAX_LETTERS, MAX_WORD, MAX_FIRST = 600, 8, 12, 100

MAX_WORK = 10**9
"""Moves from positions of a board, times the weight of the rules."""


def is_word(word: object) -> bool:
    """Say whether a value is a few small letters, or none."""
    return isinstance(word, str) and len(word) <= MAX_WORD and all("a" <= letter <= "z" for letter in word)


def is_relation(value: object) -> bool:
    """Say whether a value is two words."""
    return isinstance(value, list) and len(value) == 2 and all(map(is_word, value))


def is_sequence(value: object) -> bool:
    """Say whether a value is a first count, and whether the player to move wins from there on, over and over."""
    if not isinstance(value, list) or len(value) != 2 or not fits(value[1], [bool]):
        return False
    return fits(value[0], range(MAX_FIRST + 1)) and 0 < len(value[1]) <= MAX_FIRST


_SUM = {
    "kind": frozenset(["sum"]),
    "rules": dict,
    "last": frozenset(["loses", "wins"]),
    "elements": (int, None),
    "relations": ([is_relation], None),
    "won": ([is_word], None),
    "types": {"*": is_word},
    "copies": {"*": is_sequence},
}


def parse_sum(data: Mapping[str, Any]) -> Positional:
    """Return the rules of one board; require that a statement is well formed, and claims something."""
    require_shape(data, _SUM, "sums", is_statement=True)
    game = parse_rules(data["rules"])
    if (
        not isinstance(game, Positional)
        or not game.is_shared
        or data["rules"]["outcomes"] not in ([], [[["line"], "draw"]])
    ):
        raise SpecError("sums are of boards with shared marks, on which nothing ends play but 'line', as a draw")
    relations, won, types, copies = (data[key] for key in ("relations", "won", "types", "copies"))
    if max(len(types), len(copies), len(relations or ()) + len(won or ())) > MAX_CLAIMS:
        raise SpecError(f"more than {MAX_CLAIMS} claims")
    if len(_letters(data)) > MAX_LETTERS:
        raise SpecError(f"words are of {MAX_LETTERS} letters at most")
    if data["elements"] is None and relations is None and won is None and not types and not copies:
        raise SpecError("the statement claims nothing")
    for text in (*types, *copies):
        game.parse_position(text)
    return game


def check_sum(data: Mapping[str, Any], evidence: Mapping[str, Any], *, is_proof: bool) -> Result:
    """Check that an algebra shows what a statement says of sums; or that the number of elements, or copies, differ."""
    algebra = Algebra(evidence, parse_sum(data), data["last"] == "loses")
    fault = _find_fault(data, algebra)
    stats = {"elements": algebra.size, "pairs": len(algebra.pairs), "positions": len(algebra.types)}
    if not is_proof:
        if not fault:
            raise CertificateError("not-refuted", "the number of elements, and all copies, are as claimed")
        return Result(Verdict.REFUTED, fault, stats=stats)
    if fault:
        raise CertificateError("not-sum", fault)
    _require_words(data, algebra, evidence["letters"])
    return Result(Verdict.PROVED, stats=stats)


class Algebra:
    """A finite commutative monoid that is shown to be the quotient of some boards.

    Attributes:
        size: how many elements it has; 0 is its unit.
        types: the element of each position.
        won: the types of sums that the last mover wins, as a mask.
        pairs: those that sums can have.
    """

    def __init__(self, evidence: Mapping[str, Any], game: Positional, last_loses: bool) -> None:
        """Check everything: that it is a monoid, what sums are won, and that each element is needed."""
        shape = {"product": [[int]], "won": [int], "types": {"*": int}, "letters": {"*": int}}
        require_shape(evidence, shape, "the evidence")
        self._product, self._shifted = _parse_product(evidence["product"]), dict[Pair, int]()
        self.size = len(self._product)
        won = evidence["won"]
        if not all(map(self.has, won)) or len(set(won)) < len(won):
            raise CertificateError("malformed", "'won' lists elements, each once")
        self.won = sum(1 << x for x in won)
        self.types, singles = self._parse_types(evidence["types"], game)
        self.pairs = self._close(singles)
        for x, after in self.pairs:
            if (self.won >> x & 1) != (not after & self.won and (bool(after) or not last_loses)):
                raise CertificateError("not-closed", f"a sum of type {x} with {after:b} after it is not won as claimed")
        self._require_reduced()

    def has(self, x: int | None) -> bool:
        """Say whether a number is that of an element."""
        return x is not None and 0 <= x < self.size

    def times(self, x: int, y: int) -> int:
        """Return a product."""
        return self._product[x][y]

    def _parse_types(self, types: dict[str, int], game: Positional) -> tuple[dict[str, int], set[Pair]]:
        """Return the element of each position, and what pairs single boards have: the types after a move as a mask."""
        texts: dict[Position, str] = {}
        waiting, after = [game.start], dict[str, list[Position]]()
        while waiting:
            position = waiting.pop()
            if position in texts:
                continue
            text = texts[position] = game.format_position(position)
            after[text] = [game.play(position, move) for move in game.legal_moves(position)]
            if not self.has(types.get(text)) or (not after[text] and types[text]):
                raise CertificateError("malformed", f"{text} needs an element, 0 where no move is left")
            waiting += after[text]
            if len(after) > MAX_POSITIONS or len(after) * game.cells * game.weight > MAX_WORK:
                raise CertificateError("limit", "a board of too many positions, or rules that are too large for them")
        if len(after) != len(types):
            raise CertificateError("unreachable-entry", "'types' has a position that play on a board does not reach")
        return types, {(0, 0), *((types[at], _mask(types[texts[p]] for p in after[at])) for at in after)}

    def _close(self, singles: set[Pair]) -> set[Pair]:
        """Return all pairs that sums have; a sum is one with a board less, and a board."""
        found, waiting = set(singles), list(singles)
        while waiting:
            x, after = waiting.pop()
            for y, more in singles:
                product = self.times(x, y), self._shift(more, x) | self._shift(after, y)
                if product not in found:
                    found.add(product)
                    waiting.append(product)
            if len(found) * len(singles) > MAX_PRODUCTS:
                raise CertificateError("limit", "sums have too many pairs of a type and types after it")
        return found

    def _shift(self, mask: int, y: int) -> int:
        """Return the products of the elements of a mask with an element."""
        found = self._shifted.get((mask, y))
        if found is None:
            found = self._shifted[mask, y] = _mask(self._product[x][y] for x in range(self.size) if mask >> x & 1)
        return found

    def _require_reduced(self) -> None:
        if {x for x, _ in self.pairs} != set(range(self.size)):
            raise CertificateError("not-reduced", "no sum has some element as its type")
        rows = {tuple(self.won >> x & 1 for x in row) for row in self._product}
        if len(rows) < self.size:
            raise CertificateError("not-reduced", "two elements are alike: no third one tells them apart")


def _mask(elements: Any) -> int:
    found = 0
    for x in elements:
        found |= 1 << x
    return found


def _parse_product(table: list[list[int]]) -> list[list[int]]:
    """Return a table that is commutative, associative, and has 0 as its unit."""
    if not 0 < len(table) <= MAX_ELEMENTS:
        raise CertificateError("malformed", f"'product' is a table of 1 to {MAX_ELEMENTS} rows")
    everything = range(len(table))
    if any(len(row) != len(table) or not all(x in everything for x in row) for row in table):
        raise CertificateError("malformed", "each row of 'product' has an element for each element")
    for x, y in itertools.product(everything, everything):
        if table[0][x] != x or table[x][y] != table[y][x]:
            raise CertificateError("not-a-monoid", f"{x} and {y} do not commute, or 0 is not a unit")
        if any(table[table[x][y]][z] != table[x][table[y][z]] for z in everything):
            raise CertificateError("not-a-monoid", f"the product of {x}, {y} and another one depends on the order")
    return table


# -- what is claimed -------------------------------------------------------------------------------------------------


def _letters(data: Mapping[str, Any]) -> list[str]:
    relations = itertools.chain(*(data["relations"] or ()))
    return sorted(set("".join((*relations, *(data["won"] or ()), *data["types"].values()))))


def _find_fault(data: Mapping[str, Any], algebra: Algebra) -> str:
    """Return what the quotient contradicts, whatever the letters are; empty: nothing."""
    if data["elements"] not in (None, algebra.size):
        return f"the quotient has {algebra.size} elements, not {data['elements']}"
    for text, (first, wins) in data["copies"].items():
        if text not in algebra.types:
            raise CertificateError("malformed", f"play on a board does not reach {text}")
        x, met = algebra.types[text], set[Pair]()
        power = functools.reduce(algebra.times, [x] * first, 0)
        for number in itertools.count(first):
            at = (number - first) % len(wins)
            if (power, at) in met:
                break
            met.add((power, at))
            if wins[at] == bool(algebra.won >> power & 1):
                return f"of {number} times {text} the player {'to move' if not wins[at] else 'who moved last'} wins"
            power = algebra.times(power, x)
    return ""


def _require_words(data: Mapping[str, Any], algebra: Algebra, letters: Mapping[str, int]) -> None:
    """Require what is said by words, of the elements that evidence gives the letters."""
    names = _letters(data)
    if sorted(letters) != names or not all(map(algebra.has, letters.values())):
        raise CertificateError("malformed", f"'letters' gives an element for each of {', '.join(names) or 'none'}")

    def value(word: str) -> int:
        return functools.reduce(algebra.times, map(letters.__getitem__, word), 0)

    for text, word in data["types"].items():
        if algebra.types.get(text) != value(word):
            raise CertificateError("not-sum", f"the type of {text} is not {word!r}")
    if data["won"] is not None and _mask(map(value, data["won"])) != algebra.won:
        raise CertificateError("not-sum", "the last mover wins other sums than those of 'won'")
    for one, other in data["relations"] or ():
        if value(one) != value(other):
            raise CertificateError("not-sum", f"the relation {one!r} = {other!r} does not hold")
    if data["relations"] is not None:
        _require_presented(data["relations"], names, algebra, [letters[name] for name in names])


def _require_presented(relations: Sequence[Sequence[str]], names: list[str], algebra: Algebra, at: list[int]) -> None:
    """Require that relations make a shortest word for each element of every word: then they leave no further ones.

    It is enough that they do so of each such word with a letter more. Words of some length are joined by relations.
    """
    short: dict[int, Vector] = {0: (0,) * len(names)}
    waiting = [0]
    for x in waiting:
        for number, letter in enumerate(at):
            y = algebra.times(x, letter)
            if y not in short:
                short[y] = _more(short[x], number)
                waiting.append(y)
    if len(short) < algebra.size:
        raise CertificateError("not-sum", "the letters generate a part of the quotient")
    steps = [tuple(tuple(map(word.count, names)) for word in pair) for pair in relations]
    longest = 1 + max(map(sum, short.values())) + max((sum(side) for pair in steps for side in pair), default=0)
    words = _Words(steps + [(other, one) for one, other in steps], longest)
    for x, number in itertools.product(short, range(len(at))):
        if words.least(_more(short[x], number)) != words.least(short[algebra.times(x, at[number])]):
            raise CertificateError(
                "not-sum", f"relations are missing: by these there are more than {algebra.size} elements"
            )


def _more(vector: Vector, number: int) -> Vector:
    return (*vector[:number], vector[number] + 1, *vector[number + 1 :])


class _Words:
    """Words up to a length, as the counts of their letters, and which of them relations join."""

    def __init__(self, steps: Sequence[Any], longest: int) -> None:
        self._steps, self._longest, self._known = steps, longest, dict[Vector, Vector]()

    def least(self, vector: Vector) -> Vector:
        """Return a word that is the same for all that relations join."""
        waiting = [] if vector in self._known else [vector]
        while waiting:
            word = waiting.pop()
            self._known[word] = vector
            for one, other in self._steps:
                image = tuple(n - m + k for n, m, k in zip(word, one, other, strict=True))
                if all(map(operator.ge, word, one)) and sum(image) <= self._longest and image not in self._known:
                    waiting.append(image)
            if len(self._known) * len(self._steps) > MAX_STEPS:
                raise CertificateError("limit", f"too many words up to a length of {self._longest}, or relations")
        return self._known[vector]
