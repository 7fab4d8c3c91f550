"""Puts into words the common parts of readings: starts, variables, hypotheses, expressions, and rules of strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.language.library import Library
from verifier.language.model import StrategyFile
from verifier.language.reading import Family
from verifier.language.rules.file import IN_BRACES


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule of a strategy in words.

    Attributes:
        says: the description in the file; perhaps empty.
        place: the place in the source; perhaps empty.
        rule: the moves and the condition, as the file has them.
    """

    says: str
    place: str
    rule: str


def say_strategy(model: StrategyFile) -> dict[str, RuleWords]:
    """Return the rules of a strategy in words, by their labels: ``PHASE.RULE``."""
    words = {}
    for phase, body in model.phases.items():
        for name, rule in body.rules.items():
            when = " and ".join(one_line(part) for part in (body.when, rule.when) if part is not True)
            place = ", ".join(part for part in (body.place, rule.place) if part)
            moves = f"play {say_move(rule.play)}" + (f" when {when}" if when else "")
            words[f"{phase}.{name}"] = RuleWords(one_line(rule.says or ""), place, moves)
    return words


def say_phases(library: Library, claim: str, reading: str) -> dict[str, str]:
    """Return a sentence about each phase of a reading's strategies, from the ``terms`` of the strategy's document.

    Phases that are not among the document's terms are left out.
    """
    found = dict[str, str]()
    for name in getattr(library.claim(claim).readings[reading], "strategies", {}).values():
        strategy = library.strategy(name.partition("#")[0])
        terms = library.document(strategy.source.document).terms
        found |= {phase: one_line(terms[phase]) for phase in strategy.phases if phase in terms}
    return found


def say_move(play: Sequence[Any] | Mapping[str, Sequence[Any]]) -> str:
    """Return a move in words: its numbers; or its text, with an expression in place of each name in braces."""
    if not isinstance(play, Mapping):
        return ", ".join(map(one_line, play))
    template, values = next(iter(play.items()))
    given, known = iter(values), dict[str, str]()
    for name in IN_BRACES.findall(template):
        if name not in known:
            known[name] = as_part(next(given, name))
    return IN_BRACES.sub(lambda match: known[match[1]], template)


def say_family(family: Family) -> str:
    """Say which values variables have, such as ``, for each k of [0, 1]``; empty if there are no variables."""
    return "".join(f", for each {name} of {one_line(values)}" for name, values in family.items())


def say_given(given: list[Any]) -> str:
    """Say which hypotheses are given, such as ``, if X[0]``; empty if there are no hypotheses."""
    return f", if {join_expressions(given)}" if given else ""


def join_expressions(expressions: list[Any]) -> str:
    """Join expressions by *and*."""
    return " and ".join(map(as_part if len(expressions) > 1 else one_line, expressions))


def say_start(start: str | list[str] | None) -> str:
    """Return words for a starting position or the moves to it; empty for the start of the game."""
    if isinstance(start, list):
        return f" after {' '.join(start)}" if start else ""
    return f" from the position {start}" if start else ""


def one_line(text: object) -> str:
    """Return an expression as the spec has it, on one line."""
    return " ".join(str(text).split())


def as_part(text: object) -> str:
    """Return an expression as a part of a sentence, in parentheses if it contains a space."""
    said = one_line(text)
    return f"({said})" if " " in said else said
