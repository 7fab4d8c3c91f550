"""Write Olivia's replies of Theorem 1 as Coq sources: ``python proofs/coq/export.py FOLDER``.

They are read by following the shipped tables as the kernel does (``Walk``), and found again up to the symmetries of
the square; where a table confines Xavier, her replies are looked for among those that the confinement allows. Each
``Leaves_N.v`` holds the table of some first marks, level by level: her replies to the races that ``check`` of
``Replies.v`` meets, in the order in which it meets them, so that no race is written. ``Leaves.v`` joins them.
Nothing in them is believed: a reply that is wrong, or missing, ends in a proof that fails.
"""

from __future__ import annotations

import argparse
import functools
import pathlib
from collections.abc import Iterator, Mapping

from verifier.kernel.certificate import unpack
from verifier.kernel.errors import CertificateError
from verifier.kernel.race.endgame import CONFINED_MARKS, Endgames
from verifier.kernel.race.relaxation import (
    SYMMETRIES,
    Fields,
    coarsen,
    field_table,
    format_race,
    image_of_race,
    least_from,
    moves_of,
    needs_of,
    play,
    totals,
)
from verifier.kernel.race.replies import MAX_FRONTIER, PER_CONFINEMENT, Race, Replies, Reply, Walk, parse_lemma
from verifier.kernel.store import TABLE, files_of, read_certificate, read_index, read_named

Pair = tuple[int, int]
"""The two spots of a confinement."""

Met = dict[tuple[Fields, int], tuple[int, Pair | None]]
"""Races with as many marks left, in the order in which they are met: where Xavier came from, and what confines him."""

CLAIM = "theorem-1/as-stated"
MARKS = 20
"""The marks left to Xavier after the first one, up to ply 41."""

FRONTIER = 6
"""With so many marks left ``check`` tries everything; with more where a table of the evidence ends before."""

PIECES = (
    ((4, 4),),
    ((0, 0),),
    ((1, 1),),
    ((0, 1), (0, 2), (0, 4), (0, 5)),
    ((0, 8), (1, 0), (1, 3), (1, 4)),
    ((1, 6), (1, 7), (4, 0), (4, 1)),
)
"""The first marks, one of each class under the symmetries of the square (``roots`` in ``Lower.v``), by piece."""

REPLIES_A_WORD = 7
WORDS_A_LIST = 500


class NoReplyError(Exception):
    """Neither a table nor a confinement answers a race."""


def read_replies(proofs: pathlib.Path, frontier: int, name: str = CLAIM) -> tuple[dict[Race, Reply], int]:
    """Return the shipped replies to races with more marks left than the frontier, and the frontier.

    Args:
        proofs: the folder of the evidence.
        frontier: the least frontier; the highest one of the tables if that is more.
        name: the name under which the statement is filed.

    Raises:
        CertificateError: there is no such evidence, or a table that cannot be followed.
    """
    filed = read_index(proofs).filed
    if name not in filed:
        raise CertificateError("unreadable", f"nothing is filed under {name} in {proofs}")
    evidence = read_certificate(proofs, filed[name]).evidence
    if not isinstance(evidence.get("tables"), list):
        raise CertificateError("malformed", f"the evidence of {name} names no tables")
    files = files_of(proofs)
    tables = [read_named(files, digest, TABLE) for digest in evidence["tables"]]
    lemmas = [parse_lemma(unpack(data, "a table"), "a table") for data in tables]
    frontier = max([frontier, *(lemma.frontier for lemma in lemmas)])
    found: dict[Race, Reply] = {}
    for lemma in lemmas:
        replies = Replies(lemma)

        def note(fields: Fields, active: int, marks: int, replies: Replies = replies) -> Reply:
            reply = replies.choose(fields, active, marks)
            found.setdefault((fields, active, marks), reply)
            return reply

        Walk(frontier, lemma.given, lemma.roots, note, lambda *_: None).run()
    return found, frontier


@functools.cache
def _back(number: int) -> tuple[int, ...]:
    """Return for each square the one that a symmetry takes to it."""
    return tuple(SYMMETRIES[number].index(square) for square in range(9))


