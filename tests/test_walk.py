"""The walk that ARCHITECTURE.md describes is the one that a reading takes."""

import importlib
import multiprocessing
import pathlib
import re
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from types import CodeType, FrameType
from typing import Any

import verifier
from tests.audit.made import ROOT, check, make_plan
from tests.commands import command
from verifier.audit.ledger import Ledger, ledger_to_json

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


def follow(work: Callable[[], object]) -> list[tuple[str, str]]:
    """Return each function of the package that some work calls, with its module, in order."""
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
        work()
    finally:
        sys.setprofile(None)
    return list(entered)


def check_one(cache: pathlib.Path) -> list[tuple[str, str]]:
    """Follow a run over one reading that has never been checked."""
    for name in ("audit.reading", "questions.plays.evidence"):  # what they do when loaded is not a step
        importlib.import_module(f"verifier.{name}")
    ledgers = list[Ledger]()

    def work() -> None:
        ledgers.append(check(make_plan(ROOT / "specs/examples", "careful-first-is-safe", cache=cache)))
        ledger_to_json(ledgers[0])

    entered = follow(work)
    assert [str(reading.verdict) for reading in ledgers[0].readings] == ["proved"]
    return entered


def type_one() -> list[tuple[str, str]]:
    """Follow the command that checks one reading on its shipped evidence, and remembers nothing."""
    return follow(lambda: command("check", "rules-start", "--no-cache"))


def test_a_reading_takes_the_walk_that_is_described(tmp_path: pathlib.Path) -> None:
    steps = read_walk()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:  # nothing is known there
        entered = pool.submit(check_one, tmp_path).result()
    assert [item for item in entered if item in steps] == steps


UNASKED = {
    "decision_to_json": "a result is written as JSON only if it is remembered",
    "recall_decided": "nothing is looked up if nothing is remembered",
    "replace_whole": "shipped evidence is not copied for nobody",
    "_hint_at_repairs": "only repairs have such hints",
    "_find_borrowed": "nothing is borrowed if nothing is offered",
    "name_counts": "corrections are named only if there are some",
}


def test_a_command_does_not_do_what_nobody_asked_for() -> None:
    """Each of these functions has a reason why it is not called. Other functions of their modules are."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        entered = {name for name, _ in pool.submit(type_one).result()}
    assert {"check", "judge", "conclude", "say_corrections"} <= entered
    assert {name: reason for name, reason in UNASKED.items() if name in entered} == {}
