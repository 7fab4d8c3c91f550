"""Obligations of shipped evidence, and their refutations, as files for other checkers."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from verifier.export.veripb import Proof
from verifier.kernel.certificate import unpack
from verifier.kernel.decide import decide
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import Obligations, derive, derive_closure
from verifier.kernel.store import Files, files_of, read_certificate, read_index
from verifier.recheck import plan
from verifier.solver.smtlib import write_obligations

Shown = list[tuple[list[str], list[str] | None]]
"""For each obligation the names of the assumptions that suffice, and the steps of its refutation, if there is one."""

Texts = Iterator[tuple[str, Iterable[str]]]
"""How the names of files end, and their lines."""


def export_obligations(
    proofs: pathlib.Path, folder: pathlib.Path, checker: str, names: frozenset[str]
) -> Iterator[pathlib.Path]:
    """Write the obligations of shipped evidence; yield each file that was written.

    Args:
        proofs: where the evidence is.
        folder: where the files go; it is made where it is not there.
        checker: a key of ``WRITERS``.
        names: claims or readings; empty: all.

    Raises:
        CertificateError: evidence is rejected.
        UsageError: nothing is filed under a name.
        OSError: a file cannot be written.
    """
    for filed, statement, evidence, files in read_owing(proofs, names):
        folder.mkdir(parents=True, exist_ok=True)
        for key, derived in derive_owed(statement, evidence):
            listed = evidence[key]
            table = unpack(files(listed["refutations"]), "refutations") if "refutations" in listed else {}
            refutations = table.get("refutations", [None] * len(listed["shown"]))
            shown = [*zip((used for _, _, used in listed["shown"]), refutations, strict=True)]
            name = re.sub(r"[^a-zA-Z0-9.-]", "_", filed.replace("/", "."))
            name += f".{key}" if key != "obligations" else ""
            for suffix, lines in WRITERS[checker](derived, shown):
                path = folder / f"{name}.{suffix}"
                with path.open("w", encoding="ascii", errors="backslashreplace", newline="\n") as file:
                    file.writelines(f"{line}\n" for line in lines)
                yield path


def read_owing(
    proofs: pathlib.Path, names: frozenset[str]
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any], Files]]:
    """Yield evidence that lists obligations, once the kernel accepts it: its name, statement, evidence and files.

    Raises:
        CertificateError: evidence is rejected.
        UsageError: nothing is filed under a name.
    """
    files = files_of(proofs)
    for request in plan(read_index(proofs), names):
        certificate = read_certificate(proofs, request.key)
        if "obligations" in certificate.evidence:
            decide(certificate.statement, certificate.verdict, certificate.evidence, files)
            yield request.names[0], certificate.statement, certificate.evidence, files


def derive_owed(statement: dict[str, Any], evidence: dict[str, Any]) -> list[tuple[str, Obligations]]:
    """Return what evidence owes, by its key: steps, or an invariant and what it takes of the rules."""
    if "invariant" in evidence:
        steps = derive(derive_steps(statement, evidence))
        return [("obligations", steps), ("positions", derive_closure(statement["rules"]))]
    return [("obligations", derive(statement, {index for index, _, _ in evidence.get("images", ())}))]


def _smt2(derived: Obligations, shown: Shown) -> Texts:
    """All obligations in one file."""
    yield "smt2", write_obligations(derived, (names for names, _ in shown))


def _veripb(derived: Obligations, shown: Shown) -> Texts:
    """A problem and a proof for each obligation that is refuted."""
    owed = [(part, breach) for part in derived.preconditions for _, breach in part.breaches]
    for number, ((part, breach), (names, steps)) in enumerate(zip(owed, shown, strict=True)):
        if steps is not None:
            assumed = [breach, *(literal for name in names for literal in part.assumptions[name])]
            proof = Proof(derived.circuit, assumed, steps)
            yield f"{number}.opb", proof.problem()
            yield f"{number}.pbp", proof.lines()


WRITERS: dict[str, Callable[[Obligations, Shown], Texts]] = {"smt2": _smt2, "veripb": _veripb}
