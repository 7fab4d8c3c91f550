"""What Xavier cannot force: Olivia's replies down to few marks, and what is left there.

Trusted for: that tables of Olivia's replies show a statement of this kind::

    {"kind": "bound", "rules": RULES, "through": PLY, "cases": [{"start": POSITION, "first": [MOVE, …] or null}, …]}

The rules are the paper's. In each case, from its start on, Olivia can play so that Xavier has not won at that ply:
whatever he plays, or, where ``first`` is given, whenever his first move from there is one of these. The evidence is
``{"tables": [SHA256, …]}``.

A *table* is a lemma about races (``relaxation``; her own wins are ignored) in which she is to move: if she holds each
race that is ``given``, she holds each one of ``roots``. ::

    {"format": "verifier-replies", "version": VERSION, "frontier": MARKS, "given": [RACE, …], "roots": [RACE, …],
     "replies": {MARKS: REPLIES, …}}

Its replies are followed from the roots, races with more marks left first, those with as many in the order in which
they are met, each once: so a reply needs no name. ``REPLIES`` is one text: a spot (``4``); a field and a spot where
she may choose the field (``84``); or ``c``, two spots and the field that he comes from (``c348``): from there she
confines him to two fields (``endgame``). The kernel makes every move of Xavier. It ends at races that are given or in
which he is seen not to win in time (``least``, ``is_held_at_once``). Where no more than ``frontier`` marks are left, or
he is confined, ``endgame`` tries everything. Nothing in a table is left over: no reply, no given race that no play
meets, no root that nobody asks for.

Each table may rest on the roots of those before it, and each case on some root. Roots, given races and cases are
compared up to the symmetries of the square (``canonical``).

A quick look follows replies down to ``QUICK_FRONTIER`` marks and decides nothing of what they leave: that Olivia holds
there is a search's word.

What is done is bounded by the length of a table: ``endgame`` looks into at most ``PER_REPLY`` races for each character
of its replies, ``PER_ROOT`` for each root, and ``PER_CONFINEMENT`` for each confinement, of which there are at most
``MAX_CONFINEMENTS``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.certificate import REPLIES_FORMAT, check_header, unpack
from verifier.kernel.errors import CertificateError, NotationError, SpecError
from verifier.kernel.games import parse_rules
from verifier.kernel.games.nested import ANY, PAPER, Move, Nested, Position
from verifier.kernel.race.endgame import Endgames
from verifier.kernel.race.relaxation import (
    Fields,
    canonical,
    coarsen,
    field_table,
    format_race,
    is_held_at_once,
    least,
    least_from,
    needs_of,
    parse_race,
    play,
    race_of,
)
from verifier.kernel.store import TABLE, Files, read_named
from verifier.kernel.verdict import Belief, Result, Verdict

MAX_CASES = 100
MAX_TABLES = 30
MAX_FRONTIER = 8
"""The most marks that a table may leave to ``endgame``: more would take it too long."""

MAX_REPLIES = 8_000_000
"""The most characters that the replies of a table may have."""

MAX_CONFINEMENTS = 100
PER_REPLY, PER_ROOT, PER_CONFINEMENT = 10_000, 20_000, 4_000_000
"""How many races ``endgame`` may look into for each character of a table's replies, each root and each confinement.

An honest table whose frontier is 8 takes about 3,000 for a character, one whose frontier is 4 takes less than one.
"""

QUICK_FRONTIER = MAX_FRONTIER
"""A quick look follows no reply with so few marks left, or fewer."""

Race = tuple[Fields, int, int]
"""Fields, active field, and the marks left to Xavier; Olivia is to move."""

Reply = tuple[int, ...]
"""A field and a spot, or a confinement: two spots and the field that he comes from."""


@dataclass(frozen=True, slots=True)
class Case:
    """A start, and Xavier's first moves that count (None: every legal one)."""

    start: Position
    first: tuple[Move, ...] | None


