"""Every example in a docstring, in README and on the library's page prints what is shown."""

import doctest
import importlib
import pathlib

import pytest

from tests.docs.library import PAGE, write_page

ROOT = pathlib.Path(__file__).parents[2]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "verifier").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.attempted
    assert not found.failed


@pytest.mark.slow
def test_the_examples_of_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    import verifier

    found = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, globs={"verifier": verifier}, optionflags=doctest.ELLIPSIS
    )
    assert (found.failed, found.attempted) == (0, 3)


def test_the_page_is_made_from_the_docstrings() -> None:
    assert PAGE.read_text(encoding="utf-8") == write_page()
