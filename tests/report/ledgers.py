"""Ledgers for tests: three small claims, of which the readings come out as a test wants.

In the title of the second, every format finds something to escape.
"""

from __future__ import annotations

import functools
import gzip
import json
import pathlib
from dataclasses import replace
from typing import Any

from tests.lines import PROOFS
from tests.rules import specs
from verifier.audit.ledger import ClaimResult, Ledger
from verifier.audit.standing import conclude
from verifier.audit.store import Stores
from verifier.kernel.certificate import hash_bytes
from verifier.kernel.store import evidence_path, read_bytes, read_index
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.folder import load_library
from verifier.methods.result import Filed, ReadingResult, pending_result
from verifier.report.registry import Report

SARIF = json.loads(gzip.decompress((pathlib.Path(__file__).parent / "schemas/sarif-2.1.0-rtm.5.json.gz").read_bytes()))
"""The official schema."""

SPECS = {
    "plain": """\
claim: plain
title: A claim for tests
source: {document: test, place: part 1, says: It holds.}
rules: tictactoe
readings:
  as-stated: {step: start, expect: proved, steps: {start: {conclude: [ply == 0]}}}
""",
    "mended": r"""claim: mended
title: "A bell \x07, \"quotes\", <tags> & 100% | of: commas,\nlines"
source: {document: test, place: part 2, says: It nearly holds.}
rules: tictactoe
uses: [plain]
readings:
  as-stated:
    {step: start, expect: refuted, steps: {start: {conclude: [ply == 1]}}}
  repaired:
    repairs: [as-stated]
    note: the count starts at 0
    step: start
    expect: proved
    steps: {start: {conclude: [ply == 0]}}
""",
    "wrong": """\
claim: wrong
title: A wrong claim
source: {document: test, place: part 3, says: It does not hold.}
rules: tictactoe
readings:
  as-stated: {step: start, expect: refuted, steps: {start: {conclude: [ply == 2]}}}
  long: {control: true, expect: refuted, line: ["0"], conclude: [ply == 3]}
""",
}


LEFT_OUT = {"wrong/long"}
"""Readings that the run leaves out."""


def write_specs(folder: pathlib.Path) -> pathlib.Path:
    """Write the claims below a folder ``audited specs``, in a repository, and return it."""
    (folder / ".git").mkdir()
    specs = folder / "audited specs"
    (specs / "part").mkdir(parents=True)
    for name, text in SPECS.items():
        (specs / "part" / f"{name}.yaml").write_text(text)
    return specs


def make_report(folder: pathlib.Path, **changes: dict[str, Any]) -> Report:
    """Return a report in which each reading is as expected, but for changes by ``claim__reading`` (``-`` as ``_``)."""
    specs = write_specs(folder)
    library = load_library(specs)
    results: dict[str, ClaimResult] = {}
    for claim in ("plain", "mended", "wrong"):
        found = []
        for name in library.claim(claim).readings:
            if f"{claim}/{name}" in LEFT_OUT:
                continue
            result = pending_result(library.claim(claim), name)
            result = replace(result, verdict=result.expected, stats={"parts": 1})
            found.append(replace(result, **changes.get(f"{claim}__{name}".replace("-", "_"), {})))
        results[claim] = conclude(library.claim(claim), found, results)
    ledger = Ledger(tuple(results.values()))
    return Report(ledger, library, specs, Stores((folder,)), "verifier check")


filed = functools.cache(lambda: read_index(PROOFS).filed)
"""Returns the key of the shipped evidence of each reading."""


def as_expected(name: str) -> ReadingResult:
    """Return what a shipped reading comes to where all is as its spec expects, with the certificate that is shipped."""
    claim, _, reading = name.partition("/")
    result, key = pending_result(specs().claim(claim), reading), filed().get(name)
    beliefs = frozenset([Belief.SOLVER] if result.expected is Verdict.SUPPORTED else [])
    certificate = None
    if key is not None:
        path = evidence_path(key)
        certificate = Filed(path, hash_bytes(read_bytes(PROOFS, path)), key[:64])
    return replace(result, verdict=result.expected, beliefs=beliefs, certificate=certificate)


def conclude_as_expected(name: str, results: dict[str, ClaimResult], **more: Any) -> ClaimResult:
    """Return how a shipped claim stands where all is as its spec expects, given how those stand that it joins."""
    library, model = specs(), specs().claim(name)
    found = [as_expected(f"{name}/{reading}") for reading in model.readings]
    return conclude(model, found, results, is_ours=library.is_ours(model.source), **more)
