"""The kinds of statements: how each kind is read and decided. Each kind has a file, and a line in ``KINDS``.

This module is trusted to decide each statement by the functions of the kind that is named in the statement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.kernel.certificate import Data, FileReader
from verifier.kernel.count import decide_count, require_count
from verifier.kernel.errors import CertificateError
from verifier.kernel.play import decide_play
from verifier.kernel.race.bound import decide_bound, parse_bound
from verifier.kernel.statement import parse_statement
from verifier.kernel.steps import decide_steps, parse_steps
from verifier.kernel.sum import decide_sum, parse_sum
from verifier.kernel.verdict import Result

if TYPE_CHECKING:
    from verifier.kernel.decide import Memo


@dataclass(frozen=True, slots=True)
class Kind:
    """The functions for statements of one kind.

    ``parse`` raises an error if a statement is malformed or claims nothing. ``decide`` takes a statement, whether to
    prove it (False: to refute it), the evidence, a reader of files, and a memo.
    """

    parse: Callable[[Data], object]
    decide: Callable[[Data, bool, Data, FileReader, Memo], Result]


KINDS = {
    "play": Kind(parse_statement, decide_play),
    "steps": Kind(parse_steps, decide_steps),
    "bound": Kind(parse_bound, decide_bound),
    "sum": Kind(parse_sum, decide_sum),
    "count": Kind(require_count, decide_count),
}


def find_kind(statement: Data) -> Kind:
    """Return the kind of a statement."""
    kind = statement.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise CertificateError("malformed", f"{str(kind)[:40]!r} is not a kind of statement")
    return KINDS[kind]
