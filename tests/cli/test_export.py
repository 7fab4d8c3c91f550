import json
import pathlib
import shutil

from tests.audit.made import MADE, check, make_plan
from tests.commands import command


def test_a_name_that_is_none_names_no_file(tmp_path: pathlib.Path) -> None:
    """Names are those of an index, which may be somebody else's: what is not an id ends in one error."""
    specs, out = tmp_path / "specs", tmp_path / "out"
    specs.mkdir()
    shutil.copy(MADE / "steps.yaml", specs)
    assert check(make_plan(specs, out=out)).exit_code == 0
    index = json.loads((out / "INDEX.json").read_text())
    index["filed"] = {"a\0b/c\n\x1b[31mproved": index["filed"]["steps/as-stated"]}
    (out / "INDEX.json").write_text(json.dumps(index))
    told = command("export", "smt2", "--proofs", out, tmp_path / "files")
    assert (told.code, told.out, told.err.count("\n")) == (4, "", 1)
    assert not (tmp_path / "files").exists()
