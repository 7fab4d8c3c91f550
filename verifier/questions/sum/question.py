"""The question ``sum``."""

from __future__ import annotations

from verifier.questions.question import Question
from verifier.questions.sum.compile import SumCompiler
from verifier.questions.sum.evidence import search
from verifier.questions.sum.words import say

QUESTION = Question(
    kind="sum",
    instead="the values of positions that are played together",
    compiler=SumCompiler,
    search=search,
    say=say,
    say_about=lambda _: "who wins on any number of boards side by side",
    trust={"": "the kernel computed, for every sum, its type and the types after one move"},
)
