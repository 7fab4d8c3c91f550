"""Method ``entailment``: what holds in any position, or at the start; decided as the step of an induction is."""

from __future__ import annotations

from verifier.methods.induction import KIND, PARTS_ITS_WORK, find_lane, search, show

__all__ = ["KIND", "PARTS_ITS_WORK", "find_lane", "search", "show"]

ABOUT = "what follows in any position that satisfies the hypotheses"
KERNEL = "the kernel looked at a position for every part"
SECONDS = 1
