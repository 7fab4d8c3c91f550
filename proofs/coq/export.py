"""Write Olivia's replies of Theorem 1 as Coq sources: ``python proofs/coq/export.py FOLDER``.

Each ``Leaves_N.v`` holds the table of some first marks, level by level: her replies to the races that ``check`` of
``Replies.v`` meets, in the order in which it meets them, so that no race is written. ``Leaves.v`` joins them.
Nothing in them is believed: a reply that is wrong, or missing, ends in a proof that fails.
"""

from __future__ import annotations

import argparse
import gzip
import json
import pathlib
from collections.abc import Iterator

from verifier.kernel.bound import marks_left, parse_bound
from verifier.kernel.endgame import Endgames
from verifier.kernel.games.ultimate import ANY

from verifier.kernel.race import (
    Fields,
    coarsen,
    field_table,
    format_race,
    least_from,
    moves_of,
    needs_of,
    parse_race,
    play,
    race_of,
    totals,
)
from verifier.kernel.relabel import SYMMETRIES

Race = tuple[Fields, int]
Reply = tuple[int, int]

THROUGH = 41
MARKS = 20
"""The marks left to Xavier after the first one, up to ply 41."""

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


def read_replies(proofs: pathlib.Path) -> tuple[dict[str, str], int]:
    """Return the shipped replies by race, and the marks below which there are none."""
    evidence = _read(next((proofs / "theorem-1" / "as-stated").glob("*.json.gz")))["evidence"]
    replies: dict[str, str] = {}
    frontier = 0
    for part in evidence["parts"]:
        bound = parse_bound(part["statement"])
        more = (bound.through - THROUGH) // 2
        frontier = max(frontier, part["evidence"]["frontier"])
        for name, reply in _read(proofs / part["evidence"]["table"]["path"])["replies"].items():
            fields, active, marks = parse_race(name)
            replies.setdefault(_name(fields, active, marks - more), reply)
    for text, reply in evidence["replies"].items():
        position = bound.game.parse_position(text)
        fields, active = race_of(position)
        replies[_name(fields, active, marks_left(bound.game, position, THROUGH))] = reply
    return replies, frontier


def _read(path: pathlib.Path) -> dict[str, dict[str, object]]:
    return json.loads(gzip.decompress(path.read_bytes()))


def _name(fields: Fields, active: int, marks: int) -> str:
    return format_race(coarsen(fields, marks), active, marks)


class Replier:
    """Finds her reply in a race: in the table, up to symmetry, inside a confinement, or by trying everything."""

    def __init__(self, replies: dict[str, str], frontier: int) -> None:
        self.replies = replies
        self.frontier = frontier
        self.endgames = Endgames()
        self.confined: dict[tuple[Race, int], tuple[int, int]] = {}
        self.images = [_field_images(permutation) for permutation in SYMMETRIES]

    def reply(self, race: Race, marks: int, came_from: int) -> Reply:
        """Return a reply that holds."""
        pair = self.confined.get((race, marks))
        text = None if pair else self._lookup(race, marks)
        if isinstance(text, str):
            first, second, came_from = (int(word) for word in text.split(" ")[1:])
            pair = first, second
        if pair is not None:
            found = self._reply_inside(race, marks, pair, came_from)
            if found is not None:
                return found
        elif text is not None:
            return text
        fields, active = race
        for f, s in moves_of(fields, active):
            after, to = play(fields, f, s, is_xavier=False)
            if least_from(needs_of(after), to) > marks:
                return f, s
        for f, s in moves_of(fields, active):
            if not self.endgames.wins(*play(fields, f, s, is_xavier=False), marks):
                return f, s
        raise SystemExit(f"no reply holds in {format_race(fields, active, marks)}")

    def keep_inside(self, race: Race, marks: int, after: Race) -> None:
        """Remember that a race follows another one inside a confinement, if it does."""
        pair = self.confined.get((race, marks))
        if pair is None:
            text = self._lookup(race, marks)
            pair = (int(text[8]), int(text[10])) if isinstance(text, str) else None
        if pair is not None:
            self.confined.setdefault((after, marks - 1), pair)

    def _lookup(self, race: Race, marks: int) -> Reply | str | None:
        fields, active = race
        for permutation, images in zip(SYMMETRIES, self.images, strict=True):
            moved = [0] * 9
            for f in range(9):
                moved[permutation[f]] = images[fields[f]]
            text = self.replies.get(format_race(tuple(moved), ANY if active == ANY else permutation[active], marks))
            if text is not None:
                back = {to: s for s, to in enumerate(permutation)}
                if text.startswith("confine"):
                    return "confine " + " ".join(str(back[int(word)]) for word in text.split(" ")[1:])
                return back[int(text[0])], back[int(text[2])]
        return None

    def _reply_inside(self, race: Race, marks: int, pair: tuple[int, int], came_from: int) -> Reply | None:
        fields, active = race
        for s in (pair[1], pair[0]) if came_from == pair[0] else pair:
            for f in range(9) if active == ANY else (active,):
                if field_table().free[fields[f]] >> s & 1:
                    after = play(fields, f, s, is_xavier=False)
                    if not self.endgames._wins_confined(*after, marks, pair, self.frontier):
                        return f, s
        return None


def _field_images(permutation: tuple[int, ...]) -> list[int]:
    """Return what a symmetry makes of each field."""
    shapes = field_table().shape
    numbers = {shape: number for number, shape in enumerate(shapes)}

    def image(mask: int) -> int:
        return sum(1 << permutation[s] for s in range(9) if mask >> s & 1)

    return [numbers[image(x), image(o), is_owned] for x, o, is_owned in shapes]


def levels(firsts: tuple[Reply, ...], replier: Replier, frontier: int) -> Iterator[list[Reply]]:
    """Yield her replies, a list for each number of marks from ``MARKS`` to one more than the frontier."""
    start: Fields = (0,) * 9
    races: dict[Race, int] = {play(start, f, s, is_xavier=True): f for f, s in firsts}
    need = field_table().need
    for marks in range(MARKS, frontier, -1):
        found: list[Reply] = []
        following: dict[Race, int] = {}
        for race, came_from in races.items():
            reply = replier.reply((coarsen(race[0], marks), race[1]), marks, came_from)
            found.append(reply)
            fields, active = play(race[0], *reply, is_xavier=False)
            needs = needs_of(fields)
            fewest, through = totals(needs)
            is_idle = fewest < marks
            for f, s in reversed(list(moves_of(fields, active))):
                after, to = play(fields, f, s, is_xavier=True)
                if is_idle or through[f] - needs[f] + need[after[f]] < marks:
                    following.setdefault((coarsen(after, marks - 1), to), f)
                    replier.keep_inside(race, marks, (coarsen(after, marks - 1), to))
        yield found
        races = dict(reversed(following.items()))
        print(marks - 1, len(races), flush=True)


def format_words(replies: list[Reply]) -> Iterator[str]:
    """Yield the literals of a level."""
    for start in range(0, len(replies), REPLIES_A_WORD):
        word = 1
        for f, s in reversed(replies[start : start + REPLIES_A_WORD]):
            word = word << 8 | f << 4 | s
        yield str(word)


def write_piece(folder: pathlib.Path, number: int, firsts: tuple[Reply, ...], replies: Iterator[list[Reply]]) -> None:
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
    arguments = parser.parse_args()
    replies, frontier = read_replies(arguments.proofs)
    for number in arguments.pieces:
        replier = Replier(replies, frontier)
        write_piece(arguments.folder, number, PIECES[number], levels(PIECES[number], replier, frontier))
    write_join(arguments.folder)


if __name__ == "__main__":
    main()
