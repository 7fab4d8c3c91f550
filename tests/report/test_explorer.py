import base64
import itertools
import json
import pathlib
import zlib
from dataclasses import replace
from typing import Any

import pytest

from tests.audit.made import check, make_plan
from tests.lines import PROOFS, shipped_guide
from tests.report.ledgers import as_expected, filed
from tests.rules import specs
from verifier.audit.ledger import Ledger
from verifier.audit.standing import conclude
from verifier.audit.store import Store
from verifier.kernel.certificate import hash_value, read_certificate, read_index
from verifier.kernel.verdict import Belief, Verdict
from verifier.questions.result import ReadingResult
from verifier.report.html import explorer
from verifier.report.html.explorer import find_data, find_raced, read_sources, recall_data, win_from_start
from verifier.report.registry import Report

SPECS = PROOFS.parent / "specs"


def data_of(report: Report) -> dict[str, Any]:
    """Return the data that the page uses."""
    return find_data(report, list(read_sources(report)))[1]


@pytest.fixture(scope="module")
def played() -> dict[str, Any]:
    """The data of four claims about plays. The plays of Lemma 3 take seconds to follow, so tests share them."""
    names = ("lemma-3", "sim-second-player", "animal-elly/on-the-board", "animal-n5/on-the-board")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explorer, "follow_plays", lambda own, _: shipped_guide(hash_value(own.statement)))
        return data_of(report_of(*(shipped(name) for name in names)))


def unpack(packed: str) -> dict[str, list[int]]:
    """Return the lists of some plays, as the page's script reads them."""
    steps = json.loads(zlib.decompress(base64.b64decode(packed)))
    return {name: list(itertools.accumulate(steps[name])) for name in steps}


def test_which_certificates_win_from_the_start() -> None:
    """Only the statement matters: the claimant wins from the start of the game, against anything."""
    found = {}
    for name, statement in read_index(PROOFS).filed.items():
        claim = name.partition("/")[0]
        if claim in ("lemma-3", "lemma-3-corner-line", "corollary-1", "beyond-win-0-8", "lemma-1", "theorem-1"):
            found[claim] = win_from_start(read_certificate(PROOFS, statement).statement)
    assert found == {
        "lemma-3": 43,
        "corollary-1": 81,
        "lemma-3-corner-line": None,
        "beyond-win-0-8": None,
        "lemma-1": None,
        "theorem-1": None,
    }


def test_without_a_certificate_there_is_no_explorer(tmp_path: pathlib.Path) -> None:
    plan = make_plan(SPECS, "rules-start", cache=tmp_path)
    report = Report(check(plan), plan.library, SPECS, plan.folders.store, "")
    assert recall_data(report) == ([], {"tables": [], "games": [], "replies": None})


@pytest.mark.parametrize("spoilt", [False, True])
def test_slow_data_are_remembered(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, *, spoilt: bool) -> None:
    """The second report has the same data without making them, unless the remembered data have another shape."""
    report = replace(report_of(shipped("affine-plane-3")), store=Store(PROOFS, cache=tmp_path))
    games, data = recall_data(report)
    if spoilt:
        (path,) = (tmp_path / "remembered").glob("pack-*")
        path.write_text(json.dumps(json.loads(path.read_bytes()) | {"value": {"rules": [7], "data": 7}}))
    else:
        monkeypatch.setattr(explorer, "find_data", lambda *_: pytest.fail("it is made again"))
    again, recalled = recall_data(report)
    assert (again, json.dumps(recalled)) == (games, json.dumps(data))


def report_of(*results: ReadingResult) -> Report:
    """Return a report of these readings, each the only one of its claim, with the shipped certificates."""
    library = specs()
    claims = [conclude(library.claim(r.claim), [r], {}) for r in results]
    return Report(Ledger(tuple(claims)), library, SPECS, Store(PROOFS), "verifier report")


def shipped(name: str, **changes: Any) -> ReadingResult:
    """Return the proved reading of a claim that has one certificate."""
    (found,) = (other for other in filed() if name in (other, other.partition("/")[0]))
    return replace(as_expected(found), **changes)