class Replier:
    """Finds her reply in a race: in the tables, up to symmetry, or inside a confinement.

    Attributes:
        replies: the replies of the tables.
        endgames: decides what confinements lead to; its limit grows with each confinement of a table that is met.
    """

    def __init__(self, replies: Mapping[Race, Reply]) -> None:
        self.replies = replies
        self.endgames = Endgames(limit=0)

    def reply(
        self, fields: Fields, active: int, marks: int, came_from: int, pair: Pair | None
    ) -> tuple[tuple[int, int], Pair | None]:
        """Return a field and a spot, and the spots of the confinement that the reply belongs to, if it does.

        Args:
            fields: the race, coarsened, Olivia to move.
            active: the active field.
            marks: the marks left to Xavier.
            came_from: the field of his last mark.
            pair: the spots to which he is confined, if he is.

        Raises:
            NoReplyError: neither a table nor a confinement answers it, and she cannot make him late at once.
        """
        found = self._lookup(fields, active, marks)
        if found is not None and len(found) == 2:
            return (found[0], found[1]), None
        for f, s in moves_of(fields, active):
            after, to = play(fields, f, s, is_xavier=False)
            if least_from(needs_of(after), to) > marks:
                return (f, s), None
        if found is not None:
            pair, came_from = (found[0], found[1]), found[2]
            self.endgames.limit += PER_CONFINEMENT
        if pair is not None:
            try:
                inside = self._reply_inside(fields, active, marks, came_from, pair)
            except CertificateError as error:
                raise NoReplyError(f"no reply to {format_race(fields, active, marks)} in time: {error}") from None
            if inside is not None:
                return inside, pair
        how = f", confined to {pair[0]} and {pair[1]}" if pair else ""
        raise NoReplyError(f"no reply to {format_race(fields, active, marks)}{how}")

    def _lookup(self, fields: Fields, active: int, marks: int) -> Reply | None:
        for number in range(8):
            found = self.replies.get((*image_of_race(number, fields, active), marks))
            if found is not None:
                return tuple(_back(number)[square] for square in found)
        return None

    def _reply_inside(
        self, fields: Fields, active: int, marks: int, came_from: int, pair: Pair
    ) -> tuple[int, int] | None:
        """Try what ``holds_confined`` tries, in its order: the two spots, then every move if few marks are left."""
        moves = list(moves_of(fields, active))
        for spot in (pair[1], pair[0]) if came_from == pair[0] else pair:
            for f, s in moves:
                if s == spot and not self.endgames.wins_confined(*play(fields, f, s, is_xavier=False), marks, pair):
                    return f, s
        if marks <= CONFINED_MARKS:
            for f, s in moves:
                if not self.endgames.wins(*play(fields, f, s, is_xavier=False), marks):
                    return f, s
        return None


def first_races(firsts: tuple[tuple[int, int], ...]) -> Met:
    """Return the races after some first marks."""
    return {play((0,) * 9, f, s, is_xavier=True): (f, None) for f, s in firsts}


def levels(races: Met, marks: int, replier: Replier, frontier: int) -> Iterator[list[tuple[int, int]]]:
    """Yield her replies, a list for each number of marks from those left down to one more than the frontier.

    Raises:
        NoReplyError: one of the races that are met has none.
    """
    need = field_table().need
    for left in range(marks, frontier, -1):
        found: list[tuple[int, int]] = []
        following: Met = {}
        for (before, active), (came_from, confined) in races.items():
            reply, pair = replier.reply(coarsen(before, left), active, left, came_from, confined)
            found.append(reply)
            fields, to = play(before, *reply, is_xavier=False)
            needs = needs_of(fields)
            fewest, through, _ = totals(needs)
            is_idle = fewest < left
            # Replies.v puts the last race that it meets first, and of his moves the last one first.
            for f, s in reversed(list(moves_of(fields, to))):
                after, follows = play(fields, f, s, is_xavier=True)
                if is_idle or through[f] - needs[f] + need[after[f]] < left:
                    following.setdefault((coarsen(after, left - 1), follows), (f, pair))
        yield found
        races = dict(reversed(following.items()))
        print(left - 1, len(races), flush=True)


