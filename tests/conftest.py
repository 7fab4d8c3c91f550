import functools
import gc
import itertools
import pathlib
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

TESTS = pathlib.Path(__file__).parent
TOGETHER = {
    "tests/cli/test_play.py": "the plays of Lemma 3",
    "tests/graph/test_playable.py": "the plays of Lemma 3",
    "tests/report/test_explorer.py": "the plays of Lemma 3",
    **dict.fromkeys((f"tests/report/test_{name}.py" for name in ("graph", "html", "golden", "site")), "a report"),
    **dict.fromkeys((f"tests/kernel/test_{name}.py" for name in ("corpus", "forms", "refutation")), "obligations"),
    **dict.fromkeys(
        (
            "tests/api/test_value.py",
            "tests/audit/test_run.py",
            "tests/documents/test_forms.py",
            *(f"tests/search/threats/test_{name}.py" for name in ("boards", "forced", "symmetry")),
        ),
        "the machine code of threats",
    ),
    "tests/questions/test_bound.py": "the machine code of bounds",
    **dict.fromkeys(
        (f"tests/search/bounded/test_{name}.py" for name in ("confine", "deepen", "plain", "plans", "prove", "work")),
        "the machine code of bounds",
    ),
}
"""Files of tests that share what takes long to make: one process runs them all. Each other file is by itself."""

LONG = (
    "tests/audit/test_run.py",
    "tests/search/threats",
    "tests/cli",
    "tests/graph/test_playable.py",
    "tests/documents",
    "tests/report",
)
"""What takes longest begins first, so that no process is at it when the others have nothing left to do."""


gc.set_threshold(200_000, 100, 100)  # collect garbage rarely, as processes of a pool do


def pytest_collection_finish() -> None:
    """Keep what has been made so far out of garbage collections: it is needed to the end."""
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that drive a browser or build Coq proofs as slow: they take minutes."""
    for item in items:
        if {"browser", "coq"}.intersection(item.path.relative_to(TESTS).parts):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give files to processes in the order of the tests; files in ``TOGETHER`` go to one process."""
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    config.option.loadscopereorder = False
    scheduling = LoadFileScheduling(config, log)
    scheduling._split_scope = lambda test: TOGETHER.get(test.partition("::")[0], test.partition("::")[0])
    return scheduling


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pathlib.Path]:
    """Paths for new folders. Making and deleting a folder would take longer than most tests take."""
    root = tmp_path_factory.mktemp("caches")
    return (root / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_cache(caches: Iterator[pathlib.Path], monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Each test has its own cache and Coq build, so no test passes because of earlier results."""
    folder = next(caches)
    monkeypatch.setenv("VERIFIER_CACHE", str(folder))
    monkeypatch.setenv("VERIFIER_COQ", str(folder / "coq"))
    return folder


@pytest.fixture(autouse=True)
def shipped_specs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process reads the shipped specs once, for all commands of a test. No test changes them."""
    for name, function, once in (
        ("verifier.api.loading", "recall_outline", _recall_once),
        ("verifier.questions.compile", "read_library", _read_once),
    ):
        if name in sys.modules:
            monkeypatch.setattr(sys.modules[name], function, once)
    if outlining := sys.modules.get("verifier.audit.outlining"):
        monkeypatch.setattr(outlining, "_hash_folder", functools.partial(_hash_once, outlining._hash_folder))


@pytest.fixture(autouse=True)
def few_logs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In quick tests Exact solves each problem twice, not eight times. A refutation then may be longer."""
    if "verifier.solver.logs" in sys.modules and request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr(sys.modules["verifier.solver.logs"], "LOG_SEEDS", range(1, 3))


def _hash_once(hash_folder: Callable[[pathlib.Path], Any], folder: pathlib.Path) -> Any:
    """Return the hashes of the files of a folder as ``hash_folder`` does."""
    from tests.rules import SPECS

    return _hash_shipped(hash_folder) if folder.resolve() == SPECS else hash_folder(folder)


@functools.cache
def _hash_shipped(hash_folder: Callable[[pathlib.Path], Any]) -> Any:
    from tests.rules import SPECS

    return hash_folder(SPECS)


def _recall_once(folders: Any) -> Any:
    """Return the outline of a folder as ``recall_outline`` does."""
    from tests.rules import SPECS
    from verifier.audit.outlining import recall_outline

    return _outline_once() if folders.specs.resolve() == SPECS and not folders.made else recall_outline(folders)


@functools.cache
def _outline_once() -> Any:
    from tests.rules import specs
    from verifier.audit.outlining import make_outline

    return make_outline(specs())


def _read_once(folder: pathlib.Path, grammar: Any, made: Iterable[Any] = ()) -> tuple[Any, list[Any]]:
    """Read a folder of specs as ``read_library`` does."""
    from tests.rules import SPECS, specs
    from verifier.language.folder import read_library

    return (specs(), []) if folder.resolve() == SPECS and not made else read_library(folder, grammar, made=made)
