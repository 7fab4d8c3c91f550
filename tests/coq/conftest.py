"""The tests of the Coq proofs need Coq, which nothing installs. With ``VERIFIER_REQUIRE_COQ`` they may not skip."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SOURCES = ROOT / "proofs" / "coq"


def build(sources: pathlib.Path, folder: pathlib.Path, *goals: str) -> subprocess.CompletedProcess[str]:
    """Run the build of ``make coq`` on the goals, or with other options; without data, unless the options name some."""
    options = ["--sources", str(sources), "--build", str(folder), "--jobs", "1"]
    if not any(goal.startswith("--data") for goal in goals):
        options.append("--without-data")
    command = [sys.executable, "-m", "proofs.coq.tools", *options, *goals]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)


@pytest.fixture(scope="session")
def coqc() -> str:
    """The path of Coq's compiler."""
    path = shutil.which("coqc")
    if path is None:
        assert "VERIFIER_REQUIRE_COQ" not in os.environ, "VERIFIER_REQUIRE_COQ is set, and there is no coqc"
        pytest.skip("no coqc: apt-get install --no-install-recommends coq libcoq-core-ocaml-dev")
    return path


def build_some(folder: pathlib.Path, *goals: str) -> pathlib.Path:
    """Build some files in an empty folder. Start from what ``make coq`` has left; make compiles stale files."""
    for path in (ROOT / "build" / "coq").glob("*.v*"):
        if not path.name.startswith("Leaves"):
            shutil.copy2(path, folder)
    done = build(SOURCES, folder, *goals)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def built(coqc: str, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A build folder with everything that the data need, including the rules and the strategies."""
    return build_some(tmp_path_factory.mktemp("coq"), "FirstTwo.vo")
