"""Deciding everything, in one process or two, with what an earlier run has done."""

from __future__ import annotations

import pathlib

import pytest

from tests.kernel.test_bound import FRONTIER, lost_leaf, reason_of, replies_for, state
from verifier.kernel import bound, full
from verifier.kernel.bound import Leaf, follow, parse_bound
from verifier.kernel.errors import CertificateError
from verifier.kernel.full import CHUNK, Full, decide_chunk


@pytest.fixture(scope="module")
def leaves() -> list[Leaf]:
    """Races that Olivia holds, for several chunks."""
    found, _, _ = follow(parse_bound(state()), replies_for(state()), FRONTIER)
    assert len(found) > 2 * CHUNK
    return found


@pytest.fixture
def decided(monkeypatch: pytest.MonkeyPatch) -> list[Leaf]:
    """The leaves that are decided from here on, in this process."""
    seen: list[Leaf] = []

    def spy(chunk: list[Leaf], frontier: int) -> tuple[str, str] | None:
        seen.extend(chunk)
        return decide_chunk(chunk, frontier)

    monkeypatch.setattr(full, "decide_chunk", spy)
    return seen


def won(leaves: list[Leaf]) -> list[Leaf]:
    """Return the leaves with one that Xavier wins near the end."""
    return [*leaves[:-1], lost_leaf(), leaves[-1]]


def kept_in(folder: pathlib.Path) -> pathlib.Path:
    (path,) = folder.iterdir()
    return path


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_leaves_are_decided(leaves: list[Leaf], jobs: int, tmp_path: pathlib.Path) -> None:
    """Every leaf is decided once, progress is told chunk by chunk, and each number is kept."""
    told: list[tuple[int, int, float]] = []
    settle = Full(jobs, tmp_path / "below" / "here", lambda *numbers: told.append(numbers))
    assert settle.decide(leaves, FRONTIER) == len(leaves)
    chunks = -(-len(leaves) // CHUNK)
    assert [done for done, _, _ in told] == sorted({done for done, _, _ in told})
    assert len(told) == chunks
    assert told[-1][:2] == (len(leaves), len(leaves))
    assert all(seconds >= 0 for _, _, seconds in told)
    lines = kept_in(tmp_path / "below" / "here").read_text().splitlines()
    assert len(set(lines)) == len(lines) == len(leaves)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_leaf_that_he_wins_is_refused(leaves: list[Leaf], jobs: int, tmp_path: pathlib.Path) -> None:
    """One leaf that Xavier wins refuses all, is named, and is not kept as done."""
    lost = won(leaves)
    with pytest.raises(CertificateError, match=r"not-held: Xavier wins .* 3$") as caught:
        Full(jobs, tmp_path).decide(lost, FRONTIER)
    assert caught.value.reason == "not-held"
    kept = [path.read_text().splitlines() for path in tmp_path.iterdir()]
    assert all(len(lines) < len(lost) - 1 for lines in kept)
    assert reason_of(Full(jobs, tmp_path).decide, lost, FRONTIER) == "not-held"


def test_no_leaf_is_nothing_to_decide(tmp_path: pathlib.Path) -> None:
    """Without leaves nothing is decided, in two processes as well."""
    assert Full(1, tmp_path).decide([], FRONTIER) == Full(2).decide([], FRONTIER) == 0


def test_nothing_is_decided_twice(leaves: list[Leaf], decided: list[Leaf], tmp_path: pathlib.Path) -> None:
    """A second run decides nothing, and tells nothing; without a folder everything is decided again."""
    assert Full(1, tmp_path).decide(leaves, FRONTIER) == len(leaves)
    assert decided == leaves
    decided.clear()
    told: list[int] = []
    settle = Full(1, tmp_path, lambda done, _all, _seconds: told.append(done))
    assert settle.decide(leaves, FRONTIER) == 0
    assert (decided, told) == ([], [])
    assert Full(1).decide(leaves, FRONTIER) == len(leaves) == len(decided)


def test_an_interrupted_run_goes_on(leaves: list[Leaf], decided: list[Leaf], tmp_path: pathlib.Path) -> None:
    """After an interruption the chunks that were finished stay done, and only the others are decided."""

    def stop(done: int, _all: int, _seconds: float) -> None:
        if done > CHUNK:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Full(1, tmp_path, stop).decide(leaves, FRONTIER)
    assert decided == leaves[: 2 * CHUNK]
    decided.clear()
    assert Full(1, tmp_path).decide(leaves, FRONTIER) < len(leaves)
    assert decided == leaves[2 * CHUNK :]


def test_other_leaves_have_another_file(leaves: list[Leaf], decided: list[Leaf], tmp_path: pathlib.Path) -> None:
    """What was done for some leaves says nothing about others, or about the same below another frontier."""
    Full(1, tmp_path).decide(leaves, FRONTIER)
    decided.clear()
    Full(1, tmp_path).decide(leaves[1:], FRONTIER)
    Full(1, tmp_path).decide(leaves, FRONTIER + 1)
    assert len(decided) == 2 * len(leaves) - 1
    assert reason_of(Full(1, tmp_path).decide, won(leaves), FRONTIER) == "not-held"


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\n\n",
        b"all\n",
        b"-1\n",
        b" 1\n",
        b"1 2\n",
        b"1.0\n",
        b"+1\n",
        b"1_0\n",
        b"\xff\xfe\n",
        "٣\n²\n".encode(),
        b"21\n1000\n999999999999\n",
        b"9" * 5000 + b"\n",
        b"\x00" * 100,
        b"1\x0b\n",
    ],
)
def test_a_damaged_file_does_no_harm(
    leaves: list[Leaf], decided: list[Leaf], tmp_path: pathlib.Path, damage: bytes
) -> None:
    """What is no number of a leaf is passed over: everything is decided."""
    leaves = leaves[:21]
    Full(1, tmp_path).decide(leaves, FRONTIER)
    kept_in(tmp_path).write_bytes(damage)
    decided.clear()
    assert Full(1, tmp_path).decide(leaves, FRONTIER) == len(leaves)
    assert decided == leaves
    decided.clear()
    Full(1, tmp_path).decide(leaves, FRONTIER)
    assert decided == []


