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


def test_a_named_phase_has_only_the_instance_of_the_value(tmp_path: pathlib.Path) -> None:
    """If a claim shares a variable with the phase that it names, the variable selects the instance."""
    assert instances(tmp_path, "own-number#alike", '"[0, 8]"') == [[[0, 0]], [[8, 8]]]


@pytest.mark.parametrize("when", ["f == 4", "f == 4 or ply > 99"])
def test_a_named_phase_is_taken_without_its_condition(when: str, tmp_path: pathlib.Path) -> None:
    """This includes an instance whose condition is never true, however this is written."""
    text = STRATEGY.replace("when: free[f, f]", f"when: {when}")
    assert instances(tmp_path, "own-number#alike", '"[0, 8]"', text) == [[[0, 0]], [[8, 8]]]


def test_a_whole_strategy_keeps_its_phases_and_conditions(tmp_path: pathlib.Path) -> None:
    every = [[0, 0], [4, 4], [8, 8]]
    assert instances(tmp_path, "own-number", '"[0, 8]"') == [every, every]


PLAYS = read_spec("numbered/plays")


def compiled(folder: pathlib.Path, more: str, strategy: str = STRATEGY) -> tuple[dict[str, Any], str]:
    """Return the statement of a reading about plays, and its description."""
    (folder / "strategy.yaml").write_text(strategy)
    (folder / "plays.yaml").write_text(PLAYS.replace("MORE", more))
    library = load_library(folder)
    said = next(iter(say_reading(library.claim("plays").readings["as-stated"])))
    return compile_reading(library, "plays", "as-stated").statement or {}, said


def test_old_in_a_strategy_needs_given(tmp_path: pathlib.Path) -> None:
    """Only a reading with ``given`` says which position is meant, so only there a strategy may use ``old``."""
    strategy = STRATEGY.replace("free[f, f]", "old(free[f, f])")
    statement, said = compiled(tmp_path, "given: ply >= 0", strategy)
    assert statement["strategies"]["X"]["phases"][0]["instances"][0]["when"] == ["old", ["free", 0, 0]]
    assert "from any other position where this holds: ply >= 0" in said
    with pytest.raises(SpecError, match="'old' is about the position before a step: there is no step here"):
        parse_statement(compiled(tmp_path, "horizon: 3", strategy)[0])
