import pathlib

import pytest

from tests.audit.made import CLAIM, STARTS
from verifier.language.folder import load_library
from verifier.language.loader import load_document
from verifier.language.problem import SpecProblemsError

TINY = CLAIM.format(name="tiny", rules="paper", rest=STARTS)


def test_a_circle_of_claims_is_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.yaml").write_text(TINY.replace("claim: tiny", "claim: a\nuses: [b]"))
    (tmp_path / "b.yaml").write_text(TINY.replace("claim: tiny", "claim: b\nuses: [a]"))
    with pytest.raises(SpecProblemsError, match="a circle: a → b → a"):
        load_library(tmp_path)


def test_the_python_loader_reads_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    import yaml

    (tmp_path / "x.yaml").write_text(TINY)
    first = load_document(tmp_path / "x.yaml", "x.yaml")
    monkeypatch.setattr("verifier.language.loader._Loader", yaml.SafeLoader)
    second = load_document(tmp_path / "x.yaml", "x.yaml")
    assert (first.value, first.marks) == (second.value, second.marks)


@pytest.mark.parametrize("name", ["claim.yml", "claim.YAML"])
def test_a_spec_of_another_ending_is_not_missed_without_a_word(name: str, tmp_path: pathlib.Path) -> None:
    """It is not read, and that is a fault; what is not a spec may have any name."""
    (tmp_path / "tiny.yaml").write_text(TINY)
    (tmp_path / "workflow.yml").write_text("name: claims\non: [push]\n")
    load_library(tmp_path)
    (tmp_path / name).write_text(TINY.replace("tiny", "other"))
    with pytest.raises(SpecProblemsError, match=f"{name}:1:1: is not read: the name of a spec file ends in .yaml"):
        load_library(tmp_path)


def test_a_large_file_is_read_no_further_than_others(tmp_path: pathlib.Path) -> None:
    (tmp_path / "large.yaml").write_text("# again and again\n" * 20_000)
    with pytest.raises(SpecProblemsError, match="is larger than 262144 bytes"):
        load_library(tmp_path)
