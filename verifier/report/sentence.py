"""What a result says of itself, in the same words in every format: its verdict, what it rests on, and why.

All of it is made from values: the verdict, what is believed for it, the question and the counts of a result.
"""

from __future__ import annotations

from collections.abc import Collection

from verifier.audit.ledger import ClaimResult, Standing, Total
from verifier.coq import Theorem
from verifier.kernel.verdict import Belief, Verdict
from verifier.kernel.words import counted
from verifier.language.shape import Severity
from verifier.presentation.family import in_words
from verifier.questions.registry import find_question
from verifier.questions.result import Counterexample, ReadingResult, add_limit
from verifier.report.printable import flatten

NAMES = {Belief.SOLVER: "a solver", Belief.COQ: "Coq"}
"""What a supported verdict is supported by, in a word or two; ``Belief`` says what has to be believed."""

INSTALL_EXACT = "to get a proof: pip install exact, and check it with --anew"
"""What would change a verdict that a solver supports: Exact finds refutations, which the kernel follows."""

REPAIRED: dict[Severity, str] = {
    "wording": "of the wording",
    "slip": "of a slip",
    "gap": "of a gap in an argument",
    "hypothesis": "of a hypothesis",
    "step": "of a step",
    "statement": "of the statement",
}
"""What was repaired, by its severity."""

REACH = {
    True: "reachable in legal play",
    False: "not reachable in legal play",
    None: "open whether legal play reaches it",
}
"""What is known of a position from which a step fails, by its witness's ``reachable``."""


def name_beliefs(beliefs: Collection[Belief]) -> str:
    """Return what something is supported by, in words: ``a solver and Coq``; empty for nothing."""
    return in_words(NAMES[belief] for belief in NAMES if belief in beliefs)


def word_of(result: ReadingResult) -> str:
    """Return a reading's verdict; of one that has none, why."""
    return str(result.verdict if result.is_run else result.decided)


def verdict_of(result: ReadingResult) -> str:
    """Return a reading's verdict in words: by what it is supported, up to which ply, whether Coq has proved it."""
    if not result.is_run or result.is_lost:
        return str(result.decided)
    by = f" by {name_beliefs(result.beliefs)}" if result.verdict is Verdict.SUPPORTED else ""
    return add_limit(f"{result.verdict}{by}", result.limit) + (", and in Coq" if result.in_coq is not None else "")


def say_expected(result: ReadingResult) -> str:
    """Say which verdict the spec expects of a reading, or that it expects none."""
    return f"half of {result.half_of}" if result.expected is None else f"expected {result.expected}"


def rules_of(result: ReadingResult) -> str:
    """Say under which rules a reading is meant, where they are not those of its claim; else nothing."""
    return f" under {result.rules}" if result.rules else ""


def say_found(result: ReadingResult) -> str:
    """Return a reading's verdict in words, with the rules where they are its own."""
    return verdict_of(result) + rules_of(result)


def trust_of(result: ReadingResult) -> str:
    """Say what a reading's verdict rests on; nothing where there is none. What Coq has proved besides is said last."""
    own = _say_trust(result)
    return own if result.in_coq is None else f"{own}; {_say_theorem(result.in_coq)}"


def _say_trust(result: ReadingResult) -> str:
    """Say in a sentence what the kernel did for a verdict, and what has to be believed besides."""
    if result.verdict is Verdict.UNKNOWN:
        return ""
    if result.verdict is Verdict.REFUTED:
        return "the kernel alone: it accepted the refutation"
    # Several kinds of evidence may show the same statement: the counts show which it was.
    ways = find_question(result.question).trust.items()
    done = next(said for count, said in ways if not count or count in result.stats).format_map(result.stats)
    if result.verdict is Verdict.PROVED:
        return f"the kernel alone: {done.removeprefix('the kernel ')}"
    more = f"; {INSTALL_EXACT}" if Belief.SOLVER in result.beliefs else ""
    return f"{done}; to be believed: {say_beliefs(result.beliefs)}{more}"


def say_beliefs(beliefs: Collection[Belief]) -> str:
    """Say what has to be believed."""
    return "; ".join(belief.value for belief in Belief if belief in beliefs)


