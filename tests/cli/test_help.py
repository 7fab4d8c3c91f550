import argparse
import re
import shlex

import pytest

from tests.commands import command
from verifier.cli import build_parser

PARSER = build_parser()
COMMANDS: dict[str, argparse.ArgumentParser] = next(
    dict(action.choices) for action in PARSER._actions if isinstance(action, argparse._SubParsersAction)
)


def help_of(name: str, columns: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("NO_COLOR", "1")
    told = command(name, "--help")
    assert told.code == 0
    return told.out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_a_manual_page(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The help says what the command does, explains each option, and has exit codes and at least two examples."""
    text = help_of(name, "80", monkeypatch)
    sections = re.findall(r"^([a-z ]+):$", text, re.MULTILINE)
    assert sections[-2:] == ["exit codes", "examples"]
    assert re.search(r"^usage: .*\n\n[A-Z][^\n]{20}", text, re.MULTILINE | re.DOTALL)
    codes = text.split("exit codes:\n")[1].split("\n\n")[0]
    assert {"0", "2", "3", "130", "141"} <= set(re.findall(r"^  (\d+) ", codes, re.MULTILINE))
    assert len(re.findall(r"^  \S", text.split("examples:\n")[1], re.MULTILINE)) >= 2
    assert [action for action in COMMANDS[name]._actions if not action.help] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_can_be_typed(name: str) -> None:
    examples = (COMMANDS[name].epilog or "").split("examples:\n")[1]
    lines = re.findall(r"^  (\S.*)$", examples, re.MULTILINE)
    assert lines
    for line in lines:
        found = re.search(r"\bverifier [^)>|]*", line)
        assert found, line
        words = shlex.split(found[0].rstrip("; "))[1:]
        assert PARSER.parse_args(words).run is not None


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_help_fits_the_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in COMMANDS:
        text = help_of(name, columns, monkeypatch)
        prose = [text.split("\n\n")[1], *re.findall(r"^  The cache keeps.*?\n\n", text, re.MULTILINE | re.DOTALL)]
        assert len(prose) == 1 + ("--cache DIR" in text), name
        for paragraph in prose:
            assert max(map(len, paragraph.split("\n"))) <= min(int(columns), 102)


@pytest.mark.parametrize("columns", ["0", "1", "2", "12"])
def test_a_terminal_without_width_stops_no_command(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The help of a command is wrapped to the width of the terminal whenever the command is called."""
    assert "recheck" in help_of("recheck", columns, monkeypatch)


def test_each_command_has_a_line_in_the_help() -> None:
    text = PARSER.format_help()
    for name in COMMANDS:
        assert re.search(rf"^    {name}\b", text, re.MULTILINE)
    for word in (
        "NO_COLOR",
        "GITHUB_STEP_SUMMARY",
        "VERIFIER_CACHE",
        "VERIFIER_TRACEBACK",
        "130  interrupted",
        "141  ",
    ):
        assert word in text
