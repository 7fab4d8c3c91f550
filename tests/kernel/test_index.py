from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from tests.kernel.test_corpus import CORPUS, lay_out, read
from verifier.kernel.errors import CertificateError
from verifier.kernel.index import Index, read_index


@pytest.mark.parametrize("key", ["quick", "full", "limit"])
def test_an_index_asks_for_no_less(key: str, tmp_path: pathlib.Path) -> None:
    """A word in a stranger's index lowers no bar: it has names and what they join, and nothing else."""
    lay_out(tmp_path, read(CORPUS / "valid" / "tictactoe-some.json"))
    index = json.loads((tmp_path / "INDEX.json").read_text())
    (tmp_path / "INDEX.json").write_text(json.dumps(index | {key: list(index["filed"])}))
    with pytest.raises(CertificateError, match=r"has the keys .*, not format, version, filed, joins"):
        read_index(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        lambda index: index["filed"].update({f"lemma-2/as-stated{' ' * 60}proved": "0" * 64}),
        lambda index: index["filed"].update({"lemma-2/as-stated\n": "0" * 64}),
        lambda index: index["filed"].update({"x" * 61: "0" * 64}),
        lambda index: index["joins"].update({"e/f": ["a/b c"]}),
        lambda index: index["joins"].update({"e f": ["a/b"]}),
    ],
)
def test_names_of_an_index_are_ids(change: Callable[[Any], None], tmp_path: pathlib.Path) -> None:
    """What is printed as a name is one: with spaces it would be wrapped into lines that tell of another verdict."""
    index = Index({"a/b": "0" * 64, "c/d": "1" * 64}, {"e/f": ("a/b", "c/d")}).to_json()
    change(index)
    (tmp_path / "INDEX.json").write_text(json.dumps(index))
    with pytest.raises(CertificateError, match="a name"):
        read_index(tmp_path)


def test_an_index_names_no_more_than_so_many(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each name is a request, an answer and a line: 3.8 MB of names took 331 s and 2.2 GB."""
    index = Index({"a/b": "0" * 64, "c/d": "1" * 64}, joins={"e/f": ("a/b", "c/d")})
    (tmp_path / "INDEX.json").write_text(json.dumps(index.to_json()))
    monkeypatch.setattr("verifier.kernel.index.MAX_NAMES", 2)
    assert read_index(tmp_path) == index
    monkeypatch.setattr("verifier.kernel.index.MAX_NAMES", 1)
    with pytest.raises(CertificateError, match="more than 1 names"):
        read_index(tmp_path)


def test_no_two_keys_share_a_file(tmp_path: pathlib.Path) -> None:
    """Hashes that begin alike would name one file, read for each: with one of 430 kB, 20,000 names took three hours."""
    index = Index({"a/b": "0" * 64, "c/d": f"{'0' * 64}-invariant", "e/f": "0" * 64, "g/h": "1" * 64})
    (tmp_path / "INDEX.json").write_text(json.dumps(index.to_json()))
    assert read_index(tmp_path) == index
    index = Index({"a/b": "0" * 64, "c/d": f"{'0' * 63}1"})
    (tmp_path / "INDEX.json").write_text(json.dumps(index.to_json()))
    with pytest.raises(CertificateError, match="begin alike"):
        read_index(tmp_path)


def test_an_index_is_read_back(tmp_path: pathlib.Path) -> None:
    """An index says what it was made from."""
    index = Index({"a/b": "0" * 64, "c/d": "1" * 64}, {"e/f": ("a/b", "c/d")})
    (tmp_path / "INDEX.json").write_text(json.dumps(index.to_json()))
    assert read_index(tmp_path) == index
