"""One report of a few claims, made once. One of the claims has texts that try to break out of their place."""

import shutil
from dataclasses import replace

import pytest

from tests.audit.made import MADE, check, make_plan
from tests.rules import SPECS
from verifier.audit.needs import join_claims, order_claims
from verifier.report.registry import Report, render_report

CLAIMS = ["hostile", "lowest-spot-keeps-fields", "p4-note", "figure-2", "figure-7", "threesome-example", "rules-start"]
JOINED = ["classic-first-player", "classic-second-player", "classic-draw"]


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A run over a few claims with every kind of witness."""
    folder = tmp_path_factory.mktemp("report")
    specs, root = folder / "specs", folder / "root"
    shutil.copytree(SPECS, specs)
    shutil.copy(MADE / "hostile.yaml", specs / "examples")
    root.mkdir()
    plan = make_plan(specs, cache=root, shipped=SPECS.parent / "proofs")
    plan = replace(plan, claims=tuple(order_claims(plan.library, join_claims(plan.library, [*CLAIMS, *JOINED]))))
    return Report(check(plan), plan.library, specs, plan.folders.store, "verifier report 'a <b> claim'")


@pytest.fixture(scope="session")
def page(report: Report) -> str:
    """The page of that report."""
    return render_report("html", report)
