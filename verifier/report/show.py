"""One claim in the terminal: its readings, with their witnesses as boards; or a tree of the claims that it needs.

A *witness* is a play or a position that shows a verdict, such as a game that refutes a reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from verifier.audit.ledger import ClaimResult, Ledger
from verifier.kernel.games import Game
from verifier.language.outline import AnyLibrary, Outline, ReadingOutline, joined_claims
from verifier.presentation.drawn import Drawings
from verifier.presentation.family import IMAGES_ONCE
from verifier.presentation.registry import find_presentation
from verifier.questions.result import Counterexample, Line, ReadingResult, Witness
from verifier.report.layout import SHORT_DIGITS, Layout
from verifier.report.order import find_wholes
from verifier.report.sentence import (
    REACH,
    READ,
    SEVERITIES,
    rules_of,
    say_expected,
    source_of,
    standing_of,
    trust_of,
    verdict_of,
    word_of,
)


def show_claim(result: ClaimResult, library: Outline, layout: Layout, *, is_verbose: bool = False) -> str:
    """Return all results of a claim as text, with its witnesses drawn as boards.

    If ``is_verbose``, the text has all digits of the hashes of statements, and the paths of certificates.
    """
    lines = [
        *layout.wrap(f"{result.id}: {result.title}", "", "  "),
        *layout.wrap(source_of(result), "", "  "),
        "",
        *layout.wrap(result.source.says),
        "",
    ]
    stands = layout.wrap(f"standing: {standing_of(result)}", "", "  ")
    lines += [layout.paint(line, result.standing) for line in stands]
    if result.severity:
        lines += layout.wrap(f"{SEVERITIES[result.severity].one}: {SEVERITIES[result.severity].meaning}")
    for text in _list_beside(result, library):
        lines += layout.wrap(text, "", "  ")
    lines.append(f"rules: {result.rules}")
    if read := library.read_of(result.source.document):
        lines.append(f"how the document was read: {READ[read]}")
    if result.uses:
        lines += layout.wrap(f"claims to read first: {', '.join(result.uses)}", "", "  ")
    for reading in result.readings:
        lines += ["", *_reading_lines(result, reading, library, layout, is_verbose=is_verbose)]
    return "\n".join(lines)


def _list_beside(result: ClaimResult, library: Outline) -> Iterator[str]:
    """Yield a line for each other claim with errata in a part of a claim, such as the document's proof of the claim."""
    found = dict[str, None]()
    for erratum in library.errata_of(result.source.document).values():
        # The severity is not named: an outline of one claim does not say whether the sentence has a reading that holds.
        kind = "remark" if erratum.severity == "remark" else "correction"
        for claim in (name.partition("/")[0] for name in erratum.readings):
            wholes, part = find_wholes(library, result.source.document, claim)
            if result.id in wholes:
                where = "its proof" if part == "proof" else f"“{part}”"
                found[f"{where} has a {kind}: verifier show {claim}"] = None
    yield from found


def _reading_lines(
    result: ClaimResult, reading: ReadingResult, library: Outline, layout: Layout, *, is_verbose: bool
) -> Iterator[str]:
    outline = library.claim(result.id).readings[reading.id]
    is_met = reading.is_run and reading.is_expected and reading.expected is not None
    expected = ", as expected" if is_met else f", {say_expected(reading)}"
    yield from reading_head(reading, "reading ", expected, layout)
    first = label_lines(note=outline.note, reason=reading.reason, trouble=reading.trouble)
    yield from (line for text in first for line in layout.wrap(text))
    if reading.witness is not None:
        game, drawings = game_of(library, reading), drawings_of(library, reading)
        yield from _witness_lines(game, drawings, reading.witness, reading.reason, layout)
    # The formal part comes last: people first want to know the result, and to see the witness.
    formal = [*outline.said, *(() if reading.is_run else outline.said_evidence)]
    if formal:
        yield "  what was checked:" if reading.is_run else "  what it asks:"
        yield from (line for text in formal for line in layout.wrap(text, "    "))
    lines = label_lines(says="" if outline.said else reading.says, rules=outline.rules, joins=", ".join(reading.joins))
    lines += [*reading.remarks, *label_lines(trust=trust_of(reading, outline.trust), counted=say_stats(reading.stats))]
    if reading.certificate is not None:
        filed = reading.certificate
        lines.append(f"statement: {filed.statement if is_verbose else filed.statement[:SHORT_DIGITS]}")
        lines += [f"certificate: {filed.path}, sha256 {filed.sha256}"] * is_verbose
    for line in lines:
        yield from layout.wrap(line)


def reading_head(reading: ReadingResult, before: str, after: str, layout: Layout) -> Iterator[str]:
    """Yield lines: the text ``before``, the reading's name, its verdict in colour, and the text ``after``."""
    found, word = verdict_of(reading), word_of(reading)
    more = f", repairs {', '.join(reading.repairs)}" if reading.repairs else ", a control" if reading.control else ""
    for line in layout.wrap(f"{before}{reading.id} ({reading.question}{more}): {found}{after}", "", "  "):
        yield line.replace(f"): {found}", f"): {layout.paint(found, word)}")


def label_lines(**texts: str | None) -> list[str]:
    """Return a line for each text that is not empty: the name of the argument as a label, and the text."""
    return [f"{label.replace('_', ' ')}: {text}" for label, text in texts.items() if text]


