"""What an objective says of plays: of which positions it speaks, and what it says of these.

Trusted for: that walks, single lines and invariants mean the same by it. An objective has one of four types:

- ``prevent`` speaks of every position up to its ply, and says that the goal does not hold.
- ``reach`` speaks of a play at its ply, or where the game is over before, and says that the goal holds or has held.
- ``keep`` speaks of the positions in its scopes, and says that its formula holds.
- ``some`` says that among the positions in its scopes there is one where its formula holds.

The horizon ends no play before the ply of ``prevent`` or ``reach``: a statement in which it could is not well formed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier.kernel.errors import CertificateError

if TYPE_CHECKING:
    from verifier.kernel.plays import Node
    from verifier.kernel.statement import Statement

SCOPES = frozenset({"every", "start", "claimant", "opponent", "end"})
"""The scopes that every statement has."""

UNIVERSAL = ("reach", "prevent", "keep")
"""The types that speak of all plays."""


@dataclass(frozen=True, slots=True)
class Objective:
    """One thing that a statement says of the plays; ``bound`` is the ply of ``reach`` and ``prevent``."""

    name: str
    type: str
    test: Callable[[Any], bool]
    scopes: frozenset[str]
    bound: int

    @property
    def is_walked(self) -> bool:
        """Whether it takes a walk through every play: a line meets one scope, and each that is named has to be met."""
        return self.type in UNIVERSAL or len(self.scopes) > 1

    def speaks_of(self, ply: int, scopes: Set[str]) -> bool:
        """Say whether it speaks of a position at some ply, which is in these scopes."""
        if self.type == "reach":
            return ply >= self.bound or "end" in scopes
        return ply <= self.bound if self.type == "prevent" else not self.scopes.isdisjoint(scopes)

    def holds(self, position: Any, ply: int) -> bool:
        """Say whether what it says of a position is true there."""
        if self.type == "prevent":
            return not self.test(position)
        return (self.type != "reach" or ply <= self.bound) and self.test(position)


class Watch:
    """Holds an objective against the positions of plays, ply by ply; ``met`` are those of its scopes that were met."""

    def __init__(self, objective: Objective, start: Any) -> None:
        self.objective = objective
        self.met: set[str] = set()
        self._ply, self._pending, self._next = -1, set[Any](), {start}

    def fails(self, node: Node, ply: int, scopes: Set[str]) -> bool:
        """Say whether the objective speaks of a position and does not hold there."""
        if self.objective.type == "reach":
            return not self._is_reached(node, ply) and self.objective.speaks_of(ply, scopes)
        if len(self.met) < len(self.objective.scopes):
            self.met |= self.objective.scopes & scopes
        return self.objective.speaks_of(ply, scopes) and not self.objective.holds(node.position, ply)

    def _is_reached(self, node: Node, ply: int) -> bool:
        """Say whether each play that comes here has reached the goal; one that has not is followed on."""
        if ply != self._ply:
            self._ply, self._pending, self._next = ply, self._next, set()
        if node.position not in self._pending or self.objective.holds(node.position, ply):
            return True
        self._next.update([after for _, after in node.edges])
        return False


def require_bound(statement: Statement, objective: Objective) -> None:
    """Require that no play ends before it begins, by a bound or the horizon: the objective would speak of no play."""
    first = statement.game.ply(statement.start)
    ends = [objective.bound] if objective.type in ("reach", "prevent") else []
    if min([*ends, first if statement.horizon is None else statement.horizon]) < first:
        text = f"{objective.name!r} ends before the start, which stands at ply {first}"
        raise CertificateError("vacuous-bound", text)


def require_met(objective: Objective, met: Set[str]) -> None:
    """Require that each scope of an objective was met: elsewhere it would speak of no position."""
    missing = sorted(objective.scopes - met)
    if missing:
        raise CertificateError("vacuous-scope", f"{objective.name!r}: no play meets a position at {missing[0]!r}")


def with_scopes(statement: Statement, nodes: Iterable[Node]) -> Iterator[tuple[Node, int, Set[str]]]:
    """Yield the positions of a walk or a line, ply by ply, with ply and scopes: of rules only if one is named."""
    has_labels = any(scope not in SCOPES for objective in statement.objectives for scope in objective.scopes)
    at, came, coming = -1, defaultdict[Any, set[str]](set), defaultdict[Any, set[str]](set)
    for node in nodes:
        ply = statement.game.ply(node.position)
        scopes = standing_scopes(statement, node, has_labels=has_labels)
        if has_labels:
            if ply != at:
                at, came, coming = ply, coming, defaultdict(set)
            for label, after in node.edges:
                if label:
                    coming[after].update(scopes_of_label("after", label))
            scopes |= came.get(node.position, set())
        yield node, ply, scopes


def standing_scopes(statement: Statement, node: Node, *, has_labels: bool = True) -> set[str]:
    """Return the scopes that a position is in whatever led to it, those of rules only where there are labels."""
    scopes = {"every", "start"} if node.position == statement.start else {"every"}
    if node.mover:
        scopes.add("claimant" if node.mover == statement.claimant else "opponent")
    elif statement.horizon is None or statement.game.is_over(node.position):
        scopes.add("end")
    return scopes.union(*(scopes_of_label("before", label) for label, _ in node.edges)) if has_labels else scopes


def scopes_of_label(side: str, label: str) -> tuple[str, ...]:
    """Return the scopes ``before`` or ``after`` a rule and its phase; none where there is no strategy."""
    return (f"{side}:{label}", f"{side}:{label.split('.', maxsplit=1)[0]}") if label else ()


def as_formulas(objective: Mapping[str, Any], statement: Mapping[str, Any], start: int, *, is_own: bool) -> list[Any]:
    """Return, of positions with one player to move, where an objective speaks and what it says there, as formulas.

    Where ``reach`` speaks, the goal is to hold, also if it has held before.
    """
    kind, ply, stopped = objective["type"], ["ply"], ends_of(statement)
    if kind == "prevent":
        return [["<=", ply, objective["through"]], ["not", objective["goal"]]]
    if kind == "reach":
        in_time = ["and", ["<=", ply, objective["by"]], stopped]
        return [["or", ["==", ply, objective["by"]], in_time], objective["goal"]]
    if kind != "keep" or not SCOPES.issuperset(objective["at"]):
        raise CertificateError("invariant", f"{objective['name']!r}: no invariant shows 'some', or scopes of rules")
    going = ["not", stopped]
    scopes = {
        "every": True,
        "start": ["==", ply, start],
        "end": ["over"],
        "claimant": going if is_own else False,
        "opponent": False if is_own else going,
    }
    return [["or", *(scopes[scope] for scope in objective["at"])], objective["holds"]]


def ends_of(statement: Mapping[str, Any]) -> list[Any]:
    """Return where plays end, as a formula: ``plays.has_ended`` says the same of a position."""
    horizon = statement["horizon"]
    return ["over"] if horizon is None else ["or", ["over"], [">=", ["ply"], horizon]]
