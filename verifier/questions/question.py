"""What is known of a question outside the kernel: the value ``QUESTION`` of ``question.py`` in the folder of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.language.reading import Reading
from verifier.questions.compiler import Compiler
from verifier.questions.finding import Evidence, Finding, Task
from verifier.questions.result import ReadingResult


def _say_nothing(_reading: Reading) -> Iterator[str]:
    yield from ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """How readings that ask a question are compiled, decided, and put into words.

    Attributes:
        kind: the kind of their statements, as the kernel calls it; empty: they state nothing of their own.
        compiler: compiles them to statements.
        search: looks for evidence. It may be wrong: the kernel decides.
        show: adds to a result what people are shown of evidence that the kernel has accepted: a witness, what proofs
            need, notes and hints. It uses that evidence, and the plays that the kernel walked (``task.memo``), alone.
        say: yields the lines that say what a reading asks.
        say_evidence: yields the lines that say which evidence a reading gives itself.
        say_about: says in half a sentence what such a reading asks, for people who read a report.
        trust: what the kernel does for a verdict that holds, by a name of a count that results have. The first name
            that a result has applies; the empty name applies to all. Names in braces are counts.
        find_lane: returns what readings have in common, given one and the name of its rules, that are checked best by
            the same process, one after the other; empty: nothing.
        seconds: about how long the kernel takes for the evidence of one reading, in seconds of one process.
        parts_its_work: whether a search runs in many processes at once, so that it is led from outside of them.
    """

    kind: str
    compiler: type[Compiler]
    search: Callable[[Task], Finding]
    show: Callable[[Task, ReadingResult, Evidence], ReadingResult] = lambda _task, result, _evidence: result
    say: Callable[[Any], Iterator[str]] = _say_nothing
    say_evidence: Callable[[Any], Iterator[str]] = _say_nothing
    say_about: Callable[[Any], str]
    trust: Mapping[str, str]
    find_lane: Callable[[Reading, str], str] = lambda _reading, _rules: ""
    seconds: int = 1
    parts_its_work: bool = False
