"""Sentences about trust are made only from verdict, beliefs, method and counts."""

import itertools
from dataclasses import replace

from tests.golden import require_golden
from verifier.audit.ledger import ClaimResult, Origin, Standing
from verifier.coq import Theorem
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.outline import Severity
from verifier.questions.registry import QUESTIONS
from verifier.questions.result import DecisionStatus, ReadingResult
from verifier.report.sentence import (
    NAMES,
    brief_standing,
    name_beliefs,
    standing_of,
    trust_of,
    verdict_of,
)


def test_every_belief_has_a_name() -> None:
    """Names are in the order of the enumeration, whatever the order of the beliefs."""
    assert list(NAMES) == list(Belief)
    assert name_beliefs([]) == ""
    assert name_beliefs({Belief.SOLVER}) == "a solver"
    assert name_beliefs([Belief.COQ, Belief.SOLVER]) == "a solver and Coq"


BELIEFS = frozenset({Belief.SOLVER, Belief.COQ})
COUNTS = {"replies": 5, "leaves": 9, "refuted": 3, "members": 7, "counted": 2}
THEOREMS = [Theorem("value_43", axioms) for axioms in ((), ("PrimInt63.add", "Uint63.a", "Uint63.b"))]


def test_the_sentences_about_trust() -> None:
    """For each question and kind of count: what the kernel did, each belief, and what Coq has proved."""
    plain = ReadingResult("a", "b", "bound", Verdict.PROVED, Verdict.PROVED)
    told = []
    for question, count in itertools.product(QUESTIONS, ("positions", "edges", "obligations")):
        told.append(f"{question}, {count}: {trust_of(replace(plain, question=question, stats={**COUNTS, count: 1}))}")
    for beliefs, theorem in itertools.product((frozenset[Belief](), BELIEFS), (None, *THEOREMS)):
        verdict = Verdict.SUPPORTED if beliefs else Verdict.PROVED
        result = replace(plain, verdict=verdict, beliefs=beliefs, in_coq=theorem, stats=COUNTS)
        told.append(f"{verdict_of(result)}: {trust_of(result)}")
    for changes in ({"verdict": Verdict.REFUTED}, {"verdict": Verdict.UNKNOWN, "decided": DecisionStatus.NOT_RUN}):
        result = replace(plain, stats=COUNTS, **changes)
        told.append(f"{verdict_of(result)}: {trust_of(result)}")
    severities: list[Severity | None] = [None, "step"]
    for standing, severity in itertools.product(Standing, severities):
        if severity is None or "REPAIRED" in standing.name:
            beliefs = BELIEFS if "SUPPORTED" in standing.name else frozenset()
            claim = ClaimResult("a", "a", Origin("", "", ""), "paper", (), standing, beliefs, severity=severity)
            told.append(f"{standing_of(claim)}: {' '.join(brief_standing(claim)).rstrip()}")
    require_golden("trust.txt", "\n".join(told) + "\n")
