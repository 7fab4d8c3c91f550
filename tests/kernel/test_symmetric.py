"""Plays that are claimed with all their images: what the kernel says of one it says of each."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from tests.images import image_of
from tests.kernel.test_obligations import GAMES, names_without, random_formula, random_position
from tests.statements import play, rule, strategy
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.nested import ANY, Nested
from verifier.kernel.games.symmetry import Permutation
from verifier.kernel.relabel import SYMMETRIES
from verifier.kernel.statement import parse_statement

WORDS = ("X", "O", "free", "full", "active", "won_by_X", "won_by_O")
NESTED = [name for name, game in GAMES.items() if isinstance(game, Nested)]


def moved(node: Any, permutation: Permutation) -> Any:
    """Return a formula, a move or any part of a statement with its fields and spots renumbered."""
    if isinstance(node, dict):
        return {
            key: [permutation[part] for part in value] if key == "play" else moved(value, permutation)
            for key, value in node.items()
        }
    if isinstance(node, list) and node and node[0] in WORDS:
        return [node[0], *(index if index == ANY else permutation[index] for index in node[1:])]
    return [moved(part, permutation) for part in node] if isinstance(node, list) else node


def random_statement(game: Nested, chance: random.Random) -> dict[str, Any]:
    """Return a statement about two plies: O takes spots in some order, of those that some formulas leave."""
    while game.is_over(position := random_position(game, chance, 60)) or game.turn(position) != "X":
        pass
    spots = chance.sample(range(9), 9)
    rules = [
        rule(f"{place}", *(
            (["and", ["or", ["active", f], ["active", ANY]], ["free", f, s], formula], [f, s]) for f in range(9)
        ))
        for place, s in enumerate([*spots, *spots])
        for formula in [without_old(random_formula(game, chance, 2)) if place < 9 else True]
    ]  # fmt: skip
    holds = without_old(random_formula(game, chance, 3))
    objective = {"name": "it", "type": chance.choice(["keep", "some"]), "at": ["every"], "holds": holds}
    changes = {"claimant": "O", "horizon": game.ply(position) + 2, "strategies": {"O": strategy(*rules, player="O")}}
    return play(game.data, game.format_position(position), objective, **changes)


def without_old(node: Any) -> Any:
    """Return a formula that speaks of one position."""
    if not isinstance(node, list):
        return node
    return without_old(node[1]) if node[0] == "old" else [without_old(part) for part in node]


def judge(statement: dict[str, Any]) -> tuple[str, str]:
    """Return what the kernel finds of a statement by walking through its plays."""
    is_some = statement["objectives"][0]["type"] == "some"
    evidence = {"objective": "it"} if is_some else {}
    try:
        result = decide(statement, "refuted" if is_some else "proved", evidence, lambda *_: b"")
    except CertificateError as error:
        return "rejected", error.reason
    return str(result.verdict), ""


@pytest.mark.parametrize("count", [2, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", names_without("paper-play-on", "closed-open-fields", "closed-any-spot", among=NESTED))
def test_an_image_of_plays_has_their_verdict(name: str, count: int) -> None:
    """Move start, strategy and objective by each symmetry of the square: the kernel says the same."""
    game, chance, found = GAMES[name], random.Random(name), set()
    assert isinstance(game, Nested)
    for _ in range(count):
        statement = random_statement(game, chance)
        verdict = judge(statement)
        found.add(verdict[0])
        assert judge({**statement, "symmetric": True}) == verdict
        for permutation in SYMMETRIES:
            image = moved(copy.deepcopy(statement), permutation)
            image["start"] = game.format_position(image_of(permutation, game.parse_position(statement["start"])))
            assert judge(image) == verdict, (permutation, statement)
    assert len(found) > 1 or count < 12


@pytest.mark.parametrize("value", [False, 1, None, "01234567", ["012345678"]])
def test_symmetric_is_true_or_left_out(value: Any) -> None:
    """It is not a permutation: all eight symmetries are meant, and the kernel has to be asked for no other."""
    game = GAMES["paper"]
    assert isinstance(game, Nested)
    statement = random_statement(game, random.Random(1))
    parse_statement({**statement, "symmetric": True})
    with pytest.raises(SpecError, match="'symmetric'"):
        parse_statement({**statement, "symmetric": value})


def test_only_nine_fields_have_these_symmetries() -> None:
    """Lines of a game on one board are data: nothing says that a symmetry keeps them."""
    game = GAMES["tictactoe"]
    statement = {
        "kind": "play",
        "rules": game.data,
        "start": game.format_position(game.start),
        "claimant": "O",
        "horizon": 2,
        "chooses": False,
        "strategies": {},
        "objectives": [{"name": "it", "type": "keep", "at": ["every"], "holds": True}],
    }
    parse_statement(statement)
    with pytest.raises(SpecError, match="'symmetric'"):
        parse_statement({**statement, "symmetric": True})


def test_a_statement_may_have_all_the_keys_that_there_are() -> None:
    """And no other, whatever it leaves out of those that it may have."""
    game = GAMES["paper"]
    statement = {
        "kind": "play",
        "rules": game.data,
        "formulas": [["free", 4, 4]],
        "start": game.format_position(game.start),
        "given": ["use", 0],
        "claimant": "O",
        "chooses": False,
        "symmetric": True,
        "horizon": 2,
        "strategies": {},
        "objectives": [{"name": "it", "type": "keep", "at": ["every"], "holds": ["old", ["use", 0]]}],
    }
    parse_statement(statement)
    with pytest.raises(SpecError, match=r"has the keys .*'note'"):
        parse_statement({**statement, "note": None})
    for key in ("kind", "rules", "start", "claimant", "horizon", "strategies", "objectives"):
        with pytest.raises(SpecError, match="has the keys"):
            parse_statement({name: value for name, value in statement.items() if name != key})
