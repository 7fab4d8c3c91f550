"""Sums: boards side by side, on which both players make the same marks. A move is a mark on one of the boards.

This module is trusted for every verdict on a statement of kind ``sum``. See ``proofs/README.md``, §9.

Two sums are *alike* if the same player wins both, whatever third sum is put beside each of them. The classes of sums
that are alike, called *types*, form a monoid, called the *quotient*. The evidence has *elements* 0, 1, … (they should
be the types), the product of any two elements, the element of each position of a board, and a list ``won`` of elements.

A sum has a pair (x, S): x is the product of the elements of its boards, and S is the set of the elements to which its
moves lead. If a sum with (x, S) and a sum with (y, T) are put side by side, they have the pair (xy, xT ∪ Sy). Only
finitely many pairs are possible; the kernel computes those that sums have. For each pair it checks that x is in
``won`` exactly if S has no element of ``won``. (If the very last move of a game loses, S must not be empty either.) So
every sum meets this condition. By induction on the moves left, the x of a sum is in ``won`` exactly if the player who
has just moved wins the sum. The kernel also checks that each element belongs to some sum, and that any two elements
differ: the product of some element with exactly one of them is in ``won``. So the elements are the types.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from verifier.kernel.certificate import require_shape
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.positional import PositionalGame
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.verdict import Result, Verdict

MAX_ELEMENTS, MAX_PRODUCTS, MAX_BOARD_POSITIONS, MAX_ALGEBRA_STEPS = 100, 300_000, 70_000, 300_000
MAX_CLAIMS, MAX_WORD, MAX_FIRST, MAX_SUM_WORK = 600, 12, 100, 10**9
"""``MAX_SUM_WORK`` limits the number of positions of a board, times its spots, times ``Game.weight``."""

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)
"""A prime for each letter. A word becomes the product of its letters' primes: the order of letters does not matter."""


def is_word(word: object) -> bool:
    """Say whether a value is a word: at most ``MAX_WORD`` lower-case letters, perhaps none."""
    return isinstance(word, str) and len(word) <= MAX_WORD and all("a" <= letter <= "z" for letter in word)


_SUM = {
    "kind": frozenset(["sum"]),
    "rules": dict,
    "last": frozenset(["loses", "wins"]),
    "elements": (int, None),
    "relations": ([[is_word, is_word]], None),
    "won": ([is_word], None),
    "types": {"*": is_word},
    "copies": {"*": [range(MAX_FIRST + 1), [bool]]},
}


def parse_sum(data: Mapping[str, Any]) -> PositionalGame:
    """Return the rules of one board; require that the statement is well formed and claims something."""
    require_shape(data, _SUM, "sums", is_statement=True)
    game, outcomes = parse_rules(data["rules"]), data["rules"].get("outcomes")
    if not isinstance(game, PositionalGame) or not game.is_shared or outcomes not in ([], [[["line"], "draw"]]):
        raise SpecError("a sum needs boards with shared marks; 'outcomes' must be empty, or only make 'line' a draw")
    claims = [data[key] for key in ("relations", "won", "types", "copies")]
    if data["elements"] is None and all(claim in (None, {}) for claim in claims):
        raise SpecError("the statement claims nothing")
    if sum(len(claim or ()) for claim in claims) > MAX_CLAIMS or len(_letters(data)) > len(PRIMES):
        raise SpecError(f"there can be at most {MAX_CLAIMS} claims, and {len(PRIMES)} different letters in all words")
    if not all(0 < len(wins) <= MAX_FIRST for _, wins in data["copies"].values()):
        raise SpecError(f"'copies' must have a list of 1 to {MAX_FIRST} winners for each position")
    for text in (*data["types"], *data["copies"]):
        game.parse_position(text)
    return game


