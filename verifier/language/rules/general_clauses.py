"""The clauses of rules of the family ``general``: cells (the values in a position), moves, outcomes, and drawing."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, WrapValidator

from verifier.kernel.games.general import MAX_CELL_VALUE, MAX_STATE_CELLS
from verifier.language.loader import KeyPath
from verifier.language.reading import Definitions, Family
from verifier.language.rules.drawn import DrawnClause
from verifier.language.rules.file import IN_BRACES, Clause, MoveTemplate, RulesFile
from verifier.language.rules.positional import DIRECTIONS, Direction, SideLength
from verifier.language.shape import Expression, keep_expression

_OF_BOARDS = "is not a word of rules with cells"
_WRITE_OUT = f"{_OF_BOARDS}: write it out in cells, or define it"
ELSEWHERE_WITH_CELLS = {
    **dict.fromkeys(("X", "O"), "is not a cell of these rules; for a player, write 1 for X, 2 for O"),
    **dict.fromkeys(("marked", "makes", "line", "full", "active"), _WRITE_OUT),
    **dict.fromkeys(("X_makes", "O_makes", "X_line", "O_line", "won_by_X", "won_by_O"), _WRITE_OUT),
    "free": f"{_OF_BOARDS}: define it, as in {{free(s): not X[s] and not O[s]}}, and write free(s)",
    **dict.fromkeys(("SPOTS", "FIELDS"), f"{_OF_BOARDS}: write a list, such as range(0, 9)"),
}
"""Words of boards and names of players, each with a message for expressions that use it if no cell has this name."""

Assignment = Annotated[
    str,
    WrapValidator(keep_expression),
    Field(description="CELL = VALUE, or CELL = VALUE for s in LIST if CONDITION"),
]
CellValue = int | bool


class CellClause(Clause):
    """Cells with the same name: numbers from ``least`` to ``most`` or, if there is no ``most``, true or false."""

    least: int = Field(default=0, ge=0, le=MAX_CELL_VALUE)
    most: int | None = Field(default=None, ge=1, le=MAX_CELL_VALUE)
    start: CellValue | list[CellValue] | None = Field(
        default=None, description="the value at the start, or a list with the value of each cell"
    )


class MoveClause(Clause):
    """A move for each choice of values in ``for``: when it can be made, and what it changes."""

    for_: Family = Field(default_factory=dict, alias="for")
    by: Literal["X", "O"] | None = Field(default=None, description="the only player who can make it")
    when: Expression = True
    do: Assignment | list[Assignment] = Field(description="assignments; they use the values before the move")


class CellLines(Clause):
    """Lines of ``in_a_row`` cells. For each name N in ``of``, N_line says that N is true in all cells of some line."""

    in_a_row: Annotated[int, Field(ge=2, le=64)]
    rows: SideLength
    columns: SideLength
    along: list[Direction] = Field(default=list(DIRECTIONS), min_length=1)
    of: list[str] = Field(min_length=1, max_length=8)


class ResultClause(Clause):
    """A result, and the condition for it. After each move, the first outcome with a true condition decides."""

    when: Expression
    result: Literal["X", "O", "draw", "goes-on", "next", "previous"]


class ShownClause(Clause):
    """The drawing of a position: each letter is on the spots (``s``, ``row``, ``column``) where its condition holds."""

    rows: Annotated[int, Field(ge=1, le=40)]
    columns: Annotated[int, Field(ge=1, le=40)]
    marks: dict[str, Expression] = Field(min_length=1, max_length=20)


class GeneralRules(RulesFile):
    """The rules of any finite game, as cells, moves and outcomes."""

    KEPT: ClassVar[frozenset[KeyPath]] = frozenset({("moves",)})

    family: Literal["general"]
    define: Definitions = Field(default_factory=dict)
    state: dict[str, CellClause] = Field(min_length=1, max_length=MAX_STATE_CELLS)
    lines: CellLines | None = None
    moves: dict[str, MoveClause] = Field(min_length=1, max_length=100)
    outcomes: dict[str, ResultClause] = Field(min_length=1)
    shown: ShownClause | None = None
    drawn: DrawnClause | None = None

    def find_templates(self) -> dict[str, MoveTemplate]:
        """Return the name of each entry of ``moves``, as a template."""
        is_one, found = len(self.moves) == 1, {}
        for index, (key, clause) in enumerate(self.moves.items()):
            places = {name: at + (not is_one) for at, name in enumerate(clause.for_)}
            shown = {name: places[name] for name in IN_BRACES.findall(key) if name in places}
            found[key] = MoveTemplate(shown, None if is_one else index)
        return found

    def find_own_names(self) -> dict[str, str]:
        """Return words of boards, ``stuck``, and names in ``define`` and ``lines``, each with a message for its use."""
        own = f"is defined in the rules {self.rules!r}, and can be used only there"
        found = ELSEWHERE_WITH_CELLS | {"stuck": "can be used only in the 'outcomes' of rules"}
        found |= {f"{name}_line": f"{own}: write out the lines" for name in (self.lines.of if self.lines else ())}
        heads = {head.partition("(")[0].strip(): head for head in self.define}
        return found | {name: f"{own}: copy {head!r} to 'define' here" for name, head in heads.items()}
