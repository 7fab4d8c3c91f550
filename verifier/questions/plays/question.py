"""The question ``plays``."""

from __future__ import annotations

from verifier.questions.plays.compile import PlaysCompiler
from verifier.questions.plays.evidence import find_shared_plays, search, show
from verifier.questions.plays.words import say, say_invariant
from verifier.questions.question import Question

QUESTION = Question(
    kind="play",
    compiler=PlaysCompiler,
    search=search,
    show=show,
    say=say,
    say_evidence=say_invariant,
    say_about=lambda _: "what holds in the plays that these strategies allow, against every reply",
    trust={
        "obligations": "the kernel derived the obligations of the invariant, and followed the proofs of {refuted:,} of "
        "them",
        "edges": "the kernel followed every reply",
        "": "the kernel replayed the line",
    },
    find_lane=find_shared_plays,
    seconds=2,
)
