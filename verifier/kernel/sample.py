"""Re-check what a compiled search says of every play, in a sample of the positions that it met.

Trusted for: that the search is right about the positions in the sample. That no other position was left out, the
kernel does not show: what it accepts is supported, by the belief that the search missed nothing. A statement is one of
kind ``play`` with another kind and three keys more::

    {"kind": "enumeration", "symmetry": "none" or "relabelling", "sample": SIZE, "seed": NUMBER, …}

Its horizon is a ply; its objectives are ``keep`` at ``every`` and ``prevent`` up to the horizon at most. Evidence::

    {"start": PERMUTATION, "levels": [{"positions": COUNT, "edges": COUNT, "sample": [DRAWN, …]}, …]}
    DRAWN = [INDEX, POSITION, [[MOVE, PERMUTATION, INDEX or null, POSITION], …]]

A level holds the positions of one ply, from the start to the ply before the horizon. With ``relabelling`` it holds
one position for all that are relabellings of each other, and PERMUTATION takes a position to the one that stands for
it. An index is a position's place in its level (null at the horizon, where positions are tested, but not kept).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifier.kernel.errors import CertificateError, IllegalMoveError, NotationError, SpecError
from verifier.kernel.relabel import IDENTITY, parse_permutation, relabel_position, require_invariance
from verifier.kernel.statement import Statement, parse_statement
from verifier.kernel.verdict import Belief, Result, Verdict

SYMMETRIES = ("none", "relabelling")
MAX_SAMPLE = 5000

_KEYS = ("symmetry", "sample", "seed")


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A statement of kind ``enumeration``, compiled."""

    statement: Statement
    horizon: int
    is_relabelled: bool
    size: int
    seed: int


def parse_enumeration(data: Mapping[str, Any]) -> Enumeration:
    """Compile a statement.

    Raises:
        SpecError: it is not well formed, or its symmetry is none of what it says.
    """
    symmetry, size, seed = (data.get(key) for key in _KEYS)
    plays = {key: value for key, value in data.items() if key not in _KEYS}
    if symmetry not in SYMMETRIES or data.get("kind") != "enumeration":
        raise SpecError(f"an enumeration has one of the symmetries {SYMMETRIES}")
    if type(size) is not int or type(seed) is not int or not 1 <= size <= MAX_SAMPLE or seed < 0:
        raise SpecError(f"an enumeration has a sample of 1 to {MAX_SAMPLE} positions a ply, and a seed from 0 on")
    statement = parse_statement({**plays, "kind": "play"})
    first = statement.game.ply(statement.start)
    if statement.horizon is None or not first < statement.horizon <= 81:
        raise SpecError("an enumeration has a horizon after its start")
    if statement.claimant not in statement.strategies:
        raise SpecError("an enumeration visits every play: its claimant has a strategy")
    for objective in statement.objectives:
        is_kept = objective.type == "keep" and objective.scopes == {"every"}
        if not is_kept and not (objective.type == "prevent" and first <= objective.bound <= statement.horizon):
            raise SpecError(f"{objective.name!r}: an enumeration is about 'keep' at 'every', or 'prevent' in time")
    if symmetry == "relabelling":
        require_invariance(plays)
    return Enumeration(statement, statement.horizon, symmetry == "relabelling", size, seed)


def draw(seed: int, ply: int, count: int, size: int) -> list[int]:
    """Return the indices that are re-checked in a level: all of them, or ``size`` that the seed decides, ascending."""
    if count <= size:
        return list(range(count))
    found: set[int] = set()
    number = 0
    while len(found) < size:
        digest = hashlib.sha256(f"{seed} {ply} {number}".encode()).digest()
        found.add(int.from_bytes(digest[:8], "big") % count)
        number += 1
    return sorted(found)


def find_broken(statement: Statement, position: Any) -> str | None:
    """Return the name of an objective that a position breaks, or None."""
    for objective in statement.objectives:
        holds = objective.test(position, position)
        if objective.type == "keep" and not holds:
            return objective.name
        if objective.type == "prevent" and holds and statement.game.ply(position) <= objective.bound:
            return objective.name
    return None


def check_sample(plan: Enumeration, evidence: Mapping[str, Any]) -> Result:
    """Check every position that the sample holds, and the counts as far as these decide them.

    Raises:
        CertificateError: ``malformed``, ``not-the-draw``, ``engines-disagree``, ``relabelling``, ``count``,
            ``not-kept``.
    """
    statement = plan.statement
    first = statement.game.ply(statement.start)
    levels = _parse_levels(plan, evidence)
    listed: dict[int, Any] = {0: _represent(plan, statement.start, evidence.get("start"))}
    seen = 0
    for ply, (positions, _, sample) in enumerate(levels, first):
        if [item[0] for item in sample] != draw(plan.seed, ply, positions, plan.size):
            raise CertificateError("not-the-draw", f"ply {ply}: the sample is not the one of seed {plan.seed}")
        following: dict[int, Any] = {}
        found = 0
        for item in sample:
            position = _check_drawn(plan, item, ply, listed)
            found += _check_next(plan, position, item[2], following)
        seen += len(sample)
        _check_counts(plan, ply, levels, found, following)
        listed = following
    stats = {
        "positions": sum(level[0] for level in levels),
        "edges": sum(level[1] for level in levels),
        "rechecked": seen,
        "plies": first + len(levels),
    }
    return Result(Verdict.SUPPORTED, beliefs=frozenset({Belief.SEARCH}), stats=stats)


_Level = tuple[int, int, list[Any]]


