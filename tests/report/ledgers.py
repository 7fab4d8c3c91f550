"""Ledgers for tests: three small claims (``tests/specs/three``) whose readings have the results that a test needs.

The title of the second claim has something to escape for every format.
"""

import functools
import gzip
import json
import pathlib
import shutil
from dataclasses import replace
from typing import Any

from tests.audit.made import MADE
from tests.lines import PROOFS
from tests.rules import load_library, specs
from verifier.audit.ledger import ClaimResult, Ledger
from verifier.audit.standing import conclude
from verifier.audit.store import Store
from verifier.kernel.certificate import evidence_path, hash_bytes, read_bytes, read_index
from verifier.kernel.verdict import Belief, Verdict
from verifier.questions.result import CertificateFile, ReadingResult, pending_result
from verifier.report.registry import Report

SARIF = json.loads(gzip.decompress((pathlib.Path(__file__).parent / "schemas/sarif-2.1.0-rtm.5.json.gz").read_bytes()))
"""The official schema."""

LEFT_OUT = {"wrong/long"}
"""Readings that the run leaves out."""


def write_specs(folder: pathlib.Path) -> pathlib.Path:
    """Write the claims below a folder ``audited specs``, in a repository. Return the folder."""
    (folder / ".git").mkdir()
    specs = folder / "audited specs"
    shutil.copytree(MADE / "three", specs / "part")
    return specs


def make_report(folder: pathlib.Path, **changes: dict[str, Any]) -> Report:
    """Return a report in which each reading is as expected, with changes by ``claim__reading`` (``-`` as ``_``)."""
    specs = write_specs(folder)
    library = load_library(specs)
    results: dict[str, ClaimResult] = {}
    for claim in ("plain", "mended", "wrong"):
        found = []
        for name in library.claim(claim).readings:
            if f"{claim}/{name}" in LEFT_OUT:
                continue
            result = pending_result(library.claim(claim), name)
            result = replace(result, verdict=result.expected or Verdict.REFUTED, stats={"parts": 1, "refuted": 1})
            found.append(replace(result, **changes.get(f"{claim}__{name}".replace("-", "_"), {})))
        results[claim] = conclude(library.claim(claim), found, results)
    ledger = Ledger(tuple(results.values()))
    return Report(ledger, library, specs, Store(folder), "verifier check")


COUNTS = dict.fromkeys(("counted", "leaves", "members", "refuted", "replies"), 1)
"""What is counted for a verdict of any kind."""

filed = functools.cache(lambda: read_index(PROOFS).filed)
"""Returns the key of the shipped evidence of each reading."""


def as_expected(name: str) -> ReadingResult:
    """Return the result of a shipped reading if everything is as its spec expects, with the shipped certificate."""
    claim, _, reading = name.partition("/")
    result, key = pending_result(specs().claim(claim), reading), filed().get(name)
    beliefs = frozenset([Belief.SOLVER] if result.expected is Verdict.SUPPORTED else [])
    certificate = None
    if key is not None:
        path = evidence_path(key)
        certificate = CertificateFile(path, hash_bytes(read_bytes(PROOFS, path)), key[:64])
    return replace(
        result, verdict=result.expected or Verdict.REFUTED, beliefs=beliefs, certificate=certificate, stats=COUNTS
    )


def conclude_as_expected(name: str, results: dict[str, ClaimResult], **more: Any) -> ClaimResult:
    """Return the result of a shipped claim if everything is as its spec expects, given the claims that it joins."""
    library, model = specs(), specs().claim(name)
    found = [as_expected(f"{name}/{reading}") for reading in model.readings]
    return conclude(model, found, results, library, **more)
