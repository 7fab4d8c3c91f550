"""Readings about plays that may go on for ever: what they compile to, what is refused, and what is shown of them."""

import functools
import pathlib
import shutil
from typing import Any

import pytest

from tests.audit.made import MADE, write_claim
from tests.commands import command
from tests.kernel.test_rounds import answer, force, random_games, random_strategy
from tests.kernel.test_starts import objectives_of, random_goal, random_starts
from tests.rules import load_library
from tests.statements import keep, play
from verifier.graph.plays import NO_WIN, follow_plays
from verifier.kernel.certificate import CertificateContent, hash_bytes
from verifier.kernel.decide import Memo, decide
from verifier.kernel.plays import oppose
from verifier.kernel.statement import Statement, parse_statement
from verifier.kernel.verdict import Result
from verifier.language.problem import SpecProblemsError
from verifier.packing import pack
from verifier.questions.compile import compile_reading
from verifier.questions.plays.evidence import find_fault
from verifier.questions.shown import make_example
from verifier.search.walk import explore

CATCH = "plays: all, strategies: {X: catch}"


def write(folder: pathlib.Path, text: str, rules: str = "ring-race") -> pathlib.Path:
    """Write a claim of one reading beside the rules and strategies of the ring race; return the folder."""
    shutil.copytree(MADE / "rounds", folder)
    write_claim(folder, "c", f"readings:\n  r: {{expect: proved, {text}}}", rules)
    return folder


def compile_text(folder: pathlib.Path, text: str, rules: str = "ring-race") -> Any:
    return compile_reading(load_library(write(folder, text, rules)), "c", "r").statement


@pytest.mark.parametrize(
    ("text", "horizon", "plies"),
    [
        (f"{CATCH}, objectives: {{a: {{reach: O_wins}}, b: {{prevent: X_wins}}}}", None, [None, None]),
        (f"{CATCH}, horizon: 6, objectives: {{a: {{reach: O_wins}}, b: {{prevent: X_wins}}}}", 6, [6, 6]),
        (f"{CATCH}, objectives: {{a: {{reach: O_wins, by: 9}}, b: {{prevent: X_wins, by: 4}}}}", None, [9, 4]),
        ("can: X, objectives: {a: {reach: X_wins}}", None, [None]),
        ("can: X, objectives: {a: {reach: X_wins, by: 7}}", 7, [7]),
    ],
)
def test_without_by_there_is_no_limit(tmp_path: pathlib.Path, text: str, horizon: int | None, plies: list[Any]) -> None:
    """A reach or prevent without ``by`` has the horizon for its ply and, where play may go on for ever, none."""
    data = compile_text(tmp_path / "specs", text)
    assert data["horizon"] == horizon
    assert [item.get("by", item.get("through")) for item in data["objectives"]] == plies
    assert parse_statement(data).has_number == (plies[0] is not None)


def test_on_a_board_that_fills_up_a_reach_without_by_is_by_the_last_ply(tmp_path: pathlib.Path) -> None:
    """It is the same statement as with the last ply."""
    short, long = (
        compile_text(tmp_path / name, f"can: X, objectives: {{a: {{reach: X_wins or over{by}}}}}", "tictactoe-of-nine")
        for name, by in (("short", ""), ("long", ", by: 9"))
    )
    assert short == long


PREVENT = "objectives: {a: {prevent: X_wins}"


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        (f"{CATCH}, {PREVENT}, b: {{reach: O_wins, by: 4}}}}", "4}", "a reading of its own"),
        (f"{CATCH}, objectives: {{a: {{prevent: X_wins and ply < 4}}}}", "X_wins and ply", "'ply' cannot be used here"),
        (f"{CATCH}, {PREVENT}, b: {{keep: ply < 4, at: every}}}}", "ply < 4", "'ply' cannot be used here"),
        (f"plays: all, strategies: {{X: numbered-run}}, {PREVENT}}}", "numbered-run", "this strategy cannot use"),
        (f"can: X, strategies: {{X: numbered-run}}, {PREVENT}}}", "numbered-run", "this strategy cannot use"),
    ],
)
def test_anything_about_the_number_of_moves_is_refused_beside_it(
    tmp_path: pathlib.Path, text: str, place: str, said: str
) -> None:
    """The message names the objective that has no ``by``, and the place of what asks for the number of moves."""
    folder = write(tmp_path / "specs", text)
    with pytest.raises(SpecProblemsError) as caught:
        compile_reading(load_library(folder), "c", "r")
    (problem,) = caught.value.problems
    assert problem.message.startswith("'a' has no 'by', and play by these rules may go on for ever")
    assert said in problem.message
    assert (folder / "c.yaml").read_text().splitlines()[problem.line - 1][problem.column - 1 :].startswith(place)


