from __future__ import annotations

import pathlib
import time

import pytest

from verifier.language.folder import load_library
from verifier.language.loader import Document, load_document, parse_document
from verifier.language.problem import SpecProblemsError

CLAIM = """\
claim: tiny
title: A tiny claim
source: {document: none, place: here, says: nothing much}
rules: paper
readings:
  as-stated:
    expect: proved
    steps:
      start: {conclude: [ply >= 0]}
"""


def problems_of(text: str) -> list[str]:
    document = Document("x.yaml")
    parse_document(text, document)
    return [str(problem) for problem in document.problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\na: 2", "x.yaml:2:1: the key 'a' stands twice"),
        ("a: yes", "x.yaml:1:4: 'yes' is a boolean to some readers"),
        ("on: 1", "x.yaml:1:1: the key 'on' is a boolean to some readers"),
        ("a: 017", "x.yaml:1:4: '017' is read differently"),
        ("a: 1_000", "x.yaml:1:4: '1_000' is read differently"),
        ("a: &b 1\nc: *b", "x.yaml:1:4: an anchor"),
        ("a: *b", "x.yaml:1:4: an alias"),
        ("a: !!python/object 1", "x.yaml:1:4: a tag"),
        ("a:", "x.yaml:1:3: an empty value"),
        ("a: [1", "not YAML"),
        ("", "is empty"),
        ("a: 1\n---\nb: 2", "a second document"),
        ("[1]: 2", "a key is a word"),
    ],
)
def test_loose_yaml_is_refused(text: str, expected: str) -> None:
    """What YAML readers disagree on, or what hides something, is refused at its line and column."""
    assert any(expected in problem for problem in problems_of(text)), problems_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 100_000,
        "a: &a [" + "x," * 50_000 + "]\n" + "\n".join(f"b{i}: *a" for i in range(1000)),
        "a: '" + "x" * 10_000_000 + "'",
        CLAIM.replace("ply >= 0", '"' + "(" * 3000 + "1" + ")" * 900 + '"'),
        CLAIM.replace("ply >= 0", '"' + " + ".join(["ply"] * 900) + ' == 1 and not ' * 3 + '"'),
        CLAIM.replace("ply >= 0", "all(" * 7 + "X[a, b]" + "".join(f" for {c} in FIELDS)" for c in "abcdefg")),
        CLAIM.replace("ply >= 0", "any(X[0, 0]" + "".join(f" for {c} in FIELDS" for c in "abcdeg") + ")"),
    ],
    ids=["deep", "aliases", "ten megabytes", "parentheses", "long", "nested loops", "expansion"],
)  # fmt: skip
def test_hostile_specs_end_in_a_clear_error_within_a_second_or_so(text: str, tmp_path: pathlib.Path) -> None:
    """A spec that is made to explode is refused quickly; the bound is generous because machines are noisy."""
    from verifier.language.compile import validate_folder

    (tmp_path / "x.yaml").write_text(text)
    before = time.process_time()
    assert validate_folder(tmp_path)[2]
    assert time.process_time() - before < 5


def test_every_problem_is_reported_at_once(tmp_path: pathlib.Path) -> None:
    """Unknown keys, wrong types and missing keys of one file come together, with their places."""
    (tmp_path / "x.yaml").write_text(
        CLAIM.replace("rules: paper", "rules: 7\nwish: 1").replace("expect: proved", "expect: maybe")
    )
    with pytest.raises(SpecProblemsError) as caught:
        load_library(tmp_path)
    text = str(caught.value)
    assert "x.yaml:5:1: 'wish' is not a key here" in text
    assert "x.yaml:4:8: rules" in text
    assert "x.yaml:8:13: readings.as-stated.expect" in text


def test_a_circle_of_claims_is_refused(tmp_path: pathlib.Path) -> None:
    """Claims may not rest on each other in a circle."""
    (tmp_path / "a.yaml").write_text(CLAIM.replace("claim: tiny", "claim: a\nuses: [b]"))
    (tmp_path / "b.yaml").write_text(CLAIM.replace("claim: tiny", "claim: b\nuses: [a]"))
    with pytest.raises(SpecProblemsError, match="a circle: a → b → a"):
        load_library(tmp_path)


def test_the_python_loader_reads_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """Without the C loader, the same file gives the same value and the same places."""
    import yaml

    (tmp_path / "x.yaml").write_text(CLAIM)
    first = load_document(tmp_path / "x.yaml", "x.yaml")
    monkeypatch.setattr("verifier.language.loader._Loader", yaml.SafeLoader)
    second = load_document(tmp_path / "x.yaml", "x.yaml")
    assert (first.value, first.marks) == (second.value, second.marks)


@pytest.mark.parametrize("name", ["claim.yml", "claim.YAML"])
def test_a_spec_of_another_ending_is_not_missed_without_a_word(name: str, tmp_path: pathlib.Path) -> None:
    """It is not read, and that is a fault; what is not a spec may have any name."""
    (tmp_path / "tiny.yaml").write_text(CLAIM)
    (tmp_path / "workflow.yml").write_text("name: claims\non: [push]\n")
    load_library(tmp_path)
    (tmp_path / name).write_text(CLAIM.replace("tiny", "other"))
    with pytest.raises(SpecProblemsError, match=f"{name}:1:1: is not read: the name of a spec file ends in .yaml"):
        load_library(tmp_path)


@pytest.mark.skipif(not pathlib.Path("/dev/zero").exists(), reason="no endless file here")
def test_an_endless_file_is_read_no_further_than_others(tmp_path: pathlib.Path) -> None:
    """A device is not a file of specs, neither for what it says nor for what it is about."""
    (tmp_path / "endless.yaml").symlink_to("/dev/zero")
    with pytest.raises(SpecProblemsError, match="cannot be read: no regular file"):
        load_library(tmp_path)


def test_a_large_file_is_read_no_further_than_others(tmp_path: pathlib.Path) -> None:
    """What is longer than a spec is told as such."""
    (tmp_path / "large.yaml").write_text("# again and again\n" * 20_000)
    with pytest.raises(SpecProblemsError, match="is larger than 262144 bytes"):
        load_library(tmp_path)
