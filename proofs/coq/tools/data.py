"""The data of the Coq proofs: Olivia's replies as Coq sources, ``Leaves.v`` and its pieces.

Each ``Leaves_N.v`` has the table of some beginnings, level by level: her replies to the races that ``check`` of
``Replies.v`` meets, in the order in which it meets them. So the races themselves are not written. ``Leaves.v`` joins
the pieces. ``ORIGIN`` says what the data were made from. Data that have the same origin are not made again.
"""

from __future__ import annotations

import functools
import hashlib
import json
import multiprocessing
import pathlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

from proofs.coq.tools import replies as own_replies
from proofs.coq.tools.replies import Met, Replier, levels, read_replies
from verifier.coq import name_tables
from verifier.kernel.games.nested import ANY
from verifier.kernel.race import bound, endgame, relaxation
from verifier.kernel.race.bound import Race, Reply
from verifier.kernel.race.relaxation import Fields
from verifier.search.bounded import moves
from verifier.search.bounded.moves import play_mark

FRONTIER = 6
"""The marks left with which ``check`` tries everything. If a table ends before, this program finds the replies."""

Beginning = tuple[tuple[int, int], ...]
"""Moves of both players from the empty board on, Xavier's first."""


@dataclass(frozen=True, slots=True)
class Part:
    """A list of beginnings in the Coq sources, the marks that Xavier has left after them, and the claim with replies.

    Attributes:
        name: the name of the list in Coq.
        claim: the name of the certificate whose tables have the replies.
        marks: the marks left.
        pieces: the beginnings, in the order of the list, in pieces.
    """

    name: str
    claim: str
    marks: int
    pieces: tuple[tuple[Beginning, ...], ...]


def _cut(beginnings: Sequence[Beginning], size: int) -> tuple[tuple[Beginning, ...], ...]:
    return tuple(tuple(beginnings[start : start + size]) for start in range(0, len(beginnings), size))


_PAIRS = ((0, 1), (0, 2), (0, 4), (0, 5), (0, 8), (1, 0), (1, 3), (1, 4), (1, 6), (1, 7), (4, 0), (4, 1))
"""First moves that are not doubles, one of each class under the symmetries of the square."""

_THIRDS = [((i, i), (i, j), (j, k)) for i, j in _PAIRS for k in range(9) if k != i]

PARTS = (
    Part("doubles", "theorem-1/as-stated", 20, _cut([((s, s),) for s in (4, 0, 1)], 1)),
    Part("no_doubles", "beyond-no-double/by-46", 22, _cut([(m,) for m in _PAIRS], 4)),
    Part("third_marks", "beyond-second-move/by-46", 21, _cut(_THIRDS, 24)),
)
"""Up to ply 41 Xavier has 20 marks after the first one; up to ply 46 he has 22 after it, and 21 after the next one."""

PIECES = tuple((part, beginnings) for part in PARTS for beginnings in part.pieces)
"""The pieces by their numbers."""

ORIGIN = "ORIGIN.json"
REPLIES_A_WORD = 7
WORDS_A_LIST = 500


def tables_of(proofs: pathlib.Path) -> list[str]:
    """Return the hashes of all tables from which data are made.

    Raises:
        CertificateError: some of the evidence is missing.
    """
    return [table for part in PARTS for table in name_tables(proofs, part.claim)]


def origin_of(proofs: pathlib.Path, frontier: int) -> dict[str, Any]:
    """Return what data are made from: the hashes of the tables, the frontier, and the hash of the code.

    Raises:
        CertificateError: some of the evidence is missing.
    """
    code = hashlib.sha256()
    for module in (sys.modules[__name__], own_replies, endgame, relaxation, bound, moves):
        code.update(pathlib.Path(str(module.__file__)).read_bytes())
    return {"tables": tables_of(proofs), "frontier": frontier, "code": code.hexdigest()}


def is_made_of(folder: pathlib.Path, origin: dict[str, Any]) -> bool:
    """Say whether a folder holds all data of this origin."""
    try:
        return bool(json.loads((folder / ORIGIN).read_bytes()) == origin)
    except (OSError, ValueError):
        return False


