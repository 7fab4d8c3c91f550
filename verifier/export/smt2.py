"""Writes the obligations of shipped evidence to files for other solvers."""

from __future__ import annotations

import functools
import json
import pathlib
import re
from collections.abc import Iterator
from typing import Any

from verifier.kernel.certificate import CertificateContent, files_of, read_certificate, read_index
from verifier.kernel.decide import decide
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import Obligations, derive, derive_closure
from verifier.recheck import plan
from verifier.solver.smtlib import write_obligations


def export_obligations(proofs: pathlib.Path, folder: pathlib.Path, names: frozenset[str]) -> Iterator[pathlib.Path]:
    """Write the obligations of shipped evidence in SMT-LIB 2; yield each file that was written.

    Args:
        proofs: the folder of the evidence.
        folder: the folder for the files; it is created if it does not exist.
        names: claims or readings; empty for all.

    Raises:
        CertificateError: evidence is rejected.
        UsageError: one of ``names`` is not in the index of the evidence.
        OSError: a file cannot be written.
    """
    for filed, certificate in read_owing(proofs, names):
        statement, evidence = certificate.statement, certificate.evidence
        decide(statement, certificate.verdict, evidence, files_of(proofs))
        folder.mkdir(parents=True, exist_ok=True)
        for key, derived in derive_owed(statement, evidence):
            name = re.sub(r"[^a-zA-Z0-9.-]", "_", filed.replace("/", "."))
            path = folder / f"{name}{f'.{key}' if key != 'obligations' else ''}.smt2"
            lines = write_obligations(derived, (used for _, _, used in evidence[key]["shown"]))
            with path.open("w", encoding="ascii", errors="backslashreplace", newline="\n") as file:
                file.writelines(f"{line}\n" for line in lines)
            yield path


def read_owing(proofs: pathlib.Path, names: frozenset[str]) -> Iterator[tuple[str, CertificateContent]]:
    """Yield the certificates that list obligations, each with the name of a reading. The kernel has not checked them.

    Raises:
        CertificateError: a certificate cannot be read.
        UsageError: one of ``names`` is not in the index of the evidence.
    """
    for entry in plan(read_index(proofs), names):
        certificate = read_certificate(proofs, entry.key)
        if "obligations" in certificate.evidence:
            yield entry.names[0], certificate


def derive_owed(statement: dict[str, Any], evidence: dict[str, Any]) -> list[tuple[str, Obligations]]:
    """Return the obligations of a statement, by the key under which the evidence has the answers about them.

    Evidence with an invariant has two of these keys. The obligations of ``positions`` say that moves keep positions
    well formed.
    """
    if "invariant" in evidence:
        steps = derive(derive_steps(statement, evidence))
        return [("obligations", steps), ("positions", _derive_closure(json.dumps(statement["rules"])))]
    return [("obligations", derive(statement, {index for index, _, _ in evidence.get("images", ())}))]


@functools.cache
def _derive_closure(rules: str) -> Obligations:
    """Derive the obligations which say that moves keep positions well formed. Do so once for each text of rules."""
    return derive_closure(json.loads(rules))
