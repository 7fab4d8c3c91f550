from __future__ import annotations

import pathlib
import shutil
import subprocess

import pytest

from tests.audit.made import STARTS, write_claim
from verifier.cli import main
from verifier.cli.completion import SHELLS

COMPLETE = r"""
set -eu
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_shtab_verifier
printf '%s\n' "${COMPREPLY[@]}"
"""


def script(shell: str, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["completion", shell, *arguments]) == 0
    return capsys.readouterr().out


def complete(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], *words: str) -> set[str]:
    """Return what bash proposes for the last of some words."""
    path = tmp_path / "completion.bash"
    if not path.exists():
        path.write_text(script("bash", capsys))
    done = subprocess.run(
        ["bash", "--norc", "-c", COMPLETE, "bash", str(path), "verifier", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    return set(done.stdout.split())


def test_bash_completes_commands(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first word is a command."""
    assert complete(tmp_path, capsys, "c") == {"check", "completion"}


def test_bash_completes_options_and_formats(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Options of the command, and the choices of an option."""
    assert complete(tmp_path, capsys, "check", "--ba") == {"--baseline"}
    assert {"junit", "sarif", "github", "json", "text"} <= complete(tmp_path, capsys, "check", "--format", "")
    assert complete(tmp_path, capsys, "completion", "b") == {"bash"}


def test_bash_completes_claims_and_folders(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ids of claims and folders of the specs, wherever a claim is meant, also behind other claims; files too."""
    (tmp_path / "rules-of-mine.yaml").write_text("")
    found = complete(tmp_path, capsys, "check", "rules-")
    assert {"rules-start", "rules-of-mine.yaml"} <= found
    assert all(word.startswith("rules-") for word in found)
    assert "paper/2-strategy" in complete(tmp_path, capsys, "check", "rules-start", "paper/")
    assert "rules-start" in complete(tmp_path, capsys, "show", "rules-s")


def test_bash_completes_files(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A ledger is a file, a folder of specs a folder."""
    (tmp_path / "ledger.json").write_text("{}")
    (tmp_path / "ledgers").mkdir()
    assert "ledger.json" in complete(tmp_path, capsys, "check", "--baseline", "led")
    assert complete(tmp_path, capsys, "check", "--specs", "led") == {"ledgers"}


def test_odd_names_reach_no_shell(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder whose name a shell would expand is left out of the script."""
    for folder in ("plain", "$(touch pwned)", "a'b", 'a"b', "a b"):
        (tmp_path / "specs" / folder).mkdir(parents=True)
    for number, path in enumerate(sorted((tmp_path / "specs").iterdir())):
        write_claim(path, f"claim-{number}", STARTS, "tictactoe")
    text = script("bash", capsys, "--specs", str(tmp_path / "specs"))
    assert 'compgen -W "claim-0 claim-1 claim-2 claim-3 claim-4 plain"' in text


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It knows commands and claims; where the shell is installed, it can read it."""
    text = script(shell, capsys)
    assert "recheck" in text
    assert "rules-start" in text
    program = shutil.which(shell)
    if program is not None:
        done = subprocess.run([program, "-n"], input=text, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
