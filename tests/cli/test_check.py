"""``check`` with reports and baselines, and ``diff``."""

from __future__ import annotations

import json
import pathlib
import re
from importlib.machinery import ModuleSpec

import pytest

from tests.audit.test_ledger import SPLIT
from tests.report.ledgers import write_specs
from verifier.cli import main, opening


@pytest.fixture
def specs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return write_specs(tmp_path)


def check(specs: pathlib.Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["check", "--specs", str(specs), "--jobs", "1", *arguments])
    return code, *capsys.readouterr()


def change(specs: pathlib.Path, name: str, old: str, new: str) -> None:
    path = specs / "part" / f"{name}.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def make_baseline(specs: pathlib.Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> pathlib.Path:
    path = specs.parent / "old.json"
    check(specs, capsys, "--report", f"json={path}", *arguments)
    return path


def test_every_format_in_one_run(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--report`` writes several files in one run; they agree on the verdict that is not expected."""
    change(specs, "plain", "expect: proved", "expect: refuted")
    out = specs.parent / "out"
    out.mkdir()
    reports = [f"--report={name}={out / name}" for name in ("json", "junit", "sarif", "github")]
    code, text, _ = check(specs, capsys, *reports)
    assert code == 1
    assert "proved, expected refuted" in text
    words = "expected refuted, found proved"
    assert [(out / name).read_text().count(words) for name in ("junit", "sarif", "github")] == [2, 1, 1]
    assert json.loads((out / "json").read_text())["claims"][1]["readings"][0]["expected"] == "refuted"


def test_the_summary_goes_where_github_wants_it(
    specs: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the format ``github``, printed or written to a file, it is appended once a run; otherwise not at all."""
    path = specs.parent / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    check(specs, capsys)
    assert not path.exists()
    assert check(specs, capsys, "--format", "github")[0] == 0
    assert path.read_text().count("## Claim verifier") == 1
    check(specs, capsys, f"--report=github={specs.parent / 'x'}", "--format", "github")
    assert path.read_text().count("## Claim verifier") == 2
    check(specs, capsys, f"--report=github={specs.parent / 'x'}", "--format", "json")
    assert path.read_text().count("## Claim verifier") == 3


@pytest.mark.parametrize("where", ["missing/summary.md", "."])
def test_a_summary_that_cannot_be_written_hides_nothing(
    where: str, specs: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It costs a warning: exit code, output, reports and the comparison with the baseline are as without it."""
    baseline = make_baseline(specs, capsys)
    options = ["--format", "github", "--baseline", str(baseline), f"--report=json={specs.parent / 'new.json'}"]
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(specs.parent / where))
    change(specs, "plain", "expect: proved", "expect: refuted")
    code, out, err = check(specs, capsys, *options)
    assert code == 1
    assert out.startswith("::error file=audited specs/part/plain.yaml")
    warning, rest = err.split("\n", 1)
    assert warning.startswith(f"warning: no summary in {specs.parent / where}: ")
    assert "as-stated, expected: proved → refuted" in rest
    assert json.loads((specs.parent / "new.json").read_text())
    (specs / "split.yaml").write_text(SPLIT)
    assert check(specs, capsys, *options)[0] == 4


def test_a_report_that_cannot_be_written_hides_nothing(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The ledger, the other reports and the comparison are there; exit code 2, or 4 where evidence was rejected."""
    if not pathlib.Path("/dev/full").exists():
        pytest.skip("no device that is full")
    baseline = make_baseline(specs, capsys)
    other = specs.parent / "new.json"
    options = ["--report=junit=/dev/full", f"--report=json={other}", "--baseline", str(baseline)]
    code, out, err = check(specs, capsys, *options)
    assert (code, err) == (2, "warning: no report in /dev/full: No space left on device\n")
    assert out.endswith("no change\n")
    assert json.loads(other.read_text())
    (specs / "split.yaml").write_text(SPLIT)
    assert check(specs, capsys, *options)[0] == 4


def test_nothing_changed_since_a_baseline(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same run twice makes no change, and a verdict that was not expected already is none."""
    change(specs, "plain", "expect: proved", "expect: refuted")
    baseline = make_baseline(specs, capsys)
    code, out, _ = check(specs, capsys, "--baseline", str(baseline))
    assert code == 0
    assert out.endswith(f"since {baseline}:\nno change\n")
    code, out, _ = check(specs, capsys, "plain", "wrong", "--baseline", str(baseline))
    assert code == 0
    assert out.endswith(f"since {baseline}:\nno change; not run, and not compared: 2 readings of the baseline\n")
    assert check(specs, capsys, "wrong", "--reading", "as-stated", "--baseline", str(baseline))[0] == 0


def test_changes_since_a_baseline_are_told(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With exit code 1, though every verdict is the expected one."""
    baseline = make_baseline(specs, capsys)
    change(specs, "plain", "expect: proved", "expect: refuted")
    change(specs, "plain", "ply == 0", "ply == 1")
    (specs / "part/wrong.yaml").unlink()
    code, out, _ = check(specs, capsys, "--baseline", str(baseline))
    assert code == 1
    assert "plain\n    standing: proved as stated → refuted\n" in out
    assert "    as-stated, verdict: proved → refuted\n    as-stated, expected: proved → refuted\n" in out
    assert "wrong\n    the claim: gone (was refuted)\n" in out


def test_changes_do_not_disturb_a_format(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output stays one JSON object; the changes are on standard error."""
    baseline = make_baseline(specs, capsys)
    change(specs, "wrong", "title: A wrong claim", "uses: [plain]\ntitle: A wrong claim")
    code, out, err = check(specs, capsys, "--format", "json", "--baseline", str(baseline))
    assert code == 1
    assert len(json.loads(out)["claims"]) == 3
    assert err == f"since {baseline}:\nwrong\n    uses: — → plain\n1 change in 1 claim\n"


def test_trouble_stays_exit_code_4(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Engines that disagree are told as such, though the baseline had them too."""
    (specs / "split.yaml").write_text(SPLIT)
    baseline = make_baseline(specs, capsys)
    assert check(specs, capsys, "--baseline", str(baseline))[0] == 4


@pytest.mark.parametrize(
    ("data", "message"),
    [(None, "No such file"), (b"{", "no ledger"), (b'{"schema": 1}', "no ledger"), (b"\xff", "no ledger")],
)
def test_a_damaged_baseline_is_exit_code_2(
    data: bytes | None, message: str, specs: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line names the file and what is wrong, before anything is checked."""
    path = specs.parent / "old.json"
    if data is not None:
        path.write_bytes(data)
    code, out, err = check(specs, capsys, "--baseline", str(path))
    assert (code, out) == (2, "")
    assert err.startswith(f"{path}: ")
    assert message in err
    assert err.count("\n") == 1
    assert main(["diff", str(path), str(path)]) == 2
    assert capsys.readouterr().err == err


def test_diff(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two ledgers that are alike have exit code 0; others 1, with the changes as text or as JSON."""
    old = make_baseline(specs, capsys)
    new = old.with_name("new.json")
    change(specs, "wrong", "expect: refuted, steps", "expect: proved, steps")
    check(specs, capsys, "--report", f"json={new}")
    assert main(["diff", str(old), str(old)]) == 0
    assert capsys.readouterr().out == "no change\n"
    assert main(["diff", str(old), str(new)]) == 1
    assert capsys.readouterr().out == "wrong\n    as-stated, expected: refuted → proved\n1 change in 1 claim\n"
    assert main(["diff", str(old), str(new), "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "schema": 1,
        "changes": [
            {
                "claim": "wrong",
                "reading": "as-stated",
                "what": "expected",
                "name": None,
                "before": "refuted",
                "after": "proved",
            }
        ],
    }
    assert main(["diff", str(old), str(old), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"schema": 1, "changes": []}


def test_what_is_not_as_expected_is_red(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In its claim's line, and below the claims, where it has file, line and column."""
    change(specs, "plain", "expect: proved", "expect: refuted")
    code, text, _ = check(specs, capsys, "--color", "always")
    assert code == 1
    red = re.findall("\x1b\\[31m(.*?)\x1b\\[0m", text)
    assert "as-stated: proved, expected refuted" in red
    assert any(line.startswith(f"{specs}/part/plain.yaml:6:3:") for line in red)


def test_durations_name_the_slowest_readings(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As many as asked for, the longest first; what is remembered took no time."""
    cache = f"--cache={specs.parent / 'cache'}"
    _, text, _ = check(specs, capsys, cache, "--durations", "2")
    rows = re.findall(r"^ +([0-9.]+) s  \S+/\S+$", text, re.MULTILINE)
    assert len(rows) == 2
    assert float(rows[0]) >= float(rows[1])
    _, text, _ = check(specs, capsys, cache, "--durations", "2")
    assert "slowest readings: none was checked in this run" in text


def test_only_failed_leaves_out_what_is_known_to_be_as_expected(
    specs: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a run one claim is left; once it is mended none is; without a memory the option is refused."""
    cache = f"--cache={specs.parent / 'cache'}"
    change(specs, "plain", "expect: proved", "expect: refuted")
    check(specs, capsys, cache)
    code, text, _ = check(specs, capsys, cache, "--only-failed")
    assert (code, text.splitlines()[0].split()[:2]) == (1, ["proved", "plain"])
    change(specs, "plain", "expect: refuted", "expect: proved")
    code, text, _ = check(specs, capsys, cache, "--only-failed")
    assert (code, text.splitlines()[-1]) == (0, "0 claims: nothing to check")
    code, _, said = check(specs, capsys, "--no-cache", "--only-failed")
    assert (code, "--only-failed needs the results of earlier runs" in said) == (2, True)


def test_a_search_anew_without_exact_says_so_first(
    specs: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A default installation has no Exact: what it finds anew may be supported alone."""
    for found in (None, ModuleSpec("exact", None)):
        monkeypatch.setattr(opening, "find_spec", lambda _, found=found: found)
        err = check(specs, capsys, "--anew", "plain")[2]
        assert ("pip install 'claim-verifier[refutations]'" in err) is (found is None)
