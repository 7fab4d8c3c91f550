"""Folders of evidence: what is asked for, what is shared, and that one certificate's fault is its own."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import pytest

from tests.kernel.test_attacks import KEPT, play, plays
from tests.kernel.test_corpus import CORPUS, lay_out, read, write, write_index
from tests.rules import rules_data
from verifier.kernel import recheck as module
from verifier.kernel.certificate import hash_bytes, hash_value, pack
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.recheck import Memo, Request, decide, plan, recheck
from verifier.kernel.store import Index, evidence_path, files_of, read_index

INDEX = Index(
    {"a/one": "0" * 64, "a/two": "1" * 64, "b/one": "0" * 64, "c/one": "2" * 64},
    frozenset({"a/two"}),
    {"e/one": ("f/one", "c/one"), "f/one": ("a/two", "e/one")},
)


def test_a_statement_is_decided_once() -> None:
    """What several names share is one request; all is asked for but what quick names alone ask for."""
    requests = plan(INDEX)
    assert requests == [
        Request("0" * 64, ("a/one", "b/one"), full=True),
        Request("1" * 64, ("a/two",), full=False),
        Request("2" * 64, ("c/one",), full=True),
    ]
    assert all(request.full for request in plan(INDEX, full=True))


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("a", "01"), ("a/two", "1"), ("b", "0"), ("b/one", "0"), ("2" * 64, "2"), ("e", "12"), ("f/one", "12")],
)
def test_names_ask_for_all_of_it(wanted: str, found: str) -> None:
    """A claim, a name or a hash selects statements, with those that it joins, and asks for all of each."""
    requests = plan(INDEX, frozenset({wanted}))
    assert [request.statement[0] for request in requests] == list(found)
    assert all(request.full for request in requests)


@pytest.mark.parametrize("wanted", ["d", "one", "2", "a/three", "e/two"])
def test_a_name_of_nothing_is_refused(wanted: str) -> None:
    """Beside names of something, too: what was asked for is not left out in silence."""
    with pytest.raises(UsageError, match=f"nothing is filed under '{wanted}'"):
        plan(INDEX, frozenset({"a", wanted}))


def fill(root: pathlib.Path, *names: str) -> list[str]:
    """Write cases of the corpus into one folder, and return the hashes of their statements."""
    filed: dict[str, str] = {}
    for name in names:
        lay_out(root, read(next(CORPUS.glob(f"*/{name}.json"))))
        filed[name] = json.loads((root / "INDEX.json").read_text())["filed"]["claim/as-stated"]
    write_index(root, filed)
    return list(filed.values())


def outcomes(root: pathlib.Path, jobs: int) -> list[str]:
    return [
        answer.outcome.reason if isinstance(answer.outcome, CertificateError) else str(answer.outcome.verdict)
        for answer in recheck(root, plan(read_index(root)), jobs)
    ]


NAMES = ("tictactoe-reach", "tictactoe-no-such-play", "strategy-of-no-move", "tictactoe-some", "steps-start")


@pytest.mark.parametrize("jobs", [1, 2])
def test_one_fault_ends_nothing_else(jobs: int, tmp_path: pathlib.Path) -> None:
    """Certificates before and after a bad one are decided, in one process and in two."""
    missing = fill(tmp_path, *NAMES)[3]
    (tmp_path / evidence_path(missing)).unlink()
    assert outcomes(tmp_path, jobs) == ["proved", "refuted", "malformed", "unreadable", "proved"]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (IndexError("tuple index out of range"), "defect"),
        (KeyError("x"), "defect"),
        (RecursionError(), "malformed"),
        (MemoryError(), "too-large"),
    ],
)
def test_a_fault_of_the_kernel_is_one_refusal(
    error: Exception, reason: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever goes wrong while one certificate is decided is said of this one, and the next is decided."""
    fill(tmp_path, "tictactoe-reach", "steps-start")

    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(module, "_decide_plays", fail)
    assert outcomes(tmp_path, 1) == [reason, "proved"]


def _die(root: pathlib.Path, request: Request, memo: Memo | None) -> module.Answer:
    if request.names == ("tictactoe-some",):
        os._exit(1)
    return _ANSWER(root, request, memo)


_ANSWER = module.answer


