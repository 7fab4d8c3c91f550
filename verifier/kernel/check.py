"""Decide claims about plays: hold every position of a walk, or one line, against the objectives.

Trusted for: every verdict on a statement of kind ``play``.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.line import explain_failure, parse_line, require_some
from verifier.kernel.plays import Node, require_little, scopes_of_label, standing_scopes
from verifier.kernel.statement import Objective, Statement
from verifier.kernel.verdict import Result, Verdict


def check_proof(statement: Statement, nodes: Iterable[Node], lines: Mapping[str, Any]) -> Result:
    """Check that every play and some lines show every objective.

    Args:
        statement: what is claimed.
        nodes: what ``walk`` yields for the statement's plays; nothing where no objective speaks of all of them.
        lines: for each ``some`` objective, by name, the moves of a play that shows it.

    Raises:
        CertificateError: an objective does not hold: ``not-`` and its type, its name, and the position; or
            ``vacuous-bound``, ``vacuous-scope``.
    """
    watched: list[_Watch] = []
    for objective in statement.objectives:
        require_bound(statement, objective)
        if objective.type == "some":
            require_some(statement, objective, lines.get(objective.name))
        if objective.is_walked:
            watched.append(_WATCH[objective.type](statement, objective))
    if set(lines) - {objective.name for objective in statement.objectives if objective.type == "some"}:
        raise CertificateError("malformed", "a line is given for each objective of type 'some', and for no other")
    if not watched:
        return Result(Verdict.PROVED)
    stats, failed = _follow(statement, nodes, watched)
    if failed is not None:
        text, name = statement.game.format_position(failed.failure), failed.objective.name
        raise CertificateError(f"not-{failed.objective.type}", f"{name!r} fails in {text}")
    return Result(Verdict.PROVED, stats=stats)


def check_refutation(statement: Statement, name: object, nodes: Iterable[Node], moves: object) -> Result:
    """Check that an objective fails: a universal one by a play, a ``some`` one by every play.

    Args:
        statement: what is claimed.
        name: the objective.
        nodes: every position of the statement's plays; asked for only where the objective is a ``some`` one.
        moves: the play; None for a ``some`` objective.

    Raises:
        CertificateError: the evidence does not refute it, or ``vacuous-bound``, ``vacuous-scope``.
    """
    objective = next((o for o in statement.objectives if o.name == name), None)
    if objective is None or (objective.type == "some") != (moves is None):
        raise CertificateError("malformed", "a refutation names an objective, and a line unless its type is 'some'")
    require_bound(statement, objective)
    if objective.type != "some":
        reason = explain_failure(statement, objective, parse_line(statement.game, moves))
        if reason is None:
            raise CertificateError("not-refuted", f"the play does not contradict {objective.name!r}")
        return Result(Verdict.REFUTED, reason)
    stats, failed = _follow(statement, nodes, [_None(statement, objective)])
    if failed is not None:
        text = statement.game.format_position(failed.failure)
        raise CertificateError("not-refuted", f"{objective.name!r} holds in {text}")
    return Result(Verdict.REFUTED, f"no play shows {objective.name!r}", stats=stats)


def oppose(statement: Statement, name: object) -> Statement:
    """Return what the opponent claims who refutes that the claimant can reach, or prevent, something.

    The claimant chooses moves, so that no single play refutes this. Plays end: either the claimant can choose so that
    each play reaches a goal in time, or the opponent can choose so that none does, whatever the claimant plays.

    Args:
        statement: what is claimed.
        name: the objective that fails.

    Raises:
        CertificateError: it is no such claim.
    """
    objective = next((o for o in statement.objectives if o.name == name), None)
    if objective is None or not statement.chooses or objective.type not in _OPPOSITE:
        raise CertificateError(
            "malformed", "the opponent's moves refute 'reach' or 'prevent' of a claimant who chooses"
        )
    return replace(
        statement,
        claimant="O" if statement.claimant == "X" else "X",
        objectives=(replace(objective, type=_OPPOSITE[objective.type]),),
        chooses=True,
    )


_OPPOSITE = {"reach": "prevent", "prevent": "reach"}


def check_opposed(opposed: Statement, nodes: Iterable[Node]) -> Result:
    """Check that the opponent's moves, against every move of the claimant, show what ``oppose`` returns.

    Raises:
        CertificateError: as ``check_proof`` does.
    """
    shown, objective = check_proof(opposed, nodes, {}), opposed.objectives[0]
    end = ", up to where plays end" * (objective.type == "prevent" and opposed.stop is not None)
    how = "forces it by" if objective.type == "reach" else "prevents it through"
    other = "O" if opposed.claimant == "X" else "X"
    played = f"the strategy of {other} allows" if other in opposed.strategies else "is played"
    text = f"{objective.name!r} fails: {opposed.claimant} {how} ply {objective.bound}, whatever {played}{end}"
    return Result(Verdict.REFUTED, text, stats=shown.stats)


def require_bound(statement: Statement, objective: Objective) -> None:
    """Require that no play ends before it begins: by the ply of ``reach`` or ``prevent``, the horizon, or ``stop``.

    Raises:
        CertificateError: ``vacuous-bound``: it does, so that the objective speaks of no play.
    """
    first = statement.game.ply(statement.start)
    last = objective.bound if objective.type in ("reach", "prevent") else first
    if last < first or (statement.horizon is not None and statement.horizon < first):
        raise CertificateError(
            "vacuous-bound", f"{objective.name!r} ends before the start, which stands at ply {first}"
        )
    if statement.stop is not None and statement.stop(statement.start):
        raise CertificateError("vacuous-bound", f"{objective.name!r}: plays stop at their start")


def require_met(objective: Objective, met: Set[str]) -> None:
    """Require that each scope of an objective was met by itself.

    Raises:
        CertificateError: ``vacuous-scope``: in one of them the objective speaks of no position.
    """
    missing = sorted(objective.scopes - met)
    if missing:
        raise CertificateError("vacuous-scope", f"{objective.name!r}: no play meets a position at {missing[0]!r}")


class _Watch(abc.ABC):
    """Holds an objective against a walk, node by node.

    Attributes:
        failure: where it was found to fail.
        met: the scopes of its own that were met.
    """

    def __init__(self, statement: Statement, objective: Objective) -> None:
        self.objective, self.failure = objective, None
        self.met: set[str] = set()
        self._statement, self._ply, self._at = statement, statement.game.ply, -1

    @abc.abstractmethod
    def holds(self, node: Node, scopes: Set[str]) -> bool:
        """Say whether it holds at a node, which is in these scopes."""


def _follow(
    statement: Statement, nodes: Iterable[Node], watched: Sequence[_Watch]
) -> tuple[dict[str, int], _Watch | None]:
    """Hold objectives against a walk; return what was counted, and the first one that fails."""
    positions = edges = leaves = 0
    for node in nodes:
        positions, edges, leaves = positions + 1, edges + len(node.edges), leaves + (not node.mover)
        require_little(statement)
        scopes = standing_scopes(statement, node)
        for watch in watched:
            if not watch.holds(node, scopes):
                return {}, watch
    for watch in watched:
        require_met(watch.objective, watch.met)
    return {"positions": positions, "edges": edges, "leaves": leaves}, None


class _Keep(_Watch):
    """Tests every position in scope; positions after a rule are met by the moves that lead there, once a ply."""

    wanted: bool | None = True
    """What the formula has to be in all of them; None: only the scopes have to be met."""

    def __init__(self, statement: Statement, objective: Objective) -> None:
        super().__init__(statement, objective)
        self._is_after = any(scope.startswith("after:") for scope in objective.scopes)
        self._known: set[Any] = set()

    def holds(self, node: Node, scopes: Set[str]) -> bool:
        here = self.objective.scopes & scopes
        self.met |= here
        return not (here and self._fails(node.position)) and not (self._is_after and self._fails_after(node))

    def _fails_after(self, node: Node) -> bool:
        ply = self._ply(node.position)
        if ply != self._at:
            self._at, self._known = ply, set()
        for label, after in node.edges:
            here = self.objective.scopes.intersection(scopes_of_label("after", label))
            self.met |= here
            if here and after not in self._known:
                self._known.add(after)
                if self._fails(after):
                    return True
        return False

    def _fails(self, position: Any) -> bool:
        if self.wanted is None or self.objective.test(position) == self.wanted:
            return False
        self.failure = position
        return True


class _Some(_Keep):
    """Notes which scopes are met."""

    wanted = None


class _None(_Keep):
    """Requires that the formula holds nowhere."""

    wanted = False


class _Prevent(_Watch):
    """Tests every position up to the last ply, and that no play ends before it by the horizon."""

    def holds(self, node: Node, scopes: Set[str]) -> bool:
        self.failure, ply, horizon = node.position, self._ply(node.position), self._statement.horizon
        if ply <= self.objective.bound and self.objective.test(node.position):
            return False
        is_cut = not node.edges and "end" not in scopes and horizon is not None and ply >= horizon
        return not is_cut or ply >= self.objective.bound


class _Reach(_Watch):
    """Follows the plays that have not reached the goal yet."""

    def __init__(self, statement: Statement, objective: Objective) -> None:
        super().__init__(statement, objective)
        self._pending: set[Any] = set()
        self._next = {statement.start}

    def holds(self, node: Node, scopes: Set[str]) -> bool:
        del scopes
        self.failure, ply = node.position, self._ply(node.position)
        if ply != self._at:
            self._at, self._pending, self._next = ply, self._next, set()
        if node.position not in self._pending or self.objective.test(node.position):
            return True
        self._next.update(after for _, after in node.edges)
        return bool(node.edges) and ply < self.objective.bound


_WATCH: Mapping[str, type[_Watch]] = {"keep": _Keep, "some": _Some, "prevent": _Prevent, "reach": _Reach}