def test_a_start_with_another_number_of_moves_is_refused(tmp_path: pathlib.Path) -> None:
    """The message says that the number does not matter, and which position to write."""
    folder = write(tmp_path / "specs", f"{CATCH}, start: 14 X 2, {PREVENT}}}")
    with pytest.raises(SpecProblemsError) as caught:
        compile_reading(load_library(folder), "c", "r")
    (problem,) = caught.value.problems
    assert problem.message == (
        "this reading ignores how many moves led to the start, so the kernel sets this number: write '14 X 0'"
    )


GIVEN = "given: not over"


@pytest.mark.parametrize(
    ("text", "rules", "place", "said"),
    [
        (f"{CATCH}, {GIVEN}, objectives: {{a: {{prevent: X_wins, by: 4}}}}", "ring-race", "4}", "leave this out"),
        (f"{CATCH}, horizon: 9, {GIVEN}, {PREVENT}}}", "ring-race", "9,", "leave this out"),
        (f"{CATCH}, given: ply < 9, {PREVENT}}}", "ring-race", "ply < 9", "out 'ply'"),
        (f"{CATCH}, {GIVEN}, objectives: {{a: {{keep: ply < 9, at: every}}}}", "ring-race", "not over", "out 'ply'"),
        (f"plays: all, {GIVEN}, {PREVENT}}}", "tictactoe-of-nine", "not over", "needs an 'invariant'"),
        (f"{CATCH}, {GIVEN}, objectives: {{a: {{keep: old(over), at: every}}}}", "ring-race", "old(over)", "'old'"),
        (f"can: X, {GIVEN}, objectives: {{a: {{prevent: X_wins, by: 4}}}}", "ring-race", "4}", "leave this out"),
        (f"can: X, {GIVEN}, {PREVENT}}}", "tictactoe-of-nine", "not over", "beside 'can'"),
        (f"can: X, given: ply < 9, {PREVENT}}}", "ring-race", "ply < 9", "moves from these positions are not counted"),
    ],
)
def test_what_needs_an_invariant_beside_given_is_refused(
    tmp_path: pathlib.Path, text: str, rules: str, place: str, said: str
) -> None:
    """A walk from every position knows neither the number of moves nor where a play began."""
    folder = write(tmp_path / "specs", text, rules)
    with pytest.raises(SpecProblemsError, match=said) as caught:
        compile_reading(load_library(folder), "c", "r")
    problem = caught.value.problems[0]
    assert (folder / "c.yaml").read_text().splitlines()[problem.line - 1][problem.column - 1 :].startswith(place)


READINGS = """readings:
  caught: {expect: proved, plays: all, player: O, strategies: {X: catch, O: run-two}, objectives: {a: {reach: O_wins}}}
  round: {expect: refuted, plays: all, strategies: {X: catch}, objectives: {a: {reach: O_wins}}}
  never: {expect: proved, plays: all, strategies: {X: catch}, objectives: {a: {prevent: X_wins}}}
  apart: {expect: proved, plays: all, strategies: {X: catch}, objectives: {a: {keep: "not over", at: opponent}}}
  any: {expect: refuted, plays: all, objectives: {a: {reach: over}}}
  others: {expect: refuted, plays: all, given: turn == 1, strategies: {X: catch}, objectives: {b: {prevent: over}}}
  some: {expect: refuted, can: X, given: not over, objectives: {b: {reach: over}}}
  near: {expect: proved, can: X, given: 'turn == 1 and not over and man[0] == 0', objectives: {b: {prevent: O_wins}}}
  begun: {expect: refuted, can: X, given: not over, objectives: {b: {prevent: 'man[0] == 0'}}}
  spared: {expect: refuted, can: O, strategies: {X: catch}, objectives: {b: {reach: X_wins}}}"""


