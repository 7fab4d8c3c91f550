"""What people are shown beside a verdict: a play, a position from which a step fails, the hypotheses that proofs need.

The ledger holds these values as they are; ``verifier/audit/ledger.py`` says how they stand in JSON.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field

CONFIG = ConfigDict(strict=True, use_attribute_docstrings=True)
"""How pydantic reads and describes the values of a ledger: no text passes for a number, docstrings are descriptions."""


def _require_kind(schema: dict[str, Any]) -> None:
    """Say in the schema that the key that distinguishes witnesses may not be missing, though it has a default."""
    schema["required"].append("kind")


class Value:
    """What values of a ledger have in common: how pydantic reads them."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = CONFIG


class _Witness(Value):
    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(**CONFIG, json_schema_extra=_require_kind)


@dataclass(frozen=True, slots=True)
class Line(_Witness):
    """A play from a position on."""

    start: str
    """the position before the first move"""
    moves: tuple[str, ...]
    """the moves, f.s or one number on a single board"""
    position: str
    """the position after the last move"""
    reason: str
    """what the play shows"""
    kind: Literal["line"] = "line"


@dataclass(frozen=True, slots=True)
class Counterexample(_Witness):
    """A position from which a step breaks a conclusion."""

    part: str
    """the part of the reading that fails"""
    position: str
    """the position before the step"""
    moves: tuple[str, ...]
    """the moves of the step"""
    after: str
    """the position after the step"""
    fails: str
    """the conclusion that fails, or why there is no such step"""
    is_conclusion: bool
    """whether it is a conclusion that fails"""
    reason: str
    """why the reading is refuted, in a sentence"""
    reachable: bool | None
    """whether legal play reaches the position; null: open, the search ended before"""
    line: tuple[str, ...] | None
    """a play that reaches it"""
    kind: Literal["counterexample"] = "counterexample"


Witness = Annotated[Line | Counterexample, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class Needs(Value):
    """Which hypotheses a part is shown from, of which fewer may do; and which the source names."""

    part: str
    used: tuple[str, ...]
    """those that it is shown from"""
    cited: tuple[str, ...]
    """those that the source names"""

    @property
    def words(self) -> str:
        """Both, in words."""
        more = ", ".join(name for name in self.used if name not in self.cited)
        less = ", ".join(name for name in self.cited if name not in self.used)
        return (
            f"{self.part}: shown from {', '.join(self.used) or 'nothing'}"
            + (f"; not cited: {more}" if more else "")
            + (f"; named in the text but not needed: {less}" if less else "")
        )
