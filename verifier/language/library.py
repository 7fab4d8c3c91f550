"""The specs of a folder, by kind and id."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.language.about import DocumentFile, ErrataFile, Erratum, Severity
from verifier.language.model import Claim, StrategyFile
from verifier.language.names import Names
from verifier.language.nodes import Nodes
from verifier.language.problem import Problem
from verifier.language.rules import Rulebook
from verifier.language.shape import Source
from verifier.language.spec import Spec


@dataclass(frozen=True, slots=True)
class Made:
    """What was made of the specs of a library, once for all who need it.

    Attributes:
        nodes: every formula.
        names: by rules and by the files in the order in which their definitions are read, what these define, and what
            is wrong with the last file.
        strategies: ground strategies, and what is wrong with them; ``language.strategy`` fills it.
    """

    nodes: Nodes = field(default_factory=Nodes)
    names: dict[tuple[str, ...], tuple[Names, list[Problem]]] = field(default_factory=dict)
    strategies: dict[Any, tuple[dict[str, Any], list[Problem]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Library:
    """Specs by kind and id.

    Attributes:
        lost: the kind and the id of each that is left out, and the file whose fault that comes of.
    """

    claims: dict[str, Spec]
    strategies: dict[str, Spec]
    definitions: dict[str, Spec]
    documents: dict[str, Spec] = field(default_factory=dict)
    rules: Rulebook = field(default_factory=Rulebook)
    coverage: dict[str, Spec] = field(default_factory=dict)
    errata: dict[str, Spec] = field(default_factory=dict)
    lost: dict[tuple[str, str], str] = field(default_factory=dict)
    made: Made = field(default_factory=Made, compare=False, repr=False)

    def claim(self, name: str) -> Claim:
        """Return a claim's model."""
        model = self.claims[name].model
        if not isinstance(model, Claim):
            raise SpecError(f"{name!r} is not a claim")
        return model

    def strategy(self, name: str) -> StrategyFile:
        """Return a strategy's model."""
        model = self.strategies[name].model
        if not isinstance(model, StrategyFile):
            raise SpecError(f"{name!r} is not a strategy")
        return model

    def document(self, name: str) -> DocumentFile | None:
        """Return what is known of a document; None where the specs describe none of that name."""
        model = self.documents[name].model if name in self.documents else None
        return model if isinstance(model, DocumentFile) else None

    def errata_of(self, document: str) -> dict[str, Erratum]:
        """Return the entries of a document's errata, by name, as they stand in the file."""
        model = self.errata[document].model if document in self.errata else None
        return model.contents if isinstance(model, ErrataFile) else {}

    def severities_of(self, claim: str) -> dict[str, Severity]:
        """Return how bad the faults are that the readings of a claim show, by the reading's id."""
        entries = self.errata_of(self.claim(claim).source.document).values()
        named = [(name.partition("/"), entry.severity) for entry in entries for name in entry.readings]
        return {reading: severity for (owner, _, reading), severity in named if owner == claim}

    def home(self, kind: str) -> dict[str, Spec]:
        """Return the specs of a kind, as ``KINDS`` names it, by id."""
        homes = {"strategy": self.strategies, "definitions": self.definitions, "document": self.documents}
        homes |= {"claim": self.claims, "rules": self.rules.own, "coverage": self.coverage}
        homes["errata"] = self.errata
        return homes[kind]

    @property
    def with_includes(self) -> list[Spec]:
        """The files that may include definitions: rules, definitions, strategies and claims."""
        homes = (self.rules.own, self.definitions, self.strategies, self.claims)
        return [spec for home in homes for spec in home.values()]

    def is_ours(self, source: Source) -> bool:
        """Say whether something is the auditors' own, and not of the document that its source names."""
        document = self.document(source.document)
        return source.ours or (document is not None and document.ours)
