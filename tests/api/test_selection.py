"""What a command line selects. ``mistyped.txt`` in ``tests/golden/dialogues`` has names that are not found."""

import pathlib
import shutil

import pytest

from tests.audit.made import ROOT, STARTS, edit, write_claim
from tests.rules import SPECS, load_library, specs
from verifier.api.folders import find_proofs
from verifier.api.selection import select_claims as select
from verifier.kernel.errors import UsageError
from verifier.language.folder import read_library
from verifier.questions.registry import GRAMMAR

START = "paper/1-introduction/rules-start.yaml"
LIBRARY = specs()


def select_claims(wanted: list[str]) -> list[str]:
    return select(LIBRARY, wanted, SPECS, pytest.fail)


@pytest.mark.parametrize("word", [f"specs/{START}", START, str(SPECS / START), f"./specs/../specs/{START}"])
def test_a_claim_is_named_by_its_file(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path may be from the current folder, from the folder of the specs, or absolute."""
    monkeypatch.chdir(ROOT)
    assert select_claims([word]) == ["rules-start"]


def test_files_ids_and_folders_mix() -> None:
    found = select_claims([START, "rules-start", "examples", "lemma-3"])
    assert sorted(found) == sorted({*select_claims(["examples"]), "rules-start", "lemma-3"})


@pytest.mark.parametrize("word", ["examples", "examples/", "specs/examples", str(SPECS / "examples")])
def test_a_folder_is_named_in_the_same_ways(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the specs itself selects every claim."""
    monkeypatch.chdir(ROOT)
    expected = {name for name, spec in LIBRARY.claims.items() if spec.document.file.startswith("examples/")}
    assert set(select_claims([word])) == expected
    assert set(select_claims(["specs"])) == set(LIBRARY.claims)


def test_a_folder_with_main_claims_of_a_document_also_selects_our_own() -> None:
    """What the headline of the paper says is checked and shown with the paper. Other folders do not need it."""
    assert "beyond-value-43" in select_claims(["paper"])
    assert not any("beyond-value-43" in select_claims([word]) for word in ("paper/4-bounds", "diamond", "disputes"))


def test_a_report_of_a_document_also_has_what_its_errata_name_beyond_it() -> None:
    """A letter tells what the auditors have shown beyond the document, if it was decided. A run does not check it."""
    for document, errata in LIBRARY.errata.items():
        folder = LIBRARY.documents[document].document.file.rpartition("/")[0]
        assert set(errata.model.beyond) <= set(select(LIBRARY, [folder], SPECS, pytest.fail, with_beyond=True))
    assert "theorem-2" not in select_claims(["paper"])
    assert "theorem-2" not in select(LIBRARY, ["paper/4-bounds"], SPECS, pytest.fail, with_beyond=True)


def test_the_files_of_claims_that_only_errata_name_are_read() -> None:
    """If a folder is named, other files are not read. These are, so that a report can tell what was decided."""
    library, problems = read_library(SPECS, GRAMMAR, ["paper"])
    assert not problems
    assert "theorem-2" not in select(library, ["paper"], SPECS, pytest.fail)
    assert "theorem-2" in select(library, ["paper"], SPECS, pytest.fail, with_beyond=True)
    assert len(library.claims) < len(LIBRARY.claims)


def test_a_claim_beyond_a_document_that_does_not_exist_is_a_fault(tmp_path: pathlib.Path) -> None:
    shutil.copytree(SPECS / "disputes" / "ten-moves", tmp_path / "specs")
    edit(tmp_path / "specs" / "errata.yaml", "beyond-value-43:", "beyond-value-34:")
    _, problems = read_library(tmp_path / "specs", GRAMMAR)
    assert [problem.message for problem in problems if "beyond-value-34" in problem.message]


def test_a_path_below_the_specs_works_in_any_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SPECS / "paper")
    assert select_claims([START]) == ["rules-start"]
    assert select_claims(["1-introduction"]) == select_claims(["paper/1-introduction"])


def test_a_name_that_fits_two_files_selects_both(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file is in the current folder and one in the folder of the specs. Neither is ignored."""
    (tmp_path / "below").mkdir()
    write_claim(tmp_path, "outer", STARTS, "tictactoe")
    write_claim(tmp_path / "below", "inner", STARTS, "tictactoe")
    (tmp_path / "below" / "inner.yaml").rename(tmp_path / "below" / "outer.yaml")
    monkeypatch.chdir(tmp_path / "below")
    assert select(load_library(tmp_path), ["outer.yaml"], tmp_path, pytest.fail) == ["inner", "outer"]


def test_proofs_that_are_a_link_to_nowhere_are_refused(tmp_path: pathlib.Path) -> None:
    """The link shows that evidence should be here, so the shipped evidence is not used instead."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "proofs").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="proofs is a link whose target does not exist"):
        find_proofs(None, tmp_path / "specs")
    (tmp_path / "nowhere").mkdir()
    assert find_proofs(None, tmp_path / "specs") != tmp_path / "proofs"  # it has no index
    (tmp_path / "nowhere/INDEX.json").write_text("{}")
    assert find_proofs(None, tmp_path / "specs") == tmp_path / "proofs"