def decide_sum(data: Mapping[str, Any], is_proof: bool, evidence: Mapping[str, Any], *_: object) -> Result:
    """Check that an algebra proves a statement about sums, or that it refutes ``elements`` or ``copies``."""
    algebra = Algebra(evidence, parse_sum(data), data["last"] == "loses")
    letters, names = evidence["letters"], _letters(data) if is_proof else []
    if sorted(letters) != names:
        raise CertificateError("malformed", f"'letters' must have an element for each of: {', '.join(names) or 'none'}")
    of_words = _find_faults_of_words(data, algebra, letters) if is_proof else ()
    fault = next(itertools.chain(_find_faults(data, algebra), of_words), "")
    if is_proof == bool(fault):
        text = fault or "the number of elements and all copies are as claimed"
        raise CertificateError("not-sum" if is_proof else "not-refuted", text)
    stats = {"elements": algebra.size, "pairs": len(algebra.pairs), "positions": len(algebra.types)}
    return Result(Verdict.PROVED if is_proof else Verdict.REFUTED, fault, stats=stats)


class Algebra:
    """A finite commutative monoid, proved to be the quotient of the sums of a game; 0 is its unit.

    Attributes:
        types: the element of each position.
        won: a mask of the types of sums that the player who has just moved wins.
        pairs: the pairs (x, S) that sums can have; S is a mask.
    """

    def __init__(self, evidence: Mapping[str, Any], game: PositionalGame, last_loses: bool) -> None:
        """Check everything: the product makes a monoid, ``won`` is right, and each element is needed."""
        rows = evidence.get("product")
        self.size = len(rows) if isinstance(rows, list) else 0
        if not 1 < self.size <= MAX_ELEMENTS:  # a single element could not tell who wins
            raise CertificateError("malformed", f"'product' must be a table of 2 to {MAX_ELEMENTS} rows")
        element = range(self.size)
        table = [[element] * self.size] * self.size
        shape = {"product": table, "won": [element], "types": {"*": element}, "letters": {"*": element}}
        require_shape(evidence, shape, "the evidence")
        self._product: list[list[int]] = evidence["product"]
        times = self.times
        for x, y, z in itertools.product(element, repeat=3):
            if times(0, x) != x or times(x, y) != times(y, x) or times(times(x, y), z) != times(x, times(y, z)):
                raise CertificateError("not-a-monoid", f"the order of {x}, {y}, {z} matters, or 0 is not the unit")
        if len(set(evidence["won"])) < len(evidence["won"]):
            raise CertificateError("malformed", "'won' lists an element twice")
        self.won, self.types = sum(1 << x for x in evidence["won"]), evidence["types"]
        self.pairs = self._close(self._find_singles(game))
        for x, after in self.pairs:
            if (self.won >> x & 1) != (not after & self.won and (bool(after) or not last_loses)):
                said = f"sums of type {x} whose moves lead to the types {[y for y in element if after >> y & 1]}"
                raise CertificateError("not-closed", f"'won' is wrong about {said}")
        met, told_apart = {x for x, _ in self.pairs}, {tuple(self.won >> x & 1 for x in row) for row in self._product}
        if min(len(met), len(told_apart)) < self.size:
            raise CertificateError("not-reduced", "an element is the type of no sum, or two elements are alike")

    def times(self, x: int, y: int) -> int:
        """Return the product of two elements."""
        return self._product[x][y]

    def _find_singles(self, game: PositionalGame) -> set[tuple[int, int]]:
        """Return the pairs of all positions of a single board, and the pair of the sum without boards."""
        found, waiting, seen = {(0, 0)}, [game.start], {game.start}
        for position in waiting:  # the loop adds positions
            moved = [game.play(position, move) for move in game.legal_moves(position)]
            x, *after = [self.types.get(game.format_position(p)) for p in (position, *moved)]
            if x is None or None in after or (x and not moved):
                text = game.format_position(position)
                raise CertificateError("malformed", f"{text} and positions after it need types (0 if there is no move)")
            found.add((x, sum({1 << y for y in after})))
            waiting += [p for p in moved if p not in seen]
            seen.update(moved)
            most = min(MAX_BOARD_POSITIONS, MAX_SUM_WORK // (game.cells * game.weight))
            if len(seen) > most:
                raise CertificateError("limit", f"a board of more than {most:,} positions: use a smaller board")
        if len(seen) != len(self.types):
            raise CertificateError("unreachable-entry", "'types' has a position that no play on a board reaches")
        return found

    def _close(self, singles: set[tuple[int, int]]) -> set[tuple[int, int]]:
        """Return the pairs of all sums, by adding one board at a time."""
        found, waiting = set(singles), list(singles)

        @functools.cache
        def shift(mask: int, y: int) -> int:
            return sum({1 << self.times(x, y) for x in range(self.size) if mask >> x & 1})

        for x, after in waiting:  # the loop adds pairs
            for y, more in singles:
                pair = self.times(x, y), shift(more, x) | shift(after, y)
                if pair not in found:
                    found.add(pair)
                    waiting.append(pair)
            if len(found) * len(singles) > MAX_PRODUCTS:
                said = f"computing all pairs takes more than {MAX_PRODUCTS:,} products"
                raise CertificateError("limit", f"{said}: use an algebra with fewer elements")
        return found


def _letters(data: Mapping[str, Any]) -> list[str]:
    relations = itertools.chain(*(data["relations"] or ()))
    return sorted(set("".join((*relations, *(data["won"] or ()), *data["types"].values()))))


def _find_faults(data: Mapping[str, Any], algebra: Algebra) -> Iterator[str]:
    """Yield the faults of ``elements`` and ``copies``."""
    if data["elements"] not in (None, algebra.size):
        yield f"the quotient has {algebra.size} elements, not {data['elements']}"
    for text, (first, wins) in data["copies"].items():
        if text not in algebra.types:
            raise CertificateError("malformed", f"no play on a board reaches {text}")
        x = algebra.types[text]
        power = functools.reduce(algebra.times, [x] * first, 0)
        for number in range(algebra.size * len(wins)):  # more copies only repeat ``power`` and the place in ``wins``
            is_next = wins[number % len(wins)]
            if is_next == bool(algebra.won >> power & 1):
                yield f"{first + number} times {text}: won by the player {'who moved last' if is_next else 'to move'}"
            power = algebra.times(power, x)


def _find_faults_of_words(data: Mapping[str, Any], algebra: Algebra, letters: Mapping[str, int]) -> Iterator[str]:
    """Yield the faults of ``types``, ``won`` and ``relations``; ``letters`` has the element of each letter.

    Choose one *short* word for each element. If the claimed relations turn every word into a short word, all other
    relations follow. It is enough to try each short word with one letter added. Words whose product of primes
    (``PRIMES``) is above ``most`` are left out, so that the search ends.
    """

    def value(word: str) -> int:
        return functools.reduce(algebra.times, map(letters.__getitem__, word), 0)

    for text, word in data["types"].items():
        if algebra.types.get(text) != value(word):
            yield f"the type of {text} is not {word!r}"
    if data["won"] is not None and sum({1 << value(word) for word in data["won"]}) != algebra.won:
        yield "the sums that the last mover wins are not the sums in 'won'"
    for one, other in data["relations"] or ():
        if value(one) != value(other):
            yield f"the relation {one!r} = {other!r} does not hold"
    if data["relations"] is None:
        return
    primes = dict(zip(letters, PRIMES, strict=False))
    steps = [(prime, letters[letter]) for letter, prime in primes.items()]
    values, waiting = {1: 0}, [1]
    for word in waiting:  # the loop adds words
        for prime, x in steps:
            if algebra.times(values[word], x) not in values.values():
                values[word * prime] = algebra.times(values[word], x)
                waiting.append(word * prime)
    short = dict(values)
    if len(short) < algebra.size:
        yield "the letters generate only a part of the quotient"
    sides = [[math.prod(map(primes.__getitem__, word)) for word in pair] for pair in data["relations"]]
    joined = [*sides, *(pair[::-1] for pair in sides)]
    most = max(short) * max(primes.values(), default=1) * max(itertools.chain(*sides), default=1)
    for word in waiting:  # the loop adds words: relations make new words of the same value
        for one, other in joined:
            image = word // one * other
            if word % one == 0 and image <= most and image not in values:
                values[image] = values[word]
                waiting.append(image)
        if len(values) * len(joined) > MAX_ALGEBRA_STEPS:
            said = f"applying relations to words takes more than {MAX_ALGEBRA_STEPS:,} steps"
            raise CertificateError("limit", f"{said}: use fewer or shorter relations")
    if any(values.get(word * prime) != algebra.times(at, x) for word, at in short.items() for prime, x in steps):
        yield f"relations are missing: the given relations allow more than {algebra.size} elements"
