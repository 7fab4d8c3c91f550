"""What the parts of every spec file are made of: ids, sentences, expressions, places, and where something is said."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

WORDS, MAX_IDENTIFIER = "[a-z0-9]+(-[a-z0-9]+)*", 60
"""What ids are made of, as a regular expression, and how long they are at most."""

Expression = Annotated[str | int | bool, Field(description="an expression of the claim language (specs/README.md)")]
Identifier = Annotated[
    str, Field(pattern=f"^{WORDS}$", max_length=MAX_IDENTIFIER, description="words in small letters, joined by -")
]
RulesName = Annotated[str, Field(pattern=f"^{WORDS}$", max_length=80, description="the rules file of this id")]
Sentence = Annotated[str, Field(min_length=3, max_length=2000)]
Place = Annotated[str, Field(min_length=2, max_length=80, description="where the source has this part, such as §2.1")]


class Strict(BaseModel):
    """No unknown key, no conversion of types; what checks it is built when a file of its kind is read."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=False, defer_build=True)


class Source(Strict):
    """Where a claim stands, and what it says there, restated."""

    document: Identifier
    place: Annotated[str, Field(min_length=1, max_length=2000)]
    says: Sentence
    ours: bool = Field(
        default=False, description="the document does not say this: it is the auditors' own question about it"
    )
