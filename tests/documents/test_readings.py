"""Every shipped reading compiles to its listed statement, and its evidence has the same statement."""

import pytest

from tests.golden import require_golden
from tests.lines import PROOFS
from tests.rules import specs
from verifier.kernel.certificate import read_index
from verifier.questions.compile import compile_reading

Keys = dict[str, str | None]


@pytest.fixture(scope="module")
def keys() -> Keys:
    """The hash of the statement of each reading; None: the reading only joins others."""
    names = [(claim, name) for claim in sorted(specs().claims) for name in specs().claim(claim).readings]
    return {f"{claim}/{name}": compile_reading(specs(), claim, name).key for claim, name in names}


def test_every_shipped_reading_states_what_the_list_says(keys: Keys) -> None:
    """The list has each expected verdict and the hash of each statement, so it shows every change of a statement."""
    expected = {name: specs().claim(name.partition("/")[0]).readings[name.partition("/")[2]].expect for name in keys}
    lines = [f"{name} {expected[name]} {key or 'joins others'}\n" for name, key in keys.items()]
    require_golden("readings.txt", "".join(lines))


def test_every_reading_states_what_its_evidence_is_filed_under(keys: Keys) -> None:
    """Each reading has its evidence, and all evidence has a reading. Readings that only join others have none."""
    assert {name: key for name, key in keys.items() if key} == read_index(PROOFS).filed
