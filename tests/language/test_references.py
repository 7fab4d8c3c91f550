from __future__ import annotations

import pathlib

import pytest

from verifier.language.folder import load_library
from verifier.language.references import find_dependents, join_claims, select_readings

HEAD = """
title: A claim for tests
source: {document: test, place: none, says: A claim for tests.}
"""
START = "{step: start, expect: proved, steps: {start: {conclude: [ply == 0]}}}"
JOIN = "{joins: [second/as-stated, third/as-stated], expect: proved}"
STEP = "{step: reply, strategies: {X: NAME}, expect: supported, steps: {one: {conclude: [ply > 0]}}}"
FILES = {
    "definitions/base.yaml": f"definitions: base{HEAD}define: {{a: ply == 0}}\n",
    "definitions/more.yaml": f"definitions: more{HEAD}includes: [base]\ndefine: {{b: a}}\n",
    "definitions/unused.yaml": f"definitions: unused{HEAD}define: {{c: ply == 0}}\n",
    "test.yaml": "document: test\ntitle: A document\nnote: Tests.\n",
    "list.yaml": "coverage: test\ncontents: {one: {'1': {says: All., readings: [first, second, third, whole]}}}\n",
    "first.yaml": f"claim: first{HEAD}rules: paper\nincludes: [more]\nreadings: {{as-stated: {START}}}\n",
    "second.yaml": f"claim: second{HEAD}rules: paper\nreadings: {{as-stated: {START}}}\n",
    "third.yaml": f"claim: third{HEAD}rules: paper\nreadings: {{as-stated: {STEP.replace('NAME', 'mover#only')}}}\n",
    "whole.yaml": f"claim: whole{HEAD}rules: paper\nreadings: {{as-stated: {JOIN}}}\n",
    "mover.yaml": f"strategy: mover{HEAD}rules: paper\nplayer: X\nincludes: [base]\n"
    "phases: {only: {rules: {any: {for: {s: spots}, when: 'free[0,s]', play: [0, s]}}}}\n",
}


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "claims"),
    [
        ("first.yaml", ["first"]),
        ("definitions/more.yaml", ["first"]),
        ("definitions/base.yaml", ["first", "third"]),
        ("mover.yaml", ["third"]),
        ("definitions/unused.yaml", []),
        ("test.yaml", []),
        ("list.yaml", []),
        ("none.yaml", None),
    ],
)
def test_a_file_bears_on_claims(file: str, claims: list[str] | None, folder: pathlib.Path) -> None:
    """Its own; or those that use its strategy or definitions, also by way of other files."""
    assert find_dependents(load_library(folder), file) == claims


def test_with_a_repair_that_is_joined_comes_what_it_repairs(folder: pathlib.Path) -> None:
    """Whether that holds says how the claim stands; of another reading nothing is asked."""
    repair = START.replace("expect", "repairs: [as-stated], note: It is another one., expect")
    (folder / "second.yaml").write_text(
        f"claim: second{HEAD}rules: paper\nreadings:\n  as-stated: {START}\n  mended: {repair}\n  other: {START}\n"
    )
    joins = JOIN.replace("as-stated", "mended", 1)
    (folder / "whole.yaml").write_text(f"claim: whole{HEAD}rules: paper\nreadings: {{all: {joins}}}\n")
    library = load_library(folder)
    found = select_readings(library, join_claims(library, ["whole"]), "all")
    assert found == [("whole", "all"), ("second", "as-stated"), ("second", "mended"), ("third", "as-stated")]


def test_a_conjunction_needs_what_it_joins(folder: pathlib.Path) -> None:
    assert join_claims(load_library(folder), ["whole", "first"]) == ["whole", "first", "second", "third"]