def say_stats(stats: Mapping[str, int]) -> str:
    """Say in words what the kernel has counted, such as positions, and at which plies a player wins."""
    names = {"edges": "moves", "leaves": "ends", "bound": "most moves in a play"}
    names = names if "edges" in stats else {"leaves": "remaining positions", "refuted": "proofs followed"}
    said = ", ".join(
        f"{names.get(name, name)} {count:,}{say_images(name, stats)}"
        for name, count in stats.items()
        if "_wins_" not in name
    )
    wins = [(player, stats.get(f"{player}_wins_from_ply"), stats.get(f"{player}_wins_up_to_ply")) for player in "XO"]
    spans = [(who, f"ply {start}" if start == end else f"plies {start} to {end}") for who, start, end in wins if start]
    return "; ".join([said, *(f"{player} wins at {span}" for player, span in spans)])


def say_images(name: str, stats: Mapping[str, int]) -> str:
    """Return the remark that images count once. Empty if a count is not of positions, or if there are no images."""
    is_of_positions = name == ("positions" if "positions" in stats else "ends")
    return IMAGES_ONCE if is_of_positions and "symmetries" in stats else ""


def drawings_of(library: AnyLibrary, reading: ReadingResult) -> Drawings:
    """Return the board of points and lines that a reading's rules draw, as a map from their game; empty if none."""
    return library.drawings_of(library.claim(reading.claim).rules_of(reading.id))


def game_of(library: AnyLibrary, reading: ReadingResult) -> Game:
    """Return the game that a reading's witness is about."""
    return library.game(library.claim(reading.claim).rules_of(reading.id))


def replay_witness(game: Game, witness: Witness) -> list[tuple[Any, tuple[int, ...] | None, str]]:
    """Return the positions of a witness, each with the move that led to it and who made it; the first has no move."""
    position = game.parse_position(witness.start if isinstance(witness, Line) else witness.position)
    steps: list[tuple[Any, tuple[int, ...] | None, str]] = [(position, None, "")]
    for move in map(game.parse_move, witness.moves):
        mover, position = game.turn(position), game.play(position, move)
        steps.append((position, move, mover))
    return steps


def _witness_lines(game: Game, drawings: Drawings, witness: Witness, reason: str, layout: Layout) -> Iterator[str]:
    steps, shown, drawn = replay_witness(game, witness), find_presentation(game, drawings), ""
    if isinstance(witness, Counterexample):
        yield f"  the step fails in this position, {REACH[witness.reachable]}:"
        yield from layout.wrap(witness.position, "    ")
        if witness.line:
            yield from layout.wrap("reached by: " + " ".join(witness.line))
    else:
        steps = steps[-1:]
        more = witness.reason.removeprefix(reason).removeprefix("; ") if reason else witness.reason
        head = more if " play" in more else ", ".join(filter(None, ["play", more]))
        yield from layout.wrap(f"{head}: {' '.join(witness.moves)}")
    for position, move, mover in steps:
        if move is not None:
            yield f"  after {mover} plays {game.format_move(move)}:"
        drawn = shown.draw_text(position, move, colour=layout.is_coloured)
        yield from (f"    {line}" for line in drawn.split("\n"))
    turn = shown.say_turn(steps[-1][0])
    if not drawn.endswith(turn):  # some games say below each board who is to move
        yield from layout.wrap(turn, "    ")


# -- the tree: a claim, its readings, the claims that its readings join, and the claims to read first -----------------


def render_tree(ledger: Ledger, library: Outline, claim: str, layout: Layout) -> str:
    """Return the tree of the claims that a claim joins or uses, as text. A claim is shown in full only once."""
    results = {result.id: result for result in ledger.claims}
    return "\n".join(_tree(results, library, claim, layout, set())) + "\n"


def _tree(
    results: Mapping[str, ClaimResult], library: Outline, name: str, layout: Layout, met: set[str]
) -> Iterator[str]:
    """Yield the lines of a claim, and of the claims below it. This adds their names to ``met``."""
    result = results[name]
    head = f"{name}: {layout.paint(standing_of(result), result.standing)}"
    if name in met:
        yield f"{head}, see above"
        return
    met.add(name)
    yield head
    inner = replace(layout, width=layout.width - 3)
    claim = library.claim(name)
    branches = [list(_branch(reading, claim.readings[reading.id], inner)) for reading in result.readings]
    joined = joined_claims(claim)
    for other in dict.fromkeys([*joined, *result.uses]):
        role = "joins" if other in joined else "to read first (no verdict rests on it):"
        first, *rest = _tree(results, library, other, inner, met)
        branches.append([f"{role} {first}", *rest])
    yield from (f"│  {line}" for line in inner.wrap(result.title, ""))
    for number, (first, *rest) in enumerate(branches, 1):
        branch, below = ("├─ ", "│  ") if number < len(branches) else ("└─ ", "   ")
        yield branch + first
        yield from (below + line for line in rest)


def _branch(result: ReadingResult, outline: ReadingOutline, layout: Layout) -> Iterator[str]:
    odd = rules_of(result) + ("" if result.is_expected else f", {say_expected(result)}")
    yield from reading_head(result, "", odd, layout)
    for line in label_lines(
        reason=result.trouble or result.reason,
        trust=trust_of(result, outline.trust),
        hypotheses_used=", ".join(dict.fromkeys(name for needs in result.needs for name in needs.used)),
        certificate=result.certificate.path if result.certificate else "",
    ):
        yield from layout.wrap(line, "", "  ")
