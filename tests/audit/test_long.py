"""A run that names no claims leaves long readings out, but decides some of them nevertheless."""

import functools
import pathlib
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from tests.audit.made import write_claim
from tests.rules import specs
from verifier.api.loading import load
from verifier.audit.needs import find_headline
from verifier.kernel.certificate import files_of, read_certificate, read_index, unpack
from verifier.kernel.verdict import Verdict
from verifier.pool import Pool
from verifier.questions.result import DecisionStatus, ReadingResult
from verifier.replies import tables_of

PROOFS = pathlib.Path(__file__).parents[2] / "proofs"
BOARD = "OXXXXXXXX/O.......O/O.......O/O.......O/O.......O/O.......O/O.......O/O.......O/XXXXXXXXO X.......X *"
BOUND = f"bound: 46, expect: proved, cases: {{here: {{start: {BOARD}}}}}"
JOINING = "expect: proved, joins: [slow/as-stated]"
JOBS = pytest.mark.parametrize("jobs", [1, 2])


def run(folder: pathlib.Path, jobs: int, names: list[str] | None = None, **claims: str) -> dict[str, ReadingResult]:
    """Write claims and check them with the shipped evidence. Return the result of each claim."""
    for name, reading in claims.items():
        write_claim(folder, name, f"readings:\n  as-stated: {{{reading}}}", "paper")
    ledger = load(folder, proofs=PROOFS, cache=False).check(names, jobs=jobs)
    return {reading.claim: reading for reading in ledger.readings}


@JOBS
def test_what_takes_minutes_is_left_out_unless_it_is_named(jobs: int, tmp_path: pathlib.Path) -> None:
    """Readings that are left out, and readings that join them, are not run. The result names the command to run."""
    found = run(tmp_path, jobs, slow=f"{BOUND}, long: 2", above=JOINING)
    assert found["slow"].decided is found["above"].decided is DecisionStatus.NOT_RUN
    assert "verifier check slow" in found["slow"].reason
    assert found["slow"].is_expected
    assert run(tmp_path, jobs, ["slow"])["slow"].verdict is Verdict.PROVED


@JOBS
def test_readings_on_which_a_headline_rests_are_always_decided(jobs: int, tmp_path: pathlib.Path) -> None:
    head = "document: examples\ntitle: A document\nnote: It.\nheadline: [above]\n"
    (tmp_path / "examples.yaml").write_text(head)
    found = run(tmp_path, jobs, slow=f"{BOUND}, long: 2", above=JOINING)
    assert {result.verdict for result in found.values()} == {Verdict.PROVED}


@JOBS
def test_a_long_reading_is_decided_if_its_tables_are_followed_anyway(jobs: int, tmp_path: pathlib.Path) -> None:
    """Another reading, which is not long, uses the same tables, so the long reading costs nothing more."""
    found = run(tmp_path, jobs, slow=f"{BOUND}, long: 2", same=BOUND)
    assert {result.verdict for result in found.values()} == {Verdict.PROVED}


def test_tables_of_a_headline_come_first(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """A pool follows these tables before it checks any reading on which no headline rests."""
    (tmp_path / "examples.yaml").write_text("document: examples\ntitle: A document\nnote: It.\nheadline: [slow]\n")
    given, submit = list[str](), Pool.submit_in_lane

    def note(pool: Pool, lane: str, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        given.append("table" if args[0] in tables else "/".join(args[0]))
        return submit(pool, lane, call, *args, **kwargs)

    tables = list_tables(read_index(PROOFS).filed["figure-6-caption/as-stated"])
    monkeypatch.setattr(Pool, "submit_in_lane", note)
    start = "step: start, expect: proved, steps: {start: {conclude: [ply == 0]}}"
    assert run(tmp_path, 2, first=start, slow=BOUND)["first"].verdict is Verdict.PROVED
    assert given == ["table", "first/as-stated"]


MANY = 100_000
"""The kernel follows this many replies in about a second."""


def list_tables(key: str) -> frozenset[str]:
    """Return the tables of replies on which a reading rests, by the key of its certificate."""
    certificate = read_certificate(PROOFS, key)
    return frozenset(tables_of(certificate.statement, certificate.evidence))


@functools.cache
def count_replies(name: str) -> int:
    """Return the number of digits in the replies of a shipped table."""
    table = unpack(files_of(PROOFS)(name), name)
    return sum(map(len, table["replies"].values()))


@pytest.mark.slow
def test_readings_with_many_replies_are_marked_as_long() -> None:
    """A reading with many replies is marked, unless a headline rests on the same tables. One with few is not."""
    library, tables = specs(), {name: list_tables(key) for name, key in read_index(PROOFS).filed.items()}
    readings = {(claim, name): item for claim in library.claims for name, item in library.claim(claim).readings.items()}
    marked = {"/".join(name) for name, reading in readings.items() if reading.long}
    headline = frozenset[str]().union(*(tables.get("/".join(name), ()) for name in find_headline(library)))
    many = {name for name, found in tables.items() if sum(map(count_replies, found)) > MANY}
    alone = {name for name in many if sum(map(count_replies, tables[name] - headline)) > MANY}
    assert alone <= marked
    assert {name for name in marked if tables.get(name)} <= many
    assert not marked & {"/".join(name) for name in find_headline(library)}
    assert headline == tables["theorem-1/as-stated"]
