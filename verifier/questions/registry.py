"""The questions that a reading can ask, by name. To add a question, add its folder and a line here."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from verifier.language.model import Grammar
from verifier.language.reading import Reading
from verifier.questions.bound.model import BoundReading
from verifier.questions.can.model import CanReading
from verifier.questions.count.model import CountReading
from verifier.questions.joins.model import JoinsReading
from verifier.questions.line.model import LineReading
from verifier.questions.plays.model import PlaysReading
from verifier.questions.steps.model import StepsReading
from verifier.questions.sum.model import SumReading

if TYPE_CHECKING:
    from verifier.questions.question import Question

QUESTIONS: dict[str, type[Reading]] = {
    "plays": PlaysReading,
    "can": CanReading,
    "steps": StepsReading,
    "bound": BoundReading,
    "count": CountReading,
    "line": LineReading,
    "sum": SumReading,
    "joins": JoinsReading,  # is last, because readings with another question can have this key
}
"""The model of each question, by the key that asks it. The question's folder has the same name."""

GRAMMAR = Grammar(QUESTIONS)
"""The shape of spec files with readings that ask these questions."""


def find_question(name: str) -> Question:
    """Return a question by its name.

    Raises:
        KeyError: there is no such question.
    """
    if name not in QUESTIONS:
        raise KeyError(name)
    # The module is imported when a reading first asks the question: a run loads only the questions that it needs.
    question: Question = importlib.import_module(f"verifier.questions.{name}.question").QUESTION
    return question
