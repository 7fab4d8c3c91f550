"""The text that a reading's statement is compiled from: everything that it could depend on, as hashes.

It is found without compiling anything, in a moment, and changes with every word that the statement could depend on.
The order of keys counts: the rules of a strategy are tried in the order in which they are written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verifier.audit.memory import hash_json
from verifier.audit.schedule import Reference
from verifier.language.about import ABOUT
from verifier.language.library import Library
from verifier.language.spec import Spec, find_texts, named_rules

_ABOUT_A_FILE = frozenset({"title", "source", "readings"})
"""What is for people: no compiler sees it, as none sees what is said ``ABOUT`` a reading."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Finds what readings depend on; ``known`` has the hashes of files that were made before, by kind and id."""

    library: Library
    known: dict[tuple[str, str], str] = field(default_factory=dict)

    def of(self, reference: Reference) -> dict[str, str]:
        """Return the hashes of a reading and of every text that it could depend on, by what it is."""
        found: dict[str, str] = {}
        self._add_reading(reference, found)
        return found

    def _add_reading(self, reference: Reference, found: dict[str, str]) -> None:
        """Add a reading, the rest of its claim, and the strategies that it names."""
        library = self.library
        value = library.claims[reference[0]].document.value["readings"][reference[1]]
        reading = {key: item for key, item in value.items() if key not in ABOUT}
        found[f"reading {'/'.join(reference)}"] = hash_json(reading)
        self._add_file("claim", reference[0], library.claims[reference[0]], found)
        for text in find_texts(reading):
            strategy = text.split("#")[0]
            if strategy in library.strategies:
                self._add_file("strategy", strategy, library.strategies[strategy], found)

    def _add_file(self, kind: str, name: str, spec: Spec[Any], found: dict[str, str]) -> None:
        """Add a file and the definitions that it includes."""
        if f"{kind} {name}" in found:
            return
        if (kind, name) not in self.known:
            value = {key: item for key, item in spec.document.value.items() if key not in _ABOUT_A_FILE}
            self.known[kind, name] = hash_json(value)
        found[f"{kind} {name}"] = self.known[kind, name]
        for rules in named_rules(spec.model):
            self._add_rules(rules, found)
        for other in spec.model.includes:
            self._add_file("definitions", other, self.library.definitions[other], found)

    def _add_rules(self, name: str, found: dict[str, str]) -> None:
        """Add what rules say, whatever files they say it by."""
        if ("rules", name) not in self.known:
            self.known["rules", name] = hash_json(self.library.rules.find(name).data)
        found[f"rules {name}"] = self.known["rules", name]
