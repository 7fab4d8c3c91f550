"""The data are replies in the order of ``check``, made once for the same evidence; what is changed in them fails."""

from __future__ import annotations

import pathlib
import shutil
import subprocess

import pytest

from tests.coq.conftest import ROOT, SOURCES, build_some
from verifier.coq import data
from verifier.coq.data import (
    MARKS,
    PIECES,
    export,
    first_races,
    format_join,
    format_piece,
    format_words,
    is_made_of,
    origin_of,
)
from verifier.coq.replies import Replier, levels, read_replies
from verifier.kernel.errors import CertificateError

FIRSTS = ((4, 1),)
"""A first mark whose table is short."""

FRONTIER = 8


def test_words_hold_seven_replies_behind_a_one() -> None:
    """Read from the lower end, eight bits each, they are the replies again."""
    level = [(number % 9, (number * 5 + 3) % 9) for number in range(17)]
    read = []
    words = [int(word) for word in format_words(level)]
    for word in words:
        rest = word
        while rest > 1:
            read.append((rest >> 4 & 15, rest & 15))
            rest >>= 8
        assert rest == 1
    assert read == level
    assert len(words) == 3
    assert max(words) < 1 << 63


def test_the_pieces_are_the_fifteen_first_marks() -> None:
    """Those of ``roots`` in ``Lower.v``, each once."""
    text = (SOURCES / "Lower.v").read_text()
    listed = text[text.index("Definition roots") : text.index("Definition is_root")]
    assert sorted(f"(S{f}, S{s})" for firsts in PIECES for f, s in firsts) == sorted(
        f"(S{f}, S{s})" for f in range(9) for s in range(9) if f"(S{f}, S{s})" in listed
    )


def test_data_are_not_written_twice(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same evidence, frontier and code what is there stays; otherwise, or after half of it, it does not."""
    said: list[str] = []
    monkeypatch.setattr(data, "PIECES", ())
    export(ROOT / "proofs", tmp_path, jobs=1, say=said.append)
    origin = origin_of(ROOT / "proofs", data.FRONTIER)
    assert is_made_of(tmp_path, origin)
    assert not is_made_of(tmp_path, {**origin, "tables": []})
    assert not is_made_of(tmp_path, origin_of(ROOT / "proofs", data.FRONTIER + 1))
    (tmp_path / "Leaves.v").write_text("as it was")
    export(ROOT / "proofs", tmp_path, jobs=1, say=said.append)
    assert said == [f"the data in {tmp_path} are those of this evidence"]
    assert (tmp_path / "Leaves.v").read_text() == "as it was"
    (tmp_path / data.ORIGIN).unlink()
    export(ROOT / "proofs", tmp_path, jobs=1, say=said.append)
    assert (tmp_path / "Leaves.v").read_text() == format_join()


def test_other_data_are_no_longer_data_once_they_are_written_anew(tmp_path: pathlib.Path) -> None:
    """Without evidence nothing is written."""
    with pytest.raises(CertificateError):
        export(tmp_path / "proofs", tmp_path / "data")
    assert not (tmp_path / "data").exists()


@pytest.fixture(scope="module")
def lower(coqc: str, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A build folder with the check of the replies."""
    return build_some(tmp_path_factory.mktemp("lower"), "Lower.vo")


def compile_alone(coqc: str, folder: pathlib.Path, name: str, text: str) -> str:
    """Compile a source; return what Coq complains of, empty where it holds."""
    (folder / f"{name}.v").write_text(text)
    done = subprocess.run(
        [coqc, "-Q", ".", "U3T", f"{name}.v"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 or done.stderr
    return done.stderr if done.returncode else ""


@pytest.fixture(scope="module")
def table() -> list[list[tuple[int, int]]]:
    """The replies after one first mark."""
    found, frontier = read_replies(ROOT / "proofs", FRONTIER)
    return list(levels(first_races(FIRSTS), MARKS, Replier(found), frontier))


@pytest.mark.slow
@pytest.mark.parametrize("level", [None, 0, 3])
def test_one_reply_changed_fails(
    level: int | None, coqc: str, lower: pathlib.Path, table: list[list[tuple[int, int]]]
) -> None:
    """The table holds as it is; with the first reply of a level on another spot its check does not come out true."""
    changed = [list(replies) for replies in table]
    if level is not None:
        f, s = changed[level][0]
        changed[level][0] = (f, (s + 1) % 9)
    text = format_piece(FIRSTS, changed)
    complaint = compile_alone(coqc, lower, "Leaves_5", text)
    if level is None:
        assert complaint == ""
    else:
        proof = text.split("\n").index("Proof. vm_cast_no_check (eq_refl true). Qed.") + 1
        assert f'File "./Leaves_5.v", line {proof},' in complaint
        assert "while it is expected to have type" in complaint


@pytest.mark.slow
@pytest.mark.parametrize("dropped", [None, 3])
def test_one_piece_dropped_fails(dropped: int | None, coqc: str, lower: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """With all six pieces, here taken for granted, every first mark is held; without one of them it is not shown."""
    folder = shutil.copytree(lower, tmp_path / "build")
    for number, firsts in enumerate(PIECES):
        marks = "; ".join(f"(S{f}, S{s})" for f, s in firsts)
        stub = f"""\
From Coq Require Import List.
Import ListNotations.
From U3T Require Import Race Lower.
Lemma are_held : forall first, In first [{marks}] -> held first.
Admitted.
"""
        assert compile_alone(coqc, folder, f"Leaves_{number}", stub) == ""
    text = format_join(number for number in range(len(PIECES)) if number != dropped)
    complaint = compile_alone(coqc, folder, "Leaves", text)
    if dropped is None:
        assert complaint == ""
    else:
        proof = next(n for n, line in enumerate(text.split("\n"), 1) if "repeat constructor" in line)
        assert f'File "./Leaves.v", line {proof},' in complaint
