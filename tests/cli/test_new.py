"""The command ``new`` makes a folder that works. ``tests/golden/dialogues/new.txt`` has its output and its errors."""

import os
import pathlib
import subprocess
import sys

import pytest

from tests.audit.made import edit
from tests.commands import ROOT, command


@pytest.mark.parametrize("name", ["2024", "on", "null", "0x1", "true"])
def test_an_id_that_yaml_would_not_read_as_text_is_quoted(name: str, tmp_path: pathlib.Path) -> None:
    assert command("new", tmp_path / "of a year", "--document", name).code == 0
    assert command("validate", tmp_path / "of a year/specs").code == 0


def test_an_id_with_a_line_break_is_refused(tmp_path: pathlib.Path) -> None:
    assert command("new", tmp_path / "my-paper\n").code == 2
    assert not list(tmp_path.iterdir())


def test_the_commands_of_its_readme_run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert command("new", tmp_path / "my-paper").code == 0
    monkeypatch.chdir(tmp_path / "my-paper")
    lines = pathlib.Path("README.md").read_text().splitlines()
    commands = [line.split("#")[0].split() for line in lines if line.startswith("    ")]
    assert [words[:2] for words in commands][:2] == [["verifier", "validate"], ["verifier", "list"]]
    assert [words for words in commands if words[0] == "verifier" and command(*words[1:]).code] == []
    assert pathlib.Path("report.html").read_text().endswith("</html>\n")


@pytest.mark.slow
def test_its_test_passes_and_can_fail(tmp_path: pathlib.Path) -> None:
    assert command("new", tmp_path / "my-paper").code == 0
    pytest_command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def run() -> tuple[int, str]:
        folder = tmp_path / "my-paper"
        done = subprocess.run(pytest_command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    code, out = run()
    assert (code, out.splitlines()[-1].split(" in ")[0]) == (0, "2 passed")
    edit(tmp_path / "my-paper/specs/first-player-always-wins.yaml", "expect: refuted", "expect: proved ")
    code, out = run()
    assert code == 1
    assert "expected proved, found refuted" in out


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is read-only to the superuser")
def test_a_read_only_folder_is_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    told = command("new", tmp_path / "locked/my-paper")
    assert (told.code, "cannot be written to" in told.err) == (2, True)


def test_a_disk_that_is_full_leaves_nothing(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a file of the new folder cannot be written, nothing of the folder is left."""

    def fail(self: pathlib.Path, *arguments: object, **options: object) -> int:
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(pathlib.Path, "write_text", fail)
    told = command("new", tmp_path / "my-paper")
    assert (told.code, "No space left on device" in told.err) == (2, True)
    assert list(tmp_path.iterdir()) == []
