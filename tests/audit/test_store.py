"""Results are remembered under the hash of code and input. Damaged results are ignored."""

import json
import pathlib
from dataclasses import replace

import pytest

from tests.audit.made import check, make_plan, tree_of, write_specs
from verifier.audit.keys import CODE, COMPILE, DECIDE, OUTLINE, PACK, RECHECK, SEARCH
from verifier.audit.ledger import Standing
from verifier.audit.recall import look_at_claims
from verifier.audit.store import Store, prune


def test_a_value_is_remembered_only_for_the_same_input(tmp_path: pathlib.Path) -> None:
    store = Store(cache=tmp_path)
    store.remember(COMPILE, {"a": 1, "b": 2}, {"statement": "x"})
    assert store.recall(COMPILE, {"a": 1, "b": 2}) == {"statement": "x"}
    assert store.recall(COMPILE, {"b": 2, "a": 1}) is None
    assert store.recall(DECIDE, {"a": 1, "b": 2}) is None


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"key": "another", "value": {}}', b"\xff"])
def test_a_damaged_value_is_ignored(data: bytes, tmp_path: pathlib.Path) -> None:
    store = Store(cache=tmp_path)
    store.remember(COMPILE, 1, {"statement": "x"})
    (path,) = (tmp_path / "remembered").iterdir()
    path.write_bytes(data)
    assert store.recall(COMPILE, 1) is None


def test_without_a_folder_nothing_is_remembered() -> None:
    Store().remember(COMPILE, 1, {"statement": "x"})
    assert Store().recall(COMPILE, 1) is None


def test_remembered_values_depend_on_the_code_of_kernel_and_language() -> None:
    """After a change to printing code, nothing is repeated; after a change to a search, only searches that gave up."""
    assert set(CODE) == {COMPILE, DECIDE, RECHECK, SEARCH, OUTLINE, PACK}
    assert CODE[RECHECK] == ("kernel",)
    for parts in (CODE[COMPILE], CODE[DECIDE], CODE[SEARCH]):
        assert {"kernel", "language"} <= set(parts)
        assert not {"cli", "report", "graph", "audit"} & set(parts)
    assert not {"solver", "search"} & {*CODE[COMPILE], *CODE[DECIDE]}
    assert {"questions", "solver", "search"} <= set(CODE[SEARCH])
    assert {"questions", "presentation"} <= set(CODE[OUTLINE])  # it has what each reading says, in words


def test_values_of_another_shape_are_decided_again(tmp_path: pathlib.Path) -> None:
    """Anyone who can write to the cache can have false results printed, but cannot make a command fail."""
    specs = write_specs(tmp_path / "specs")
    check(make_plan(specs, "starts", cache=tmp_path / "cache"))
    for path in (tmp_path / "cache/remembered").glob("decide-*"):
        value = json.loads(path.read_bytes())
        path.write_text(json.dumps({**value, "value": {"verdict": 7}}))
    assert check(make_plan(specs, "starts", cache=tmp_path / "cache")).exit_code == 0


def test_looking_decides_nothing(tmp_path: pathlib.Path) -> None:
    """Evidence that was not decided here gives no verdict. Decided evidence is shown without work."""
    specs = write_specs(tmp_path / "specs")
    check(make_plan(specs, "starts", out=tmp_path / "shipped"))
    plan = make_plan(specs, "starts", cache=tmp_path / "cache", shipped=tmp_path / "shipped")
    for compiled in ((), ("starts",)):
        context = plan.folders.open(plan.library)
        (claim,) = look_at_claims(context, ["starts"], compiled).claims
        assert claim.standing is Standing.NOT_RUN
        assert claim.readings[0].reason == "not checked on this machine: run verifier check starts (about 5 s)"
    check(plan)
    (claim,) = look_at_claims(plan.folders.open(plan.library), ["starts"]).claims
    assert claim.standing is Standing.PROVED


@pytest.mark.parametrize("is_shipped", [False, True])
def test_evidence_that_an_earlier_run_kept_is_named_so(tmp_path: pathlib.Path, *, is_shipped: bool) -> None:
    """A run keeps only what the kernel has accepted. If the kernel changes, the decision is lost: its key is new."""
    specs = write_specs(tmp_path / "specs")
    shipped = tmp_path / "shipped" if is_shipped else None
    check(make_plan(specs, "starts", out=shipped))
    plan = make_plan(specs, "starts", cache=tmp_path / "cache", shipped=shipped)
    check(plan)
    for path in (tmp_path / "cache/remembered").glob("decide-*"):
        path.unlink()
    (claim,) = look_at_claims(plan.folders.open(plan.library), ["starts"]).claims
    reason = "checked before the tool or the spec changed: run verifier check starts (about 5 s)"
    assert claim.readings[0].reason == reason


def test_a_run_that_remembers_nothing_writes_only_new_evidence(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a cache, evidence is kept in a temporary folder. Shipped evidence needs no copy, and results no JSON."""
    specs = write_specs(tmp_path / "specs")
    monkeypatch.setattr("verifier.audit.reading.decision_to_json", None)
    first, second = tmp_path / "first", tmp_path / "second"
    for cache, shipped in ((first, None), (second, first)):
        plan = make_plan(specs, "starts", cache=cache, shipped=shipped)
        store = replace(plan.folders.store, is_remembering=False)
        assert check(replace(plan, folders=replace(plan.folders, store=store))).exit_code == 0
    assert [path.split("/")[0] for path in tree_of(first)] == ["evidence"]
    assert tree_of(second) == {}


def test_a_full_store_deletes_its_oldest_files_first(tmp_path: pathlib.Path) -> None:
    import os

    (tmp_path / "tables").mkdir()
    for number in range(4):
        path = tmp_path / "tables" / f"{number}.json.gz"
        path.write_bytes(b"x" * 100)
        os.utime(path, (number, number))
    prune(tmp_path, max_bytes=250)
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == ["2.json.gz", "3.json.gz"]


def test_partial_files_of_killed_processes_are_removed(tmp_path: pathlib.Path) -> None:
    """Those of other processes stay: they may still be written."""
    store = Store(tmp_path / "specs", cache=tmp_path / "cache", out=tmp_path / "out")
    for folder in ("cache/tables", "out/evidence"):
        (tmp_path / folder).mkdir(parents=True)
        for name in ("a.json.12-345.part", "a.json.123-45.part", "a.json"):
            (tmp_path / folder / name).touch()
    store.remove_partial_files([12])
    assert {path.name for path in tmp_path.rglob("*.*")} == {"a.json.123-45.part", "a.json"}
    assert len([*tmp_path.rglob("*.part")]) == 2
