from __future__ import annotations

import pathlib
import platform
import shutil
import sys

import pytest

import verifier
from tests.checkers.cached import ROOT
from verifier.checkers import keys
from verifier.checkers.keys import Keys, find_stamp, find_tool
from verifier.kernel.certificate import hash_value
from verifier.spec.compile import compile_reading
from verifier.spec.library import load_library


@pytest.fixture
def specs(tmp_path: pathlib.Path) -> pathlib.Path:
    shutil.copytree(ROOT / "specs", tmp_path / "specs")
    return tmp_path / "specs"


def keys_of(specs: pathlib.Path, memory_mib: int = 512, tool: str = "") -> dict[tuple[str, str], str]:
    library = load_library(specs)
    found = Keys(library, tool, memory_mib)
    return {
        (claim, name): found.of_sources((claim, name))
        for claim in library.claims
        for name in library.claim(claim).readings
    }


def changed(old: dict[tuple[str, str], str], new: dict[tuple[str, str], str]) -> set[str]:
    return {claim for claim, name in old if old[claim, name] != new[claim, name]}


def test_no_two_readings_have_the_same_key(specs: pathlib.Path) -> None:
    """Readings of equal words in two claims are kept apart: their certificates name them."""
    found = keys_of(specs)
    assert len(set(found.values())) == len(found) > 100


def test_a_key_is_the_same_in_every_run(specs: pathlib.Path) -> None:
    """Two loads of the same specs, from two folders, give the same keys."""
    assert keys_of(specs) == keys_of(ROOT / "specs")


def test_the_order_of_rules_counts(specs: pathlib.Path) -> None:
    """The rules of a strategy are tried in their order: to change it changes the keys of its readings."""
    before = keys_of(specs)
    library = load_library(specs)
    value = library.strategies["careful-first"].document.value
    phase = next(phase for phase in value["phases"].values() if len(phase["rules"]) > 1)
    phase["rules"] = dict(reversed(phase["rules"].items()))
    found = Keys(library, "", 512)
    assert found.of_sources(("careful-first-is-safe", "as-stated")) != before["careful-first-is-safe", "as-stated"]
    assert (
        found.of_sources(("lowest-spot-keeps-fields", "as-stated")) == before["lowest-spot-keeps-fields", "as-stated"]
    )


def test_shared_definitions_count(specs: pathlib.Path) -> None:
    """A new definition in a shared file changes the key of the sources of whoever includes it, and no statement."""
    before = keys_of(specs)
    library = load_library(specs)
    name = next(name for name in library.definitions if name in library.claim("lemma-2").includes)
    path = specs / library.definitions[name].document.file
    path.write_text(path.read_text().replace("\ndefine:\n", "\ndefine:\n  quite_unused: 0 == 1\n"))
    after = changed(before, keys_of(specs))
    assert "lemma-2" in after
    assert "careful-first-is-safe" not in after
    again = load_library(specs)
    reference = ("lemma-2", "as-stated")
    assert Keys(again, "", 512).of_statement(reference, compile_reading(again, *reference)) == Keys(
        library, "", 512
    ).of_statement(reference, compile_reading(library, *reference))


def test_a_bound_depends_on_its_parts(specs: pathlib.Path) -> None:
    """Where a part of a bound states something else, the bound put together from it is another one too."""
    before = keys_of(specs)
    library = load_library(specs)
    whole, part = next(
        ((claim, name), text.split("/"))
        for claim in library.claims
        for name, reading in library.claim(claim).readings.items()
        for text in getattr(reading, "parts", ())
        if reading.method == "bound"
    )
    library.claims[part[0]].document.value["readings"][part[1]]["no_win_by"] = 20
    assert Keys(library, "", 512).of_sources(whole) != before[whole]


def test_the_memory_of_a_search_counts_for_bounds_alone(specs: pathlib.Path) -> None:
    """Which replies a long search finds may depend on its tables; nothing else does."""
    library = load_library(specs)
    after = changed(keys_of(specs, 512), keys_of(specs, 256))
    assert after
    assert after == {
        claim
        for claim in library.claims
        for reading in library.claim(claim).readings.values()
        if getattr(reading, "no_win_by", None) is not None
    }


def test_the_tool_counts_everywhere(specs: pathlib.Path) -> None:
    """No key of one version of the tool is one of another."""
    assert not set(keys_of(specs, tool="a").values()) & set(keys_of(specs, tool="b").values())


def test_equal_sources_state_the_same_and_no_other(specs: pathlib.Path) -> None:
    """Whatever one word of the examples is changed to, where the statement changes the key of the sources does."""
    examples = specs.parent / "examples"
    shutil.copytree(specs / "examples", examples)
    before = keys_of(examples)
    library = load_library(examples)
    old = {key: hash_value(compile_reading(library, *key).statement) for key in before}
    seen = 0
    for path in sorted(examples.rglob("*.yaml")):
        text = path.read_text()
        for old_word, new_word in (("X", "O"), ("5", "4"), (" and ", " or "), ("true", "false"), ("[0", "[1")):
            path.write_text(text.replace(old_word, new_word))
            try:
                library = load_library(examples)
                new = {key: hash_value(compile_reading(library, *key).statement) for key in before}
            except Exception:  # noqa: BLE001, S112 - a change that says nothing at all is not asked about
                continue
            finally:
                path.write_text(text)
            found = Keys(library, "", 512)
            for key in before:
                if old[key] != new[key]:
                    seen += 1
                    assert found.of_sources(key) != before[key]
    assert seen > 3


def test_any_change_of_the_tool_is_another_tool(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte more in any source file, a new file, or another version of a library: another hash."""
    package = tmp_path / "verifier"
    shutil.copytree(pathlib.Path(verifier.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    original = find_tool().hash
    monkeypatch.setattr(verifier, "__file__", str(package / "__init__.py"))
    assert find_tool().hash == original
    stamp = find_stamp()
    for name in ("kernel/games/nested.py", "checkers/cache.py", "spec/model.py", "report/text.py"):
        path = package / name
        text = path.read_text()
        path.write_text(text + "#")
        assert find_tool().hash != original
        assert find_stamp() != stamp
        path.write_text(text)
    assert find_tool().hash == original
    (package / "new.py").write_text("")
    assert find_tool().hash != original
    (package / "new.py").unlink()
    for library in keys.LIBRARIES:
        with monkeypatch.context() as patch:
            version = keys._version
            patch.setattr(keys, "_version", lambda name, old=library, get=version: "0" if name == old else get(name))
            assert find_tool().hash != original
    monkeypatch.setattr("sys.version", sys.version.replace(platform.python_version(), "3.99.0"))
    assert find_tool().hash != original
