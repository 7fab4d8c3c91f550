"""Specs, claims and readings in Python: what is checked, kept, remembered and refused."""

import os
import pathlib
import shutil

import pytest

import verifier
from tests.audit.made import ROOT, write_claim
from tests.commands import command
from verifier.api.folders import find_specs
from verifier.kernel.certificate import evidence_path, hash_bytes, hash_value

CAREFUL = "careful-first-is-safe"


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """Return a folder with the specs of the examples."""
    shutil.copytree(ROOT / "specs/examples", tmp_path / "specs")
    return tmp_path / "specs"


def test_a_check_is_remembered(folder: pathlib.Path, own_cache: pathlib.Path) -> None:
    """The user's cache remembers it: specs that are loaded again have the result and the evidence."""
    name = f"{CAREFUL}/as-stated"
    assert not verifier.load(folder).look(CAREFUL, compiled=[CAREFUL])[name].is_run
    assert verifier.load(folder).check(CAREFUL).exit_code == 0
    assert any(own_cache.iterdir())
    specs = verifier.load(folder)
    assert specs.look(CAREFUL)[name].verdict is verifier.Verdict.PROVED
    assert specs.certificate(CAREFUL).decide().verdict is verifier.Verdict.PROVED


def test_without_a_cache_nothing_is_left(folder: pathlib.Path, own_cache: pathlib.Path) -> None:
    """Evidence exists as long as the specs do. Nothing is written to the user's cache."""
    specs = verifier.load(folder, cache=False)
    assert specs.check(CAREFUL).exit_code == 0
    place = specs.folders.store.cache
    assert place is not None
    assert place.is_dir()
    assert specs.certificate(CAREFUL).verdict is verifier.Verdict.PROVED
    del specs
    assert not place.exists()
    assert not any(own_cache.rglob("*.gz"))


