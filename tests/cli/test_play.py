from __future__ import annotations

import io
import sys
from typing import Any

import pytest

import verifier
from tests.lines import line_to_win
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
    line = line_to_win(load_once(verifier.load().certificate("lemma-3")).graph, plies)
    code, out, _ = play(capsys, monkeypatch, "lemma-3", " ".join(line[1::2]))
    assert code == 0
    answers = [text.split()[2] for text in out.splitlines() if text.startswith("X plays ")]
    assert answers == line[::2]
    assert out.rstrip().endswith(f"ply {plies}: X wins")


def test_rules_are_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each certified move is printed with the rule of the strategy that it follows, and how long it still takes."""
    _, out, _ = play(capsys, monkeypatch, "lemma-3/as-stated", "4.0")
    assert "X plays 4.4 by opening.first\n" in out
    assert "X plays 0.4 by opening.centre\n" in out
    assert "X wins in 28 to 42 plies from here, at ply 43 at the latest" in out


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("4.4", "4.4: the spot is taken; 'moves' lists what may be played"),
        ("0.0", "0.0: the active field is 4;"),
        ("44", "'44' is not a move"),
        ("undo", "nothing to take back"),
        ("moves", "4.0 4.1 4.2 4.3 4.5 4.6 4.7 4.8"),
        ("help", "take back your last move"),
    ],
)
def test_what_is_typed_is_answered(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str, answer: str
) -> None:
    """What cannot be played is refused with the kernel's reason, and the words do what they say."""
    code, out, _ = play(capsys, monkeypatch, "lemma-3", typed)
    assert code == 0
    assert answer in out


def test_undo_takes_back_both_moves(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """After ``undo`` it is your turn again in the position before your last move; after ``quit`` nothing is read."""
    _, out, _ = play(capsys, monkeypatch, "lemma-3", "4.0 undo moves quit 4.1")
    assert "4.0 4.1 4.2 4.3 4.5 4.6 4.7 4.8" in out.splitlines()
    assert "you play 4.1" not in out


def test_either_player_can_be_the_certified_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Olivia's side is certified, you begin as Xavier and she answers."""
    _, out, _ = play(capsys, monkeypatch, "classic-second-player", "0 8")
    assert out.startswith("You are X, against classic-second-player/as-stated.")
    assert out.count("O plays") == 2


def test_what_refutes_a_claim_can_be_played_against(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That the second player wins at Notakto is refuted by the first one's moves; a control is played by its name."""
    _, out, _ = play(capsys, monkeypatch, "notakto-first-player/second-player", "0")
    assert out.startswith("You are O, against notakto-first-player/second-player.")
    assert out.count("X plays") == 2
    _, out, _ = play(capsys, monkeypatch, "notakto-first-player", "0")
    assert out.startswith("You are O, against notakto-first-player/as-stated.")


@pytest.mark.parametrize("claim", ["no-such-claim", "theorem-1", "lemma-3/none"])
def test_what_cannot_be_played_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, claim: str
) -> None:
    """A claim without a table of plays is bad usage: one message, exit code 2."""
    code, _, err = play(capsys, monkeypatch, claim, "")
    assert code == 2
    assert claim.partition("/")[0] in err
    assert err.count("\n") == 1
