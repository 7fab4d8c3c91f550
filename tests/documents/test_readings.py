"""Every shipped reading compiles to its listed statement, and its evidence has the same statement."""

import pytest

from tests.golden import GOLDEN, require_golden
from tests.lines import PROOFS
from tests.rules import specs
from verifier.kernel.certificate import read_index
from verifier.questions.compile import compile_reading

Keys = dict[str, str | None]


@pytest.fixture(scope="module", params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["sample", "all"])
def is_all(request: pytest.FixtureRequest) -> bool:
    """Whether to take all readings, or one for each question in each folder of specs."""
    return bool(request.param)


@pytest.fixture(scope="module")
def keys(is_all: bool) -> Keys:
    """The hash of the statement of each reading; None: the reading only joins others."""
    library = specs()
    names = [(claim, name) for claim in sorted(library.claims) for name in library.claim(claim).readings]
    if not is_all:
        kind = {
            (claim, name): (library.file_of(claim).rpartition("/")[0], library.claim(claim).readings[name].question)
            for claim, name in names
        }
        names = sorted({kind[name]: name for name in names}.values())
    return {f"{claim}/{name}": compile_reading(specs(), claim, name).key for claim, name in names}


def test_every_shipped_reading_states_what_the_list_says(keys: Keys, is_all: bool) -> None:
    """The list has each expected verdict and the hash of each statement, so it shows every change of a statement."""
    expected = {name: specs().claim(name.partition("/")[0]).readings[name.partition("/")[2]].expect for name in keys}
    lines = [f"{name} {expected[name]} {key or 'joins others'}\n" for name, key in keys.items()]
    if is_all:
        require_golden("readings.txt", "".join(lines))
    else:
        assert {*lines} <= {*(GOLDEN / "readings.txt").read_text(encoding="utf-8").splitlines(keepends=True)}


def test_every_reading_states_what_its_evidence_is_filed_under(keys: Keys, is_all: bool) -> None:
    """Each reading has its evidence, and all evidence has a reading. Readings that only join others have none."""
    found, filed = {name: key for name, key in keys.items() if key}, read_index(PROOFS).filed
    assert found == (filed if is_all else {name: filed.get(name) for name in found})