def test_an_invariant_beside_a_reach_without_by_is_refused(tmp_path: pathlib.Path) -> None:
    """It could never show the objective."""
    text = f"{CATCH}, objectives: {{a: {{reach: O_wins}}}}, invariant: {{both: {{apart: not over}}}}"
    folder = write(tmp_path / "specs", text)
    with pytest.raises(SpecProblemsError, match="reach something in the end: give 'by'"):
        compile_reading(load_library(folder), "c", "r")


def test_a_run_decides_and_shows_the_longest_way(tmp_path: pathlib.Path) -> None:
    """A proof says in how many moves at most, a refutation where the play comes back to; JSON has the bound."""
    shutil.copytree(MADE / "rounds", tmp_path / "specs")
    write_claim(tmp_path / "specs", "c", READINGS, "ring-race")
    where = ("--specs", tmp_path / "specs", "--proofs", tmp_path, "--cache", tmp_path / "cache")
    told = command("check", "c", *where, "--jobs", 1, "-v")
    assert told.code == 0, told.out
    assert "proved      caught  in at most 4 moves from its start" in told.out
    shown = " ".join(command("show", "c", *where).out.split())
    assert "most moves in a play 4" in shown
    assert "'a' fails: after 10 moves a play comes back to 03 X 0 without coming to the goal" in shown
    assert "every play comes to O_wins at some time" in shown
    assert "from 01 O 1: 'b' fails: O prevents it for ever" in shown
    assert "from 01 X 0: 'b' fails at the start" in shown
    assert "O plays any legal move, and from any other position where this holds: not over" in shown
    assert '"bound": 4' in command("check", "c", *where, "--format", "json").out


def test_a_guide_leads_through_positions_that_come_again(tmp_path: pathlib.Path) -> None:
    """Its moves are those of the plays, however often play has gone round; it says in how many moves O wins."""
    objective = "objectives: {a: {prevent: X_wins}}"
    data = compile_text(tmp_path / "specs", f"{CATCH}, {objective}")
    guide = follow_plays(CertificateContent(data, "proved", {}), dict[str, bytes]().__getitem__)
    assert guide is not None
    game, position = guide.statement.game, guide.statement.start
    seen = {guide.find(position)}
    for _ in range(30):
        moves = guide.moves(position)
        assert {label for label, _ in moves.values()} == ({"all.run"} if game.turn(position) == "X" else {""})
        position = game.play(position, min(moves))
        seen.add(guide.find(position))
    assert len(seen) == 10
    assert game.ply(position) == 30
    assert {*guide.shortest} == {NO_WIN}
    text = "plays: all, player: O, strategies: {X: catch, O: run-two}, objectives: {a: {reach: O_wins}}"
    won = compile_text(tmp_path / "won", text)
    guide = follow_plays(CertificateContent(won, "proved", {}), dict[str, bytes]().__getitem__)
    assert guide is not None
    assert (guide.shortest, guide.longest) == ((4, 3, 2, 1, 0), (4, 3, 2, 1, 0))


