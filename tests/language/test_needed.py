"""Only the files that named claims need are parsed, and the results are the same as after parsing all files."""

import pathlib
import shutil
from collections.abc import Callable

import pytest

from tests.audit.made import MADE, edit
from tests.rules import SPECS, specs
from verifier.api.loading import load
from verifier.api.selection import select_claims
from verifier.audit.needs import select_readings
from verifier.audit.sources import Sources
from verifier.language import folder as module
from verifier.language import needed
from verifier.language.folder import read_library
from verifier.language.library import Library
from verifier.language.loader import Document, parse_document
from verifier.language.model import FILE_KINDS
from verifier.language.needed import Files, read_head
from verifier.language.outline import find_severities
from verifier.questions.registry import GRAMMAR


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("claim: a\nrules: r\n", ("claim", "a")),
        ("# A comment.\n\nstrategy: s-{n}\nrules: r\n", ("strategy", "s-{n}")),
        ('rules: "{a}-x"\nfamily: nested\n', ("rules", "{a}-x")),
        ("rules: r\nclaim: a\n", None),
        ("strategy: s\nclaim: a\n", None),
        ("title: T\nclaim: a\n", None),
        ('"claim": a\n', None),
        ('strategy: s\n"claim": a\n', None),
        ("strategy: s\n? claim\n: a\n", None),
        ('strategy: s\ntitle: "T\nclaim: a"\n', None),
        ('strategy: s\ntitle: "T\n\'claim: a"\n', None),
        ("{claim: a}\n", None),
        ("---\nclaim: a\n", None),
        ("claim: a # A comment.\n", None),
        ("claim:\n  a\n", None),
        ("claim: a\r\n", None),
        ("\ufeffclaim: a\n", None),
        (" claim: a\n", None),
        ("", None),
    ],
)
def test_the_first_line_says_what_a_file_defines(text: str, head: tuple[str, str] | None) -> None:
    """If a file may define something else, only a parser can find out."""
    assert read_head(text) == head


def test_heads_are_those_that_a_parser_finds() -> None:
    """Every shipped file is found by each id that it defines, and by its first line."""
    found = [(kind, name, spec.document) for kind in FILE_KINDS for name, spec in specs().home(kind).items()]
    files = Files({document.file: (SPECS / document.file).read_text() for _, _, document in found})
    assert not files.parsed
    assert all(document.file in files.find((kind, name)) for kind, name, document in found)


def require_same(library: Library, whole: Library, word: str, folder: pathlib.Path) -> None:
    """Require that the smaller library has everything that a run uses of the larger one."""
    chosen = select_claims(library, [word], folder, print)
    assert chosen == select_claims(whole, [word], folder, print)
    readings = select_readings(library, chosen, None)
    assert readings == select_readings(whole, chosen, None)
    few, all_of_them = Sources(library), Sources(whole)
    assert [few.texts_of(reading) for reading in readings] == [all_of_them.texts_of(reading) for reading in readings]
    for name in chosen:
        claim = library.claim(name)
        assert claim == whole.claim(name)
        assert find_severities(library, name) == find_severities(whole, name)
        assert library.read_of(claim.source.document) == whole.read_of(claim.source.document)
        assert library.document(claim.source.document) == whole.document(claim.source.document)


EVERY = [
    pytest.param(name, marks=[] if number % 60 == 0 else pytest.mark.slow) for number, name in enumerate(specs().claims)
]


@pytest.mark.parametrize("word", ["paper", "lemma-3", "harries-weak-l5", "affine-plane-3-exactly", *EVERY])
def test_a_claim_is_the_same_as_among_all(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its text and its needs, its severities and its document are equal. Other files are not parsed."""
    monkeypatch.setattr(module, "_find_missed", lambda *_: pytest.fail("all files are read"))
    library, problems = read_library(SPECS, GRAMMAR, [word])
    assert problems == []
    assert sum(len(library.home(kind)) for kind in FILE_KINDS) < sum(len(specs().home(kind)) for kind in FILE_KINDS)
    require_same(library, specs(), word, SPECS)


def test_other_files_are_not_parsed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their faults are found only if all files, or their folder, are selected."""
    parsed: list[str] = []

    def note(text: str, document: Document) -> None:
        parsed.append(document.file)
        parse_document(text, document)

    monkeypatch.setattr(needed, "parse_document", note)
    folder = shutil.copytree(MADE / "three", tmp_path / "specs")
    (folder / "other").mkdir()
    (folder / "other/broken.yaml").write_text("claim: broken\ntitel: A claim\n")
    shutil.copy(folder / "wrong.yaml", folder / "other/odd.yaml")
    edit(folder / "other/odd.yaml", "claim: wrong", "claim: odd")
    assert read_library(folder, GRAMMAR, ["mended"])[1] == []
    assert sorted(parsed) == ["mended.yaml", "plain.yaml"]
    for wanted in (None, ["."], ["other"], ["mended", "other"], [str(folder / "other")]):
        assert {problem.file for problem in read_library(folder, GRAMMAR, wanted)[1]} == {"other/broken.yaml"}, wanted


def write(file: str, text: str) -> Callable[[pathlib.Path], object]:
    """Return a function that writes a file into a folder."""

    def work(folder: pathlib.Path) -> None:
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)

    return work


