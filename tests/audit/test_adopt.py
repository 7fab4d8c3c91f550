"""What ``verifier recheck`` has decided is known to ``verifier show``, for the same bytes of the certificate."""

import pathlib
import shutil
from typing import Any

import pytest

import verifier
from tests.commands import command
from tests.lines import PROOFS
from tests.rules import SPECS
from verifier.api.specs import Specs
from verifier.audit.store import result_from_json, result_to_json
from verifier.kernel.certificate import evidence_path, read_index, unpack
from verifier.kernel.verdict import Belief, Result, Verdict
from verifier.packing import pack
from verifier.questions.result import DecisionStatus, ReadingResult

CLAIM = "beyond-odd-plies"


@pytest.fixture
def proofs(tmp_path: pathlib.Path) -> pathlib.Path:
    """Make a folder with the certificate of one claim about steps, and all files that certificates name. Return it."""
    folder = tmp_path / "proofs"
    (folder / "evidence").mkdir(parents=True)
    shutil.copy(PROOFS / "INDEX.json", folder)
    shutil.copytree(PROOFS / "tables", folder / "tables")
    path = evidence_path(read_index(PROOFS).filed[f"{CLAIM}/as-stated"])
    shutil.copy(PROOFS / path, folder / path)
    return folder


def look(specs: Specs) -> ReadingResult:
    (reading,) = specs.look(CLAIM, compiled=[CLAIM]).readings
    return reading


def test_show_knows_what_recheck_has_decided(
    proofs: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result is the same as that of a check. With ``--no-cache``, recheck remembers nothing.

    Nothing is compiled before recheck has decided a certificate of the reading.
    """
    cache = tmp_path / "cache"
    specs = verifier.load(SPECS, proofs=proofs, cache=cache)
    recheck = ("recheck", CLAIM, "--jobs", 1, "--proofs", proofs)
    assert command(*recheck, "--cache", cache, "--no-cache").code == 0
    before = look(specs)
    assert not before.is_run
    with monkeypatch.context() as patch:
        patch.setattr("verifier.audit.reading.compile_key", lambda *_: pytest.fail("it is compiled"))
        assert not specs.adopt([before])
    assert command(*recheck, "--cache", cache).code == 0
    assert specs.adopt([before])
    known = look(specs)
    assert known.decided is DecisionStatus.REMEMBERED
    assert known == verifier.load(SPECS, proofs=proofs, cache=False).check(CLAIM)[known.name]


def test_another_certificate_is_not_known(proofs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """After recheck, a certificate that has changed has to be decided again, even if it makes the same statement."""
    cache = tmp_path / "cache"
    assert command("recheck", CLAIM, "--jobs", 1, "--proofs", proofs, "--cache", cache).code == 0
    (path,) = (proofs / "evidence").iterdir()
    value = unpack(path.read_bytes(), "evidence")
    value["evidence"].get("obligations", {}).pop("refutations", None)
    path.write_bytes(pack(value))
    specs = verifier.load(SPECS, proofs=proofs, cache=cache)
    assert not specs.adopt([look(specs)])


def test_a_result_of_the_kernel_is_read_as_it_was_written() -> None:
    """Data that are not such a result are refused."""
    result = Result(Verdict.SUPPORTED, "why", frozenset({Belief.SOLVER}), {"obligations": 3})
    assert result_from_json(result_to_json(result)) == result
    told = result_to_json(result)
    changes: list[dict[str, Any]] = [
        {"verdict": "SURE"},
        {"stats": []},
        {"stats": {"obligations": "3"}},
        {"beliefs": [[]]},
    ]
    for wrong in changes:
        value = {**told, **wrong}
        with pytest.raises(ValueError, match="not a result"):
            result_from_json(value)
