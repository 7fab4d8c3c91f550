import pathlib

import pytest

from tests.audit.made import CLAIM, STARTS
from tests.rules import load_library
from verifier.language.loader import load_document
from verifier.language.problem import SpecProblemsError

TINY = CLAIM.format(name="tiny", rules="paper", rest=STARTS)


def test_both_yaml_loaders_read_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    import yaml

    (tmp_path / "x.yaml").write_text(TINY)
    first = load_document(tmp_path / "x.yaml", "x.yaml")
    monkeypatch.setattr("verifier.language.loader._Loader", yaml.SafeLoader)
    second = load_document(tmp_path / "x.yaml", "x.yaml")
    assert (first.value, first.marks) == (second.value, second.marks)


def test_a_large_file_is_read_only_up_to_the_limit(tmp_path: pathlib.Path) -> None:
    (tmp_path / "large.yaml").write_text("# again and again\n" * 20_000)
    with pytest.raises(SpecProblemsError, match="is larger than 262,144 bytes"):
        load_library(tmp_path)