@dataclass(frozen=True, slots=True)
class Bound:
    """A statement of kind ``bound``, compiled."""

    game: Nested
    through: int
    cases: tuple[Case, ...]


def parse_bound(data: Mapping[str, Any]) -> Bound:
    """Compile a statement.

    Raises:
        SpecError: it is not well formed, or not about the rules of which ``race`` is a relaxation.
    """
    if set(data) != {"kind", "rules", "through", "cases"} or data["kind"] != "bound":
        raise SpecError("a bound has the keys kind, rules, through and cases")
    game = parse_rules(data["rules"])
    if not isinstance(game, Nested) or game != PAPER:
        raise SpecError("bounds are proved under the paper's rules")
    through, cases = data["through"], data["cases"]
    if isinstance(cases, list) and len(cases) > MAX_CASES:
        raise SpecError(f"a bound has at most {MAX_CASES} cases")
    if type(through) is not int or not 0 <= through <= 81 or not isinstance(cases, list) or not cases:
        raise SpecError("a bound has a ply from 0 to 81, and at least one case")
    found = Bound(game, through, tuple(_parse_case(game, case) for case in cases))
    for case in found.cases:
        if game.ply(case.start) >= through:
            raise SpecError(f"a case that starts at ply {game.ply(case.start)} says nothing about ply {through}")
    return found


def _parse_case(game: Nested, data: Any) -> Case:
    if not isinstance(data, dict) or set(data) != {"start", "first"}:
        raise SpecError("a case has a start and the first moves, or null")
    try:
        start = game.parse_position(str(data["start"]))
        if data["first"] is None:
            return Case(start, None)
        if not isinstance(data["first"], list) or not data["first"]:
            raise SpecError("the first moves are a list of moves, or null")
        first = tuple(game.parse_move(str(text)) for text in data["first"])
    except NotationError as error:
        raise SpecError(f"a case: {error}") from None
    if game.turn(start) != "X" or len(set(first)) < len(first) or not set(first) <= set(game.legal_moves(start)):
        raise SpecError(f"the first moves are Xavier's, legal and each given once: {str(data['first'])[:80]}")
    return Case(start, first)


