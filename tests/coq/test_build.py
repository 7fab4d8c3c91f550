"""``make coq`` builds exactly the sources, and refuses theorems that are not the committed ones."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from proofs.coq.tools.stamp import parse_theorems
from tests.coq.conftest import ROOT, SOURCES, build
from tests.rules import load_library
from verifier.coq import EXPECTED


def test_without_coq_the_build_says_what_to_install(tmp_path: pathlib.Path) -> None:
    """The exit code is 2, and one line says what to do."""
    command = [sys.executable, "-m", "proofs.coq.tools", "--build", str(tmp_path / "build")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, env={"PATH": str(tmp_path)})
    assert done.returncode == 2
    assert "apt-get install --no-install-recommends coq" in done.stderr
    assert not (tmp_path / "build").exists()


@pytest.fixture
def small(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder of sources that ends with the theorems of the rules."""
    folder = tmp_path / "sources"
    folder.mkdir()
    for name in ("Rules.v", "Game.v", "Facts.v"):
        shutil.copy2(SOURCES / name, folder)
    (folder / "Theorems.v").write_text("From U3T Require Import Facts.\nPrint Assumptions by_42_then_by_41.\n")
    (folder / "theorems.txt").write_text("Closed under the global context\n")
    return folder


def test_the_committed_theorems_are_compared(coqc: str, built: pathlib.Path, small: pathlib.Path) -> None:
    """A build passes if Coq prints the committed theorems."""
    folder = shutil.copytree(built, small.parent / "build")
    done = build(small, folder)
    assert done.returncode == 0, done.stderr
    assert "every proof holds" in done.stdout


CHEATS = {
    "an axiom of the library": (
        "Proof. apply forces_odd;",
        "Proof. generalize (Coq.Logic.Classical_Prop.classic (0 = 1)); intros _. apply forces_odd;",
        "+Classical_Prop.classic",
    ),
    "another name": ("by_42_then_by_41", "by_42_then_by_42", "names what is not proved"),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_theorem_that_is_not_the_committed_one_is_noticed(
    cheat: str, coqc: str, built: pathlib.Path, small: pathlib.Path
) -> None:
    """The build fails if a proof uses an axiom of Coq's library, or if a theorem has another name."""
    old, new, says = CHEATS[cheat]
    text = (small / "Facts.v").read_text()
    assert old in text
    library = "Require Coq.Logic.Classical_Prop.\n" if "Classical_Prop" in new else ""
    (small / "Facts.v").write_text(library + text.replace(old, new))
    done = build(small, shutil.copytree(built, small.parent / "build"))
    assert done.returncode == 1
    assert says in done.stderr


def test_data_are_sources_too(coqc: str, built: pathlib.Path, small: pathlib.Path) -> None:
    """Data are refused for the same reasons as sources, cannot replace a source, and their theorem is compared."""
    folder = shutil.copytree(built, small.parent / "build")
    data = small.parent / "data"
    data.mkdir()
    option = f"--data={data}"
    assert "no data" in build(small, folder, option).stderr
    (data / "Leaves.v").write_text("Axiom a : 0 = 1.\n")
    assert "Leaves.v:1: 'Axiom' states what nobody proves" in build(small, folder, option).stderr
    (data / "Leaves.v").write_text("From U3T Require Import Facts.\nLemma a : 1 = 1.\nProof. reflexivity. Qed.\n")
    (small / "Headline.v").write_text("From U3T Require Import Leaves.\nPrint Assumptions a.\n")
    assert "the theorems are not those of headline.txt" in build(small, folder, option).stderr
    (small / "headline.txt").write_text("Closed under the global context\n")
    assert build(small, folder, option).returncode == 0
    without = build(small, folder)
    assert without.returncode == 0
    assert "without data" in without.stdout
    (data / "Facts.v").write_text("")
    assert "with the name of a source" in build(small, folder, option).stderr


def test_a_stale_file_does_not_replace_a_source(coqc: str, built: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """A compiled file whose source is gone is not used."""
    folder = shutil.copytree(built, tmp_path / "build")
    sources = tmp_path / "sources"
    sources.mkdir()
    for name in ("Rules.v", "Game.v"):
        shutil.copy2(SOURCES / name, sources)
    (sources / "More.v").write_text("From U3T Require Import Facts.\nDefinition a := by_42_then_by_41.\n")
    done = build(sources, folder, "More.vo")
    assert done.returncode == 1
    assert not (folder / "Facts.vo").exists()


def test_the_theorems_of_the_readme_are_compared() -> None:
    """Coq has to print everything that the README lists as proved, each theorem with what it assumes."""
    rows = [row.split("|") for row in (SOURCES / "README.md").read_text().split("\n")]
    names = {name for row in rows if len(row) == 5 for name in re.findall(r"`(\w+)(?: : [^`]*)?`", row[2])}
    text = "".join((SOURCES / name).read_text() for name in EXPECTED.values())
    proved = parse_theorems(text)
    assert {"at_most_43", "lemma_3", "at_least_29", "value_43", "first_two_moves", "abstract"} <= names
    assert names <= set(proved)
    assert len(re.findall(r"^\w+\n?     : ", text, re.MULTILINE)) == len(proved)


def test_the_committed_theorems_assume_integers_and_arrays_alone() -> None:
    """Theorems without data assume nothing. Others assume only Coq's primitives, and its library's axioms on them."""
    for expected, with_axioms in (
        ("theorems.txt", {"no_win_by_41_from", "lemma_6_from", "first_two_moves_from"}),
        ("headline.txt", None),
    ):
        proved = parse_theorems((SOURCES / expected).read_text())
        assert proved
        for name, theorem in proved.items():
            assert {axiom.partition(".")[0] for axiom in theorem.axioms} <= {"PArray", "PrimInt63", "Uint63"}
            assert bool(theorem.axioms) == (with_axioms is None or name in with_axioms)


def test_each_theorem_that_a_reading_names_is_committed() -> None:
    """The build compares the theorem of each ``coq: NAME`` in a spec."""
    library = load_library(ROOT / "specs")
    named = {
        reading.coq for claim in library.claims for reading in library.claim(claim).readings.values() if reading.coq
    }
    proved = [name for expected in EXPECTED.values() for name in parse_theorems((SOURCES / expected).read_text())]
    assert "value_43" in named
    assert named <= set(proved)
    assert len(proved) == len(set(proved))
