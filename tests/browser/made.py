"""The reports that browser tests look at. They have few claims, with the strategies."""

import pathlib
from collections.abc import Sequence

from tests.audit.made import check, make_plan, order
from tests.lines import PROOFS
from tests.report.ledgers import conclude_as_expected
from tests.rules import SPECS, specs
from verifier.audit.ledger import Ledger
from verifier.audit.store import Store
from verifier.report.html.site import render_site
from verifier.report.registry import Report, render_report

CHECKED = ["lemma-1-context", "lemma-3-edge-line", "lowest-spot-keeps-fields", "p4-note", "remark-1", "threesome-rules"]
"""Claims with witnesses and notes to look at."""

EXPECTED = ["abstract-winning-strategy", "abstract-43", "abstract-29", "abstract-first-two-moves", "lemma-3"]
EXPECTED += ["lemma-2", "lemma-4", "beyond-opening-0-8", "theorem-1", "theorem-2", "beyond-value-43"]
"""Claims that the kernel decides elsewhere, for minutes: here they come to what their specs expect."""

GAMES = ["lemma-3", "beyond-opening-0-8", "sim-second-player", "affine-plane-4", "animal-elly"]
"""Such claims, of several documents, that can be played against."""


SITE = ["lemma-2", "lemma-4", "theorem-1", "beyond-no-double", "sim-second-player"]
"""Such claims, of several documents, for a site."""


def write_report(path: pathlib.Path, checked: Sequence[str] = CHECKED, expected: Sequence[str] = EXPECTED) -> None:
    """Write a page about some claims, without the claims that they join, with the shipped evidence."""
    path.write_text(render_report("html", make_report(checked, expected)), encoding="utf-8")


def write_site(folder: pathlib.Path, expected: Sequence[str] = SITE) -> None:
    """Write a site about some claims."""
    for name, text in render_site(make_report([], expected)):
        (folder / name).write_text(text, encoding="utf-8")


def make_report(checked: Sequence[str], expected: Sequence[str]) -> Report:
    """Return a report on some claims, without the claims that they join, with the shipped evidence."""
    plan = make_plan(SPECS, *order(SPECS, *checked), shipped=PROOFS)
    found = {claim.id: claim for claim in check(plan).claims} if checked else {}
    names = order(SPECS, *checked, *expected)
    for name in names:
        found[name] = found.get(name) or conclude_as_expected(name, found)
    ledger = Ledger(tuple(found[name] for name in names if name in (*checked, *expected)))
    return Report(ledger, specs(), SPECS, Store(PROOFS), "verifier report")
