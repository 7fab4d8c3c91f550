"""The walk that ARCHITECTURE.md describes is the one that a reading takes."""

import importlib
import multiprocessing
import pathlib
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from types import CodeType, FrameType
from typing import Any

import verifier
from tests.audit.made import ROOT, check, make_plan
from verifier.audit.ledger import ledger_to_json

PACKAGE = pathlib.Path(verifier.__file__).parent


def read_walk() -> list[tuple[str, str]]:
    """Return the steps of the section, each as a function and its module."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text.split("## The walk\n")[1].split("\n## ")[0]
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", section, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    steps = re.findall(r"^\d+\. `([\w.]+)` in `(verifier/[\w/]+\.py)`", section, re.MULTILINE)
    assert len(steps) == len(numbers)
    return steps


def follow(cache: pathlib.Path) -> list[tuple[str, str]]:
    """Return each function of the package that a run over one reading calls, with its module, in order."""
    for name in ("audit.reading", "questions.plays.evidence"):  # what they do when loaded is not a step
        importlib.import_module(f"verifier.{name}")
    entered: dict[tuple[str, str], None] = {}
    seen: dict[int, CodeType] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        if id(frame.f_code) in seen:
            return
        seen[id(frame.f_code)] = frame.f_code
        file, name = pathlib.PurePath(frame.f_code.co_filename), frame.f_code.co_qualname
        if event == "call" and file.is_relative_to(PACKAGE) and not name.startswith("<"):
            entered.setdefault((name, file.relative_to(PACKAGE.parent).as_posix()))

    sys.setprofile(note)
    try:
        outcome = check(make_plan(ROOT / "specs/examples", "careful-first-is-safe", cache=cache))
        ledger_to_json(outcome)
    finally:
        sys.setprofile(None)
    assert [str(reading.verdict) for reading in outcome.readings] == ["proved"]
    return list(entered)


def test_a_reading_takes_the_walk_that_is_described(tmp_path: pathlib.Path) -> None:
    steps = read_walk()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:  # nothing is known there
        entered = pool.submit(follow, tmp_path).result()
    assert [item for item in entered if item in steps] == steps
