"""The way from a statement and its evidence to a verdict: what is refused before anything is looked at, and walks."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from tests.kernel.test_attacks import outcome
from tests.kernel.test_corpus import CORPUS, lay_out, read
from tests.statements import KEPT, play, plays
from verifier.kernel import decide as module
from verifier.kernel.certificate import hash_bytes
from verifier.kernel.decide import Memo, decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.store import files_of


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (IndexError("tuple index out of range"), "defect"),
        (KeyError("x"), "defect"),
        (RecursionError(), "malformed"),
        (MemoryError(), "too-large"),
    ],
)
def test_a_fault_of_the_kernel_is_a_refusal(error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong while something is decided ends in one exception, which says why."""

    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(module, "_decide_plays", fail)
    with pytest.raises(CertificateError) as caught:
        decide({"kind": "play"}, "proved", {}, files_of(CORPUS))
    assert caught.value.reason == reason


def test_what_was_walked_is_walked_once(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements about the same plays share the walk; another table, or other plays, do not."""
    case = read(CORPUS / "valid" / "tictactoe-reach.json")
    lay_out(tmp_path, case)
    statement = case["certificate"]["statement"]
    memo, table = Memo(), next((tmp_path / "tables").iterdir())
    evidence = {"table": hash_bytes(table.read_bytes())}
    decide(statement, "proved", evidence, files_of(tmp_path), memo=memo)
    assert len(memo.walks) == 1
    monkeypatch.setattr(module, "walk", lambda *_: pytest.fail("it was walked again"))
    other = {**statement, "objectives": [{"name": "not lost", "type": "prevent", "goal": ["O_wins"], "through": 9}]}
    found = decide(other, "proved", evidence, files_of(tmp_path), memo=memo)
    assert str(found.verdict) == "proved"
    false = {**statement, "objectives": [{"name": "lost", "type": "prevent", "goal": ["X_wins"], "through": 9}]}
    with pytest.raises(CertificateError, match="not-prevent"):
        decide(false, "proved", evidence, files_of(tmp_path), memo=memo)


@pytest.mark.parametrize(("budget", "found"), [(6000, "limit"), (6500, "proved")])
def test_what_others_have_walked_is_paid_for(budget: int, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement is decided alike alone and after another one about the same plays: the work of strategies counts."""
    large = ["or", *[["not", True]] * 300, True]
    changes = {"strategies": {"X": plays([4], when=large)}, "horizon": 2}
    first, second = (play("tictactoe", ".........", {**KEPT, "holds": holds}, **changes) for holds in (True, large))
    monkeypatch.setattr("verifier.kernel.plays.MAX_WORK", budget)
    memo, outcomes = Memo(), []
    for statement, known in ((second, Memo()), (first, memo), (second, memo)):
        try:
            outcomes.append(str(decide(statement, "proved", {}, files_of(CORPUS), memo=known).verdict))
        except CertificateError as error:
            outcomes.append(error.reason)
    assert outcomes == [found, "proved", found]


def test_long_walks_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stays bounded: a walk of many positions is not kept, and of the short ones the last few."""
    statement = read(CORPUS / "valid" / "tictactoe-no-such-play.json")["certificate"]["statement"]
    name = statement["objectives"][0]["name"]
    memo = Memo({"a": ([], 0), "b": ([], 0), "c": ([], 0)})
    decide(statement, "refuted", {"objective": name}, files_of(CORPUS), memo=memo)
    assert list(memo.walks)[:2] == ["b", "c"]
    assert len(memo.walks) == 3
    monkeypatch.setattr(module, "MAX_KEPT", 3)
    memo = Memo()
    decide(statement, "refuted", {"objective": name}, files_of(CORPUS), memo=memo)
    assert (memo.walks, memo.last) == ({}, [])


@pytest.mark.parametrize("verdict", ["unknown", "supported", "Proved", "", None, ["proved"]])
def test_evidence_shows_proved_or_refuted(verdict: Any) -> None:
    """No other verdict has evidence."""
    with pytest.raises(CertificateError, match="malformed"):
        decide({"kind": "play"}, verdict, {}, files_of(CORPUS))


def test_another_verdict_is_refused_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything of the statement is looked at."""
    monkeypatch.setattr(module, "_decide_plays", lambda *_: pytest.fail("it was decided"))
    with pytest.raises(CertificateError, match="evidence shows proved or refuted, not 'supported'"):
        decide({"kind": "play"}, "supported", {}, files_of(CORPUS))


@pytest.mark.parametrize(
    ("verdict", "evidence", "changes"),
    [
        ("proved", {"table": None}, {"type": "prevent", "goal": False, "through": 9}),
        ("refuted", {"objective": "said", "table": None}, {"type": "reach", "goal": False, "by": 9}),
        ("refuted", {"objective": "said", "line": None}, {"type": "some", "at": ["every"], "holds": False}),
    ],
)
def test_what_is_left_out_is_not_null(verdict: str, evidence: dict[str, Any], changes: dict[str, Any]) -> None:
    """Where all plays show what is claimed, null takes no table's place: the formats know a hash, and moves, alone."""
    statement = play("tictactoe", "XOX.O....", {"name": "said", **changes})
    assert outcome(statement, verdict, evidence) == "malformed"


@pytest.mark.parametrize("lines", [[], None, "4"])
def test_lines_are_given_by_name(lines: Any) -> None:
    """Lines that are no object are malformed, and no defect."""
    certificate = read(CORPUS / "valid" / "tictactoe-some.json")["certificate"]
    with pytest.raises(CertificateError, match=r"'lines': .* is not an object"):
        decide(certificate["statement"], "proved", {"lines": lines}, files_of(CORPUS))


def test_a_walk_that_just_fits_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many positions as may be kept are kept, and of one more none is."""
    statement = read(CORPUS / "valid" / "tictactoe-no-such-play.json")["certificate"]["statement"]
    evidence, memo = {"objective": statement["objectives"][0]["name"]}, Memo()
    decide(statement, "refuted", evidence, files_of(CORPUS), memo=memo)
    ((walk, _),) = memo.walks.values()
    for most, kept in ((len(walk), 1), (len(walk) - 1, 0)):
        monkeypatch.setattr(module, "MAX_KEPT", most)
        memo = Memo()
        decide(statement, "refuted", evidence, files_of(CORPUS), memo=memo)
        assert len(memo.walks) == kept
