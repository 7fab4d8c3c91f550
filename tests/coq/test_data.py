"""The data are replies in the order of ``check``. The same evidence is exported once, and changed data fail."""

import pathlib
import shutil
import subprocess

import pytest

from proofs.coq.tools import data
from proofs.coq.tools.data import (
    PARTS,
    PIECES,
    export,
    format_join,
    format_piece,
    format_words,
    is_made_of,
    origin_of,
    races_after,
)
from proofs.coq.tools.replies import Replier, levels, read_replies
from tests.coq.conftest import ROOT
from tests.rules import find_rules
from verifier.kernel.errors import CertificateError
from verifier.kernel.relabel import SYMMETRIES

BEGINNINGS = (((4, 1),),)
"""A first mark whose table is short."""

FRONTIER = 8

MARKS = PARTS[1].marks


def test_a_word_has_seven_replies_and_a_leading_one() -> None:
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


def test_the_beginnings_are_complete_up_to_symmetry() -> None:
    """Each first mark is an image of exactly one beginning. The third marks are all legal ones except the move back."""
    doubles, no_doubles, thirds = ([b for piece in part.pieces for b in piece] for part in PARTS)
    game = find_rules("paper")
    images = [{(image[f], image[s]) for image in SYMMETRIES} for ((f, s),) in (*doubles, *no_doubles)]
    assert sorted(mark for marks in images for mark in marks) == sorted(game.legal_moves(game.start))
    assert [f == s for ((f, s),) in (*doubles, *no_doubles)] == [True] * len(doubles) + [False] * len(no_doubles)
    for ((i, j),) in no_doubles:
        after = game.play(game.play(game.start, (i, i)), (i, j))
        lines = [line for line in thirds if line[:2] == ((i, i), (i, j))]
        assert [third for *_, third in lines] == [move for move in game.legal_moves(after) if move != (j, i)]
    assert len(thirds) == 8 * len(no_doubles)


def test_data_are_not_written_twice(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same evidence, frontier and code, complete data stay. Otherwise they are written again."""
    said: list[str] = []
    monkeypatch.setattr(data, "PIECES", ())
    monkeypatch.setattr(data, "format_join", lambda: "joined")
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
    assert (tmp_path / "Leaves.v").read_text() == "joined"
    with pytest.raises(CertificateError):
        export(tmp_path / "no-proofs", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def compile_alone(coqc: str, folder: pathlib.Path, name: str, text: str) -> str:
    """Compile a source. Return Coq's complaint; empty if there is none."""
    (folder / f"{name}.v").write_text(text)
    done = subprocess.run(
        [coqc, "-Q", ".", "U3T", f"{name}.v"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 or done.stderr
    return done.stderr if done.returncode else ""


@pytest.fixture(scope="module")
def table() -> list[list[tuple[int, int]]]:
    """The replies after one first mark, from the tables from which such data are made."""
    replier = Replier(*read_replies(ROOT / "proofs", FRONTIER, PARTS[1].claim))
    return list(levels(races_after(BEGINNINGS), MARKS, replier, FRONTIER))


@pytest.mark.slow
@pytest.mark.parametrize("level", [None, 0, 3])
def test_a_changed_reply_fails(
    level: int | None, coqc: str, built: pathlib.Path, table: list[list[tuple[int, int]]]
) -> None:
    """The table passes. If the first reply of a level is changed, its check is not true."""
    changed = [list(replies) for replies in table]
    if level is not None:
        f, s = changed[level][0]
        changed[level][0] = (f, (s + 1) % 9)
    text = format_piece(MARKS, BEGINNINGS, changed)
    complaint = compile_alone(coqc, built, "Leaves_0", text)
    if level is None:
        assert complaint == ""
    else:
        proof = text.split("\n").index("Proof. vm_cast_no_check (eq_refl true). Qed.") + 1
        assert f'File "./Leaves_0.v", line {proof},' in complaint
        assert "while it is expected to have type" in complaint


@pytest.fixture(scope="module")
def granted(coqc: str, built: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A build folder in which the theorem of each piece is assumed."""
    folder = shutil.copytree(built, tmp_path_factory.mktemp("granted") / "build")
    for number in range(len(PIECES)):
        assert compile_alone(coqc, folder, f"Leaves_{number}", grant(number)) == ""
    return folder


def grant(number: int, left_out: int = 0) -> str:
    """Return a source that states the theorem of a piece, except for some beginnings, without a proof."""
    part, beginnings = PIECES[number]
    text = format_piece(part.marks, beginnings[left_out:], [])
    return (
        text[: text.index("Definition table")] + f"Lemma are_held : Forall (held {part.marks}) beginnings.\nAdmitted.\n"
    )


@pytest.mark.slow
def test_the_pieces_have_all_beginnings(coqc: str, granted: pathlib.Path) -> None:
    """Joined in order, they are the three lists of the Coq sources."""
    assert compile_alone(coqc, granted, "Leaves", format_join()) == ""


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 4, 9])
def test_a_missing_beginning_fails(number: int, coqc: str, granted: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """If a piece lacks a first or a third mark, the pieces do not join to the whole list."""
    folder = shutil.copytree(granted, tmp_path / "build")
    assert compile_alone(coqc, folder, f"Leaves_{number}", grant(number, left_out=1)) == ""
    complaint = compile_alone(coqc, folder, "Leaves", format_join())
    line = next(n for n, line in enumerate(format_join().split("\n"), 1) if f"Leaves_{number}.are_held" in line)
    assert f'File "./Leaves.v", line {line},' in complaint
