"""Which checker serves which method: a literal table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from verifier.checkers.bound import check_bound
from verifier.checkers.conjunction import check_conjunction
from verifier.checkers.exhaustive import check_exhaustive
from verifier.checkers.finding import Finding, Task
from verifier.checkers.induction import check_steps
from verifier.checkers.replay import check_replay
from verifier.checkers.tables import check_tables

CHECKERS: Mapping[str, Callable[[Task], Finding]] = MappingProxyType(
    {
        "exhaustive": check_exhaustive,
        "bound": check_bound,
        "induction": check_steps,
        "entailment": check_steps,
        "replay": check_replay,
        "tables": check_tables,
        "conjunction": check_conjunction,
    }
)
