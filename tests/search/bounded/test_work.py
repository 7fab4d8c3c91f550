import pathlib
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor

import pytest

from tests.search.bounded.races import after
from verifier.audit.executor import Cluster
from verifier.kernel.race.relaxation import format_race, parse_race
from verifier.search.bounded import work
from verifier.search.bounded.work import CaseResult, solve
from verifier.search.resources import Resources

OPENING = "4.4 4.1 1.4 4.2 2.4 4.3 3.4 4.5 5.4 4.6 6.4 4.7 7.4 4.8 8.4 4.0"
WON = "===....../===....../XX.XX..../===....../===....../XX......./X..X...../X...X..../XX....... 2 9"
RACES = [(*after(f"{OPENING} 0.{s}"), 7) for s in range(9)]
FRONTIER = 4


@pytest.fixture(scope="module")
def expected() -> list[CaseResult]:
    return list(solve(RACES, FRONTIER, Resources(memory_mib=16)))


def test_every_race_is_solved(expected: list[CaseResult]) -> None:
    """Each race gets replies, in the order of the races."""
    assert len(expected) == len(RACES)
    for race, solved in zip(RACES, expected, strict=True):
        assert isinstance(solved, dict)
        assert format_race(*race) in solved


@pytest.mark.slow
def test_processes_find_the_same(expected: list[CaseResult]) -> None:
    """An executor does not change the results."""
    with ProcessPoolExecutor(2) as executor:
        assert list(solve(RACES, FRONTIER, Resources(executor, memory_mib=16))) == expected


def test_finished_races_are_kept(
    expected: list[CaseResult], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupted run continues from its checkpoints, and finds the same in the end."""
    first = Resources(memory_mib=16, checkpoints=tmp_path)
    list(solve(RACES[:4], FRONTIER, first))
    stored: list[pathlib.Path | None] = []
    monkeypatch.setattr(work, "_store", lambda path, _: stored.append(path))
    assert list(solve(RACES, FRONTIER, first)) == expected
    assert stored == [work._place(first, race, FRONTIER) for race in RACES[4:]]


def test_a_damaged_checkpoint_is_searched_again(expected: list[CaseResult], tmp_path: pathlib.Path) -> None:
    """Half a file is treated like no file."""
    resources = Resources(memory_mib=16, checkpoints=tmp_path)
    list(solve(RACES[:1], FRONTIER, resources))
    (path,) = tmp_path.iterdir()
    path.write_text(path.read_text()[:100])
    assert list(solve(RACES[:1], FRONTIER, resources)) == expected[:1]


def test_a_win_has_no_replies() -> None:
    """If Xavier wins the race, the result says so."""
    (solved,) = solve([parse_race(WON)], FRONTIER, Resources(memory_mib=16))
    assert isinstance(solved, str)
    assert "Xavier wins" in solved


@pytest.fixture
def cluster() -> Iterator[tuple[object, Executor]]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as local,
        distributed.Client(local) as client,
    ):
        yield local, Cluster(client)


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_finds_the_same(
    cluster: tuple[object, Executor], expected: list[CaseResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Dask cluster finds the same, and repeats what a killed worker had not finished."""
    local, executor = cluster
    killed: list[int] = []

    def kill_one(*_: object) -> None:
        if not killed:
            process = next(iter(local.workers.values())).process  # type: ignore[attr-defined]
            killed.append(process.pid)
            process.process.kill()

    monkeypatch.setattr(work, "_store", kill_one)
    assert list(solve(RACES, FRONTIER, Resources(executor, 16))) == expected
    assert killed
