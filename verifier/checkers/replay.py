"""Method ``replay``: a line, or a diagram with numbered marks, is legal and ends as described."""

from __future__ import annotations

from verifier.checkers.finding import Finding, Task
from verifier.kernel.errors import CertificateError
from verifier.kernel.pattern import failed_properties, matching_lines, parse_pattern
from verifier.kernel.verdict import Verdict


def check_replay(task: Task) -> Finding:
    """Enumerate the lines that fit; count those that also end as described."""
    pattern = parse_pattern(task.statement)
    game = pattern.game
    count = 0
    first: list[str] | None = None
    ending = ""
    try:
        for moves, position in matching_lines(pattern):
            if not failed_properties(pattern, position):
                count += 1
                if first is None:
                    first = [game.format_move(move) for move in moves]
                    ending = game.format_position(position)
    except CertificateError as error:
        if first is None:
            return Finding(Verdict.UNKNOWN, str(error))
    if first is None:
        return Finding(Verdict.REFUTED, "no legal line fits the description", {})
    witness = {
        "kind": "line",
        "start": game.format_position(pattern.start),
        "moves": first,
        "position": ending,
        "reason": "a legal line that fits the description",
    }
    return Finding(Verdict.PROVED, "", {"line": first}, stats={"lines": count, "plies": len(first)}, witness=witness)
