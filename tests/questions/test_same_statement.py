"""A walk and an invariant may show the same: each reading has the evidence of its form, and they are compared."""

import pathlib
import shutil
from typing import Any

import pytest

import verifier
from tests.audit.made import ROOT, read_spec
from verifier.files import pack
from verifier.kernel.certificate import hash_value, parse_stated, read_index, unpack
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import derive
from verifier.kernel.verdict import Result, Verdict
from verifier.report.sentence import trust_of

WALKED = read_spec("walked")
INVARIANT = "    invariant: {both: {no more than nine marks: ply <= 9}}\n"


def load(folder: pathlib.Path, invariant: str = INVARIANT) -> verifier.Specs:
    """Return specs of two claims that state the same: ``kept`` by an invariant, and ``walked``."""
    specs = folder / "specs"
    if not specs.exists():
        shutil.copytree(ROOT / "specs/examples", specs)
    (specs / "kept.yaml").write_text(WALKED.replace("claim: walked", "claim: kept") + invariant)
    (specs / "walked.yaml").write_text(WALKED)
    return verifier.load(specs, out=folder / "out", cache=False)


@pytest.mark.parametrize("order", [("kept", "walked"), ("walked", "kept")])
def test_readings_that_state_the_same_have_own_evidence(tmp_path: pathlib.Path, order: tuple[str, str]) -> None:
    """An invariant shows the one and a walk the other, whichever is found first: neither takes what the other has."""
    found = {name: load(tmp_path).check(name)[f"{name}/as-stated"] for name in order}
    assert {str(result.verdict) for result in found.values()} == {"proved"}
    assert trust_of(found["kept"]).startswith("the kernel alone: derived the obligations of the invariant")
    assert trust_of(found["walked"]).startswith("the kernel alone: followed every reply")
    one, other = (result.certificate for result in found.values())
    assert one is not None
    assert other is not None
    assert one.statement == other.statement
    assert one.key != other.key
    assert set(read_index(tmp_path / "out").filed.values()) == {one.key, other.key}


def test_a_walk_that_refutes_what_an_invariant_shows_is_exit_code_4(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readings that agree are decided twice: where a kernel at fault refutes every walk, the two disagree."""

    def forge(statement: Any, verdict: str, evidence: Any, read: Any, memo: Any) -> Result:
        result = decide(statement, verdict, evidence, read, memo)
        return result if "invariant" in evidence else Result(Verdict.REFUTED, "forged", stats=result.stats)

    specs = load(tmp_path).folders.specs
    first = WALKED.replace("claim: walked", "claim: both")
    second = first.split("readings:\n")[1].replace("as-stated", "walked")
    (specs / "both.yaml").write_text(f"{first}{INVARIANT}{second}    agrees_with: as-stated\n")
    assert verifier.load(specs, out=tmp_path / "out", cache=False).check("both").exit_code == 0
    monkeypatch.setattr("verifier.audit.reading.decide", forge)
    ledger = verifier.load(specs, out=tmp_path / "out", cache=False).check("both", jobs=1)
    assert ledger.exit_code == 4
    assert ledger["both/walked"].trouble == "two engines disagree: as-stated is proved, this is refuted"


def test_evidence_of_one_form_is_not_taken_for_the_other(tmp_path: pathlib.Path) -> None:
    """A walk filed as an invariant, and an invariant filed as a walk, are rejected, and found anew."""
    for name in ("kept", "walked"):
        load(tmp_path).check(name)
    walked, kept = sorted((tmp_path / "out/evidence").iterdir(), key=lambda path: len(path.name))
    one, other = walked.read_bytes(), kept.read_bytes()
    walked.write_bytes(other)
    kept.write_bytes(one)
    for path in (walked, kept):
        name = path.name.removesuffix(".json.gz")
        with pytest.raises(CertificateError, match="by an invariant, and no other, is filed as such"):
            parse_stated(path.read_bytes(), name, hash_value(unpack(one, "it")["statement"]) + name[16:])
    assert load(tmp_path).check("walked", jobs=1)["walked/as-stated"].verdict is Verdict.PROVED


def test_the_words_of_an_invariant_are_those_of_the_spec(tmp_path: pathlib.Path) -> None:
    """Evidence may name what it keeps as it likes: where that is not the spec's, no words of it are told."""
    told = "invariant, the player to move: no more than nine marks"
    result = load(tmp_path).check("kept")["kept/as-stated"]
    assert result.notes == (told,)
    (path,) = (tmp_path / "out/evidence").iterdir()
    value = unpack(path.read_bytes(), "it")
    for player in "XO":
        value["evidence"]["invariant"][player][0][0] = "O never wins"
    listed = value["evidence"]["obligations"]
    listed["shown"] = [
        [part, name.replace("no more than nine marks", "O never wins"), core] for part, name, core in listed["shown"]
    ]
    listed["digest"] = derive(derive_steps(value["statement"], value["evidence"])).digest
    path.write_bytes(pack(value))
    result = load(tmp_path).check("kept")["kept/as-stated"]
    assert str(result.verdict) == "proved"
    assert result.notes == ("the invariant of the proof is not the one in the spec",)


def test_an_invariant_with_other_words_is_told_anew(tmp_path: pathlib.Path) -> None:
    """The words are no part of the statement; what is remembered of it is told beside the same words alone."""
    specs = load(tmp_path).folders.specs
    cache = tmp_path / "cache"
    first = verifier.load(specs, cache=cache).check("kept")["kept/as-stated"]
    assert first.notes == ("invariant, the player to move: no more than nine marks",)
    load(tmp_path, INVARIANT.replace("ply <= 9", "ply < 10"))
    second = verifier.load(specs, cache=cache).check("kept")["kept/as-stated"]
    assert second.notes == ("the invariant of the proof is not the one in the spec",)
