from __future__ import annotations

import json
import pathlib
import shutil

import pytest

from verifier.cli import main
from verifier.kernel.store import evidence_path

ROOT = pathlib.Path(__file__).parents[1]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_changed_evidence_is_exit_code_4(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``recheck`` rejects it; ``check`` looks for other evidence, and replaces it."""
    proofs = str(tmp_path / "proofs")
    assert run(capsys, "check", "rules-start", "--out", proofs, "--jobs", "1")[0] == 0
    (path,) = (tmp_path / "proofs/evidence").iterdir()
    path.write_bytes(path.read_bytes()[:-9])
    code, out, _ = run(capsys, "recheck", "rules-start", "--proofs", proofs)
    assert code == 4
    assert "rejected" in out
    assert run(capsys, "check", "rules-start", "--out", proofs, "--no-cache", "--jobs", "1")[0] == 0
    assert run(capsys, "recheck", "rules-start", "--proofs", proofs)[0] == 0


def test_validate_looks_at_what_an_index_says_of_joins(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What joins others has no certificate of its own, and the index names all that it joins: recheck goes by that."""
    specs, proofs = tmp_path / "specs", tmp_path / "proofs"
    shutil.copytree(ROOT / "specs" / "examples", specs)
    both = ["careful-first-is-safe/as-stated", "lowest-spot-keeps-fields/as-stated"]
    text = (specs / "careful-first-is-safe.yaml").read_text().partition("readings:")[0]
    text = text.replace("claim: careful-first-is-safe", "claim: both")
    reading = f"readings:\n  as-stated: {{expect: refuted, joins: [{', '.join(both)}]}}\n"
    (specs / "both.yaml").write_text(text + reading)
    assert run(capsys, "check", "--specs", str(specs), "--out", str(proofs), "--jobs", "1")[0] == 0
    assert run(capsys, "validate", str(specs), "--proofs", str(proofs))[0] == 0
    index = json.loads((proofs / "INDEX.json").read_text())
    assert index["joins"] == {"both/as-stated": both}
    for key, value, said in (
        ("filed", index["filed"] | {"both/as-stated": index["filed"][both[0]]}, "states nothing of its own"),
        ("joins", {"both/as-stated": both[:1]}, "joins other readings than it does"),
        ("joins", {}, "joins other readings than it does"),
        ("joins", index["joins"] | {"no-such/claim": both}, "is not a reading in these specs"),
    ):
        (proofs / "INDEX.json").write_text(json.dumps(index | {key: value}))
        code, out, _ = run(capsys, "validate", str(specs), "--proofs", str(proofs))
        assert (code, said in out) == (4, True), out


def test_validate(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Well-formed specs are so, and a certificate of something else than its spec says is stale: exit code 4."""
    specs, proofs = tmp_path / "specs", tmp_path / "proofs"
    shutil.copytree(ROOT / "specs" / "examples", specs)
    assert run(capsys, "check", "--specs", str(specs), "--out", str(proofs), "--jobs", "1")[0] == 0
    code, out, _ = run(capsys, "validate", str(specs), "--proofs", str(proofs))
    assert code == 0, out
    assert "nothing wrong" in out
    assert "the certificates state what the specs say" in out
    index = json.loads((proofs / "INDEX.json").read_text())["filed"]
    careful, lowest = (
        proofs / evidence_path(index[f"{name}/as-stated"])
        for name in ("careful-first-is-safe", "lowest-spot-keeps-fields")
    )
    shutil.copy(lowest, careful)
    code, out, _ = run(capsys, "validate", str(specs), "--proofs", str(proofs))
    assert code == 4
    assert f"careful-first-is-safe/as-stated: other-statement: evidence/{careful.name} states something else" in out
    careful.unlink()
    code, out, _ = run(capsys, "validate", str(specs), "--proofs", str(proofs))
    assert code == 4
    assert f"careful-first-is-safe/as-stated: unreadable: evidence/{careful.name}" in out
    spec = next(specs.rglob("lowest-spot-keeps-fields.yaml"))
    text = spec.read_text()
    assert "by: 5" in text
    spec.write_text(text.replace("by: 5", "by: 4"))
    code, out, _ = run(capsys, "validate", str(specs), "--proofs", str(proofs))
    assert code == 4
    assert "lowest-spot-keeps-fields/as-stated: the certificate states something else" in out
