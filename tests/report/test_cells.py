"""The plays of games of cells, as the page's script reads them, against the kernel."""

import base64
import functools
import itertools
import json
import pathlib
import zlib
from dataclasses import replace
from typing import Any

import pytest

from tests.browser.made import make_report
from tests.lines import PROOFS
from tests.rules import specs
from verifier.audit.store import Store
from verifier.graph.plays import NO_WIN, Guide, follow_plays
from verifier.kernel.certificate import CertificateContent, read_certificate, read_index
from verifier.kernel.games.registry import parse_rules
from verifier.presentation.registry import find_presentation
from verifier.report.html import cells
from verifier.report.html.cells import (
    CellGames,
    PlayedPosition,
    find_cells,
    list_answered,
    list_positions,
    pack_cells,
    pack_first,
    recall_cells,
)
from verifier.report.html.site import render_site
from verifier.report.registry import render_report

STORE = Store(PROOFS)
DRAWINGS = specs().drawings


def inflate(packed: str) -> str:
    return zlib.decompress(base64.b64decode(packed)).decode()


def unpack(data: dict[str, Any]) -> tuple[dict[str, list[int]], list[str]]:
    """Return the lists of some plays and the marks of each position, as the page's script reads them."""
    lists, looks = data["packed"].split(" ")
    steps, marks = json.loads(inflate(lists)), inflate(looks)
    found = {name: list(itertools.accumulate(steps[name])) for name in steps}
    spots = len(marks) // len(found["count"])
    return found, [marks[at : at + spots] for at in range(0, len(marks), spots)]


@functools.cache
def shipped(name: str) -> tuple[CertificateContent, Guide]:
    certificate = read_certificate(PROOFS, read_index(PROOFS).filed[name])
    guide = follow_plays(certificate, STORE.read)
    assert guide is not None
    return certificate, guide


def pack(guide: Guide, answered: str) -> dict[str, Any] | None:
    """Return the plays of a guide for the page, whatever their number of positions."""
    return pack_cells(guide, positions_of(guide), answered, DRAWINGS)


def positions_of(guide: Guide) -> list[PlayedPosition]:
    played = list_positions(guide, 100_000)
    assert played is not None
    return played


TABLES, STRATEGIES = (
    ["hounds-win/as-stated-by", "centre-barred/second-player-safe-0"],
    ["wild-misere-first/centre-then-opposite"],
)
IMAGES = ["chaos-small-boards/4-by-4-chaos-begins"]
REFUTED = ["first-player-wins/as-stated"]


@pytest.mark.parametrize("name", [*TABLES, *STRATEGIES, *IMAGES, *REFUTED, "one-losing-pattern/as-stated"])
def test_every_packed_position_is_the_kernels(name: str) -> None:
    """Follow the packed moves with the rules of the kernel: turns, moves, results and boards agree in each position.

    A reader has every legal move. A position that plays reach in several ways is the same each time, apart from the
    number of moves. Plies to a win are those of the guide.
    """
    certificate, guide = shipped(name)
    statement, answered = guide.statement, list_answered(guide, certificate)
    game: Any = statement.game
    shown = find_presentation(game, DRAWINGS)
    data = pack(guide, answered)
    assert data is not None
    lists, looks = unpack(data)
    first = [0, *itertools.accumulate(lists["count"])]
    positions, choices = {0: statement.start}, 0
    for number in range(len(lists["count"])):
        position = positions[number]  # a position is listed after a position from which a move leads to it
        assert looks[number] == shown.look(position).marks
        edges = range(first[number], first[number + 1])
        moves = [data["moves"][lists["move"][edge]] for edge in edges]
        legal = [game.format_move(move) for move in game.legal_moves(position)]
        end = data["ends"][lists["end"][number]]
        if moves:
            assert not end
            assert "XO"[lists["turn"][number]] == game.turn(position)
            assert (set(moves) <= set(legal)) if game.turn(position) in answered else moves == legal
            choices += game.turn(position) not in answered
        else:
            won = game.outcome(position)
            assert end == ("draw" if won == "draw" else f"{won} wins")
        node = guide.numbers[guide.stand_in(position)]
        assert (lists["shortest"][number], lists["longest"][number]) == (guide.shortest[node], guide.longest[node])
        for edge, move in zip(edges, moves, strict=True):
            after, to = game.play(position, game.parse_move(move)), lists["to"][edge]
            known = positions.setdefault(to, after)
            assert known == after or game.without_number(known) == game.without_number(after)
    assert choices
    assert len(positions) == len(looks)
    if guide.symmetries is None:
        assert len(looks) == len(guide.nodes)
    else:
        assert len(looks) > len(guide.nodes)


def test_plies_to_the_win_and_turns_without_end() -> None:
    """In the game of hounds and hare 23 plies are needed. In the other game nobody wins, and plays return."""
    data = pack(shipped("hounds-win/as-stated-by")[1], "X")
    assert data is not None
    assert unpack(data)[0]["longest"][0] == 23
    data = pack(shipped("nobody-wins/blue-is-safe")[1], "O")
    assert data is not None
    lists, _ = unpack(data)
    assert set(lists["longest"]) == {NO_WIN}
    begins = itertools.pairwise([0, *itertools.accumulate(lists["count"])])
    assert any(to < number for number, (a, b) in enumerate(begins) for to in lists["to"][a:b])


