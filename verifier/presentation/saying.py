"""Words for what several questions say: starts, families, expressions, and the rules of strategies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verifier.language.model import StrategyFile
from verifier.language.reading import Family


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule of a strategy in words.

    Attributes:
        says: what the file says that it does; may be empty.
        place: where the source has it; may be empty.
        rule: which move it names, and when, as the file writes it.
    """

    says: str
    place: str
    rule: str


def say_strategy(model: StrategyFile) -> dict[str, RuleWords]:
    """Return the rules of a strategy in words, by their labels: ``PHASE.RULE``."""
    told = {}
    for phase, body in model.phases.items():
        for name, rule in body.rules.items():
            when = " and ".join(one_line(part) for part in (body.when, rule.when) if part is not True)
            place = ", ".join(part for part in (body.place, rule.place) if part)
            moves = f"play {', '.join(map(one_line, rule.play))}" + (f" when {when}" if when else "")
            told[f"{phase}.{name}"] = RuleWords(one_line(rule.says or ""), place, moves)
    return told


def say_family(family: Family) -> str:
    """Return for which values something is said; empty: there are no variables."""
    return "".join(f", for each {name} of {one_line(values)}" for name, values in family.items())


def say_given(given: list[Any]) -> str:
    """Return where something is said; empty: everywhere."""
    return f", where {join_expressions(given)}" if given else ""


def join_expressions(expressions: list[Any]) -> str:
    """Return expressions, all of which hold."""
    return " and ".join(map(as_part if len(expressions) > 1 else one_line, expressions))


def say_start(start: str | list[str] | None) -> str:
    """Return where something starts; empty for the start of the game."""
    if isinstance(start, list):
        return f" after {' '.join(start)}" if start else ""
    return f" from {start}" if start else ""


def one_line(text: object) -> str:
    """Return an expression as it is written, on one line."""
    return " ".join(str(text).split())


def as_part(text: object) -> str:
    """Return an expression as one part of a sentence."""
    said = one_line(text)
    return f"({said})" if " " in said else said
