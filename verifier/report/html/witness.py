"""Draws witnesses (plays or positions that show a verdict) for the page, as boards and lists of moves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from verifier.audit.sources import find_used
from verifier.kernel.certificate import hash_bytes
from verifier.kernel.errors import CertificateError
from verifier.kernel.formula import OPERATORS, FormulaCompiler
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.words import counted
from verifier.language.library import Library
from verifier.presentation.family import Presentation, in_pair
from verifier.presentation.registry import find_presentation
from verifier.presentation.saying import one_line
from verifier.presentation.svg import draw_svg
from verifier.questions.result import Counterexample, Line, ReadingResult, Witness
from verifier.report.printable import flatten
from verifier.report.registry import Report
from verifier.report.show import game_of, replay_witness

_MAX_FRAMES = 3
"""Maximum number of positions that are drawn beside each other. More positions are shown one after the other."""
_MAX_FORMULA = 600
"""Maximum number of characters of a definition beside a conclusion that fails."""


class DefinedName(NamedTuple):
    """A name in a formula, and its definition.

    Attributes:
        name: the name with its parameters, as the definition has it.
        formula: the definition.
        title: the title of the file with the definition.
        home: the id of this file; empty if the claim itself has the definition.
    """

    name: str
    formula: str
    title: str
    home: str


class WitnessView(NamedTuple):
    """A witness as it is drawn.

    Attributes:
        text: sentences that say what the witness shows.
        fails: the conclusion that fails, or why the step is not possible; empty if the witness is a play.
        meanings: the definitions of the names in ``fails``.
        said: the document's terms in ``fails``, with their meanings.
        is_asked: whether spots on the board are framed because the conclusion is about them.
        reach: whether legal play reaches the position, in a sentence; empty if the witness is a play.
        is_reached: whether legal play reaches the position of a counterexample.
        board: the last position, drawn.
        before: the position before the moves, drawn; None if it is the start of the game, if there are no moves, or if
            ``frames`` has it.
        frames: each position, with words that say what it shows, if the witness has few moves from a position that is
            not the start of the game; else empty.
        steps: JSON for the page's script. For each position: what the board shows, the last move, and whose turn it is.
        ply: the ply of the last position.
        moves: every move, with its number and player.
        reached_by: the moves from the start to a counterexample's position.
        blank: a board on which the page's script can show every step; None if there are no moves.
    """

    kind: str
    heading: str
    text: tuple[str, ...]
    board: Markup
    before: Markup | None
    frames: tuple[tuple[str, Markup], ...]
    steps: str
    ply: int
    moves: tuple[tuple[int, str, str], ...]
    reached_by: tuple[str, ...] = ()
    fails: str = ""
    meanings: tuple[DefinedName, ...] = ()
    said: tuple[tuple[str, str], ...] = ()
    is_asked: bool = False
    reach: str = ""
    is_reached: bool = False
    blank: Markup | None = None

    @property
    def blank_name(self) -> str:
        """The page's name for ``blank``. Equal boards are in the page only once, and share the name."""
        return hash_bytes((self.blank or "").encode())[:8]


