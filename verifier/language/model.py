"""Pydantic models of spec files: claims, strategies, definitions, … Validation and the JSON Schema use them."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Mapping
from typing import Annotated, Any, Union

from pydantic import Discriminator, Field, Tag, TypeAdapter, create_model

from verifier.language.reading import Definitions, Family, Player, Reading
from verifier.language.rules.file import DataRules, RulesFile
from verifier.language.rules.registry import COMPILERS, find_model
from verifier.language.shape import (
    CoverageFile,
    DocumentFile,
    ErrataFile,
    Expression,
    Identifier,
    PlaceText,
    PlayedMove,
    RulesName,
    Sentence,
    SourcePlace,
    StrictModel,
)


class Claim(StrictModel):
    """One claim of a document."""

    claim: Identifier
    title: Sentence
    source: SourcePlace
    rules: RulesName
    uses: list[Identifier] = Field(default_factory=list)
    includes: list[Identifier] = Field(default_factory=list, description="files of definitions, read in this order")
    define: Definitions = Field(default_factory=dict)
    readings: dict[Identifier, Reading] = Field(min_length=1)

    def __repr__(self) -> str:
        return f"<Claim {self.claim}: {self.title}; readings: {', '.join(self.readings)}>"

    __str__ = __repr__  # a notebook prints claims; the keys with all their values would fill the screen

    def rules_of(self, reading: str) -> str:
        """Return the name of the rules that a reading is about."""
        return self.readings[reading].rules or self.rules


class DefinitionsFile(StrictModel):
    """Definitions that several files share."""

    definitions: Identifier
    title: Sentence
    source: SourcePlace
    includes: list[Identifier] = Field(default_factory=list)
    define: Definitions = Field(min_length=1)


class Rule(StrictModel):
    """A rule of a strategy: when it applies, and the move."""

    place: PlaceText | None = None
    says: Sentence | None = Field(default=None, description="the rule, restated")
    for_: Family = Field(default_factory=dict, alias="for")
    when: Expression = True
    play: PlayedMove


class Phase(StrictModel):
    """A phase of a strategy; its rules are tried in order."""

    place: PlaceText | None = None
    for_: Family = Field(default_factory=dict, alias="for")
    when: Expression = True
    rules: dict[Identifier, Rule] = Field(min_length=1)


class StrategyFile(StrictModel):
    """A strategy: phases with rules. Phases and rules are tried in order."""

    strategy: Identifier
    title: Sentence
    source: SourcePlace
    rules: RulesName
    player: Player
    includes: list[Identifier] = Field(default_factory=list)
    define: Definitions = Field(default_factory=dict)
    phases: dict[Identifier, Phase] = Field(min_length=1)


Model = Claim | DefinitionsFile | StrategyFile | DocumentFile | CoverageFile | ErrataFile | RulesFile

FILE_KINDS = ("claim", "definitions", "strategy", "document", "coverage", "errata", "rules")
"""The kinds of files. A file has its kind as a key, normally as the first key.

``rules`` is last, because claims and strategies have this key, too."""
_OF_RULES = frozenset({"board", "family", "lines", "moves", "outcomes", "state"})
"""Keys that only rules files have. A rules file with ``like`` can lack some of these keys."""


def _split_words(name: str) -> str:
    """Return the words of a model's name, without ``File``, ``Clause`` or ``Data`` at the end.

    >>> _split_words("StepsEntry"), _split_words("CoverageFile")
    ('steps entry', 'coverage')
    """
    return re.sub("(?<=[a-z])(?=[A-Z])", " ", re.sub("(File|Clause|Data)$", "", name)).lower()


class Grammar:
    """The models of all kinds of files.

    Attributes:
        questions: the models of readings, by the key of their question. If a reading has several of these keys, its
            question is the key that comes first here.
        claim: the model of a claim. Its readings ask these questions.
        models: the models of all files, with their kinds. Each family of games that has its own clauses has its own
            model of rules files. All other families share one model.
    """

    def __init__(self, questions: Mapping[str, type[Reading]]) -> None:
        """Make the model of claims. Each reading of a claim asks one of these questions."""
        self.questions = questions
        tagged: Any = tuple(Annotated[model, Tag(name)] for name, model in questions.items())
        reading: Any = Annotated[Union[tagged], Discriminator(self.find_question)]  # noqa: UP007 - made from a tuple
        readings: Any = (dict[Identifier, reading], Field(min_length=1))
        self.claim = create_model("Claim", __base__=Claim, __doc__=Claim.__doc__, readings=readings)
        self.models: tuple[tuple[str, type[Model]], ...] = (
            ("claim", self.claim),
            ("definitions", DefinitionsFile),
            ("strategy", StrategyFile),
            ("document", DocumentFile),
            ("coverage", CoverageFile),
            ("errata", ErrataFile),
            *(("rules", compiler.FILE) for compiler in COMPILERS.values()),
            ("rules", DataRules),
        )

    def model_of(self, kind: str, value: Mapping[str, Any]) -> type[Model]:
        """Return the model of a file. The model of a rules file depends on the family of the rules."""
        return find_model(value) if kind == "rules" else dict(self.models)[kind]

    def find_question(self, value: object) -> str | None:
        """Return the key of a reading's question; None if it has no question."""
        keys = value if isinstance(value, dict) else {}
        return next((name for name in self.questions if name in keys), None)

    @functools.cached_property
    def keys(self) -> frozenset[str]:
        """Every key that some part of a spec may have."""
        return frozenset(key for _, keys in self._parts for key in keys)

    def find_owners(self, key: str) -> tuple[str, ...]:
        """Return the names of the parts of specs in which ``key`` is allowed. A reading is named by its question."""
        names = {model.__name__: f"a reading with {question!r}" for question, model in self.questions.items()}
        names |= {compiler.FILE.__name__: f"{family} rules" for family, compiler in COMPILERS.items()}
        found = [name for name, keys in self._parts if key in keys]
        return tuple(dict.fromkeys(names.get(name, _split_words(name)) for name in found))

    @functools.cached_property  # making the schema is slow, and a file may have thousands of unknown keys
    def _parts(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """The names of the parts of specs, each with its keys."""
        parts = self.build_schema()["$defs"]
        return tuple((name, frozenset(part.get("properties", ()))) for name, part in parts.items())

    def build_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of spec files. It does not cover short forms such as ``like``."""
        files: Any = Union[tuple(model for _, model in self.models)]  # noqa: UP007 - made from a tuple
        schema: dict[str, Any] = TypeAdapter(files).json_schema()
        return schema


def find_file_kind(value: Mapping[str, Any]) -> tuple[str, str]:
    """Return the kind and the id of a file; the id is empty if the file has none."""
    kind = next((kind for kind in FILE_KINDS if kind in value), "claim")
    key, meant = find_mistyped(value) or (kind, kind)
    return meant, str(value.get(key, ""))


def find_mistyped(value: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return a mistyped key, e.g. ``clam``, and the kind of file that it probably means.

    Return None if other keys already say the kind, or if no key looks like a kind.
    """
    known = [kind for kind in FILE_KINDS if kind in value]
    if known not in ([], ["rules"]) or (known and _OF_RULES & value.keys()):
        return None
    near = ((key, _find_near_kind(key)) for key in value if key not in FILE_KINDS)
    return next(((key, kind) for key, kind in near if kind), None)


@functools.lru_cache(maxsize=1000)  # many files have the same keys, and comparing letters is slow
def _find_near_kind(key: str) -> str:
    """Return the kind of file that a key looks like; empty if it looks like no kind."""
    return next(iter(difflib.get_close_matches(key, FILE_KINDS, 1, 0.75)), "")
