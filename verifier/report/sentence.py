"""Results in words, the same words in every format: the verdict, what it rests on, and the reason.

The words are made from the values of a result: its verdict, question, counts and beliefs. A *belief* is something that
you have to trust besides the kernel.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

from verifier.audit.ledger import ClaimResult, Standing, Total
from verifier.coq import Theorem
from verifier.kernel.verdict import Belief, Verdict
from verifier.kernel.words import counted
from verifier.language.outline import Severity
from verifier.presentation.family import in_words
from verifier.questions.result import Counterexample, ReadingResult, add_limit
from verifier.questions.words import find_trust
from verifier.report.printable import flatten

NAMES = {Belief.SOLVER: "a solver", Belief.COQ: "Coq"}
"""Short names of beliefs, for *supported by …*. ``Belief`` says in full what you have to trust."""

INSTALL_EXACT = "to get a proof: pip install exact, and check the claim with --anew"
"""How to get a proof in place of a solver's word: Exact, another solver, finds refutations that the kernel follows."""


class SeverityName(NamedTuple):
    """How all reports name a severity: the word for one mistake, the word for several, and what these words mean."""

    one: str
    many: str
    meaning: str


AnySeverity = Severity | Literal[""]
"""A severity, or an empty text if no spec gives one."""

SEVERITIES: dict[AnySeverity, SeverityName] = {
    "statement": SeverityName("wrong statement", "wrong statements", "the statement of the document is false"),
    "step": SeverityName("wrong step", "wrong steps", "a step of an argument is false"),
    "hypothesis": SeverityName(
        "missing hypothesis", "missing hypotheses", "the statement needs a hypothesis that it does not name"
    ),
    "gap": SeverityName(
        "gap in an argument", "gaps in arguments", "the conclusion is true, but does not follow from what is said"
    ),
    "slip": SeverityName(
        "slip of the pen", "slips of the pen", "a word or a number is wrong, and what is meant is right"
    ),
    "wording": SeverityName(
        "point of wording", "points of wording", "the words are inexact, but their meaning is clear"
    ),
    "remark": SeverityName(
        "remark, no change needed", "remarks, no change needed", "false if taken literally, but the text can stay"
    ),
    "": SeverityName(
        "mistake without a severity", "mistakes without a severity", "the specs do not say how serious it is"
    ),
}
"""The severities of the specs, the gravest first. The last name is for mistakes to which no spec gives a severity."""

_MANY = 3
"""If more readings than this fail, a standing says how many, and does not name them."""

READ = {
    "in full": "in full",
    "in part": "in part",
    "the abstract": "only the abstract",
    "a table": "only a table",
    "as restated by others": "not in the original, only as others restate it",
}
"""How a document was read, in words; the keys are the values of ``read`` in a file of coverage."""

REACH = {
    True: "reachable in legal play",
    False: "not reachable in legal play",
    None: "not known to be reachable in legal play",
}
"""Whether legal play reaches a position from which a step fails, in words; the keys are values of ``reachable``."""


def name_beliefs(beliefs: Collection[Belief]) -> str:
    """Return the names of beliefs, such as ``a solver and Coq``; empty if there are no beliefs."""
    return in_words(NAMES[belief] for belief in NAMES if belief in beliefs)


def word_of(result: ReadingResult) -> str:
    """Return a reading's verdict in a word; *not checked* if the reading was not checked."""
    return str(result.verdict if result.is_run else result.decided)


def verdict_of(result: ReadingResult) -> str:
    """Return a reading's verdict in words: what supports it, its limit, and whether Coq has proved it as well."""
    if not result.is_run or result.is_lost:
        return str(result.decided)
    by = f" by {name_beliefs(result.beliefs)}" if result.verdict is Verdict.SUPPORTED else ""
    # If the reading names no ply, the kernel finds how many moves a play can need to come to the goal.
    is_told = result.verdict is Verdict.PROVED and "bound" in result.stats
    by += f", in at most {counted(result.stats['bound'], 'move')} from its start" if is_told else ""
    return add_limit(f"{result.verdict}{by}", result.limit) + (", and in Coq" if result.in_coq is not None else "")


