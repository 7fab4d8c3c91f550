"""Sums of boards: an algebra agrees with boards that are played out, and forged ones are refused."""

import copy
import functools
import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.kernel.asking import judge
from tests.rules import in_a_row, positional
from verifier.kernel.decide import decide
from verifier.kernel.errors import SpecError
from verifier.kernel.sum import Algebra, parse_sum
from verifier.search.quotient import find_quotient, give_letters, read_boards

RELATIONS = [["aa", ""], ["bbb", "b"], ["bbc", "c"], ["ccc", "acc"], ["bbd", "d"], ["cd", "ad"], ["dd", "cc"]]
WON = ["a", "bb", "bc", "cc"]
EMPTY = "." * 9


def board(rows: int, columns: int, lines: list[Any], **changes: Any) -> dict[str, Any]:
    options = {"notation": "spots", "marks": "shared", **changes}
    return positional(rows, columns, lines, [[["line"], "draw"]] if lines else [], **options)


def statement(rules: dict[str, Any], last: str = "loses", **claims: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {"elements": None, "relations": None, "won": None, "types": {}, "copies": {}}
    return {"kind": "sum", "rules": rules, "last": last, **usual, **claims}


def find(claim: dict[str, Any]) -> dict[str, Any]:
    game = parse_sum(claim)
    boards = read_boards(game, last_loses=claim["last"] == "loses")
    quotient = find_quotient(boards)
    types = {game.format_position(position): quotient.types[number] for position, number in boards.numbers.items()}
    letters = give_letters(quotient, claim, types)
    return {"product": quotient.product, "won": quotient.won, "types": types, "letters": letters or {}}


NOTAKTO = statement(
    board(3, 3, [[list(held), list(others)] for held, others in in_a_row(3, 3, 3)]),
    elements=18,
    relations=RELATIONS,
    won=WON,
    types={EMPTY: "c", "....X....": "cc"},
    copies={EMPTY: [1, [True, False]]},
)


@functools.cache
def notakto() -> dict[str, Any]:
    return find(NOTAKTO)


def test_notakto_is_as_in_the_paper() -> None:
    """There are 18 elements and 285 pairs. The relations present the monoid. The first player wins odd numbers."""
    result = decide(NOTAKTO, "proved", notakto(), lambda *_: b"")
    assert (str(result.verdict), result.stats) == ("proved", {"elements": 18, "pairs": 285, "positions": 450})


def wins_by_trying(lines: list[frozenset[int]], cells: int, *, last_loses: bool) -> Callable[..., bool]:
    """Return a function that says, by trying everything, whether the player who has just moved wins some boards."""

    def moves(boards: tuple[frozenset[int], ...]) -> list[tuple[frozenset[int], ...]]:
        found = []
        for at, marks in enumerate(boards):
            if not any(line <= marks for line in lines):
                rest = [*boards[:at], *boards[at + 1 :]]
                found += [tuple(sorted([*rest, marks | {s}], key=sorted)) for s in range(cells) if s not in marks]
        return found

    @functools.cache
    def wins(boards: tuple[frozenset[int], ...]) -> bool:
        following = moves(boards)
        return not any(map(wins, following)) if following else not last_loses

    return lambda boards: wins(tuple(sorted(boards, key=sorted)))


@pytest.mark.parametrize("last", ["loses", "wins"])
@pytest.mark.parametrize("seed", range(15))
def test_an_algebra_says_who_wins(last: str, seed: int) -> None:
    """For up to three boards in any positions of random small games, it agrees with trying everything."""
    chance = random.Random(seed)
    cells = chance.choice([3, 4, 4, 5])
    lines = {frozenset(chance.sample(range(cells), chance.choice([2, 2, 3]))) for _ in range(chance.randint(1, 4))}
    claim = statement(board(1, cells, sorted([sorted(line), []] for line in lines)), last, elements=1)
    evidence = find(claim)
    claim["elements"] = len(evidence["product"])
    assert judge(claim, evidence) == "proved"
    game = parse_sum(claim)
    algebra = Algebra(evidence, game, last == "loses")
    wins = wins_by_trying(list(lines), cells, last_loses=last == "loses")
    positions = chance.sample(list(algebra.types), min(9, len(algebra.types)))
    for count in range(4):
        for boards in itertools.combinations_with_replacement(positions, count):
            x = functools.reduce(algebra.times, (algebra.types[position] for position in boards), 0)
            marks = [frozenset(s for s in range(cells) if position[s] == "X") for position in boards]
            assert wins(marks) == bool(algebra.won >> x & 1), (lines, boards)


def test_boards_that_end_when_nobody_can_move_are_nim() -> None:
    """Three spots and no line are three moves. In normal play an odd number of boards equals one board."""
    claim = statement(board(1, 3, []), "wins", elements=2, copies={"...": [0, [False, True]]})
    assert judge(claim, find(claim)) == "proved"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda e: e["won"].append(next(x for x in range(18) if x not in e["won"])), "not-closed"),
        (lambda e: e.update(won=[*e["won"], e["won"][0]]), "malformed"),
        (lambda e: e.update(won=[18]), "malformed"),
        (lambda e: e["types"].update({"XXX......": 1}), "malformed"),
        (lambda e: e["product"][0].__setitem__(2, 3), "not-a-monoid"),
        (lambda e: e["product"][1].__setitem__(1, 18), "malformed"),
        (lambda e: e.update(product=[[0] * 101] * 101), "malformed"),
        (lambda e: e.update(product=[[]]), "malformed"),
        (lambda e: e["letters"].update(a=e["letters"]["b"]), "not-sum"),
    ],
)
def test_forged_algebras_are_refused(change: Callable[[dict[str, Any]], Any], reason: str) -> None:
    """An attacker may write any table, type, set or letter."""
    evidence = copy.deepcopy(notakto())
    change(evidence)
    assert judge(NOTAKTO, evidence) == reason


