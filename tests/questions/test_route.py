"""CONTRIBUTING's route to a new question: a folder, a file in the kernel, and a line in each of three registries."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import verifier

MADE = pathlib.Path(__file__).parent / "moves"
PACKAGE = pathlib.Path(verifier.__file__).parent
LINES = {
    "questions/registry.py": ("from verifier.questions.moves.model import Moves\n", '    "moves": Moves,\n'),
    "kernel/kinds.py": (
        "from verifier.kernel.moves import count_moves, decide_moves\n",
        '    "moves": Kind(count_moves, decide_moves),\n',
    ),
    "describing.py": ("from verifier.kernel.moves import describe_moves\n", '    "moves": describe_moves,\n'),
}
"""The import and the line that each registry gets."""

CLAIM = """
claim: first-moves
title: How many moves there are
source: {document: mine, place: here, says: A test., ours: true}
rules: tictactoe
readings:
  as-stated: {moves: 9, expect: proved}
  later: {moves: 7, start: [0, 1], expect: proved}
  too-many: {moves: 10, expect: refuted, control: true}
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A copy of the package with the question ``moves``, beside a claim that asks it."""
    root = tmp_path_factory.mktemp("route")
    package = shutil.copytree(PACKAGE, root / "verifier", ignore=shutil.ignore_patterns("__pycache__"))
    folder = shutil.copytree(MADE, package / "questions" / "moves", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.move(folder / "kind.py", package / "kernel" / "moves.py")
    for name, (imported, line) in LINES.items():
        text = (package / name).read_text(encoding="utf-8")
        last = '    "sum": '
        before, found, after = text.partition(last)
        assert found
        first = before.index("from verifier.")
        (package / name).write_text(f"{before[:first]}{imported}{before[first:]}{line}{found}{after}", encoding="utf-8")
    (root / "specs").mkdir()
    (root / "specs" / "claim.yaml").write_text(CLAIM, encoding="utf-8")
    shutil.copy(PACKAGE.parent / "specs/paper/rules/tictactoe.yaml", root / "specs")
    return root


def run(root: pathlib.Path, *words: str) -> str:
    """Return the output of a command; require that it ends with 0."""
    environment = {**os.environ, "PYTHONPATH": str(root), "VERIFIER_CACHE": str(root / "cache"), "COLUMNS": "120"}
    done = subprocess.run(
        [sys.executable, "-m", *words],
        check=False,
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_question_is_added_by_the_route(root: pathlib.Path) -> None:
    """The claim is decided, and a false one refuted. Words, page and ``recheck`` work without other changes."""
    assert "3 readings (1 control): every verdict as expected" in run(root, "verifier", "check", "--out", "proofs")
    shown = run(root, "verifier", "show", "first-moves")
    assert "exactly 7 moves are legal after 0 1" in shown
    assert "9 moves are legal, not 10" in shown
    run(root, "verifier", "report", "--out", "page.html")
    assert "how many moves are legal in a position" in (root / "page.html").read_text(encoding="utf-8")
    assert "a statement of kind 'moves'" in run(root, "verifier.kernel", "proofs")
    assert "exactly 9 moves are legal" in run(root, "verifier", "recheck", "--proofs", "proofs")
