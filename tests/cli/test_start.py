"""If an earlier run has found the answer, a command loads no slow module before it prints the answer."""

import pathlib
import subprocess
import sys

import pytest

from tests.audit.made import write_specs
from tests.commands import command

HEAVY = {"networkx", "numba", "numpy", "pydantic", "rich", "yaml", "z3"}
LIGHT = {
    "verifier.language",
    "verifier.language.outline",
    "verifier.language.problem",
    "verifier.questions",
    "verifier.questions.result",
    "verifier.questions.values",
    "verifier.questions.words",
}
"""The modules of the language and of the questions that load fast, because they hold only values and words."""


def list_heavy(*words: object) -> tuple[str, set[str]]:
    """Run a command in a new process. Return its output, and the modules that it loads and should not need."""
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
    line = [sys.executable, "-c", f"{code}; from verifier.cli import main; sys.exit(main())", *map(str, words)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stderr.split())
    own = {name for name in loaded if name.startswith(("verifier.language", "verifier.questions"))}
    return done.stdout, (own - LIGHT) | (loaded & HEAVY)


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """Check some claims. Return the options with which other commands find the specs and the cache."""
    folder = tmp_path_factory.mktemp("checked")
    found: list[object] = ["--specs", write_specs(folder / "specs"), "--cache", folder / "cache"]
    assert command("check", "--jobs", 1, *found).code == 0
    return found


def test_help_loads_nothing_heavy() -> None:
    text, heavy = list_heavy("--help")
    assert "list the claims of each document" in text
    assert not heavy


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["list"], "proved        starts"),
        (["show", "lowest-spot-keeps-fields"], "after X plays"),  # a witness is drawn
        (["show", "steps"], "reading "),
        (["show", "starts", "--why"], "as-stated (steps): proved"),
        (["check"], "every verdict as expected"),
        (["check", "starts"], "1 reading: every verdict as expected; 1 remembered"),
    ],
)
def test_remembered_results_are_shown_without_parsing(words: list[object], says: str, options: list[object]) -> None:
    text, heavy = list_heavy(*words, *options)
    assert says in text
    assert not heavy


def test_without_remembered_results_files_are_parsed(options: list[object], tmp_path: pathlib.Path) -> None:
    """With an empty cache, the command loads the slow modules, so the test above can fail."""
    _, heavy = list_heavy("list", *options[:2], "--cache", tmp_path)
    assert {"pydantic", "yaml", "verifier.language.library"} <= heavy
