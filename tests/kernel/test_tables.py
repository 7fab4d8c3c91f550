from __future__ import annotations

import pathlib
import random
from typing import Any

import pytest

from tests.rules import find_rules, rules_data
from verifier.kernel import tables
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.positional import Position
from verifier.kernel.recheck import decide
from verifier.kernel.tables import Solver, check_tables, decide_tables, parse_tables, plain_spot
from verifier.kernel.verdict import Verdict
from verifier.language.compile import compile_reading
from verifier.language.library import load_library

SPECS = pathlib.Path(__file__).parents[2] / "specs"
BY_ROWS = list(range(16))
LOPSIDED = {**rules_data("threesome4x4"), "lines": rules_data("threesome4x4")["lines"][1:]}
"""Rules that a symmetry of the square changes: one threesome is none."""


@pytest.fixture(scope="module")
def printed() -> dict[str, Any]:
    """The statement about the printed tables, rows first."""
    statement = compile_reading(load_library(SPECS), "threesome-rules", "loops-by-rows").statement
    assert statement is not None
    return statement


def test_the_printed_tables_are_those_of_the_game(printed: dict[str, Any]) -> None:
    """All 330 printed entries come out, and no other."""
    result, _ = decide_tables(parse_tables(printed))
    assert result.verdict is Verdict.PROVED
    assert [result.stats[key] for key in ("entries_found", "entries_listed", "entries_in_both")] == [330, 330, 330]


@pytest.mark.parametrize("index", [0, 100, 329])
def test_a_dropped_entry_is_missed(printed: dict[str, Any], index: int) -> None:
    """Without any one entry the tables are not those of the game, and the reason names it."""
    entries = [entry for i, entry in enumerate(printed["entries"]) if i != index]
    result, answers = decide_tables(parse_tables({**printed, "entries": entries}))
    turn, code, _ = printed["entries"][index]
    assert result.verdict is Verdict.REFUTED
    assert f"1 entry is not listed, such as turn {turn}, code {code}" in result.reason
    assert answers[0].lines


@pytest.mark.parametrize("change", [(0, 0, 1), (0, 1, 1), (50, 2, 1)])
def test_a_changed_entry_is_noticed(printed: dict[str, Any], change: tuple[int, int, int]) -> None:
    """A changed turn, code or spot makes one entry that is not found and one that is not listed."""
    index, part, by = change
    entries = [list(entry) for entry in printed["entries"]]
    entries[index][part] = entries[index][part] + by if part else 7
    entries[index][2] %= 16
    reason = decide_tables(parse_tables({**printed, "entries": entries}))[0].reason
    assert "1 entry is not listed" in reason
    assert "1 entry is listed, but not found" in reason


def test_one_other_rule_changes_the_tables(printed: dict[str, Any]) -> None:
    """Where O's sixteenth mark may lose, fourteen printed entries are not found."""
    rules = [rules_data("threesome4x4-neighbours-eighth-wins-sixteenth-loses")]
    result, _ = decide_tables(parse_tables({**printed, "rules": rules}))
    assert (result.verdict, result.stats["entries_in_both"]) == (Verdict.REFUTED, 316)
    both = decide_tables(parse_tables({**printed, "rules": [*rules, rules_data("threesome4x4")]}))[0]
    assert both.verdict is Verdict.PROVED


def test_without_a_forced_win_a_game_shows_it(printed: dict[str, Any]) -> None:
    """The line is a whole game that X does not win."""
    rules: Any = find_rules("threesome4x4-any-three-eighth-loses")
    result, answers = decide_tables(parse_tables({**printed, "rules": [rules.data]}))
    position = rules.start
    for spot in answers[0].lines[0]:
        if rules.turn(position) == "X":
            plain = plain_spot(rules, tuple(printed["order"]), position)
            assert spot == (rules.legal_moves(position)[0][0] if plain is None else plain)
        position = rules.play(position, (spot,))
    assert result.reason == "X cannot force a win"
    assert rules.is_over(position)
    assert not rules.compile_atom("X_wins", ())(position, position)