def format_words(replies: list[tuple[int, int]]) -> Iterator[str]:
    """Yield the literals of a level."""
    for start in range(0, len(replies), REPLIES_A_WORD):
        word = 1
        for f, s in reversed(replies[start : start + REPLIES_A_WORD]):
            word = word << 8 | f << 4 | s
        yield str(word)


def write_piece(
    folder: pathlib.Path,
    number: int,
    firsts: tuple[tuple[int, int], ...],
    replies: Iterator[list[tuple[int, int]]],
) -> None:
    """Write the source of one piece."""
    lines = [
        "(* Written by export.py. *)",
        "From Coq Require Import List Uint63.",
        "Import ListNotations.",
        "From U3T Require Import Race Fields Needs Replies Lower.",
        "Local Open Scope uint63_scope.",
    ]
    names = []
    for level, found in enumerate(replies):
        words = list(format_words(found))
        chunks = [words[start : start + WORDS_A_LIST] for start in range(0, len(words), WORDS_A_LIST)]
        for n, chunk in enumerate(chunks):
            lines.append(f"Definition words_{level}_{n} : list int := [{'; '.join(chunk)}].")
        joined = " ++ ".join(f"words_{level}_{n}" for n in range(len(chunks)))
        lines.append(f"Definition level_{level} : list int := {joined or '[]'}.")
        names.append(f"level_{level}")
    marks = "; ".join(f"(S{f}, S{s})" for f, s in firsts)
    lines += [
        f"Definition firsts := [{marks}].",
        f"Definition table := [{'; '.join(names)}].",
        "Lemma checked : check all_rows all_totals 20 20 (map (root all_rows) firsts) table = true.",
        "Proof. vm_cast_no_check (eq_refl true). Qed.",
        "Lemma are_held : forall first, In first firsts -> held first.",
        "Proof. intros first I. exact (ex_intro _ firsts (ex_intro _ table (conj I checked))). Qed.",
    ]
    (folder / f"Leaves_{number}.v").write_text("\n".join(lines) + "\n")


def write_join(folder: pathlib.Path) -> None:
    """Write the source that joins the pieces."""
    numbers = range(len(PIECES))
    tries = " | ".join(f"apply Leaves_{n}.are_held; simpl; tauto" for n in numbers)
    lines = [
        "(* Written by export.py. *)",
        "From Coq Require Import List.",
        "From U3T Require Import Game Race Lower.",
        f"From U3T Require {' '.join(f'Leaves_{n}' for n in numbers)}.",
        "Theorem every_first_mark_is_held : Forall held roots.",
        f"Proof. repeat constructor; first [{tries}]. Qed.",
        "Theorem no_win_by_41 : no_win_by_41_statement.",
        "Proof. exact (no_win_by_41_from every_first_mark_is_held). Qed.",
    ]
    (folder / "Leaves.v").write_text("\n".join(lines) + "\n")


def main() -> None:
    """Read the arguments and write the pieces."""
    parser = argparse.ArgumentParser(description="Write Olivia's replies of Theorem 1 as Coq sources.")
    parser.add_argument("folder", type=pathlib.Path, help="where to write Leaves_N.v and Leaves.v")
    parser.add_argument("--proofs", type=pathlib.Path, default=pathlib.Path("proofs"), help="the shipped certificates")
    parser.add_argument("--pieces", type=int, nargs="*", default=range(len(PIECES)), help="only these")
    parser.add_argument(
        "--frontier",
        type=int,
        default=FRONTIER,
        choices=range(MAX_FRONTIER + 1),
        help="with this many marks left, and fewer, Coq tries everything (default: %(default)s)",
    )
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    try:
        replies, frontier = read_replies(arguments.proofs, arguments.frontier)
        for number in arguments.pieces:
            firsts = PIECES[number]
            found = levels(first_races(firsts), MARKS, Replier(replies), frontier)
            write_piece(arguments.folder, number, firsts, found)
    except (CertificateError, NoReplyError) as error:
        raise SystemExit(f"export.py: {error}") from None
    write_join(arguments.folder)


if __name__ == "__main__":
    main()
