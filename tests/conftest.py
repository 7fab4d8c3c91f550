from __future__ import annotations

import itertools
import pathlib
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pathlib.Path]:
    """Folders that no test has had: ``tmp_path_factory`` would take longer than most tests to make one for each."""
    root = tmp_path_factory.mktemp("caches")
    return (root / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_cache(caches: Iterator[pathlib.Path], monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Each test has a cache and a Coq build of its own: none passes by what another one, or a user, has found."""
    folder = next(caches)
    folder.mkdir()
    monkeypatch.setenv("VERIFIER_CACHE", str(folder))
    monkeypatch.setenv("VERIFIER_COQ", str(folder / "coq"))
    return folder
