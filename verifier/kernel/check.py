"""Decide claims about plays: hold every position of a walk, or one line, against the objectives.

Trusted for: every verdict on a statement of kind ``play``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from typing import Any

from verifier.kernel import plays
from verifier.kernel.errors import CertificateError
from verifier.kernel.line import explain_failure, parse_line, require_some
from verifier.kernel.plays import Node, count_in, scopes_of_label, standing_scopes
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
    watched: list[_Keep | _Prevent | _Reach] = []
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
    stats: dict[str, int] = {}
    for node in nodes:
        count_in(stats, node)
        scopes = standing_scopes(statement, node)
        require_little(statement, watched)
        for watch in watched:
            if not watch.holds(node, scopes):
                text, name = statement.game.format_position(watch.failure), watch.objective.name
                raise CertificateError(f"not-{watch.objective.type}", f"{name!r} fails in {text}")
    for watch in watched:
        if isinstance(watch, _Keep):
            require_met(watch.objective, watch.met)
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
        reason = explain_failure(statement, objective, parse_line(statement, moves))
        if reason is None:
            raise CertificateError("not-refuted", f"the play does not contradict {objective.name!r}")
        return Result(Verdict.REFUTED, reason)
    stats: dict[str, int] = {}
    watch = _None(statement, objective)
    for node in nodes:
        count_in(stats, node)
        require_little(statement, [watch])
        if not watch.holds(node, standing_scopes(statement, node)):
            text = statement.game.format_position(watch.failure)
            raise CertificateError("not-refuted", f"{objective.name!r} holds in {text}")
    require_met(objective, watch.met)
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
    shown = check_proof(opposed, nodes, {})
    objective = opposed.objectives[0]
    how = "forces it by" if objective.type == "reach" else "prevents it through"
    text = f"{objective.name!r} fails: {opposed.claimant} {how} ply {objective.bound}, whatever is played"
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


def require_little(statement: Statement, watched: Iterable[_Keep | _Prevent | _Reach]) -> None:
    """Require that objectives and strategies were evaluated no more than is allowed.

    Raises:
        CertificateError: ``limit``.
    """
    tested = sum(watch.tested * watch.objective.size for watch in watched)
    if tested + plays.work_of(statement) > plays.MAX_WORK:
        raise CertificateError("limit", "the formulas are too large to be tested in so many positions")


def require_met(objective: Objective, met: Set[str]) -> None:
    """Require that each scope of an objective was met by itself.

    Raises:
        CertificateError: ``vacuous-scope``: in one of them the objective speaks of no position.
    """
    missing = sorted(objective.scopes - met)
    if missing:
        raise CertificateError("vacuous-scope", f"{objective.name!r}: no play meets a position at {missing[0]!r}")


class _Keep:
    """Tests every position in scope; positions after a rule are met by the moves that lead there, once a ply.

    Attributes:
        wanted: what the formula has to be in all of them; None: only the scopes have to be met.
        met: the scopes that were.
    """

    wanted: bool | None = True

    def __init__(self, statement: Statement, objective: Objective) -> None:
        self.objective, self.failure = objective, None
        self.met: set[str] = set()
        self.tested = 0
        self._ply = statement.game.ply
        self._is_after = any(scope.startswith("after:") for scope in objective.scopes)
        self._known: set[Any] = set()
        self._at = -1

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
        self.tested += self.wanted is not None
        if self.wanted is None or self.objective.test(position, position) == self.wanted:
            return False
        self.failure = position
        return True


class _Some(_Keep):
    """Notes which scopes are met."""

    wanted = None


class _None(_Keep):
    """Requires that the formula holds nowhere."""

    wanted = False


class _Prevent:
    """Tests every position up to the last ply, and that no play ends before it by the horizon."""

    def __init__(self, statement: Statement, objective: Objective) -> None:
        self.objective, self.failure, self.tested = objective, None, 0
        self._game, self._horizon = statement.game, statement.horizon

    def holds(self, node: Node, scopes: Set[str]) -> bool:
        self.failure, ply = node.position, self._game.ply(node.position)
        self.tested += 1
        if ply <= self.objective.bound and self.objective.test(node.position, node.position):
            return False
        is_cut = not node.edges and "end" not in scopes and self._horizon is not None and ply >= self._horizon
        return not is_cut or ply >= self.objective.bound


class _Reach:
    """Follows the plays that have not reached the goal yet."""

    def __init__(self, statement: Statement, objective: Objective) -> None:
        self.objective, self.failure, self.tested = objective, None, 0
        self._ply = statement.game.ply
        self._at = -1
        self._pending: set[Any] = set()
        self._next = {statement.start}

    def holds(self, node: Node, scopes: Set[str]) -> bool:
        del scopes
        self.failure, ply = node.position, self._ply(node.position)
        self.tested += 1
        if ply != self._at:
            self._at, self._pending, self._next = ply, self._next, set()
        if node.position not in self._pending or self.objective.test(node.position, node.position):
            return True
        self._next.update(after for _, after in node.edges)
        return bool(node.edges) and ply < self.objective.bound


_WATCH: Mapping[str, type[_Keep] | type[_Prevent] | type[_Reach]] = {
    "keep": _Keep,
    "some": _Some,
    "prevent": _Prevent,
    "reach": _Reach,
}
