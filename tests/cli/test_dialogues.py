"""Commands print what the files in ``tests/golden/dialogues`` say. Each file is a test.

A line that begins with ``$`` is a command. Below the command is its output. Lines of standard error begin with ``!``,
and the exit code is in brackets if it is not 0. A line that begins with ``#`` states the fact. ``RENEW_GOLDEN=1``
writes the output again. If the width of the terminal is given, no line is longer than this, unless the command is
verbose.

The current folder has ``three``, ``played`` and ``split.yaml`` of ``tests/specs``: the claims of
``tests/report/ledgers.py``, a claim about plays with its own rules, and a claim on which two methods disagree.
"""

import pathlib
import re
import shutil

import pytest

from tests.audit.made import MADE
from tests.commands import ROOT, type_line
from tests.golden import GOLDEN, require_golden
from tests.report.ledgers import write_specs

DIALOGUES = sorted((GOLDEN / "dialogues").glob("*.txt"))


def answer(line: str, here: str) -> str:
    """Run a command. Return the command and its output, with names for folders, and ESC for the escape character."""
    told = type_line(line.replace("ROOT", str(ROOT)))
    out = "".join(f"{text}\n".lstrip(" ") if not text.strip() else f"{text}\n" for text in told.out.splitlines())
    err = "".join(f"! {text}\n" for text in told.err.splitlines())
    code = f"[{told.code}]\n" if told.code else ""
    text = (out + err).replace(str(ROOT), "ROOT").replace(here, "HERE").replace("\x1b", "ESC")
    assert not re.search(r"^[#$] ", text, re.MULTILINE)
    width = re.match(r"COLUMNS=(\d+) ", line)
    assert width is None or " -v" in line or max(map(len, told.out.splitlines())) <= int(width[1])
    return f"$ {line}\n{text}{code}"


@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
def test_commands_print_what_their_dialogue_says(
    path: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_specs(tmp_path).rename(tmp_path / "three")
    shutil.copy(MADE / "split.yaml", tmp_path)
    shutil.copytree(MADE / "played", tmp_path / "played")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(("# ", "$ "))]
    told = (f"\n{line}\n" if line.startswith("#") else answer(line.removeprefix("$ "), str(tmp_path)) for line in lines)
    require_golden(f"dialogues/{path.name}", "".join(told).removeprefix("\n"))
