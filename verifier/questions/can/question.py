"""The question ``can``."""

from __future__ import annotations

from verifier.questions.can.evidence import search, show
from verifier.questions.plays.compile import PlaysCompiler
from verifier.questions.plays.words import say
from verifier.questions.question import Question

QUESTION = Question(
    kind="play",
    compiler=PlaysCompiler,
    search=search,
    show=show,
    say=say,
    say_about=lambda _: "a search finds the moves, the kernel follows them",
    trust={"edges": "the kernel followed every reply", "": "the kernel replayed the line"},
    seconds=2,
)