def _parse_levels(plan: Enumeration, evidence: Mapping[str, Any]) -> list[_Level]:
    data = evidence.get("levels")
    if set(evidence) != {"start", "levels"} or not isinstance(data, list):
        raise CertificateError("malformed", "an enumeration shows its 'start' and its 'levels'")
    levels: list[_Level] = []
    for item in data:
        if not isinstance(item, dict) or set(item) != {"positions", "edges", "sample"}:
            raise CertificateError("malformed", "a level has 'positions', 'edges' and a 'sample'")
        positions, edges, sample = item["positions"], item["edges"], item["sample"]
        if type(positions) is not int or type(edges) is not int or positions < 1 or edges < 0:
            raise CertificateError("malformed", "positions and edges are counted by integers")
        if not isinstance(sample, list) or not all(_is_drawn(drawn) for drawn in sample):
            raise CertificateError("malformed", "a sample is a list of an index, a position and what follows it")
        levels.append((positions, edges, sample))
    missing = plan.horizon - plan.statement.game.ply(plan.statement.start) - len(levels)
    if not levels or missing < 0 or (missing and levels[-1][1]) or not all(level[1] for level in levels[:-1]):
        raise CertificateError("count", "there is no level for each ply before the horizon")
    return levels


def _is_drawn(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 3 or type(value[0]) is not int or not isinstance(value[2], list):
        return False
    return isinstance(value[1], str) and all(isinstance(step, list) and len(step) == 4 for step in value[2])


def _check_drawn(plan: Enumeration, item: list[Any], ply: int, listed: Mapping[int, Any]) -> Any:
    """Require a position of the level's ply that keeps the objectives; where an edge led to it, the same one."""
    statement = plan.statement
    index, text, _ = item
    position = _parse_position(plan, text)
    if statement.game.ply(position) != ply:
        raise CertificateError("malformed", f"{text} does not stand at ply {ply}")
    if index in listed and listed[index] != _identify(plan, position):
        raise CertificateError("engines-disagree", f"position {index} of ply {ply} is {text}, an edge says otherwise")
    broken = find_broken(statement, position)
    if broken is not None:
        raise CertificateError("not-kept", f"{broken!r} fails in {text}")
    return position


def _check_next(plan: Enumeration, position: Any, steps: list[Any], following: dict[int, Any]) -> int:
    """Require exactly the kernel's moves from a position, each to where it leads; return how many there are."""
    game, text = plan.statement.game, plan.statement.game.format_position(position)
    wanted = _moves(plan, position)
    if [step[0] for step in steps] != [game.format_move(move) for move in wanted]:
        raise CertificateError("engines-disagree", f"the moves in {text} are {wanted}")
    for move, (_, permutation, index, target) in zip(wanted, steps, strict=True):
        after = game.play(position, move)
        broken = find_broken(plan.statement, after)
        if broken is not None:
            raise CertificateError("not-kept", f"{broken!r} fails in {game.format_position(after)}")
        identity = _represent(plan, after, permutation)
        if identity != _identify(plan, _parse_position(plan, target)):
            raise CertificateError("relabelling", f"{game.format_move(move)} in {text} does not lead to {target!r}")
        if game.ply(after) == plan.horizon:
            if index is not None:
                raise CertificateError("malformed", "a position at the horizon has no index")
        elif type(index) is not int or following.setdefault(index, identity) != identity:
            raise CertificateError("engines-disagree", f"{target} has no index, or that of another position")
    return len(steps)


def _moves(plan: Enumeration, position: Any) -> list[Any]:
    """Return what may be played, once each and in ascending order.

    Raises:
        CertificateError: a strategy is stuck, or names an illegal move.
    """
    statement = plan.statement
    game = statement.game
    if game.is_over(position):
        return []
    legal = game.legal_moves(position)
    strategy = statement.strategies.get(game.turn(position))
    if strategy is None:
        return list(legal)
    chosen = sorted({move for _, move in strategy(position)})
    if not chosen or not set(chosen) <= set(legal):
        raise CertificateError("stuck", f"the strategy has no legal move in {game.format_position(position)}")
    return chosen


def _check_counts(plan: Enumeration, ply: int, levels: list[_Level], found: int, following: Mapping[int, Any]) -> None:
    """Require that what the sample of a level shows fits the counts, exactly where it holds the whole level."""
    number = ply - plan.statement.game.ply(plan.statement.start)
    positions, edges, sample = levels[number]
    is_whole = len(sample) == positions
    if found > edges or (is_whole and found != edges) or (number == 0 and positions != 1):
        raise CertificateError("count", f"ply {ply}: {found} edges are shown of {edges}")
    if number + 1 == len(levels):
        return
    room = levels[number + 1][0]
    if room > edges or any(not 0 <= index < room for index in following) or (is_whole and len(following) != room):
        raise CertificateError("count", f"ply {ply + 1} has {room} positions, not what ply {ply} leads to")
    if len(set(following.values())) != len(following):
        raise CertificateError("count", f"ply {ply + 1}: one position has two indices")


def _parse_position(plan: Enumeration, text: object) -> Any:
    try:
        return plan.statement.game.parse_position(str(text))
    except (NotationError, IllegalMoveError) as error:
        raise CertificateError("malformed", str(error)) from None


def _identify(plan: Enumeration, position: Any) -> Any:
    """Return what makes two positions of a level the same one: owners do not count among relabellings."""
    return relabel_position(IDENTITY, position) if plan.is_relabelled else position


def _represent(plan: Enumeration, position: Any, permutation: object) -> Any:
    """Return what identifies the position that stands for another one.

    Raises:
        CertificateError: the permutation is none, or there is one where nothing is relabelled.
    """
    parsed = parse_permutation(permutation)
    if plan.is_relabelled:
        return relabel_position(parsed, position)
    if parsed != IDENTITY:
        raise CertificateError("relabelling", "nothing is relabelled without a symmetry")
    return position
