from __future__ import annotations

import base64
import json
import pathlib
from dataclasses import replace
from typing import Any

import pytest

from tests.lines import PROOFS, strategy_graph
from verifier.checkers.cache import Cache
from verifier.checkers.ledger import ClaimResult, Ledger, ReadingResult
from verifier.checkers.run import Run
from verifier.kernel import certificate as files
from verifier.kernel.recheck import read_index
from verifier.kernel.verdict import Verdict
from verifier.report.html.explorer import explorer_section, find_data, pack_plays, win_from_start
from verifier.report.html.properties import Property, find_properties
from verifier.report.registry import Report
from verifier.spec.library import Library, load_library

SPECS = PROOFS.parent / "specs"


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library(SPECS)


def test_the_properties_are_those_that_readings_keep(library: Library) -> None:
    """A property is a definition that an objective of the same name keeps; what it says is the spec's own text."""
    found = find_properties(library, [("lemma-2", "reachable")])
    assert [item.name for item in found] == ["P1", "P2", "P3", "P4", "P5", "P6"]
    assert found[3].says == "active in [f, opp(f)] and not any(active == k and full[k] for k in [f, opp(f)])"
    assert found[3].place == "§3, list of properties"
    assert find_properties(library, [("lemma-3", "as-stated"), ("lemma-2", "as-stated")]) == ()


def test_where_the_properties_hold(library: Library) -> None:
    """With Olivia to move P1 to P6 hold in every endgame position without a win, and none speaks of the opening."""
    graph = strategy_graph()
    properties = find_properties(library, [("lemma-2", "reachable")])
    packed = pack_plays(graph, properties)
    speaks, holds = (base64.b64decode(packed[key])[::3] for key in ("speaks", "holds"))
    came_by = {edge.to: edge.rule for edges in graph.edges for edge in edges if edge.rule}
    for number, mover in enumerate(graph.movers):
        if mover == "O" and came_by[number].startswith("opening") and graph.game.ply(graph.positions[number]) < 16:
            assert speaks[number] == 0
        if mover == "O" and came_by[number].startswith("endgame"):
            assert speaks[number] == holds[number] == 0b111111


def test_a_property_that_fails_is_told() -> None:
    """A bit is set in ``holds`` just where the property's formula is true, and in ``speaks`` just where it speaks."""
    graph = strategy_graph()
    item = Property("middle", "X[4, 4]", "", (([">=", ["ply"], 3], ["O", 4, 0]),))
    packed = pack_plays(graph, [item])
    speaks, holds = (base64.b64decode(packed[key])[::3] for key in ("speaks", "holds"))
    for number, position in enumerate(graph.positions):
        if graph.movers[number] != "X":
            assert speaks[number] == (graph.game.ply(position) >= 3)
            assert holds[number] == (speaks[number] and bool(position.o_mask >> 36 & 1))


def test_lists_fit_the_graph() -> None:
    """The packed lists have an item a position or a move, in the graph's order."""
    graph = strategy_graph()
    packed = pack_plays(graph, [])
    edges = [edge for some in graph.edges for edge in some]
    assert list(base64.b64decode(packed["count"])) == [len(some) for some in graph.edges]
    assert list(base64.b64decode(packed["move"])) == [9 * edge.move[0] + edge.move[1] for edge in edges]
    wide = base64.b64decode(packed["to"])
    assert [int.from_bytes(wide[at : at + 3], "little") for at in range(0, len(wide), 3)] == [edge.to for edge in edges]


def test_which_certificates_win_from_the_start() -> None:
    """A certificate counts by what it states: a win of its claimant from the start of the game, against anything."""
    found = {}
    for entry in read_index(PROOFS):
        if entry.claim in ("lemma-3", "lemma-3-corner-line", "corollary-1", "beyond-win-0-8", "lemma-1", "theorem-1"):
            value = files.unpack(files.read_bytes(PROOFS, entry.path), entry.path)
            found[entry.claim] = win_from_start(files.parse_certificate(value, entry.path).statement)
    assert found == {
        "lemma-3": 43,
        "corollary-1": 81,
        "lemma-3-corner-line": None,
        "beyond-win-0-8": None,
        "lemma-1": None,
        "theorem-1": None,
    }


def test_without_a_certificate_there_is_no_explorer(library: Library, tmp_path: pathlib.Path) -> None:
    """A report of claims that no strategy is certified for has no such section."""
    ledger = Run(SPECS, library, ["rules-start"]).execute(tmp_path)
    assert explorer_section(Report(ledger, library, SPECS, tmp_path, "")) is None


def test_what_is_kept_is_what_is_made(library: Library, tmp_path: pathlib.Path) -> None:
    """The section's data come back from the cache as they were made, and other evidence asks for data of its own."""
    entry = next(entry for entry in read_index(PROOFS) if entry.claim == "beyond-opening-0-8")
    cache = Cache(tmp_path / "cache", "0" * 64)
    result = ReadingResult(
        entry.claim, entry.reading, "bound", Verdict.PROVED, Verdict.PROVED, "", "", {}, None, path=entry.path
    )
    claims = (ClaimResult(entry.claim, library.claim(entry.claim), (result,), "proved as stated", True),)
    report = Report(Ledger(claims), library, SPECS, PROOFS, "verifier report", cache)
    made = find_data(report)
    assert made["replies"]["challenges"]
    forged: dict[str, Any] = {"replies": {"challenges": []}}
    kept = json.loads(json.dumps(made))
    assert find_data(report) == kept
    (path,) = (tmp_path / "cache").glob("*/page-*")
    cache.keep_page(path.name.removeprefix("page-"), forged)
    assert find_data(report) == forged
    path.write_bytes(path.read_bytes()[:-1])
    assert json.loads(json.dumps(find_data(report))) == kept
    cache.keep_page(path.name.removeprefix("page-"), forged)
    assert json.loads(json.dumps(find_data(replace(report, is_verifying=True)))) == kept
    assert find_data(report) == kept