def draw_witness(report: Report, result: ReadingResult, data: Witness, first: int = 1) -> WitnessView:
    """Return a reading's witness as the page shows it.

    ``first`` is the number that a diagram of the source gives to the first mark of the game.
    """
    library = report.library
    game, drawings = game_of(library, result), library.drawings
    steps = replay_witness(game, data)
    (start, _, _), (position, last, _) = steps[0], steps[-1]
    is_start, ply = start == game.start, game.ply(start) + first
    moves = [(ply + index, steps[index + 1][2], in_pair(text)) for index, text in enumerate(data.moves)]
    has_frames = 0 < len(moves) <= _MAX_FRAMES - 1 and not is_start
    if isinstance(data, Counterexample):
        model = library.claim(result.claim).readings[result.id]
        is_only = len(getattr(model, "steps", ())) < 2
        where = _say_where(data, is_only=is_only, has_frames=has_frames)
        heading, text, reached_by = "A position where it fails", [where], data.line or ()
        told = data.fails, tuple(_find_meanings(library, result, data)), _REACH[data.reachable], bool(data.reachable)
    else:
        heading, reached_by = f"A {'game' if is_start else 'line'} of {counted(len(moves), 'move')}", ()
        text, told = [_sentence(data.reason)], ("", (), "", False)
    plies = {text: ply + index for index, text in enumerate(data.moves)} if isinstance(data, Line) else None
    shown, made = find_presentation(game, drawings), [None, *data.moves]
    if moves:
        text.append(f"{moves[-1][1]} makes the last move, {moves[-1][2]}. Then: {shown.say_turn(position)}.")
    asked, said = frozenset[str](), tuple[tuple[str, str], ...]()
    seen = [_step(shown, at, move) for (at, *_), move in zip(steps, made, strict=True)]
    if isinstance(data, Counterexample) and data.is_conclusion:
        asked = _find_asked(report, result, data)
        terms = library.document(library.claim(result.claim).source.document).terms
        # A label of one letter says little without the text around it.
        said = tuple(find_terms({term: text for term, text in terms.items() if len(term) > 1}, data.fails))

    def draw(at: Any, move: Any, **how: Any) -> Markup:
        return Markup(draw_svg(game, at, move, is_still=True, drawings=drawings, **how))  # noqa: S704 - svg.py escapes

    board = draw(position, last, plies=plies, asked=asked)
    drawn = [*(draw(at, move) for at, move, _ in steps[:-1]), board] if has_frames else []
    return WitnessView(
        kind=data.kind,
        heading=heading,
        text=tuple(text),
        board=board,
        before=None if drawn or is_start or not moves else draw(start, None),
        frames=tuple(zip(_say_frames(shown, steps, moves), drawn, strict=False)),
        steps=json.dumps(seen, separators=(",", ":")),
        ply=game.ply(position),
        moves=tuple(moves),
        reached_by=tuple(map(in_pair, reached_by)),
        fails=told[0],
        said=said,
        is_asked=bool(asked),
        meanings=told[1],
        reach=told[2],
        is_reached=told[3],
        blank=None if drawn or not moves else Markup(draw_svg(game, game.start, drawings=drawings)),  # noqa: S704 - the same
    )


def _say_frames(shown: Presentation, steps: Sequence[Any], moves: Sequence[tuple[int, str, str]]) -> Iterator[str]:
    """Say what each board shows: the move that was made, and whose turn it is."""
    made = ["Before"]
    for at, (_, player, move) in enumerate(moves):
        made.append(f"{shown.players[player]} {'answers' if at else 'plays'} {move}")
    for number, ((position, *_), words) in enumerate(zip(steps, made, strict=True), 1):
        yield f"{number}. {words}: {say_mover(shown, position)}"


def say_mover(shown: Presentation, position: Any) -> str:
    """Say who is to move and where, with the player's name; or how the game has ended."""
    said = shown.say_turn(position).partition(", ")[2]
    return re.sub(r"^[XO](?= to move)", lambda mark: _name(shown, mark[0]), said)


def _name(shown: Presentation, mark: str) -> str:
    return f"{shown.players[mark]} ({mark})" if shown.players[mark] != mark else mark


def _step(shown: Presentation, position: Any, move: str | None) -> list[Any]:
    """Return one step for the page's script (``readSteps`` of ``board.js``)."""
    look = shown.look(position)
    ends = [look.lines, look.aligned] if look.lines else []
    return [look.marks, look.owners, " ".join(look.active), move, shown.say_turn(position), *ends]


_REACH = {
    None: "It is not known whether legal play reaches it: the search ended without an answer.",
    True: "Legal play reaches it.",
    False: "No legal play reaches it. So it refutes this step, and nothing more.",
}
"""Whether legal play reaches a position; the keys are values of ``Counterexample.reachable``."""


def _say_where(data: Counterexample, *, is_only: bool, has_frames: bool) -> str:
    """Say what the position of a counterexample satisfies.

    Args:
        data: the counterexample.
        is_only: whether the reading has only one part.
        has_frames: whether the page draws all its positions, with numbers.
    """
    made = ", ".join(map(in_pair, data.moves))
    after = f"On board {len(data.moves) + 1}, after {made}," if has_frames else f"After {made}"
    what = f"{after} this conclusion fails:" if data.moves else "This conclusion fails:"
    if not data.is_conclusion:
        what = f"{after.removesuffix(',')}:" if data.moves else "But:"
    part, _, values = data.part.removesuffix("]").partition("[")
    of, given = "" if is_only else f" of “{part}”", f", with {values.replace('=', ' = ')}" if values else ""
    which = "The position of board 1" if has_frames else "This position"
    return f"{which} satisfies the hypotheses of the step{of}{given}. {what}"


