"""Decide claims that a described line of play is legal and ends as said.

Trusted for: verdicts on statements of kind ``pattern``, its rules as ``games`` reads them::

    {"kind": "pattern", "rules": RULES, "formulas": [FORMULA, ...], "start": POSITION,
     "plies": [[MOVE, ...] or null, ...], "left_of": [[PLY, PLY], ...], "holds": [[NAME, FORMULA], ...]}

``plies`` gives for each ply the moves it may be (null: any). ``left_of`` says that the mark of one ply stands in a
column of the whole board left of another's: what is left of a diagram whose spacing is lost. The claim: some legal
line fits, and what ``holds`` lists is true at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.kernel.errors import CertificateError, IllegalMoveError, NotationError, SpecError
from verifier.kernel.formula import Formulas, Test
from verifier.kernel.games import Game, parse_rules
from verifier.kernel.verdict import Result, Verdict

MAX_WORK = 30_000_000
"""What the lines of a pattern may cost: ``POSITION`` a position, ``A_MOVE`` times the weight of the rules each, and the
nodes of ``holds`` for each whole line."""

POSITION, A_MOVE = 40, 3

MAX_PLIES = 100
"""More than any play has."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A statement of kind ``pattern``, compiled; ``size`` is how many nodes ``holds`` has."""

    game: Game
    start: Any
    plies: tuple[frozenset[Any] | None, ...]
    left_of: Mapping[int, list[tuple[int, int]]]
    holds: tuple[tuple[str, Test], ...]
    size: int


def parse_pattern(data: Mapping[str, Any]) -> Pattern:
    """Compile a statement.

    Raises:
        SpecError: it is not well formed.
    """
    keys = {"kind", "rules", "start", "plies", "left_of", "holds"}
    if data.get("kind") != "pattern" or set(data) - {"formulas"} != keys:
        raise SpecError("the statement is not one of kind 'pattern' with the keys that the kernel documents")
    game = parse_rules(data["rules"])
    plies = data["plies"]
    if not isinstance(plies, list) or len(plies) > MAX_PLIES or not all(ply is None or _is_texts(ply) for ply in plies):
        raise SpecError(f"'plies' gives for each ply, at most {MAX_PLIES}, a list of moves, each once, or null")
    try:
        start = game.parse_position(str(data["start"]))
        plies = [None if ply is None else frozenset(game.parse_move(move) for move in ply) for ply in plies]
    except NotationError as error:
        raise SpecError(f"the pattern: {error}") from None
    pairs = data["left_of"]
    if pairs and "active" not in game.vocabulary:
        raise SpecError("left_of compares columns of the board of nine fields")
    if not isinstance(pairs, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(type(i) is int and 0 <= i < len(plies) for i in pair)
        for pair in pairs
    ):
        raise SpecError("left_of is a list of pairs of plies of the pattern")
    holds = data["holds"]
    if not isinstance(holds, list) or not all(isinstance(item, list) and len(item) == 2 for item in holds):
        raise SpecError("holds is a list of names and formulas")
    if not plies and not holds:
        raise SpecError("a pattern without a ply says nothing unless something holds")
    formulas = Formulas(game, data.get("formulas", []))
    tests = tuple((str(name), formulas.compile(formula)) for name, formula in holds)
    formulas.close()
    left_of: dict[int, list[tuple[int, int]]] = {}
    for a, b in pairs:
        left_of.setdefault(max(a, b), []).append((a, b))
    return Pattern(game, start, tuple(plies), left_of, tests, formulas.nodes)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value) and len(set(value)) == len(value)


def column(move: Any) -> int:
    """Return the column, 0 to 8, of a spot (f, s) on the whole board (figure 1)."""
    return int(move[0] % 3 * 3 + move[1] % 3)


def _fits(pattern: Pattern, moves: list[Any]) -> bool:
    """Say whether the last move fits, given that those before it do."""
    last = len(moves) - 1
    allowed = pattern.plies[last]
    if allowed is not None and moves[last] not in allowed:
        return False
    return all(column(moves[a]) < column(moves[b]) for a, b in pattern.left_of.get(last, ()))


def matching_lines(pattern: Pattern, limit: int = MAX_WORK) -> Iterator[tuple[list[Any], Any]]:
    """Yield every legal line that fits, with the position at its end, in ascending order of moves.

    Raises:
        CertificateError: ``limit``: it costs more than that.
    """
    work, game = 0, pattern.game
    a_position = POSITION + A_MOVE * game.weight
    stack: list[tuple[list[Any], Any]] = [([], pattern.start)]
    while stack:
        moves, position = stack.pop()
        is_whole = len(moves) == len(pattern.plies)
        work += a_position + (pattern.size if is_whole else len(pattern.left_of.get(len(moves), ())))
        if work > limit:
            raise CertificateError("limit", "too many positions fit the beginning of the pattern")
        if is_whole:
            yield moves, position
            continue
        allowed = pattern.plies[len(moves)]
        for move in reversed(game.legal_moves(position)):
            if allowed is not None and move not in allowed:
                continue
            line = [*moves, move]
            if _fits(pattern, line):
                stack.append((line, game.play(position, move)))


def failed_properties(pattern: Pattern, position: Any) -> list[str]:
    """Return the names of what does not hold in a position at the end of a line."""
    return [name for name, test in pattern.holds if not test(position, position)]


def check_line(pattern: Pattern, moves: object) -> Result:
    """Check that a line is legal, fits the pattern, and ends as said.

    Raises:
        CertificateError: it does not.
    """
    if not isinstance(moves, list) or len(moves) != len(pattern.plies):
        raise CertificateError("malformed", f"the line has not {len(pattern.plies)} moves")
    position, line = pattern.start, []
    for text in moves:
        try:
            line.append(pattern.game.parse_move(str(text)))
            position = pattern.game.play(position, line[-1])
        except (NotationError, IllegalMoveError) as error:
            raise CertificateError("illegal-move", str(error)) from None
        if not _fits(pattern, line):
            raise CertificateError("not-the-pattern", f"{text!s} at ply {len(line) - 1} is not what the pattern allows")
    failed = failed_properties(pattern, position)
    if failed:
        raise CertificateError("not-some", f"{failed[0]!r} does not hold in {pattern.game.format_position(position)}")
    return Result(Verdict.PROVED, stats={"plies": len(line)})


def check_no_line(pattern: Pattern) -> Result:
    """Check, by enumerating the pattern, that no legal line fits and ends as said.

    Raises:
        CertificateError: one does, or there are too many to enumerate.
    """
    for moves, position in matching_lines(pattern):
        if not failed_properties(pattern, position):
            line = " ".join(pattern.game.format_move(move) for move in moves)
            raise CertificateError("not-refuted", f"this line fits: {line}")
    return Result(Verdict.REFUTED, "no legal line fits the description")
