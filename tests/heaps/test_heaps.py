"""A family that is not shipped, in two files and a line in each registry: decided, drawn, described and shown."""

import pathlib
import shutil

import pytest

import verifier
from tests.audit.made import MADE
from tests.heaps.game import Heaps, find_numbers, parse_heaps
from tests.heaps.shown import HeapsPresentation
from verifier.kernel.games.registry import FAMILIES
from verifier.language.rules.numbers import NUMBERS
from verifier.presentation.registry import PRESENTATIONS
from verifier.presentation.svg import draw_svg

NAME = "first-player-wins"


@pytest.fixture(name="folder")
def heaps_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> pathlib.Path:
    """Register the family, as three lines would, and write rules and a claim."""
    monkeypatch.setitem(FAMILIES, "heaps", parse_heaps)
    monkeypatch.setitem(NUMBERS, "heaps", find_numbers)
    monkeypatch.setitem(PRESENTATIONS, "heaps", HeapsPresentation)
    return shutil.copytree(MADE / "heaps", tmp_path / "specs")


def test_a_claim_is_decided_reported_and_played(folder: pathlib.Path) -> None:
    """It is proved and its control refuted. Every format reports it, and its plays are a graph that can be followed."""
    specs = verifier.load(folder, cache=folder / "kept")
    ledger = specs.check()
    found = {reading.id: str(reading.verdict) for reading in ledger.readings}
    assert found == {"as-stated": "proved", "other-player": "refuted", "a-line": "proved", "by-a-strategy": "proved"}
    for form in ("text", "json", "junit"):
        assert NAME in specs.render(ledger, form)
    page = specs.render(ledger)
    assert "The player who takes the last stone has won." in page
    assert 'data-cell="2.3"' in page
    certificate = specs.certificate(f"{NAME}/as-stated")
    graph = certificate.graph()
    assert "heaps [1,2,4]" in graph.graph["rules"]
    assert {data["position"] for _, data in graph.nodes(data=True)} >= {"1.2.4 0", "1.2.3 1"}
    play = certificate.strategy()
    assert [*play.moves] == ["2.3"]
    assert str(play.after("2.3")) == "0: S\n1: S  S\n2: S  S  S [.]"


def test_a_position_is_drawn_for_a_file() -> None:
    """Each stone has its shape at its place on the board, and taken stones are not drawn."""
    game = Heaps((1, 2, 4))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRESENTATIONS, "heaps", HeapsPresentation)
        drawn = draw_svg(game, game.play(game.start, (2, 1)), (2, 1), standalone=True)
    assert drawn.count('<circle cx="15"') == 1 + 2 + 1
    assert 'class="cell last" data-cell="2.1"' in drawn
    assert "<title>1 moves, O to move</title>" in drawn


def test_steps_need_a_symbolic_form(folder: pathlib.Path) -> None:
    """The family does not have one, and the reading is refused at its place in the file."""
    claim = folder / "claim.yaml"
    step = "  a-step: {expect: proved, step: move, steps: {one: {conclude: ['ply >= 1']}}}\n"
    claim.write_text(claim.read_text().replace("readings:\n", f"readings:\n{step}"))
    (fault,) = verifier.load(folder, cache=False).check(NAME, reading="a-step").faults
    assert "only the step 'start' can be decided" in fault.message
    assert fault.line == claim.read_text().splitlines().index(step.rstrip()) + 1
