"""How heaps are shown, as ``verifier/presentation/heaps.py`` would have it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.heaps.game import Heaps, Position
from verifier.presentation.family import LETTERS, Area, BoardPlan, Look, RuleText, draw_cell


@dataclass(frozen=True, slots=True)
class HeapsPresentation:
    """Shows a game of heaps: a column of stones for each."""

    game: Heaps
    how_to_move = "a heap and how many stones it is left with"
    players = LETTERS
    table = None

    @property
    def board(self) -> BoardPlan:
        """A column for each heap. A stone is named by the move that takes it and all stones on it."""
        most = max(self.game.heaps)
        areas = tuple(
            Area(
                x=18 + 50 * heap,
                y=28 + 30 * (most - stones),
                columns=1,
                spots=tuple(f"{heap}.{stone}" for stone in reversed(range(stones))),
                labels=("",) * stones,
                heading=str(heap),
            )
            for heap, stones in enumerate(self.game.heaps)
        )
        return BoardPlan(areas, 16 + 50 * len(areas), 46 + 30 * most, shapes={"S": '<circle cx="15" cy="15" r="11"/>'})

    def look(self, position: Position) -> Look:
        """Return the stones that are left."""
        pairs = zip(self.game.heaps, position.stones, strict=True)
        return Look("".join("." * (before - left) + "S" * left for before, left in pairs))

    def draw_text(
        self, position: Position, last: Iterable[int] | None = None, *, colour: bool = False, numbers: bool = False
    ) -> str:
        """Draw a row for each heap, with a bracket where the last stones were taken."""
        at, lines = tuple(last or ()), []
        for heap, before in enumerate(self.game.heaps):
            marks = "S" * position.stones[heap] + "." * (before - position.stones[heap])
            cells = (draw_cell(mark, is_last=(heap, n) == at, colour=colour) for n, mark in enumerate(marks))
            lines.append(f"{heap}:{''.join(cells)}".rstrip())
        return "\n".join(lines)

    def say_turn(self, position: Position) -> str:
        """Say who is to move, or who took the last stone."""
        if self.game.is_over(position):
            return f"{position.ply} moves, the game is over: {'OX'[position.ply % 2]} took the last stone"
        return f"{position.ply} moves, {self.game.turn(position)} to move"

    def say_marks(self, position: Position) -> Iterator[str]:
        """Say how many stones each heap has."""
        for heap, stones in enumerate(position.stones):
            yield f"Heap {heap}: {stones} stones."

    def say_rules(self, file: Any) -> Iterator[RuleText]:
        """Say the rules of Nim."""
        place = file.place_of(file.board)
        yield RuleText(f"There are heaps of {', '.join(map(str, self.game.heaps))} stones, numbered from 0.", place)
        yield RuleText("X and O in turn take stones from one heap; h.n leaves n stones in heap h. X begins.", place)
        yield RuleText("The player who takes the last stone has won.", place)

    def read_diagram(self, text: str) -> Position:
        """Read the stones of each heap."""
        return Position(tuple(map(int, text.split())), 0)
