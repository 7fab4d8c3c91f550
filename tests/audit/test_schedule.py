"""The order in which readings are checked."""

from __future__ import annotations

import itertools
import pathlib

from verifier.audit.schedule import find_lane, plan_order
from verifier.language.dependents import select_readings
from verifier.language.library import load_library

SPECS = pathlib.Path(__file__).parents[2] / "specs"


def test_what_shares_work_is_checked_one_after_the_other() -> None:
    """Each lane is one stretch of the order, which has every reading once."""
    library = load_library(SPECS)
    wanted = list(select_readings(library, tuple(library.claims), None))
    order = plan_order(library, wanted)
    assert sorted(order) == sorted(wanted)
    stretches = [lane for lane, _ in itertools.groupby(find_lane(library, reference) for reference in order) if lane]
    assert len(stretches) == len(set(stretches)) > 1
