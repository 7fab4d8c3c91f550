import pathlib
from typing import Any

import pytest

from tests.audit.made import read_spec
from tests.rules import load_library
from verifier.kernel.errors import SpecError
from verifier.kernel.statement import parse_statement
from verifier.questions.compile import compile_reading
from verifier.questions.words import say_reading

STRATEGY = read_spec("numbered/strategy")

CLAIM = read_spec("numbered/reply")


def instances(folder: pathlib.Path, strategy: str, fields: str, text: str = STRATEGY) -> list[list[Any]]:
    """Return the moves of the phase in each part."""
    (folder / "strategy.yaml").write_text(text)
    (folder / "claim.yaml").write_text(CLAIM.replace("NAME", strategy).replace("FIELDS_MEANT", fields))
    statement = compile_reading(load_library(folder), "own-number-is-free", "as-stated").statement
    assert statement is not None
    phases = [part["strategy"]["phases"][0]["instances"] for part in statement["parts"]]
    return [[instance["rules"][0]["choices"][0]["play"] for instance in found] for found in phases]


def test_a_named_phase_is_taken_for_the_value_alone(tmp_path: pathlib.Path) -> None:
    """A variable that a claim shares with the phase that it names picks the phase's member."""
    assert instances(tmp_path, "own-number#alike", '"[0, 8]"') == [[[0, 0]], [[8, 8]]]


@pytest.mark.parametrize("when", ["f == 4", "f == 4 or ply > 99"])
def test_a_named_phase_is_taken_without_its_condition(when: str, tmp_path: pathlib.Path) -> None:
    """A member that the condition never opens is there as well, however it is written that it does not."""
    text = STRATEGY.replace("when: free[f, f]", f"when: {when}")
    assert instances(tmp_path, "own-number#alike", '"[0, 8]"', text) == [[[0, 0]], [[8, 8]]]


def test_a_whole_strategy_is_taken_whole(tmp_path: pathlib.Path) -> None:
    every = [[0, 0], [4, 4], [8, 8]]
    assert instances(tmp_path, "own-number", '"[0, 8]"') == [every, every]


PLAYS = read_spec("numbered/plays")


def compiled(folder: pathlib.Path, more: str, strategy: str = STRATEGY) -> tuple[dict[str, Any], str]:
    """Return the statement of a reading about plays, and what it says in words."""
    (folder / "strategy.yaml").write_text(strategy)
    (folder / "plays.yaml").write_text(PLAYS.replace("MORE", more))
    library = load_library(folder)
    said = next(iter(say_reading(library.claim("plays").readings["as-stated"])))
    return compile_reading(library, "plays", "as-stated").statement or {}, said


def test_old_in_a_strategy_needs_plays_that_start_from_what_is_given(tmp_path: pathlib.Path) -> None:
    """Only such a reading says which position is meant, and only a strategy that says so may speak of it."""
    strategy = STRATEGY.replace("free[f, f]", "old(free[f, f])")
    statement, said = compiled(tmp_path, "given: ply >= 0", strategy)
    assert statement["strategies"]["X"]["phases"][0]["instances"][0]["when"] == ["old", ["free", 0, 0]]
    assert "from any other position where this holds: ply >= 0" in said
    with pytest.raises(SpecError, match="'old' is about the position before a step: there is none here"):
        parse_statement(compiled(tmp_path, "horizon: 3", strategy)[0])
