"""What has to be believed for a verdict besides the kernel: Z3, a compiled search, an argument in words.

The trust line of a result says the first two in full; a spec says the third (``in_words``). This says which there are.
"""

from __future__ import annotations

from collections.abc import Mapping

from verifier.checkers.ledger import ClaimResult, ReadingResult
from verifier.spec.library import needed_claims
from verifier.spec.model import Conjunction, Reading

KERNEL, SOLVER, SEARCH, WORDS = "kernel", "solver", "search", "words"

NAMES = {SOLVER: "Z3", SEARCH: "a compiled search", WORDS: "an argument in words"}
"""What a verdict may rest on besides the kernel, in this order."""


def trust_of_reading(result: ReadingResult, claims: Mapping[str, ClaimResult]) -> frozenset[str]:
    """Return what a reading's verdict rests on besides the kernel; a conjunction rests on what it joins."""
    claim = claims.get(result.claim)
    model = claim.model.readings[result.reading] if claim is not None else None
    if isinstance(model, Conjunction):
        return frozenset().union(*(trust_of_claim(claims[name], claims) for name in model.of if name in claims))
    named = {SOLVER: "Z3" in result.trust, SEARCH: "compiled" in result.trust, WORDS: bool(model and in_words(model))}
    return frozenset(kind for kind, is_named in named.items() if is_named)


def in_words(model: Reading) -> str:
    """Return how the parts of a reading make up what its claim says, where that is no formula."""
    return " ".join((getattr(model, "in_words", None) or "").split())


def trust_of_claim(claim: ClaimResult, claims: Mapping[str, ClaimResult]) -> frozenset[str]:
    """Return what the verdicts on a claim's own readings rest on besides the kernel."""
    return frozenset().union(*(trust_of_reading(reading, claims) for reading in claim.readings))


def trust_in_full(name: str, claims: Mapping[str, ClaimResult]) -> frozenset[str]:
    """Return what a claim and everything it rests on trust besides the kernel."""
    seen: set[str] = set()
    found: set[str] = set()
    left = [name]
    while left:
        current = left.pop()
        if current in seen or current not in claims:
            continue
        seen.add(current)
        found |= trust_of_claim(claims[current], claims)
        left += needed_claims(claims[current].model)
    return frozenset(found)


def key_of(found: frozenset[str]) -> str:
    """Return the kinds that something rests on, joined by spaces, in the order of ``NAMES``; ``KERNEL`` for none."""
    return " ".join(kind for kind in NAMES if kind in found) or KERNEL


def name_of(key: str) -> str:
    """Return in words what a key of ``key_of`` says."""
    names = [NAMES[kind] for kind in key.split() if kind in NAMES]
    if not names:
        return "the kernel alone"
    return ", ".join(["the kernel", *names[:-1]]) + f" and {names[-1]}"
