import json
import pathlib
from typing import Any

import pytest

from verifier.kernel.certificate import Index, read_index
from verifier.kernel.errors import CertificateError

INDEX = Index({"a/b": "0" * 64, "c/d": "1" * 64}, {"e/f": ("a/b", "c/d")})


def written(index: Index) -> dict[str, Any]:
    joins = {name: [*others] for name, others in index.joins.items()}
    return {"format": "verifier-index", "version": 2, "filed": {**index.filed}, "joins": joins}


def read(folder: pathlib.Path, index: Any) -> Index:
    (folder / "INDEX.json").write_text(json.dumps(index))
    return read_index(folder)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("filed", {f"lemma-2/as-stated{' ' * 60}proved": "0" * 64}),
        ("filed", {"lemma-2/as-stated\n": "0" * 64}),
        ("filed", {"x" * 61: "0" * 64}),
        ("joins", {"e/f": ["a/b c"]}),
        ("joins", {"e f": ["a/b"]}),
    ],
)
def test_an_index_has_names_and_hashes(part: str, said: dict[str, Any], tmp_path: pathlib.Path) -> None:
    """No word of an index changes a verdict. A name cannot be mistaken for a printed verdict.

    Hashes that begin alike would name one file, read for each: an index of 430 kB with 20,000 names took three hours.
    """
    with pytest.raises(CertificateError, match="a name"):
        read(tmp_path, written(INDEX) | {part: said})


def test_an_index_is_read_back(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each name is a request, an answer and a line, so the number of names is limited: 3.8 MB took 331 s and 2.2 GB."""
    monkeypatch.setattr("verifier.kernel.certificate.MAX_NAMES", 2)
    assert read(tmp_path, written(INDEX)) == INDEX
    alike = Index({"a/b": "0" * 64, "c/d": f"{'0' * 64}-invariant"})
    assert read(tmp_path, written(alike)) == alike
    monkeypatch.setattr("verifier.kernel.certificate.MAX_NAMES", 1)
    with pytest.raises(CertificateError, match="more than 1 names"):
        read(tmp_path, written(INDEX))
