"""How many legal moves there are in a position.

Trusted for: every verdict on a statement of kind ``moves``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verifier.kernel.certificate import FileReader, require_shape
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.verdict import Result, Verdict

if TYPE_CHECKING:
    from verifier.kernel.decide import Memo

_MOVES = {"kind": frozenset(["moves"]), "rules": dict, "start": str, "moves": int}


def count_moves(data: dict[str, Any]) -> int:
    """Return how many moves are legal."""
    require_shape(data, _MOVES, "a statement about moves", is_statement=True)
    game = parse_rules(data["rules"])
    return len(game.legal_moves(game.parse_position(data["start"])))


def decide_moves(
    data: dict[str, Any], is_proof: bool, evidence: dict[str, Any], _read: FileReader, _memo: Memo
) -> Result:
    """Count, and compare."""
    require_shape(evidence, {}, "the evidence")
    found = count_moves(data)
    if is_proof != (found == data["moves"]):
        raise CertificateError("not-the-count", f"{found} moves are legal")
    if is_proof:
        return Result(Verdict.PROVED)
    return Result(Verdict.REFUTED, f"{found} moves are legal, not {data['moves']}")


def describe_moves(data: dict[str, Any], _: Game) -> str:
    """Return the statement in words."""
    return f"exactly {data['moves']:d} moves are legal from {data['start']}"