def test_plays_that_leave_out_a_reply_are_refused() -> None:
    """If the guide lacks a legal reply of the reader's, the page does not have the plays."""
    _, guide = shipped("hounds-win/as-stated-by")
    assert pack(guide, "X") is not None
    number = next(number for number, node in enumerate(guide.nodes) if node.mover == "O" and len(node.edges) > 1)
    node = guide.nodes[number]
    spoilt = (*guide.nodes[:number], replace(node, edges=node.edges[1:]), *guide.nodes[number + 1 :])
    assert pack(replace(guide, nodes=spoilt), "X") is None


def test_long_plays_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit counts positions, each image under symmetries for itself."""
    certificate, guide = shipped("hounds-win/as-stated-by")
    assert list_positions(guide, len(guide.nodes) - 1) is None
    assert len(list_positions(guide, len(guide.nodes)) or []) == len(guide.nodes)
    _, folded = shipped(IMAGES[0])
    assert list_positions(folded, 2 * len(folded.nodes)) is None
    assert pack_first([("hounds-win/as-stated-by", certificate, 6_001)], STORE, DRAWINGS) == {}
    monkeypatch.setattr(cells, "MAX_PACKED_POSITIONS", 60)
    assert pack_first([("hounds-win/as-stated-by", certificate, 0)], STORE, DRAWINGS) == {}


@pytest.mark.slow
def test_the_page_knows_where_the_kernel_stops() -> None:
    """Where pairs or weights of lines show the rest, the kernel follows no move; the page has none either."""
    _, guide = shipped("td-4-4/as-stated")
    played = positions_of(guide)
    stopped = {each.number for each in played if not (each.edges or guide.ends[each.number])}
    assert stopped
    assert stopped == {number for number, node in enumerate(guide.nodes) if node.mover and not node.edges}


def test_plays_in_which_nobody_chooses_are_left_out() -> None:
    """In a line both players' moves are given, so there is nothing to play."""
    certificate, guide = shipped("perfect-game/as-stated")
    assert list_answered(guide, certificate) == "XO"
    assert pack_first([("perfect-game/as-stated", certificate, 0)], STORE, DRAWINGS) is None


def test_plays_that_are_too_large_are_left_out_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "MAX_TABLE_BYTES", 10)
    report = make_report([], ["hounds-win"])
    assert find_cells(report) == CellGames({}, [], ["hounds-win"], {})
    page = render_report("html", report)
    assert "The plays of this claim are too large to be played on this page." in page
    assert 'id="cells"' not in page


def test_a_move_can_be_clicked_if_it_names_the_spots_that_change() -> None:
    """This is so for steps on a drawn board, and not for piles of stones, whose moves are numbers too."""
    for name, answered, expected in (
        ("hounds-win/as-stated-by", "X", True),
        ("wild-normal/as-stated", "X", False),
        ("theorem-two-example/ten-from-the-third", "O", False),
    ):
        data = pack(shipped(name)[1], answered)
        assert data is not None
        assert data["clicks"] is expected


def test_a_claim_leads_to_its_game() -> None:
    """The page of the claim links to its game, in the report and in the site. A refuted claim is played as well."""
    report = make_report([], ["hounds-win"])
    offered = find_cells(report)
    assert offered.keys == {"hounds-win": "hounds-win/as-stated-by"}
    (game,) = json.loads(inflate(offered.data["offered"]))["games"]
    assert game["title"] == specs().claim("hounds-win").title
    assert '<a href="#cells?game=hounds-win/as-stated-by">Play this</a>' in render_report("html", report)
    files = dict(render_site(report))
    assert 'href="explorer.html#cells?game=hounds-win/as-stated-by"' in files["claim-hounds-win.html"]
    assert 'href="claim-hounds-win.html"' in files["explorer.html"]


@pytest.mark.parametrize("spoilt", [False, True])
def test_packed_plays_are_remembered(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, *, spoilt: bool) -> None:
    """The second report has the same plays without following them, unless what is remembered has another shape."""
    report = replace(make_report([], ["hounds-win"]), store=Store(PROOFS, cache=tmp_path))
    found = recall_cells(report)
    if spoilt:
        (path,) = (tmp_path / "remembered").glob("pack-*")
        path.write_text(json.dumps(json.loads(path.read_bytes()) | {"value": {"keys": 7}}))
    else:
        monkeypatch.setattr(cells, "find_cells", lambda *_: pytest.fail("they are followed again"))
    assert recall_cells(report) == found


def test_plays_are_not_remembered_if_a_certificate_is_gone(tmp_path: pathlib.Path) -> None:
    """Otherwise a report would lack the game after the evidence has come back."""
    report = replace(make_report([], ["hounds-win"]), store=Store(tmp_path / "empty", cache=tmp_path))
    assert recall_cells(report) == CellGames({}, [], [], {}, is_whole=False)
    assert not list(tmp_path.glob("remembered/*"))


def test_only_games_without_a_table_are_played_by_positions() -> None:
    """Games with a table of places are played by the other script of the explorer."""
    offered = find_cells(make_report([], ["sim-second-player", "wild-normal"]))
    assert [*offered.keys] == ["wild-normal"]
    (rules,) = {parse_rules(shipped(key)[0].statement["rules"]).family for key in offered.keys.values()}
    assert rules == "general"
