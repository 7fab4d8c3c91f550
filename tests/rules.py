"""The shipped rules by name, and rules written as data, for tests that need only a game."""

import functools
import pathlib
from typing import Any

from verifier.kernel.games import Game
from verifier.language.folder import read_library
from verifier.language.library import Library
from verifier.language.loader import Document
from verifier.language.problem import SpecProblemsError
from verifier.language.rules.positional import LineData, PositionalRules
from verifier.language.rules.registry import compile_rules
from verifier.questions.registry import GRAMMAR

SPECS = pathlib.Path(__file__).parents[1] / "specs"


def load_library(folder: pathlib.Path) -> Library:
    """Return the specs of a folder. They must have no problems."""
    library, problems = read_library(folder, GRAMMAR)
    if problems:
        raise SpecProblemsError(problems)
    return library


@functools.cache
def specs() -> Library:
    """Return the shipped specs."""
    return load_library(SPECS)


@functools.cache
def rule_sets() -> tuple[str, ...]:
    """Return every name that the shipped specs give to rules."""
    return tuple(sorted(specs().rules))


def find_rules(name: str) -> Game:
    """Return the game with a name."""
    return specs().game(name)


def rules_data(name: str) -> dict[str, Any]:
    """Return the rules with a name, as a statement has them."""
    return specs().game(name).data


def in_a_row(length: int, rows: int, columns: int, **options: Any) -> list[LineData]:
    """Return the lines of some spots in a row. The options are those of a file's clause."""
    source = {"document": "none", "place": "none", "says": "none"}
    lines = {"in_a_row": length, **options}
    outcomes = {"won": {"when": "X_line", "result": "X"}}
    file = {"rules": "r", "title": "Some in a row", "source": source, "family": "positional", "lines": lines}
    model = PositionalRules.model_validate({**file, "board": {"rows": rows, "columns": columns}, "outcomes": outcomes})
    game, problems = compile_rules(model, Document("r.yaml"))
    assert game is not None, problems
    found: list[LineData] = game.data["lines"]
    return found


def positional(rows: int, columns: int, lines: list[Any], outcomes: list[Any], **options: Any) -> dict[str, Any]:
    """Return rules of the family ``positional``. Options that are left out have their usual values."""
    usual = {"notation": "rows", "marks": "own", "legal": None}
    board = {"family": "positional", "rows": rows, "columns": columns}
    return {**board, **usual, **options, "lines": lines, "outcomes": outcomes}
