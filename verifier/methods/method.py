"""What a method is: the value ``METHOD`` of a module of this package, named as the question it decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifier.language.questions import Reading
    from verifier.methods.finding import Evidence, Finding, Task
    from verifier.methods.result import ReadingResult
import importlib

from verifier.language.questions import QUESTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """How the readings of one kind are decided. Everything that the rest has to know of a method is here.

    Attributes:
        kind: the kind of the statements, as the kernel calls it; empty: they state nothing of their own.
        about: what such a reading asks, for people who read a report.
        kernel: what the kernel does for a verdict that holds, by a count that results of this kind of evidence have;
            the first that fits, and names in braces are counts.
        search: looks for evidence; it may be wrong, the kernel decides.
        show: adds to a result what people are shown of evidence that the kernel has accepted, and of the plays that
            it walked through for it (``task.memo``), from nothing else: a witness, what proofs need, notes and hints.
        find_lane: returns what readings have in common, given one and the name of its rules, that one process checks
            best, one after the other; empty: nothing.
        seconds: about how long the kernel takes for the evidence of one reading, in seconds of one process.
        parts_its_work: a search runs in many processes at once, and so is led from outside of them.
    """

    kind: str
    about: str
    kernel: Mapping[str, str]
    search: Callable[[Task], Finding]
    show: Callable[[Task, ReadingResult, Evidence], ReadingResult] = lambda _task, result, _evidence: result
    find_lane: Callable[[Reading, str], str] = lambda _reading, _rules: ""
    seconds: int = 1
    parts_its_work: bool = False


def find_method(question: str) -> Method:
    """Return how a question is decided; there is a ``KeyError`` of one that is none."""
    if question not in QUESTIONS:
        raise KeyError(question)
    method: Method = importlib.import_module(f"verifier.methods.{question}").METHOD
    return method