def marks_left(game: Nested, position: Position, through: int) -> int:
    """Return how many marks Xavier may still place up to a ply: he places those with odd numbers (§1)."""
    return max(0, (through + 1) // 2 - (game.ply(position) + 1) // 2)


def open_races(bound: Bound) -> dict[Race, Position]:
    """Return the races with Olivia to move that the cases begin with, each with a position that it comes from.

    They are coarsened, and each is the least of its images. Races in which he is seen not to win in time are left out.

    Raises:
        CertificateError: ``not-held``: Xavier has won, or wins at once.
    """
    game = bound.game
    found: dict[Race, Position] = {}
    for case in bound.cases:
        if game.winner(case.start) == "X":
            raise CertificateError("not-held", "Xavier has won at the start of a case")
        if game.turn(case.start) == "O":
            after = [case.start]
        else:
            moves = game.legal_moves(case.start) if case.first is None else case.first
            after = [game.play(case.start, move) for move in moves]
        for position in after:
            if game.winner(position) == "X" and game.ply(position) <= bound.through:
                raise CertificateError("not-held", f"Xavier has won in {game.format_position(position)}")
            fields, active = race_of(position)
            marks = marks_left(game, position, bound.through)
            if not game.is_over(position) and not is_held_at_once(fields, needs_of(fields), active, marks):
                found.setdefault((*canonical(coarsen(fields, marks), active), marks), position)
    return found


@dataclass(frozen=True, slots=True)
class Lemma:
    """A table of replies, read."""

    frontier: int
    given: frozenset[Race]
    roots: tuple[Race, ...]
    replies: Mapping[int, str]


def parse_lemma(value: Any, name: str) -> Lemma:
    """Read a table.

    Raises:
        CertificateError: it is none.
    """
    check_header(value, REPLIES_FORMAT, name)
    if set(value) != {"format", "version", "frontier", "given", "roots", "replies"}:
        raise CertificateError("malformed", f"{name}: a table of replies has other keys")
    frontier, replies = value["frontier"], value["replies"]
    if type(frontier) is not int or not 0 <= frontier <= MAX_FRONTIER:
        raise CertificateError("malformed", f"{name}: the frontier is a number of marks up to {MAX_FRONTIER}")
    given, roots = _parse_races(value["given"], name), _parse_races(value["roots"], name)
    if not roots or set(given) & set(roots):
        raise CertificateError("malformed", f"{name}: no root, or one that is given")
    if not isinstance(replies, dict) or not all(isinstance(text, str) for text in replies.values()):
        raise CertificateError("malformed", f"{name}: replies are texts by the marks left")
    if sum(map(len, replies.values())) > MAX_REPLIES:
        raise CertificateError("too-large", f"{name}: more than {MAX_REPLIES} characters of replies")
    if not all(re.fullmatch("[1-9][0-9]?", marks) and int(marks) > frontier for marks in replies):
        raise CertificateError("malformed", f"{name}: replies are given for more marks than the frontier has")
    by_marks = {int(marks): text for marks, text in replies.items()}
    return Lemma(frontier, frozenset(given), tuple(roots), by_marks)


def _parse_races(data: Any, name: str) -> list[Race]:
    if not isinstance(data, list) or len(set(map(str, data))) < len(data):
        raise CertificateError("malformed", f"{name}: races are a list in which none stands twice")
    found = []
    for text in data:
        try:
            fields, active, marks = parse_race(str(text))
        except NotationError as error:
            raise CertificateError("malformed", f"{name}: {error}") from None
        if coarsen(fields, marks) != fields or canonical(fields, active) != (fields, active):
            raise CertificateError("malformed", f"{name}: {str(text)[:120]!r} is not coarsened, or not the least image")
        found.append((fields, active, marks))
    return found


class Replies:
    """The replies of a table, handed out in the order in which they stand."""

    def __init__(self, lemma: Lemma) -> None:
        self._texts = lemma.replies
        self._places = dict.fromkeys(lemma.replies, 0)

    def choose(self, _: Fields, active: int, marks: int) -> Reply:
        """Return the next reply for so many marks.

        Raises:
            CertificateError: ``no-reply`` where there is none.
        """
        place = self._places.get(marks, 0)
        text = self._texts.get(marks, "")[place : place + 4]
        length = 4 if text[:1] == "c" else 2 if active == ANY else 1
        digits = text[length == 4 : length]
        if len(text) < length or not digits.isascii() or not digits.isdigit():
            raise CertificateError("no-reply", f"no reply for a race with {marks} marks left, at place {place}")
        self._places[marks] = place + length
        numbers = tuple(map(int, digits))
        return numbers if length > 1 else (active, *numbers)

    def require_end(self, frontier: int) -> None:
        """Require that every reply with more marks left was asked for.

        Raises:
            CertificateError: ``unused-entry``.
        """
        for marks, text in self._texts.items():
            if marks > frontier and self._places[marks] < len(text):
                raise CertificateError("unused-entry", f"replies for {marks} marks left that no play asks for")


Choose = Callable[[Fields, int, int], Reply]
Decide = Callable[[Fields, int, int, "tuple[int, int, int] | None"], None]


@dataclass(slots=True)
class Walk:
    """Follow replies from the roots of a lemma.

    Attributes:
        frontier, given, roots: those of the lemma.
        choose: returns Olivia's reply in a race.
        decide: takes each race that the replies leave, with the confinement where there is one; Xavier's moves may
            lead to a race several times.
        met: the given races that were met.
        count: how many replies were followed.
    """

    frontier: int
    given: frozenset[Race]
    roots: tuple[Race, ...]
    choose: Choose
    decide: Decide
    met: set[Race] = field(default_factory=set)
    count: int = 0

    def run(self) -> None:
        """Follow them all.

        Raises:
            CertificateError: ``illegal-reply``, ``not-held`` (Xavier wins at once), or what the functions raise.
        """
        levels: dict[int, dict[tuple[Fields, int], None]] = {}
        for fields, active, marks in self.roots:
            levels.setdefault(marks, {})[fields, active] = None
        for marks in range(max(levels), self.frontier, -1):
            below = levels.setdefault(marks - 1, {})
            for fields, active in levels.pop(marks, {}):
                self._visit(fields, active, marks, below)
        for marks, races in levels.items():
            for fields, active in races:
                self.decide(fields, active, marks, None)

    def _visit(self, fields: Fields, active: int, marks: int, below: dict[tuple[Fields, int], None]) -> None:
        free = field_table().free
        if active == ANY and not any(free[number] for number in fields):
            return
        reply = self.choose(fields, active, marks)
        self.count += 1
        if len(reply) == 3:
            a, b, came_from = reply
            if 9 in reply or a == b:
                raise CertificateError("illegal-reply", f"{reply} names no two spots and a field")
            self.decide(fields, active, marks, (a, b, came_from))
            return
        f, s = reply
        if active not in (ANY, f) or max(f, s) > 8 or not free[fields[f]] >> s & 1:
            raise CertificateError("illegal-reply", f"{f}.{s} is no reply in {format_race(fields, active, marks)}")
        after, to = play(fields, f, s, is_xavier=False)
        if least_from(needs_of(after), to) <= marks:
            self._answer(after, to, marks - 1, below)

    def _answer(self, fields: Fields, active: int, marks: int, below: dict[tuple[Fields, int], None]) -> None:
        """Make every move of Xavier's, after which so many marks are left to him."""
        table, need = field_table(), needs_of(fields)
        idle = least(need)
        for f in range(9) if active == ANY else (active,):
            number = fields[f]
            free, useful = table.free[number], table.useful[number]
            rest = (*need[:f], need[f] - 1, *need[f + 1 :]) if useful else need
            busy = least(rest)
            if busy == 0:
                where = format_race(fields, active, marks + 1)
                raise CertificateError("not-held", f"Xavier, to move in field {f}, wins {where}")
            for s in range(9):
                is_useful = useful >> s & 1
                if free >> s & 1 and (busy if is_useful else idle) <= marks:
                    after = table.after_x[number][s]
                    follows = s if table.free[after if s == f else fields[s]] else ANY
                    race = (*fields[:f], after, *fields[f + 1 :])
                    if not is_held_at_once(race, rest if is_useful else need, follows, marks):
                        self._enter(race, follows, marks, below)

    def _enter(self, fields: Fields, active: int, marks: int, below: dict[tuple[Fields, int], None]) -> None:
        if self.given:
            race = (*canonical(coarsen(fields, marks), active), marks)
            if race in self.given:
                self.met.add(race)
                return
        if marks <= self.frontier:
            self.decide(fields, active, marks, None)
        else:
            below[coarsen(fields, marks), active] = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What was followed and decided of a table: if Olivia holds the given races she holds the roots."""

    given: frozenset[Race]
    roots: tuple[Race, ...]
    stats: Mapping[str, int]


def check_lemma(lemma: Lemma, *, full: bool) -> Shown:
    """Follow a table, and decide what its replies leave; but if not ``full`` follow it down to few marks alone.

    Raises:
        CertificateError: it does not show that Olivia holds the roots if she holds the given races.
    """
    frontier = lemma.frontier if full else max(lemma.frontier, QUICK_FRONTIER)
    texts = lemma.replies.values()
    confinements = sum(text.count("c") for text in texts)
    if confinements > MAX_CONFINEMENTS:
        raise CertificateError("too-large", f"more than {MAX_CONFINEMENTS} confinements")
    limit = PER_ROOT * len(lemma.roots) + PER_REPLY * sum(map(len, texts)) + PER_CONFINEMENT * confinements
    endgames, replies = Endgames(limit), Replies(lemma)
    left = 0

    def decide(fields: Fields, active: int, marks: int, confine: tuple[int, int, int] | None) -> None:
        nonlocal left
        left += 1
        if full:
            require(fields, active, marks, confine, endgames)

    walk = Walk(frontier, lemma.given, lemma.roots, replies.choose, decide)
    walk.run()
    replies.require_end(frontier)
    missed = {race for race in lemma.given if race[2] >= frontier} - walk.met
    if missed:
        raise CertificateError("unused-entry", f"{len(missed)} given races that no play meets")
    stats = {"replies": walk.count, "leaves": left, "settled": left if full else 0, "visited": endgames.visited}
    return Shown(lemma.given, lemma.roots, stats)


def check_table(name: str, read: Files, *, full: bool) -> Shown:
    """Read a table by its hash, and check it.

    Raises:
        CertificateError: it is missing or malformed, or does not show what it says.
    """
    title = f"table {name[:16]}"
    return check_lemma(parse_lemma(unpack(read_named(read, name, TABLE), title), title), full=full)


def require(fields: Fields, active: int, marks: int, confine: tuple[int, int, int] | None, endgames: Endgames) -> None:
    """Require that Olivia holds a race.

    Raises:
        CertificateError: ``not-held``, or ``too-long``.
    """
    if confine is None:
        is_held = endgames.holds(fields, active, marks)
    else:
        is_held = endgames.holds_confined(fields, active, marks, confine[:2], confine[2])
    if not is_held:
        how = f", confined to {confine[0]} and {confine[1]}" if confine else ""
        raise CertificateError("not-held", f"Xavier wins {format_race(fields, active, marks)}{how}")


Memo = dict[tuple[str, bool], Shown]
"""Tables that were followed in this run, by hash and by whether everything below them was decided."""


def check_bound(bound: Bound, evidence: Mapping[str, Any], read: Files, *, full: bool, memo: Memo) -> Result:
    """Check that tables show a statement.

    Args:
        bound: the statement.
        evidence: names the tables by hash.
        read: reads the tables by their hashes.
        full: whether what the replies leave is decided.
        memo: tables that were checked before, which are not checked again; new ones are added.

    Raises:
        CertificateError: they do not show it.
    """
    names = evidence.get("tables")
    if set(evidence) != {"tables"} or not isinstance(names, list) or not 0 < len(names) <= MAX_TABLES:
        raise CertificateError("malformed", f"a bound is shown by at most {MAX_TABLES} tables, named by hash")
    held: set[Race] = set()
    asked: set[Race] = set()
    stats = dict.fromkeys(("replies", "leaves", "settled", "visited"), 0)
    for name in names:
        if not isinstance(name, str) or not re.fullmatch("[0-9a-f]{64}", name):
            raise CertificateError("malformed", f"{str(name)[:80]!r} is no hash of a table")
        shown = memo.get((name, full))
        if shown is None:
            shown = memo[name, full] = check_table(name, read, full=full)
        if not shown.given <= held:
            raise CertificateError("no-reply", f"table {name[:16]} rests on races that no table before it shows")
        if held.intersection(shown.roots):
            raise CertificateError("duplicate-entry", f"table {name[:16]} shows what one before it shows")
        held.update(shown.roots)
        asked |= shown.given
        stats = {key: stats[key] + shown.stats[key] for key in stats}
    for race, position in open_races(bound).items():
        if race not in held:
            where = bound.game.format_position(position)
            raise CertificateError("no-reply", f"no table shows {format_race(*race)}, which {where} comes to")
        asked.add(race)
    if held != asked:
        extra = format_race(*min(held - asked))
        raise CertificateError("unused-entry", f"{len(held - asked)} roots that nobody asks for: {extra}")
    if full:
        return Result(Verdict.PROVED, stats=stats)
    return Result(Verdict.SUPPORTED, beliefs=frozenset({Belief.SEARCH}), stats=stats)
