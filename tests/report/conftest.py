"""One report of a few claims, made once. One of the claims has texts that try to break out of their place."""

import shutil

import pytest

from tests.audit.made import MADE, check
from tests.rules import SPECS
from verifier.audit.needs import join_claims, order_claims
from verifier.audit.plan import Folders, Plan
from verifier.audit.store import Store
from verifier.language.folder import read_library
from verifier.questions.registry import GRAMMAR
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
    library, problems = read_library(specs, GRAMMAR, [*CLAIMS, *JOINED])
    assert not problems
    store = Store(SPECS.parent / "proofs", cache=root)
    claims = tuple(order_claims(library, join_claims(library, [*CLAIMS, *JOINED])))
    return Report(
        check(Plan(Folders(specs, store), library, claims)), library, specs, store, "verifier report 'a <b> claim'"
    )


@pytest.fixture(scope="session")
def page(report: Report) -> str:
    """The page of that report."""
    return render_report("html", report)
