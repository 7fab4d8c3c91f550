from __future__ import annotations

import pathlib

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Each test has a cache and a Coq build of its own: none passes by what another one, or a user, has found."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("VERIFIER_CACHE", str(folder))
    monkeypatch.setenv("VERIFIER_COQ", str(folder / "coq"))
    return folder
