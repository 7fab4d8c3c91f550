"""Obligations of shipped evidence as files for other solvers."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator
from typing import Any

from verifier.kernel.decide import decide
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import Obligations, derive, derive_closure
from verifier.kernel.store import files_of, read_certificate, read_index
from verifier.recheck import plan
from verifier.solver.smtlib import write_obligations


def export_obligations(proofs: pathlib.Path, folder: pathlib.Path, names: frozenset[str]) -> Iterator[pathlib.Path]:
    """Write the obligations of shipped evidence in SMT-LIB 2; yield each file that was written.

    Args:
        proofs: where the evidence is.
        folder: where the files go; it is made where it is not there.
        names: claims or readings; empty: all.

    Raises:
        CertificateError: evidence is rejected.
        UsageError: nothing is filed under a name.
        OSError: a file cannot be written.
    """
    for filed, statement, evidence in read_owing(proofs, names):
        folder.mkdir(parents=True, exist_ok=True)
        for key, derived in derive_owed(statement, evidence):
            name = re.sub(r"[^a-zA-Z0-9.-]", "_", filed.replace("/", "."))
            path = folder / f"{name}{f'.{key}' if key != 'obligations' else ''}.smt2"
            lines = write_obligations(derived, (used for _, _, used in evidence[key]["shown"]))
            with path.open("w", encoding="ascii", errors="backslashreplace", newline="\n") as file:
                file.writelines(f"{line}\n" for line in lines)
            yield path


def read_owing(proofs: pathlib.Path, names: frozenset[str]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield evidence that lists obligations, once the kernel accepts it: its name, the statement and itself.

    Raises:
        CertificateError: evidence is rejected.
        UsageError: nothing is filed under a name.
    """
    for request in plan(read_index(proofs), names):
        certificate = read_certificate(proofs, request.key)
        if "obligations" in certificate.evidence:
            decide(certificate.statement, certificate.verdict, certificate.evidence, files_of(proofs))
            yield request.names[0], certificate.statement, certificate.evidence


def derive_owed(statement: dict[str, Any], evidence: dict[str, Any]) -> list[tuple[str, Obligations]]:
    """Return what evidence owes, by its key: steps, or an invariant and what it takes of the rules."""
    if "invariant" in evidence:
        steps = derive(derive_steps(statement, evidence))
        return [("obligations", steps), ("positions", derive_closure(statement["rules"]))]
    return [("obligations", derive(statement, {index for index, _, _ in evidence.get("images", ())}))]