def _say_theorem(theorem: Theorem) -> str:
    """Say what Coq has proved on this machine, from which axioms, and what has to be believed for it."""
    libraries = list(dict.fromkeys(name.rpartition(".")[0] for name in theorem.axioms))
    by = f"from {counted(len(theorem.axioms), 'axiom')} of {', '.join(libraries)}" if libraries else "from no axiom"
    return f"and in Coq: a build on this machine has proved {theorem.name} {by}; to be believed: {Belief.COQ.value}"


def reading_sentence(result: ReadingResult) -> str:
    """Say what came out, why, and, where it differs, what was expected."""
    if result.trouble:
        return flatten(result.trouble)
    if result.is_lost:
        return flatten(f"{result.decided}: {result.reason}")
    if not result.is_run:
        return flatten(result.reason or str(result.decided))
    found = say_found(result)
    head = f"{found}, as expected" if result.is_expected else f"{say_expected(result)}, found {found}"
    head = head if result.expected is not None else f"{found}, {say_expected(result)}"
    return flatten(f"{head}: {result.reason}" if result.reason else head)


def witness_sentence(result: ReadingResult) -> str:
    """Say which play, or which position and step, the kernel replayed; nothing where there is none."""
    witness = result.witness
    if witness is None:
        return ""
    moves = " ".join(witness.moves) or "no move"
    if isinstance(witness, Counterexample):
        return f"the step fails from {witness.position} by {moves} to {witness.after}; {REACH[witness.reachable]}"
    return f"play: from {witness.start} by {moves} to {witness.position}"


def standing_of(claim: ClaimResult) -> str:
    """Return how a claim stands in words, by what where it is supported."""
    standing = f"{claim.standing} {REPAIRED[claim.severity]}" if claim.severity else str(claim.standing)
    return add_limit(f"{standing}, by {name_beliefs(claim.beliefs)}" if claim.beliefs else standing, claim.limit)


def brief_standing(claim: ClaimResult) -> tuple[str, str]:
    """Return how a claim stands as one word, and what is to be added to it; its limit stands before its title."""
    by = f"by {name_beliefs(claim.beliefs)}" if claim.beliefs else ""
    of = REPAIRED[claim.severity] if claim.severity else ""
    brief = {
        Standing.PROVED: ("proved", ""),
        Standing.SUPPORTED: ("supported", by),
        Standing.REPAIRED: ("repaired", of),
        Standing.REPAIRED_SUPPORTED: ("supported", f"after repair {of}".rstrip() + f", {by}"),
        Standing.DEPENDS: ("depends", "on the reading" + (by and f", {by}")),
    }
    return brief.get(claim.standing, (str(claim.standing), ""))


def title_of(claim: ClaimResult) -> str:
    """Return a claim's title, after the limit up to which it is shown."""
    return claim.title if claim.limit is None else f"{claim.limit.words}: {claim.title}"


def source_of(result: ClaimResult) -> str:
    """Say where a claim is made, or about what the auditors have made it."""
    source = result.source
    return f"{'our own, on ' if source.ours else ''}{source.document}, {source.place}"


def claim_sentence(result: ClaimResult) -> str:
    """Say how a claim stands, which of its readings are refuted and why, and what a repair adds."""
    parts = [f"{standing_of(result)} ({source_of(result)}: {result.title})"]
    for reading in result.readings:
        if reading.verdict is Verdict.REFUTED and not reading.control:
            parts.append(f"{reading.id} is refuted{rules_of(reading)}: {reading.reason}")
        elif reading.holds and reading.repairs and reading.because:
            says = f"; it says: {reading.says}" if reading.says else ""
            parts.append(f"{reading.id} is {say_found(reading)}: {reading.because}{says}")
    return flatten("; ".join(parts))


def total_sentence(total: Total) -> str:
    """Say how many claims stand how; of those after repair also how bad the worst fault of each is.

    >>> from verifier.audit.ledger import Standing, Total
    >>> total_sentence(Total("paper", False, 3, {Standing.PROVED: 1, Standing.REPAIRED: 2}, {"slip": 2}))
    '1 proved as stated, 2 proved after repair (2 of a slip)'
    """
    severities = ", ".join(f"{count} {REPAIRED[severity]}" for severity, count in total.severities.items())
    last = Standing.REPAIRED_SUPPORTED if Standing.REPAIRED_SUPPORTED in total.standings else Standing.REPAIRED
    parts = (
        f"{count} {standing}{f' ({severities})' if severities and standing is last else ''}"
        for standing, count in total.standings.items()
    )
    return ", ".join(parts)
