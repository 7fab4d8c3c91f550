"""The report that browser tests, the bench and the screenshots look at: few claims, the strategies among them."""

from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Sequence

from tests.audit.made import check, make_plan, order
from verifier.report.registry import Report, render

ROOT = pathlib.Path(__file__).parents[2]
SPECS, PROOFS = ROOT / "specs", ROOT / "proofs"
CHECKED = [
    *("abstract-winning-strategy", "abstract-43", "abstract-29", "abstract-first-two-moves"),
    *("lemma-1-context", "lemma-2", "lemma-3", "lemma-3-edge-line", "remark-1", "p4-note"),
    *("lowest-spot-keeps-fields", "threesome-rules"),
]
SHIPPED = ["beyond-opening-0-8", "theorem-1", "beyond-value-43"]
"""Claims with shipped evidence: to find it takes long."""


GAMES = ["lemma-3", "beyond-opening-0-8", "sim-second-player", "affine-plane-4", "animal-elly"]
"""Claims of several documents that can be played against, with shipped evidence."""


def write_report(path: pathlib.Path, claims: Sequence[str] = (*CHECKED, *SHIPPED)) -> None:
    """Write the page, after the kernel has decided on what is shipped."""
    with tempfile.TemporaryDirectory() as folder:
        plan = make_plan(SPECS, *order(SPECS, *claims), cache=pathlib.Path(folder), shipped=PROOFS, jobs=2)
        report = Report(check(plan), plan.library, SPECS, plan.folders.stores, "verifier report")
        path.write_text(render("html", report), encoding="utf-8")