def test_a_line_that_was_cut_off_counts_for_nothing(
    leaves: list[Leaf], decided: list[Leaf], tmp_path: pathlib.Path
) -> None:
    """What is left of a line is no line, nor is it one together with what is written next."""
    Full(1, tmp_path).decide(leaves, FRONTIER)
    lines = kept_in(tmp_path).read_text().splitlines()
    kept_in(tmp_path).write_text(f"{lines[0]}\n{lines[3]}\n{lines[1][:10]}")
    decided.clear()
    settle = Full(1, tmp_path)
    assert settle.decide(leaves, FRONTIER) == len(leaves) - 2
    assert decided == [leaf for number, leaf in enumerate(leaves) if number not in (0, 3)]
    assert set(lines) < set(kept_in(tmp_path).read_text().splitlines())


def test_another_kernel_decides_again(
    leaves: list[Leaf], decided: list[Leaf], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another version of the kernel decided counts for nothing."""
    Full(1, tmp_path).decide(leaves, FRONTIER)
    decided.clear()
    monkeypatch.setattr(full, "kernel_hash", lambda: "another")
    Full(1, tmp_path).decide(leaves, FRONTIER)
    assert decided == leaves


def test_what_takes_too_long_is_refused(leaves: list[Leaf], monkeypatch: pytest.MonkeyPatch) -> None:
    """A leaf that takes more than the kernel allows is refused by that reason, with its detail."""
    monkeypatch.setattr(bound, "MAX_VISITED", 0)
    assert decide_chunk(leaves, FRONTIER) == (
        "too-long",
        "deciding one race takes more than the kernel allows for it",
    )
    assert reason_of(Full(1).decide, leaves, FRONTIER) == "too-long"
