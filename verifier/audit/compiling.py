"""What a reading states: its text is compiled, and it is remembered to what."""

from __future__ import annotations

from typing import Any

from verifier.audit.memory import COMPILE, hash_json
from verifier.audit.recall import Desk, Stated
from verifier.audit.schedule import Reference
from verifier.checkers.finding import plays_of_strategy
from verifier.kernel.certificate import hash_value
from verifier.spec.compile import Compiled, compile_reading
from verifier.spec.model import Entailment, Induction


def state(desk: Desk, reference: Reference) -> tuple[Stated, Compiled]:
    """Compile a reading, and remember to what.

    Raises:
        SpecProblemsError: everything that is wrong with it.
    """
    compiled = compile_reading(desk.library, *reference)
    asked: list[Any] = [compiled.cites]
    model = desk.library.claim(reference[0]).readings[reference[1]]
    if isinstance(model, Induction | Entailment) and model.reachable_in is not None:
        asked.append(plays_of_strategy(desk.library, model.reachable_in, desk.library.claim(reference[0]).rules))
    statement = "" if compiled.statement is None else hash_value(compiled.statement)
    stated = Stated(statement, hash_json(asked))
    desk.memory.remember(COMPILE, desk.sources.of(reference), {"statement": stated.statement, "asked": stated.asked})
    return stated, compiled
