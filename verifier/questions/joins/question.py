"""The question ``joins``, of readings that join others and ask nothing of their own."""

from __future__ import annotations

from verifier.kernel.verdict import Verdict
from verifier.questions.compiler import Compiler
from verifier.questions.finding import Finding, Task
from verifier.questions.question import Question


def search(_: Task) -> Finding:
    """Leave the verdict open: the run derives it from the readings that are joined."""
    return Finding(Verdict.UNKNOWN, "waits for the claims that it joins")


QUESTION = Question(
    kind="",
    instead="the readings of other claims that it joins",
    compiler=Compiler,
    search=search,
    say_about=lambda _: "some claims together",
    trust={"": "this follows from the claims listed"},
)
