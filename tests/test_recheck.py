"""Folders of evidence: names, shared work, and faults that stay within one certificate."""

import os
import pathlib
from typing import Any

import pytest

from tests.commands import command
from tests.kernel.asking import decide_plays_by
from tests.kernel.test_corpus import CORPUS, fill, lay_out, read, spin, write, write_index
from tests.statements import part, play, steps_of
from verifier import recheck as module
from verifier.counting import make_counter
from verifier.kernel.certificate import Index, evidence_path, hash_value, read_index
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.recheck import Answer, Entry, lines_of
from verifier.kernel.verdict import Result
from verifier.packing import pack
from verifier.recheck import decide_all, plan
from verifier.replies import tables_of

INDEX = Index(
    {"a/one": "0" * 64, "a/two": "1" * 64, "b/one": "0" * 64, "c/one": "2" * 64},
    {"e/one": ("f/one", "c/one"), "f/one": ("a/two", "e/one")},
)


def test_a_statement_is_decided_once() -> None:
    entries = plan(INDEX)
    assert entries == [
        Entry("0" * 64, ("a/one", "b/one")),
        Entry("1" * 64, ("a/two",)),
        Entry("2" * 64, ("c/one",)),
    ]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("a", "01"), ("a/two", "1"), ("b", "0"), ("b/one", "0"), ("2" * 64, "2"), ("e", "12"), ("f/one", "12")],
)
def test_the_name_of_a_claim_selects_all_its_readings(wanted: str, found: str) -> None:
    entries = plan(INDEX, frozenset({wanted}))
    assert [entry.key[0] for entry in entries] == list(found)


@pytest.mark.parametrize("wanted", ["d", "one", "2", "a/three", "e/two"])
def test_an_unknown_name_is_refused_even_beside_known_names(wanted: str) -> None:
    """A name that the user typed is not silently ignored."""
    with pytest.raises(UsageError, match=f"lists no claim, reading or hash '{wanted}'"):
        plan(INDEX, frozenset({"a", wanted}))


def test_a_hash_selects_a_statement() -> None:
    """An index cannot use the hash as the name of another statement, of a claim, or of readings that join others."""
    names = {"3" * 64: "0" * 64, f"{'4' * 64}/one": "0" * 64, "1" * 64: "0" * 64, "a/two": "1" * 64}
    index = Index(names, joins={"5" * 64: ("a/two",), "j/one": ("0" * 64,), "k/one": ("a/two", "a")})
    for digit in "345":
        with pytest.raises(UsageError, match="lists no claim, reading or hash '" + digit * 64):
            plan(index, frozenset({digit * 64}))
    assert [entry.key for entry in plan(index, frozenset({"1" * 64}))] == ["1" * 64]
    with pytest.raises(UsageError, match="lists no claim, reading or hash '" + "0" * 64):
        plan(index, frozenset({"j"}))
    with pytest.raises(UsageError, match="lists no claim, reading or hash 'a'"):
        plan(index, frozenset({"k"}))


def file_certificate(root: pathlib.Path, name: str, statement: Any, verdict: str, evidence: Any) -> str:
    """Store evidence under a name alone. Return the hash of its statement."""
    digest = hash_value(statement)
    certificate = {"format": "verifier-certificate", "version": 2, "statement": statement}
    write(root, evidence_path(digest), pack({**certificate, "verdict": verdict, "evidence": evidence}))
    write_index(root, {name: digest})
    return digest


def outcomes(root: pathlib.Path, jobs: int) -> list[str]:
    return [
        answer.outcome.reason if isinstance(answer.outcome, CertificateError) else str(answer.outcome.verdict)
        for answer in decide_all(root, plan(read_index(root)), jobs)
    ]


NAMES = ("tictactoe-reach", "tictactoe-no-such-play", "strategy-of-no-move", "tictactoe-some", "steps-start")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bad_certificate_does_not_stop_the_others(jobs: int, tmp_path: pathlib.Path) -> None:
    missing = fill(tmp_path, *NAMES)[3]
    (tmp_path / evidence_path(missing)).unlink()
    assert outcomes(tmp_path, jobs) == ["proved", "refuted", "malformed", "unreadable", "proved"]


