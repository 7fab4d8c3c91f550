"""The command ``new``: what it makes, that it works as it stands, and what it refuses."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

from verifier.cli import main

ROOT = pathlib.Path(__file__).parents[2]
FILES = {
    "README.md",
    "specs/document.yaml",
    "specs/first-player-always-wins.yaml",
    "specs/first-player-never-loses.yaml",
    "specs/rules/three-in-a-row.yaml",
    "specs/strategies/careful.yaml",
    "tests/test_claims.py",
}


def files_below(folder: pathlib.Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_is_made_and_works(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its specs are those of commands that run there: one claim is proved and one is refuted, as its files expect."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "my-paper"]) == 0
    out = capsys.readouterr().out
    assert (
        {line.removeprefix("my-paper/") for line in out.splitlines()[:-1]}
        == FILES
        == files_below(tmp_path / "my-paper")
    )
    assert out.endswith("next: cd my-paper && verifier check\n")
    assert [path.name for path in tmp_path.iterdir()] == ["my-paper"]
    monkeypatch.chdir(tmp_path / "my-paper")
    assert "DOCUMENT" not in "".join(pathlib.Path(name).read_text() for name in FILES)
    assert main(["validate"]) == 0
    assert capsys.readouterr().out == "2 claims, 2 readings, 1 strategy: nothing wrong\n"
    assert main(["check", "--jobs", "1"]) == 0
    assert "my-paper: 2 claims: 1 proved as stated, 1 refuted\n" in capsys.readouterr().out
    assert main(["list"]) == 0
    assert {line.split()[line[0] == " "] for line in capsys.readouterr().out.splitlines()} == {
        "my-paper:",
        "first-player-always-wins",
        "first-player-never-loses",
    }


@pytest.mark.parametrize("name", ["2024", "on", "null", "0x1", "true"])
def test_an_id_that_is_no_text_to_yaml_is_quoted(
    name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder works as any other one; the command to run next is one that a shell understands."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "of a year", "--document", name]) == 0
    assert capsys.readouterr().out.endswith("next: cd 'of a year' && verifier check\n")
    assert main(["validate", "of a year/specs"]) == 0


def test_the_commands_of_its_readme_run(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the order in which they stand there."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "my-paper"]) == 0
    monkeypatch.chdir(tmp_path / "my-paper")
    lines = pathlib.Path("README.md").read_text().splitlines()
    commands = [line.split("#")[0].split() for line in lines if line.startswith("    ")]
    assert [words[:2] for words in commands][:2] == [["verifier", "validate"], ["verifier", "list"]]
    for words in commands:
        if words[0] == "verifier":
            assert main(words[1:]) == 0, words
    assert pathlib.Path("report.html").read_text().endswith("</html>\n")
    capsys.readouterr()


@pytest.mark.slow
def test_its_test_passes_and_can_fail(tmp_path: pathlib.Path) -> None:
    """Pytest runs it as it stands; a verdict that is not the expected one fails it."""
    assert main(["new", str(tmp_path / "my-paper")]) == 0
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=tmp_path / "my-paper", env=environment, capture_output=True, text=True, check=False
        )

    done = run()
    assert (done.returncode, done.stdout.splitlines()[-1].split(" in ")[0]) == (0, "2 passed")
    path = tmp_path / "my-paper/specs/first-player-always-wins.yaml"
    path.write_text(path.read_text().replace("expect: refuted", "expect: proved "))
    done = run()
    assert done.returncode == 1
    assert "expected proved, found refuted" in done.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("there", "there is there already"),
        ("file", "file is there already"),
        ("link", "link is there already"),
        (".", "'{here}' is there already|. is there already|cannot be the id"),
        ("no/such/my-paper", "no such folder: "),
        ("My Paper", "'My Paper' cannot be the id of a document"),
        ("my_paper", "name another one with --document"),
        ("x" * 61, "at most 60 small letters"),
        ("my-paper\n", "cannot be the id of a document"),
    ],
)
def test_what_cannot_be_made_is_refused(
    name: str,
    message: str,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In one line, with exit code 2, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to("nowhere")
    before = sorted(tmp_path.rglob("*"))
    assert main(["new", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert any(part in err for part in message.split("|"))
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_of_another_name(tmp_path: pathlib.Path) -> None:
    """The document's id may be another one than the folder's name."""
    assert main(["new", str(tmp_path / "Audit 1"), "--document", "my-paper"]) == 0
    assert (tmp_path / "Audit 1/specs/document.yaml").read_text().startswith("document: my-paper\n")
    assert main(["new", str(tmp_path / "other"), "--document", "Mine"]) == 2


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is read-only to the superuser")
def test_a_read_only_place_is_refused(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says where no folder can be made."""
    (tmp_path / "locked").mkdir(mode=0o500)
    assert main(["new", str(tmp_path / "locked/my-paper")]) == 2
    assert "no folder can be made in" in capsys.readouterr().err


def test_a_disk_that_is_full_leaves_nothing(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder is there whole or not at all, and no part of it stays."""

    def fail(self: pathlib.Path, *arguments: object, **options: object) -> int:
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(pathlib.Path, "write_text", fail)
    assert main(["new", str(tmp_path / "my-paper")]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
