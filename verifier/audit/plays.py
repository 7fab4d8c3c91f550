"""The plays of a reading with evidence: which reading is meant, and the walk that the kernel takes through it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verifier.audit.context import Context
from verifier.audit.recall import compile_key
from verifier.audit.schedule import Reference
from verifier.audit.store import Found
from verifier.graph.plays import Walk, unfold
from verifier.kernel.certificate import Certificate
from verifier.kernel.check import oppose
from verifier.kernel.decide import MAX_KEPT, Memo, decide
from verifier.kernel.errors import UsageError
from verifier.kernel.objective import UNIVERSAL
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import Statement, parse_statement
from verifier.kernel.store import evidence_path, parse_stated
from verifier.language.problem import suggest
from verifier.methods.registry import find_method


@dataclass(frozen=True, slots=True)
class Plays:
    """A reading with its evidence.

    Attributes:
        reference: the reading.
        certificate: its evidence, of which nobody knows more than that it is of what the reading states.
    """

    reference: Reference
    certificate: Certificate

    @property
    def name(self) -> str:
        """The reading, as ``CLAIM/READING``."""
        return "/".join(self.reference)


def find_plays(context: Context, wanted: str) -> Plays:
    """Return ``CLAIM/READING``, or the only reading of ``CLAIM`` with plays that is not a control, with its evidence.

    Raises:
        UsageError: there is none, or there are several.
        SpecProblemsError: the claim does not compile.
    """
    claim, slash, name = wanted.partition("/")
    readings = context.library.claim(claim).readings
    if slash and name not in readings:
        raise UsageError(
            f"{claim!r} has no reading {name!r}{suggest(name, readings)}; there are: {', '.join(readings)}"
        )
    kinds = {other: find_method(reading.question).kind for other, reading in readings.items()}
    about_plays = [other for other in readings if kinds[other] == "play"]
    chosen = [other for other in about_plays if other == name or (not slash and not readings[other].control)]
    found = [plays for other in chosen if (plays := find_evidence(context, (claim, other))) is not None]
    if found and not any(map(_is_walked, found)) and any("line" in plays.certificate.evidence for plays in found):
        raise UsageError(f"{wanted} is refuted by a single play, which 'verifier show {claim}' draws")
    if not chosen or (found and not any(map(_is_walked, found))):
        raise UsageError(f"{wanted} cannot be drawn or played: its evidence does not follow a strategy")
    if not found:
        raise UsageError(f"there is no evidence here of {wanted}: verifier check {claim} searches for it")
    found = [plays for plays in found if _is_walked(plays)]
    if len(found) > 1:
        choices = ", ".join(plays.name for plays in found)
        raise UsageError(f"several readings of {claim!r} have plays: name one of {choices}")
    return found[0]


def find_evidence(context: Context, reference: Reference) -> Plays | None:
    """Return a reading with its evidence; None where there is none, or what there is cannot be read.

    Raises:
        CertificateError: what is filed for what it states is malformed, or states something else.
        SpecProblemsError: it does not compile.
    """
    (key, _), _ = compile_key(context, reference)
    for found in context.stores.find(key):
        if isinstance(found, Found):
            return Plays(reference, parse_stated(found.data, evidence_path(key), key))
    return None


def _is_walked(plays: Plays) -> bool:
    """Say whether the kernel walks through every play in order to decide on this evidence."""
    if "invariant" in plays.certificate.evidence:
        return False
    if plays.certificate.verdict != "proved":
        return "line" not in plays.certificate.evidence
    objectives: list[dict[str, Any]] = plays.certificate.statement.get("objectives", [])
    return any(objective.get("type") in UNIVERSAL for objective in objectives)


def has_opponent(plays: Plays) -> bool:
    """Say whether the opponent's moves refute a reading."""
    return plays.certificate.verdict == "refuted" and "table" in plays.certificate.evidence


def check_plays(context: Context, plays: Plays) -> tuple[Statement, Walk, Symmetries | None]:
    """Have the kernel decide on the evidence; return the statement, and the plays it has walked through.

    Where the opponent's moves refute a reading, the statement is the opponent's. Where there are symmetries, each
    position of the walk stands for its images.

    Raises:
        CertificateError: the evidence does not show what it says.
        UsageError: there are more positions than the kernel keeps.
    """
    memo = Memo()
    certificate = plays.certificate
    decide(certificate.statement, certificate.verdict, certificate.evidence, context.stores.read, memo)
    data, evidence = certificate.statement, certificate.evidence
    statement = memo.statement or parse_statement(data)
    if has_opponent(plays):
        statement = oppose(statement, evidence["objective"])
    if not memo.last:
        raise UsageError(f"{plays.name} has too many positions to be drawn or played")
    symmetries = Symmetries(data, statement, evidence["symmetries"]) if "symmetries" in evidence else None
    return statement, tuple(memo.last), symmetries


def walk_plays(context: Context, plays: Plays) -> tuple[Statement, Walk]:
    """Return the statement and every position of its plays, as ``check_plays`` does, each image by itself.

    Raises:
        CertificateError: the evidence does not show what it says.
        UsageError: there are more positions than the kernel keeps.
    """
    statement, walk, symmetries = check_plays(context, plays)
    unfolded = walk if symmetries is None else unfold(statement, walk, symmetries, MAX_KEPT)
    if unfolded is None:
        raise UsageError(f"{plays.name} has too many positions to be drawn")
    return statement, unfolded
