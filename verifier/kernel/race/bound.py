"""What Xavier cannot force: statements of kind ``bound``, and that tables of Olivia's replies show one.

Trusted for: every verdict on a statement of this kind::

    {"kind": "bound", "rules": RULES, "through": PLY, "cases": [{"start": POSITION, "first": [MOVE, …] or null}, …]}

The rules are the paper's. In each case, from its start on, Olivia can play so that Xavier has not won at that ply:
whatever he plays, or, where ``first`` is given, whenever his first move from there is one of these. The evidence is
``{"tables": [SHA256, …]}``, of the tables that ``replies`` describes; none, where he is seen not to win in time. Each
may rest on the roots of those before it, and each case on some root. Roots, given races and cases are compared up to
the symmetries of the square (``canonical``).

Nothing refutes a bound: that Xavier wins in time is a statement about plays of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from verifier.kernel.certificate import require_shape
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.nested import PAPER, Position
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.race.relaxation import canonical, coarsen, format_race, is_held_at_once, needs_of, race_of
from verifier.kernel.race.replies import Race, Shown, check_table
from verifier.kernel.store import Files, is_hash
from verifier.kernel.verdict import Result, Verdict
from verifier.kernel.words import PRINTED_DIGITS, counted

MAX_CASES, MAX_TABLES, MAX_KEPT = 100, 30, 100

_CASE = {"start": str, "first": ([str], None)}
_BOUND = {"kind": frozenset(["bound"]), "rules": dict, "through": range(82), "cases": [_CASE]}


class Bound(NamedTuple):
    """A statement of kind ``bound``, compiled."""

    through: int
    positions: tuple[Position, ...]  # with Olivia to move: starts, or what Xavier's first moves make of them


def parse_bound(data: Mapping[str, Any]) -> Bound:
    """Compile a statement."""
    require_shape(data, _BOUND, "a bound", is_statement=True)
    if parse_rules(data["rules"]) != PAPER:
        raise SpecError("bounds are proved under the paper's rules; under others, 'prevent' says as much of plays")
    through, cases = data["through"], data["cases"]
    if not 0 < len(cases) <= MAX_CASES:
        raise SpecError(f"a bound has between 1 and {MAX_CASES} cases")
    positions: list[Position] = []
    for case in cases:
        start, first = PAPER.parse_position(case["start"]), case["first"]
        ply, is_his, legal = PAPER.ply(start), PAPER.turn(start) == "X", PAPER.legal_moves(start)
        if ply >= through:
            raise SpecError(f"a case that starts at ply {ply} says nothing about ply {through}")
        if not legal:
            raise CertificateError("vacuous-start", "the game is over at the start of a case: nothing is to be decided")
        moves = legal if first is None else tuple(map(PAPER.parse_move, first))
        if first is not None and not (is_his and moves and len(set(moves)) == len(moves) and {*moves} <= {*legal}):
            raise SpecError(f"the first moves are Xavier's, legal and each given once: {str(first)[:80]}")
        positions += [PAPER.play(start, move) for move in moves] if is_his else [start]
    return Bound(through, tuple(positions))


def marks_left(position: Position, through: int) -> int:
    """Return how many marks Xavier may still place up to a ply: he places those with odd numbers (§1)."""
    return max(0, (through + 1) // 2 - (PAPER.ply(position) + 1) // 2)


def open_races(bound: Bound) -> dict[Race, Position]:
    """Return the races with Olivia to move that the cases begin with, each with a position that it comes from.

    They are coarsened, and each is the least of its images. Races in which he is seen not to win in time are left out.
    """
    found: dict[Race, Position] = {}
    for position in bound.positions:
        if PAPER.winner(position) == "X" and PAPER.ply(position) <= bound.through:
            raise CertificateError("not-held", f"Xavier has won in {PAPER.format_position(position)}")
        (fields, active), marks = race_of(position), marks_left(position, bound.through)
        if not PAPER.is_over(position) and not is_held_at_once(fields, needs_of(fields), active, marks):
            found.setdefault((*canonical(coarsen(fields, marks), active), marks), position)
    return found


Memo = dict[str, Shown]
"""Tables that were followed in this run, by hash."""


def check_bound(bound: Bound, evidence: Mapping[str, Any], read: Files, memo: Memo) -> Result:
    """Check that tables, which evidence names by hash, show a statement.

    Those in the memo are not checked again; new ones are added, up to ``MAX_KEPT``.
    """
    require_shape(evidence, {"tables": [is_hash]}, "the evidence")
    names: list[str] = evidence["tables"]
    if len(names) > MAX_TABLES:
        raise CertificateError("malformed", f"a bound is shown by at most {MAX_TABLES} tables")
    held: set[Race] = set()
    asked: set[Race] = set()
    stats = dict.fromkeys(("replies", "leaves", "visited"), 0)
    for name in names:
        title, shown = f"table {name[:PRINTED_DIGITS]}", memo.get(name) or check_table(name, read)
        if len(memo) < MAX_KEPT:
            memo[name] = shown
        if not shown.given <= held:
            raise CertificateError("no-reply", f"{title} rests on races that no table before it shows")
        if held.intersection(shown.roots):
            raise CertificateError("duplicate-entry", f"{title} shows what one before it shows")
        held.update(shown.roots)
        asked |= shown.given
        stats = {key: stats[key] + shown.stats[key] for key in stats}
    for race, position in open_races(bound).items():
        if race not in held:
            where = PAPER.format_position(position)
            raise CertificateError("no-reply", f"no table shows {format_race(*race)}, which {where} comes to")
        asked.add(race)
    if held != asked:
        extra = format_race(*min(held - asked))
        raise CertificateError("unused-entry", f"{counted(len(held - asked), 'root')} that nobody asks for: {extra}")
    return Result(Verdict.PROVED, stats=stats)
