"""For the kernel, words relative to a player, and the last move, are ordinary words of the game."""

from typing import Any

import pytest

from tests.audit.made import MADE
from tests.rules import find_rules
from verifier.kernel.games import Game
from verifier.language.evaluator import OldPosition
from verifier.language.expressions import Grounder
from verifier.language.names import RELATIVE
from verifier.language.scope import ground_strategy
from verifier.language.syntax import ExpressionError, parse_expression
from verifier.questions.compile import validate_folder


def ground(text: str, game: Game, player: str | None) -> Any:
    """Return the kernel's formula for an expression after a step."""
    return Grounder(game, player=player).formula(parse_expression(text), {}, old=OldPosition.LAST)


@pytest.mark.parametrize(("rules", "indices"), [("paper", "1, 2"), ("tictactoe", "3")])
@pytest.mark.parametrize("word", RELATIVE)
def test_a_relative_word_is_that_of_the_player(rules: str, indices: str, word: str) -> None:
    """The formula is the same. If the game lacks the word, the message has the game's name for it."""
    game = find_rules(rules)
    for player, other in ("XO", "OX"):
        name = RELATIVE[word].format(me=player, them=other)
        if name not in game.vocabulary:
            with pytest.raises(ExpressionError, match=f"'{name}' is not defined"):
                ground(word, game, player)
            continue
        index = f"[{indices.split(', ', maxsplit=1)[0] if len(game.vocabulary[name]) == 1 else indices}]"
        index = index if game.vocabulary[name] else ""
        assert ground(f"not {word}{index}", game, player) == ground(f"not {name}{index}", game, None)


def test_a_relative_word_needs_a_player_and_is_reserved() -> None:
    """Without a player it has no meaning. No definition and no variable may have its name."""
    game = find_rules("tictactoe")
    with pytest.raises(ExpressionError, match="'mine' depends on the player, but nothing here says which player"):
        ground("mine[0]", game, None)
    with pytest.raises(ExpressionError, match="'mine' already has a meaning"):
        ground("any(free[mine] for mine in SPOTS)", game, "X")


@pytest.mark.parametrize(("rules", "spot"), [("paper", "1, 2"), ("tictactoe", "3")])
def test_the_last_move_is_a_spot_that_was_free(rules: str, spot: str) -> None:
    """It compares the word for free spots before and after the step. Without a step it has no meaning."""
    game = find_rules(rules)
    written = ground(f"old(free[{spot}]) and not free[{spot}]", game, None)
    assert ground(f"last_move({spot})", game, None) == written
    with pytest.raises(ExpressionError, match="no step here"):
        Grounder(game).formula(parse_expression(f"last_move({spot})"), {})
    with pytest.raises(ExpressionError, match="last_move"):
        ground("last_move()", game, None)


def test_a_strategy_is_written_for_both_players() -> None:
    """A shared definition has its meaning for each player. Readings are about their claimant."""
    library, compiled, problems = validate_folder(MADE / "both")
    assert problems == []
    for player, other, name in (("X", "O", "x"), ("O", "X", "o")):
        statement = compiled["both", name].statement
        assert statement is not None
        assert statement["objectives"][0]["holds"] == [f"{player}_wins"]
        rule = ground_strategy(library, f"any-{name}")[0]["phases"][0]["instances"][0]["rules"][0]
        taken = ["or", [player, 0], [other, 0]]
        assert rule["choices"][0] == {"when": ["and", ["not", taken], ["not", [player, 0]]], "play": [0]}
