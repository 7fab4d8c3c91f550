"""The types that all spec files are made of, and the parts that are about statements and their verdicts.

The latter are about a reading, a document, its sentences and its errata. No statement depends on them, and ``like``
takes none of them over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WrapValidator, model_validator
from pydantic.json_schema import SkipJsonSchema

from verifier.language.syntax import ExpressionError, ScopedText

WORDS, MAX_IDENTIFIER = "[a-z0-9]+(-[a-z0-9]+)*", 60
"""The form of ids, as a regular expression, and their maximum length."""


def _write_list(value: object) -> object:
    """Return a list of YAML as an expression; anything else as it stands."""
    if not isinstance(value, list):
        return value
    parts = [_write_list(item) for item in value]
    shown = f"[{', '.join(map(str, parts))}]"
    scopes = {part.variables for part in parts if isinstance(part, ScopedText)}
    if not scopes:
        return shown
    if len(scopes) > 1:
        raise ValueError("the items of this list have different variables: write the list as one expression")
    written = [part.written if isinstance(part, ScopedText) else str(part) for part in parts]
    return ScopedText(shown, f"[{', '.join(written)}]", scopes.pop())


def keep_scope(value: Any, validate: Callable[[Any], Any]) -> Any:
    """Return a valid text with its scope, which a validator alone would lose."""
    found = validate(value)
    return value if isinstance(value, ScopedText) else found


def keep_expression(value: Any, validate: Callable[[Any], Any]) -> Any:
    """Return a valid expression with its scope, as people see it."""
    found = keep_scope(value, validate)
    if not isinstance(found, ScopedText) or found.player:
        return found
    try:
        return found.as_expression()
    except ExpressionError as error:
        raise ValueError(str(error)) from None


def _write_number(value: object) -> object:
    """Return a number as a text; anything else as it stands."""
    return str(value) if type(value) is int else value


def _split(value: object) -> object:
    """Return a text of moves with spaces between them as a list; anything else as it stands."""
    return value.split() if isinstance(value, str) and not value.startswith("[") else value


EXPRESSION = "an expression of the claim language (specs/README.md); a list may be one of YAML, or quoted"
Expression = Annotated[
    str | int | bool,
    WrapValidator(keep_expression),
    BeforeValidator(_write_list, json_schema_input_type=str | int | bool | list[Any]),
    Field(description=EXPRESSION),
]
Move = Annotated[
    str,
    BeforeValidator(_write_number, json_schema_input_type=str | int),
    Field(description="a move as the rules write it: 4.0, or on a single board 4, or the text 2,3"),
]
Line = Annotated[
    list[Move],
    BeforeValidator(_split, json_schema_input_type=str | list[str | int]),
    Field(max_length=100, description="moves, one a ply: a list, or a text with spaces between them"),
]
Identifier = Annotated[
    str, Field(pattern=f"^{WORDS}$", max_length=MAX_IDENTIFIER, description="words in small letters, joined by -")
]
RulesName = Annotated[str, Field(pattern=f"^{WORDS}$", max_length=80, description="the rules file of this id")]
Sentence = Annotated[str, Field(min_length=3, max_length=2000)]
Place = Annotated[str, Field(min_length=1, max_length=2000, description="where the source has this part, such as §2.1")]


class Strict(BaseModel):
    """No unknown key, no conversion of types; what checks it is built when a file of its kind is read."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=False, defer_build=True)


class Source(Strict):
    """Where a claim stands, and what it says there, restated."""

    document: Identifier
    place: Place
    says: Sentence
    ours: bool = Field(
        default=False, description="the document does not say this: it is the auditors' own question about it"
    )


ReadingName = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$",
        max_length=121,
        description="a reading: CLAIM/READING",
    ),
]


