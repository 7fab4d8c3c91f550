"""Symmetries that permute values of cells: what the search finds, and claims decided up to them."""

import pathlib
import random
from collections import Counter
from typing import Any

import pytest

from tests.kernel.test_general import LINES, nim
from tests.kernel.test_value_attacks import colouring, wild
from tests.kernel.test_value_maps import Small, claim, closed_games, moved
from tests.rules import load_library
from tests.statements import play
from tests.test_automorphism import find, require_shown
from verifier import automorphism
from verifier.automorphism import find_automorphisms, list_automorphisms, size_group
from verifier.kernel.decide import Memo, decide
from verifier.kernel.games.general import GeneralPosition
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import parse_statement
from verifier.questions.can.evidence import decide_start, find_moves
from verifier.questions.finding import pack_table
from verifier.questions.shown import count_symmetries
from verifier.search.folded import PackedImages
from verifier.search.packed import PackedRules
from verifier.search.resources import DEFAULT_MEMORY_MIB
from verifier.search.retrograde import RetrogradeSearch

RING = [(0, 1), (1, 2), (2, 3), (3, 0)]


@pytest.mark.parametrize(
    ("rules", "goal", "size", "plain"),
    [
        pytest.param(wild(9, LINES), ["X_wins"], 16, 8, id="wild tic-tac-toe"),
        pytest.param(wild(9, LINES, is_equal=True), ["X_wins"], 16, 8, id="by equal cells"),
        pytest.param(wild(9, LINES), ["==", ["board", 4], 1], 8, 8, id="one symbol"),
        pytest.param(wild(9, LINES), ["==", ["board", 1], ["board", 3]], 4, 2, id="two spots alike"),
        pytest.param(colouring(RING, 3), ["X_wins"], 48, 8, id="three colours of a ring"),
        pytest.param(colouring(RING, 3), ["==", ["c", 0], 3], 4, 2, id="a colour of a vertex"),
        pytest.param(colouring([(0, 1), (1, 2)], 4), ["X_wins"], 48, 2, id="four colours of a path"),
        pytest.param(nim(1, 2, 3), ["X_wins"], 6, 6, id="heaps"),
        pytest.param(nim(1, 2, 3), ["==", ["stones", 1], 1], 2, 2, id="one heap"),
    ],
)
def test_known_groups_are_found(rules: Any, goal: Any, size: int, plain: int) -> None:
    """Symbols and colours are permuted where rules and goal allow it; stones are counted, so only heaps are."""
    said = claim(rules, goal)
    found, only_cells = find(said), list_automorphisms(said, parse_statement(said))
    assert found is not None
    assert len(found.group) == size_group(found.generators) == size
    assert count_symmetries(said, {"symmetries": found.generators}) == {"symmetries": size}
    assert only_cells is not None
    assert size_group(only_cells) == plain
    assert all(isinstance(to, int) for one in only_cells for to in one)


FILES = {
    "wild": """
state: {"board[9]": {most: 2}}
define:
  LINES: "[[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]"
moves: {"{s}.{v}": {for: {s: "range(0, 9)", v: "[1, 2]"}, when: "board[s] == 0", do: "board[s] = v"}}
outcomes:
  three in a row:
    when: any(all(board[LINES[n][k]] == v for k in range(0, 3)) for n in range(0, 8) for v in [1, 2])
    result: previous
""",
    "map": """
state: {"colour[5]": {most: 3}}
define: {NEAR: "[[1, 4], [0, 2], [1, 3], [2, 4], [3, 0]]"}
moves:
  "{s}.{v}":
    for: {s: "range(0, 5)", v: "[1, 2, 3]"}
    when: colour[s] == 0 and all(colour[t] != v for t in NEAR[s])
    do: colour[s] = v
outcomes: {no move: {when: stuck, result: previous}}
""",
    "walk": """
state: {"seen[16]": {}, man: {most: 15}}
moves:
  "{s}-{t}":
    for: {s: "range(0, 16)", t: "[t for t in range(0, 16) if (s // 4 - t // 4) ** 2 + (s % 4 - t % 4) ** 2 == 1]"}
    when: man == s and not seen[t]
    do: ["man = t", "seen[t] = True"]
outcomes: {no move: {when: stuck, result: previous}}
""",
    "heaps": """
state: {"heap[3]": {most: 3, start: [3, 3, 3]}}
moves: {"{h}.{m}": {for: {h: "range(0, 3)", m: "[1, 2, 3]"}, do: "heap[h] = heap[h] - m"}}
outcomes: {no move: {when: stuck, result: previous}}
""",
}


