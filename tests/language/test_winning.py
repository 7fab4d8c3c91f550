"""Winning sets by formula, by shape and of each player: against what programs of the tests' own make.

Those of planes are held against their definition in ``tests/documents/test_small_games.py``; what is wrong with some is
in ``tests/corpus/specs/invalid``.
"""

import itertools
import pathlib
from collections.abc import Iterable
from typing import Any

from verifier.language.folder import load_library
from verifier.presentation.registry import show

RULES = """rules: r
title: A game
source: {{document: none, place: here, says: Some rules.}}
family: positional
board: {{rows: {rows}, columns: {columns}}}
{lines}
outcomes: {{X has one: {{when: X_line, result: X}}, O has one: {{when: O_line, result: O}}}}
"""


def lines_of(folder: pathlib.Path, rows: int, columns: int, lines: str) -> Any:
    """Return the lines of the rules that a file with some clause has."""
    (folder / "r.yaml").write_text(RULES.format(rows=rows, columns=columns, lines=lines and f"lines: {lines}"))
    return load_library(folder).rules.find("r").data["lines"]


def plain(sets: Iterable[Iterable[int]]) -> list[list[list[int]]]:
    return sorted([sorted(one), []] for one in sets)


def test_sets_that_formulas_say_twice_count_once(tmp_path: pathlib.Path) -> None:
    """Triples that add up to 15, in any order, and one of them listed: the eight lines of a magic square."""
    sums = "[[a, b, 14 - a - b] for a in range(0, 9) for b in range(0, 9) if a != b and 14 - a - b in range(0, 9)"
    sums += " and 14 - a - b != a and 14 - a - b != b]"
    found = lines_of(tmp_path, 1, 9, f'{{sets: [[2, 4, 8], "{sums}"]}}')
    assert found == plain(c for c in itertools.combinations(range(9), 3) if sum(c) == 14)


def test_each_player_has_lines_of_his_own(tmp_path: pathlib.Path) -> None:
    """By any form; where they are the same, it is as if they had been given once."""
    rows, columns = "{in_a_row: 3, along: [rows]}", "{in_a_row: 3, along: [columns]}"
    found = lines_of(tmp_path, 3, 3, f"{{X: {rows}, O: {columns}}}")
    assert found == {"X": plain([(0, 1, 2), (3, 4, 5), (6, 7, 8)]), "O": plain([(0, 3, 6), (1, 4, 7), (2, 5, 8)])}
    assert lines_of(tmp_path, 3, 3, f"{{X: {rows}, O: {rows}}}") == found["X"]


def test_rules_in_words_say_whose_lines_they_are(tmp_path: pathlib.Path) -> None:
    lines_of(tmp_path, 3, 3, "{X: {in_a_row: 3, along: [rows]}, O: {shapes: [[0.0, 0.1]]}}")
    rules = load_library(tmp_path).rules.find("r")
    told = " ".join(said.text for said in show(rules.game).say_rules(rules.model))
    assert "A line of X's is 3 neighbouring spots of a row, with marks of X." in told
    assert "A line of O's is one of 12 sets of spots, the placements of 0.0 0.1 (row.column, from 0)" in told


def test_a_game_may_be_about_moves_alone(tmp_path: pathlib.Path) -> None:
    """Who cannot move loses: no line is needed, and X, who marks the middle of three in a row, leaves no move."""
    text = RULES.format(
        rows=1, columns=3, lines="legal: {when: 'all(free[t] for t in range(0, 3) if t == s + 1 or s == t + 1)'}"
    )
    outcomes = "outcomes: {X cannot move: {when: stuck and X_turn, result: O}, O cannot move: {when: stuck, result: X}}"
    (tmp_path / "r.yaml").write_text(text[: text.index("outcomes:")] + outcomes)
    library = load_library(tmp_path)
    game: Any = library.rules.game("r")
    ends = {s: game.outcome(game.play(game.start, (s,))) for s in range(3)}
    assert ends == {0: None, 1: "X", 2: None}
    assert "where the player to move has no legal move, X has won" in " ".join(
        said.text for said in show(library.rules.game("r")).say_rules(library.rules.find("r").model)
    )