def find_terms(terms: Mapping[str, str], text: str) -> list[tuple[str, str]]:
    """Return the terms that a text uses, with their meanings. “P1 to P6” also uses the six terms from “P1” to “P6”."""
    found = set[str]()
    for term in sorted(terms, key=len, reverse=True):
        # "A" begins many a sentence; as a label it stands after another word.
        before = "(?<=[a-z] )" if len(term) == 1 else r"(?<!\w)"
        text, count = re.subn(rf"{before}{re.escape(term)}(?!\w)", "", text)
        group = re.fullmatch(r"([A-Z])([0-9]) to \1([0-9])", term)
        several = range(int(group[2]), int(group[3]) + 1) if group else ()
        found |= {term, *(f"{term[0]}{number}" for number in several)} if count else set()
    return [(term, flatten(meaning)) for term, meaning in terms.items() if term in found]


_MARKS = {"X", "O", "free", "marked"}
"""The words of formulas about the mark in a spot."""


def _find_asked(report: Report, result: ReadingResult, data: Counterexample) -> frozenset[str]:
    """Return the spots on whose marks a failing conclusion depends.

    If the conclusion joins several conditions by *and*, only those that fail count.

    Return no spots if they are more than a third of the board.
    """
    filed = result.certificate
    if filed is None:
        return frozenset()
    try:
        statement = report.store.certificate(filed.key, filed.sha256).statement
    except CertificateError:  # the certificate may have been deleted since
        return frozenset()
    game, entries = parse_rules(statement["rules"]), statement.get("formulas", [])
    compiler = FormulaCompiler(game, entries)
    before, after = game.parse_position(data.position), game.parse_position(data.after)
    parts = [part for part in statement.get("parts", []) if part["part"] == data.part]
    left = [formula for part in parts for name, formula in part["conclusions"] if name == data.fails]
    failing = list[Any]()
    for formula in left:  # the list grows while it is read
        match formula:
            case ["use", int(number)]:
                left.append(entries[number])
            case ["and", *conditions]:
                left += [item for item in conditions if not compiler.compile(item, is_after_step=True)(after, before)]
            case _:
                failing.append(formula)
    found = {game.format_move(spot) for spot in _list_marks(failing, entries)}
    places = sum(len(area.spots) for area in find_presentation(game, report.library.drawings).board.areas)
    return frozenset(found if 3 * len(found) <= places else ())


def _list_marks(formulas: list[Any], entries: list[Any]) -> Iterator[tuple[int, ...]]:
    """Yield the spots whose marks, in the position after the step, occur in the formulas."""
    left, used = [*formulas], set[int]()
    for formula in left:  # the list grows while it is read
        match formula:
            case ["use", int(number)]:
                left += [] if number in used else [entries[number]]
                used.add(number)
            case [word, *spot] if word in _MARKS:
                yield tuple(spot)
            case [word, *parts] if word in OPERATORS and word != "old":
                left += parts


def _find_meanings(library: Library, result: ReadingResult, data: Counterexample) -> Iterator[DefinedName]:
    """Yield the definitions of the names in a conclusion that fails. Leave out long definitions."""
    if not data.is_conclusion:
        return
    known = dict[str, DefinedName]()
    for (kind, home), spec in find_used(library, result.claim, [result.id]).items():
        if kind in ("claim", "definitions"):
            for name, formula in spec.model.define.items():
                own = "" if kind == "claim" else home
                known.setdefault(name.partition("(")[0], DefinedName(name, one_line(formula), spec.model.title, own))
    for name in dict.fromkeys(re.findall(r"[A-Za-z_]\w*", data.fails)):
        if name in known and len(known[name].formula) <= _MAX_FORMULA:
            yield known[name]


def _sentence(text: str) -> str:
    text = re.sub(r"^'([^']+)'|(?<= )'([^']+)'", r"“\1\2”", text)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "…")) else ".")
