"""What is wrong with a folder of specs is told at once, and costs what it concerns and nothing else."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.report.test_broken_folders import PLAYED, RULES, STRATEGY
from verifier.cli import main
from verifier.language.folder import read_library

CLAIM = """\
claim: {name}
title: A claim for tests
source: {{document: test, place: part 1, says: It holds.}}
rules: tictactoe
uses: [{uses}]
readings:
  as-stated: {{step: start, expect: proved, steps: {{start: {{conclude: ["{formula}"]}}}}}}
"""


@pytest.fixture
def specs(tmp_path: pathlib.Path) -> pathlib.Path:
    """Return a folder: one claim that holds; one that is not YAML, one of a wrong shape, and so on, stage by stage."""

    def write(name: str, formula: str = "ply == 0", uses: str = "", old: str = "", new: str = "") -> None:
        text = CLAIM.format(name=name, uses=uses, formula=formula)
        assert old in text
        (tmp_path / f"{name}.yaml").write_text(text.replace(old, new))

    write("good")
    write("unquoted", old='"ply == 0"', new="X[0] or [1, 2")
    write("shapeless", old="steps:", new="stps:")
    write("needy", uses="godo")
    write("expressive", formula="plyy == 0")
    write("above", uses="unquoted")
    write("higher", uses="above, good")
    return tmp_path


def test_faults_of_all_stages_are_told_together(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """YAML, shape, references and expressions, each with a hint; that something needs a faulty file is not a fault."""
    assert main(["validate", str(specs)]) == 2
    told = capsys.readouterr().err.splitlines()
    lost = ["claim needy", "claim shapeless", "claim above, claim higher, claim unquoted"]
    assert [line for line in told if line.startswith(" ")] == [f"    not checked: {names}" for names in lost]
    faults = [line for line in told if not line.startswith(" ")]
    names = ["expressive", "needy", "shapeless", "unquoted"]
    for line, name, hint in zip(faults, names, ["'ply'", "'good'", "'stps'", "has to be quoted"], strict=True):
        assert line.startswith(f"{specs}/{name}.yaml:")
        assert hint in line


def test_a_faulty_file_costs_its_own_claims_and_what_needs_them(
    specs: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are checked; the exit code is 2, and the faults are told at the end."""
    assert set(read_library(specs)[0].claims) == {"good", "expressive"}
    assert main(["check", "--specs", str(specs), "--jobs", "1"]) == 2
    out, err = capsys.readouterr()
    assert re.search("^proved +good ", out, re.MULTILINE)
    assert err == ""
    assert out.count("    not checked: ") == 4
    assert main(["check", "above", "good", "--specs", str(specs), "--jobs", "1"]) == 2
    out, err = capsys.readouterr()
    assert re.search("^proved +good ", out, re.MULTILINE)
    assert f"{specs}/unquoted.yaml:" in out
    assert err == ""
    assert main(["check", "abve", "good", "--specs", str(specs), "--jobs", "1"]) == 2
    out, err = capsys.readouterr()
    assert err == ""
    assert "there is no claim or file 'abve', unless it is in a file with a fault\n    not checked: claim abve" in out


@pytest.mark.parametrize("command", ["validate", "check"])
@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "own",
            "positional",
            "positionel",
            "own.yaml:4:9: 'positionel' is not a family of games: nested or positional",
        ),
        ("own", "columns: 3", "colums: 3", "own.yaml:5:18: 'colums' is not a key here: did you mean 'columns'?"),
        ("own", "X_line", "X_lin", "own.yaml:7:33: 'X_lin' is not defined: did you mean 'X_line'?"),
        ("own", "positional", '"x', "own.yaml:8:1: not YAML"),
        ("lowest", "when:", "whn:", "lowest.yaml:6:50: 'whn' is not a key here: did you mean 'when'?"),
        ("lowest", "free[s]", "free[s + 4]", "lowest.yaml:6:62: 9 is not an index from 0 to 8"),
    ],
)
def test_one_fault_is_told_once_with_the_claims_that_it_costs(
    command: str,
    file: str,
    old: str,
    new: str,
    told: str,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many claims need a file, and however many members of a family fail at one place of it."""
    monkeypatch.setenv("COLUMNS", "500")
    texts = {"own": RULES, "lowest": STRATEGY} | {
        f"play-{number}": PLAYED.replace("claim: played", f"claim: play-{number}") for number in range(5)
    }
    texts[file] = texts[file].replace(old, new)
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    words = ["validate", str(tmp_path)] if command == "validate" else ["check", "--jobs=1", "--specs", str(tmp_path)]
    assert main(words) == 2
    lines = "".join(capsys.readouterr()).splitlines()
    (place,) = (number for number, line in enumerate(lines) if told.partition(": ")[2] in line)
    assert lines[place].startswith(f"{tmp_path}/{told}")
    if command == "check" or "index" not in told:
        assert lines[place + 1].startswith("    not checked: ")
        assert re.search("(claim play-[01]|reading play-[01]/as-stated)", lines[place + 1])
    assert main(["show", "play-3", "--specs", str(tmp_path)]) == 2
    assert f"{file}.yaml" in capsys.readouterr().err
