"""Method ``replay``: a line, or a diagram with numbered marks, is legal and ends as described."""

from __future__ import annotations

from dataclasses import replace

from verifier.kernel.errors import CertificateError
from verifier.kernel.pattern import Pattern, failed_properties, matching_lines, parse_pattern
from verifier.kernel.verdict import Result, Verdict
from verifier.methods.finding import Evidence, Finding, Task
from verifier.methods.method import Method
from verifier.methods.shown import Shown, make_line
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


def search(task: Task) -> Finding:
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


def show(task: Task, decided: Result, evidence: Evidence) -> Shown:
    """Show the line that fits a description, or one that fits as far as any does."""
    if decided.verdict == Verdict.REFUTED:
        return Shown(find_longest(parse_pattern(task.statement)))
    return Shown(make_line(task.statement, evidence["line"], "a legal line that fits the description"))


METHOD = Method(
    kind="pattern",
    about="a described line is played",
    kernel="the kernel replayed the line",
    search=search,
    show=show,
)