def export(
    proofs: pathlib.Path,
    folder: pathlib.Path,
    *,
    frontier: int = FRONTIER,
    pieces: Iterable[int] | None = None,
    jobs: int = 1,
    say: Callable[[str], None] = lambda _: None,
) -> None:
    """Write the data.

    Args:
        proofs: the folder of the evidence.
        folder: where to write; it is created if it does not exist.
        frontier: the number of marks left with which Coq tries everything.
        pieces: write only these pieces, and the file that joins all; None: all, unless they exist already.
        jobs: the number of processes.
        say: called with a line about each piece.

    Raises:
        CertificateError: there is no such evidence, a table cannot be followed, or some race has no reply.
    """
    origin = origin_of(proofs, frontier)
    if pieces is None and is_made_of(folder, origin):
        say(f"the data in {folder} are those of this evidence")
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ORIGIN).unlink(missing_ok=True)
    wanted = list(range(len(PIECES)) if pieces is None else pieces)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max(1, min(jobs, len(wanted))), context) as pool:
        futures = {pool.submit(_write, proofs, folder, frontier, number): number for number in wanted}
        for future in as_completed(futures):
            count, seconds = future.result()
            say(f"Leaves_{futures[future]}.v: {count} replies, {seconds:.0f} s of processor time")
    (folder / "Leaves.v").write_text(format_join())
    if pieces is None:
        (folder / ORIGIN).write_text(json.dumps(origin, indent=1) + "\n")


@functools.cache
def _read(proofs: pathlib.Path, frontier: int, claim: str) -> tuple[dict[Race, Reply], int]:
    """Read the tables of a claim, once in a process."""
    return read_replies(proofs, frontier, claim)


def _write(proofs: pathlib.Path, folder: pathlib.Path, frontier: int, number: int) -> tuple[int, float]:
    """Write a piece; return how many replies it has, and the processor time."""
    began = time.process_time()
    part, beginnings = PIECES[number]
    replier = Replier(*_read(proofs, frontier, part.claim))
    table = list(levels(races_after(beginnings), part.marks, replier, frontier))
    (folder / f"Leaves_{number}.v").write_text(format_piece(part.marks, beginnings, table))
    return sum(map(len, table)), time.process_time() - began


def races_after(beginnings: Iterable[Beginning]) -> Met:
    """Return the races after some beginnings."""
    found: Met = {}
    for beginning in beginnings:
        fields: Fields = (0,) * 9
        active = ANY
        for ply, (f, s) in enumerate(beginning, 1):
            fields, active = play_mark(fields, f, s, is_xavier=ply % 2 == 1)
        found[fields, active] = None
    return found


def format_words(level: list[tuple[int, int]]) -> Iterator[str]:
    """Yield the literals of a level."""
    for start in range(0, len(level), REPLIES_A_WORD):
        word = 1
        for f, s in reversed(level[start : start + REPLIES_A_WORD]):
            word = word << 8 | f << 4 | s
        yield str(word)


def format_piece(marks: int, beginnings: Iterable[Beginning], table: Iterable[list[tuple[int, int]]]) -> str:
    """Return the source of a piece: beginnings, the marks left after them, her replies by level."""
    lines = [
        "(* Written by 'verifier export coq'. *)",
        "From Coq Require Import List Uint63.",
        "Import ListNotations.",
        "From U3T Require Import Symmetry Lower.",
        "Local Open Scope uint63_scope.",
    ]
    names = []
    for level, found in enumerate(table):
        words = list(format_words(found))
        chunks = [words[start : start + WORDS_A_LIST] for start in range(0, len(words), WORDS_A_LIST)]
        for n, chunk in enumerate(chunks):
            lines.append(f"Definition words_{level}_{n} : list int := [{'; '.join(chunk)}].")
        joined = " ++ ".join(f"words_{level}_{n}" for n in range(len(chunks)))
        lines.append(f"Definition level_{level} : list int := {joined or '[]'}.")
        names.append(f"level_{level}")
    begun = "; ".join(f"[{'; '.join(f'(S{f}, S{s})' for f, s in beginning)}]" for beginning in beginnings)
    lines += [
        f"Definition beginnings : list beginning := [{begun}].",
        f"Definition table := [{'; '.join(names)}].",
        f"Lemma checked : check_all {marks} {marks} beginnings table = true.",
        "Proof. vm_cast_no_check (eq_refl true). Qed.",
        f"Lemma are_held : Forall (held {marks}) beginnings.",
        f"Proof. exact (all_held {marks} {marks} beginnings table eq_refl checked). Qed.",
    ]
    return "\n".join(lines) + "\n"


def format_join() -> str:
    """Return the source that joins the pieces."""
    lines = [
        "(* Written by 'verifier export coq'. *)",
        "From Coq Require Import List.",
        "From U3T Require Import Lower FirstTwo.",
        f"From U3T Require {' '.join(f'Leaves_{n}' for n in range(len(PIECES)))}.",
    ]
    for part in PARTS:
        *others, last = (f"Leaves_{n}.are_held" for n, (own, _) in enumerate(PIECES) if own is part)
        proof = functools.reduce(lambda rest, one: f"(both_held _ _ _ {one} {rest})", reversed(others), last)
        lines += [
            f"Theorem {part.name}_are_held : Forall (held {part.marks}) {part.name}.",
            f"Proof. exact {proof}. Qed.",
        ]
    return "\n".join(lines) + "\n"
