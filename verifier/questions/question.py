"""The type of a question. Each question's folder has a ``question.py`` with a value of this type, ``QUESTION``."""

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
    """A question: how its readings are compiled, decided, and put into words.

    Attributes:
        kind: the kernel's name for the kind of statement of these readings; empty if they have no statements.
        instead: what the evidence is, if it is not about the plays of a strategy. A message puts this text after *the
            evidence is*.
        compiler: compiles a reading to its statement.
        search: looks for evidence. The evidence can be wrong: the kernel decides.
        show: adds to the result what people see: a witness, the hypotheses that a proof uses, notes and hints. It makes
            these from evidence that the kernel has accepted. How the evidence was found makes no difference.
        say: yields lines that say what a reading asks.
        say_evidence: yields lines that show the evidence which the spec of a reading gives.
        say_about: says in half a sentence what a reading asks, for readers of a report.
        trust: texts that say what the kernel did to reach the verdict *proved* or *supported*. Each key is the name of
            a count in the result's ``stats``. The text of the first key that is in ``stats`` applies. If no key is in
            ``stats``, the text of the empty key, the last one, applies. In a text, the count replaces its name in
            braces.
        find_lane: returns the name of a *lane* for a reading and its rules. Readings of the same lane share work, so
            one process should check them, one after the other. Empty: any process can check the reading.
        seconds: estimates how many seconds one process takes to check one reading with shipped evidence.
        parts_its_work: True if the search itself distributes its work over several processes.
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
    instead: str = "not about the plays of a strategy"
