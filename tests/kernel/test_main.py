import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.corpus import __main__ as writing
from tests.kernel.asking import decide_plays_by, reason_of
from tests.kernel.test_corpus import CORPUS, fill, lay_out, read, spend, spin
from tests.kernel.test_store import posix
from verifier.cli import main as cli_main
from verifier.kernel.__main__ import main as kernel_main
from verifier.kernel.certificate import BY_INVARIANT, Index, find_unnamed, hash_bytes, hash_value
from verifier.kernel.decide import Memo
from verifier.kernel.errors import CertificateError
from verifier.kernel.recheck import Answer, Description, Entry, lines_of, name_statement
from verifier.kernel.recheck import answer as decide_one
from verifier.kernel.verdict import Belief, Result, Verdict


@pytest.mark.parametrize(
    ("cases", "code", "last"),
    [
        (["tictactoe-reach", "steps-start"], 0, "2 certificates, 0 rejected, 0 not decided"),
        (["tictactoe-reach", "strategy-of-no-move"], 4, "2 certificates, 1 rejected, 0 not decided"),
    ],
)
def test_the_kernel_has_a_command_of_its_own(
    cases: list[str], code: int, last: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It reads the index, decides every certificate, and prints the results. The exit code sums them up."""
    fill(tmp_path, *cases)
    assert kernel_main([str(tmp_path)]) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == last
    assert [line for line in lines if "filed as" in line] == [f'    filed as "{case}"' for case in cases]


def test_the_kernels_command_gives_up_only_with_a_limit(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A certificate that takes longer is not decided, and the exit code is 1. Its kind is printed before."""
    fill(tmp_path, "tictactoe-reach")
    decide_plays_by(monkeypatch, spin)
    assert kernel_main([str(tmp_path), "--limit", "0.05"]) == 1
    assert "a statement of kind 'play'" in capsys.readouterr().out
    assert kernel_main([str(tmp_path)]) == 4
    for wrong in ("0", "-1", "1e9", "nan", "soon"):
        with pytest.raises(SystemExit) as caught:
            kernel_main([str(tmp_path), "--limit", wrong])
        assert caught.value.code == 2


REACH, OTHER = "tictactoe-reach", "strategy-of-no-move"
UNNAMED = json.dumps({"format": "verifier-index", "version": 2, "filed": {}, "joins": {}})


def remove(root: pathlib.Path) -> None:
    shutil.rmtree(root)


def file_by_invariant(root: pathlib.Path) -> None:
    """Put a certificate in the place of one by an invariant."""
    (path,) = (root / "evidence").iterdir()
    path.rename(path.with_name(path.name.replace(".", f"{BY_INVARIANT}.", 1)))


@pytest.mark.parametrize(
    ("cases", "change", "code", "told"),
    [
        ([REACH], lambda root: None, 0, 'filed as "tictactoe-reach"'),
        ([REACH], lambda root: (root / "INDEX.json").write_text(UNNAMED), 0, "filed under no name"),
        ([OTHER], lambda root: (root / "INDEX.json").write_text(UNNAMED), 4, "filed under no name"),
        ([REACH], file_by_invariant, 4, "other-form"),
        ([REACH], lambda root: (root / "INDEX.json").unlink(), 1, "unreadable: INDEX.json"),
        ([OTHER], lambda root: (root / "INDEX.json").unlink(), 4, "unreadable: INDEX.json"),
        ([REACH], lambda root: (root / "INDEX.json").write_text("{}"), 4, "malformed: INDEX.json"),
        ([REACH], lambda root: (root / "INDEX.json").write_text(UNNAMED.replace("2", "3")), 1, "version: INDEX.json"),
        ([REACH], lambda root: shutil.rmtree(root / "tables"), 1, "unreadable: tables/"),
        ([REACH, OTHER], lambda root: shutil.rmtree(root / "evidence"), 1, "unreadable: evidence/"),
        (["table-of-another-version"], lambda root: None, 1, "version: the table"),
        ([REACH, "table-of-another-version", OTHER], lambda root: None, 4, "1 rejected, 1 not decided"),
        (["steps-models"], lambda root: None, 1, "supported"),
        ([], lambda root: None, 2, "0 certificates"),
        ([], lambda root: (root / "INDEX.json").write_text("{}"), 4, "0 certificates"),
        ([], remove, 2, "0 certificates"),
    ],
)
def test_exit_codes_sum_up_a_folder(
    cases: list[str],
    change: Callable[[pathlib.Path], object],
    code: int,
    told: str,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Accepted, rejected and undecided folders have different codes. Files that the index does not name count too."""
    fill(tmp_path, *cases)
    change(tmp_path)
    assert kernel_main([str(tmp_path)]) == code
    assert told in "".join(capsys.readouterr())


def test_a_certificate_without_a_name_is_printed_by_its_hash(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``recheck`` decides it too, unless names are given, and says more of it. Other files mean nothing."""
    (digest,) = fill(tmp_path, REACH)
    (tmp_path / "INDEX.json").write_text(UNNAMED)
    (tmp_path / "evidence" / "notes.json.gz").write_text("no certificate")
    assert kernel_main([str(tmp_path), "--say"]) == cli_main(["recheck", "--say", "--proofs", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [lines[0], lines[2], lines[4]] == [
        f"proved  {digest[:32]}", "    filed under no name", "1 certificate, 0 rejected, 0 not decided",
    ]  # fmt: skip
    assert lines[6] == f"    hash of the statement: {digest}"
    assert [lines[5], *lines[8:]] == [lines[0], *lines[2:5]]


def test_the_corpus_is_written_out(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each case has a folder with its expected answer, and the kernel's own command gives this answer."""
    for cases in ("VALID", "INVALID", "MALFORMED"):
        monkeypatch.setattr(writing, cases, getattr(writing, cases)[::40])
    expected = writing.write(tmp_path)
    assert expected == json.loads((tmp_path / "EXPECTED.json").read_text())
    codes = {"proved": 0, "refuted": 0, "supported": 1, "not decided": 1, "rejected": 4}
    for name, told in expected.items():
        assert kernel_main([str(tmp_path / name)]) == codes[told["answer"]], name


def test_a_folder_of_certificates_is_read_within_limits(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have as many files as an index may name. Something else in place of the folder is reported."""
    (digest,) = fill(tmp_path, REACH)
    monkeypatch.setattr("verifier.kernel.certificate.MAX_NAMES", 1)
    assert find_unnamed(tmp_path, Index()) == [digest[:16]]
    assert find_unnamed(tmp_path, Index({"a": digest})) == []
    monkeypatch.setattr("verifier.kernel.certificate.MAX_NAMES", 0)
    assert reason_of(find_unnamed, tmp_path, Index()) == "too-large"
    remove(tmp_path / "evidence")
    (tmp_path / "evidence").write_text("")
    assert reason_of(find_unnamed, tmp_path, Index()) == "unreadable"


@posix
def test_a_folder_of_certificates_is_not_a_link(tmp_path: pathlib.Path) -> None:
    fill(tmp_path, REACH)
    (tmp_path / "evidence").rename(tmp_path / "elsewhere")
    (tmp_path / "evidence").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "INDEX.json").write_text(UNNAMED)
    assert reason_of(find_unnamed, tmp_path, Index()) == "unreadable"
    assert kernel_main([str(tmp_path)]) == 2


@pytest.mark.parametrize(
    "ask", [lambda root: kernel_main([root, "--say"]), lambda root: cli_main(["recheck", "--say", "--proofs", root])]
)
def test_a_statement_is_written_out(
    ask: Callable[[str], int], tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line after the names is the canonical JSON of the statement. Its hash is the printed one."""
    (digest,) = fill(tmp_path, "tictactoe-reach")
    assert ask(str(tmp_path)) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("    {")]
    assert hash_bytes(line.strip().encode()) == digest


def test_the_time_limit_is_for_the_whole_certificate(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading, describing and deciding share it."""
    (statement,) = fill(tmp_path, "tictactoe-reach")

    monkeypatch.setattr("verifier.kernel.recheck.decide", spin)
    answer = decide_one(tmp_path, statement, Memo(), 0.3, lambda _: Description(str(spend(0.06))))
    assert isinstance(answer.outcome, CertificateError)
    assert answer.outcome.reason == "time"


def test_the_printed_result_is_what_was_decided(tmp_path: pathlib.Path) -> None:
    """The verdict comes first, in a word; then the hash, the description, and names in quotation marks."""
    digest = hash_value("a statement")
    belief = frozenset({Belief.SOLVER})
    proved = Result(Verdict.PROVED, stats={"refuted": 1, "obligations": 1})
    supported = Result(Verdict.SUPPORTED, "", belief, {"refuted": 1, "obligations": 2})
    for outcome, word, detail, is_decided in (
        (proved, "proved", "", True),
        (
            supported,
            "supported",
            f"the kernel followed a refutation for 1 of 2 obligations; {Belief.SOLVER.value}",
            False,
        ),
        (Result(Verdict.SUPPORTED, "", belief), "supported", Belief.SOLVER.value, False),
        (Result(Verdict.REFUTED, "why"), "refuted", "why", True),
        (Result(Verdict.REFUTED, "x" * 200), "refuted", "x" * 200, True),
        (Result(Verdict.REFUTED, "x" * 201), "refuted", "x" * 200 + "…", True),
        (CertificateError("hash", "no"), "rejected", "hash: no", False),
        (CertificateError("time", "over"), "not decided", "time: over", False),
    ):
        found = Answer(digest, Description("it \x1b says", "data \x1b", "rules"), outcome)
        assert (found.verdict, found.is_decided) == (word, is_decided)
        first = f"{word}  {digest[:32]}" + (f"  ({detail})" if detail else "")
        names = '    filed as "a/b", "c/d"'
        entry = Entry(digest, ("a/b", "c/d"))
        said = r"    it \x1b says, under rules"
        assert [*lines_of(entry, found)] == [first, said, names, r"    data \x1b"]
        kind = Answer(digest, name_statement({"kind": "play"}), outcome)
        assert [*lines_of(entry, kind)] == [first, "    a statement of kind 'play'", names]


def test_the_command_works_with_any_terminal_and_reader(tmp_path: pathlib.Path) -> None:
    """A cut text is marked even in ASCII, and a closed output ends the command without a traceback."""
    case = read(CORPUS / "valid/tictactoe-refuted-keep.json")
    (objective,) = case["certificate"]["statement"]["objectives"]
    objective["name"] = case["certificate"]["evidence"]["objective"] = "x" * 300
    lay_out(tmp_path, case)
    command = [sys.executable, "-S", "-m", "verifier.kernel", str(tmp_path)]
    found = subprocess.run(command, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=False)
    assert b"u2026" in found.stdout, found.stderr
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
