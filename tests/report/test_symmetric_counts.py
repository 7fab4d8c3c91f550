"""Numbers of positions whose images count once: wherever such a number is printed, a phrase beside it says so."""

import pathlib
import re
import shutil
from html import unescape

import pytest

from tests.audit.made import MADE, write_claim
from tests.commands import Told, command
from verifier.automorphism import size_group

ONCE = "(images count once)"

READINGS = """readings:
  board: {can: O, rules: tictactoe, expect: proved, objectives: {X never wins: {prevent: X_wins}}}
  cells: {can: O, rules: tictactoe-as-cells, expect: proved, objectives: {X never wins: {prevent: X_wins}}}
  no-images: {plays: all, rules: tictactoe, expect: proved, start: XXO.O...., objectives: {it ends: {reach: over}}}
  ends: {count: {ends: 138, up_to: symmetry}, rules: tictactoe-as-cells, expect: proved}
  all-ends: {count: {ends: 958}, rules: tictactoe, expect: proved}"""
HAVE_IMAGES = {"board", "cells", "ends"}


@pytest.fixture(name="folder", scope="module")
def checked_folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Return a folder with a claim that is checked: with images on a board and with cells, and without images."""
    folder = tmp_path_factory.mktemp("images")
    (folder / "specs").mkdir()
    (folder / "proofs").mkdir()
    shutil.copy(MADE / "general" / "rules" / "tictactoe-as-cells.yaml", folder / "specs")
    write_claim(folder / "specs", "c", READINGS, "tictactoe")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("verifier.search.retrograde.FEW_LISTED", 0)  # a small game is listed up to symmetry, too
        told = run(folder, "check")
    assert told.code == 0, told.out + told.err
    return folder


def run(folder: pathlib.Path, *words: str) -> Told:
    return command(*words, "--specs", folder / "specs", "--proofs", folder / "proofs", "--cache", folder / "cache")


def split(text: str, pattern: str) -> dict[str, str]:
    """Return the parts of a text, each with the name that the pattern finds at its beginning."""
    _, *parts = re.split(pattern, text)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_show_says_it(folder: pathlib.Path) -> None:
    """The phrase stands after the number of positions or of ends, and the number of symmetries is among the counts."""
    parts = split(" ".join(run(folder, "show", "c").out.split()), r" reading ([\w-]+) \((?:can|count|plays)\)")
    counted = {name: part.partition("counted: ")[2].partition("statement:")[0] for name, part in parts.items()}
    assert {name for name, text in counted.items() if ONCE in text} == HAVE_IMAGES
    assert {name for name, text in counted.items() if "symmetries 8" in text} == HAVE_IMAGES
    assert re.search(r"ends 138 \(images count once\)", counted["ends"])
    assert all(re.match(r"positions [\d,]+ \(images count once\), moves", counted[name]) for name in ("board", "cells"))


def test_the_page_says_it_beside_the_counts_and_the_tree(folder: pathlib.Path) -> None:
    run(folder, "report", "--out", str(folder / "report.html"))
    page = unescape((folder / "report.html").read_text(encoding="utf-8"))
    assert len(re.findall(r"<dd>positions [\d,]+ \(images count once\), moves", page)) == 2
    assert len(re.findall(r"ends 138 \(images count once\)", page)) == 1
    assert page.count("Images count once.") == 1  # the claim has one tree


def test_a_picture_of_the_strategy_says_it(folder: pathlib.Path) -> None:
    for name in ("board", "cells", "no-images"):
        run(folder, "graph", f"c/{name}", "--out", str(folder / f"{name}.svg"))
        drawn = unescape((folder / f"{name}.svg").read_text(encoding="utf-8"))
        assert (ONCE in drawn) is (name in HAVE_IMAGES)


def test_junit_says_it(folder: pathlib.Path) -> None:
    cases = split(run(folder, "report", "--format", "junit").out, r'<testcase [^>]*name="([\w-]+)"')
    assert {name for name, text in cases.items() if ONCE in text} == HAVE_IMAGES


def test_a_group_has_all_products() -> None:
    assert size_group([[0, 1, 2]]) == 1
    assert size_group([[1, 2, 0], [1, 0, 2]]) == 6
