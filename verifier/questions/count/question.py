"""The question ``count``."""

from __future__ import annotations

from verifier.questions.count.compile import CountCompiler
from verifier.questions.count.evidence import search, show
from verifier.questions.count.words import say, say_counted
from verifier.questions.question import Question

QUESTION = Question(
    kind="count",
    instead="numbers of plays, counted from ply to ply",
    compiler=CountCompiler,
    search=search,
    show=show,
    say=say,
    say_about=say_counted,
    trust={
        "members": "the kernel played {members:,} lines, and counted {counted:,} of them",
        "": "the kernel counted plays from ply to ply, over {edges:,} moves",
    },
)
