from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.audit.made import check, make_plan
from tests.commands import ROOT, command
from tests.rules import specs
from verifier.language.references import needed_claims
from verifier.report.explain import Tree, build_tree, render_tree
from verifier.report.layout import Layout


def walk(tree: dict[str, Any]) -> list[dict[str, Any]]:
    return [tree, *(node for key in ("rests_on", "reads") for other in tree.get(key, ()) for node in walk(other))]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    cache = ("--cache", tmp_path_factory.mktemp("cache"))
    assert command("check", "rules-positions", "rules-start", *cache, "--jobs", "1").code == 0
    found: dict[str, Any] = json.loads(command("explain", "rules-positions", "--format", "json", *cache).out)
    return found


def test_the_tree_holds_every_claim_below_once(tree: dict[str, Any]) -> None:
    """Each claim that it rests on is there, in full once, as the claim graph says."""
    library = specs()
    nodes = walk(tree)
    for node in nodes:
        wanted = [] if node["above"] else needed_claims(library.claim(node["claim"]))
        found = [other["claim"] for key in ("rests_on", "reads") for other in node.get(key, ())]
        assert sorted(found) == sorted(wanted)
    whole = [node["claim"] for node in nodes if not node["above"]]
    assert len(set(whole)) == len(whole)
    assert {"rules-positions", "rules-start"} <= set(whole)


def test_readings_show_evidence(tree: dict[str, Any]) -> None:
    (reading,) = tree["readings"]
    assert (reading["verdict"], reading["expected"]) == ("proved", "proved")
    assert reading["beliefs"] == []
    assert "what the invariant owes" in reading["trust"]
    assert reading["certificate"]["path"].startswith("evidence/")


def test_hypotheses_are_those_of_the_spec() -> None:
    command("check", "lemma-2-cases", "--jobs", "1")
    found = json.loads(command("explain", "lemma-2-cases", "--format", "json").out)
    library = specs()
    seen = 0
    for node in walk(found):
        for reading in node.get("readings", ()):
            value = json.dumps(library.claims[node["claim"]].document.value["readings"][reading["id"]])
            for core in reading["hypotheses"].values():
                seen += len(core)
                assert all(json.dumps(name)[1:-1] in value for name in core)
    assert seen > 3


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    cache, shipped = tmp_path_factory.mktemp("cache"), ROOT / "proofs"
    plan = make_plan(ROOT / "specs", "rules-positions", "rules-start", cache=cache, shipped=shipped)
    return build_tree(check(plan), plan.library, plan.folders.stores, "rules-positions")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", None])
def test_an_encoding_without_boxes_gets_plain_marks(encoding: str | None, grown: Tree) -> None:
    """Where the output cannot show them, the branches are drawn in ASCII, and nothing fails to be printed."""
    assert "\x1b[32mproved\x1b[0m" in render_tree(grown, Layout(is_coloured=True))
    text = render_tree(replace(grown, result=replace(grown.result, title="4×4 – a title")), Layout(), encoding)
    assert "|- as-stated (plays): proved" in text
    assert "`- to read first (no verdict rests on it): rules-start" in text
    text.encode(encoding or "ascii")
