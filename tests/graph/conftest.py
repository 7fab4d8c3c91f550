from __future__ import annotations

import functools
import pathlib
import tempfile

import networkx as nx
import pytest

from tests.audit.made import ROOT, check, make_plan
from tests.rules import specs
from verifier.api.certificate import find_plays, unfold_plays
from verifier.graph.build import build_claim_graph
from verifier.graph.plays import Walk
from verifier.kernel.statement import Statement
from verifier.language.library import Library

Plays = tuple[Statement, Walk]


@pytest.fixture(scope="session")
def library() -> Library:
    return specs()


@pytest.fixture(scope="session")
def claims(library: Library) -> nx.DiGraph[str]:
    return build_claim_graph(library)


@functools.cache
def read(name: str) -> Plays:
    """Return the plays of a reading, with shipped evidence or, if there is none, evidence that is found now."""
    with tempfile.TemporaryDirectory() as folder:
        claim, _, reading = name.partition("/")
        plan = make_plan(
            ROOT / "specs", claim, cache=pathlib.Path(folder), shipped=ROOT / "proofs", reading=reading or None
        )
        check(plan)
        context = plan.folders.open(plan.library)
        return unfold_plays(find_plays(context, name))
