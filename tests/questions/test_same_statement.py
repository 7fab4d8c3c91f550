"""A walk and an invariant may show one statement. Each reading has evidence of its own form, and they are compared."""

import pathlib
import shutil
from typing import Any

import pytest

import verifier
from tests.audit.made import ROOT, read_spec
from verifier.kernel.certificate import hash_value, parse_stated, read_index, unpack
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import derive
from verifier.kernel.verdict import Result, Verdict
from verifier.packing import pack
from verifier.questions.result import ReadingResult
from verifier.report.sentence import trust_of

WALKED = read_spec("walked")
INVARIANT = "    invariant: {both: {no more than nine marks: ply <= 9}}\n"


def load(folder: pathlib.Path, invariant: str = INVARIANT) -> verifier.Specs:
    """Return specs of two claims with one statement: ``kept`` has an invariant, ``walked`` has none."""
    specs = folder / "specs"
    if not specs.exists():
        shutil.copytree(ROOT / "specs/examples", specs)
    (specs / "kept.yaml").write_text(WALKED.replace("claim: walked", "claim: kept") + invariant)
    (specs / "walked.yaml").write_text(WALKED)
    return verifier.load(specs, out=folder / "out", cache=False)


def check(folder: pathlib.Path, *claims: str) -> dict[str, ReadingResult]:
    """Check claims one after the other; return the results by claim."""
    return {name: load(folder).check(name, jobs=1)[f"{name}/as-stated"] for name in claims}


Checked = tuple[pathlib.Path, dict[str, ReadingResult]]


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    """A folder in which both claims have been checked, and the results. No test changes it."""
    folder = tmp_path_factory.mktemp("checked")
    return folder, check(folder, "kept", "walked")


@pytest.fixture
def folder(checked: Checked, tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of that folder, so that no evidence has to be searched for."""
    return shutil.copytree(checked[0], tmp_path / "copy")


@pytest.mark.parametrize("is_kept_first", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_readings_that_state_the_same_have_own_evidence(
    is_kept_first: bool, checked: Checked, tmp_path: pathlib.Path
) -> None:
    """An invariant shows one claim and a walk the other, in either order. Neither uses the evidence of the other."""
    folder, found = checked if is_kept_first else (tmp_path, check(tmp_path, "walked", "kept"))
    assert {str(result.verdict) for result in found.values()} == {"proved"}
    assert trust_of(found["kept"]).startswith("only the kernel, which derived the obligations of the invariant")
    assert trust_of(found["walked"]).startswith("only the kernel, which followed every reply")
    one, other = (result.certificate for result in found.values())
    assert one is not None
    assert other is not None
    assert one.statement == other.statement
    assert one.key != other.key
    assert set(read_index(folder / "out").filed.values()) == {one.key, other.key}


def test_a_walk_and_an_invariant_that_disagree_give_exit_code_4(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both readings are decided. If a faulty kernel refutes every walk, they disagree."""

    def forge(statement: Any, verdict: str, evidence: Any, read: Any, memo: Any) -> Result:
        result = decide(statement, verdict, evidence, read, memo)
        return result if "invariant" in evidence else Result(Verdict.REFUTED, "forged", stats=result.stats)

    specs = load(folder).folders.specs
    first = WALKED.replace("claim: walked", "claim: both")
    second = first.split("readings:\n")[1].replace("as-stated", "walked")
    (specs / "both.yaml").write_text(f"{first}{INVARIANT}{second}    agrees_with: as-stated\n")
    assert verifier.load(specs, out=folder / "out", cache=False).check("both").exit_code == 0
    monkeypatch.setattr("verifier.audit.reading.decide", forge)
    ledger = verifier.load(specs, out=folder / "out", cache=False).check("both", jobs=1)
    assert ledger.exit_code == 4
    assert ledger["both/walked"].trouble == "two methods disagree: as-stated is proved, this is refuted"


def test_evidence_of_one_form_is_not_taken_for_the_other(folder: pathlib.Path) -> None:
    """A walk stored as an invariant, and an invariant stored as a walk, are rejected and replaced."""
    walked, kept = sorted((folder / "out/evidence").iterdir(), key=lambda path: len(path.name))
    one, other = walked.read_bytes(), kept.read_bytes()
    walked.write_bytes(other)
    kept.write_bytes(one)
    for path in (walked, kept):
        name = path.name.removesuffix(".json.gz")
        with pytest.raises(CertificateError, match="'-invariant' exactly if the evidence is an invariant"):
            parse_stated(path.read_bytes(), name, hash_value(unpack(one, "it")["statement"]) + name[16:])
    assert load(folder).check("walked", jobs=1)["walked/as-stated"].verdict is Verdict.PROVED


def test_the_words_of_an_invariant_are_those_of_the_spec(folder: pathlib.Path) -> None:
    """Evidence may have any names in its invariant. If they are not those of the spec, they are not shown."""
    told = "invariant, the player to move: no more than nine marks"
    result = load(folder).check("kept")["kept/as-stated"]
    assert result.notes == (told,)
    (path,) = (folder / "out/evidence").glob("*-invariant*")
    value = unpack(path.read_bytes(), "it")
    for player in "XO":
        value["evidence"]["invariant"][player][0][0] = "O never wins"
    listed = value["evidence"]["obligations"]
    listed["shown"] = [
        [part, name.replace("no more than nine marks", "O never wins"), core] for part, name, core in listed["shown"]
    ]
    listed["digest"] = derive(derive_steps(value["statement"], value["evidence"])).digest
    path.write_bytes(pack(value))
    result = load(folder).check("kept")["kept/as-stated"]
    assert str(result.verdict) == "proved"
    assert result.notes == ("the invariant of the proof is not the one in the spec",)


def test_an_invariant_with_other_names_is_described_again(folder: pathlib.Path) -> None:
    """Names in an invariant are not part of the statement. A remembered result is used only with the same names."""
    specs = load(folder).folders.specs
    cache = (folder / "out").rename(folder / "cache")
    first = verifier.load(specs, cache=cache).check("kept")["kept/as-stated"]
    assert first.notes == ("invariant, the player to move: no more than nine marks",)
    load(folder, INVARIANT.replace("ply <= 9", "ply < 10"))
    second = verifier.load(specs, cache=cache).check("kept")["kept/as-stated"]
    assert second.notes == ("the invariant of the proof is not the one in the spec",)
