"""Every claim of this folder has the verdicts that its file expects."""

import pathlib

import pytest

import verifier

SPECS = verifier.load(pathlib.Path(__file__).parents[1] / "specs")


@pytest.mark.parametrize("claim", SPECS)
def test_the_verdicts_are_the_expected_ones(claim: str) -> None:
    """The kernel decides on each reading, and its verdict is the expected one."""
    for result in SPECS.check(claim).readings:
        assert result.is_expected, f"{result.name}: expected {result.expected}, found {result.verdict}: {result.reason}"
