from __future__ import annotations

import json
import pathlib
import shutil

from tests.commands import ROOT, command


def test_validate_looks_at_what_an_index_says_of_joins(tmp_path: pathlib.Path) -> None:
    """What joins others has no certificate of its own, and the index names all that it joins: recheck goes by that."""
    specs, proofs = tmp_path / "specs", tmp_path / "proofs"
    shutil.copytree(ROOT / "specs" / "examples", specs)
    both = ["careful-first-is-safe/as-stated", "lowest-spot-keeps-fields/as-stated"]
    text = (specs / "careful-first-is-safe.yaml").read_text().partition("readings:")[0]
    text = text.replace("claim: careful-first-is-safe", "claim: both")
    reading = f"readings:\n  as-stated: {{expect: refuted, joins: [{', '.join(both)}]}}\n"
    (specs / "both.yaml").write_text(text + reading)
    assert command("check", "--specs", specs, "--out", proofs, "--jobs", "1").code == 0
    assert command("validate", specs, "--proofs", proofs).code == 0
    index = json.loads((proofs / "INDEX.json").read_text())
    assert index["joins"] == {"both/as-stated": both}
    for key, value, said in (
        ("filed", index["filed"] | {"both/as-stated": index["filed"][both[0]]}, "states nothing of its own"),
        ("joins", {"both/as-stated": both[:1]}, "joins other readings than it does"),
        ("joins", {}, "joins other readings than it does"),
        ("joins", index["joins"] | {"no-such/claim": both}, "is not a reading in these specs"),
    ):
        (proofs / "INDEX.json").write_text(json.dumps(index | {key: value}))
        told = command("validate", specs, "--proofs", proofs)
        assert (told.code, said in told.out) == (4, True), told.out