def test_an_answer_of_a_solver_is_not_decided(tmp_path: pathlib.Path) -> None:
    """If the kernel has no refutation to follow, it has not decided the step, whatever verdict is asked for."""
    case = read(CORPUS / "valid" / "steps-refuted.json")
    steps = case["table"]["refutations"]
    for found, code, left in ((steps, 0, 0), ([steps[0], None], 1, 1)):
        case["table"]["refutations"] = found
        lay_out(tmp_path, case)
        told = command("recheck", "--proofs", tmp_path)
        assert (told.code, f", {left} not decided" in told.out) == (code, True)


def _die(root: pathlib.Path, statement: str, **rest: Any) -> Answer:
    if statement == read_index(root).filed["tictactoe-some"]:
        os._exit(1)
    return _ANSWER(root, statement, **rest)


_ANSWER = module._answer_there


@pytest.mark.slow
def test_a_dead_process_loses_one_certificate(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes decide the other certificates that it had. One certificate is rejected."""
    fill(tmp_path, *NAMES)
    monkeypatch.setattr(module, "_answer_there", _die)
    assert outcomes(tmp_path, 2) == ["proved", "refuted", "malformed", "died", "proved"]


def test_a_statement_has_its_own_words_under_any_name(tmp_path: pathlib.Path) -> None:
    """The index may give it the name of any claim. Its own words and hash are printed."""
    statement = steps_of("tictactoe", part("start", part="\x1b[2Kproved", conclusions=[["nonsense", True]]))
    evidence = {"models": [{"part": 0, "position": ".........", "moves": []}]}
    digest = file_certificate(tmp_path, "lemma-3/as-stated", statement, "proved", evidence)
    (answer,) = decide_all(tmp_path, plan(read_index(tmp_path)))
    assert not isinstance(answer.outcome, CertificateError)
    assert answer.description.words == "certain conclusions hold at the start"
    assert '"part":"\\u001b[2Kproved"' in answer.description.data
    assert answer.key == digest


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("tictactoe-refuted-reach", "'wins' fails: not reached by ply 7"),
        ("tictactoe-refuted-by-the-opponent", "'not beaten' fails: X breaks it by ply 9, whatever is played"),
        ("tictactoe-no-such-play", "no play shows 'ends with O'"),
        ("steps-counterexample", "'stays free': 'free[8]' fails"),
    ],
)
def test_a_refuted_certificate_says_which_part_fails(case: str, why: str, tmp_path: pathlib.Path) -> None:
    """One of several objectives or parts is enough, and the word *refuted* alone does not say which."""
    fill(tmp_path, case)
    (answer,) = decide_all(tmp_path, plan(read_index(tmp_path)))
    entry = Entry(answer.key, ("claim/as-stated",))
    assert next(lines_of(entry, answer)) == f"refuted  {answer.key[:32]}  ({why})"
    assert answer.detail == why


@pytest.mark.parametrize(
    ("goal", "name", "why"),
    [
        (["over"], "no harm", "the strategy of O has no move after ply 1"),
        (["free", 0], "long " * 100, f"'{'long ' * 40}"[:200] + "…"),
        (["free", 0], "blank    \u3164\u2800", r"'blank \x20\x20\x20\u3164\u2800' fails at ply 0"),
    ],
)
def test_a_missing_move_and_a_missed_goal_read_differently(
    goal: list[object], name: str, why: str, tmp_path: pathlib.Path
) -> None:
    """If O's rules have no move, it must not read as if X could do what O should prevent."""
    prevents = {"name": name, "type": "prevent", "goal": goal, "through": 9}
    idle = {"O": {"player": "O", "phases": []}}
    statement = play("tictactoe", ".........", prevents, claimant="O", strategies=idle)
    evidence = {"objective": name, "line": ["4"] if goal == ["over"] else []}
    digest = file_certificate(tmp_path, "claim/as-stated", statement, "refuted", evidence)
    (answer,) = decide_all(tmp_path, plan(read_index(tmp_path)))
    assert next(lines_of(Entry(digest, ("claim",)), answer)) == f"refuted  {digest[:32]}  ({why})"


@pytest.mark.parametrize("kept", [0, 100])
def test_tables_are_followed_at_the_same_time(
    kept: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.replies.MAX_KEPT_TABLES", kept)
    fill(tmp_path, "steps-start", "bound-proved")
    assert outcomes(tmp_path, 2) == ["proved", "proved"]


@pytest.mark.parametrize("kept", [0, 1])
def test_a_table_is_followed_ahead_once(kept: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is a rejected table, however many statements rest on it. Only as many tables are followed as are kept."""
    followed: list[str] = []
    monkeypatch.setattr("verifier.replies.MAX_KEPT_TABLES", kept)
    monkeypatch.setattr("verifier.replies._follow", lambda name, _: followed.append(name))
    fill(tmp_path, "bound-proved")
    answers = list(decide_all(tmp_path, plan(read_index(tmp_path)) * 2))
    assert [answer.verdict for answer in answers] == ["proved", "proved"]
    assert len(followed) == kept


def test_an_internal_error_in_a_table_is_one_refusal(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the table is followed ahead, only the statement that rests on it is refused."""
    monkeypatch.setattr("verifier.kernel.race.bound.parse_lemma", lambda *_: int("no number"))
    fill(tmp_path, "bound-proved", "steps-start")
    assert outcomes(tmp_path, 1) == ["defect", "proved"]


def test_recheck_has_no_time_limit_unless_one_is_given(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit everything is decided. With a limit, a slow certificate is not decided, and not rejected."""
    fill(tmp_path, "tictactoe-reach")
    decide_plays_by(monkeypatch, spin)
    entries = plan(read_index(tmp_path))
    for seconds, found, verdict in ((None, "defect", "rejected"), (0.05, "time", "not decided")):
        (answer,) = decide_all(tmp_path, entries, seconds=seconds)
        assert isinstance(answer.outcome, CertificateError)
        assert (answer.outcome.reason, answer.verdict, answer.is_decided) == (found, verdict, False)


def test_a_refusal_keeps_no_data_of_the_certificate(tmp_path: pathlib.Path) -> None:
    """Otherwise the kernel's data of each refused certificate would stay in memory as long as its answer."""
    file_certificate(tmp_path, "a/one", {"kind": "play", "rules": {}}, "proved", {})
    (answer,) = decide_all(tmp_path, plan(read_index(tmp_path)))
    assert isinstance(answer.outcome, CertificateError)
    assert (answer.outcome.__traceback__, answer.outcome.__context__, answer.outcome.__cause__) == (None, None, None)


@pytest.mark.parametrize("long", ["player", "objective"])
def test_an_answer_keeps_little_of_what_a_file_says(long: str, tmp_path: pathlib.Path) -> None:
    """A name of many letters is short when compressed. Neither the words nor the reason repeat it."""
    case = read(CORPUS / "valid" / "tictactoe-refuted-keep.json")
    statement, evidence = case["certificate"]["statement"], case["certificate"]["evidence"]
    if long == "player":
        statement["strategies"] = {"X" * 10**5: {}}
    else:
        statement["objectives"][0]["name"] = evidence["objective"] = "X" * 10**5
    lay_out(tmp_path, case)
    (answer,) = decide_all(tmp_path, plan(read_index(tmp_path)))
    assert answer.is_decided == (long == "objective")
    assert len(str(answer.description)) + len(str(answer.outcome)) < 5000


def test_an_index_that_takes_too_much_memory_is_not_decided(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spend(_: pathlib.Path) -> Index:
        raise MemoryError

    monkeypatch.setattr("verifier.cli.recheck.read_index", spend)
    told = command("recheck", "--proofs", tmp_path)
    assert (told.code, "not decided: too-large: needs more memory" in told.err) == (1, True)


def test_the_tables_of_a_bound_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as a bound may have; none for other statements, or for evidence of another shape."""
    monkeypatch.setattr("verifier.replies.MAX_TABLES", 2)
    name = "0" * 64
    assert tables_of({"kind": "bound"}, {"tables": [name, name]}) == [name, name]
    assert tables_of({"kind": "play"}, {"tables": [name]}) == []
    for tables in ([name] * 3, ["x"], name, None):
        assert tables_of({"kind": "bound"}, {"tables": tables}) == []


def test_replies_are_counted_as_they_are_followed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.kernel.race.bound.A_TELLING", 1)
    fill(tmp_path, "bound-proved")
    counter = make_counter()
    (answer,) = decide_all(tmp_path, plan(read_index(tmp_path)), counter=counter)
    assert isinstance(answer.outcome, Result)
    assert counter.value == answer.outcome.stats["replies"] > 0
