from __future__ import annotations

import base64
import itertools
import json
import pathlib
import zlib
from dataclasses import replace
from typing import Any

import pytest

from tests.audit.made import check, make_plan, write_claim
from tests.lines import PROOFS, strategy_graph, strategy_plays
from tests.rules import specs
from verifier.audit.ledger import Ledger
from verifier.audit.memory import Memory
from verifier.audit.standing import conclude
from verifier.audit.store import Stores
from verifier.graph.plays import group_scopes
from verifier.kernel.certificate import hash_bytes
from verifier.kernel.store import evidence_path, read_bytes, read_certificate, read_index
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.folder import load_library
from verifier.language.library import Library
from verifier.methods.result import Filed, ReadingResult
from verifier.report.html import explorer
from verifier.report.html.explorer import (
    find_data,
    read_sources,
    recall_data,
    win_from_start,
)
from verifier.report.html.plays import pack_plays
from verifier.report.html.properties import Promise, Property, find_properties
from verifier.report.registry import Report

SPECS = PROOFS.parent / "specs"


def data_of(report: Report) -> dict[str, Any]:
    """Return what the page follows."""
    return find_data(report, list(read_sources(report)))[1]


def plays_of(report: Report) -> dict[str, Any]:
    """Return the plays of the strategy that wins soonest."""
    (found,) = [game for game in data_of(report)["games"] if game.get("title")]
    return dict(found)


@pytest.fixture(scope="module")
def library() -> Library:
    return specs()


def test_the_properties_are_those_that_readings_keep(library: Library) -> None:
    """A property is a definition that an objective of the same name keeps; what it says is the spec's own text."""
    found = find_properties(library, [("lemma-2", "reachable")])
    assert [item.name for item in found] == ["P1", "P2", "P3", "P4", "P5", "P6"]
    assert found[3].says == "active in [f, opp(f)] and not any(active == k and full[k] for k in [f, opp(f)])"
    assert found[3].place == "§3, list of properties"
    assert find_properties(library, [("lemma-3", "as-stated"), ("lemma-2", "as-stated")]) == ()


def unpack(packed: dict[str, Any]) -> dict[str, list[int]]:
    """Return the lists of some plays, as the page's script reads them."""
    raw, at, lists = zlib.decompress(base64.b64decode(packed["packed"])), 0, {}
    for name, size in packed["sizes"].items():
        steps = [raw[at + i] + (raw[at + size + i] << 8) + (raw[at + 2 * size + i] << 16) for i in range(size)]
        lists[name] = [value % (1 << 24) for value in itertools.accumulate(steps)]
        at += 3 * size
    return lists


def states_of(packed: dict[str, Any]) -> list[tuple[int, int]]:
    """Return which properties hold of those that are promised, and which are promised, position by position."""
    return [tuple(packed["states"][number]) for number in unpack(packed["lists"])["state"]]


def test_a_property_that_fails_is_told() -> None:
    """Promised everywhere, a property's bit is set just where its formula is true, with the opponent to move."""
    graph = strategy_graph()
    promise = Promise("claim", ("every",), True)
    item = Property("middle", "O[4, 0]", "", ((True, ["O", 4, 0]),), (promise,))
    scopes = {"every": set(graph.positions)}
    states = states_of(pack_plays(graph, [item], scopes))
    for number, position in enumerate(graph.positions):
        if graph.movers[number] == "X":
            assert states[number] == (0, 0)
        else:
            assert states[number] == (position.o_mask >> 36 & 1, 1)
    assert {state[0] for state in states} == {0, 1}
    assert set(states_of(pack_plays(graph, [item]))) == {(0, 0)}, "what nobody promises is not told"


ABOUT_PROPERTIES = [("lemma-1-context", "as-stated"), ("lemma-1", "as-stated"), ("lemma-2", "reachable")]