class AboutReading(Strict):
    """What is said about the verdict on a reading, and what that verdict has to do with others."""

    expect: Literal["proved", "supported", "refuted"]
    long: int | None = Field(
        default=None,
        ge=1,
        le=99,
        description="how many minutes the kernel needs for it: a run that names no claim leaves it out",
    )
    joins: list[ReadingName] = Field(
        default_factory=list, description="the readings that this one's evidence relies on: CLAIM/READING"
    )
    repairs: list[str] = Field(default_factory=list, description="the readings that this one repairs")
    control: bool = Field(
        default=False, description="our own, and false: it has to be refuted, which shows that the check can fail"
    )
    agrees_with: str | None = Field(
        default=None, description="a reading with evidence of another form; the two may not contradict each other"
    )
    coq: str | None = Field(
        default=None,
        pattern=r"^[a-z]\w*$",
        max_length=60,
        description="the theorem of proofs/coq that says what this reading's claim says",
    )
    half_of: SkipJsonSchema[str] = Field(default="", description="the reading with 'exactly' that was written out")
    note: Sentence | None = Field(default=None, description="a remark; of a repair: what it adds or corrects, and why")

    @model_validator(mode="after")
    def _fits_expectation(self) -> AboutReading:
        if self.coq is not None and self.expect == "refuted":
            raise ValueError("'coq' names a proof, so the reading cannot be expected to be refuted")
        if self.control and (self.expect != "refuted" or self.repairs):
            raise ValueError("a 'control' needs 'expect: refuted', and cannot have 'repairs'")
        return self


ABOUT = frozenset(AboutReading.model_fields)
"""The keys of a reading that are not part of its statement."""


class DocumentFile(Strict):
    """A document: what it is, for readers of reports."""

    document: Identifier
    title: Sentence
    authors: list[Sentence] = Field(default_factory=list, description="who wrote it, where that is known")
    note: Sentence = Field(description="what kind of text it is, and what it is about")
    headline: list[Identifier] = Field(
        default_factory=list,
        description="the claims that say what its title and its abstract promise; and the auditors' own that say more",
    )
    contents: dict[str, dict[Identifier, Sentence]] = Field(
        default_factory=dict, description="its claims in its own order, by section: the name that it gives to each"
    )
    terms: dict[str, Sentence] = Field(
        default_factory=dict, description="its words that the claims use, and what they mean"
    )
    left_out: list[Sentence] = Field(default_factory=list, description="what it says that no claim is about, and why")
    ours: bool = Field(default=False, description="it is the auditors' own, and so are all its claims")


class Assertion(Strict):
    """A sentence of a document that can be checked, and what was made of it."""

    says: Sentence = Field(description="what it asserts, restated")
    readings: list[str] = Field(default_factory=list, description="CLAIM/READING, or whole claims, that audit it")
    left_out: Sentence | None = Field(default=None, description="why no claim is about it")

    @model_validator(mode="after")
    def _has_one(self) -> Assertion:
        if bool(self.readings) == (self.left_out is not None):
            raise ValueError("a sentence needs either 'readings', or 'left_out' with the reason why it has none")
        return self


class CoverageFile(Strict):
    """Every sentence of a document that asserts something checkable, numbered through each of its parts."""

    coverage: Identifier = Field(description="the document")
    contents: dict[str, dict[str, Assertion]] = Field(
        min_length=1, description="a part of the document, such as §1: its sentences by number, 1, 2, …"
    )


Severity = Literal["wording", "slip", "gap", "hypothesis", "step", "statement"]
"""How bad a fault is, the mildest first: what is meant is clear; a slip of the pen; a gap in an argument of which the
conclusion holds; a missing hypothesis; a wrong step; a wrong statement."""


class Erratum(Strict):
    """A fault of a document, for its authors: what to write instead, and why."""

    readings: list[ReadingName] = Field(
        min_length=1, description="the refuted readings that show it, CLAIM/READING; the first one's witness is shown"
    )
    severity: Severity
    says: Sentence | None = Field(
        default=None, description="what is wrong, in our words, if that is not the whole claim"
    )
    correction: Sentence | None = Field(
        default=None, description="what to write instead, as the readings that repair the first one show"
    )
    note: Sentence = Field(description="why it fails, at the position or in the play that refutes the first reading")
    headline: list[Identifier] = Field(
        default_factory=list, description="the document's headline claims whose proof, as printed, goes through this"
    )


class ErrataFile(Strict):
    """What is wrong in a document, as a letter to its authors: every refuted reading once, except controls."""

    errata: Identifier = Field(description="the document")
    contents: dict[Identifier, Erratum] = Field(min_length=1)
