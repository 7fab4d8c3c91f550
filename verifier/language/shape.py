"""Pydantic models: types that the models of all spec files use, and the models of documents, coverage and errata.

The statements that the kernel checks do not depend on these three models, or on the keys in ``VerdictKeys``. A reading
with ``like: NAME`` copies the keys of the reading NAME, except the keys in ``VerdictKeys``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WrapValidator,
    model_validator,
)
from pydantic.json_schema import SkipJsonSchema

from verifier.language.outline import Severity
from verifier.language.syntax import ExpressionError, ScopedText

ID_PATTERN, MAX_IDENTIFIER = "[a-z0-9]+(-[a-z0-9]+)*", 60
"""A regular expression for ids, and the maximum length of an id."""


def _write_list(value: object) -> object:
    """Return a YAML list as the text of an expression; return any other value unchanged."""
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
    """Validate a text. Return a ``ScopedText`` unchanged, because the validator would make a plain string of it."""
    found = validate(value)
    return value if isinstance(value, ScopedText) else found


def keep_expression(value: Any, validate: Callable[[Any], Any]) -> Any:
    """Validate an expression. Messages print a ``ScopedText`` with values in place of variables."""
    found = keep_scope(value, validate)
    if not isinstance(found, ScopedText) or found.player:
        return found
    try:
        return found.as_expression()
    except ExpressionError as error:
        raise ValueError(str(error)) from None


def _write_number(value: object) -> object:
    """Return an integer as text; return any other value unchanged."""
    return str(value) if type(value) is int else value


def _split(value: object) -> object:
    """Return a text of moves, separated by spaces, as a list; return any other value unchanged."""
    return value.split() if isinstance(value, str) and not value.startswith("[") else value


EXPRESSION = "an expression of the claim language (specs/README.md); a list can be written as in YAML, or in quotes"
Expression = Annotated[
    str | int | bool,
    WrapValidator(keep_expression),
    BeforeValidator(_write_list, json_schema_input_type=str | int | bool | list[Any]),
    Field(description=EXPRESSION),
]


def _find_form(value: Any) -> Literal["template", "numbers"]:
    # Because of this tag, pydantic checks a value against one form only. So it does not report a fault for each form.
    return "template" if isinstance(value, dict) else "numbers"


MoveNumbers = Annotated[list[Expression], Field(max_length=8)]
PlayedMove = Annotated[
    Annotated[Annotated[MoveNumbers, Field(min_length=1)], Tag("numbers")]
    | Annotated[dict[str, MoveNumbers], Field(min_length=1, max_length=1), Tag("template")],
    Discriminator(_find_form),
    Field(description="a move: a list of its numbers, or a map from a template of the rules to values of variables"),
]
MoveText = Annotated[
    str,
    BeforeValidator(_write_number, json_schema_input_type=str | int),
    Field(
        description="a move as the rules write it: 4.0 on nine fields, 4 on one board, or '2,3' if the rules number "
        "rows and columns"
    ),
]
MoveList = Annotated[
    list[MoveText],
    BeforeValidator(_split, json_schema_input_type=str | list[str | int]),
    Field(max_length=100, description="moves: a list, or a text with spaces between them"),
]
Identifier = Annotated[
    str, Field(pattern=f"^{ID_PATTERN}$", max_length=MAX_IDENTIFIER, description="words of a-z and 0-9, joined by -")
]
RulesName = Annotated[str, Field(pattern=f"^{ID_PATTERN}$", max_length=80, description="the id of a rules file")]
Sentence = Annotated[str, Field(min_length=3, max_length=2000)]
PlaceText = Annotated[
    str, Field(min_length=1, max_length=2000, description="the place of this part in the document, such as §2.1")
]


class StrictModel(BaseModel):
    """A model that allows no unknown keys and converts no types."""

    # ``defer_build``: pydantic builds the validator of a model when the model is first used.

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=False, defer_build=True)


class SourcePlace(StrictModel):
    """The place of a claim in its document, and the claim, restated."""

    document: Identifier
    place: PlaceText
    says: Sentence
    ours: bool = Field(
        default=False, description="true: the document does not make this claim; it is the auditors' own"
    )


ReadingName = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$",
        max_length=121,
        description="a reading: CLAIM/READING",
    ),
]


class VerdictKeys(StrictModel):
    """The keys of a reading about its own verdict and about the verdicts of other readings."""

    expect: Literal["proved", "supported", "refuted"]
    long: int | None = Field(
        default=None,
        ge=0,
        le=99,
        description="the minutes that the kernel needs; a run that names no claim skips this reading, unless a "
        "headline rests on it. 0: less than a minute, and never skipped",
    )
    joins: list[ReadingName] = Field(
        default_factory=list, description="the readings on which the evidence of this reading relies: CLAIM/READING"
    )
    repairs: list[str] = Field(default_factory=list, description="the readings that this reading repairs")
    control: bool = Field(
        default=False, description="true: the reading is false on purpose; its refutation shows that the check can fail"
    )
    agrees_with: str | None = Field(
        default=None,
        description="a reading with evidence of another kind; the verdicts must not contradict each other",
    )
    coq: str | None = Field(
        default=None,
        pattern=r"^[a-z]\w*$",
        max_length=60,
        description="the theorem of proofs/coq that says the same as this reading",
    )
    half_of: SkipJsonSchema[str] = Field(
        default="", description="the reading with 'exactly' from which this reading was made"
    )
    note: Sentence | None = Field(default=None, description="a remark; in a repair: what it adds or corrects, and why")

    @model_validator(mode="after")
    def _fits_expectation(self) -> VerdictKeys:
        if self.coq is not None and self.expect == "refuted":
            raise ValueError("'coq' names a proof, so the reading cannot be expected to be refuted")
        if self.control and (self.expect != "refuted" or self.repairs):
            raise ValueError("a 'control' needs 'expect: refuted', and cannot have 'repairs'")
        return self


ABOUT = frozenset(VerdictKeys.model_fields)
"""The keys of a reading that do not belong to its statement."""


class DocumentFile(StrictModel):
    """The description of a document, for readers of reports."""

    document: Identifier
    title: Sentence
    authors: list[Sentence] = Field(default_factory=list, description="who wrote it")
    note: Sentence = Field(description="what kind of text it is, and what it is about")
    headline: list[Identifier] = Field(
        default_factory=list,
        description="the claims of the title and the abstract, and the auditors' own claims that say more",
    )
    contents: dict[str, dict[Identifier, Sentence]] = Field(
        default_factory=dict,
        description="the claims, grouped by the document's sections and in the document's order, each with its name "
        "in the document",
    )
    terms: dict[str, Sentence] = Field(
        default_factory=dict, description="words of the document that the claims use, and their meanings"
    )
    left_out: list[Sentence] = Field(
        default_factory=list, description="the statements of the document that no claim is about, and why"
    )
    ours: bool = Field(default=False, description="true: the document and all its claims are the auditors' own")


class Assertion(StrictModel):
    """A checkable sentence of a document, and the readings that check it."""

    says: Sentence = Field(description="the sentence, restated")
    readings: list[str] = Field(
        default_factory=list, description="the readings (CLAIM/READING) or whole claims that check the sentence"
    )
    left_out: Sentence | None = Field(default=None, description="why no claim is about the sentence")

    @model_validator(mode="after")
    def _has_one(self) -> Assertion:
        if bool(self.readings) == (self.left_out is not None):
            raise ValueError("a sentence needs either 'readings', or 'left_out', which says why no reading checks it")
        return self


class CoverageFile(StrictModel):
    """Every checkable sentence of a document. The sentences of each part of the document are numbered."""

    coverage: Identifier = Field(description="the document")
    read: Literal["in full", "in part", "the abstract", "a table", "as restated by others"] | None = Field(
        default=None, description="how the document was read"
    )
    contents: dict[str, dict[str, Assertion]] = Field(
        min_length=1, description="for each part of the document, such as §1, its sentences by number: 1, 2, …"
    )


class Erratum(StrictModel):
    """A mistake in a document, for its authors: what is wrong, what to write instead, and why."""

    readings: list[ReadingName] = Field(
        min_length=1,
        description="the refuted readings that show the mistake, CLAIM/READING; the letter shows the witness of the "
        "first reading that has a witness",
    )
    severity: Severity
    place: PlaceText | None = Field(
        default=None, description="the place of the wrong part, if it is not the place of the first reading's claim"
    )
    says: Sentence | None = Field(
        default=None, description="the wrong part, in our words, if only a part of the claim is wrong"
    )
    correction: Sentence | None = Field(
        default=None,
        description="what to write instead. A repair of the first reading, or another proved reading of its claim, "
        "has to support the correction. A remark needs no correction",
    )
    title: Sentence | None = Field(
        default=None, description="what is wrong, in plain words, for people who do not know the document's terms"
    )
    note: Sentence = Field(description="why the first reading fails, in the position or the play that refutes it")
    headline: list[Identifier] = Field(
        default_factory=list, description="the document's headline claims whose printed proof uses the wrong part"
    )


class ErrataFile(StrictModel):
    """The mistakes in a document, as a letter to its authors. It lists each refuted reading once, except controls."""

    errata: Identifier = Field(description="the document")
    to: Sentence | None = Field(default=None, description="to whom the letter goes, if not to the authors")
    note: Sentence | None = Field(
        default=None, description="which text was read, and where to find it; a blank line begins a paragraph"
    )
    beyond: dict[Identifier, Sentence] = Field(
        default_factory=dict,
        description="the auditors' own claims that say more than the document, each with a sentence for the letter",
    )
    contents: dict[Identifier, Erratum] = Field(min_length=1)
