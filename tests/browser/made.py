"""The report that browser tests, the bench and the screenshots look at: few claims, the strategies among them."""

from __future__ import annotations

import pathlib
import tempfile

from verifier.checkers.ledger import Ledger, ReadingResult, conclude, order_claims, settle
from verifier.checkers.publish import name_files
from verifier.checkers.run import Run
from verifier.kernel.recheck import read_index, recheck_entry
from verifier.kernel.verdict import Verdict
from verifier.report.registry import Report, render
from verifier.spec.library import Library, load_library

ROOT = pathlib.Path(__file__).parents[2]
SPECS, PROOFS = ROOT / "specs", ROOT / "proofs"
CHECKED = ["lemma-1-context", "lemma-2", "lemma-3", "lemma-3-edge-line", "lowest-spot-keeps-fields", "threesome-rules"]
SHIPPED = ["beyond-opening-0-8", "theorem-1"]
"""Claims whose shipped proofs the kernel checks again: to find them takes long."""


def write_report(path: pathlib.Path) -> None:
    """Write the page: claims that are checked now, and claims whose shipped proofs are rechecked."""
    library = load_library(SPECS)
    with tempfile.TemporaryDirectory() as folder:
        proofs = pathlib.Path(folder)
        run = Run(SPECS, library, order_claims(library, CHECKED), jobs=2)
        checked = run.execute(proofs)
        results = {claim.id: claim for claim in checked.claims}
        for name in SHIPPED:
            results[name] = conclude(library.claim(name), _recheck(library, name, proofs), results)
        ledger = Ledger(tuple(settle(library, results).values()))
        path.write_text(render("html", Report(ledger, library, SPECS, proofs, "verifier report")), encoding="utf-8")


def _recheck(library: Library, claim: str, proofs: pathlib.Path) -> list[ReadingResult]:
    found = []
    for entry in read_index(PROOFS):
        if entry.claim != claim:
            continue
        certificate, result = recheck_entry(PROOFS, entry, {}, {}, full=False)
        for name in name_files(PROOFS, entry):
            (proofs / name).parent.mkdir(parents=True, exist_ok=True)
            (proofs / name).write_bytes((PROOFS / name).read_bytes())
        reading = library.claim(claim).readings[entry.reading]
        found.append(
            ReadingResult(
                *(claim, entry.reading, reading.method, result.verdict, Verdict.parse(reading.expect)),
                *(result.reason, result.trust, dict(result.stats), None),
                path=entry.path,
                sha256=entry.sha256,
                statement=entry.statement,
            )
        )
        if certificate.verdict != str(result.verdict):
            raise SystemExit(f"{claim}/{entry.reading}: the shipped proof shows another verdict than it says")
    return found
