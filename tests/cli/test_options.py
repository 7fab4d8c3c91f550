from __future__ import annotations

import pathlib

import pytest

from verifier.cli.options import select_claims
from verifier.kernel.errors import UsageError
from verifier.spec.library import load_library

ROOT = pathlib.Path(__file__).parents[2]
SPECS = ROOT / "specs"
START = "paper/1-introduction/rules-start.yaml"
LIBRARY = load_library(SPECS)


@pytest.mark.parametrize("word", [f"specs/{START}", START, str(SPECS / START), f"./specs/../specs/{START}"])
def test_a_claim_is_named_by_its_file(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the current folder, from the folder of the specs, or in full."""
    monkeypatch.chdir(ROOT)
    assert select_claims(LIBRARY, [word], SPECS) == ["rules-start"]


def test_files_ids_and_folders_mix() -> None:
    """Each claim is selected once."""
    found = select_claims(LIBRARY, [START, "rules-start", "examples", "lemma-3"], SPECS)
    assert sorted(found) == sorted({*select_claims(LIBRARY, ["examples"]), "rules-start", "lemma-3"})


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("paper/none.yaml", "paper/none.yaml: no such file among these specs"),
        ("/etc/passwd.yaml", "/etc/passwd.yaml: no such file among these specs"),
        ("none", "no claim, folder or spec file 'none'"),
    ],
)
def test_other_names_are_refused(word: str, message: str) -> None:
    """What is neither claim, folder nor spec file is named."""
    with pytest.raises(UsageError, match=message):
        select_claims(LIBRARY, [word], SPECS)
