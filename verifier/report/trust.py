"""What has to be believed for a verdict, sorted into three kinds: the kernel, Z3, a compiled search.

The trust line of a result says it in full; this says which of the three it names.
"""

from __future__ import annotations

from collections.abc import Mapping

from verifier.checkers.ledger import ClaimResult, ReadingResult
from verifier.spec.library import needed_claims
from verifier.spec.model import Conjunction

KERNEL, SOLVER, SEARCH = "kernel", "solver", "search"

NAMES = {
    KERNEL: "the kernel alone",
    SOLVER: "the kernel and Z3",
    SEARCH: "the kernel and a compiled search",
    f"{SOLVER} {SEARCH}": "the kernel, Z3 and a compiled search",
}
"""Names of what a claim may rest on, by the key that ``key_of`` returns."""


def trust_of_reading(result: ReadingResult, claims: Mapping[str, ClaimResult]) -> frozenset[str]:
    """Return what a reading's verdict rests on besides the kernel; a conjunction rests on what it joins."""
    claim = claims.get(result.claim)
    model = claim.model.readings[result.reading] if claim is not None else None
    if isinstance(model, Conjunction):
        return frozenset().union(*(trust_of_claim(claims[name], claims) for name in model.of if name in claims))
    found = {SOLVER} if "Z3" in result.trust else set()
    return frozenset(found | ({SEARCH} if "compiled" in result.trust else set()))


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
    """Return the key of ``NAMES`` for what something rests on."""
    return " ".join(kind for kind in (SOLVER, SEARCH) if kind in found) or KERNEL