def test_an_algebra_with_more_than_it_needs_is_refused() -> None:
    """An element that no sum has, or two elements that nothing tells apart, would make the quotient too large."""
    claim = statement(board(1, 3, []), "wins", elements=3)
    small = find({**claim, "elements": 2})
    assert small["product"] == [[0, 1], [1, 0]]
    unused = {**small, "product": [[0, 1, 2], [1, 0, 2], [2, 2, 2]]}
    assert judge(claim, unused) == "not-reduced"
    alike = {  # the cyclic group of four elements, of which even ones are won
        "product": [[(x + y) % 4 for y in range(4)] for x in range(4)],
        "won": [0, 2],
        "types": {text: {0: 3, 1: 2, 2: 1, 3: 0}[text.count("X")] for text in small["types"]},
        "letters": {},
    }
    assert judge({**claim, "elements": 4}, alike) == "not-reduced"


@pytest.mark.parametrize(
    ("change", "verdict", "found"),
    [
        ({"elements": 17}, "refuted", "refuted"),
        ({"last": "wins"}, "proved", "not-closed"),
        ({"relations": RELATIONS[:-1]}, "proved", "not-sum"),
        ({"relations": [*RELATIONS, ["b", ""]]}, "proved", "not-sum"),
        ({"relations": [*RELATIONS, ["bd", "db"]]}, "proved", "proved"),
        ({"won": [*WON, "b"]}, "proved", "not-sum"),
        ({"types": {EMPTY: "c", "X........": "d" * 12}}, "proved", "not-sum"),
        ({"types": {EMPTY: "c", "XXXXXXXXX": ""}}, "proved", "malformed"),
        ({"copies": {"XXXXXXXXX": [1, [True]]}}, "proved", "malformed"),
        ({"copies": {EMPTY: [1, [False, True]]}}, "refuted", "refuted"),
        ({"copies": {EMPTY: [0, [False, True]]}}, "proved", "not-sum"),
        ({"copies": {EMPTY: [2, [False, True]]}}, "proved", "proved"),
        ({"copies": {EMPTY: [1, [True, False, True]]}}, "proved", "not-sum"),
        ({"copies": {"....X....": [1, [False]]}}, "proved", "proved"),
    ],
)
def test_false_claims_about_a_true_algebra_are_not_proved(change: dict[str, Any], verdict: str, found: str) -> None:
    """The algebra proves true claims, and refutes wrong numbers of elements or of copies."""
    evidence = notakto() if verdict == "proved" else {**notakto(), "letters": {}}
    assert judge({**NOTAKTO, **change}, evidence, verdict=verdict) == found