@pytest.mark.parametrize("count", [80, pytest.param(150, marks=pytest.mark.slow)])
def test_lines_that_refute_are_found_where_a_claim_is_false(count: int) -> None:
    """Of random claims the search finds a line that the kernel accepts exactly if the kernel does not prove them."""
    told: dict[str, int] = {}
    for rng, graph in random_games(count):
        players = rng.choice(["", "X", "O", "XO"])
        strategies = {player: random_strategy(rng, graph, player) for player in players}
        goal, chooses = rng.choice([["X_wins"], ["over"], ["b", 1], ["b", 2]]), {} if players else {"chooses": False}
        for objective in (
            {"name": "it", "type": "reach", "goal": goal, "by": None},
            {"name": "it", "type": "prevent", "goal": goal, "through": None},
            keep(["not", goal], "every", "claimant", name="it"),
        ):
            said = play(graph.data, graph.text(graph.start), objective, claimant=(players or "X")[0], **chooses)
            said["strategies"] = strategies
            statement = parse_statement(said)
            found = find_fault(statement, explore(statement))
            shown = answer(said, "proved", {})
            if isinstance(shown, Result):
                assert found is None
            elif found is not None and found.reason.startswith("vacuous"):
                assert shown in ("vacuous-scope", "not-keep")
            else:
                assert found is not None, (said, shown)
                assert found.evidence is not None
                assert isinstance(answer(said, "refuted", found.evidence), Result), (said, found.evidence)
            key = f"{objective['type']} {'proved' if isinstance(shown, Result) else 'refuted'}"
            told[key] = told.get(key, 0) + 1
    assert len(told) == 6
    assert min(told.values()) > count // 30, told


def test_lines_from_given_positions_are_found_where_a_claim_is_false() -> None:
    """The evidence names the position where the line begins; there is none for what the kernel proves."""
    told: dict[str, int] = {}
    for rng, graph, given, _ in random_starts(40):
        players = rng.choice(["", "", "X", "O"])
        strategies = {player: random_strategy(rng, graph, player) for player in players}
        goal, chooses = random_goal(rng), {} if players else {"chooses": False}
        for kind, objective in objectives_of(goal, ["not", goal]).items():
            more = {"given": given, "claimant": (players or "X")[0], "strategies": strategies, **chooses}
            said = play(graph.data, graph.text(graph.start), objective, **more)
            statement = parse_statement(said)
            found, shown = find_fault(statement, explore(statement)), answer(said, "proved", {})
            assert (found is None) == isinstance(shown, Result)
            if found is not None:
                assert found.evidence is not None
                assert isinstance(answer(said, "refuted", found.evidence), Result), (said, found.evidence)
            key = f"{kind} {'proved' if found is None else 'refuted'}"
            told[key] = told.get(key, 0) + 1
    assert len(told) == 6, told


def choose(opposed: Statement, table: dict[str, list[Any]], position: Any) -> list[Any]:
    """Return the moves of a table in a position."""
    return table[opposed.game.format_position(position)]


def test_an_example_of_an_opponents_table_goes_round_or_ends() -> None:
    """It is a play that the table allows, up to where a strategy ends, a play ends or a position comes again."""
    told: dict[str, int] = {}
    for _, graph in random_games(100):
        goal = {here for here in graph.after if graph.outcomes[here] == "X"}
        forced = force("X", graph.after, goal)
        is_forced = graph.start in forced
        kind, ply, claimant = ("prevent", "through", "O") if is_forced else ("reach", "by", "X")
        objective = {"name": "it", "type": kind, "goal": ["X_wins"], ply: None}
        said = play(graph.data, graph.text(graph.start), objective, claimant=claimant)
        opposed, memo = oppose(parse_statement(said), "it"), Memo()
        table = {}
        for here, after in graph.after.items():
            ways = [text for _, text in sorted((forced.get(there, 999), text) for text, there in after.items())]
            table[graph.text(here)] = [opposed.game.parse_move(text) for text in (ways[:1] if is_forced else ways[-1:])]
        used = explore(opposed, functools.partial(choose, opposed, table)).moves()
        data = pack({"format": "verifier-table", "version": 2, "moves": used})
        digest = hash_bytes(data)
        decide(said, "refuted", {"objective": "it", "table": digest}, {digest: data}.__getitem__, memo)
        example = make_example(opposed, memo.last, "why")
        how = example.reason.removeprefix("why; ")
        told[how] = told.get(how, 0) + 1
        ends = [opposed.game.without_number(opposed.start)]
        for text in example.moves:
            ends.append(opposed.game.without_number(opposed.game.play(ends[-1], opposed.game.parse_move(text))))
        is_goal = opposed.game.compile_atom("X_wins", ())(ends[-1], ends[-1])
        assert is_goal == is_forced
        assert (ends[-1] in ends[:-1]) == (how == "a play that goes round")
    assert told.keys() == {"a play", "a play that goes round"}
    assert min(told.values()) > 10
