from __future__ import annotations

import re

import pytest

from tests.audit.made import check, make_plan
from tests.commands import ROOT
from tests.rules import specs
from verifier.language.dependents import order_claims
from verifier.language.references import needed_claims
from verifier.report.explain import render_tree
from verifier.report.layout import Layout


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    cache, shipped = tmp_path_factory.mktemp("cache"), ROOT / "proofs"
    plan = make_plan(ROOT / "specs", "rules-positions", "rules-start", cache=cache, shipped=shipped)
    return render_tree(check(plan), plan.library, "rules-positions", Layout(is_coloured=True))


def test_the_tree_holds_every_claim_below(text: str) -> None:
    """Each claim that it rests on is there, as the claim graph says, with what it rests on and its certificate."""
    library = specs()
    names = re.findall(r"^\W*(?:joins |to read first [^:]*: )?([a-z-]+): ", text, re.MULTILINE)
    assert set(order_claims(library, ["rules-positions", *needed_claims(library.claim("rules-positions"))])) <= {*names}
    assert "what the invariant owes" in " ".join(text.split())
    assert "certificate: evidence/" in text


def test_verdicts_are_coloured_and_branches_drawn(text: str) -> None:
    assert "├─ as-stated (plays): \x1b[32mproved\x1b[0m" in text
    assert "└─ to read first (no verdict rests on it): rules-start" in text
