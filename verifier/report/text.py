"""The ledger in the terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.audit.fault import count_faults, fault_lines
from verifier.audit.ledger import ClaimResult, Ledger, Standing
from verifier.kernel.games import Game
from verifier.kernel.verdict import Verdict
from verifier.kernel.words import counted
from verifier.language.library import Library
from verifier.language.saying import say_invariant, say_reading
from verifier.methods.result import Decided, ReadingResult
from verifier.methods.witness import Counterexample, Witness
from verifier.presentation.registry import show
from verifier.report.order import group_claims
from verifier.report.place import find_place, point_at
from verifier.report.printable import make_printable
from verifier.report.sentence import source_of, witness_sentence
from verifier.report.trust import REACH, play_of, rules_of, standing_of, trust_of, verdict_of

if TYPE_CHECKING:
    from verifier.report.registry import Report

WIDTH = 100
_COLOURS: dict[str, str] = {
    **dict.fromkeys([str(Verdict.PROVED), Standing.PROVED], "32"),
    **dict.fromkeys([str(Verdict.SUPPORTED), Standing.SUPPORTED], "36"),
    **dict.fromkeys([Standing.REPAIRED, Standing.REPAIRED_SUPPORTED, Standing.DEPENDS], "33"),
    **dict.fromkeys([str(Verdict.REFUTED), Standing.REFUTED], "31"),
    **dict.fromkeys([str(Verdict.UNKNOWN), Standing.UNDETERMINED], "35"),
    **dict.fromkeys([Decided.NOT_RUN, Standing.NOT_RUN], "2"),
}
"""Green is for what is proved as it is stated, and for nothing else."""


def paint(text: str, word: str, *, colour: bool) -> str:
    """Colour a text as a verdict or a standing is coloured, where colours are wanted."""
    code = _COLOURS.get(word, "")
    return f"\033[{code}m{text}\033[0m" if colour and code else text


def _paint_found(reading: ReadingResult, *, colour: bool) -> str:
    word = str(reading.verdict) if reading.is_run else str(reading.decided)
    return paint(verdict_of(reading), word, colour=colour)


def start_line(name: str) -> str:
    """Return a claim's name and dots: what stands before the work."""
    return f"{name} ".ljust(36, ".") + " "


def claim_lines(result: ClaimResult, *, colour: bool) -> str:
    """Return a claim's standing, and a line for each reading that is not as expected, and for each hint."""
    names = ", ".join(_short(reading) for reading in result.readings)
    text = f"{paint(standing_of(result), result.standing, colour=colour)}  ({names})"
    for reading in result.readings:
        if reading.trouble:
            text += f"\n    {reading.id}: {make_printable(reading.trouble)}"
        elif reading.is_unexpected:
            text += f"\n    {reading.id}: expected {reading.expected}, found {verdict_of(reading)}"
            text += f": {make_printable(reading.reason)}" if reading.reason else ""
        text += "".join(f"\n    {reading.id}: hint: {make_printable(hint)}" for hint in reading.hints)
    return text


def _short(reading: ReadingResult) -> str:
    """Return a reading with its verdict: by what it is supported, under which rules, and in which play it holds."""
    control = "control " if reading.control else ""
    play = f", {play_of(reading)}" if reading.in_play else ""
    earlier = ", remembered" if reading.decided is Decided.REMEMBERED else ""
    return f"{control}{reading.id} {verdict_of(reading)}{rules_of(reading)}{play}{earlier}"


def list_lines(ledger: Ledger, library: Library, width: int | None = None, *, colour: bool) -> Iterator[str]:
    """Yield a line for each document, and below it one for each claim: its id, its standing, its title.

    Args:
        ledger: how the claims stand.
        library: the specs, which say what a document is, and in which order its claims come.
        width: the number of columns to which titles are cut, where there is one.
        colour: whether colours are wanted.
    """
    ids = max((len(result.id) for result in ledger.claims), default=0)
    standings = max((len(result.standing) for result in ledger.claims), default=0)
    room = None if width is None else max(width - ids - standings - 6, 20)
    for document, claims in group_claims(ledger, library).items():
        model = library.document(document)
        yield make_printable(f"{document}: {model.title if model else document} ({counted(len(claims), 'claim')})")
        for result in claims:
            title = make_printable(" ".join(result.title.split()))
            if room is not None and len(title) > room:
                title = f"{title[: room - 1]}…"
            standing = paint(result.standing.ljust(standings), result.standing, colour=colour)
            yield f"  {result.id.ljust(ids)}  {standing}  {title}"


