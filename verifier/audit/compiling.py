"""What a reading states: its text is compiled, and it is remembered to what."""

from __future__ import annotations

from verifier.audit.memory import COMPILE, hash_json
from verifier.audit.recall import Desk, Stated
from verifier.audit.schedule import Reference
from verifier.kernel.certificate import hash_value
from verifier.language.compile import Compiled, compile_reading
from verifier.language.sharing import fold


def state(desk: Desk, reference: Reference) -> tuple[Stated, Compiled]:
    """Compile a reading, and remember to what.

    Raises:
        SpecProblemsError: everything that is wrong with it.
    """
    compiled = compile_reading(desk.library, *reference)
    statement = "" if compiled.statement is None else hash_value(compiled.statement)
    asked: list[object] = [compiled.cites]
    if compiled.invariant:
        asked.append(fold({"holds": [*compiled.invariant["X"], *compiled.invariant["O"]]}, desk.library.made.nodes))
    stated = Stated(statement, hash_json(asked))
    desk.memory.remember(COMPILE, desk.sources.of(reference), {"statement": stated.statement, "asked": stated.asked})
    return stated, compiled
