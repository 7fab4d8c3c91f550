"""A second checker, in JavaScript, made only from ``proofs/README.md``, answers as that text says.

Node.js runs it. Without Node.js these tests skip, unless ``VERIFIER_REQUIRE_NODE`` is set; then they fail.
"""

import collections
import gzip
import json
import os
import pathlib
import shutil
import subprocess
from typing import Any

import pytest

from tests.corpus.__main__ import write

pytestmark = pytest.mark.slow

ROOT = pathlib.Path(__file__).parents[2]
CHECKER = pathlib.Path(__file__).parent / "check.mjs"
NOT_DONE = ("steps", "bound")

# Where both refuse, and not for the same reason: the text lets a checker meet another fault first.
OTHER_REASONS = {
    "invalid/pairs-by-another-notation": "malformed",  # it reads all positions of a table before it walks
    "invalid/sum-position-added": "malformed",  # the position has a mark O, and marks are shared
    "malformed/not-utf-8": "not-canonical",  # it reads bytes, and canonical JSON has none above 127
}


@pytest.fixture(scope="module", name="node")
def where_node_is() -> str:
    """The path of Node.js."""
    path = shutil.which("node") or shutil.which("nodejs")
    if path is None:
        assert "VERIFIER_REQUIRE_NODE" not in os.environ, "VERIFIER_REQUIRE_NODE is set, and there is no node"
        pytest.skip("no node: apt-get install --no-install-recommends nodejs")
    return path


def check(node: str, folder: pathlib.Path) -> tuple[int, dict[str, tuple[str, str]]]:
    """Return the exit code, and answer and reason by key (for a file without a name, by the 16 digits in its name)."""
    done = subprocess.run([node, str(CHECKER), str(folder)], capture_output=True, text=True, check=False)
    assert done.stderr == "", done.stderr
    answers = {}
    for line in done.stdout.splitlines():
        words = line.split(" ")
        answer = " ".join(words[:2]) if words[0] == "not" else words[0]
        reason, key = words[len(answer.split(" ")) :][:2]
        answers[key] = (answer, reason)
    return done.returncode, answers


def is_done(certificate: Any) -> bool:
    """Return whether the second checker decides certificates of this kind."""
    statement, evidence = certificate["statement"], certificate["evidence"]
    is_general = statement["rules"]["family"] == "general"
    return statement["kind"] not in NOT_DONE and "invariant" not in evidence and not is_general


def read(path: pathlib.Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def test_the_second_checker_answers_the_corpus_as_expected(node: str, tmp_path: pathlib.Path) -> None:
    expected = write(tmp_path)
    codes = {"proved": 0, "refuted": 0, "not decided": 1, "rejected": 4}
    number: collections.Counter[str] = collections.Counter()
    wrong = {}
    for key, told in expected.items():
        code, answers = check(node, tmp_path / key)
        if any(answer == "not done" for answer, _ in answers.values()):
            assert told["kind"] in (*NOT_DONE, "play", "count"), key  # not done: also general rules
            for path in (tmp_path / key / "evidence").iterdir():
                assert not is_done(read(path)), key
            continue
        number[key.split("/")[0]] += 1
        reason = OTHER_REASONS.get(key, told["reason"]) or "-"
        wanted = codes[told["answer"]] if answers.keys() != {"INDEX.json"} or told["answer"] == "rejected" else 2
        if code != wanted or (told["answer"], reason) not in answers.values():
            wrong[key] = (told["answer"], reason, code, answers)
    assert not wrong
    assert number["valid"] >= 67
    assert number["invalid"] >= 220
    assert number["malformed"] >= 51


def test_the_second_checker_accepts_the_shipped_proofs(node: str) -> None:
    code, answers = check(node, ROOT / "proofs")
    assert code == 0
    number = 0
    for path in sorted((ROOT / "proofs" / "evidence").glob("*.json.gz")):
        certificate = read(path)
        name = path.name.removesuffix(".json.gz")
        (answer,) = [answer for key, answer in answers.items() if key[:16] + key[64:] == name]
        if is_done(certificate):
            number += 1
            assert answer == (certificate["verdict"], "-"), name
        else:
            assert answer == ("not done", "-"), name
    assert number >= 330
