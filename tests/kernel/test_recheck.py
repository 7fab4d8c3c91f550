from __future__ import annotations

import json
import pathlib

from tests.kernel.test_corpus import CORPUS, lay_out, read
from verifier.kernel.certificate import hash_bytes, hash_value, pack
from verifier.kernel.errors import CertificateError
from verifier.kernel.recheck import recheck


def lay_out_twice(root: pathlib.Path, path_of_second_table: str) -> None:
    """Write two readings that name one table, the second by a path of its own."""
    case = read(CORPUS / "valid" / "tictactoe-reach.json")
    lay_out(root, case)
    certificate = case["certificate"] | {"reading": "second"}
    table = certificate["evidence"]["table"] | {"path": path_of_second_table}
    data = pack(certificate | {"evidence": certificate["evidence"] | {"table": table}})
    (root / "second.json.gz").write_bytes(data)
    index = json.loads((root / "INDEX.json").read_text())
    entry = {"claim": "claim", "reading": "second", "path": "second.json.gz", "sha256": hash_bytes(data)}
    index["entries"].append(entry | {"statement": hash_value(certificate["statement"])})
    (root / "INDEX.json").write_text(json.dumps(index))


def outcomes(root: pathlib.Path, jobs: int) -> list[str]:
    return [
        f"{entry.reading}: {result if isinstance(result, CertificateError) else result.verdict}"
        for entry, result in recheck(root, frozenset(), jobs)
    ]


def test_two_readings_may_share_a_table(tmp_path: pathlib.Path) -> None:
    """Two certificates that name one table are accepted both, in one process and in two."""
    lay_out_twice(tmp_path, "table.json.gz")
    assert outcomes(tmp_path, 1) == outcomes(tmp_path, 2) == ["as-stated: proved", "second: proved"]


def test_a_file_that_is_missing_is_missed_by_every_process(tmp_path: pathlib.Path) -> None:
    """A table that was read by another path does not stand for a missing file, however many processes there are."""
    lay_out_twice(tmp_path, "missing.json.gz")
    first, second = outcomes(tmp_path, 1)
    assert first == "as-stated: proved"
    assert second.startswith("second: unreadable: missing.json.gz")
    assert outcomes(tmp_path, 2) == [first, second]
