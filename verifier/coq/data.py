"""The data of the Coq proofs: Olivia's replies as Coq sources, ``Leaves.v`` and its pieces.

Each ``Leaves_N.v`` holds the table of some first marks, level by level: her replies to the races that ``check`` of
``Replies.v`` meets, in the order in which it meets them, so that no race is written. ``Leaves.v`` joins them.
``ORIGIN`` says what they were made of; with the same origin they are not made again.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import pathlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

import verifier.coq.replies
from verifier.coq.replies import Met, Replier, levels, name_tables, read_replies
from verifier.kernel.race import endgame, relaxation, replies
from verifier.kernel.race.relaxation import play
from verifier.kernel.race.replies import Race, Reply

MARKS = 20
"""The marks left to Xavier after the first one, up to ply 41."""

FRONTIER = 6
"""With so many marks left ``check`` tries everything; where a table of the evidence ends before, the exporter does."""

PIECES = (
    ((4, 4),),
    ((0, 0),),
    ((1, 1),),
    ((0, 1), (0, 2), (0, 4), (0, 5)),
    ((0, 8), (1, 0), (1, 3), (1, 4)),
    ((1, 6), (1, 7), (4, 0), (4, 1)),
)
"""The first marks, one of each class under the symmetries of the square (``roots`` in ``Lower.v``), by piece."""

ORIGIN = "ORIGIN.json"
REPLIES_A_WORD = 7
WORDS_A_LIST = 500

Firsts = tuple[tuple[int, int], ...]


def origin_of(proofs: pathlib.Path, frontier: int) -> dict[str, Any]:
    """Return what data are made of: tables by their hashes, the frontier that is asked for, and the code.

    Raises:
        CertificateError: there is no evidence for Theorem 1.
    """
    code = hashlib.sha256()
    for module in (sys.modules[__name__], verifier.coq.replies, endgame, relaxation, replies):
        code.update(pathlib.Path(str(module.__file__)).read_bytes())
    return {"tables": name_tables(proofs), "frontier": frontier, "code": code.hexdigest()}


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
        folder: where to write; it is made if it is not there.
        frontier: the number of marks with which Coq tries everything.
        pieces: these alone, and what joins all of them; None: all, unless they are there already.
        jobs: how many processes write.
        say: is told of each piece.

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
    with ProcessPoolExecutor(max(1, min(jobs, len(wanted))), context, _read, (proofs, frontier)) as pool:
        futures = {pool.submit(_write, folder, number): number for number in wanted}
        for future in as_completed(futures):
            count, seconds = future.result()
            say(f"Leaves_{futures[future]}.v: {count} replies, {seconds:.0f} s of processor time")
    (folder / "Leaves.v").write_text(format_join())
    if pieces is None:
        (folder / ORIGIN).write_text(json.dumps(origin, indent=1) + "\n")


_FOUND: tuple[dict[Race, Reply], int, int] = {}, 0, 0
"""What a process that writes pieces has read, replies and the frontier of the tables; and the frontier asked for."""


def _read(proofs: pathlib.Path, frontier: int) -> None:
    global _FOUND  # noqa: PLW0603 - a process reads the tables once, for all its pieces
    _FOUND = (*read_replies(proofs, frontier), frontier)


def _write(folder: pathlib.Path, number: int) -> tuple[int, float]:
    """Write a piece; return how many replies it has, and the processor time."""
    began = time.process_time()
    found, of_tables, frontier = _FOUND
    firsts = PIECES[number]
    table = list(levels(first_races(firsts), MARKS, Replier(found, of_tables), frontier))
    (folder / f"Leaves_{number}.v").write_text(format_piece(firsts, table))
    return sum(map(len, table)), time.process_time() - began


def first_races(firsts: Firsts) -> Met:
    """Return the races after some first marks."""
    return {play((0,) * 9, f, s, is_xavier=True): (f, None) for f, s in firsts}


def format_words(level: list[tuple[int, int]]) -> Iterator[str]:
    """Yield the literals of a level."""
    for start in range(0, len(level), REPLIES_A_WORD):
        word = 1
        for f, s in reversed(level[start : start + REPLIES_A_WORD]):
            word = word << 8 | f << 4 | s
        yield str(word)


def format_piece(firsts: Firsts, table: Iterable[list[tuple[int, int]]]) -> str:
    """Return the source of a piece."""
    lines = [
        "(* Written by 'verifier export coq'. *)",
        "From Coq Require Import List Uint63.",
        "Import ListNotations.",
        "From U3T Require Import Race Fields Needs Replies Lower.",
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
    marks = "; ".join(f"(S{f}, S{s})" for f, s in firsts)
    lines += [
        f"Definition firsts := [{marks}].",
        f"Definition table := [{'; '.join(names)}].",
        "Lemma checked : check all_rows all_totals 20 20 (map (root all_rows) firsts) table = true.",
        "Proof. vm_cast_no_check (eq_refl true). Qed.",
        "Lemma are_held : forall first, In first firsts -> held first.",
        "Proof. intros first I. exact (ex_intro _ firsts (ex_intro _ table (conj I checked))). Qed.",
    ]
    return "\n".join(lines) + "\n"


def format_join(numbers: Iterable[int] = range(len(PIECES))) -> str:
    """Return the source that joins the pieces."""
    numbers = list(numbers)
    tries = " | ".join(f"apply Leaves_{n}.are_held; simpl; tauto" for n in numbers)
    lines = [
        "(* Written by 'verifier export coq'. *)",
        "From Coq Require Import List.",
        "From U3T Require Import Game Race Lower.",
        f"From U3T Require {' '.join(f'Leaves_{n}' for n in numbers)}.",
        "Theorem every_first_mark_is_held : Forall held roots.",
        f"Proof. repeat constructor; first [{tries}]. Qed.",
        "Theorem no_win_by_41 : no_win_by_41_statement.",
        "Proof. exact (no_win_by_41_from every_first_mark_is_held). Qed.",
    ]
    return "\n".join(lines) + "\n"
