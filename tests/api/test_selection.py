"""What a command line selects; ``mistyped.txt`` of ``tests/golden/dialogues`` has what is not found."""

import pathlib

import pytest

from tests.audit.made import ROOT, STARTS, write_claim
from tests.rules import SPECS, load_library, specs
from verifier.api.folders import find_proofs
from verifier.api.selection import select_claims as select
from verifier.kernel.errors import UsageError

START = "paper/1-introduction/rules-start.yaml"
LIBRARY = specs()


def select_claims(wanted: list[str]) -> list[str]:
    return select(LIBRARY, wanted, SPECS, pytest.fail)


@pytest.mark.parametrize("word", [f"specs/{START}", START, str(SPECS / START), f"./specs/../specs/{START}"])
def test_a_claim_is_named_by_its_file(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the current folder, from the folder of the specs, or in full."""
    monkeypatch.chdir(ROOT)
    assert select_claims([word]) == ["rules-start"]


def test_files_ids_and_folders_mix() -> None:
    found = select_claims([START, "rules-start", "examples", "lemma-3"])
    assert sorted(found) == sorted({*select_claims(["examples"]), "rules-start", "lemma-3"})


@pytest.mark.parametrize("word", ["examples", "examples/", "specs/examples", str(SPECS / "examples")])
def test_a_folder_is_named_in_the_same_ways(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the specs, or from the current folder; the folder of the specs itself means every claim."""
    monkeypatch.chdir(ROOT)
    expected = {name for name, spec in LIBRARY.claims.items() if spec.document.file.startswith("examples/")}
    assert set(select_claims([word])) == expected
    assert set(select_claims(["specs"])) == set(LIBRARY.claims)


def test_the_name_below_the_specs_serves_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SPECS / "paper")
    assert select_claims([START]) == ["rules-start"]
    assert select_claims(["1-introduction"]) == select_claims(["paper/1-introduction"])


def test_a_name_that_fits_two_files_selects_both(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One from the current folder, one from the folder of the specs: neither is passed over without a word."""
    (tmp_path / "below").mkdir()
    write_claim(tmp_path, "outer", STARTS, "tictactoe")
    write_claim(tmp_path / "below", "inner", STARTS, "tictactoe")
    (tmp_path / "below" / "inner.yaml").rename(tmp_path / "below" / "outer.yaml")
    monkeypatch.chdir(tmp_path / "below")
    assert select(load_library(tmp_path), ["outer.yaml"], tmp_path, pytest.fail) == ["inner", "outer"]


def test_proofs_that_are_a_link_to_nowhere_are_refused(tmp_path: pathlib.Path) -> None:
    """Evidence is meant to be beside the specs: the shipped evidence does not stand for it in silence."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "proofs").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="proofs: a link that leads nowhere"):
        find_proofs(None, tmp_path / "specs")
    (tmp_path / "nowhere").mkdir()
    assert find_proofs(None, tmp_path / "specs") != tmp_path / "proofs"  # it has no index
    (tmp_path / "nowhere/INDEX.json").write_text("{}")
    assert find_proofs(None, tmp_path / "specs") == tmp_path / "proofs"
