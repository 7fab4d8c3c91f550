"""The kinds of statements: how each is read, decided, and put into words. A kind is a file, and a line in ``KINDS``.

Trusted for: a statement is decided as the kind that it names. The words say what a verdict is about, and nothing
stronger, but no verdict depends on them. Names of objectives and scopes come from files, so they are quoted or left
out. Long texts are cut, so two statements may read the same; their hashes differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier.kernel.certificate import Files
from verifier.kernel.count import decide_count, describe_count, require_count
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.play import decide_play, describe_play
from verifier.kernel.race.bound import decide_bound, describe_bound, parse_bound
from verifier.kernel.statement import parse_statement
from verifier.kernel.steps import decide_steps, describe_steps, parse_steps
from verifier.kernel.sum import decide_sum, describe_sum, parse_sum
from verifier.kernel.verdict import Result
from verifier.kernel.words import describe_rules

if TYPE_CHECKING:
    from verifier.kernel.decide import Memo


@dataclass(frozen=True, slots=True)
class Kind:
    """What the kernel can do with statements of one kind.

    Attributes:
        parse: requires that a statement is well formed and claims something; raises ``SpecError`` if not.
        decide: takes a statement, whether it is to be proved or refuted, the evidence, the files that this names, and
            the memo of the run. Returns what the evidence shows; raises ``CertificateError`` if it does not show that.
        describe: returns a statement in words.
    """

    parse: Callable[[dict[str, Any]], object]
    decide: Callable[[dict[str, Any], bool, dict[str, Any], Files, Memo], Result]
    describe: Callable[[dict[str, Any]], str]


KINDS = {
    "play": Kind(parse_statement, decide_play, describe_play),
    "steps": Kind(parse_steps, decide_steps, describe_steps),
    "bound": Kind(parse_bound, decide_bound, describe_bound),
    "sum": Kind(parse_sum, decide_sum, describe_sum),
    "count": Kind(require_count, decide_count, describe_count),
}


def find_kind(statement: dict[str, Any]) -> Kind:
    """Return the kind of a statement."""
    kind = statement.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise CertificateError("malformed", f"{str(kind)[:40]!r} is not a kind of statement")
    return KINDS[kind]


def describe_statement(data: dict[str, Any]) -> str:
    """Return a statement in words; or only its kind, if it is too malformed for that."""
    try:
        return f"{find_kind(data).describe(data)}, under {describe_rules(parse_rules(data['rules']))}"
    except (CertificateError, SpecError, KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        return f"a statement of kind {str(data.get('kind'))[:20]!a}"
