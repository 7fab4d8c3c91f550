"""The files that other tools read: hooks of pre-commit and the example workflow."""

from __future__ import annotations

import argparse
import pathlib
import re
import shlex
from typing import Any

import pytest
import yaml

from verifier.cli import build_parser, main

ROOT = pathlib.Path(__file__).parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
WORKFLOW = ROOT / ".github/workflows/claims.yml"


def load(path: pathlib.Path) -> Any:
    return yaml.safe_load(path.read_text())


def parse(command: str) -> argparse.Namespace:
    """Return what the command line makes of a command; an unknown command or option ends the test."""
    program, *words = shlex.split(command)
    assert program == "verifier"
    return build_parser().parse_args(words)


def hooks() -> dict[str, Any]:
    return {hook["id"]: hook for hook in load(HOOKS)}


def test_hooks_run_commands_that_exist() -> None:
    """Each hook has the keys that pre-commit needs, and a command line that parses, with files behind it."""
    assert set(hooks()) == {"verifier-validate", "verifier-check"}
    for hook in hooks().values():
        assert {"id", "name", "entry", "language", "files"} <= set(hook)
        assert hook["language"] == "python"
        line = " ".join([hook["entry"], *hook["args"]])
        assert parse(line).command in ("validate", "check")
    check = hooks()["verifier-check"]
    assert check.get("pass_filenames", True)
    found = parse(" ".join([check["entry"], *check["args"], "specs/a.yaml", "specs/b/c.yaml"]))
    assert found.claims == ["specs/a.yaml", "specs/b/c.yaml"]


@pytest.mark.parametrize(
    ("file", "is_wanted"),
    [("specs/a.yaml", True), ("specs/b/c.yaml", True), ("specs/README.md", False), ("other/specs/a.yaml", False)],
)
def test_hooks_look_at_specs_only(file: str, is_wanted: bool) -> None:
    """Files elsewhere, and files that are no specs, start no hook."""
    for hook in hooks().values():
        assert bool(re.search(hook["files"], file)) == is_wanted


def test_hooks_do_what_they_say(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a repository with its own specs, they pass what is right and refuse what is not."""
    text = (ROOT / "specs/paper/1-introduction/rules-start.yaml").read_text()
    path = tmp_path / "specs/start.yaml"
    path.parent.mkdir()
    path.write_text(text)
    monkeypatch.chdir(tmp_path)
    validate, check = (
        [*shlex.split(hook["entry"])[1:], *hook["args"]]
        for hook in (hooks()["verifier-validate"], hooks()["verifier-check"])
    )
    assert main(validate) == 0
    assert main([*check, "specs/start.yaml"]) == 0
    path.write_text(text.replace("expect: proved", "expect: refuted"))
    assert main(validate) == 0
    assert main([*check, "specs/start.yaml"]) == 1
    path.write_text(text.replace("expect:", "expects:"))
    assert main(validate) == 2
    assert main([*check, "specs/start.yaml"]) == 2


STRATEGY = """\
strategy: unused
title: A strategy for tests
source: {document: test, place: none, says: Play anywhere.}
rules: tictactoe
player: X
phases: {all: {rules: {any-spot: {for: {s: SPOTS}, when: "free[s]", play: [s]}}}}
"""
DEFINITIONS = """\
definitions: shared
title: Names for tests
source: {document: test, place: none, says: The corners.}
define: {CORNERS: "[0, 2, 6, 8]"}
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [(STRATEGY, "strategy"), (DEFINITIONS, "definitions")],
)
def test_what_no_claim_rests_on_is_no_failure(
    text: str, name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The hook says so and passes, alone and beside a claim; a file that is no spec is still wrong usage."""
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / f"{name}.yaml").write_text(text)
    (specs / "start.yaml").write_text((ROOT / "specs/paper/1-introduction/rules-start.yaml").read_text())
    monkeypatch.chdir(tmp_path)
    command = [*shlex.split(hooks()["verifier-check"]["entry"])[1:], *hooks()["verifier-check"]["args"]]
    warning = f"warning: specs/{name}.yaml: no claim rests on it\n"
    (tmp_path / "out").mkdir()
    for options, start in (
        ((), "0 claims: nothing to check\n"),
        (("--format", "json"), '{\n "schema": 2'),
        (("--format", "github", "--reading", "as-stated", "--out", "out"), "0 claims: nothing to check\n"),
    ):
        assert main([*command, f"specs/{name}.yaml", *options]) == 0
        out, err = capsys.readouterr()
        assert err == warning
        assert out.startswith(start)
    assert main([*command, f"specs/{name}.yaml", "specs/start.yaml"]) == 0
    out, err = capsys.readouterr()
    assert (out.count("rules-start ..."), err) == (1, warning)
    assert main([*command, f"specs/{name}.yaml", "specs/none.yaml"]) == 2
    assert "specs/none.yaml: no such file among these specs" in capsys.readouterr().err


def test_the_workflow_runs_commands_that_exist() -> None:
    """Every ``verifier`` line of it parses; annotations, JUnit and SARIF are asked for, and SARIF is uploaded."""
    workflow = load(WORKFLOW)
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    lines = [line for step in steps for line in step.get("run", "").splitlines() if line.startswith("verifier")]
    commands = [parse(line) for line in lines]
    assert [command.command for command in commands] == ["validate", "check", "recheck"]
    assert commands[1].format == "github"
    reports = {name: str(path) for name, path in commands[1].report}
    assert set(reports) == {"json", "junit", "sarif"}
    uploads = [step["with"]["sarif_file"] for step in steps if "upload-sarif" in step.get("uses", "")]
    assert uploads == [reports["sarif"]]
    assert workflow["permissions"]["security-events"] == "write"
    assert all(re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", step["uses"]) for step in steps if "uses" in step)


def test_the_workflow_checks_folders_that_exist() -> None:
    """What it names below the specs is there."""
    line = next(
        line
        for job in load(WORKFLOW)["jobs"].values()
        for step in job["steps"]
        for line in step.get("run", "").splitlines()
        if line.startswith("verifier check")
    )
    for name in parse(line).claims:
        assert (ROOT / "specs" / name).is_dir()