@pytest.mark.parametrize(("name", "size"), [("wild", 16), ("map", 60), ("walk", 8), ("heaps", 6)])
def test_rules_files_have_such_symmetries(name: str, size: int, tmp_path: pathlib.Path) -> None:
    """The symbols, the colours of a ring of five, and the square of a man who walks on it; but not stones."""
    head = f"rules: {name}\ntitle: A game\nsource: {{document: games, place: here, says: A game.}}\nfamily: general"
    (tmp_path / f"{name}.yaml").write_text(head + FILES[name], encoding="utf-8")
    found = find(claim(load_library(tmp_path).game(name).data, ["X_wins"]))
    assert found is not None
    assert len(found.group) == size


def test_without_more_symmetries_the_permutations_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a certificate without maps does not depend on the search for maps."""
    said = claim(wild(9, LINES), ["==", ["board", 4], 1])
    found = find(said)
    monkeypatch.setattr(automorphism, "MAX_MAPPED_VALUE", 0)
    assert found is not None
    assert (plain := find(said)) is not None
    assert found.generators == plain.generators


@pytest.mark.parametrize("count", [25, pytest.param(3000, marks=pytest.mark.slow)])
def test_random_closed_rules_have_the_pair_by_which_they_were_closed(count: int) -> None:
    """Then a position and its image have one least image, in the kernel and in the search."""
    told = 0
    for rng, maker, data, goal, one in closed_games(count):
        said = claim(data, goal)
        found = find(said)
        assert found is not None
        states = Small(data, goal).states
        packed = PackedRules(data)
        images = PackedImages(packed.places, found.group, found.cell_images)
        for here in rng.sample(states, 10):
            pair = [GeneralPosition(one_[:-1], one_[-1], 0) for one_ in (here, moved(maker.cells, one, here))]
            assert len({*map(found.least, pair)}) == 1
            assert len({*images.fold([*map(packed.pack, pair)])}) == 1
        told += any([*values] != sorted(values) for _, values in one)
    assert told > count // 8


@pytest.mark.parametrize("values", [2, 3])
def test_packed_images_are_those_of_the_kernel(values: int) -> None:
    """Two positions have the same least image in the search exactly if they have in the kernel."""
    rules = wild(9, LINES) if values == 2 else colouring(RING, 3)
    said = claim(rules, ["X_wins"])
    found = find(said)
    assert found is not None
    packed, rng = PackedRules(rules), random.Random(values)
    cells = 9 if values == 2 else 4
    positions = [
        GeneralPosition(tuple(rng.randrange(values + 1) for _ in range(cells)), rng.choice((1, 2)), 0)
        for _ in range(3000)
    ]
    folded = PackedImages(packed.places, found.group, found.cell_images).fold([*map(packed.pack, positions)])
    pairs = {(found.least(position), least) for position, least in zip(positions, folded, strict=True)}
    assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})
    assert len(pairs) < 0.8 * len({*positions})


def test_a_cell_of_many_bits_is_looked_up_whole() -> None:
    """A man on sixty fields, whose line is mirrored, and marks beside it that are not in whole bytes."""
    places = [(1, 2), (3, 6), (9, 6), (15, 1)]
    mirror = tuple((n, 59 - n) for n in range(60))
    images = PackedImages(
        places, [(0, 1, 2, 3), (0, 4, 5, 3)], [(0, ()), (1, ()), (2, ()), (3, ()), (2, mirror), (1, mirror)]
    )
    one, image = 1 | 2 << 1 | 10 << 3 | 50 << 9 | 1 << 15, 1 | 2 << 1 | 9 << 3 | 49 << 9 | 1 << 15
    assert images.fold([one, image]) == [image, image]


@pytest.mark.parametrize("count", [15, pytest.param(1500, marks=pytest.mark.slow)])
def test_claims_are_decided_up_to_maps_as_an_enumeration_says(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim or its refutation has a table that the kernel accepts, and whose plays can be shown."""
    monkeypatch.setattr("verifier.search.retrograde.FEW_LISTED", 0)
    told = Counter[tuple[Any, ...]]()
    for rng, _, data, goal, _ in closed_games(count):
        small, start = (
            Small(data, goal),
            (*(v for cells in data["state"] for v in cells[4]), "XO".index(data["turn"]) + 1),
        )
        aims = {here for here, (_, is_goal) in small.said.items() if is_goal}
        for kind in ("reach", "prevent"):
            claimant = rng.choice("XO")
            attacker = "XO".index(claimant) + 1 if kind == "reach" else 2 - "XO".index(claimant)
            forced, size = {*aims}, -1
            while size != len(forced):
                size = len(forced)
                forced |= {
                    here
                    for here, after in small.after.items()
                    if after
                    and not small.said[here][0]
                    and (bool(after & forced) if here[-1] == attacker else after <= forced)
                }
            bound = {"reach": "by", "prevent": "through"}[kind]
            said = claim(
                data, goal, objectives=[{"name": "goal", "type": kind, "goal": goal, bound: None}], claimant=claimant
            )
            solver, is_proved = decide_start(said, parse_statement(said), DEFAULT_MEMORY_MIB)
            assert is_proved is ((start in forced) == (kind == "reach"))
            assert isinstance(solver, RetrogradeSearch)
            assert solver.symmetries is not None
            digest, files = pack_table(*find_moves(said, solver))
            evidence = {"table": digest, "symmetries": solver.symmetries.generators}
            evidence |= {} if is_proved else {"objective": "goal"}
            verdict = "proved" if is_proved else "refuted"
            memo = Memo()
            assert str(decide(said, verdict, evidence, files.__getitem__, memo).verdict) == verdict
            if memo.last:
                require_shown(said, solver.statement, memo.last, is_proved=is_proved)
            told[kind, verdict, any(isinstance(to, list) for one in solver.symmetries.generators for to in one)] += 1
    assert sum(number for (*_, has_map), number in told.items() if has_map) > count // 6, told
    assert len({key[:2] for key in told}) == 4


