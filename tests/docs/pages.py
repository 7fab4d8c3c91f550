"""Runs a page of the documentation as a reader would: writes its files, runs its commands, compares their output.

``python -m tests.docs.pages PAGE …`` writes the output of commands into pages, where it has changed.

A fenced block of ``console`` has commands after ``$``, and their output. A block of any other kind is a file if the
line before it ends with the file's path in backquotes and a colon. In the output, a line ``...`` stands for any lines.
"""

import os
import pathlib
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from unittest import mock

from tests.commands import ROOT, type_line

DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`(?P<path>[\w./-]+)`:\n\n\Z")
TIME = re.compile(r"\b\d+:\d\d\b|\b\d+\.\d MB\b")
"""What changes from run to run."""

HEARTBEAT = re.compile(r"\d+/\d+ readings?, \d+:\d\d")
"""How far a run is, said where it takes more than ten seconds: as on a machine that compiles a search first."""


def run_page(text: str) -> str:
    """Run a page in the current folder. Return it with the output of its commands."""
    return BLOCK.sub(lambda block: _run_block(text, block), text)


def _run_block(text: str, block: re.Match[str]) -> str:
    if block["kind"] == "console":
        return f"```console\n{''.join(run_command(*item) for item in split_commands(block['text']))}```"
    file = FILE.search(text[: block.start()])
    if file is not None:
        path = pathlib.Path(file["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block["text"], encoding="utf-8")
    return block[0]


def split_commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a block, with the output that the page shows."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


def run_command(command: str, expected: str) -> str:
    """Run a command. Return its output, in the page's own words if they fit."""
    lines = [line.rstrip() for line in run(command).splitlines()]
    printed = "".join(f"{line}\n" for line in lines if not HEARTBEAT.match(line))
    return f"$ {command}\n{expected if fits(printed, expected) else printed}"


def fits(printed: str, expected: str) -> bool:
    """Return whether the output is the expected one, except for times and sizes, and lines that are left out."""
    wanted = re.escape(TIME.sub("TIME", expected)).replace(re.escape("...\n"), "(.*\n)*")
    return re.fullmatch(wanted, TIME.sub("TIME", printed)) is not None


def run(line: str) -> str:
    """Return the output of a command, on both streams. If the command fails, the page is wrong."""
    with mock.patch("os.cpu_count", return_value=1):  # one process: claims are printed in one order
        told = type_line(line)
    if told.code:
        raise AssertionError(f"{line}: exit code {told.code}\n{told.out}{told.err}")
    return told.out + told.err


def in_an_empty_folder(work: Callable[[], str]) -> str:
    """Call a function in a new folder, with a cache of its own. Return its result."""
    home = pathlib.Path.cwd()
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {"VERIFIER_CACHE": f"{folder}/.cache", "COLUMNS": "100"}),
    ):
        os.chdir(folder)
        try:
            return work()
        finally:
            os.chdir(home)


if __name__ == "__main__":
    for page in map(pathlib.Path, sys.argv[1:]):
        before = page.read_text(encoding="utf-8")
        page.write_text(in_an_empty_folder(lambda text=before: run_page(text)), encoding="utf-8")  # type: ignore[misc]
