"""The hooks for pre-commit, the GitHub action and the example workflow work in the tools that read them."""

import argparse
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
import yaml

from tests.audit.made import edit, read_spec
from tests.commands import ROOT, command
from verifier.cli import build_parser

HOOKS = ROOT / ".pre-commit-hooks.yaml"
WORKFLOW = ROOT / ".github/workflows/claims.yml"
ACTION = ROOT / ".github/actions/audit/action.yml"


def load(path: pathlib.Path) -> Any:
    return yaml.safe_load(path.read_text())


def parse(command: str) -> argparse.Namespace:
    """Return a parsed command line of this tool. An unknown command or option ends the test."""
    program, *words = shlex.split(command)
    assert program == "verifier"
    return build_parser().parse_args(words)


def hooks() -> dict[str, Any]:
    return {hook["id"]: hook for hook in load(HOOKS)}


def test_hooks_run_commands_that_exist() -> None:
    """Each hook has the keys that pre-commit needs, and a command line that parses."""
    assert set(hooks()) == {"verifier-validate", "verifier-check"}
    for hook in hooks().values():
        assert {"id", "name", "entry", "language"} <= set(hook)
        assert hook["language"] == "python"
        assert parse(" ".join([hook["entry"], *hook["args"]])).command in ("validate", "check")


def git(*words: str) -> str:
    """Run git in the current folder, with a made-up author. Return its output."""
    person = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *person, *words], capture_output=True, text=True, check=True).stdout


def run_hook(hook: dict[str, Any]) -> int | None:
    """Run a hook as pre-commit does before a commit. Return None if it is skipped because no file name fits."""
    names = git("diff", "--staged", "--name-only", "--no-ext-diff", "--diff-filter=ACMRTUXB").splitlines()
    wanted = [name for name in names if re.search(hook.get("files", ""), name)]
    if not wanted and not hook.get("always_run"):
        return None
    given = wanted if hook.get("pass_filenames", True) else []
    return command(*shlex.split(hook["entry"])[1:], *hook["args"], *given).code


JOINED = """
claim: both
title: A claim that joins another
source: {document: test, place: none, says: It holds.}
rules: own
readings:
  as-stated: {expect: proved, joins: [one/as-stated]}
"""
COMMITS: dict[str, tuple[dict[str, tuple[str, str] | None], int, int]] = {
    "no spec": ({"README.md": ("Ours", "Mine")}, 0, 0),
    "a claim that fails": ({"specs/one.yaml": ("expect: proved", "expect: refuted")}, 0, 1),
    "a wrong key": ({"specs/two.yaml": ("expect: proved", "expects: proved")}, 2, 2),
    "a strategy that two claims use is deleted": ({"specs/lowest.yaml": None}, 2, 2),
    "the rules of two claims are deleted": ({"specs/own.yaml": None}, 2, 2),
    "a claim that another joins is deleted, and another file is changed": (
        {"specs/one.yaml": None, "specs/two.yaml": ("says:", "says: >-\n   ")},
        2,
        2,
    ),
    "a claim that no other claim needs is deleted": ({"specs/both.yaml": None}, 0, 0),
}
"""For each file of a commit, the old and new text, or None if the file is deleted. Then the hooks' exit codes."""


