from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from tests.golden import require_golden
from tests.lines import line_to_win, strategy_graph
from verifier.api.certificate import Certificate
from verifier.cli import main

LOADED: dict[str, Any] = {}


def load_once(certificate: Certificate) -> Any:
    """Load the plays of a claim once: the kernel takes some seconds to check them each time."""
    if certificate.name not in LOADED:
        LOADED[certificate.name] = LOAD(certificate)
    return LOADED[certificate.name]


LOAD = Certificate.strategy


def play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, claim: str, typed: str
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    monkeypatch.setattr(Certificate, "strategy", load_once)
    code = main(["play", claim])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("plies", [43, 29])
def test_a_whole_game(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, plies: int) -> None:
    """A play typed to its end is answered move by move as the certificate says, and its end is told."""
    line = line_to_win(strategy_graph(), plies)
    code, out, _ = play(capsys, monkeypatch, "lemma-3", " ".join(line[1::2]))
    assert code == 0
    answers = [text.split()[2].rstrip(":") for text in out.splitlines() if text.startswith("X plays ")]
    assert answers == line[::2]
    assert out.rstrip().endswith(f"ply {plies}: X wins")


def test_a_game_on_the_screen(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each certified move has the rule of the strategy in words; every word that can be typed is answered."""
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = play(capsys, monkeypatch, "lemma-3/as-stated", "help why hint 4.0 why moves rules undo hint q 4.1")
    require_golden("screens/play-80.txt", out)


@pytest.mark.parametrize("claim", ["classic-second-player", "notakto-first-player"])
def test_what_a_table_answers_has_no_rule(
    claim: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the first answer, too; and a hint says so where no win is certain."""
    _, out, _ = play(capsys, monkeypatch, claim, "why hint 0 why q")
    assert "no rule: the move is from a table" in out


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("4.4", "4.4: the spot is taken; 'moves' lists what may be played"),
        ("0.0", "0.0: the active field is 4;"),
        ("44", "'44' is not a move"),
        ("undo", "nothing to take back"),
    ],
)
def test_what_is_typed_is_answered(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str, answer: str
) -> None:
    """What cannot be played is refused with the kernel's reason, and the words do what they say."""
    code, out, _ = play(capsys, monkeypatch, "lemma-3", typed)
    assert code == 0
    assert answer in out


def test_either_player_can_be_the_certified_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Olivia's side is certified, you begin as Xavier and she answers."""
    _, out, _ = play(capsys, monkeypatch, "classic-second-player", "0 8")
    assert out.startswith("classic-second-player/as-stated: ")
    assert "You are X." in out
    assert out.count("O plays") == 2


def test_what_refutes_a_claim_can_be_played_against(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That the second player wins at Notakto is refuted by the first one's moves; a control is played by its name."""
    _, out, _ = play(capsys, monkeypatch, "notakto-first-player/second-player", "0")
    assert "You are O." in out
    assert out.count("X plays") == 2
    _, out, _ = play(capsys, monkeypatch, "notakto-first-player", "0")
    assert out.startswith("notakto-first-player/as-stated: ")


@pytest.mark.parametrize("claim", ["no-such-claim", "theorem-1", "lemma-3/none"])
def test_what_cannot_be_played_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, claim: str
) -> None:
    """A claim without a table of plays is bad usage: one message, exit code 2."""
    code, _, err = play(capsys, monkeypatch, claim, "")
    assert code == 2
    assert claim.partition("/")[0] in err
    assert err.count("\n") == 1
