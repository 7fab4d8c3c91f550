"""Plays that are claimed with all their images: what the kernel says of one it says of each."""

import copy
import random
from typing import Any

import pytest

from tests.images import image_of
from tests.kernel.asking import judge
from tests.kernel.test_obligations import GAMES, names_without, random_formula, random_position, without_old
from tests.statements import play, rule, strategy
from verifier.kernel.games.lines import Permutation
from verifier.kernel.games.nested import ANY, Nested
from verifier.kernel.relabel import SYMMETRIES

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


@pytest.mark.parametrize("count", [2, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", names_without("paper-play-on", "closed-open-fields", "closed-any-spot", among=NESTED))
def test_an_image_of_plays_has_their_verdict(name: str, count: int) -> None:
    """Move start, strategy and objective by each symmetry of the square: the kernel says the same."""
    game, chance, found = GAMES[name], random.Random(name), set()
    assert isinstance(game, Nested)
    for _ in range(count):
        statement = random_statement(game, chance)
        is_some = statement["objectives"][0]["type"] == "some"
        way: Any = {"evidence": {"objective": "it"} if is_some else {}, "verdict": "refuted" if is_some else "proved"}
        verdict = judge(statement, **way)
        found.add(verdict in ("proved", "refuted"))
        assert judge({**statement, "symmetric": True}, **way) == verdict
        for permutation in SYMMETRIES:
            image = moved(copy.deepcopy(statement), permutation)
            image["start"] = game.format_position(image_of(permutation, game.parse_position(statement["start"])))
            assert judge(image, **way) == verdict, (permutation, statement)
    assert len(found) > 1 or count < 12
