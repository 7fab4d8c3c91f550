"""Bounds: statements that Xavier cannot force a win by a given ply; Olivia's replies, in tables, prove them.

This module is trusted for every verdict on a bound. ``proofs/README.md`` describes the statements and the evidence in
§12. A *race* is a position of an easier game, in which only Xavier can win (``relaxation``). In all races here Olivia
is to move, and Xavier has not won. She *holds* a race if she can keep him from winning with the marks left to him. A
*table* proves a lemma: if she holds all races in ``given``, she holds all in ``roots``. A race stands for its images.

A table lists replies, but not the races in which they are made. There is a list for each number of marks left to
Xavier. Each race that the kernel meets takes the next reply from the list for the marks left in it. The kernel makes
every move of Xavier's, but stops at given races, and where ``relaxation`` shows at once that he does not win in time.
If no more than ``frontier`` marks are left, ``endgame`` tries all moves; the table's length limits this work. A table
must have no unused parts: every reply is used, every given race is met, each root is needed by a case or a later table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import getitem
from typing import TYPE_CHECKING, Any, NamedTuple

from verifier.kernel.certificate import (
    REPLIES_FORMAT,
    Data,
    FileReader,
    is_hash,
    read_named,
    require_format,
    require_shape,
    unpack,
)
from verifier.kernel.errors import CertificateError, NotationError, SpecError
from verifier.kernel.games.nested import ANY, PAPER, NestedPosition
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.race.endgame import Endgames, has_win
from verifier.kernel.race.relaxation import (
    Fields,
    Needs,
    canonical,
    coarsen,
    columns,
    field_table,
    format_race,
    image_of_race,
    is_held_at_once,
    least,
    least_from,
    needs_of,
    parse_race,
    race_of,
)
from verifier.kernel.verdict import Result, Verdict
from verifier.kernel.words import PRINTED_DIGITS, counted

if TYPE_CHECKING:
    from verifier.kernel.decide import Memo

MAX_CASES, MAX_TABLES, MAX_KEPT_TABLES = 100, 30, 100

MAX_FRONTIER, MAX_REPLIES, MAX_RACES = 6, 8_000_000, 10_000
"""Limits for a table: the number of marks that it leaves to ``endgame`` (shipped tables leave four); the number of
characters of its replies; and the number of its roots, and of its given races. Roots and given races stay in memory."""

PER_REPLY, PER_ROOT = 1_000, 5_000
"""Maximum number of races that ``endgame`` examines, for each reply that was followed and for each root. Large shipped
tables need about one race for each reply, small tables up to 24."""

A_TELLING = 10_000
"""Number of replies between two reports of progress."""

Race = tuple[Fields, int, int]
"""Fields, active field, and the marks left to Xavier; Olivia is to move."""

Reply = tuple[int, int]
"""A field and a spot."""

ReplyChooser = Callable[[Fields, int, int], Reply]
ReplyListener = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Lemma:
    """A table of replies, as it was read, and the lemma that the table has to prove."""

    frontier: int  # replies are for races with more marks left than this
    given: frozenset[Race]
    roots: tuple[Race, ...]
    replies: Mapping[int, str]  # by the number of marks left, the digits of all replies


def parse_lemma(value: Any, name: str) -> Lemma:
    """Read a table."""
    shape = {"frontier": range(MAX_FRONTIER + 1), "given": [str], "roots": [str], "replies": {"*": str}}
    require_format(value, REPLIES_FORMAT, shape, name)
    frontier, replies = value["frontier"], value["replies"]
    given, roots = _parse_races(value["given"], name), _parse_races(value["roots"], name)
    if not roots or set(given) & set(roots) or min((marks for *_, marks in given), default=frontier) < frontier:
        raise CertificateError("malformed", f"{name}: no roots, or 'given' has a root or a race below the frontier")
    if sum(map(len, replies.values())) > MAX_REPLIES:
        raise CertificateError("too-large", f"{name}: more than {MAX_REPLIES} characters of replies")
    for marks, text in replies.items():
        if not (re.fullmatch("[1-9][0-9]?", marks) and int(marks) > frontier and re.fullmatch("[0-8]*", text)):
            raise CertificateError("malformed", f"{name}: replies must be digits 0-8, for more marks than 'frontier'")
    return Lemma(frontier, frozenset(given), tuple(roots), {int(marks): text for marks, text in replies.items()})


def _parse_races(data: list[str], name: str) -> list[Race]:
    if len(data) > MAX_RACES or len(set(data)) < len(data):
        raise CertificateError("malformed", f"{name}: more than {MAX_RACES} races, or a race twice")
    found = []
    for text in data:
        try:
            fields, active, marks = parse_race(text)
        except NotationError as error:
            raise CertificateError("malformed", f"{name}: {error}") from None
        is_least = coarsen(fields, marks) == fields and canonical(fields, active) == (fields, active)
        if not is_least or least(needs_of(fields)) == 0:
            raise CertificateError("malformed", f"{name}: {text!r} is won, or is not written in its simplest form")
        found.append((fields, active, marks))
    return found


class Replies:
    """The replies of a table, used in their order; ``count`` is the number of replies used so far."""

    def __init__(self, lemma: Lemma, tell: ReplyListener = lambda _: None) -> None:
        self.count = 0
        self._digits = {marks: map(int, text) for marks, text in lemma.replies.items()}
        self._tell = tell

    def choose(self, _: Fields, active: int, marks: int) -> Reply:
        """Return the next reply for a race with this number of marks left."""
        self.count += 1
        if not self.count % A_TELLING:
            self._tell(A_TELLING)
        try:
            digits = self._digits[marks]
            return next(digits) if active == ANY else active, next(digits)
        except (KeyError, StopIteration):
            raise CertificateError("no-reply", f"no reply for a race with {marks} marks left") from None

    def require_end(self) -> None:
        """Require that every reply was used."""
        for marks, digits in self._digits.items():
            if next(digits, None) is not None:
                raise CertificateError("unused-entry", f"no play uses the last replies for {marks} marks left")


class LemmaWalk:
    """Follows replies from the roots of a lemma; ``met`` has the given races that were met."""

    def __init__(
        self, lemma: Lemma, choose: ReplyChooser, decide: Callable[[list[int], Needs, int, int], None]
    ) -> None:
        """Prepare to follow the replies of a lemma, with two functions to call on the way.

        ``choose`` returns Olivia's reply in a race. ``decide`` takes a race in which the replies end: the nine fields,
        their needs, the active field and the marks left. The same race may be decided several times. If the lemma
        has replies, the walk fails as soon as they cannot be enough for the races that were met.
        """
        self.met: set[Race] = set()
        self._lemma, self._choose, self._decide = lemma, choose, decide
        images = (((*image_of_race(number, *race[:2]), race[2]), race) for race in lemma.given for number in range(8))
        self._given = dict(images)
        self._below: dict[tuple[Fields, int], None] = {}

    def run(self) -> None:
        """Follow all replies, races with the most marks first. A ``dict`` keeps the order in which races are met."""
        replies, levels = self._lemma.replies, dict[int, dict[tuple[Fields, int], None]]()
        for fields, active, marks in self._lemma.roots:
            levels.setdefault(marks, {})[fields, active] = None
        for marks in range(max(levels), self._lemma.frontier, -1):
            below = self._below = levels.setdefault(marks - 1, {})
            most = len(replies.get(marks - 1, "")) if replies else MAX_REPLIES
            for fields, active in levels.pop(marks, {}):
                self._visit(fields, active, marks)
                if len(below) > most:  # the reply in each of these races takes at least one character
                    message = f"more races with {marks - 1} marks left than there are replies for"
                    raise CertificateError("no-reply", message)
        for marks, races in levels.items():
            for fields, active in races:
                self._decide(list(fields), needs_of(fields), active, marks)

    def _visit(self, fields: Fields, active: int, marks: int) -> None:
        """Make Olivia's reply in a race, and after it every move of Xavier's."""
        table = field_table()
        free = table.free
        if active == ANY and not any(free[number] for number in fields):
            return
        f, s = self._choose(fields, active, marks)
        if active not in (ANY, f) or not free[fields[f]] >> s & 1:
            raise CertificateError("illegal-reply", f"{f}.{s} is not a reply in {format_race(fields, active, marks)}")
        after = list(fields)
        after[f] = table.after_o[fields[f]][s]
        needs = needs_of(after)
        to = s if free[after[s]] else ANY
        if least_from(needs, to) <= marks and has_win(after, needs, to, marks, self._enter):
            raise CertificateError("not-held", f"Xavier, to move, wins {format_race(tuple(after), to, marks)}")

    def _enter(self, fields: list[int], needs: Needs, active: int, marks: int) -> bool:
        """Take a race with Olivia to move. If it is given, note that it was met.

        Otherwise decide it, now or later, and raise an error if she does not hold it. Always return True.
        """
        race = tuple(map(getitem, columns(needs, marks), fields)), active
        if self._given and (*race, marks) in self._given:
            self.met.add(self._given[*race, marks])
        elif marks <= self._lemma.frontier:
            self._decide(fields, needs, active, marks)
        else:
            self._below[race] = None
        return True


@dataclass(frozen=True, slots=True)
class LemmaResult:
    """The result of a table: if Olivia holds the given races, she holds the roots."""

    given: frozenset[Race]
    roots: tuple[Race, ...]
    stats: Mapping[str, int]


def check_lemma(lemma: Lemma, tell: ReplyListener = lambda _: None) -> LemmaResult:
    """Follow a table, and decide the races in which its replies end; report the progress to ``tell``."""
    endgames, replies = Endgames(), Replies(lemma, tell)
    left = 0

    def decide(fields: list[int], needs: Needs, active: int, marks: int) -> None:
        nonlocal left
        left += 1
        endgames.limit = PER_ROOT * len(lemma.roots) + PER_REPLY * replies.count
        if not endgames.is_held(fields, needs, active, marks):
            raise CertificateError("not-held", f"Xavier wins {format_race(tuple(fields), active, marks)}")

    walk = LemmaWalk(lemma, replies.choose, decide)
    walk.run()
    replies.require_end()
    missed = lemma.given - walk.met
    if missed:
        raise CertificateError("unused-entry", f"no play meets {len(missed)} of the given races")
    stats = {"replies": replies.count, "leaves": left, "visited": endgames.visited}
    return LemmaResult(lemma.given, lemma.roots, stats)


def check_table(name: str, read: FileReader, tell: ReplyListener = lambda _: None) -> LemmaResult:
    """Read a table by its hash, and check it as ``check_lemma`` does."""
    title = f"table {name[:PRINTED_DIGITS]}"
    return check_lemma(parse_lemma(unpack(read_named(read, name), title), title), tell)


_CASE = {"start": str, "first": ([str], None)}
_BOUND = {"kind": frozenset(["bound"]), "rules": dict, "through": range(82), "cases": [_CASE]}


class BoundStatement(NamedTuple):
    """A statement of kind ``bound``, compiled."""

    through: int
    positions: tuple[NestedPosition, ...]  # with Olivia to move: starts, or positions after Xavier's first moves


def parse_bound(data: Mapping[str, Any]) -> BoundStatement:
    """Compile a statement."""
    require_shape(data, _BOUND, "a bound", is_statement=True)
    if parse_rules(data["rules"]) != PAPER:
        raise SpecError("a bound is possible only under the paper's rules; under other rules, use 'prevent'")
    through, cases = data["through"], data["cases"]
    if not 0 < len(cases) <= MAX_CASES:
        raise SpecError(f"a bound must have between 1 and {MAX_CASES} cases")
    positions: list[NestedPosition] = []
    for case in cases:
        start, first = PAPER.parse_position(case["start"]), case["first"]
        ply, is_his, legal = PAPER.ply(start), PAPER.turn(start) == "X", PAPER.legal_moves(start)
        if ply >= through:
            raise SpecError(f"a case that starts at ply {ply} says nothing about ply {through}")
        if not legal:
            raise CertificateError("vacuous-start", "the game is over at the start of a case: nothing to decide")
        moves = legal if first is None else tuple(map(PAPER.parse_move, first))
        if first is not None and not (is_his and moves and len(set(moves)) == len(moves) and {*moves} <= {*legal}):
            raise SpecError(f"first moves must be legal moves of Xavier's, each given once: {str(first)[:80]}")
        positions += [PAPER.play(start, move) for move in moves] if is_his else [start]
    return BoundStatement(through, tuple(positions))


def marks_left(position: NestedPosition, through: int) -> int:
    """Return how many more marks Xavier can place by ply ``through``: he places marks 1, 3, 5, … (§1)."""
    return max(0, (through + 1) // 2 - (PAPER.ply(position) + 1) // 2)


def open_races(bound: BoundStatement) -> dict[Race, NestedPosition]:
    """Return the races in which the cases start, with Olivia to move. Each race comes with a position of the game.

    The races are simplified (``coarsen``), and each is the least of its images. Positions where the game is over, and
    races that ``is_held_at_once`` decides, are left out.
    """
    found: dict[Race, NestedPosition] = {}
    for position in bound.positions:
        if PAPER.winner(position) == "X" and PAPER.ply(position) <= bound.through:
            raise CertificateError("not-held", f"Xavier has won in {PAPER.format_position(position)}")
        (fields, active), marks = race_of(position), marks_left(position, bound.through)
        if not PAPER.is_over(position) and not is_held_at_once(fields, needs_of(fields), active, marks):
            found.setdefault((*canonical(coarsen(fields, marks), active), marks), position)
    return found


def decide_bound(data: Data, is_proof: bool, evidence: Data, read: FileReader, memo: Memo) -> Result:
    """Check that the tables, which the evidence names by their hashes, prove a statement.

    Tables in the memo are not checked again. New tables are added to the memo, up to ``MAX_KEPT_TABLES`` tables.
    """
    if not is_proof:
        raise CertificateError("malformed", "a bound cannot be refuted: state instead that Xavier wins in time")
    bound, known = parse_bound(data), memo.tables
    require_shape(evidence, {"tables": [is_hash]}, "the evidence")
    names: list[str] = evidence["tables"]
    if len(names) > MAX_TABLES:
        raise CertificateError("malformed", f"a bound may have at most {MAX_TABLES} tables")
    held, asked = set[Race](), set[Race]()
    stats = dict.fromkeys(("replies", "leaves", "visited"), 0)
    for name in names:
        title, shown = f"table {name[:PRINTED_DIGITS]}", known.get(name) or check_table(name, read)
        if len(known) < MAX_KEPT_TABLES:
            known[name] = shown
        if not shown.given <= held:
            raise CertificateError("no-reply", f"{title} relies on races that no earlier table has shown")
        if held.intersection(shown.roots):
            raise CertificateError("duplicate-entry", f"{title} shows a race that an earlier table shows")
        held.update(shown.roots)
        asked |= shown.given
        stats = {key: stats[key] + shown.stats[key] for key in stats}
    for race, position in open_races(bound).items():
        if race not in held:
            where = PAPER.format_position(position)
            raise CertificateError("no-reply", f"no table shows {format_race(*race)}, the race of {where}")
        asked.add(race)
    if held != asked:
        extra = format_race(*min(held - asked))
        raise CertificateError("unused-entry", f"nothing needs {counted(len(held - asked), 'root')}, such as {extra}")
    return Result(Verdict.PROVED, stats=stats)
