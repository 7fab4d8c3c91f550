"""Builds the check of ``proofs/coq/general``, and the theorems that are made from certificates.

``claims.txt`` there names claims and readings. Each reading becomes a source (``export_theorems``); ``Headline.v``
prints all theorems.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Mapping, Sequence

from proofs.coq.tools.build import build
from verifier.coq import DATA, GENERAL, HEADLINE, Places
from verifier.export.theorem import export_theorems, name_theorem
from verifier.kernel.certificate import read_certificate, read_index
from verifier.recheck import plan

LIBRARY, CLAIMS = "General", "claims.txt"


def find_general(places: Places) -> Places:
    """Return the folders of the check for any game, given those of the paper's proofs."""
    return Places(places.proofs, places.sources / GENERAL, places.build / GENERAL)


def build_general(places: Places, jobs: int, *, with_claims: bool) -> None:
    """Build the check and, if ``with_claims``, the theorems of the claims.

    Args:
        places: the folders of the check.
        jobs: the number of files that are compiled at the same time.
        with_claims: whether claims are written and proved.

    Raises:
        BuildError: a proof or a comparison fails.
        CertificateError, UsageError: evidence is rejected, or a claim cannot be written.
    """
    data = places.build / DATA if with_claims else None
    statements = write_claims(places, data) if data is not None else {}
    build(places, data, jobs, library=LIBRARY, statements=statements)


def write_claims(places: Places, folder: pathlib.Path) -> Mapping[str, Sequence[str]]:
    """Write the theorems, and the source that prints them. Return the statement and the verdict of each, by name."""
    names = frozenset((places.sources / CLAIMS).read_text().split())
    written = {path.name for path in export_theorems(places.proofs, folder, names)}
    for path in folder.glob("*.v"):
        if path.name not in written:
            path.unlink()
    statements, lines = {}, ["From Coq Require Import List ZArith.", "Import ListNotations."]
    lines += ["From General Require Import Game Claim.", "Set Printing Width 110."]
    for entry in plan(read_index(places.proofs), names):
        theorem = name_theorem(entry.names[0])
        statements[f"{theorem}.{theorem}"] = (entry.key, read_certificate(places.proofs, entry.key).verdict)
        lines.append(f"\nFrom General Require {theorem}.\nPrint {theorem}.statement.\nPrint {theorem}.plays_claimed.")
        proved = re.findall(r"^Theorem (\w+) :", (folder / f"{theorem}.v").read_text(), re.MULTILINE)
        lines += [f"Check {theorem}.{one}.\nPrint Assumptions {theorem}.{one}." for one in proved]
    (folder / HEADLINE).write_text("\n".join(lines) + "\n")
    return statements
