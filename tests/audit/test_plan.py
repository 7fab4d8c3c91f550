"""The order in which readings are checked."""

import itertools

from tests.rules import specs
from verifier.audit.plan import find_lane, plan_order
from verifier.language.references import select_readings


def test_what_shares_work_is_checked_one_after_the_other() -> None:
    """Each lane is one stretch of the order, which has every reading once."""
    library = specs()
    wanted = list(select_readings(library, tuple(library.claims), None))
    order = plan_order(library, wanted)
    assert sorted(order) == sorted(wanted)
    stretches = [lane for lane, _ in itertools.groupby(find_lane(library, reference) for reference in order) if lane]
    assert len(stretches) == len(set(stretches)) > 1