def test_a_cache_that_cannot_be_used_gives_a_warning(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("mine")
    told: list[str] = []
    specs = verifier.load(folder, cache=tmp_path / "file", warn=told.append)
    assert specs.check(CAREFUL).exit_code == 0
    assert len(told) == 1
    assert "the cache is not used" in told[0]


def test_evidence_is_kept_in_the_folder_that_is_named(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    assert verifier.load(folder, cache=False, out=tmp_path / "out").check().exit_code == 0
    specs = verifier.load(folder, proofs=tmp_path / "out", cache=False)
    assert specs.certificate(CAREFUL).name == f"{CAREFUL}/as-stated"


@pytest.mark.parametrize(
    ("there", "here", "specs", "proofs"),
    [
        ("specs/a.yaml", ".", "specs", None),
        ("specs/a.yaml proofs/INDEX.json", ".", "specs", "proofs"),
        ("specs/a.yaml proofs/INDEX.json", "specs", "specs", "proofs"),
        ("specs/part/a.yaml proofs/INDEX.json notes/x", "notes", "specs", "proofs"),
        ("specs/part/deep/a.yaml", "specs/part/deep", "specs", None),
        ("specs/a.yaml b/specs/c.yaml b/d/x proofs/INDEX.json", "b/d", "b/specs", None),
        ("specs/a.yaml b/specs/notes.txt b/d/x", "b/d", "specs", None),
        ("specs/a.yaml b/.git/x b/d/x", "b/d", None, None),  # of another repository
        ("specs/a.yaml b/.git b/d/x", "b", None, None),  # a worktree, or a submodule
        ("specs/a.yaml .git/x b/d/x", "b/d", "specs", None),
        ("proofs/INDEX.json b/x", "b", None, None),  # proofs of no specs
        ("spec/a.yaml x", ".", None, None),
    ],
)
def test_the_nearest_specs_are_used_with_their_proofs(
    there: str,
    here: str,
    specs: str | None,
    proofs: str | None,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Unless these are ``./specs``, a command names them in one line on standard error."""
    text = (ROOT / "specs/paper/1-introduction/rules-start.yaml").read_text()
    for name in there.split():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("rules-start", path.stem) if path.suffix == ".yaml" else "")
    monkeypatch.chdir(tmp_path / here)
    folders = verifier.load().folders
    assert folders.specs == (ROOT if specs is None else tmp_path) / (specs or "specs")
    assert folders.store.shipped == (ROOT if proofs is None else tmp_path) / (proofs or "proofs")
    told = command("list", "rules-start" if specs is None else ".")
    assert told.code == 0
    if specs is None:
        assert told.err == "no 'specs' here or above: using the specs that came with this tool\n"
    else:
        assert told.err == ("" if here == "." else f"using the specs in {tmp_path / specs}\n")
    assert command("list", "--specs", ROOT / "specs", "rules-start").err == ""


def test_a_folder_that_cannot_be_read_is_an_error(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the shipped specs would be checked instead."""
    (tmp_path / "specs/part").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    real = os.scandir

    def refuse(path: str) -> object:
        if os.path.basename(path) == "part":
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    assert find_specs() == ROOT / "specs"
    monkeypatch.setattr("os.scandir", refuse)
    assert find_specs() == tmp_path / "specs"


@pytest.mark.parametrize("claims", [[], ["examples"], "examples", None])
def test_an_empty_list_selects_nothing_and_none_selects_everything(claims: list[str] | str | None) -> None:
    """A single string is one name."""
    specs = verifier.load(ROOT / "specs")
    found = specs.select(claims)
    assert len(found) == (len(specs) if claims is None else 2 * bool(claims))


def test_an_unknown_claim_or_reading_gets_a_suggestion() -> None:
    specs = verifier.load(ROOT / "specs")
    assert "lema-3" not in specs
    with pytest.raises(KeyError, match="did you mean 'lemma-3'"):
        _ = specs["lema-3"]
    with pytest.raises(verifier.UsageError, match="did you mean 'as-stated'"):
        specs.check("lemma-3", reading="as-statd")
    with pytest.raises(verifier.UsageError, match="did you mean 'lemma-3'"):
        specs.certificate("lema-3")


def test_a_file_with_a_fault_is_refused_or_left_out(folder: pathlib.Path) -> None:
    """``load`` raises an error. With ``partial``, only its own claim is missing, and the exit code shows it."""
    (folder / "bad.yaml").write_text("claim: bad\n")
    with pytest.raises(verifier.SpecError, match=r"bad\.yaml:1:1: 'title' is missing"):
        verifier.load(folder)
    specs = verifier.load(folder, partial=True)
    assert "bad" not in specs
    assert specs.problems
    ledger = specs.check(CAREFUL)
    assert (ledger.standings[CAREFUL], ledger.exit_code) == (verifier.Standing.PROVED, 2)
    with pytest.raises(verifier.SpecError, match=r"bad\.yaml"):
        specs.select("bad")


def test_a_reading_without_evidence_has_no_certificate(folder: pathlib.Path) -> None:
    (folder.parent / "none").mkdir()
    specs = verifier.load(folder, proofs=folder.parent / "none")
    with pytest.raises(verifier.UsageError, match="check it first"):
        specs.evidence(CAREFUL, "as-stated")


def test_evidence_that_states_something_else_is_refused(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The file has the name of the reading's evidence, but proves another true statement. Both lookups refuse it."""
    assert verifier.load(folder, cache=False, out=tmp_path / "out").check().exit_code == 0
    specs = verifier.load(folder, proofs=tmp_path / "out", cache=False)
    own, other = (specs.evidence(claim, "as-stated") for claim in (CAREFUL, "lowest-spot-keeps-fields"))
    path = evidence_path(hash_value(own.statement))
    data = (tmp_path / "out" / evidence_path(hash_value(other.statement))).read_bytes()
    (tmp_path / "out" / path).write_bytes(data)
    refused = pytest.raises(verifier.CertificateError, match=f"other-statement: .*/{path} is for another statement")
    with refused:
        specs.certificate(CAREFUL)
    with refused:
        specs.evidence(CAREFUL, "as-stated")
    with pytest.raises(verifier.CertificateError, match="other-statement"):
        own.context.store.certificate(hash_value(own.statement), hash_bytes(data))


def test_what_a_reading_joins_is_checked_with_it(tmp_path: pathlib.Path) -> None:
    """The joined claim may have no reading of the selected name. Without it nothing would be decided."""
    write_claim(tmp_path, "below", 'readings:\n  safe: {expect: proved, line: ["4"]}', "tictactoe")
    write_claim(tmp_path, "above", "readings:\n  as-stated: {expect: proved, joins: [below/safe]}", "tictactoe")
    specs = verifier.load(tmp_path, cache=False)
    assert specs.select("above", "as-stated") == ["below", "above"]
    result = specs.check("above", reading="as-stated")["above/as-stated"]
    assert result.is_run
    assert result.verdict is verifier.Verdict.PROVED
