"""The question ``moves``."""

from __future__ import annotations

from verifier.questions.moves.compile import MovesCompiler
from verifier.questions.moves.evidence import search
from verifier.questions.moves.words import say

from verifier.questions.question import Question

QUESTION = Question(
    kind="moves",
    compiler=MovesCompiler,
    search=search,
    say=say,
    say_about=lambda _: "how many moves are legal in a position",
    trust={"": "the kernel counted the legal moves"},
)