def render(report: Report) -> str:
    """Return the ledger as text, without colours."""
    ledger = report.ledger
    lines = [start_line(result.id) + claim_lines(result, colour=False) for result in ledger.claims]
    return "\n".join([*lines, *list_faults(ledger, colour=False), *summary_lines(ledger)]) + "\n"


def summary_lines(ledger: Ledger) -> list[str]:
    """Return the counts under the ledger: of claims, of readings and, where there are any, of faults."""
    if not ledger.claims and not ledger.faults:
        return ["0 claims: nothing to check", "0 readings: every verdict as expected"]
    faults = [count_faults(ledger.faults)] if ledger.faults else []
    if not ledger.claims:
        return ["0 claims: none could be checked", *faults]
    standings = Counter(claim.standing for claim in ledger.claims)
    counts = ", ".join(f"{standings[name]} {name}" for name in Standing if standings[name])
    readings = f"{counted(len(ledger.readings), 'reading')}: {'; '.join(_reading_counts(ledger))}"
    return [f"{counted(len(ledger.claims), 'claim')}: {counts}", readings, *faults]


def _reading_counts(ledger: Ledger) -> Iterator[str]:
    """Yield how many readings are what; that every verdict is as expected is said of a run without faults alone."""
    odd = sum(reading.is_unexpected for reading in ledger.readings)
    decided = Counter(reading.decided for reading in ledger.readings)
    hints = sum(len(reading.hints) for reading in ledger.readings)
    controls = sum(reading.control for reading in ledger.readings)
    if odd or not ledger.faults:
        yield f"{counted(odd, 'verdict')} not as expected" if odd else "every verdict as expected"
    yield from (f"{decided[when]} {when}" for when in Decided if decided[when])
    if hints:
        yield counted(hints, "hint")
    if controls:
        yield f"{counted(controls, 'control, which has', 'controls, which have')} to be refuted"


def documents_line(ledger: Ledger) -> str:
    """Return how the readings of the documents' own claims came out.

    Those that the run leaves out do not count, nor do controls: they are ours.
    """
    claims = [claim for claim in ledger.claims if not claim.source.ours]
    readings = [reading for claim in claims for reading in claim.readings if reading.is_run and not reading.control]
    own = Counter(reading.verdict for reading in readings)
    counts = ", ".join(f"{own[verdict]} {verdict}" for verdict in reversed(Verdict))
    return f"readings of the documents' own claims: {counts}"


def failure_lines(report: Report, *, colour: bool, options: str = "") -> list[str]:
    """Return each reading that is not as expected: its place, why, and what to run for a closer look.

    Args:
        report: the ledger and the specs.
        colour: whether colours are wanted.
        options: stand behind the commands to run, such as `` --specs DIR``.
    """
    lines = []
    for reading in report.ledger.readings:
        if not reading.is_unexpected:
            continue
        place = find_place(report, reading.claim, reading.id)
        found = f"expected {reading.expected}, found {verdict_of(reading)}"
        text = f"{place.path}:{place.line}:{place.column}: {reading.name}: {found}"
        lines.append(paint(make_printable(text), str(Verdict.REFUTED), colour=colour))
        lines += [f"    {make_printable(line)}" for line in point_at(report, reading.claim, place)]
        lines += _wrapped(reading.trouble or reading.reason, "    ")
        lines += _wrapped(witness_sentence(reading), "    ")
        lines.append(f"    look closer: verifier show {reading.claim}{options}")
        if reading.is_given_up:
            lines.append(f"    search again: verifier check {reading.claim} --anew{options}")
    return ["", "not as expected:", *lines, ""] if lines else []


def list_faults(ledger: Ledger, *, colour: bool) -> list[str]:
    """Return the faults that kept something from being checked, and what."""
    lines = [make_printable(line) for line in fault_lines(ledger.faults)]
    shown = [line if line.startswith(" ") else paint(line, str(Verdict.REFUTED), colour=colour) for line in lines]
    return ["", "faults:", *shown, ""] if lines else []