@pytest.mark.parametrize("case", COMMITS)
def test_hooks_do_what_they_say(case: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks run before each commit, even if it only deletes files. They refuse a commit that would cause an error."""
    played = read_spec("played/played")
    texts = {"one": played.replace("played", "one"), "two": played.replace("played", "two"), "both": JOINED}
    texts |= {name: read_spec(f"played/{name}") for name in ("lowest", "own")}
    monkeypatch.chdir(tmp_path)
    pathlib.Path("specs").mkdir()
    pathlib.Path("README.md").write_text("Ours\n")
    for name, text in texts.items():
        pathlib.Path(f"specs/{name}.yaml").write_text(text)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "all")
    changes, *codes = COMMITS[case]
    for name, change in changes.items():
        path = pathlib.Path(name)
        if change is None:
            path.unlink()
        else:
            assert change[0] in path.read_text()
            path.write_text(path.read_text().replace(*change))
    git("add", "-A")
    assert [run_hook(hook) for hook in hooks().values()] == codes


def test_the_workflow_runs_what_exists() -> None:
    """The workflow uses this repository's action with existing inputs, its commands parse, and it uploads results."""
    workflow = load(WORKFLOW)
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    lines = [line for step in steps for line in step.get("run", "").splitlines()]
    assert [parse(line).command for line in lines] == ["validate", "recheck"]
    (audit,) = (step for step in steps if step.get("id") == "audit")
    assert (ROOT / audit["uses"]).resolve() == ACTION.parent
    assert set(audit["with"]) <= set(load(ACTION)["inputs"])
    for name in audit["with"]["claims"].split():
        assert (ROOT / "specs" / name).is_dir()
    named = set(re.findall(r"steps\.audit\.outputs\.([a-z]+)", WORKFLOW.read_text()))
    assert {"complete", "sarif"} <= named <= set(load(ACTION)["outputs"])
    assert workflow["permissions"]["security-events"] == "write"
    foreign = [step["uses"] for step in steps if "uses" in step and step is not audit]
    assert all(re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", uses) for uses in foreign)


def test_the_action_uses_each_of_its_inputs() -> None:
    """Every input is explained, has a default, and is used. The documentation has the same default."""
    action = load(ACTION)
    text = ACTION.read_text()
    page = (ROOT / "docs/continuous-integration.md").read_text()
    for name, value in action["inputs"].items():
        assert value["description"]
        assert f"inputs.{name} " in text
        default = {"": "(all|none)"}.get(value["default"], f"`{re.escape(value['default'])}`")
        assert re.search(rf"^\| `{name}` \| {default} \|", page, re.MULTILINE), name
    assert action["runs"]["using"] == "composite"
    assert all("shell" in step for step in action["runs"]["steps"] if "run" in step)
    assert "${{" not in (ACTION.parent / "check.sh").read_text()
    assert not re.search(r"run:.*\$\{\{", text)


def test_the_workflow_and_hooks_of_the_page_work() -> None:
    """They use a copy of this repository as a submodule, and do not name a GitHub account."""
    text = (ROOT / "docs/continuous-integration.md").read_text()
    short, workflow, (upload,), kept, hooks_file = (
        yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    )
    steps = short["jobs"]["audit"]["steps"]
    assert len(steps) == 4
    assert "Then `.github/workflows/claims.yml` needs four steps" in text
    first, *typed = [step["run"] for step in steps if "run" in step]
    assert first == "pip install ./game-claim-verifier"
    for line in typed:
        parse(line)
    cache, check = kept
    parse(check["run"])
    assert cache["with"]["path"] == check["env"]["VERIFIER_CACHE"]
    (*_, checkout, audit) = workflow["jobs"]["audit"]["steps"]
    assert checkout["with"]["submodules"] is True
    assert ROOT / audit["uses"].removeprefix("./game-claim-verifier/") == ACTION.parent
    assert set(audit["with"]) <= set(load(ACTION)["inputs"])
    ours = load(WORKFLOW)["jobs"]["audit"]["steps"]
    assert upload in [{key: step[key] for key in step if key != "name"} for step in ours]
    (repository,) = hooks_file["repos"]
    assert {hook["id"] for hook in repository["hooks"]} == set(hooks())
    assert "OWNER" not in text


def put_verifier(
    folder: pathlib.Path, text: str = f'exec {shlex.quote(sys.executable)} -m verifier "$@"'
) -> pathlib.Path:
    """Put a script called ``verifier`` into a new folder ``bin``. Return this folder, for ``PATH``."""
    path = folder / "bin/verifier"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path.parent


def test_the_action_reads_no_file_outside_the_workspace() -> None:
    """If another repository uses the action, the action's files are outside, and setup-python could not hash them."""
    for step in load(ACTION)["runs"]["steps"]:
        assert "cache-dependency-path" not in step.get("with", {})
        assert "hashFiles" not in str(step)


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        ({}, 0),
        pytest.param({"CLAIMS": "start", "OPTIONS": "--no-cache --jobs 1", "MINUTES": "09"}, 0, marks=pytest.mark.slow),
        ({"CLAIMS": "$(touch made)"}, 2),
        pytest.param({"OPTIONS": "--nothing"}, 2, marks=pytest.mark.slow),
        pytest.param({"MINUTES": "soon"}, 2, marks=pytest.mark.slow),
        pytest.param({"MINUTES": "0"}, 143, marks=pytest.mark.slow),
        ({"SPECS": "wrong"}, 1),
        ({"SPECS": "broken"}, 2),
        pytest.param({"SPECS": "broken", "CLAIMS": "start broken"}, 2, marks=pytest.mark.slow),
        pytest.param({"SPECS": "unused"}, 2, marks=pytest.mark.slow),
    ],
)
def test_the_action_runs_a_check(inputs: dict[str, str], code: int, tmp_path: pathlib.Path) -> None:
    """The action ends as ``verifier check`` does, names its reports, writes the summary, and never runs an input."""
    text = (ROOT / "specs/paper/1-introduction/rules-start.yaml").read_text().replace("rules-start", "start")
    beside = {
        "broken": text.replace("says:", "says: this:"),
        "unused": read_spec("played/lowest")
        .replace("rules: own", "rules: tictactoe")
        .replace("free[s]", "free[s + 1]"),
    }
    for name in ("specs", "wrong", *beside):
        (tmp_path / name).mkdir()
        (tmp_path / name / "start.yaml").write_text(text.replace("proved", "refuted") if name == "wrong" else text)
        if name in beside:
            (tmp_path / name / "wrong.yaml").write_text(beside[name])
    usual = {"SPECS": "specs", "CLAIMS": "", "OPTIONS": "", "MINUTES": "30", "REPORTS": str(tmp_path)}
    files = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **usual, **inputs, **files}
    environment["PATH"] = f"{put_verifier(tmp_path)}:{os.environ['PATH']}"
    script = ["bash", str(ACTION.parent / "check.sh")]
    done = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    kept = {"ledger": "ledger.json", "sarif": "ledger.sarif", "report": "report.html"}
    outputs = "".join(f"{key}={tmp_path / name}\n" for key, name in kept.items())
    if "MINUTES" not in inputs or inputs["MINUTES"].isdecimal():
        outputs += f"complete={'true' if code < 2 or inputs.get('SPECS') == 'unused' else 'false'}\n"
    assert (tmp_path / "output").read_text() == outputs
    assert (tmp_path / "report.html").exists() == (code < 2 or inputs.get("SPECS") in ("broken", "unused"))
    assert not (tmp_path / "made").exists()
    assert "## Game claim verifier" in (tmp_path / "summary").read_text()
    annotations = re.findall("^::error.*", done.stdout + done.stderr, re.MULTILINE)
    assert len(annotations) == (2 if code == 143 else 1 if code else 0)
    assert "every verdict as expected" not in done.stdout or code == 0 or inputs["SPECS"] == "unused"
    limit = "the time limit was reached (input 'minutes': 0)"
    for told in (done.stdout, (tmp_path / "summary").read_text()):
        assert (limit in told) == (code == 143)
    if code == 2 and inputs.get("SPECS") in ("broken", "unused"):
        assert f"::error file={inputs['SPECS']}/wrong.yaml,line=" in done.stdout
        assert "wrong.yaml" in (tmp_path / "summary").read_text()
    if code < 2 or inputs.get("SPECS") == "broken":
        assert json.loads((tmp_path / "ledger.json").read_text())["claims"][0]["id"] == "start"
        assert "start" in (tmp_path / "summary").read_text()


