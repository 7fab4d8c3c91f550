"""The kinds of statements: how each is read, decided and described. Each kind has a file, and a line in ``KINDS``.

Trusted for: a statement is decided as the kind that it names. No verdict depends on a description. The words may leave
parts out, but never claim more than the statement. Names from the file never occur in the words; in the data they occur
only as JSON. Long data is cut, so statements with different hashes may have the same description.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier.kernel.certificate import FileReader
from verifier.kernel.count import decide_count, describe_count, require_count
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.play import decide_play, describe_play
from verifier.kernel.race.bound import decide_bound, describe_bound, parse_bound
from verifier.kernel.statement import parse_statement
from verifier.kernel.steps import decide_steps, describe_steps, parse_steps
from verifier.kernel.sum import decide_sum, describe_sum, parse_sum
from verifier.kernel.verdict import Result
from verifier.kernel.words import describe_data, describe_rules, name_rules

if TYPE_CHECKING:
    from verifier.kernel.decide import Memo


@dataclass(frozen=True, slots=True)
class Kind:
    """The functions for statements of one kind.

    Attributes:
        parse: requires that a statement is well formed and claims something; raises ``SpecError`` otherwise.
        decide: takes a statement, True for a proof or False for a refutation, the evidence, a function that reads the
            files that the evidence names, and the memo of the run. Returns the result, or raises ``CertificateError``.
        describe: takes a statement and its game; returns in words what the statement says, perhaps in part.
    """

    parse: Callable[[dict[str, Any]], object]
    decide: Callable[[dict[str, Any], bool, dict[str, Any], FileReader, Memo], Result]
    describe: Callable[[dict[str, Any], Game], str]


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


@dataclass(frozen=True, slots=True)
class Description:
    """What a statement says.

    Attributes:
        words: a sentence without formulas and positions. If the statement is malformed, it says only the kind.
        rules: the hash and the family of its rules; empty if the statement is malformed.
        data: formulas, positions and rules; empty if the statement is malformed.
    """

    words: str
    rules: str = ""
    data: str = ""


def describe_statement(data: dict[str, Any]) -> Description:
    """Return a description of a statement. If the statement is malformed, say only its kind."""
    try:
        game = parse_rules(data["rules"])
        words, parts = find_kind(data).describe(data, game), f"{describe_data(data)}; rules: {describe_rules(game)}"
        return Description(words, name_rules(game), parts)
    except (CertificateError, SpecError, KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        return Description(f"a statement of kind {str(data.get('kind'))[:20]!a}")
