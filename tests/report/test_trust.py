"""What is printed of trust is made of verdict, beliefs, method and counts, and of nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.audit.ledger import ClaimResult, Origin, Standing
from verifier.coq import Theorem
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.questions import QUESTIONS
from verifier.methods.result import Decided, ReadingResult
from verifier.methods.witness import Needs
from verifier.report.trust import (
    INSTALL_EXACT,
    NAMES,
    describe_trust,
    name_beliefs,
    name_verdict,
    standing_of,
    trust_of,
    verdict_of,
)


def test_every_belief_has_a_name() -> None:
    """They are named in the order of the enumeration, whatever the order in which they are given."""
    assert list(NAMES) == list(Belief)
    assert name_beliefs([]) == ""
    assert name_beliefs({Belief.SOLVER}) == "a solver"
    assert name_beliefs([Belief.COQ, Belief.SOLVER]) == "a solver and Coq"


def test_only_a_supported_verdict_says_by_what() -> None:
    """The word alone would hide what it rests on."""
    assert name_verdict(Verdict.SUPPORTED, {Belief.SOLVER}) == "supported by a solver"
    assert [name_verdict(verdict, ()) for verdict in Verdict if verdict is not Verdict.SUPPORTED] == [
        "refuted",
        "unknown",
        "proved",
    ]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_proof_is_the_kernels_alone_and_a_belief_is_told_in_full(question: str) -> None:
    """For each question: what the kernel did, and the sentence of each belief."""
    stats = {"replies": 5, "leaves": 9, "rechecked": 3, "positions": 7}
    proved = describe_trust(question, Verdict.PROVED, (), stats)
    assert proved.startswith("the kernel alone: ")
    assert "believed" not in proved
    supported = describe_trust(question, Verdict.SUPPORTED, {Belief.COQ, Belief.SOLVER}, stats)
    assert supported.endswith(f"; to be believed: {Belief.SOLVER.value}; {Belief.COQ.value}; {INSTALL_EXACT}")
    assert describe_trust(question, Verdict.UNKNOWN, (), {}) == ""


def test_a_bound_says_how_many_races_the_kernel_decided() -> None:
    """All that the replies leave open; of what somebody can force the moves are followed."""
    text = describe_trust("bound", Verdict.PROVED, (), {"replies": 5, "leaves": 9})
    assert text == "the kernel alone: followed 5 replies, and decided the 9 races that these leave"
    assert describe_trust("can", Verdict.PROVED, (), {"edges": 3}) == "the kernel alone: followed every reply"


def test_what_some_play_shows_was_not_followed_against_every_reply() -> None:
    """One play is replayed for it; nothing is counted, as nothing is walked through."""
    assert describe_trust("plays", Verdict.PROVED, (), {}) == "the kernel alone: replayed the line"
    assert describe_trust("plays", Verdict.PROVED, (), {"edges": 1}) == "the kernel alone: followed every reply"


def test_what_was_not_run_has_no_verdict_and_no_trust() -> None:
    """Nothing is said of it but that."""
    result = ReadingResult("a", "b", "bound", Verdict.UNKNOWN, Verdict.PROVED, decided=Decided.NOT_RUN)
    assert (verdict_of(result), trust_of(result)) == ("not in this run", "")


def test_a_standing_says_by_what() -> None:
    """A supported claim names its beliefs beside its standing; a proved one has none."""
    supported = ClaimResult("a", "a", Origin("", "", ""), "paper", (), Standing.SUPPORTED, frozenset({Belief.SOLVER}))
    assert standing_of(supported) == "supported as stated, by a solver"
    assert standing_of(replace(supported, standing=Standing.PROVED, beliefs=frozenset())) == "proved as stated"


@pytest.mark.parametrize(
    ("axioms", "by"),
    [((), "from no axiom"), (("PrimInt63.add", "Uint63.a", "Uint63.b"), "from 3 axioms of PrimInt63, Uint63")],
)
def test_what_coq_has_proved_is_said_beside_the_verdict(axioms: tuple[str, ...], by: str) -> None:
    """The verdict stays what it is; the theorem, its axioms and what has to be believed follow what the kernel did."""
    theorem = Theorem("value_43", axioms)
    for verdict, beliefs in ((Verdict.PROVED, frozenset[Belief]()), (Verdict.SUPPORTED, frozenset({Belief.SOLVER}))):
        plain = ReadingResult("a", "b", "replay", verdict, Verdict.PROVED, beliefs=beliefs)
        result = replace(plain, in_coq=theorem)
        assert verdict_of(result) == f"{verdict_of(plain)}, and in Coq"
        assert trust_of(result).startswith(
            f"{trust_of(plain)}; and in Coq: a build on this machine has proved value_43 {by};"
        )
        assert trust_of(result).endswith(Belief.COQ.value)


def test_what_a_proof_uses_is_not_said_to_be_needed() -> None:
    """Evidence names what it uses, which may be more than it takes; what it does without is not needed."""
    needs = Needs("one", ("P1", "P2"), ("P2", "P3"))
    assert needs.words == "one: shown from P1, P2; not cited: P1; named in the text but not needed: P3"
