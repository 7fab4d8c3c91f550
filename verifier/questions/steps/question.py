"""The question ``steps``."""

from __future__ import annotations

from verifier.questions.question import Question
from verifier.questions.steps.compile import StepsCompiler
from verifier.questions.steps.evidence import search, show
from verifier.questions.steps.words import say, say_about

QUESTION = Question(
    kind="steps",
    instead="a list of obligations about every position",
    compiler=StepsCompiler,
    search=search,
    show=show,
    say=say,
    say_about=say_about,
    trust={"": "the kernel replayed a position for each part, and followed proofs of obligations: {refuted:,}"},
    seconds=5,
)
