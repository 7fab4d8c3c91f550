"""Finds out which theorems Coq has proved on this machine. ``proofs/coq/tools`` builds the Coq proofs.

A build leaves a *stamp* in the build folder: a file with the theorems that Coq has proved, and the hashes of everything
that the build has used. The stamp is trusted: because of it, a verdict may say *and in Coq*. A stamp is valid only if
the Coq sources, the data (Coq files made from tables of evidence) and the tables still have the hashes in the stamp.
Anyone who can write to the build folder can forge a stamp, just as anyone who can write to the cache can forge results.
A stamp is never shipped.

There are two builds, and each has its own stamp. The first build proves theorems about the paper's game. The second
proves theorems that ``verifier/export/theorem.py`` makes from certificates, which may be about any game. The second
stamp therefore also has the hashes of the modules that write these theorems.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import re
from dataclasses import dataclass
from typing import Any

from verifier.kernel.certificate import is_hash, read_certificate, read_index
from verifier.kernel.errors import CertificateError

STAMP = "STAMP.json"
DATA = "data"
"""The name of the folder in the build folder that has the data."""
HEADLINE = "Headline.v"
"""The source that depends on the data."""
GENERAL = "general"
"""The name of two folders of the second build: the folder with its sources, and the folder with what it has built."""
EXPECTED = {"Theorems.v": "theorems.txt", HEADLINE: "headline.txt"}
"""The sources that print theorems, each with the file of its expected output."""

MAX_STAMP_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Theorem:
    """A theorem that Coq has proved, and the axioms that it assumes."""

    name: str
    axioms: tuple[str, ...]
    verdict: str = "proved"  # or 'refuted': the theorem says that the statement does not hold


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of the Coq proofs: the evidence from which the data are made, the sources, and the build."""

    proofs: pathlib.Path
    sources: pathlib.Path
    build: pathlib.Path


def find_places(proofs: pathlib.Path) -> Places:
    """Return the folders, given the folder of the evidence. ``$VERIFIER_COQ`` may name another folder for the build."""
    named = os.environ.get("VERIFIER_COQ")
    build = pathlib.Path(named) if named else proofs.resolve().parent / "build" / "coq"
    return Places(proofs, proofs / "coq", build)


def read_theorems(proofs: pathlib.Path | None) -> dict[str, Theorem]:
    """Return the theorems that valid stamps list, given the folder of the evidence; {} if there is no valid stamp.

    If a theorem was made from a certificate, its key is the hash of the certificate's statement; otherwise, the key is
    the theorem's name.
    """
    if proofs is None:
        return {}
    places = find_places(proofs)
    general = Places(places.proofs, places.sources / GENERAL, places.build / GENERAL)
    found = {theorem.name: theorem for theorem, _ in _read_stamp(places)}
    return found | {statement: theorem for theorem, statement in _read_stamp(general) if statement}


def _read_stamp(places: Places) -> list[tuple[Theorem, str]]:
    """Return the theorems of a build, each with the hash of the statement from which it was made ("" if there is none).

    Return [] if the build has no valid stamp.
    """
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError, CertificateError):
        with (places.build / STAMP).open("rb") as file:
            value = json.loads(file.read(MAX_STAMP_BYTES))
        if _fits(places, value):
            found = []
            for name, axioms in value["theorems"].items():
                statement, verdict = value["statements"].get(name, ("", "proved"))
                found.append((Theorem(name.rpartition(".")[2], tuple(map(str, axioms)), verdict), statement))
            return found
    return []


def _fits(places: Places, value: dict[str, Any]) -> bool:
    """Say whether sources, data, tables and the modules that write theorems are still those of a stamp."""
    sources = find_sources(places)
    if not value["data"]:
        sources.pop(HEADLINE, None)
    elif not all(name_tables(places.proofs, name) == tables for name, tables in value["tables"].items()):
        return False
    if value["statements"] and value["writers"] != hash_writers():
        return False
    data = {path.name: path for path in (places.build / DATA).glob("*.v")} if value["data"] else {}
    return all(
        named == {name: hash_file(path) for name, path in files.items()}
        for named, files in ((value["sources"], sources), (value["data"], data))
    )


def find_sources(places: Places) -> dict[str, pathlib.Path]:
    """Return the sources, and the files of the expected output, by name."""
    expected = (places.sources / name for name in EXPECTED.values())
    return {path.name: path for path in (*places.sources.glob("*.v"), *expected) if path.exists()}


def find_theorem(sources: pathlib.Path, theorem: str) -> str:
    """Return the name of the Coq source that states a theorem; empty if there is none."""
    stated = re.compile(rf"^(?:Theorem|Lemma|Corollary) {re.escape(theorem)}\b", re.MULTILINE)
    files = sorted(sources.glob("*.v"))
    return next((path.name for path in files if stated.search(path.read_text(encoding="utf-8"))), "")


def hash_writers() -> dict[str, str]:
    """Return the hashes of the modules that write, for Coq, the rules of games and the statements of theorems."""
    folder = pathlib.Path(__file__).parent / "export"
    return {name: hash_file(folder / name) for name in ("coq_rules.py", "theorem.py")}


def hash_file(path: pathlib.Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def name_tables(proofs: pathlib.Path, name: str) -> list[str]:
    """Return the hashes of the tables that the evidence of the reading ``name`` lists.

    Raises:
        CertificateError: the reading has no evidence, or its evidence lists no tables.
    """
    filed = read_index(proofs).filed
    if name not in filed:
        raise CertificateError("unreadable", f"{proofs} has no evidence for {name}")
    tables = read_certificate(proofs, filed[name]).evidence.get("tables")
    if not isinstance(tables, list) or not all(map(is_hash, tables)):
        raise CertificateError("malformed", f"the evidence of {name} names no tables")
    return tables