def test_counts_do_not_depend_on_what_was_asked_before(printed: dict[str, Any]) -> None:
    """What a solver remembers of an earlier question changes no answer and no count."""
    rules = [rules_data("threesome4x4-any-three-long-lines-eighth-loses")]
    first = decide_tables(parse_tables({**printed, "rules": rules}))[0]
    decide_tables(parse_tables({**printed, "rules": rules, "order": [*range(7, 16), *range(7)]}))
    decide_tables.cache_clear()
    assert decide_tables(parse_tables({**printed, "rules": rules}))[0] == first


@pytest.mark.parametrize("asks", ["one-spot", "common-spot"])
def test_positions_of_one_code_are_shown(printed: dict[str, Any], asks: str) -> None:
    """The lines end in positions with the same marks of O, other marks of X, and no spot for both."""
    result, answers = decide_tables(parse_tables({**printed, "asks": asks}))
    game = find_rules("threesome4x4")
    ends: list[Position] = []
    for line in answers[0].lines:
        position = game.start
        for spot in line:
            position = game.play(position, (spot,))
        ends.append(position)
    assert result.verdict is Verdict.REFUTED
    assert len({end.o_mask for end in ends}) == 1
    assert len({end.x_mask for end in ends}) == len(ends) > 1
    if asks == "common-spot":
        wins = [{s for s in range(16) if wins_by_plain_search(game, end, s)} for end in ends]
        assert all(wins)
        assert not set.intersection(*wins)


def wins_by_plain_search(game: Any, position: Any, spot: int) -> bool:
    """Say whether X can force a win after a mark: a second search, without tables or symmetry."""
    if (spot,) not in game.legal_moves(position):
        return False

    def value(here: Any) -> bool:
        if game.is_over(here):
            return bool(game.outcome(here) == "X")
        outcomes = (value(game.play(here, move)) for move in game.legal_moves(here))
        return any(outcomes) if game.turn(here) == "X" else all(outcomes)

    return value(game.play(position, (spot,)))


def test_the_solver_agrees_with_a_plain_search() -> None:
    """From positions of ten marks the kernel's solver and a search without memory say the same."""
    for name in (
        "threesome4x4",
        "threesome4x4-neighbours-eighth-loses-sixteenth-loses",
        "threesome4x4-any-three-eighth-wins",
    ):
        game: Any = find_rules(name)
        solver = Solver(game)
        for seed in range(3):
            generator, position = random.Random(seed), game.start
            while game.ply(position) < 10:
                after = [game.play(position, move) for move in game.legal_moves(position)]
                position = generator.choice([here for here in after if not game.is_over(here)])
            for (spot,) in game.legal_moves(position):
                keeps = solver.keeps(position.x_mask, position.o_mask, spot)
                assert keeps == wins_by_plain_search(game, position, spot), (name, seed, spot)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rules": rules_data("threesome4x4")}, "a list of at most"),
        ({"rules": []}, "a list of at most"),
        ({"rules": ["threesome4x4"]}, "an object with a 'family'"),
        ({"rules": [rules_data("paper")]}, "games of threesomes"),
        ({"rules": [rules_data("tictactoe")]}, "games of threesomes"),
        ({"rules": [rules_data("threesome4x4-comeback-answer")]}, "games of threesomes"),
        ({"rules": [LOPSIDED]}, "games of threesomes"),
        ({"rules": [rules_data("threesome4x4"), rules_data("threesome4x4")]}, "stands once"),
        ({"order": BY_ROWS[1:]}, "sixteen spots"),
        ({"order": [*BY_ROWS[1:], 1]}, "sixteen spots"),
        ({"turns": [3, 8]}, "first and a last"),
        ({"turns": [7, 3]}, "first and a last"),
        ({"entries": [[3, 24, 16]]}, "an entry is"),
        ({"entries": [[8, 24, 6]]}, "an entry is"),
        ({"entries": [[3, 24, True]]}, "an entry is"),
        ({"entries": [[3, 24, 6], [3, 24, 6]]}, "stands twice"),
        ({"asks": "all"}, "asks is one of"),
        ({"more": 1}, "keys that the kernel documents"),
    ],
)
def test_a_malformed_statement_is_refused(printed: dict[str, Any], change: dict[str, Any], says: str) -> None:
    """Every part of the statement is checked before anything is solved."""
    with pytest.raises(SpecError, match=says):
        parse_tables({**printed, **change})


