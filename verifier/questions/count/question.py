"""The question ``count``."""

from __future__ import annotations

from verifier.questions.count.compile import CountCompiler
from verifier.questions.count.evidence import search
from verifier.questions.count.words import say
from verifier.questions.question import Question

QUESTION = Question(
    kind="count",
    compiler=CountCompiler,
    search=search,
    say=say,
    say_about=lambda _: "how many lines can be played and end as described",
    trust={"": "the kernel played the lines of {members} members, and counted {counted}"},
)
