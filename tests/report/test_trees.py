"""The strategy trees of a report: a picture where the kernel keeps a walk, and elsewhere what there is instead."""

import json
import pathlib
import re
from dataclasses import replace
from html import unescape

import pytest

from tests.lines import PROOFS
from tests.report.test_explorer import report_of, shipped
from tests.rules import specs
from verifier.audit.store import Store
from verifier.kernel.certificate import files_of, read_certificate, read_index, unpack
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.race.bound import parse_lemma
from verifier.pool import Pool
from verifier.presentation.saying import say_phases
from verifier.report.html.front import hold_from_start
from verifier.report.html.trees import MAX_POSITIONS_DRAWN, TreeView, view_trees

SMALL = "animal-elly/on-the-board"
KINDS = (SMALL, "animal-n5/on-the-board", "lemma-1-proof/p4-and-p5")
"""Readings whose trees are a picture, a table of plies, and a table of obligations with a board."""


def tree_of(name: str, **stats: int) -> TreeView:
    """Return the tree of a shipped claim that has one reading, with what the kernel has counted."""
    result = replace(shipped(name), stats=stats)
    return view_trees(report_of(result), ())[result.claim]


@pytest.mark.parametrize(("name", "is_symmetric"), [(SMALL, True), ("careful-first-is-safe", False)])
def test_a_walk_is_drawn_and_adds_up(name: str, *, is_symmetric: bool) -> None:
    """The boxes of the picture have as many positions as the caption says.

    Each names the moves to its example, unless they may lead to an image of it.
    """
    tree = tree_of(name, positions=1)
    boxes = re.findall(r"<text[^>]*>([\d,]+) positions?</text>", tree.picture)
    total = re.search(r'aria-label="[^"]*: ([\d,]+) positions?', unescape(tree.picture))
    assert total is not None
    assert sum(int(count.replace(",", "")) for count in boxes) == int(total[1].replace(",", ""))
    assert ("positions (images count once)" in unescape(tree.picture)) is is_symmetric
    assert ("Images count once." in tree.said) is is_symmetric
    assert tree.groups == ("" if is_symmetric else "The five rules, and how play ends")
    assert len(re.findall(r'data-line="', tree.picture)) == (0 if is_symmetric else len(boxes))
    assert [float(side) > 0 for side in tree.size] == [True, True]


def test_the_same_plays_are_drawn_once() -> None:
    """The second claim names the first; a claim that the explorer has comes before all others."""
    one, other = (replace(shipped(SMALL), claim=name, stats={"positions": 1}) for name in ("animal-elly", "animal-tic"))
    trees = view_trees(report_of(one, other), {"animal-tic"})
    assert trees["animal-elly"].home == "animal-tic"
    assert trees["animal-tic"].picture


