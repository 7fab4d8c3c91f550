"""``python -m tests.corpus DIR``: write the corpus as folders that any checker can read, with the expected answers.

``proofs/README.md`` describes the files.
"""

import json
import pathlib
import sys
from typing import Any

from tests.kernel.test_corpus import INVALID, MALFORMED, VALID, answer_to, lay_out, lay_out_malformed, name, read


def write(root: pathlib.Path) -> dict[str, dict[str, Any]]:
    """Write a folder for each case. Return the answer to each case."""
    expected: dict[str, dict[str, Any]] = {}
    for path in (*VALID, *INVALID, *MALFORMED):
        key = f"{path.parent.name}/{name(path)}"
        told: dict[str, Any] = {"answer": answer_to(path)}
        if path in MALFORMED:
            lay_out_malformed(root / key, path)
            told |= {"kind": None, "reason": path.name.split(".")[1]}
        else:
            case = read(path)
            lay_out(root / key, case)
            told |= {"kind": case["certificate"]["statement"].get("kind"), "reason": case.get("reason")}
        expected[key] = told
    (root / "EXPECTED.json").write_text(json.dumps(expected, indent=1) + "\n")
    return expected


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.corpus DIR")
    print(f"{len(write(pathlib.Path(sys.argv[1])))} cases in {sys.argv[1]}")
