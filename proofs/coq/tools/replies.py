"""Olivia's replies of a bound, in the order in which ``check`` of ``Replies.v`` asks for them.

The replies are read from the shipped tables, which are followed as the kernel does (``LemmaWalk``), and looked up up to
the symmetries of the square. Where a table ends because few marks are left, a search tries all replies. Nobody has to
trust the replies: if one is wrong or missing, the proof fails.
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
"""Races with the same number of marks left, in the order in which they are met."""


def read_replies(proofs: pathlib.Path, frontier: int, name: str) -> tuple[dict[Race, Reply], int]:
    """Return the shipped replies to races with more marks left than ``frontier``, and the tables' highest frontier.

    Args:
        proofs: the folder of the evidence.
        frontier: replies with this number of marks left, or fewer, are left out.
        name: the name of the certificate.

    Raises:
        CertificateError: there is no such evidence, or a table cannot be followed.
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
    """Return, for each square, the square that a symmetry maps to it."""
    return tuple(SYMMETRIES[number].index(square) for square in range(9))


class Replier:
    """Finds Olivia's reply in a race: in the tables, up to symmetry, or by trying everything.

    Attributes:
        replies: the replies of the tables.
        frontier: with this number of marks left, or fewer, a table may have no reply; then everything is tried.
        endgames: decides the races after replies. Its limit grows with each race in which everything is tried.
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
            CertificateError: ``no-reply``: no table has a reply, and no reply makes Xavier late at once.
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
        """Try every move, beginning with those after which Xavier needs most marks."""
        replies = [(move, play_mark(fields, *move, is_xavier=False)) for move in free_spots_of(fields, active)]
        for move, after in sorted(replies, key=lambda reply: -least_from(needs_of(reply[1][0]), reply[1][1])):
            if not wins_race(self.endgames, *after, marks):
                return move
        return None


def levels(races: Met, marks: int, replier: Replier, frontier: int) -> Iterator[list[Reply]]:
    """Yield Olivia's replies: a list for each number of marks left, down to one more than the frontier.

    Raises:
        CertificateError: ``no-reply``: one of the races has no reply.
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
            # Replies.v takes the races in reverse order, and Xavier's moves as well.
            for f, s in reversed(list(free_spots_of(fields, to))):
                after, follows = play_mark(fields, f, s, is_xavier=True)
                if is_idle or through[f] - need[fields[f]] + need[after[f]] < left:
                    following.setdefault((coarsen(after, left - 1), follows))
        yield found
        races = dict(reversed(following.items()))
