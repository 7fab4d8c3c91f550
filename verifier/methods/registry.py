"""The methods: a line each. A module is loaded when a reading of its kind is met."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType

from verifier.methods.method import Method

METHODS: Mapping[str, str] = MappingProxyType(
    {
        "exhaustive": "verifier.methods.exhaustive",
        "invariant": "verifier.methods.invariant",
        "force": "verifier.methods.force",
        "bound": "verifier.methods.bound",
        "induction": "verifier.methods.induction",
        "entailment": "verifier.methods.entailment",
        "replay": "verifier.methods.replay",
        "tables": "verifier.methods.tables",
        "conjunction": "verifier.methods.conjunction",
    }
)
"""By the name that specs give."""


def find_method(name: str) -> Method:
    """Return a method by its name.

    Raises:
        KeyError: there is none of that name.
    """
    method: Method = importlib.import_module(METHODS[name]).METHOD
    return method
