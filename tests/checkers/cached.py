"""Specs and runs for the tests of the cache."""

from __future__ import annotations

import json
import pathlib
import shutil
from typing import Any

import pytest

from verifier.checkers import reading
from verifier.cli import main
from verifier.kernel.certificate import hash_bytes, unpack

ROOT = pathlib.Path(__file__).parents[2]

MORE = """\
claim: {name}
title: A claim for tests
source: {{document: examples, place: none, says: A claim for tests.}}
rules: {rules}
{rest}
"""
STARTS = """\
readings:
  as-stated: {method: entailment, at: start, expect: proved, parts: {start: {conclude: [ply == 0]}}}"""
JOINED = "[starts/as-stated, careful-first-is-safe/as-stated]"
JOINS = f"readings:\n  as-stated: {{method: conjunction, expect: proved, joins: {JOINED}}}"
STEPS = """\
readings:
  as-stated:
    method: induction
    step: move
    expect: proved
    parts: {one: {given: [not over], conclude: [ply == old(ply) + 1]}}"""


def write_specs(folder: pathlib.Path) -> pathlib.Path:
    """Write the example claims, one refuted and one with a table, an induction, and a conjunction."""
    shutil.copytree(ROOT / "specs" / "examples", folder)
    for name, rest in (("starts", STARTS), ("joins", JOINS), ("steps", STEPS)):
        rules = "paper" if name == "steps" else "tictactoe"
        (folder / f"{name}.yaml").write_text(MORE.format(name=name, rules=rules, rest=rest))
    return folder


def edit(path: pathlib.Path, old: str, new: str) -> None:
    """Replace a text that stands in a file once."""
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


class Runner:
    """Runs ``verifier check`` in this process and notes which readings a checker was asked about."""

    def __init__(self, specs: pathlib.Path, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.specs = specs
        self.capsys = capsys
        self.checked: list[str] = []
        check = reading._check

        def noted(root: pathlib.Path, task: Any, *rest: Any) -> Any:
            self.checked.append(f"{task.claim}/{task.name}")
            return check(root, task, *rest)

        patch.setattr(reading, "_check", noted)

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Return the exit code, what was printed, and the warnings."""
        self.checked.clear()
        reading.load_once.cache_clear()
        code = main(["check", "--specs", str(self.specs), "--jobs", "1", *arguments])
        out, err = self.capsys.readouterr()
        assert "Traceback" not in err
        assert "internal error" not in err
        return code, out, err


def entries(cache: pathlib.Path, kind: str = "statement") -> list[pathlib.Path]:
    """Return the entries of a cache."""
    return sorted(cache.glob(f"*/{kind}-*"))


def entry_of(cache: pathlib.Path, reference: str) -> pathlib.Path:
    """Return the entry that holds the result of a reading."""
    wanted = reference.split("/")
    found = {path: open_entry(path)[0] for path in entries(cache)}
    (path,) = (path for path, value in found.items() if [value["claim"], value["reading"]] == wanted)
    return path


def open_entry(path: pathlib.Path) -> tuple[dict[str, Any], bytes]:
    """Return an entry's manifest and the bytes of its files."""
    body = path.read_bytes().split(b"\n", 1)[1][64:]
    text, _, rest = body.partition(b"\n")
    return json.loads(text), rest


def forge(path: pathlib.Path, manifest: Any, rest: bytes) -> None:
    """Write an entry whose checksum is right."""
    body = json.dumps(manifest).encode() + b"\n" + rest
    path.write_bytes(b"claim-verifier cache 1\n" + hash_bytes(body).encode() + body)


def forge_file(path: pathlib.Path, data: bytes, number: int = 0, **changes: Any) -> None:
    """Put other bytes in the place of a file of an entry, with checksums that are right, and change its result."""
    manifest, rest = open_entry(path)
    sizes = [size for _, size in manifest["files"]]
    start = sum(sizes[:number])
    manifest["files"][number][1] = len(data)
    name = manifest["files"][number][0]
    if name == manifest["result"]["path"]:
        manifest["result"]["sha256"] = hash_bytes(data)
    manifest["result"] |= changes
    forge(path, manifest, rest[:start] + data + rest[start + sizes[number] :])


def certificate_of(path: pathlib.Path) -> dict[str, Any]:
    """Return the certificate in an entry."""
    manifest, rest = open_entry(path)
    value: dict[str, Any] = unpack(rest[: manifest["files"][0][1]], "certificate")
    return value


def tree_of(folder: pathlib.Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