def say_expected(result: ReadingResult) -> str:
    """Say which verdict the spec expects.

    If the spec expects no verdict, the reading is one of two halves that were made from a reading with ``exactly``.
    Then name the reading with ``exactly``.
    """
    return f"half of {result.half_of}" if result.expected is None else f"expected {result.expected}"


def rules_of(result: ReadingResult) -> str:
    """Name the rules of a reading if they are not the rules of its claim; otherwise return an empty text."""
    return f" under {result.rules}" if result.rules else ""


def say_found(result: ReadingResult) -> str:
    """Return a reading's verdict in words, and its rules if they are not the rules of its claim."""
    return verdict_of(result) + rules_of(result)


def trust_of(result: ReadingResult, ways: Mapping[str, str] | None = None) -> str:
    """Say what a reading's verdict rests on, and then what Coq has proved; empty if the verdict is *unknown*.

    Args:
        result: the reading.
        ways: the texts that say what the kernel did. None: the texts ``trust`` of the reading's question.
    """
    own = _say_trust(result, ways)
    return own if result.in_coq is None else f"{own}; {_say_theorem(result.in_coq)}"


def _say_trust(result: ReadingResult, ways: Mapping[str, str] | None) -> str:
    """Say in a sentence what the kernel did for a verdict, and what you have to trust besides the kernel."""
    if result.verdict is Verdict.UNKNOWN:
        return ""
    if result.verdict is Verdict.REFUTED:
        return "only the kernel, which accepted the refutation"
    # Several kinds of evidence can show the same statement. The names of the counts (``stats``) tell which kind it was.
    known = find_trust(result.question) if ways is None else ways
    done = next(said for count, said in known.items() if not count or count in result.stats).format_map(result.stats)
    if result.verdict is Verdict.PROVED:
        more = done.removeprefix("the kernel ")
        return f"only the kernel: {done}" if more == done else f"only the kernel, which {more}"
    more = f"; {INSTALL_EXACT}" if Belief.SOLVER in result.beliefs else ""
    return f"{done}; you also have to trust {say_beliefs(result.beliefs)}{more}"


def say_beliefs(beliefs: Collection[Belief]) -> str:
    """Say what you have to trust besides the kernel."""
    return "; ".join(belief.value for belief in Belief if belief in beliefs)


def _say_theorem(theorem: Theorem) -> str:
    """Say what Coq has proved on this machine, from which axioms, and what you have to trust for it."""
    libraries = list(dict.fromkeys(name.rpartition(".")[0] for name in theorem.axioms))
    by = f"from {counted(len(theorem.axioms), 'axiom')} of {', '.join(libraries)}" if libraries else "from no axiom"
    trust = f"for this you have to trust {Belief.COQ.value}"
    return f"and in Coq: a build on this machine has proved {theorem.name} {by}; {trust}"


def reading_sentence(result: ReadingResult) -> str:
    """Say the verdict on a reading, whether it is the expected one, and the reason."""
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
    """Say which play, or which position and step, the kernel replayed; empty if there is no witness."""
    witness = result.witness
    if witness is None:
        return ""
    if isinstance(witness, Counterexample) and not witness.moves:
        return f"the step fails at {witness.position}; {REACH[witness.reachable]}"
    moves = " ".join(witness.moves) or "no move"
    if isinstance(witness, Counterexample):
        return f"the step fails from {witness.position} by {moves} to {witness.after}; {REACH[witness.reachable]}"
    return f"play: {moves}, from {witness.start} to {witness.position}"


def standing_of(claim: ClaimResult) -> str:
    """Return a claim's standing in words, with what supports it, with its limit, and with what fails as stated."""
    standing = f"{claim.standing} ({SEVERITIES[claim.severity].one})" if claim.severity else str(claim.standing)
    standing = add_limit(f"{standing}, by {name_beliefs(claim.beliefs)}" if claim.beliefs else standing, claim.limit)
    return "; ".join(filter(None, [standing, say_what_fails(claim)]))


