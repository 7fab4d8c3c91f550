"""Method ``replay``: a line, or a diagram with numbered marks, is legal and ends as described."""

from __future__ import annotations

from dataclasses import replace

from verifier.kernel.errors import CertificateError
from verifier.kernel.pattern import Pattern, failed_properties, matching_lines, parse_pattern
from verifier.kernel.verdict import Verdict
from verifier.methods.finding import Finding, Task
from verifier.methods.witness import Line


def find_longest(pattern: Pattern) -> Line:
    """Return a legal line that fits as far as any does, and why it goes no further."""
    game = pattern.game
    for count in range(len(pattern.plies), -1, -1):
        left_of = {ply: pairs for ply, pairs in pattern.left_of.items() if ply < count}
        beginning = replace(pattern, plies=pattern.plies[:count], left_of=left_of)
        moves, position = next(matching_lines(beginning), (None, None))
        if moves is None:
            continue
        if count == len(pattern.plies):
            reason = f"legal, but at its end {failed_properties(pattern, position)[0]!r} does not hold"
        else:
            wanted = " or ".join(sorted(game.format_move(move) for move in pattern.plies[count] or ()))
            reason = f"as far as a legal line fits: the next mark would have to be {wanted or 'any legal one'}"
        start = game.format_position(pattern.start)
        return Line(start, tuple(map(game.format_move, moves)), game.format_position(position), reason)
    raise CertificateError("malformed", "not even the start fits")


def check_replay(task: Task) -> Finding:
    """Look for a line that fits and ends as described; that there is none refutes the description."""
    pattern = parse_pattern(task.statement)
    try:
        for moves, position in matching_lines(pattern):
            if not failed_properties(pattern, position):
                line = [pattern.game.format_move(move) for move in moves]
                return Finding(Verdict.PROVED, "", {"line": line})
    except CertificateError as error:
        return Finding(Verdict.UNKNOWN, str(error))
    return Finding(Verdict.REFUTED, "no legal line fits the description", {})
