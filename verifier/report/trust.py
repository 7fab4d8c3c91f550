"""What a verdict says of itself: its word, by what where it is supported, and what the kernel did for it.

Everything that is printed about trust is made here, from values: the verdict, what is believed for it, the method and
the counts of a result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from verifier.audit.ledger import ClaimResult, Standing
from verifier.coq import Theorem
from verifier.kernel.verdict import Belief, Verdict
from verifier.kernel.words import counted
from verifier.language.about import Severity
from verifier.methods.registry import find_method
from verifier.methods.result import ReadingResult
from verifier.presentation.family import in_words

NAMES = {
    Belief.SOLVER: "a solver",
    Belief.COQ: "Coq",
}
"""What a supported verdict is supported by, in a word or two; ``Belief`` says what has to be believed."""

INSTALL_EXACT = "to have it proved: pip install 'claim-verifier[refutations]', and check it with --anew"
"""What would change a verdict that a solver supports: Exact finds refutations, which the kernel follows."""

IN_COQ = ", and in Coq"
"""What is said of a verdict where a build on this machine has proved the theorem that its reading names."""


REPAIRED: dict[Severity, str] = {
    "wording": "of the wording",
    "slip": "of a slip",
    "gap": "of a gap in an argument",
    "hypothesis": "of a hypothesis",
    "step": "of a step",
    "statement": "of the statement",
}
"""What was repaired, by its severity."""


def name_beliefs(beliefs: Iterable[Belief]) -> str:
    """Return what something is supported by, in words: ``a solver and part of its evidence``; empty for nothing."""
    found = set(beliefs)
    return in_words(NAMES[belief] for belief in NAMES if belief in found)


def name_verdict(verdict: Verdict, beliefs: Iterable[Belief]) -> str:
    """Return a verdict in words; of a supported one also by what."""
    return f"{verdict} by {name_beliefs(beliefs)}" if verdict is Verdict.SUPPORTED else str(verdict)


def describe_trust(method: str, verdict: Verdict, beliefs: Iterable[Belief], stats: Mapping[str, int]) -> str:
    """Say in a sentence what the kernel did for a verdict, and what has to be believed besides."""
    if verdict is Verdict.UNKNOWN:
        return ""
    if verdict is Verdict.REFUTED:
        return "the kernel alone: it decided the evidence against it"
    found = set(beliefs)
    asked = [belief.value for belief in Belief if belief in found]
    try:
        done = _find_way(method, stats).format_map(stats)
    except KeyError:  # a ledger from elsewhere need not have the counts
        done = "the kernel decided the evidence"
    if verdict is Verdict.PROVED:
        return f"the kernel alone: {done.removeprefix('the kernel ')}"
    more = f"; {INSTALL_EXACT}" if Belief.SOLVER in found else ""
    return f"{done}; to be believed: {'; '.join(asked)}{more}"


def _find_way(method: str, stats: Mapping[str, int]) -> str:
    """Return what the kernel did, by what was counted: several kinds of evidence may show the same statement."""
    ways = find_method(method).kernel
    return next(said for count, said in ways.items() if not count or count in stats)


def trust_of(result: ReadingResult) -> str:
    """Say what a reading's verdict rests on; nothing where there is none. What Coq has proved besides is said last."""
    own = describe_trust(result.question, result.verdict, result.beliefs, result.stats)
    return f"{own}; {describe_theorem(result.in_coq)}" if result.in_coq is not None else own


def describe_theorem(theorem: Theorem) -> str:
    """Say in a sentence what Coq has proved on this machine, from which axioms, and what has to be believed for it."""
    libraries = list(dict.fromkeys(name.rpartition(".")[0] for name in theorem.axioms))
    by = f"from {counted(len(theorem.axioms), 'axiom')} of {', '.join(libraries)}" if libraries else "from no axiom"
    return f"and in Coq: a build on this machine has proved {theorem.name} {by}; to be believed: {Belief.COQ.value}"


def verdict_of(result: ReadingResult) -> str:
    """Return a reading's verdict in words, by what where it is supported, and whether Coq has proved it besides."""
    if not result.is_run or result.is_lost:
        return str(result.decided)
    return name_verdict(result.verdict, result.beliefs) + (IN_COQ if result.in_coq is not None else "")


def rules_of(result: ReadingResult) -> str:
    """Say under which rules a reading is meant, where they are not those of its claim; else nothing."""
    return f" under {result.rules}" if result.rules else ""


def standing_of(claim: ClaimResult) -> str:
    """Return how a claim stands in words, by what where it is supported."""
    by = name_beliefs(claim.beliefs)
    standing = f"{claim.standing} {REPAIRED[claim.severity]}" if claim.severity else str(claim.standing)
    return f"{standing}, by {by}" if by else standing


def brief_standing(claim: ClaimResult) -> tuple[str, str]:
    """Return how a claim stands as one word, and what is to be added to it."""
    by = f"by {name_beliefs(claim.beliefs)}" if claim.beliefs else ""
    of = REPAIRED[claim.severity] if claim.severity else ""
    match claim.standing:
        case Standing.PROVED:
            return "proved", ""
        case Standing.SUPPORTED:
            return "supported", by
        case Standing.REPAIRED:
            return "repaired", of
        case Standing.REPAIRED_SUPPORTED:
            return "supported", f"after repair {of}".rstrip() + f", {by}"
        case Standing.DEPENDS:
            return "depends", "on the reading" + (by and f", {by}")
        case _:
            return str(claim.standing), ""


REACH = {
    True: "reachable in legal play",
    False: "not reachable in legal play",
    None: "open whether legal play reaches it",
}
"""What is known of a position from which a step fails, by its witness's ``reachable``."""
