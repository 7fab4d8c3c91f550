"""Parts of what people are shown of evidence that the kernel has accepted: lines, and which hypotheses a proof uses.

All of it is made from the statement and the evidence, so that it is the same whether a search has found the evidence
just now or somebody shipped it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.methods.finding import Evidence
from verifier.methods.witness import Line
from verifier.search.reach import find_play


def find_line(game: Game, position: Any) -> tuple[bool | None, list[Any] | None]:
    """Say whether legal play reaches a position, and how; None where a bounded search does not tell."""
    return (True, []) if position == game.start else find_play(game, position)


def read_cores(statement: Mapping[str, Any], evidence: Evidence) -> Iterator[tuple[str, list[str]]]:
    """Yield for each obligation of an accepted proof the part's name, and what it is shown from."""
    for part, _, core in evidence.get("obligations", {}).get("shown", ()):
        yield str(statement["parts"][part]["part"]), core


def read_uses(statement: Mapping[str, Any], evidence: Evidence) -> dict[str, list[str]]:
    """Return the hypotheses that a part is shown from, by part; of an image of another part, those in their place."""
    uses: dict[str, list[str]] = {}
    for label, core in read_cores(statement, evidence):
        names = uses.setdefault(label, [])
        names += [name for name in core if name not in names and is_hypothesis(name)]
    for index, of, _ in evidence.get("images", ()):
        image, other = statement["parts"][index], statement["parts"][of]
        pairs = zip(other["hypotheses"], image["hypotheses"], strict=True)
        needed = uses.get(str(other["part"]), [])
        uses[str(image["part"])] = [moved for (name, _), (moved, _) in pairs if name in needed]
    return uses


def is_hypothesis(name: str) -> bool:
    """Say whether a name in an obligation's core is a hypothesis of the reading, and not what any position has."""
    return not name.startswith("position.")


def make_line(statement: Mapping[str, Any], moves: list[str], reason: str) -> Line:
    """Return a play: its moves and where it ends."""
    game = parse_rules(statement["rules"])
    position = start = game.parse_position(statement["start"])
    for move in moves:
        position = game.play(position, game.parse_move(move))
    return Line(game.format_position(start), tuple(moves), game.format_position(position), reason)