def say_what_fails(claim: ClaimResult) -> str:
    """Say in which readings a claim fails, if it holds after repair; otherwise return an empty text.

    Without these words, a reader who sees *proved* beside the title of the claim takes the title for a true sentence.
    """
    if claim.standing not in (Standing.REPAIRED, Standing.REPAIRED_SUPPORTED):
        return ""
    stated = list_stated(claim)
    failed = [reading.id for reading in stated if reading.verdict is Verdict.REFUTED]
    if not failed:  # the claim only rests on another claim that had to be repaired
        return ""
    if len(failed) == len(stated):
        return "fails as stated"
    if len(failed) > _MANY:
        return f"fails in {len(failed)} of its readings"
    return f"fails in the {'reading' if len(failed) == 1 else 'readings'} {in_words(failed)}"


def list_stated(claim: ClaimResult) -> list[ReadingResult]:
    """Return the readings that decide the standing of a claim (``find_standing`` in ``verifier/audit/standing.py``)."""
    wholes = [reading for reading in claim.readings if not reading.repairs and not reading.control]
    parts = {name for reading in wholes for name in reading.joins if name != reading.name}
    return [
        reading
        for reading in claim.readings
        if not reading.control
        and (not reading.repairs or reading.verdict is Verdict.REFUTED)
        and not reading.half_of
        and reading.name not in parts
    ]


def brief_standing(claim: ClaimResult) -> tuple[str, str]:
    """Return a claim's standing as one word, and a note with the rest of the standing, except the limit."""
    by = f"by {name_beliefs(claim.beliefs)}" if claim.beliefs else ""
    of = SEVERITIES[claim.severity].one if claim.severity else ""
    fails = say_what_fails(claim)
    brief = {
        Standing.PROVED: ("proved", ""),
        Standing.SUPPORTED: ("supported", by),
        Standing.REPAIRED: ("repaired", "; ".join(filter(None, [of, fails]))),
        Standing.REPAIRED_SUPPORTED: ("supported", "; ".join(filter(None, [f"after repair, {by}", of, fails]))),
        Standing.DEPENDS: ("depends", "on the reading" + (by and f", {by}")),
    }
    return brief.get(claim.standing, (str(claim.standing), ""))


def title_of(claim: ClaimResult) -> str:
    """Return a claim's title. If the verdict has a limit, the limit comes before the title."""
    return claim.title if claim.limit is None else f"{claim.limit.words}: {claim.title}"


def source_of(result: ClaimResult) -> str:
    """Name the document and the place of a claim. Say so if the claim is the auditors' own."""
    source = result.source
    return f"{'our own claim; document ' if source.ours else ''}{source.document}, {source.place}"


def claim_sentence(result: ClaimResult) -> str:
    """Say the standing of a claim, which readings are refuted and why, and what each repair adds or corrects."""
    parts = [f"{standing_of(result)} ({source_of(result)}: {result.title})"]
    for reading in result.readings:
        if reading.verdict is Verdict.REFUTED and not reading.control:
            parts.append(f"{reading.id} is refuted{rules_of(reading)}: {reading.reason}")
        elif reading.holds and reading.repairs and reading.because:
            says = f"; meaning: {reading.says}" if reading.says else ""
            parts.append(f"{reading.id} is {say_found(reading)}: {reading.because}{says}")
    return flatten("; ".join(parts))


def total_sentence(total: Total) -> str:
    """Say how many claims have each standing.

    >>> from verifier.audit.ledger import Standing, Total
    >>> total_sentence(Total("paper", False, 3, {Standing.PROVED: 1, Standing.REPAIRED: 2}))
    '1 proved as stated, 2 proved after repair'
    """
    return ", ".join(f"{count} {standing}" for standing, count in total.standings.items())