def test_where_the_properties_are_promised(library: Library) -> None:
    """All nine, the paper's and our own, are promised from Xavier's last mark of the middlegame on, and hold there."""
    graph, (statement, walked) = strategy_graph(), strategy_plays()
    properties = find_properties(library, ABOUT_PROPERTIES, [("lemma-2", "repaired")])
    assert [item.name for item in properties] == ["P1", "P2", "P3", "P4", "P5", "P6", "C1", "C2", "C3"]
    assert [item.is_ours for item in properties] == [False] * 6 + [True] * 3
    assert {item.place for item in properties if not item.is_ours} == {"§3, list of properties"}
    came_by: dict[int, set[str]] = {}
    for edges in graph.edges:
        for edge in edges:
            came_by.setdefault(edge.to, set()).add(edge.rule)
    for number, (holds, promised) in enumerate(
        states_of(pack_plays(graph, properties, group_scopes(statement, walked)))
    ):
        rules = came_by.get(number, set())
        is_begun = any(rule == "middlegame.finish" or rule.startswith("endgame.") for rule in rules)
        assert promised == (0b111111111 if is_begun else 0), graph.positions[number]
        assert promised & ~holds == 0, "something is promised that fails"


def test_a_promise_is_no_longer_than_what_is_proved(library: Library) -> None:
    """Without the induction C1 to C3 are promised at the end of the middlegame alone, and without the base nowhere."""
    for readings, proved, scopes in (
        (ABOUT_PROPERTIES, [], {"after:middlegame.finish"}),
        (ABOUT_PROPERTIES, [("lemma-2", "repaired")], {"after:middlegame.finish", "after:endgame"}),
        (ABOUT_PROPERTIES[:1], [("lemma-2", "repaired")], {"after:middlegame.finish"}),
    ):
        (item,) = [item for item in find_properties(library, readings, proved) if item.name == "C1"]
        assert {scope for promise in item.promises for scope in promise.scopes} == scopes


def test_a_property_is_that_of_the_claim(tmp_path: pathlib.Path) -> None:
    """And not another one of the same name, in a file that it does not include."""
    for name, text in (("another", "ply == 81"), ("mine", "ply <= 81")):
        source = f"source: {{document: none, place: page of {name}, says: It is so.}}"
        (tmp_path / f"{name}.yaml").write_text(f"definitions: {name}\ntitle: Some\n{source}\ndefine: {{few: {text}}}\n")
    rest = "includes: [mine]\nreadings:\n  r:\n    plays: all\n    strategies: {X: xavier}\n    expect: proved\n"
    write_claim(tmp_path, "c", f"{rest}    objectives: {{few: {{keep: few, at: every}}}}", "paper")
    (item,) = find_properties(load_library(tmp_path), [("c", "r")])
    assert (item.says, item.place) == ("ply <= 81", "page of mine")


def test_lists_fit_the_graph() -> None:
    graph = strategy_graph()
    packed = pack_plays(graph, [])
    edges = [edge for some in graph.edges for edge in some]
    lists = unpack(packed["lists"])
    assert lists["count"] == [len(some) for some in graph.edges]
    assert lists["move"] == [9 * edge.move[0] + edge.move[1] for edge in edges]
    assert lists["to"] == [edge.to for edge in edges]
    assert lists["longest"] == list(graph.longest)


def test_which_certificates_win_from_the_start() -> None:
    """A certificate counts by what it states: a win of its claimant from the start of the game, against anything."""
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


def test_without_a_certificate_there_is_no_explorer(library: Library, tmp_path: pathlib.Path) -> None:
    plan = make_plan(SPECS, "rules-start", cache=tmp_path)
    report = Report(check(plan), library, SPECS, plan.folders.stores, "")
    assert recall_data(report) == ([], {"tables": [], "games": [], "replies": None})


