from __future__ import annotations

import functools
import pathlib
import shutil
import subprocess

import pytest

from tests.audit.made import STARTS, write_claim
from tests.commands import command
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


@functools.cache
def script(shell: str) -> str:
    told = command("completion", shell)
    assert told.code == 0
    return told.out


def complete(folder: pathlib.Path, *words: str) -> set[str]:
    """Return what bash proposes for the last of some words."""
    (folder / "completion.bash").write_text(script("bash"))
    line = ["bash", "--norc", "-c", COMPLETE, "bash", "completion.bash", "verifier", *words]
    return set(subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False).stdout.split())


def test_bash_completes_commands_options_and_formats(tmp_path: pathlib.Path) -> None:
    """The first word is a command; after it come its options, and the choices of an option."""
    assert complete(tmp_path, "c") == {"check", "completion"}
    assert complete(tmp_path, "check", "--ba") == {"--baseline"}
    assert {"junit", "sarif", "github", "json", "text"} <= complete(tmp_path, "check", "--format", "")
    assert complete(tmp_path, "completion", "b") == {"bash"}


def test_bash_completes_claims_and_folders(tmp_path: pathlib.Path) -> None:
    """Ids of claims and folders of the specs, wherever a claim is meant, also behind other claims; files too."""
    (tmp_path / "rules-of-mine.yaml").write_text("")
    found = complete(tmp_path, "check", "rules-")
    assert {"rules-start", "rules-of-mine.yaml"} <= found
    assert all(word.startswith("rules-") for word in found)
    assert "paper/2-strategy" in complete(tmp_path, "check", "rules-start", "paper/")
    assert "rules-start" in complete(tmp_path, "show", "rules-s")


def test_bash_completes_files(tmp_path: pathlib.Path) -> None:
    (tmp_path / "ledger.json").write_text("{}")
    (tmp_path / "ledgers").mkdir()
    assert "ledger.json" in complete(tmp_path, "check", "--baseline", "led")
    assert complete(tmp_path, "check", "--specs", "led") == {"ledgers"}


def test_odd_names_reach_no_shell(tmp_path: pathlib.Path) -> None:
    for folder in ("plain", "$(touch pwned)", "a'b", 'a"b', "a b"):
        (tmp_path / "specs" / folder).mkdir(parents=True)
    for number, path in enumerate(sorted((tmp_path / "specs").iterdir())):
        write_claim(path, f"claim-{number}", STARTS, "tictactoe")
    text = command("completion", "bash", "--specs", tmp_path / "specs").out
    assert 'compgen -W "claim-0 claim-1 claim-2 claim-3 claim-4 plain"' in text


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script(shell: str) -> None:
    """It knows commands and claims; where the shell is installed, it can read it."""
    text = script(shell)
    assert "recheck" in text
    assert "rules-start" in text
    program = shutil.which(shell)
    if program is not None:
        done = subprocess.run([program, "-n"], input=text, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
