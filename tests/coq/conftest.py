"""The tests of the Coq proofs need Coq, which nothing installs; where ``VERIFIER_REQUIRE_COQ`` is set none may skip."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
from types import ModuleType

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SOURCES = ROOT / "proofs" / "coq"


def load_build() -> ModuleType:
    """Return ``proofs/coq/build.py`` as a module."""
    spec = importlib.util.spec_from_file_location("coq_build", SOURCES / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(sources: pathlib.Path, folder: pathlib.Path, *goals: str) -> subprocess.CompletedProcess[str]:
    """Run the build of ``make coq`` on the goals."""
    command = [
        sys.executable,
        str(SOURCES / "build.py"),
        "--sources",
        str(sources),
        "--build",
        str(folder),
        "--jobs",
        "1",
    ]
    return subprocess.run([*command, *goals], check=False, capture_output=True, text=True)


@pytest.fixture(scope="session")
def coqc() -> str:
    """Where Coq's compiler is."""
    path = shutil.which("coqc")
    if path is None:
        assert "VERIFIER_REQUIRE_COQ" not in os.environ, "VERIFIER_REQUIRE_COQ is set, and there is no coqc"
        pytest.skip("no coqc: apt-get install --no-install-recommends coq libcoq-core-ocaml-dev")
    return path


@pytest.fixture(scope="session")
def built(coqc: str, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A build folder with the rules and the strategy."""
    folder = tmp_path_factory.mktemp("coq")
    done = build(SOURCES, folder, "Play.vo", "Strategy.vo")
    assert done.returncode == 0, done.stderr
    return folder
