"""The questions that a reading can ask, and the compiling of a reading.

To add a question, add its folder and a line here. A question's model is loaded with the specs; the rest of it when a
reading asks it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from verifier.language.model import Grammar
from verifier.language.reading import Reading
from verifier.questions.bound.model import Bound
from verifier.questions.can.model import Can
from verifier.questions.count.model import Count
from verifier.questions.joins.model import Joins
from verifier.questions.line.model import LineReading
from verifier.questions.plays.model import Plays
from verifier.questions.steps.model import Steps
from verifier.questions.sum.model import Sum

if TYPE_CHECKING:
    from verifier.questions.question import Question

QUESTIONS: dict[str, type[Reading]] = {
    "plays": Plays,
    "can": Can,
    "steps": Steps,
    "bound": Bound,
    "count": Count,
    "line": LineReading,
    "sum": Sum,
    "joins": Joins,  # last: readings that ask something can have this key as well
}
"""The model of a reading by the key that asks the question, which is also the name of the question's folder."""

GRAMMAR = Grammar(QUESTIONS)
"""The shapes of spec files in which readings ask these questions."""


def find_question(name: str) -> Question:
    """Return what is known of a question.

    Raises:
        KeyError: there is no such question.
    """
    if name not in QUESTIONS:
        raise KeyError(name)
    question: Question = importlib.import_module(f"verifier.questions.{name}.question").QUESTION
    return question
