"""A file of the specs: its model, and the places of everything in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from verifier.language.faults import list_faults
from verifier.language.loader import Document
from verifier.language.model import KINDS, Claim, Model, StrategyFile
from verifier.language.problem import Problem

M_co = TypeVar("M_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Spec(Generic[M_co]):
    """A parsed file: its model, and the document that knows the places."""

    model: M_co
    document: Document


def parse_spec(document: Document) -> tuple[Spec[Model] | None, list[Problem]]:
    """Validate one document against the model of its kind."""
    value = document.value
    kinds = [kind for kind in KINDS if isinstance(value, dict) and kind in value]
    if not kinds:
        return None, [document.problem((), f"a spec starts with {', '.join(f'{kind}:' for kind in KINDS)} and its id")]
    if len(kinds) > 1 and kinds[-1] == "rules":
        kinds.pop()  # the rules that a claim or a strategy is about
    if len(kinds) > 1:
        return None, [document.problem((kinds[1],), f"a file holds one {kinds[0]}, not also a {kinds[1]}")]
    try:
        return Spec(KINDS[kinds[0]].model_validate(value), document), []
    except ValidationError as error:
        return None, [*list_faults(document, error)]


def named_rules(model: Model) -> list[str]:
    """Return the rules that a file names: its own game's, those of a reading."""
    if isinstance(model, StrategyFile):
        return [model.rules]
    if isinstance(model, Claim):
        return [model.rules, *(reading.rules for reading in model.readings.values() if reading.rules is not None)]
    return []


def find_texts(value: Any) -> Iterator[str]:
    """Yield every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from find_texts(item)