def test_a_table_of_wild_tic_tac_toe_is_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who moves second does not lose if a line loses. Exchanged symbols more than halve a table up to the square."""
    rules = wild(9, LINES)
    rules["outcomes"][0][1] = "next"
    objective = {"name": "goal", "type": "prevent", "goal": ["X_wins"], "through": None}
    said = play(rules, "000000000 X 0", objective, claimant="O")
    sizes = []
    for few, most in ((10**6, 63), (100, 0), (100, 63)):
        monkeypatch.setattr("verifier.search.retrograde.FEW_LISTED", few)
        monkeypatch.setattr(automorphism, "MAX_MAPPED_VALUE", most)
        solver, is_proved = decide_start(said, parse_statement(said), DEFAULT_MEMORY_MIB)
        assert is_proved
        assert isinstance(solver, RetrogradeSearch)
        table = find_moves(said, solver)
        digest, files = pack_table(*table)
        evidence = {"table": digest} | ({"symmetries": solver.symmetries.generators} if solver.symmetries else {})
        assert str(decide(said, "proved", evidence, files.__getitem__).verdict) == "proved"
        sizes.append(len(table[0].moves()))
    assert sizes[0] > 2 * sizes[1] > 4 * sizes[2]


def test_a_group_with_maps_that_is_too_large_is_left_out() -> None:
    """Ten colours have more permutations than are used; some of them are used, or those of the cells alone."""
    said = claim(colouring([(0, 1), (1, 2)], 9), ["X_wins"])
    found = find_automorphisms(said, parse_statement(said))
    assert isinstance(found, Symmetries)
    assert 1 < len(found.group) <= automorphism.MAX_GROUP
