from __future__ import annotations

import json
import pathlib
import shutil

import pytest

from tests.kernel.test_corpus import CORPUS, lay_out, read
from verifier.cli import main
from verifier.kernel.store import evidence_path

ROOT = pathlib.Path(__file__).parents[1]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_check_one_claim(capsys: pytest.CaptureFixture[str]) -> None:
    """A claim's verdict is printed, and exit code 0 says that it is the expected one."""
    code, out, _ = run(capsys, "check", "rules-start", "--jobs", "1")
    assert code == 0
    assert "rules-start" in out
    assert "proved as stated" in out


def test_check_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON has the documented keys, and an exhaustive reading its counts."""
    code, out, _ = run(
        capsys, "check", "careful-first-is-safe", "lowest-spot-keeps-fields", "--format", "json", "--jobs", "1"
    )
    value = json.loads(out)
    assert code == 0
    assert value["schema"] == 4
    claims = {claim["id"]: claim for claim in value["claims"]}
    proved, refuted = (claims[name]["readings"][0] for name in ("careful-first-is-safe", "lowest-spot-keeps-fields"))
    assert set(proved["stats"]) >= {"positions", "edges", "leaves"}
    assert proved["certificate"]["sha256"]
    assert refuted["verdict"] == "refuted"
    assert len(refuted["witness"]["moves"]) == 5


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "no-such-claim"),
        ("check", "rules-start", "--reading", "none"),
        ("check", "--specs", "/no/such/folder"),
        ("recheck", "--proofs", "/no/such/folder"),
        ("recheck", "no-such-claim"),
        ("show", "no-such-claim"),
        ("graph", "no/such"),
        ("graph", "rules-start"),
    ],
)
def test_bad_usage_is_exit_code_2(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """What is not there is named in one message, with exit code 2 and no traceback."""
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert err.strip()
    assert "Traceback" not in err


def test_an_unexpected_verdict_is_exit_code_1(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A verdict that is not the expected one is told, with exit code 1."""
    text = (ROOT / "specs/paper/1-introduction/rules-start.yaml").read_text()
    (tmp_path / "x.yaml").write_text(text.replace("expect: proved", "expect: refuted"))
    code, out, _ = run(capsys, "check", "--specs", str(tmp_path), "--jobs", "1")
    assert code == 1
    assert "expected refuted, found proved" in out


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


def test_recheck_says_how_much_was_refuted(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So does a solver's word for obligations that nothing refutes."""
    lay_out(tmp_path, read(CORPUS / "valid" / "steps-models.json"))
    code, out, _ = run(capsys, "recheck", "--proofs", str(tmp_path))
    assert code == 1
    assert out.startswith("supported  ")
    assert "followed refutations of 0 of 2 obligations; that a solver, " in " ".join(out.split())


def test_list_names_every_claim_with_its_standing(capsys: pytest.CaptureFixture[str]) -> None:
    """A line each below its document, with the filter that ``check`` has; nothing is decided for it."""
    code, out, _ = run(capsys, "list", "examples")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "examples: Examples for authors of specs (2 claims)"
    assert any(line.split()[:3] == ["not", "run", "lowest-spot-keeps-fields"] for line in lines)
    assert run(capsys, "check", "lowest-spot-keeps-fields", "--jobs", "1")[0] == 0
    _, out, _ = run(capsys, "list", "examples")
    assert len(out.splitlines()) == len(lines)
    assert any(line.split()[:2] == ["refuted", "lowest-spot-keeps-fields"] for line in out.splitlines())


@pytest.mark.parametrize("command", ["check", "show", "explain", "graph", "play"])
def test_a_typo_is_answered_with_the_name_that_was_meant(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, exit code 2."""
    code, _, err = run(capsys, command, "lema-3")
    assert code == 2
    assert "did you mean 'lemma-3'" in err
    assert err.count("\n") == 1


def test_engines_that_disagree_are_exit_code_4(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """When enumeration refutes what induction is said to agree with, the run ends with exit code 4."""
    (tmp_path / "x.yaml").write_text("""\
claim: split
title: Two engines on one claim
source: {document: none, place: here, says: a broken pair}
rules: paper
readings:
  induction:
    step: move
    expect: proved
    steps:
      one: {conclude: [ply == old(ply) + 1]}
  enumeration:
    plays: all
    expect: proved
    agrees_with: induction
    claimant: X
    horizon: 1
    objectives:
      wrong: {some: ply == 5, at: every}
""")
    code, out, _ = run(capsys, "check", "--specs", str(tmp_path), "--jobs", "1")
    assert code == 4
    assert "two engines disagree" in out


def test_show_draws_the_witness(capsys: pytest.CaptureFixture[str]) -> None:
    """A refuted claim is shown with its line and boards."""
    code, out, _ = run(capsys, "show", "lowest-spot-keeps-fields")
    assert code == 0
    assert "verifier check lowest-spot-keeps-fields" in out
    assert run(capsys, "check", "lowest-spot-keeps-fields", "--jobs", "1")[0] == 0
    code, out, _ = run(capsys, "show", "lowest-spot-keeps-fields")
    assert code == 0
    assert "---------+---------+---------" in out
    assert "fields won" in out


def test_show_tells_an_invariant_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """What the paper says, whether it holds, what is kept, in sentences, and who decided it: in this order."""
    assert run(capsys, "check", "lemma-5", "--jobs", "1")[0] == 0
    code, out, _ = run(capsys, "show", "lemma-5")
    assert code == 0
    text = " ".join(out.split())
    told = [
        "every field holds one and only one X",
        "standing: proved",
        "no field holds two X",
        "trust: the kernel alone",
    ]
    places = [text.find(words) for words in told]
    assert -1 not in places
    assert places == sorted(places)
    assert "one_each" not in text


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
    assert "through: 5" in text
    spec.write_text(text.replace("through: 5", "through: 4"))
    code, out, _ = run(capsys, "validate", str(specs), "--proofs", str(proofs))
    assert code == 4
    assert "lowest-spot-keeps-fields/as-stated: the certificate states something else" in out
