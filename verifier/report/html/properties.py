"""The named properties of a strategy's positions, such as a paper lists them, as formulas of the kernel.

A property is a definition that some reading about these plays keeps, in an objective of the same name. Where it has
parameters, they are variables of the strategy's phases: it speaks of a position only where one of these phases holds
for some values of them, and holds if it does for such values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from verifier.spec.library import Library, Scope
from verifier.spec.model import DefinitionsFile, Exhaustive
from verifier.spec.names import Definition
from verifier.spec.strategy import strategy_scope


@dataclass(frozen=True, slots=True)
class Property:
    """A named property.

    Attributes:
        name: its name.
        says: its definition, as the specs have it.
        place: where the source has it.
        cases: pairs of formulas: it speaks of a position where the first of some pair holds, and holds there where the
            second does too.
    """

    name: str
    says: str
    place: str
    cases: tuple[tuple[Any, Any], ...]


def find_properties(library: Library, readings: Iterable[tuple[str, str]]) -> tuple[Property, ...]:
    """Return the properties that some readings about the same plays keep, in the order in which they name them."""
    found: dict[str, Property] = {}
    for claim, name in readings:
        reading = library.claim(claim).readings[name]
        if not isinstance(reading, Exhaustive) or len(reading.strategies) != 1:
            continue
        spec = library.claims[claim]
        scope = Scope(library, spec, library.claim(claim).rules, library.claim(claim).includes)
        for objective, model in reading.objectives.items():
            entry = scope.names.definitions.get(objective)
            if model.keep is None or objective in found or entry is None or not isinstance(entry[1], Definition):
                continue
            strategy = next(iter(reading.strategies.values()))
            made = _property(library, scope, entry[1], strategy)
            if made is not None:
                found[objective] = made
    return tuple(found.values())


def _property(library: Library, scope: Scope, definition: Definition, strategy: str) -> Property | None:
    """Return a definition as a property of the positions of a strategy; None where it cannot be read as one."""
    says, place = _source(library, definition)
    name, parameters = definition.name, definition.parameters
    if not parameters:
        return Property(name, says, place, ((True, scope.formula((), name, {})),))
    own = strategy_scope(library, strategy)
    call = f"{name}({', '.join(parameters)})"
    cases = [
        (own.formula(("phases", phase_name, "when"), phase.when, member), scope.formula((), call, member))
        for phase_name, phase in library.strategy(strategy).phases.items()
        if set(phase.for_) == set(parameters)
        for member in own.families(("phases", phase_name, "for"), phase.for_, {})
    ]
    return Property(name, says, place, tuple(cases)) if cases and not own.problems and not scope.problems else None


def _source(library: Library, definition: Definition) -> tuple[str, str]:
    """Return a definition's text, and where its source has it."""
    head = definition.name + (f"({', '.join(definition.parameters)})" if definition.parameters else "")
    for spec in library.definitions.values():
        if isinstance(spec.model, DefinitionsFile) and head in spec.model.define:
            return " ".join(str(spec.model.define[head]).split()), spec.model.source.place
    return "", ""
