"""What the parts of every spec file are made of: ids, sentences, expressions, places, and where something is said."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

WORDS, MAX_IDENTIFIER = "[a-z0-9]+(-[a-z0-9]+)*", 60
"""What ids are made of, as a regular expression, and how long they are at most."""


def _write_list(value: object) -> object:
    """Return a list of YAML as the expression that it is; anything else as it stands."""
    return f"[{', '.join(str(_write_list(item)) for item in value)}]" if isinstance(value, list) else value


def _write_number(value: object) -> object:
    """Return a number as a text; anything else as it stands."""
    return str(value) if type(value) is int else value


def _split(value: object) -> object:
    """Return a text of moves with spaces between them as a list; anything else as it stands."""
    return value.split() if isinstance(value, str) and not value.startswith("[") else value


EXPRESSION = "an expression of the claim language (specs/README.md); a list may be one of YAML, or quoted"
Expression = Annotated[
    str | int | bool,
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
