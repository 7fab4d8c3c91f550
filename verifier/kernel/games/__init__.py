"""The games and rule sets that the kernel knows, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Protocol

from verifier.kernel.errors import SpecError
from verifier.kernel.games import threesome4x4
from verifier.kernel.games.tictactoe import TicTacToe
from verifier.kernel.games.ultimate import Ultimate


class Game(Protocol):
    """What the kernel asks of a game. Positions are hashable values; moves are tuples of small integers."""

    @property
    def name(self) -> str: ...
    @property
    def start(self) -> Any: ...
    @property
    def vocabulary(self) -> Mapping[str, tuple[int, ...]]: ...
    def ply(self, position: Any, /) -> int: ...
    def turn(self, position: Any, /) -> str: ...
    def is_over(self, position: Any, /) -> bool: ...
    def legal_moves(self, position: Any, /) -> tuple[tuple[int, ...], ...]: ...
    def play(self, position: Any, move: Any, /) -> Any: ...
    def format_move(self, move: Any, /) -> str: ...
    def parse_move(self, text: str, /) -> tuple[int, ...]: ...
    def format_position(self, position: Any, /) -> str: ...
    def parse_position(self, text: str, /) -> Any: ...
    def compile_atom(self, name: str, args: tuple[int, ...], /) -> Callable[[Any, Any], bool]: ...


_ALL: tuple[Game, ...] = (
    Ultimate("paper"),
    Ultimate("paper-play-on", play_on=True),
    Ultimate("closed-open-fields", closed=True, free_reaches_decided=False),
    Ultimate("closed-any-spot", closed=True, free_reaches_decided=True),
    TicTacToe(),
    *threesome4x4.candidates(),
)

RULE_SETS: Mapping[str, Game] = MappingProxyType({rules.name: rules for rules in _ALL})
"""Every rule set, by the name that specs and certificates use."""


def find_rules(name: object) -> Game:
    """Return the rule set of a name.

    Raises:
        SpecError: there is none of that name.
    """
    rules = RULE_SETS.get(name) if isinstance(name, str) else None
    if rules is None:
        names = [known for known in RULE_SETS if not known.startswith("threesome4x4-")]
        raise SpecError(f"no rule set {str(name)[:40]!r}: one of {', '.join(names)}, or one that begins threesome4x4-")
    return rules
