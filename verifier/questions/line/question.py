"""The question ``line``."""

from __future__ import annotations

from verifier.questions.line.compile import LineCompiler
from verifier.questions.line.evidence import show
from verifier.questions.line.words import say
from verifier.questions.plays.evidence import search
from verifier.questions.question import Question

QUESTION = Question(
    kind="play",
    compiler=LineCompiler,
    search=search,
    show=show,
    say=say,
    say_about=lambda _: "a line of moves is legal and ends as described",
    trust={"": "the kernel replayed the line"},
)
