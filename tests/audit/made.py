"""Helpers that make specs and plans for the tests of a run."""

import pathlib
import shutil

from tests import rules
from tests.rules import load_library
from verifier.audit.ledger import Ledger
from verifier.audit.needs import join_claims, order_claims
from verifier.audit.plan import Folders, Plan
from verifier.audit.run import run_plan
from verifier.audit.store import Store
from verifier.language.library import Library

ROOT = pathlib.Path(__file__).parents[2]
MADE = ROOT / "tests" / "specs"
"""The folder with the specs that tests read."""

CLAIM = """\
claim: {name}
title: A claim for tests
source: {{document: examples, place: none, says: A claim for tests.}}
rules: {rules}
{rest}
"""
STARTS = """\
readings:
  as-stated: {step: start, expect: proved, steps: {start: {conclude: [ply == 0]}}}"""


def read_spec(name: str) -> str:
    """Return the text of a spec in ``tests/specs``."""
    return (MADE / f"{name}.yaml").read_text(encoding="utf-8")


def write_specs(folder: pathlib.Path) -> pathlib.Path:
    """Copy the example claims, which are about plays. Add a claim about the start, and one that is an induction."""
    shutil.copytree(ROOT / "specs" / "examples", folder)
    write_claim(folder, "starts", STARTS, "tictactoe")
    shutil.copy(MADE / "steps.yaml", folder)
    return folder


def write_claim(folder: pathlib.Path, name: str, rest: str, rules: str) -> None:
    """Write the spec of a claim."""
    (folder / f"{name}.yaml").write_text(CLAIM.format(name=name, rules=rules, rest=rest))


def load(folder: pathlib.Path) -> Library:
    """Return the specs of a folder. Each process reads the shipped specs only once."""
    return rules.specs() if folder == rules.SPECS else load_library(folder)


def edit(path: pathlib.Path, old: str, new: str) -> None:
    """Replace a text that occurs exactly once in a file."""
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def make_plan(
    specs: pathlib.Path,
    *claims: str,
    out: pathlib.Path | None = None,
    cache: pathlib.Path | None = None,
    shipped: pathlib.Path | None = None,
    jobs: int = 1,
    is_anew: bool = False,
    reading: str | None = None,
) -> Plan:
    """Return a plan that checks the named claims, or all claims if none is named."""
    library = load(specs)
    folders = Folders(specs, Store(shipped, out, cache))
    return Plan(folders, library, tuple(claims or library.claims), reading, jobs=jobs, is_anew=is_anew)


def order(specs: pathlib.Path, *claims: str) -> list[str]:
    """Return claims and the claims that they join, each claim after those that it joins."""
    library = load(specs)
    return order_claims(library, join_claims(library, claims))


check = run_plan
"""Runs a plan."""


def verdicts(ledger: Ledger) -> dict[str, str]:
    """Return the verdicts by reading."""
    return {result.name: str(result.verdict) for result in ledger.readings}


def tree_of(folder: pathlib.Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