@pytest.mark.slow
def test_a_dead_process_ends_one_certificate(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a process dies, the certificates that it took with it are decided by others, and one is rejected."""
    fill(tmp_path, *NAMES)
    monkeypatch.setattr(module, "answer", _die)
    assert outcomes(tmp_path, 2) == ["proved", "refuted", "malformed", "died", "proved"]


def test_what_was_walked_is_walked_once(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements about the same plays share the walk; another table, or other plays, do not."""
    case = read(CORPUS / "valid" / "tictactoe-reach.json")
    lay_out(tmp_path, case)
    statement = case["certificate"]["statement"]
    memo = Memo()
    (answer,) = (module.answer(tmp_path, request, memo) for request in plan(read_index(tmp_path)))
    assert not isinstance(answer.outcome, CertificateError)
    assert len(memo.walks) == 1
    monkeypatch.setattr(module, "walk", lambda *_: pytest.fail("it was walked again"))
    digest = next((tmp_path / "tables").iterdir())
    evidence = {"table": hash_bytes(digest.read_bytes())}
    other = {**statement, "objectives": [{"name": "not lost", "type": "prevent", "goal": ["O_wins"], "through": 9}]}
    found = decide(other, "proved", evidence, files_of(tmp_path), full=True, memo=memo)
    assert str(found.verdict) == "proved"
    false = {**statement, "objectives": [{"name": "lost", "type": "prevent", "goal": ["X_wins"], "through": 9}]}
    with pytest.raises(CertificateError, match="not-prevent"):
        decide(false, "proved", evidence, files_of(tmp_path), full=True, memo=memo)


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
            outcomes.append(str(decide(statement, "proved", {}, files_of(CORPUS), full=True, memo=known).verdict))
        except CertificateError as error:
            outcomes.append(error.reason)
    assert outcomes == [found, "proved", found]


def test_long_walks_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stays bounded: a walk of many positions is not kept, and of the short ones the last few."""
    statement = read(CORPUS / "valid" / "tictactoe-no-such-play.json")["certificate"]["statement"]
    name = statement["objectives"][0]["name"]
    memo = Memo({"a": ([], 0), "b": ([], 0), "c": ([], 0)})
    decide(statement, "refuted", {"objective": name}, files_of(CORPUS), full=True, memo=memo)
    assert list(memo.walks)[:2] == ["b", "c"]
    assert len(memo.walks) == 3
    monkeypatch.setattr(module, "MAX_KEPT", 3)
    memo.clear()
    decide(statement, "refuted", {"objective": name}, files_of(CORPUS), full=True, memo=memo)
    assert memo == Memo()


@pytest.mark.parametrize("verdict", ["unknown", "supported", "Proved", "", None, ["proved"]])
def test_evidence_shows_proved_or_refuted(verdict: Any) -> None:
    """No other verdict has evidence."""
    with pytest.raises(CertificateError, match="malformed"):
        decide({"kind": "play"}, verdict, {}, files_of(CORPUS), full=True)


def test_a_statement_that_is_filed_as_a_claim_is_told_in_words(tmp_path: pathlib.Path) -> None:
    """Names are of the index: whatever stands under a claim's name, its own words and hash are printed."""
    statement = {
        "kind": "steps",
        "rules": rules_data("tictactoe"),
        "parts": [
            {
                "part": "\x1b[2Kproved",
                "step": "start",
                "claimant": "X",
                "turn": None,
                "hypotheses": [],
                "conclusions": [["nonsense", True]],
                "unless": False,
                "plays": None,
                "strategy": None,
            }
        ],
    }
    evidence = {"models": [{"part": 0, "position": ".........", "moves": []}]}
    digest = hash_value(statement)
    certificate = {"format": "verifier-certificate", "version": 2, "statement": statement}
    write(tmp_path, evidence_path(digest), pack({**certificate, "verdict": "proved", "evidence": evidence}))
    write_index(tmp_path, {"lemma-3/as-stated": digest})
    (answer,) = recheck(tmp_path, plan(read_index(tmp_path)))
    assert not isinstance(answer.outcome, CertificateError)
    assert answer.words.startswith("1 part about single steps, the first '\\x1b[2Kproved' by 'start', under the rules ")
    assert answer.words.endswith("'positional', 3 by 3, 8 lines")
    assert answer.request.statement == digest


def test_another_verdict_is_refused_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything of the statement is looked at."""
    monkeypatch.setattr(module, "_decide_plays", lambda *_: pytest.fail("it was decided"))
    with pytest.raises(CertificateError, match="evidence shows proved or refuted, not 'supported'"):
        decide({"kind": "play"}, "supported", {}, files_of(CORPUS), full=True)


@pytest.mark.parametrize("lines", [[], None, "4"])
def test_lines_are_given_by_name(lines: Any) -> None:
    """Lines that are no object are malformed, and no defect."""
    certificate = read(CORPUS / "valid" / "tictactoe-some.json")["certificate"]
    with pytest.raises(CertificateError, match="lines are given by the name of an objective"):
        decide(certificate["statement"], "proved", {"lines": lines}, files_of(CORPUS), full=True)


def test_a_walk_that_just_fits_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many positions as may be kept are kept, and of one more none is."""
    statement = read(CORPUS / "valid" / "tictactoe-no-such-play.json")["certificate"]["statement"]
    evidence, memo = {"objective": statement["objectives"][0]["name"]}, Memo()
    decide(statement, "refuted", evidence, files_of(CORPUS), full=True, memo=memo)
    ((walk, _),) = memo.walks.values()
    for most, kept in ((len(walk), 1), (len(walk) - 1, 0)):
        monkeypatch.setattr(module, "MAX_KEPT", most)
        memo = Memo()
        decide(statement, "refuted", evidence, files_of(CORPUS), full=True, memo=memo)
        assert len(memo.walks) == kept


def test_tables_are_followed_side_by_side(tmp_path: pathlib.Path) -> None:
    """A bound and what rests on no table are decided in two processes as in one."""
    fill(tmp_path, "steps-start", "bound-proved")
    assert outcomes(tmp_path, 2) == ["proved", "proved"]
