"""Olivia's replies of a bound, found again in the order in which ``check`` of ``Replies.v`` asks for them.

They are read by following the shipped tables as the kernel does (``LemmaWalk``), and found again up to the symmetries
of the square; where a table leaves few marks to the kernel they are looked for among all. Nothing in them is believed:
a reply that is wrong, or missing, ends in a proof that fails.
"""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from verifier.coq import name_tables
from verifier.kernel.certificate import files_of, read_named, unpack
from verifier.kernel.errors import CertificateError
from verifier.kernel.race.bound import PER_REPLY, LemmaWalk, Race, Replies, Reply, parse_lemma
from verifier.kernel.race.endgame import Endgames
from verifier.kernel.race.relaxation import (
    Fields,
    coarsen,
    field_table,
    format_race,
    image_of_race,
    least_from,
    needs_of,
    totals,
)
from verifier.kernel.relabel import SYMMETRIES
from verifier.search.bounded.moves import free_spots_of, play_mark, wins_race

Met = dict[tuple[Fields, int], None]
"""Races with as many marks left, in the order in which they are met."""


def read_replies(proofs: pathlib.Path, frontier: int, name: str) -> tuple[dict[Race, Reply], int]:
    """Return the shipped replies to races with more marks left than some, and the highest frontier of the tables.

    Args:
        proofs: the folder of the evidence.
        frontier: replies with so many marks left, or fewer, are left out.
        name: the name under which the statement is filed.

    Raises:
        CertificateError: there is no such evidence, or a table that cannot be followed.
    """
    files = files_of(proofs)
    tables = [read_named(files, digest) for digest in name_tables(proofs, name)]
    lemmas = [parse_lemma(unpack(data, "a table"), "a table") for data in tables]
    found: dict[Race, Reply] = {}
    for lemma in lemmas:
        replies = Replies(lemma)

        def note(fields: Fields, active: int, marks: int, replies: Replies = replies) -> Reply:
            reply = replies.choose(fields, active, marks)
            found.setdefault((fields, active, marks), reply)
            return reply

        LemmaWalk(replace(lemma, frontier=max(frontier, lemma.frontier)), note, lambda *_: None).run()
    return found, max((lemma.frontier for lemma in lemmas), default=0)


@functools.cache
def _back(number: int) -> tuple[int, ...]:
    """Return for each square the one that a symmetry takes to it."""
    return tuple(SYMMETRIES[number].index(square) for square in range(9))


class Replier:
    """Finds her reply in a race: in the tables, up to symmetry, or by trying everything.

    Attributes:
        replies: the replies of the tables.
        frontier: with so many marks left, or fewer, a table may name none, and everything is tried.
        endgames: decides what replies lead to; its limit grows with each race in which everything is tried.
    """

    def __init__(self, replies: Mapping[Race, Reply], frontier: int = 0) -> None:
        self.replies = replies
        self.frontier = frontier
        self.endgames = Endgames(limit=0)

    def reply(self, fields: Fields, active: int, marks: int) -> Reply:
        """Return a field and a spot.

        Args:
            fields: the race, coarsened, Olivia to move.
            active: the active field.
            marks: the marks left to Xavier.

        Raises:
            CertificateError: ``no-reply``: no table answers it, and no reply makes him late at once.
        """
        reply = self._lookup(fields, active, marks)
        if reply is not None:
            return reply
        for f, s in free_spots_of(fields, active):
            after, to = play_mark(fields, f, s, is_xavier=False)
            if least_from(needs_of(after), to) > marks:
                return f, s
        if marks <= self.frontier:
            self.endgames.limit += PER_REPLY
            try:
                reply = self._reply_anywhere(fields, active, marks)
            except CertificateError as error:
                where = format_race(fields, active, marks)
                raise CertificateError("no-reply", f"no reply to {where} in time: {error}") from None
        if reply is None:
            raise CertificateError("no-reply", f"no reply to {format_race(fields, active, marks)}")
        return reply

    def _lookup(self, fields: Fields, active: int, marks: int) -> Reply | None:
        for number in range(8):
            found = self.replies.get((*image_of_race(number, fields, active), marks))
            if found is not None:
                back = _back(number)
                return back[found[0]], back[found[1]]
        return None

    def _reply_anywhere(self, fields: Fields, active: int, marks: int) -> Reply | None:
        """Try every move, first those after which he needs most marks."""
        replies = [(move, play_mark(fields, *move, is_xavier=False)) for move in free_spots_of(fields, active)]
        for move, after in sorted(replies, key=lambda reply: -least_from(needs_of(reply[1][0]), reply[1][1])):
            if not wins_race(self.endgames, *after, marks):
                return move
        return None


def levels(races: Met, marks: int, replier: Replier, frontier: int) -> Iterator[list[Reply]]:
    """Yield her replies, a list for each number of marks from those left down to one more than the frontier.

    Raises:
        CertificateError: ``no-reply``: one of the races that are met has none.
    """
    need = field_table().need
    for left in range(marks, frontier, -1):
        found: list[Reply] = []
        following: Met = {}
        for before, active in races:
            reply = replier.reply(coarsen(before, left), active, left)
            found.append(reply)
            fields, to = play_mark(before, *reply, is_xavier=False)
            fewest, through, _ = totals(needs_of(fields))
            is_idle = fewest < left
            # Replies.v puts the last race that it meets first, and of his moves the last one first.
            for f, s in reversed(list(free_spots_of(fields, to))):
                after, follows = play_mark(fields, f, s, is_xavier=True)
                if is_idle or through[f] - need[fields[f]] + need[after[f]] < left:
                    following.setdefault((coarsen(after, left - 1), follows))
        yield found
        races = dict(reversed(following.items()))