def duration_lines(ledger: Ledger, count: int) -> list[str]:
    """Return the readings that took longest in this run, as many as are asked for."""
    slowest = sorted(ledger.readings, key=lambda reading: -reading.seconds)[:count]
    lines = [f"{reading.seconds:8.1f} s  {reading.name}" for reading in slowest if reading.seconds]
    return ["slowest readings:", *lines] if lines else ["slowest readings: none was checked in this run"]


def show_claim(result: ClaimResult, library: Library, *, colour: bool = False) -> str:
    """Return everything about one claim, its witnesses drawn as boards; verdicts and boards in colours where wanted.

    Args:
        result: how it came out.
        library: the specs, which say what its rules are, and what is noted there.
        colour: whether colours are wanted.
    """
    lines = [
        make_printable(f"{result.id}: {result.title}"),
        make_printable(source_of(result)),
        "",
        *_wrapped(result.source.says),
        "",
        f"rules: {result.rules}",
    ]
    if result.uses:
        lines.append(f"read first: {', '.join(result.uses)}")
    lines.append(f"standing: {paint(standing_of(result), result.standing, colour=colour)}")
    for reading in result.readings:
        lines += ["", *_reading_lines(result, reading, library, colour=colour)]
    return "\n".join(lines)


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(make_printable(" ".join(text.split())), WIDTH, initial_indent=indent, subsequent_indent=indent)


def _reading_lines(result: ClaimResult, reading: ReadingResult, library: Library, *, colour: bool) -> Iterator[str]:
    model = library.claim(result.id).readings[reading.id]
    repairs = f", repairs {', '.join(reading.repairs)}" if reading.repairs else ""
    control = ", a control" if reading.control else ""
    found = _paint_found(reading, colour=colour)
    when = f", {reading.decided}" if reading.is_run and not reading.is_lost else ""
    yield f"reading {reading.id} ({reading.method}{repairs}{control}): {found}, expected {reading.expected}{when}"
    for line in say_reading(model) if reading.is_run else [*say_reading(model), *say_invariant(model)]:
        yield from _wrapped(line)
    for label, text in (
        ("rules", model.rules),
        ("because", reading.because),
        ("note", model.note),
        ("all the same", play_of(reading)),
        ("joins", ", ".join(reading.joins)),
        ("reason", reading.reason),
        ("trouble", reading.trouble),
    ):
        if text:
            yield from _wrapped(f"{label}: {text}")
    for note in reading.remarks:
        yield from _wrapped(note)
    if trust_of(reading):
        yield from _wrapped(f"trust: {trust_of(reading)}")
    if reading.stats:
        yield from _wrapped("counted: " + ", ".join(f"{name} {count}" for name, count in reading.stats.items()))
    if reading.witness is not None:
        game = game_of(library, reading)
        yield from _witness_lines(game, reading.witness, colour=colour)


def game_of(library: Library, reading: ReadingResult) -> Game:
    """Return the game that a reading's witness is about."""
    return library.rules.game(library.claim(reading.claim).rules_of(reading.id))


def _witness_lines(game: Game, witness: Witness, *, colour: bool) -> Iterator[str]:
    moves = [game.parse_move(move) for move in witness.moves]
    if isinstance(witness, Counterexample):
        position = game.parse_position(witness.position)
        yield f"  the step fails, {REACH[witness.reachable]}:"
        yield f"    {make_printable(witness.position)}"
        if witness.line:
            yield from _wrapped("reached by: " + " ".join(witness.line))
    else:
        position = game.parse_position(witness.start)
        yield from _wrapped(f"line, {witness.reason}: " + " ".join(witness.moves))
        for move in moves[:-1]:
            position = game.play(position, move)
        moves = moves[-1:]
    last = None
    if isinstance(witness, Counterexample) or not moves:
        yield from (f"    {line}" for line in show(game).draw_text(position, colour=colour).split("\n"))
    for move in moves:
        mover = game.turn(position)
        position, last = game.play(position, move), move
        yield f"  after {mover} plays {game.format_move(move)}:"
        yield from (f"    {line}" for line in show(game).draw_text(position, last, colour=colour).split("\n"))