@pytest.mark.parametrize("spoilt", [False, True])
def test_what_takes_long_to_make_is_remembered(
    library: Library, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, *, spoilt: bool
) -> None:
    """The second report has the same data and makes nothing, unless what is remembered has another shape."""
    report = replace(report_of(library, shipped("affine-plane-3", question="can")), memory=Memory(tmp_path))
    games, data = recall_data(report)
    if spoilt:
        (path,) = (tmp_path / "remembered").glob("pack-*")
        path.write_text(json.dumps(json.loads(path.read_bytes()) | {"value": {"rules": [7], "data": 7}}))
    else:
        monkeypatch.setattr(explorer, "find_data", lambda *_: pytest.fail("it is made again"))
    again, recalled = recall_data(report)
    assert (again, json.dumps(recalled)) == (games, json.dumps(data))


def report_of(library: Library, *results: ReadingResult) -> Report:
    """Return a report of these readings, each of which is the only one of its claim, with the shipped certificates."""
    claims = [conclude(library.claim(r.claim), [r], {}) for r in results]
    return Report(Ledger(tuple(claims)), library, SPECS, Stores((PROOFS,)), "verifier report")


def shipped(name: str, **changes: Any) -> ReadingResult:
    """Return the proved reading of a claim that has one certificate."""
    ((reading, statement),) = [
        (other.partition("/")[2], statement)
        for other, statement in read_index(PROOFS).filed.items()
        if name in (other, other.partition("/")[0])
    ]
    path = evidence_path(statement)
    digest = hash_bytes(read_bytes(PROOFS, path))
    proved = Verdict.PROVED
    result = ReadingResult(
        name.partition("/")[0], reading, "bound", proved, proved, certificate=Filed(path, digest, statement)
    )
    return replace(result, **changes)


def test_the_rules_of_a_strategy_are_told_in_words(library: Library) -> None:
    plays = plays_of(report_of(library, shipped("lemma-3", question="plays")))
    assert set(plays["rules"]) - {""} == set(plays["says"])
    assert all(plays["says"].values())
    assert plays["says"]["opening.centre"].startswith("The centre of the field that she has sent him to")
    assert plays["places"]["opening.centre"] == "§2.1, step 2"


def test_the_strongest_bound_on_all_first_moves_is_a_game(library: Library) -> None:
    """From the start the value is offered, not what it says more of; a bound on some first moves is none."""
    bounds = [shipped(name) for name in ("theorem-1", "beyond-no-double/by-43", "beyond-value-43/at-least")]
    games = data_of(report_of(library, *bounds))["games"]
    assert [(game["key"], game["through"]) for game in games] == [("beyond-value-43/at-least", 42)]
    assert data_of(report_of(library, bounds[1]))["games"] == []


def test_other_games_are_played_where_their_plays_are_few(library: Library) -> None:
    """Each has its own table; the claimant has one move where it is his turn, and the other every move by its image."""
    names = ("lemma-3", "sim-second-player", "animal-elly/on-the-board", "animal-n5/on-the-board")
    found = data_of(report_of(library, *(shipped(name, question="can") for name in names)))
    games = {game["key"]: game for game in found["games"]}
    assert set(games) == {"O", "sim-second-player/as-stated", "animal-elly/on-the-board"}
    sim = games["sim-second-player/as-stated"]
    assert found["tables"][sim["board"]]["loses"]
    lists = unpack(sim["lists"])
    assert lists["count"][0] == 15
    assert set(lists["turn"]) <= set(range(len(sim["turns"])))


def test_what_is_supported_is_not_called_proved(library: Library) -> None:
    weak = shipped("beyond-opening-0-8", verdict=Verdict.SUPPORTED, beliefs=frozenset({Belief.SOLVER}))
    assert [game["proved"] for game in data_of(report_of(library, weak))["games"]] == [False]
    assert [game["proved"] for game in data_of(report_of(library, shipped("beyond-opening-0-8")))["games"]] == [True]
    strategy = shipped("lemma-3", question="plays", verdict=Verdict.SUPPORTED)
    assert data_of(report_of(library, strategy))["games"] == []
