"""Folders of evidence: what is asked for, what is shared, and that one certificate's fault is its own."""

import os
import pathlib
from typing import Any

import pytest

from tests.commands import command
from tests.kernel.asking import decide_plays_by
from tests.kernel.test_corpus import CORPUS, fill, lay_out, read, spin, write, write_index
from tests.statements import part, play, steps_of
from verifier import recheck as module
from verifier.kernel.certificate import Index, evidence_path, hash_value, read_index
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.recheck import Answer, Entry, lines_of
from verifier.kernel.verdict import Result
from verifier.packing import pack
from verifier.recheck import decide_all, plan
from verifier.replies import make_counter, tables_of

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
def test_names_ask_for_all_of_it(wanted: str, found: str) -> None:
    entries = plan(INDEX, frozenset({wanted}))
    assert [entry.key[0] for entry in entries] == list(found)


@pytest.mark.parametrize("wanted", ["d", "one", "2", "a/three", "e/two"])
def test_an_unknown_name_is_refused_even_beside_known_names(wanted: str) -> None:
    """Beside names of something, too: what was asked for is not left out in silence."""
    with pytest.raises(UsageError, match=f"lists no claim, reading or hash '{wanted}'"):
        plan(INDEX, frozenset({"a", wanted}))


def test_a_hash_is_that_of_a_statement() -> None:
    """An index that calls another statement by it, or a claim, or what joins some, does not make it that one."""
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
    """File evidence under a name alone; return the hash of what it states."""
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


def test_what_a_solver_said_is_not_decided(tmp_path: pathlib.Path) -> None:
    """Where the kernel follows no refutation of a step it has not decided it, whatever is asked for."""
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
def test_a_dead_process_ends_one_certificate(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a process dies, the certificates that it took with it are decided by others, and one is rejected."""
    fill(tmp_path, *NAMES)
    monkeypatch.setattr(module, "_answer_there", _die)
    assert outcomes(tmp_path, 2) == ["proved", "refuted", "malformed", "died", "proved"]


def test_a_statement_that_is_filed_as_a_claim_is_told_in_words(tmp_path: pathlib.Path) -> None:
    """Names are of the index: whatever stands under a claim's name, its own words and hash are printed."""
    statement = steps_of("tictactoe", part("start", part="\x1b[2Kproved", conclusions=[["nonsense", True]]))
    evidence = {"models": [{"part": 0, "position": ".........", "moves": []}]}
    digest = file_certificate(tmp_path, "lemma-3/as-stated", statement, "proved", evidence)
    (answer,) = decide_all(tmp_path, plan(read_index(tmp_path)))
    assert not isinstance(answer.outcome, CertificateError)
    assert answer.description.words == "conclusions hold at the start"
    assert '"part":"\\u001b[2Kproved"' in answer.description.data
    assert answer.key == digest


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("tictactoe-refuted-reach", "'wins' fails: not reached by ply 7"),
        ("tictactoe-refuted-by-the-opponent", "'not beaten' fails: X forces it by ply 9, whatever is played"),
        ("tictactoe-no-such-play", "no play shows 'ends with O'"),
        ("steps-counterexample", "'stays free': 'free[8]' fails"),
    ],
)
def test_a_refuted_certificate_says_which_part_fails(case: str, why: str, tmp_path: pathlib.Path) -> None:
    """One of several objectives or parts is enough, and ``refuted`` alone does not say which."""
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
def test_a_strategy_without_a_move_is_told_from_a_goal_that_is_missed(
    goal: list[object], name: str, why: str, tmp_path: pathlib.Path
) -> None:
    """What is refuted since O's rules name no move does not read as if X could do what they are to prevent."""
    prevents = {"name": name, "type": "prevent", "goal": goal, "through": 9}
    idle = {"O": {"player": "O", "phases": []}}
    statement = play("tictactoe", ".........", prevents, claimant="O", strategies=idle)
    evidence = {"objective": name, "line": ["4"] if goal == ["over"] else []}
    digest = file_certificate(tmp_path, "claim/as-stated", statement, "refuted", evidence)
    (answer,) = decide_all(tmp_path, plan(read_index(tmp_path)))
    assert next(lines_of(Entry(digest, ("claim",)), answer)) == f"refuted  {digest[:32]}  ({why})"


@pytest.mark.parametrize("kept", [0, 100])
def test_tables_are_followed_side_by_side(kept: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.replies.MAX_KEPT_TABLES", kept)
    fill(tmp_path, "steps-start", "bound-proved")
    assert outcomes(tmp_path, 2) == ["proved", "proved"]


@pytest.mark.parametrize("kept", [0, 1])
def test_a_table_is_followed_ahead_once(kept: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that is rejected, however many statements rest on it; and no more are than are kept."""
    followed: list[str] = []
    monkeypatch.setattr("verifier.replies.MAX_KEPT_TABLES", kept)
    monkeypatch.setattr("verifier.replies._follow", lambda name, _: followed.append(name))
    fill(tmp_path, "bound-proved")
    answers = list(decide_all(tmp_path, plan(read_index(tmp_path)) * 2))
    assert [answer.verdict for answer in answers] == ["proved", "proved"]
    assert len(followed) == kept


def test_a_fault_of_the_kernel_in_a_table_is_one_refusal(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the table is followed ahead: it is told of the statement that rests on it, and no other."""
    monkeypatch.setattr("verifier.kernel.race.bound.parse_lemma", lambda *_: int("no number"))
    fill(tmp_path, "bound-proved", "steps-start")
    assert outcomes(tmp_path, 1) == ["defect", "proved"]


def test_recheck_has_no_time_limit_unless_one_is_given(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit all is decided; with one, what takes longer is not decided, and is not called rejected."""
    fill(tmp_path, "tictactoe-reach")
    decide_plays_by(monkeypatch, spin)
    entries = plan(read_index(tmp_path))
    for seconds, found, verdict in ((None, "defect", "rejected"), (0.05, "time", "not decided")):
        (answer,) = decide_all(tmp_path, entries, seconds=seconds)
        assert isinstance(answer.outcome, CertificateError)
        assert (answer.outcome.reason, answer.verdict, answer.is_decided) == (found, verdict, False)


def test_a_refusal_keeps_nothing_of_what_was_refused(tmp_path: pathlib.Path) -> None:
    """What the kernel held as it refused a certificate would stay for as long as the answer does, and add up."""
    file_certificate(tmp_path, "a/one", {"kind": "play", "rules": {}}, "proved", {})
    (answer,) = decide_all(tmp_path, plan(read_index(tmp_path)))
    assert isinstance(answer.outcome, CertificateError)
    assert (answer.outcome.__traceback__, answer.outcome.__context__, answer.outcome.__cause__) == (None, None, None)


@pytest.mark.parametrize("long", ["player", "objective"])
def test_an_answer_keeps_little_of_what_a_file_says(long: str, tmp_path: pathlib.Path) -> None:
    """Compressed, a name of many letters is short: neither the words nor the reason repeat it."""
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


def test_the_tables_of_a_bound_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as a bound may rest on; none of any other statement, and none where evidence has another shape."""
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
