"""The questions that specs ask, by their keys: a module each, loaded when a reading that asks it is met.

Which there are says the language: ``QUESTIONS`` in ``language/questions.py``.
"""

from __future__ import annotations

import importlib

from verifier.language.questions import QUESTIONS
from verifier.methods.method import Method


def find_method(question: str) -> Method:
    """Return how a question is decided; there is a ``KeyError`` of one that is none."""
    if question not in QUESTIONS:
        raise KeyError(question)
    method: Method = importlib.import_module(f"verifier.methods.{question}").METHOD
    return method
