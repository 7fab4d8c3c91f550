"""The named properties of a strategy's positions, such as a paper lists them, as formulas of the kernel.

A property is a definition that some reading about these plays keeps, in an objective of the same name. Where it has
parameters, they are variables of the strategy's phases: it speaks of a position only where one of these phases holds
for some values of them, and holds if it does for such values.

It is *promised* where something that is proved says so: where such an objective, which is about the positions that
certain rules lead to, would fail without the property; and after the moves of a phase, where an induction over that
phase carries it on from positions in which all that the induction starts from is kept. Nothing here knows which
readings these are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from verifier.language.library import Library
from verifier.language.names import Definition
from verifier.language.questions import Objective, Plays, Steps
from verifier.language.scope import Scope, included_specs
from verifier.language.strategy import strategy_scope
from verifier.language.syntax import parse_expression


class Promise(NamedTuple):
    """Where a proved reading promises a property.

    Attributes:
        scopes: where it speaks, as objectives name it: ``after:PHASE`` or ``after:PHASE.RULE``, among others.
        demands: a formula that is true in a position of these scopes where the reading needs the property.
    """

    claim: str
    scopes: tuple[str, ...]
    demands: Any


class Property(NamedTuple):
    """A named property.

    Attributes:
        says: its definition, as the specs have it.
        place: where the source has it.
        cases: pairs of formulas: it speaks of a position where the first of some pair holds, and holds there where the
            second does too.
        promises: where it is promised, and by what.
        is_ours: the source does not name it: the auditors do.
    """

    name: str
    says: str
    place: str
    cases: tuple[tuple[Any, Any], ...]
    promises: tuple[Promise, ...] = ()
    is_ours: bool = False


Name = tuple[str, str]
"""A claim and one of its readings."""


def find_properties(library: Library, plays: Iterable[Name], proved: Iterable[Name] = ()) -> tuple[Property, ...]:
    """Return the properties that some proved readings about the same plays keep, those of the source first.

    Among other proved readings are inductions that carry properties on.
    """
    found, used = dict[str, Property](), ""
    for claim, name in plays:
        reading = library.claim(claim).readings[name]
        if not isinstance(reading, Plays) or len(reading.strategies) != 1:
            continue
        strategy, scope = next(iter(reading.strategies.values())).split("#")[0], _scope(library, claim)
        for objective, model in reading.objectives.items():
            entry = scope.names.definitions.get(objective)
            if model.keep is None or entry is None:
                continue
            made = found.get(objective) or _property(library, claim, scope, entry[1], strategy)
            if made is not None:
                promise = _promise(library, claim, objective, model)
                found[objective] = made._replace(promises=(*made.promises, promise))
                used = strategy
    for claim, name in proved:
        reading = library.claim(claim).readings[name]
        if isinstance(reading, Steps) and reading.strategy is not None:
            strategy, _, phase = reading.strategy.partition("#")
            if phase and strategy == used:
                found = _carry_on(claim, reading, phase, found)
    return tuple(sorted(found.values(), key=lambda item: item.is_ours))


def _scope(library: Library, claim: str) -> Scope:
    return Scope(library, library.claims[claim], library.claim(claim).rules)


def _property(library: Library, claim: str, scope: Scope, definition: Definition, strategy: str) -> Property | None:
    """Return a definition as a property of the positions of a strategy; None where it cannot be read as one."""
    says, place, is_ours = _source(library, claim, definition)
    name, parameters = definition.name, definition.parameters
    if not parameters:
        return Property(name, says, place, ((True, scope.formula((), name, {})),), is_ours=is_ours)
    own = strategy_scope(library, strategy)
    call = f"{name}({', '.join(parameters)})"
    cases = [
        (own.formula(("phases", phase_name, "when"), phase.when, member), scope.formula((), call, member))
        for phase_name, phase in library.strategy(strategy).phases.items()
        if set(phase.for_) == set(parameters)
        for member in own.families(("phases", phase_name, "for"), phase.for_, {})
    ]
    if not cases or own.problems or scope.problems:
        return None
    return Property(name, says, place, tuple(cases), is_ours=is_ours)


def _source(library: Library, claim: str, definition: Definition) -> tuple[str, str, bool]:
    """Return the text of a definition that a claim includes, its place, and whether it is the auditors' own."""
    head = definition.name + (f"({', '.join(definition.parameters)})" if definition.parameters else "")
    for spec in included_specs(library, library.claim(claim).includes):
        if head in spec.model.define:
            text = " ".join(str(spec.model.define[head]).split())
            return text, spec.model.source.place, library.is_ours(spec.model.source)
    return "", "", False


def _promise(library: Library, claim: str, name: str, objective: Objective) -> Promise:
    """Return where an objective that keeps a property would fail if the property were false everywhere."""
    without = _scope(library, claim)
    for other, (place, definition) in without.names.definitions.items():
        body = parse_expression("False") if other == name else definition.body
        without.names.definitions[other] = place, replace(definition, body=body, meanings={})
    rest = without.formula((), objective.keep if objective.keep is not None else True, {})
    return Promise(claim, tuple(objective.scopes), ["not", rest])


def _carry_on(claim: str, reading: Steps, phase: str, found: Mapping[str, Property]) -> dict[str, Property]:
    """Add the promises of an induction over the moves of a phase: what it starts from, and shows again.

    It says nothing of a play unless there are positions in which plays keep everything that it starts from.
    """
    made = dict(found)
    for part in reading.steps.values():
        given = {_head(item) for item in (*reading.given, *part.given)}
        kept = [{scope for promise in found[name].promises for scope in promise.scopes} for name in given & set(found)]
        if (part.step or reading.step) != "round" or not given <= set(found) or not kept or not set.intersection(*kept):
            continue
        for name in sorted(given & {_head(item) for item in part.conclude}):
            promise = Promise(claim, (f"after:{phase}",), ["or", *(when for when, _ in found[name].cases)])
            made[name] = made[name]._replace(promises=(*made[name].promises, promise))
    return made


def _head(expression: str | int | bool) -> str:
    """Return the name that an expression such as ``P1(f)`` calls; the whole of any other."""
    text = str(expression)
    name, bracket, _ = text.partition("(")
    return name if bracket and name.isidentifier() else text
