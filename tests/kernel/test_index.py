import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from verifier.kernel.errors import CertificateError
from verifier.kernel.store import Index, read_index

INDEX = Index({"a/b": "0" * 64, "c/d": "1" * 64}, {"e/f": ("a/b", "c/d")})


def written(index: Index) -> dict[str, Any]:
    joins = {name: [*others] for name, others in index.joins.items()}
    return {"format": "verifier-index", "version": 2, "filed": {**index.filed}, "joins": joins}


def read(folder: pathlib.Path, index: Any) -> Index:
    (folder / "INDEX.json").write_text(json.dumps(index))
    return read_index(folder)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda index: index["filed"].update({f"lemma-2/as-stated{' ' * 60}proved": "0" * 64}), "a name"),
        (lambda index: index["filed"].update({"lemma-2/as-stated\n": "0" * 64}), "a name"),
        (lambda index: index["filed"].update({"x" * 61: "0" * 64}), "a name"),
        (lambda index: index["joins"].update({"e/f": ["a/b c"]}), "a name"),
        (lambda index: index["joins"].update({"e f": ["a/b"]}), "a name"),
    ],
)
def test_an_index_has_names_and_hashes(change: Callable[[Any], None], says: str, tmp_path: pathlib.Path) -> None:
    """No word in it lowers a bar; what is printed as a name is one, and would not be wrapped into another verdict.

    Hashes that begin alike would name one file, read for each: with one of 430 kB, 20,000 names took three hours.
    """
    index = written(INDEX)
    change(index)
    with pytest.raises(CertificateError, match=says):
        read(tmp_path, index)


def test_an_index_is_read_back(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to so many names, each of which is a request, an answer and a line: 3.8 MB took 331 s and 2.2 GB."""
    monkeypatch.setattr("verifier.kernel.store.MAX_NAMES", 2)
    assert read(tmp_path, written(INDEX)) == INDEX
    alike = Index({"a/b": "0" * 64, "c/d": f"{'0' * 64}-invariant"})
    assert read(tmp_path, written(alike)) == alike
    monkeypatch.setattr("verifier.kernel.store.MAX_NAMES", 1)
    with pytest.raises(CertificateError, match="more than 1 names"):
        read(tmp_path, written(INDEX))
