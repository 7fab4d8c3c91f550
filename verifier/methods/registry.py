"""The methods: a literal table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from verifier.kernel.verdict import Result
from verifier.methods.bound import check_bound
from verifier.methods.conjunction import check_conjunction
from verifier.methods.exhaustive import check_exhaustive
from verifier.methods.finding import Finding, Task
from verifier.methods.induction import check_steps
from verifier.methods.replay import check_replay
from verifier.methods.shown import Evidence, Shown, show_line, show_nothing, show_plays, show_step
from verifier.methods.tables import check_tables, show_tables


@dataclass(frozen=True, slots=True)
class Method:
    """How a reading is proved.

    Attributes:
        search: looks for evidence; it may be wrong, the kernel decides.
        show: makes what people are shown of evidence that the kernel has accepted, from nothing else.
    """

    search: Callable[[Task], Finding]
    show: Callable[[Task, Result, Evidence], Shown]


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "exhaustive": Method(check_exhaustive, show_plays),
        "bound": Method(check_bound, show_plays),
        "induction": Method(check_steps, show_step),
        "entailment": Method(check_steps, show_step),
        "replay": Method(check_replay, show_line),
        "tables": Method(check_tables, show_tables),
        "conjunction": Method(check_conjunction, show_nothing),
    }
)
