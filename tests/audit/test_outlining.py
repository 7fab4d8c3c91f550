"""The outline of a folder of specs agrees with its files, and is used only until anything in the folder changes."""

import pathlib
import shutil
from collections.abc import Callable
from dataclasses import fields

import pytest

from tests.audit.made import MADE, STARTS, edit, load, write_claim, write_specs
from tests.rules import SPECS, specs
from verifier.audit.outlining import make_outline, read_folder, recall_outline
from verifier.audit.plan import Folders
from verifier.audit.sources import Sources
from verifier.audit.store import Store
from verifier.kernel.errors import SpecError
from verifier.language.outline import (
    ReadingOutline,
    find_parts,
    find_severities,
    outline_from_json,
    outline_to_json,
    split_headline,
)


def make_folders(folder: pathlib.Path, *wanted: str) -> Folders:
    """Write specs, and return their folder and that of a cache."""
    return Folders(write_specs(folder / "specs"), Store(cache=folder / "cache"), wanted or None)


def test_an_outline_agrees_with_the_specs() -> None:
    library = specs()
    outline, sources = make_outline(library), Sources(library)
    assert outline_from_json(outline_to_json(outline), lambda: library) == outline
    assert list(outline.claims) == list(library.claims)
    said = {field.name for field in fields(ReadingOutline)} - {"objective_types", "needs", "said", "said_evidence"}
    for name in library.claims:
        claim, model = outline.claim(name), library.claim(name)
        assert list(claim.readings) == list(model.readings)
        assert find_parts(claim) == find_parts(model)
        assert outline.is_ours(claim.source) == library.is_ours(model.source)
        assert find_severities(outline, name) == find_severities(library, name)
        for reading, known in claim.readings.items():
            assert outline.texts_of((name, reading)) == sources.texts_of((name, reading))
            keys = said & set(type(model.readings[reading]).model_fields)
            assert {key: getattr(known, key) for key in keys} == {
                key: getattr(model.readings[reading], key) for key in keys
            }
    assert {name: split_headline(outline, name) for name in outline.documents} == {
        name: split_headline(library, name) for name in library.documents
    }
    assert all(outline.game(name).data == library.game(name).data for name in outline.rules)


def test_an_outline_is_remembered(tmp_path: pathlib.Path) -> None:
    folders = make_folders(tmp_path)
    assert recall_outline(folders) is None
    library, _ = read_folder(folders)
    outline = recall_outline(folders)
    assert outline == make_outline(library)
    assert list(outline.parse().claims) == list(outline.claims)


def test_the_outline_of_the_whole_folder_is_used_for_one_claim(tmp_path: pathlib.Path) -> None:
    folders = make_folders(tmp_path)
    some = Folders(folders.specs, folders.store, ("starts",))
    read_folder(some)
    assert recall_outline(folders) is None
    few = recall_outline(some)
    assert few is not None
    assert set(few.claims) == {"starts"}
    read_folder(folders)
    whole = recall_outline(some)
    assert whole is not None
    assert len(whole.claims) > 1
    assert set(whole.parse().claims) == {"starts"}


CHANGES: dict[str, Callable[[pathlib.Path], object]] = {
    "a text": lambda folder: edit(folder / "starts.yaml", "A claim for tests.}", "Another claim.}"),
    "a verdict": lambda folder: edit(folder / "starts.yaml", "expect: proved", "expect: refuted"),
    "another claim": lambda folder: write_claim(folder, "more", STARTS, "tictactoe"),
    "a deleted file": lambda folder: (folder / "starts.yaml").unlink(),
    "another name": lambda folder: (folder / "starts.yaml").rename(folder / "other.yaml"),
    "a file that is not read": lambda folder: shutil.copy(folder / "starts.yaml", folder / "starts.yml"),
    "a folder with the name of a file": lambda folder: (folder / "more.yaml").mkdir(),
    "a link": lambda folder: (folder / "more").symlink_to(SPECS / "sim"),
    "a divergence": lambda folder: (folder / "DIVERGENCES.md").write_text("One."),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_after_a_change_the_files_are_read_again(
    change: Callable[[pathlib.Path], object], tmp_path: pathlib.Path
) -> None:
    folders = make_folders(tmp_path)
    read_folder(folders)
    known = recall_outline(folders)
    assert known is not None
    change(folders.specs)
    assert recall_outline(folders) is None
    with pytest.raises(SpecError, match="the specs changed while they were read"):
        known.parse()


def test_with_a_fault_nothing_is_remembered(tmp_path: pathlib.Path) -> None:
    folders = make_folders(tmp_path)
    shutil.copy(MADE / "odd.yaml", folders.specs)
    edit(folders.specs / "starts.yaml", "title: ", "titel: ")
    _, problems = read_folder(folders)
    assert problems
    assert recall_outline(folders) is None


def test_without_a_cache_nothing_is_remembered(tmp_path: pathlib.Path) -> None:
    folders = Folders(write_specs(tmp_path / "specs"), Store(cache=tmp_path / "cache", is_remembering=False))
    read_folder(folders)
    assert recall_outline(folders) is None
    assert not (tmp_path / "cache").exists()


def test_a_damaged_outline_is_not_used(tmp_path: pathlib.Path) -> None:
    folders = make_folders(tmp_path)
    read_folder(folders)
    (path,) = (tmp_path / "cache/remembered").glob("outline-*")
    path.write_text(path.read_text().replace('"title":', '"titel":'))
    assert recall_outline(folders) is None
    assert load(folders.specs).claims
