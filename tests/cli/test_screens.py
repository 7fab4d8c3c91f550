"""What commands print, whole: a file for each command and width, in ``tests/golden``."""

import pathlib
import shutil

import pytest

from tests.audit.made import MADE
from tests.commands import command
from tests.golden import require_golden
from tests.report.ledgers import write_specs

COMMANDS = {
    "check-80": "check",
    "check-120": "check",
    "check-q-80": "check -q",
    "check-v-80": "check -v",
    "check-again-80": "check",
    "list-80": "list",
    "list-120": "list",
    "show-80": "show mended",
    "explain-80": "explain mended",
    "recheck-80": "recheck",
    "recheck-v-80": "recheck -v mended",
}
"""In this order: each command finds what those before it have decided."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Three claims, a family, one of our own of which something is not as expected, and a broken file."""
    root = tmp_path_factory.mktemp("screens")
    specs = write_specs(root)
    shutil.copytree(MADE / "screens", specs, dirs_exist_ok=True)
    (specs / "broken.yaml").write_text("claim: broken\ntitel: A claim\n")
    return root


@pytest.mark.parametrize("name", COMMANDS)
def test_a_screen(name: str, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the one that its file has, and no line is longer than the terminal."""
    width = int(name.rpartition("-")[2])
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", str(width))
    words = COMMANDS[name].split()
    folders = ["--proofs", "out"] if words[0] == "recheck" else ["--specs", "audited specs", "--cache", "cache"]
    more = ["--jobs", "1"] * (words[0] in ("check", "recheck")) + ["--out", "out"] * (words[0] == "check")
    text = command(*words, *folders, *more).out
    require_golden(f"screens/{name}.txt", text)
    assert "-v" in words or max(map(len, text.splitlines())) <= width