def test_the_rules_of_a_strategy_are_described_in_words(played: dict[str, Any]) -> None:
    (plays,) = [game for game in played["games"] if game.get("title")]
    assert set(plays["rules"]) - {""} == set(plays["says"])
    assert all(plays["says"].values())
    assert plays["says"]["opening.centre"].startswith("The centre of the field that she has sent him to")
    assert plays["places"]["opening.centre"] == "§2.1, step 2"


@pytest.mark.slow
def test_the_strongest_bound_on_all_first_moves_is_a_game() -> None:
    """From the start the value is offered, and no weaker bound. A bound on only some first moves is not a game."""
    bounds = [shipped(name) for name in ("theorem-1", "beyond-no-double/by-43", "beyond-value-43/at-least")]
    games = data_of(report_of(*bounds))["games"]
    assert [(game["key"], game["through"]) for game in games] == [("beyond-value-43/at-least", 42)]
    assert data_of(report_of(bounds[1]))["games"] == []


@pytest.mark.slow
def test_a_claim_with_a_bound_leads_to_the_game_that_shows_it() -> None:
    """The game may hold out longer than the bound, but not less long. A bound from another start has another game."""
    names = ("theorem-1", "beyond-value-43/at-least", "beyond-opening-0-8/not-by-39")
    report = report_of(*(shipped(name) for name in names))
    games = data_of(report)["games"]
    longest = "beyond-value-43/at-least"
    assert find_raced(report, games) == {
        "theorem-1": longest,
        "beyond-value-43": longest,
        "beyond-opening-0-8": "beyond-opening-0-8/not-by-39",
    }
    weak = [{**game, "through": 41} for game in games if game["key"] == longest]
    assert find_raced(report, weak) == {"theorem-1": longest}


@pytest.mark.slow
def test_the_first_marks_have_only_what_is_proved() -> None:
    """The mark of the strategy wins. Others fail if a proved bound about them says so, and are left out otherwise."""
    bounds = [shipped("beyond-value-43/at-least"), shipped("theorem-2")]

    def first(*results: ReadingResult) -> Any:
        games = data_of(report_of(*results))["games"]
        return next(game["first"] for game in games if game["key"] == "beyond-value-43/at-least")

    wins = {"spot": 40, "claims": ["lemma-3"]}
    others = [spot for spot in range(81) if spot != 40]
    fails = [{"claim": "theorem-2", "spots": others}]
    assert first(shipped("lemma-3"), *bounds) == {"by": 43, "wins": wins, "fails": fails}
    weak = shipped("theorem-2", verdict=Verdict.SUPPORTED, beliefs=frozenset({Belief.SOLVER}))
    assert first(shipped("lemma-3"), bounds[0], weak) == {"by": 43, "wins": wins, "fails": []}
    some = [spot for spot in range(81) if spot // 9 != spot % 9]
    fails = [{"claim": "beyond-no-double", "spots": some}]
    assert first(shipped("lemma-3"), bounds[0], shipped("beyond-no-double/by-43"))["fails"] == fails
    assert first(*bounds) is None


def test_other_games_are_played_if_they_have_few_plays(played: dict[str, Any]) -> None:
    """Each has its own table. The claimant has one move on his turn. The other player has every move, by its image."""
    games = {game["key"]: game for game in played["games"]}
    assert set(games) == {"lemma-3/as-stated", "sim-second-player/as-stated", "animal-elly/on-the-board"}
    sim = games["sim-second-player/as-stated"]
    assert played["tables"][sim["board"]]["loses"]
    lists = unpack(sim["lists"])
    assert lists["count"][0] == 15
    assert set(lists["turn"]) <= set(range(len(sim["turns"])))


def test_a_supported_game_is_not_called_proved() -> None:
    weak = shipped("beyond-opening-0-8", verdict=Verdict.SUPPORTED, beliefs=frozenset({Belief.SOLVER}))
    assert [game["proved"] for game in data_of(report_of(weak))["games"]] == [False]
    assert [game["proved"] for game in data_of(report_of(shipped("beyond-opening-0-8")))["games"]] == [True]
    strategy = shipped("lemma-3", verdict=Verdict.SUPPORTED)
    assert data_of(report_of(strategy))["games"] == []