def test_a_false_verdict_is_rejected(printed: dict[str, Any]) -> None:
    """A certificate cannot say anything but what the kernel finds, nor bring evidence of its own."""
    with pytest.raises(CertificateError, match="the tables are as stated") as caught:
        check_tables(parse_tables(printed), False)
    assert caught.value.reason == "not-refuted"
    with pytest.raises(CertificateError) as caught:
        check_tables(parse_tables({**printed, "order": BY_ROWS[::-1]}), True)
    assert caught.value.reason == "not-proved"
    with pytest.raises(CertificateError) as caught:
        decide(printed, "proved", {"lines": []}, lambda digest, suffix: b"", full=True)
    assert caught.value.reason == "malformed"


def test_limits_are_exact(printed: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """As many rule sets and positions as are allowed, and not one more."""
    monkeypatch.setattr(tables, "MAX_GAMES", 1)
    statement = parse_tables(printed)
    with pytest.raises(SpecError, match="at most 1"):
        parse_tables({**printed, "rules": [*printed["rules"], rules_data("threesome4x4-any-three-eighth-loses")]})
    decide_tables(statement)
    count = len(tables.solver_of(statement.games[0]).values)
    decide_tables.cache_clear()
    monkeypatch.setattr(tables, "MAX_ALL_VALUES", count)
    assert decide_tables(statement)[0].verdict is Verdict.PROVED
    decide_tables.cache_clear()
    monkeypatch.setattr(tables, "MAX_ALL_VALUES", count - 1)
    with pytest.raises(CertificateError, match="limit: games of more than"):
        decide_tables(statement)
    decide_tables.cache_clear()
    position = statement.games[0].start
    for most in (0, 1):
        monkeypatch.setattr(tables, "MAX_VALUES", most)
        with pytest.raises(CertificateError, match="limit: a game of more than"):
            Solver(statement.games[0]).is_won(*position)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"entries": [[3, 1 << 16, 6]]}, "a code below 65536"),
        ({"entries": [[3, -1, 6]]}, "a code below 65536"),
        ({"turns": [0, 7]}, "first and a last"),
    ],
)
def test_the_first_that_is_too_large(printed: dict[str, Any], change: dict[str, Any], says: str) -> None:
    """The largest code and a span of one turn are read."""
    assert parse_tables({**printed, "turns": [3, 3], "entries": [[3, (1 << 16) - 1, 6]]}).turns == range(3, 4)
    with pytest.raises(SpecError, match=says):
        parse_tables({**printed, **change})


def test_codes_whose_positions_differ_and_agree(printed: dict[str, Any]) -> None:
    """At turn 4 there are codes whose positions take different spots, and all of them have a spot in common."""
    results = {
        asks: decide_tables(parse_tables({**printed, "turns": [4, 4], "entries": [], "asks": asks}))[0]
        for asks in ("one-spot", "common-spot")
    }
    assert [result.verdict for result in results.values()] == [Verdict.REFUTED, Verdict.PROVED]
    assert "X plays" in results["one-spot"].reason
    assert results["one-spot"].stats == {
        "positions": 440,
        "codes": 420,
        "codes_of_several_positions": 20,
        "codes_with_different_spots": 17,
        "codes_without_a_common_spot": 0,
    }
