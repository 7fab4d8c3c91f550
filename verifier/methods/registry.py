"""The methods by the names that specs give: a module each, loaded when a reading of its kind is met.

Which there are says the language, where it says what each of them can be asked: ``method`` in ``language/model.py``.
"""

from __future__ import annotations

import importlib

from verifier.language.model import METHODS
from verifier.methods.method import Method


def find_method(name: str) -> Method:
    """Return a method by its name.

    Raises:
        KeyError: there is none of that name.
    """
    if name not in METHODS:
        raise KeyError(name)
    method: Method = importlib.import_module(f"verifier.methods.{name}").METHOD
    return method
