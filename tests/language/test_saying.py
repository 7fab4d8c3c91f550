"""What a reading asks, in words: no condition of it is left out."""

from __future__ import annotations

from tests.rules import specs
from verifier.language.model import Plays, Steps
from verifier.language.saying import say_reading


def test_a_bound_names_the_first_moves_that_count() -> None:
    """Without them it would be said of any first move, of which it may be wrong."""
    library = specs()
    (whole, case) = say_reading(library.claim("beyond-no-double").readings["by-43"])
    assert whole == "Xavier cannot force a win by ply 43, in each of these cases:"
    assert case == "'from the start': from the start, but for his first moves 0.0 1.1 2.2 3.3 4.4 5.5 6.6 7.7 8.8"
    told = list(say_reading(library.claim("beyond-second-move").readings["by-46"]))
    assert "'0, then 1': after 0.0 0.1, but for his first moves 1.0" in told


def said(claim: str, reading: str) -> list[str]:
    return list(say_reading(specs().claim(claim).readings[reading]))


def test_a_step_is_told_from_where_and_by_whom() -> None:
    """Hypotheses, the step in the order of its moves, and conclusions; a move that is given is told."""
    for_every, round_ = said("lemma-2", "the-six-alone")
    assert for_every == f"said of any position, for each f of [0], where {SIX}"
    assert round_ == f"'round': after any legal move and the reply of xavier#endgame: {SIX}"
    assert said("lemma-2", "as-stated")[1].startswith(
        "'round': after the move of xavier#endgame and any legal move: P1"
    )
    assert any(", after the move [f, i] and " in line for line in said("lemma-2-cases", "as-stated"))


SIX = " and ".join(f"P{k}(f)" for k in range(1, 7))


def test_what_is_said_of_the_start_is_said_of_no_other_position() -> None:
    """A formula may hold there and nowhere else."""
    assert said("rules-start", "as-stated")[0] == "said of the start of the game"


def test_a_part_with_a_step_of_its_own_is_not_said_of_the_start() -> None:
    """Nor is what has the start as the step of each part said of any position."""
    base = {"expect": "proved", "step": "start", "steps": {"a": {"conclude": ["ply == 0"]}}}
    assert next(say_reading(Steps.model_validate(base))) == "said of the start of the game"
    base["steps"] = {**base["steps"], "b": {"step": "none", "conclude": ["ply == 0"]}}  # type: ignore[dict-item]
    assert list(say_reading(Steps.model_validate(base))) == [
        "said of any position",
        "'a': at the start of the game: ply == 0",
        "'b': ply == 0",
    ]


def test_whose_claim_it_is_where_strategies_do_not_tell() -> None:
    """Scopes and words such as ``mine`` depend on it; where one player has a strategy it is that one's."""
    both = {"plays": "all", "expect": "proved", "strategies": {"X": "xavier", "O": "lbs"}, "claimant": "O"}
    kept = {
        "objectives": {"k": {"keep": "P", "at": ["claimant", "end"]}, "s": {"some": "P", "at": ["opponent", "end"]}}
    }
    plays, keeps, some = say_reading(Plays.model_validate({**both, **kept}))
    assert plays == "plays: X plays by xavier, O plays by lbs; claimant: O"
    assert keeps == "'k': in all plays, at claimant (O to move) and end: P"
    assert some == "'s': in some play, at opponent (X to move) or end: P"
    assert "claimant" not in said("lemma-5", "as-stated")[0]


def test_members_are_told_of_whose_strategy_has_them() -> None:
    """And not of the player who may make any move."""
    base = {"plays": "all", "expect": "proved", "members": {"g": 2}}
    kept = {"objectives": {"k": {"keep": "P", "at": "every"}}}
    plays, _ = say_reading(Plays.model_validate({**base, **kept, "strategies": {"X": "xavier"}}))
    assert plays == "plays: X plays by xavier, where g = 2, O plays any legal move"
