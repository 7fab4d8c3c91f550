"""The shape of a rules file: what its clauses say, and where the document has each of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, WrapValidator, model_validator

from verifier.kernel.games.registry import FAMILIES
from verifier.language.shape import Expression, Identifier, Place, RulesName, Sentence, Source, Strict, keep_expression

Direction = Literal["rows", "columns", "diagonals"]
DIRECTIONS: tuple[Direction, ...] = ("rows", "columns", "diagonals")
Count = Annotated[int, Field(ge=1, le=64)]
Spot = Annotated[int | str, Field(description="a spot as moves are written: its number, or its row and column")]


class Clause(Strict):
    """A part of the rules; one that says nothing but its place is the same in all rules of the family."""

    place: Place | None = None


class Board(Clause):
    """A single board, and how moves are written: ``spots`` from 0 on, or ``row,column`` from 1 on.

    Of a family that has no clauses of its own here it is the rules as a statement carries them.
    """

    rows: Count | None = None
    columns: Count | None = None
    moves: Literal["spots", "rows"] = "spots"
    is_: dict[str, Any] | None = Field(default=None, alias="is", description="the data of a family of your own")


class Marks(Clause):
    """Whose marks count for a line: the player's own, or everybody's."""

    is_: Literal["own", "shared"] = Field(alias="is")


SetFormula = Annotated[
    str,
    WrapValidator(keep_expression),
    Field(description="an expression: a list of spots, which are numbered from 0 row by row, or a list of such lists"),
]
ShapePlace = Annotated[
    str, Field(pattern=r"^\d{1,2}\.\d{1,2}$", description="a row and a column from 0 on, such as 0.1")
]


_BY_PLAYER = ("of_x", "of_o")


class LineClause(Strict):
    """Sets of spots: some in a row, a list of sets, or all placements of shapes."""

    in_a_row: Annotated[int, Field(ge=2, le=64)] | None = None
    along: list[Direction] = Field(default=list(DIRECTIONS), min_length=1)
    spots: Literal["neighbouring", "exactly", "any"] = Field(
        default="neighbouring",
        description="next to each other; the same, with no further mark beside them; or any spots of a row",
    )
    sets: list[list[Spot] | SetFormula] | None = None
    shapes: list[Annotated[list[ShapePlace], Field(min_length=1, max_length=64)]] | None = Field(
        default=None, min_length=1, max_length=20, description="all placements of each, turned and mirrored"
    )

    @model_validator(mode="after")
    def _one_form(self) -> LineClause:
        given = [name for name in ("in_a_row", "sets", "shapes", *_BY_PLAYER) if getattr(self, name, None) is not None]
        if given != [*_BY_PLAYER] and (len(given) != 1 or given[0] in _BY_PLAYER):
            raise ValueError("give lines by one of 'in_a_row', 'sets' and 'shapes', or for each player, X and O")
        extra = self.model_fields_set & {"along", "spots"}
        if given != ["in_a_row"] and extra:
            raise ValueError(f"{min(extra)!r} goes only with 'in_a_row'")
        return self


class Lines(LineClause, Clause):
    """What counts as a line: sets of spots, of both players or of each."""

    of_x: LineClause | None = Field(default=None, alias="X")
    of_o: LineClause | None = Field(default=None, alias="O")


class Legal(Clause):
    """Which free spots may be marked: a formula with the spot ``s``, its ``row`` and its ``column``."""

    when: Expression


class Outcome(Clause):
    """What happens after a move where a formula holds and no earlier clause did."""

    when: Expression
    result: Literal["X", "O", "draw", "goes-on"]


class Closed(Clause):
    """Which fields do not hold a player who is sent there."""

    is_: Literal["full", "decided"] = Field(alias="is")


class FreeChoice(Clause):
    """Where a player who is sent to such a field may play."""

    is_: Literal["free-spots", "open-fields"] = Field(alias="is")


class AfterWin(Clause):
    """Whether three aligned fields end the game."""

    is_: Literal["over", "goes-on"] = Field(alias="is")


class RulesFile(Strict):
    """The rules of a game, clause by clause."""

    rules: RulesName
    title: Sentence
    source: Source
    family: Identifier = Field(
        description="nested: nine fields of nine spots; positional: one board", json_schema_extra={"enum": [*FAMILIES]}
    )
    board: Board | None = None
    marks: Marks | None = None
    lines: Lines | None = None
    legal: Legal | None = None
    outcomes: dict[str, Outcome] | None = Field(default=None, min_length=1)
    closed: Closed | None = None
    free_choice: FreeChoice | None = None
    after_win: AfterWin | None = None

    def place_of(self, clause: Clause | None) -> str:
        """Return where the source has a clause: where it has the rules, unless the clause says it."""
        return (clause and clause.place) or self.source.place


CLAUSES: dict[str, dict[str, bool]] = {
    "nested": {"board": False, "closed": True, "free_choice": True, "after_win": True},
    "positional": {"board": True, "marks": False, "lines": False, "legal": False, "outcomes": True},
}
"""The clauses of each family in the order in which people read them, and whether a file has to give them."""

OTHERS = {"board": True}
"""The same of every other family."""

NAMES = tuple(dict.fromkeys(name for names in (*CLAUSES.values(), OTHERS) for name in names))
"""The clauses of all families."""