def test_the_script_of_the_action_runs_without_github(tmp_path: pathlib.Path) -> None:
    """The page on CI has this command, and the summary. Everything is written to a new folder, which is named first."""
    page = (ROOT / "docs/continuous-integration.md").read_text()
    script = (ACTION.parent / "check.sh").relative_to(ROOT)
    assert f"    bash game-claim-verifier/{script}\n" in page
    project, new = tmp_path / "my-paper", tmp_path / "new"
    assert command("new", project).code == 0
    edit(project / "specs/first-player-always-wins.yaml", "expect: refuted", "expect: proved")
    before = {*tmp_path.rglob("*")}
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GITHUB_")}
    environment |= {"TMPDIR": str(new), "VERIFIER_CACHE": str(new / "cache"), "PYTHONPATH": str(ROOT)}
    environment["PATH"] = f"{put_verifier(tmp_path)}:{os.environ['PATH']}"
    new.mkdir()
    run = ["bash", str(ROOT / script)]
    done = subprocess.run(run, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    (folder,) = (path for path in new.iterdir() if path.name != "cache")
    assert done.stderr == f"ledger, results, report and summary: {folder}\n"
    files = {"ledger.json", "ledger.sarif", "report.html", "outputs", "summary.md"}
    assert {path.name for path in folder.iterdir()} == files
    assert {*tmp_path.rglob("*")} - {*new.rglob("*"), new, tmp_path / "bin", tmp_path / "bin/verifier"} == before
    (sample,) = re.findall("```markdown\n(.*?)```", page, re.DOTALL)
    assert (folder / "summary.md").read_text().startswith(f"{sample}\n")


DEATHS = {
    "echo one >&2; echo two >&2; exit 1": "one%0Atwo%0Averifier check ended with exit code 1",
    "kill -9 $$": "verifier check ended with exit code 137: it was killed, perhaps because there was not enough memory",
}


@pytest.mark.parametrize("death", DEATHS)
def test_a_check_that_dies_is_one_annotation(death: str, tmp_path: pathlib.Path) -> None:
    """It has what the check said last, and the exit code. So does the summary."""
    action = start_action(tmp_path, death)
    out, _ = action.communicate(timeout=60)
    code = DEATHS[death].partition("exit code ")[2].partition(":")[0]
    head = f"o verdict was printed (exit code {code})"
    assert (action.returncode, out) == (int(code), f"::error title=n{head}::{DEATHS[death]}\n")
    summary = (tmp_path / "summary").read_text()
    assert summary.startswith(f"## Game claim verifier\n\n**N{head}**\n\n    ")
    assert DEATHS[death].replace("%0A", "\n    ") in summary
    assert (tmp_path / "output").read_text().endswith("complete=false\n")


def start_action(folder: pathlib.Path, check: str, **inputs: str) -> subprocess.Popen[str]:
    """Start the action's check, with a few lines of shell in place of ``verifier``."""
    usual = {"SPECS": "specs", "CLAIMS": "", "OPTIONS": "", "MINUTES": "30", "REPORTS": str(folder)}
    files = {"GITHUB_OUTPUT": str(folder / "output"), "GITHUB_STEP_SUMMARY": str(folder / "summary")}
    environment = {
        **os.environ,
        **usual,
        **files,
        **inputs,
        "PATH": f"{put_verifier(folder, check)}:{os.environ['PATH']}",
    }
    script = ["bash", str(ACTION.parent / "check.sh")]
    return subprocess.Popen(script, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_cancelled_action_says_how_far_it_came(number: signal.Signals, tmp_path: pathlib.Path) -> None:
    """The runner stops the shell. The shell stops the check, and waits for its last words."""
    last_words = "trap 'sleep 0.5; echo \"2 of 5 readings decided\"; exit 143' TERM"
    action = start_action(tmp_path, f"{last_words}\ntouch began\nwhile :; do sleep 0.05; done")
    end = time.monotonic() + 60
    while not (tmp_path / "began").exists():
        assert time.monotonic() < end, "the check did not start"
        time.sleep(0.05)
    action.send_signal(number)
    out, _ = action.communicate(timeout=60)
    assert (action.returncode, out) == (143, "2 of 5 readings decided\n")


@pytest.mark.parametrize("code", [0, 1, 4])
def test_outputs_that_cannot_be_written_hide_no_verdict(code: int, tmp_path: pathlib.Path) -> None:
    """Without its outputs a job would upload nothing, so this is an error."""
    action = start_action(
        tmp_path, f"[ $1 = validate ] || {{ echo verdicts; exit {code}; }}", GITHUB_OUTPUT="/dev/full"
    )
    out, _ = action.communicate(timeout=60)
    assert out == "::error title=cannot write::the outputs of the action: /dev/full\nverdicts\n"
    assert action.returncode == max(code, 2)
    assert not (tmp_path / "summary").exists()
