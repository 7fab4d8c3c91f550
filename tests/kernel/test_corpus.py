"""The corpus: certificates that are right, attacks on them, and files that are no certificates.

A file under ``corpus/valid`` and ``corpus/invalid`` holds a certificate, its table and its obligations; the value
``auto`` of a hash stands for the right one, ``auto auto`` for the right one twice. What a table of
replies leaves open is decided whole. A file under ``corpus/malformed`` is
laid out byte for byte, and its name reads NAME.REASON.json; one whose name begins with INDEX is the index, any other
one the certificate.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from verifier.kernel.certificate import hash_bytes, hash_value, pack, pack_text
from verifier.kernel.errors import CertificateError
from verifier.kernel.recheck import recheck
from verifier.kernel.verdict import Result

CORPUS = pathlib.Path(__file__).parent.parent / "corpus"
VALID = sorted((CORPUS / "valid").glob("*.json"))
INVALID = sorted((CORPUS / "invalid").glob("*.json"))
MALFORMED = sorted((CORPUS / "malformed").iterdir())


def read(path: pathlib.Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text())
    return value


def name(path: pathlib.Path) -> str:
    return path.name.split(".")[0]


def write_index(root: pathlib.Path, **entry: str) -> None:
    index = {"format": "verifier-index", "version": 1, "entries": [entry]}
    (root / "INDEX.json").write_text(json.dumps(index))


def resolve(holder: dict[str, Any], key: str, value: str) -> None:
    if holder.get(key) == "auto":
        holder[key] = value


def lay_out(root: pathlib.Path, case: dict[str, Any]) -> None:
    """Write a case as a proofs folder: its files, and the hashes that it leaves open."""
    certificate, evidence = case["certificate"], case["certificate"]["evidence"]
    table = case["table"]
    if certificate["statement"].get("kind") == "bound":
        data = pack(table)
        (root / "tables").mkdir()
        (root / "tables" / f"{hash_bytes(data)[:16]}.json.gz").write_bytes(data)
        if isinstance(evidence.get("tables"), str):
            evidence["tables"] = [hash_bytes(data)] * len(evidence["tables"].split())
    elif table is not None:
        plays = {key: value for key, value in certificate["statement"].items() if key != "objectives"}
        resolve(table, "plays", hash_value(plays))
        data = pack(table)
        (root / "table.json.gz").write_bytes(data)
        resolve(evidence.get("table", {}), "sha256", hash_bytes(data))
    if case["obligations"] is not None:
        data = pack_text(case["obligations"].encode())
        (root / "obligations.smt2.gz").write_bytes(data)
        resolve(evidence.get("file", {}), "sha256", hash_bytes(data))
    data = pack(certificate)
    (root / "certificate.json.gz").write_bytes(data)
    entry = {"claim": "claim", "reading": "as-stated", "path": "certificate.json.gz", "sha256": hash_bytes(data)}
    write_index(root, **{**entry, "statement": hash_value(certificate["statement"]), **case.get("index", {})})


def decide(root: pathlib.Path) -> Result | CertificateError:
    try:
        ((_, outcome),) = recheck(root, frozenset(), full=True)
    except CertificateError as error:
        return error
    return outcome


def invalid_cases() -> list[Any]:
    cases = []
    for path in INVALID:
        hole = read(path).get("xfail")
        marks = [] if hole is None else [pytest.mark.xfail(strict=True, reason=hole)]
        cases.append(pytest.param(path, id=name(path), marks=marks))
    return cases


@pytest.mark.parametrize("path", VALID, ids=name)
def test_valid_certificate_is_accepted(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Every valid base is accepted with the verdict that it claims."""
    case = read(path)
    lay_out(tmp_path, case)
    outcome = decide(tmp_path)
    assert isinstance(outcome, Result), outcome
    assert str(outcome.verdict) == case["certificate"]["verdict"]


@pytest.mark.parametrize("path", invalid_cases())
def test_attack_is_rejected(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Every attack is rejected, and for the reason that its file states."""
    case = read(path)
    lay_out(tmp_path, case)
    outcome = decide(tmp_path)
    assert isinstance(outcome, CertificateError), outcome
    assert outcome.reason == case["reason"], outcome


@pytest.mark.parametrize("path", INVALID, ids=name)
def test_attack_changes_a_valid_base(path: pathlib.Path) -> None:
    """Every attack names a valid base that it differs from, and says in one sentence what it does."""
    case = read(path)
    base = read(CORPUS / "valid" / f"{case['base']}.json")
    parts = ("certificate", "table", "obligations")
    assert "index" in case or any(case[part] != base[part] for part in parts)
    assert case["attack"].endswith(".")


@pytest.mark.parametrize("path", MALFORMED, ids=name)
def test_malformed_file_is_rejected(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Every malformed file ends in one CertificateError, whose reason is in the file's name."""
    data = path.read_bytes()
    if path.name.startswith("INDEX"):
        (tmp_path / "INDEX.json").write_bytes(data)
    else:
        (tmp_path / path.name).write_bytes(data)
        entry = {"claim": "claim", "reading": "as-stated", "path": path.name, "statement": "0" * 64}
        write_index(tmp_path, sha256=hash_bytes(data), **entry)
    outcome = decide(tmp_path)
    assert isinstance(outcome, CertificateError), outcome
    assert outcome.reason == path.name.split(".")[1], outcome


def test_corpus_is_not_empty() -> None:
    """The three folders hold what the generated tests are about."""
    assert len(VALID) >= 15
    assert len(INVALID) >= 100
    assert len(MALFORMED) >= 40
