"""The ledger in the terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import Any

from verifier.checkers.ledger import ClaimResult, Ledger, ReadingResult
from verifier.report.board import draw_board
from verifier.report.printable import make_printable
from verifier.report.trust import in_words
from verifier.spec.rulesets import find_rules

WIDTH = 100
_COLOURS = {"proved": "32", "refuted": "31", "unknown": "33", "undetermined": "33"}


def paint(text: str, word: str, *, colour: bool) -> str:
    """Colour a verdict or a standing, where colours are wanted."""
    code = _COLOURS.get(word.split(maxsplit=1)[0], "")
    return f"\033[{code}m{text}\033[0m" if colour and code else text


def start_line(name: str) -> str:
    """Return a claim's name and dots: what stands before the work."""
    return f"{name} ".ljust(36, ".") + " "


def claim_lines(result: ClaimResult, *, colour: bool) -> str:
    """Return a claim's standing, and a line for each reading that is not as expected."""
    names = ", ".join(f"{reading.reading} {_found(reading)}" for reading in result.readings)
    text = f"{paint(result.standing, result.standing, colour=colour)}  ({names})"
    for reading in result.readings:
        if reading.trouble:
            text += f"\n    {reading.reading}: {make_printable(reading.trouble)}"
        elif not reading.is_expected:
            text += f"\n    {reading.reading}: expected {reading.expected}, found {reading.verdict}"
            text += f": {make_printable(reading.reason)}" if reading.reason else ""
    return text


def _found(reading: ReadingResult) -> str:
    return reading.reason if reading.skipped else str(reading.verdict)


def summary_lines(ledger: Ledger) -> str:
    """Return the counts under the ledger."""
    standings = Counter(claim.standing for claim in ledger.claims)
    order = ("proved as stated", "proved after repair", "refuted", "undetermined", "not run")
    counts = ", ".join(f"{standings[name]} {name}" for name in order if standings[name])
    odd = sum(not reading.is_expected for reading in ledger.readings)
    skipped = sum(bool(reading.skipped) for reading in ledger.readings)
    full = sum(claim.fully_proved for claim in ledger.claims)
    ending = "every verdict as expected" if not odd else f"{odd} verdicts not as expected"
    if not ledger.claims:
        return "0 claims: nothing to check\n0 readings: every verdict as expected"
    claims = f"{len(ledger.claims)} claims: {counts}; {full} proved with all they rest on"
    ending += f"; {skipped} not run: slow, see --slow" if skipped else ""
    return f"{claims}\n{len(ledger.readings)} readings: {ending}"


def show_claim(result: ClaimResult, *, is_ours: bool = False, colour: bool = False) -> str:
    """Return everything about one claim, its witnesses drawn as boards; verdicts and boards in colours where wanted.

    Args:
        result: how it came out.
        is_ours: its document does not say it: it is the auditors' own.
        colour: whether colours are wanted.
    """
    model = result.model
    source = f"{'our own, on ' if is_ours else ''}{model.source.document}, {model.source.place}"
    lines = [
        make_printable(f"{result.id}: {model.title}"),
        make_printable(source),
        "",
        *_wrapped(model.source.says),
        "",
        f"rules: {model.rules}",
    ]
    if model.uses:
        lines.append(f"rests on: {', '.join(model.uses)}")
    lines.append(f"standing: {paint(result.standing, result.standing, colour=colour)}")
    for reading in result.readings:
        lines += ["", *_reading_lines(result, reading, colour=colour)]
    return "\n".join(lines)


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(make_printable(" ".join(text.split())), WIDTH, initial_indent=indent, subsequent_indent=indent)


def _reading_lines(result: ClaimResult, reading: ReadingResult, *, colour: bool) -> Iterator[str]:
    model = result.model.readings[reading.reading]
    repairs = f", repairs {', '.join(model.repairs)}" if model.repairs else ""
    found = paint(_found(reading), _found(reading), colour=colour)
    yield f"reading {reading.reading} ({reading.method}{repairs}): {found}, expected {reading.expected}"
    for label, text in (
        ("because", model.because),
        ("note", model.note),
        ("in words, to be believed", in_words(model)),
        ("reason", "" if reading.skipped else reading.reason),
        ("trouble", reading.trouble),
    ):
        if text:
            yield from _wrapped(f"{label}: {text}")
    if reading.trust:
        yield from _wrapped(f"trust: {reading.trust}")
    if reading.stats:
        yield from _wrapped("counted: " + ", ".join(f"{name} {count}" for name, count in reading.stats.items()))
    for note in reading.notes:
        yield from _wrapped(note)
    if reading.witness:
        yield from _witness_lines(reading.witness.get("rules", result.model.rules), reading.witness, colour=colour)


def _witness_lines(rules: str, witness: dict[str, Any], *, colour: bool) -> Iterator[str]:
    game = find_rules(rules)
    moves = [game.parse_move(move) for move in witness["moves"]]
    if witness["kind"] == "counterexample":
        position = game.parse_position(witness["position"])
        reach = {
            None: "not decided",
            True: "reachable in the strategy's play",
            False: "not reachable in the strategy's play",
        }
        few = "with the fewest marks" if witness["fewest_marks"] else "perhaps not the one with the fewest marks"
        yield f"  counterexample, {few}, {reach[witness['reachable']]}:"
        yield f"    {make_printable(witness['position'])}"
        if witness["line"]:
            yield from _wrapped("reached by: " + " ".join(witness["line"]))
    else:
        position = game.parse_position(witness["start"])
        yield from _wrapped(f"line, {witness['reason']}: " + " ".join(witness["moves"]))
        for move in moves[:-1]:
            position = game.play(position, move)
        moves = moves[-1:]
        for line in witness.get("other_lines", ()):
            yield from _wrapped("and: " + " ".join(line))
    last = None
    if witness["kind"] == "counterexample" or not moves:
        yield from (f"    {line}" for line in draw_board(game, position, colour=colour).split("\n"))
    for move in moves:
        mover = game.turn(position)
        position, last = game.play(position, move), move
        yield f"  after {mover} plays {game.format_move(move)}:"
        yield from (f"    {line}" for line in draw_board(game, position, last, colour=colour).split("\n"))
