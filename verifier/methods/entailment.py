"""Method ``entailment``: what holds in any position, or at the start; decided as the step of an induction is."""

from __future__ import annotations

from dataclasses import replace

from verifier.methods import induction

METHOD = replace(
    induction.METHOD,
    about="what follows in any position that satisfies the hypotheses",
    kernel="the kernel looked at a position for every part; refutations that it followed: {refuted}",
    seconds=1,
)
