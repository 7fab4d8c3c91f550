"""The specs of a folder, by kind and id."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.language.expressions import Grounder
from verifier.language.model import Claim, DefinitionsFile, StrategyFile
from verifier.language.outline import SourceOutline
from verifier.language.problem import Problem, SpecProblemsError, suggest
from verifier.language.rules.drawn import DrawnClause
from verifier.language.rules.file import RulesFile
from verifier.language.rules.registry import compile_rules
from verifier.language.shape import CoverageFile, DocumentFile, ErrataFile, Erratum, SourcePlace
from verifier.language.sharing import Nodes
from verifier.language.spec import Spec


@dataclass(frozen=True, slots=True)
class Library:
    """The specs by kind and id, and caches of what is compiled from them.

    Attributes:
        departs: the text of ``DIVERGENCES.md``; empty if there is no such file.
        offered: the ids of all shipped rules.
        lost: the specs that were left out, by kind and id, each with the file that has the fault.
        games: the game of each rules file, and its problems. The game is None if there are problems.
        nodes: the nodes of all formulas (see ``sharing``).
        names: the names that files define, and the problems of these files. Each key is a tuple: the id of the rules,
            and then the kind and id of each file, in the order of reading. The module ``scope`` fills this cache.
        ground: strategies in the kernel's terms, and their problems. The module ``scope`` fills this cache.
    """

    claims: dict[str, Spec[Claim]] = field(default_factory=dict)
    strategies: dict[str, Spec[StrategyFile]] = field(default_factory=dict)
    definitions: dict[str, Spec[DefinitionsFile]] = field(default_factory=dict)
    documents: dict[str, Spec[DocumentFile]] = field(default_factory=dict)
    rules: dict[str, Spec[RulesFile]] = field(default_factory=dict)
    coverage: dict[str, Spec[CoverageFile]] = field(default_factory=dict)
    errata: dict[str, Spec[ErrataFile]] = field(default_factory=dict)
    departs: str = ""
    offered: set[str] = field(default_factory=set)
    lost: dict[tuple[str, str], str] = field(default_factory=dict)
    games: dict[str, tuple[Game | None, list[Problem]]] = field(default_factory=dict, compare=False, repr=False)
    nodes: Nodes = field(default_factory=Nodes, compare=False, repr=False)
    names: dict[tuple[str, ...], tuple[Grounder, list[Problem]]] = field(
        default_factory=dict, compare=False, repr=False
    )
    ground: dict[Any, tuple[dict[str, Any], list[Problem]]] = field(default_factory=dict, compare=False, repr=False)

    def home(self, kind: str) -> dict[str, Spec[Any]]:
        """Return the specs of one kind, by id. The kinds are ``FILE_KINDS``."""
        homes: dict[str, Any] = {"strategy": self.strategies, "definitions": self.definitions, "errata": self.errata}
        homes |= {"claim": self.claims, "document": self.documents, "coverage": self.coverage, "rules": self.rules}
        found: dict[str, Spec[Any]] = homes[kind]
        return found

    def compile_rules(self, name: str) -> tuple[Game | None, list[Problem]]:
        """Return the game of a rules file, and its problems. The game is None if there are problems."""
        if name not in self.games:
            self.games[name] = compile_rules(self.rules[name].model, self.rules[name].document)
        return self.games[name]

    def game(self, name: str) -> Game:
        """Return the game of a rules file.

        Raises:
            SpecError: there are no rules with this id.
            SpecProblemsError: the rules have a fault.
        """
        if name not in self.rules:
            hint = suggest(name, {*self.rules, *self.offered}) or "; a file that starts with 'rules:' defines rules"
            raise SpecError(f"no rules {name[:60]!r} in these specs or among the shipped rules{hint}")
        game, problems = self.compile_rules(name)
        if game is None:
            raise SpecProblemsError(problems)
        return game

    @property
    def drawings(self) -> dict[Game, DrawnClause]:
        """For each game whose rules have a clause ``drawn``: this clause."""
        return dict(item for name in self.rules for item in self.drawings_of(name).items())

    def drawings_of(self, name: str) -> dict[Game, DrawnClause]:
        """Return the game of a rules file with its clause ``drawn``; an empty map if the rules have no such clause."""
        drawn: DrawnClause | None = getattr(self.rules[name].model, "drawn", None)
        game = None if drawn is None else self.compile_rules(name)[0]
        return {} if drawn is None or game is None else {game: drawn}

    def rules_file(self, name: str) -> RulesFile:
        """Return the model of a rules file."""
        return self.rules[name].model

    def claim(self, name: str) -> Claim:
        """Return a claim's model."""
        return self.claims[name].model

    def file_of(self, claim: str) -> str:
        """Return the file of a claim, below the folder of the specs."""
        return self.claims[claim].document.file

    def strategy(self, name: str) -> StrategyFile:
        """Return a strategy's model."""
        return self.strategies[name].model

    def document(self, name: str) -> DocumentFile:
        """Return the description of a document; if the specs have none, a description that has only the id."""
        known = self.documents.get(name)
        note = "The specs do not describe this document."
        return known.model if known else DocumentFile.model_construct(document=name, title=name, note=note)

    def read_of(self, document: str) -> str:
        """Return how a document was read, such as *in full*; empty if the specs do not say how."""
        return (self.coverage[document].model.read or "") if document in self.coverage else ""

    def beyond_of(self, document: str) -> list[str]:
        """Return the auditors' own claims that say more than a document, as its errata list them."""
        return [*self.errata[document].model.beyond] if document in self.errata else []

    def errata_of(self, document: str) -> dict[str, Erratum]:
        """Return the entries of a document's errata, by name, in the order of the file."""
        return self.errata[document].model.contents if document in self.errata else {}

    def is_ours(self, source: SourcePlace | SourceOutline) -> bool:
        """True if the auditors make a claim themselves; False if they found it in a document."""
        return source.ours or self.document(source.document).ours

    def claims_of(self, document: str) -> list[str]:
        """Return the claims that a document itself makes."""
        sources = {name: spec.model.source for name, spec in self.claims.items()}
        return [name for name, source in sources.items() if source.document == document and not self.is_ours(source)]
