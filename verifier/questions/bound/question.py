"""The question ``bound``."""

from __future__ import annotations

from verifier.questions.bound.compile import BoundCompiler
from verifier.questions.bound.evidence import search
from verifier.questions.bound.words import say
from verifier.questions.question import Question

QUESTION = Question(
    kind="bound",
    instead="replies in an easier game, in which only one player can win",
    compiler=BoundCompiler,
    search=search,
    say=say,
    say_about=lambda _: "a search finds Olivia's replies, the kernel follows them",
    trust={"": "the kernel followed {replies:,} replies, and decided the {leaves:,} positions that remain after them"},
    find_lane=lambda *_: "replies",  # all bounds share tables of replies
    seconds=20,
    parts_its_work=True,
)