def test_a_table_that_leaves_out_replies_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel would keep no walk, so nothing could be drawn. The table has the plies instead."""
    monkeypatch.setattr("verifier.report.html.trees.follow_walk", lambda *_: pytest.fail("it is followed"))
    assert tree_of("animal-n5/on-the-board", positions=1).header == ("ply", "positions in the table")


def test_the_terms_of_a_document_explain_the_phases_of_a_strategy() -> None:
    assert list(say_phases(specs(), "lemma-3", "as-stated")) == ["opening", "middlegame", "endgame"]
    assert say_phases(specs(), *SMALL.split("/")) == {}


@pytest.mark.parametrize("spoilt", [False, True])
def test_trees_are_remembered(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, *, spoilt: bool) -> None:
    """The second report reads no certificate, unless the remembered trees have another form."""
    report = replace(report_of(*map(shipped, KINDS)), store=Store(PROOFS, cache=tmp_path))
    trees = view_trees(report, ())
    assert len(trees) == len(KINDS)
    if spoilt:
        for path in (tmp_path / "remembered").glob("pack-*"):
            path.write_text(json.dumps(json.loads(path.read_bytes()) | {"value": {"trees": {"a": 7}}}))
    else:
        monkeypatch.setattr(Store, "certificate", lambda *_: pytest.fail("a certificate is read"))
    assert view_trees(report, ()) == trees


def test_the_trees_of_other_results_are_made_again(tmp_path: pathlib.Path) -> None:
    results = shipped(SMALL), replace(shipped(SMALL), stats={"positions": MAX_POSITIONS_DRAWN + 1})
    found = [view_trees(replace(report_of(each), store=Store(PROOFS, cache=tmp_path)), ()) for each in results]
    assert [bool(tree["animal-elly"].picture) for tree in found] == [True, False]


def test_trees_without_their_certificate_are_not_remembered(tmp_path: pathlib.Path) -> None:
    """If the certificate is there again, the next report has the tree."""
    report = report_of(shipped(SMALL))
    lacking, whole = (replace(report, store=Store(folder, cache=tmp_path)) for folder in (tmp_path / "none", PROOFS))
    assert view_trees(lacking, ()) == {}
    assert view_trees(whole, ())["animal-elly"].picture


def test_other_processes_make_the_same_trees() -> None:
    report = report_of(*map(shipped, KINDS))
    with Pool(2) as pool:
        assert view_trees(report, (), pool) == view_trees(report, ())


def test_too_many_positions_are_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.report.html.trees.follow_walk", lambda *_: pytest.fail("it is followed"))
    tree = tree_of(SMALL, positions=MAX_POSITIONS_DRAWN + 1)
    assert not tree.picture
    assert f"verifier graph {SMALL} --out" in tree.said
    assert "(images count once)" not in tree.said
    assert "positions (images count once), too many" in tree_of(SMALL, positions=10**9, symmetries=8).said


def test_a_bound_has_its_replies_by_marks() -> None:
    """All replies of its tables are counted, and it is said that they belong to an easier game."""
    tree = tree_of("theorem-1", leaves=1)
    certificate = read_certificate(PROOFS, read_index(PROOFS).filed["theorem-1/as-stated"])
    read = files_of(PROOFS)
    tables = [parse_lemma(unpack(read(name), "a table"), "a table") for name in certificate.evidence["tables"]]
    replies = sum(len(text) for table in tables for text in table.replies.values())
    assert sum(int(count.replace(",", "")) for _, count in tree.rows) == replies > 100_000
    assert "easier" in tree.said


def test_steps_have_their_obligations() -> None:
    tree = tree_of("lemma-1-proof/p4-and-p5")
    assert ("P4(f)", "position.active, active == opp(f)", "P4 and P5 (f = 0), P4 and P5 (f = 1)") in tree.rows
    assert tree.board is not None
    assert not tree.picture


@pytest.mark.parametrize("name", [*KINDS, "theorem-1/as-stated"])
def test_only_a_picture_of_plays_is_called_a_tree(name: str) -> None:
    tree = tree_of(name, positions=1, leaves=1)
    assert (tree.heading == "The strategy tree") == bool(tree.picture)
    assert bool(tree.caption) == (tree.board is not None)


def test_up_to_which_ply_a_player_is_held_is_read_from_the_statement() -> None:
    """A bound on every first move and a strategy from the start count; a bound after an opening does not."""
    found = {}
    for name in ("theorem-1/as-stated", "lemma-4/as-stated", "lemma-3/as-stated", "beyond-opening-0-8/not-by-43"):
        source = read_index(PROOFS).filed.get(name)
        if source is not None:
            certificate = read_certificate(PROOFS, source)
            game = parse_rules(certificate.statement["rules"])
            found[name] = hold_from_start(certificate.statement, "X", game)
    assert found["theorem-1/as-stated"] == 41
    assert found["lemma-4/as-stated"] == 28
    assert found["lemma-3/as-stated"] is None
    assert found.get("beyond-opening-0-8/not-by-43") is None
