"""Plays that may go on for ever. In statements about such plays, positions do not say how many moves were made.

This module is trusted for four things. First: a walk has each position once, however often play comes back to it
(``Rounds``). Second: ``find_longest_way`` accepts a ``reach`` without a ply only if every play comes to its goal. No
play may end before the goal, or come back to one of its own positions before it. There are finitely many positions, so
no play goes on for ever without the goal. Third: a line that ``explain_round`` accepts shows a play that never comes to
the goal. The play ends without the goal, or comes back to one of its own positions and can go round for ever. Fourth: a
statement with ``given`` has plays from every position that satisfies ``given`` (``find_starts``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import all_positions
from verifier.kernel.statement import Objective, Statement
from verifier.kernel.words import counted

if TYPE_CHECKING:
    from verifier.kernel.plays import Node

MAX_KNOWN = 1_000_000
"""Maximum number of positions in a walk by ``Rounds``, which keeps all in memory. Each counts as its ``burden``."""

MAX_ENUMERATED, MAX_STARTS = 2_000_000, 200_000
"""Maximum number of well-formed positions to try, and maximum number of starts among them (``find_starts``)."""


def find_starts(statement: Statement, find_least: Callable[[Any], Any] | None = None) -> list[Any]:
    """Return the start of the statement; or, with ``given``, the least image of each position that satisfies it."""
    if statement.given is None:
        return [statement.start]
    # A claim holds in a start exactly if it holds in an image of the start (``relabel``). So it is enough to decide the
    # claim in one image of each start. ``given`` need not hold in the image: it only says which starts there are.
    found = dict[Any, None]()
    for count, position in enumerate(list_enumerable(statement)):
        statement.formulas.spend()
        if statement.given(position):
            found[position if find_least is None else find_least(position)] = None
        if count >= MAX_ENUMERATED or len(found) > MAX_STARTS:
            text = f"{MAX_ENUMERATED:,} positions, or more than {MAX_STARTS:,} that satisfy 'given'"
            raise CertificateError("limit", f"more than {text}: use smaller ranges of cells, or an invariant")
    return [*found]


def list_enumerable(statement: Statement) -> Iterator[Any]:
    """Return all well-formed positions. Raise an error if a walk cannot decide this statement with ``given``."""
    # A walk visits a position once, whatever the ply and the start of play, so no formula may use ``ply`` or ``old``.
    positions = all_positions(statement.game)
    if statement.has_number or statement.formulas.has_old or positions is None:
        text = "without an invariant, 'given' needs rules of cells, no 'horizon', and no formula with 'ply' or 'old'"
        raise CertificateError("malformed", text)
    return positions


def burden(position: Any) -> int:
    """Return how much a position counts in limits on memory: 1, and 1 more for every 100 cells that it has."""
    return 1 + len(getattr(position, "values", ())) // 100


class Rounds:
    """The positions of a walk, without the number of moves. Equal positions are one object, which saves memory."""

    def __init__(self, game: Game, starts: Iterable[Any], find_least: Callable[[Any], Any] | None) -> None:
        self._game, self._find_least = game, find_least or (lambda position: position)
        self._known = {position: position for position in starts}
        self._found = {*self._known}

    def fold(self, position: Any) -> Any:
        """Return a position changed by ``without_number``, and then its least image if there are symmetries."""
        position = self._find_least(self._game.without_number(position))
        return self._known.setdefault(position, position)

    def find_new(self, positions: Iterable[Any]) -> dict[Any, None]:
        """Return the new positions, in their order. Starts and positions of earlier calls are not new."""
        new = {position: None for position in positions if position not in self._found}
        self._found.update(new)
        if len(self._found) * burden(next(iter(new), None)) > MAX_KNOWN:
            raise CertificateError("limit", f"more than {MAX_KNOWN:,} positions: a later start may have fewer")
        return new


def find_longest_way(statement: Statement, objective: Objective, nodes: Mapping[Any, Node]) -> int:
    """Return the largest number of moves that a play can need to come to the goal of a ``reach``.

    In an opponent's claim (``plays.oppose``), a play can also end where a strategy breaks down. The search is depth
    first. ``path`` has the positions of one play up to now, each with the positions after it.
    """
    longest = dict[Any, int]()  # the result for a position from which all plays come to the goal
    path = dict[Any, tuple[list[Any], Iterator[Any]]]()
    starts = [position for position, node in nodes.items() if node.is_start]  # ``given`` need not hold in these
    for start in starts:
        following: Any = None if start in longest else start
        while following is not None or path:
            if following is not None:
                after = _find_open(statement, objective, nodes[following])
                path[following] = after, iter(after)
            position = next(reversed(path))
            following = next((after for after in path[position][1] if after not in longest), None)
            if following in path:
                text = statement.game.format_position(following)
                raise CertificateError("not-reach", f"{objective.name!r} fails: play can come back to {text}")
            if following is None:
                longest[position] = max((1 + longest[after] for after in path.pop(position)[0]), default=0)
    return max(map(longest.__getitem__, starts))


def _find_open(statement: Statement, objective: Objective, node: Node) -> list[Any]:
    """Return the positions after a node; [] if the play has come to the goal, or to a breakdown, in the node."""
    statement.formulas.spend()
    if node.breakdown or objective.test(node.position):
        return []
    if not node.edges:
        text = statement.game.format_position(node.position)
        raise CertificateError("not-reach", f"{objective.name!r} fails: play can end in {text}")
    return [after for _, after in node.edges]


def explain_round(statement: Statement, objective: Objective, line: Sequence[Any], *, is_over: bool) -> str | None:
    """Return how a line shows that a play never comes to the goal of a ``reach``; None if it does not show this.

    The line begins at the start. ``is_over`` says whether play has ended in its last position.
    """
    *before, last = map(statement.game.without_number, line)
    if any(map(objective.test, [*before, last])) or not (is_over or last in before):
        return None
    how = "ends in" if is_over else "comes back to"
    text = f"after {counted(len(before), 'move')} a play {how} {statement.game.format_position(last)}"
    return f"{objective.name!r} fails: {text} without coming to the goal"
