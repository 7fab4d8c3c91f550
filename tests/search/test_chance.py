"""Random plays refute claims for which a walk would take too long, and no other claims."""

import pathlib
from typing import Any

import pytest

from tests.audit.made import check, make_plan, write_claim, write_specs
from tests.rules import rules_data
from tests.statements import keep, play, prevent, reach, rule, some, strategy
from verifier.kernel.decide import decide
from verifier.kernel.statement import Statement, parse_statement
from verifier.kernel.strategy import Choice
from verifier.kernel.verdict import Verdict
from verifier.search import chance
from verifier.search.chance import refute_by_chance
from verifier.search.walk import find_legal

SIX = rules_data("tictactoe") | {"rows": 6, "columns": 6}
"""Three of the first row of six win."""
WIDE = SIX | {"lines": [[[s, s + 1, s + 2, s + 3], []] for s in range(0, 36, 6)]}
ANY = strategy(rule("any", *((["free", s], [s]) for s in range(36))), player="O")
HALF = strategy(rule("half", *((["free", s], [s]) for s in range(18))), player="O")
EVEN = strategy(rule("even", *((["free", s], [s]) for s in range(0, 36, 2))), player="O")

PLAYS = """\
readings:
  as-stated:
    plays: all
    strategies: {{X: careful-first}}
    expect: {verdict}
    objectives: {{goal: {{keep: "{goal}", at: end}}}}
"""


def claim(strategy: dict[str, Any], *objectives: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return play(WIDE, "." * 36, *objectives, claimant="O", strategies={"O": strategy}, **changes)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (claim(ANY, prevent(["X_wins"], 36, "never beaten")), "never beaten"),
        (claim(ANY, reach(["O_wins"], 36, "wins")), "wins"),
        (claim(ANY, keep(["not", ["over"]], "every", "claimant", name="open")), "open"),
        (claim(ANY, keep(["<=", ["ply"], 34], "before:phase.any", name="early")), "early"),
        (claim(HALF, prevent(["and", ["X", 0], ["O", 0]], 36, "nonsense")), "nonsense"),
        (claim(EVEN, keep(True), prevent(["X_wins"], 36, "never beaten")), "kept"),
        (claim(ANY, some(["X", 0]), prevent(["X_wins"], 36, "never beaten")), "never beaten"),
    ],
)
def test_a_false_claim_about_many_plays_is_refuted_at_once(data: dict[str, Any], name: str) -> None:
    """The kernel accepts the play: an objective fails at its end, or a strategy has no move. Two runs find the same."""
    found = refute_by_chance(parse_statement(data))
    assert found is not None
    assert found == refute_by_chance(parse_statement(data))
    assert found[0] == name
    evidence = {"objective": name, "line": found[1]}
    assert decide(data, "refuted", evidence, lambda _: b"").verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "data",
    [
        claim(ANY, prevent(["and", ["X", 0], ["O", 0]], 36)),
        claim(ANY, keep(["X", 0], "every")),
        claim(ANY, prevent(["X", 7], 36)),
        claim(ANY, some(["X_wins"], "end")),
        claim(ANY, prevent(["X_wins"], 36), chooses=True),
        play(WIDE, "." * 36, prevent(["X_wins"], 36), claimant="O"),
        play("tictactoe", "." * 9, prevent(["X_wins"], 9), claimant="O", chooses=False),
    ],
)
def test_random_plays_are_made_only_if_needed(data: dict[str, Any]) -> None:
    """There is none for a true claim, for one that the first plays refute, or for a claimant who has a choice."""
    assert refute_by_chance(parse_statement(data)) is None


def test_the_first_moves_are_walked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk finds a failure within the first moves. With a shorter walk, a longer random play refutes the claim."""
    data = claim(ANY, prevent(["and", ["X", 7], ["O", 8]], 36))
    assert refute_by_chance(parse_statement(data)) is None
    monkeypatch.setattr(chance, "FIRST_MOVES", 30)
    found = refute_by_chance(parse_statement(data))
    assert found is not None
    assert len(found[1]) > 2


def test_random_plays_have_a_number_of_moves_to_choose_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a thousand plays of a game with many moves and no end would take hours."""
    data = claim(ANY, prevent(["X_wins"], 36, "never beaten"))
    assert refute_by_chance(parse_statement(data)) is not None
    met = []

    def find(statement: Statement, position: Any) -> list[Choice]:
        met.append(position)
        return find_legal(statement, position)

    monkeypatch.setattr(chance, "MAX_CHOICES", 60)
    monkeypatch.setattr(chance, "find_legal", find)
    data = claim(ANY, keep(["not", ["and", ["X", 7], ["O", 7]]], "every"))
    assert refute_by_chance(parse_statement(data)) is None
    assert 1 < len(met) < 10


def test_an_earlier_walk_does_not_change_the_evidence(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the kernel has just walked through the plays of another reading, random plays still refute the next one."""
    monkeypatch.setattr(chance, "FIRST_MOVES", 30)
    folder = write_specs(tmp_path / "specs")
    for name, goal, verdict in (("holds", "ply <= 9", "proved"), ("wrong", "ply <= 7", "refuted")):
        write_claim(folder, name, PLAYS.format(goal=goal, verdict=verdict), "tictactoe")
    found = []
    for out, claims in ((tmp_path / "alone", ("wrong",)), (tmp_path / "after", ("holds", "wrong"))):
        certificate = check(make_plan(folder, *claims, out=out, is_anew=True))["wrong/as-stated"].certificate
        assert certificate is not None
        found.append(out.joinpath("evidence", f"{certificate.key[:16]}.json.gz").read_bytes())
    assert found[0] == found[1]