def change(file: str, old: str, new: str) -> Callable[[pathlib.Path], object]:
    """Return a function that changes a file of a folder."""
    return lambda folder: edit(folder / file, old, new)


DOCUMENT = "document: {}\ntitle: A document\nnote: It.\n"
FAMILY = 'claim: "free-{n}"\nfor: {n: [1, 2]}\n'
FAULTS: dict[str, tuple[str, Callable[[pathlib.Path], object]]] = {
    "an unknown claim": ("plian", lambda _: None),
    "an unknown member": (
        "free-3",
        write("free.yaml", FAMILY + (MADE / "three/plain.yaml").read_text().split("\n", 1)[1]),
    ),
    "a folder without claims": ("documents", write("documents/a.yaml", DOCUMENT.format("test"))),
    "an id defined twice": ("mended", lambda folder: shutil.copy(folder / "plain.yaml", folder / "again.yaml")),
    "a fault in a needed file": ("mended", change("plain.yaml", "title:", "titel:")),
    "a needed file that is not there": ("mended", lambda folder: (folder / "plain.yaml").unlink()),
    "a needed file under another key": ("mended", change("plain.yaml", "claim:", "clam:")),
    "another document than those described": ("plain", write("document.yaml", DOCUMENT.format("other"))),
    "a file that cannot be read": ("plain", lambda folder: (folder / "more.yaml").mkdir()),
    "a file that is not text": ("plain", lambda folder: (folder / "more.yaml").write_bytes(b"claim: more\n\xff")),
    "a claim after another key": ("plain", write("more.yaml", "title: A second one\nclaim: plain\n")),
    "the divergences cannot be read": ("plain", lambda folder: (folder / "DIVERGENCES.md").symlink_to("/")),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_reported_as_if_all_files_were_read(fault: str, tmp_path: pathlib.Path) -> None:
    """Whatever is wrong with the selected claims: the problems, the claims and the lost ones are the same."""
    word, spoil = FAULTS[fault]
    folder = shutil.copytree(MADE / "three", tmp_path / "specs")
    spoil(folder)
    library, problems = read_library(folder, GRAMMAR, [word])
    whole, every = read_library(folder, GRAMMAR)
    assert (problems, library.lost, [*library.claims]) == (every, whole.lost, [*whole.claims])


def test_a_claim_is_found_however_its_file_begins(tmp_path: pathlib.Path) -> None:
    """A claim is found whatever its file begins with."""
    folder = shutil.copytree(MADE / "three", tmp_path / "specs")
    text = (folder / "plain.yaml").read_text()
    (folder / "plain.yaml").write_text("---\n" + text)
    library, problems = read_library(folder, GRAMMAR, ["mended"])
    assert problems == []
    require_same(library, read_library(folder, GRAMMAR)[0], "mended", folder)


def test_shipped_files_in_use_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped files that a claim needs are used. If it needs none, none is read."""
    folder = MADE / "borrowed"
    library, problems = read_library(folder, GRAMMAR, ["own"])
    assert problems == []
    whole = read_library(folder, GRAMMAR)[0]
    require_same(library, whole, "own", folder)
    assert library.strategies["careful-first"].document.is_borrowed
    monkeypatch.setattr(module, "_load_shipped", lambda _: pytest.fail("shipped files are read"))
    assert read_library(MADE / "played", GRAMMAR, ["played"])[1] == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_reads_only_the_needed_files(jobs: int, tmp_path: pathlib.Path) -> None:
    """This holds for this process and for others. The ledger is that of a run which has read all files."""
    folder = shutil.copytree(MADE / "three", tmp_path / "specs")
    whole = load(folder, cache=False).check("mended", jobs=1)
    (folder / "broken.yaml").write_text("claim: broken\ntitel: A claim\n")
    assert load(folder, cache=False, wanted=["mended"]).check("mended", jobs=jobs) == whole
