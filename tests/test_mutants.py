"""What ``survivors.yaml`` lists, without a run of the mutants: that takes a quarter of an hour."""

from __future__ import annotations

import yaml

from tests.mutants import KERNEL, SURVIVORS, mutants


def test_every_survivor_is_a_mutant_of_the_kernel_as_it_is() -> None:
    """An entry whose line reads otherwise by now stands for nothing, and the command ends as if it were a fault."""
    found = {mutant.text for path in KERNEL.rglob("*.py") for mutant in mutants(path)}
    listed = [text for texts in yaml.safe_load(SURVIVORS.read_text()).values() for text in texts]
    assert len(listed) == len({*listed})
    assert [text for text in listed if text not in found] == []


def test_at_most_one_mutant_of_twenty_survives() -> None:
    """What is listed leaves 95 % of the mutants to be killed."""
    count = sum(1 for path in KERNEL.rglob("*.py") for _ in mutants(path))
    listed = sum(len(texts) for texts in yaml.safe_load(SURVIVORS.read_text()).values())
    assert 20 * listed <= count