def test_fewer_letters_generate_less() -> None:
    """If some elements have no word in the letters, the relations are not a presentation."""
    claim = {**NOTAKTO, "relations": [["aa", ""]], "won": None, "types": {}}
    evidence = {**notakto(), "letters": {"a": notakto()["letters"]["a"]}}
    assert judge(claim, evidence) == "not-sum"


@pytest.mark.parametrize(
    "change",
    [
        {"relations": [["a", "A"]]},
        {"won": ["a" * 13]},
        {"types": {"X": "a"}},
        {"copies": {EMPTY: [1, []]}},
        {"copies": {EMPTY: [1, [True] * 101]}},
        {"won": ["a"] * 594},
        {"won": list("abcdefghi")},
        {"elements": None, "relations": None, "won": None, "types": {}, "copies": {}},
        {"rules": board(3, 3, NOTAKTO["rules"]["lines"], marks="own") | {"outcomes": []}},
        {"rules": NOTAKTO["rules"] | {"outcomes": [[["and", ["line"], ["X_turn"]], "draw"]]}},
        {"rules": NOTAKTO["rules"] | {"outcomes": [[["line"], "X"]]}},
        {"rules": NOTAKTO["rules"] | {"outcomes": [[["==", ["ply"], 3], "draw"]]}},
    ],
)  # fmt: skip
def test_malformed_statements_about_sums_are_refused(change: dict[str, Any]) -> None:
    """Turns, plies and winners of one board mean nothing beside other boards. Each claim has its own form."""
    with pytest.raises(SpecError):
        parse_sum({**NOTAKTO, **change})


@pytest.mark.parametrize("key", ["elements", "relations", "won", "types", "copies"])
def test_a_statement_about_sums_may_have_one_claim(key: str) -> None:
    """What says one thing of sums says something."""
    assert parse_sum(statement(NOTAKTO["rules"], **{key: NOTAKTO[key]})).cells == 9


def test_a_product_that_depends_on_the_order_is_refused() -> None:
    """This holds even if it is associative: here each element but the unit, times another, stays the same."""
    claim = statement(board(1, 3, []), "wins", elements=3)
    ordered = {**find(claim), "product": [[0, 1, 2], [1, 1, 1], [2, 2, 2]]}
    assert judge(claim, ordered) == "not-a-monoid"
    assert judge(claim, {**ordered, "product": [[0, 1, 2], [1, 1, 2], [2, 2, 2]]}) != "not-a-monoid"
    assert judge(claim, {**ordered, "product": [[0, 1, 2], [1, 2, 1], [2, 1, 1]]}) == "not-a-monoid"


def test_long_relations_are_not_tried_for_ever() -> None:
    """Words of eight letters with up to sixteen letters each are too many."""
    relations = [*RELATIONS, *([letter, ""] for letter in "efgh"), ["b" * 12, "bb"]]
    evidence = {**notakto(), "letters": notakto()["letters"] | dict.fromkeys("efgh", 0)}
    assert judge({**NOTAKTO, "relations": relations}, evidence) == "limit"
    assert judge({**NOTAKTO, "relations": relations[:-1]}, evidence) == "proved"


@pytest.mark.parametrize(
    ("limit", "most", "less"),
    [
        ("MAX_BOARD_POSITIONS", 450, 449),
        ("MAX_PRODUCTS", 10**5, 10**3),
        ("MAX_SUM_WORK", 450 * 9 * 10, 450 * 9 * 10 - 1),
    ],
)
def test_the_numbers_of_boards_and_sums_are_limited(
    limit: str, most: int, less: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board has 450 positions here. Each move costs the weight of the rules, and sums cost products."""
    for allowed, found in ((most, "proved"), (less, "limit")):
        monkeypatch.setattr(f"verifier.kernel.sum.{limit}", allowed)
        assert judge(NOTAKTO, notakto()) == found
