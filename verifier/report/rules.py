"""The rules of a game in words, clause by clause: what a reader has to know to follow a board or a play, and its place.

The words are made from what the clauses of a rules file say, so that they cannot say anything else than the data that a
statement carries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from verifier.language.clauses import LineClause, Lines, RulesFile
from verifier.language.rules import Rules


@dataclass(frozen=True, slots=True)
class Said:
    """A clause in words, and where the document has it."""

    text: str
    place: str


def state_rules(rules: Rules) -> tuple[Said, ...]:
    """Return the rules of a game, a sentence or two a clause."""
    return tuple(_nested(rules.model) if rules.model.family == "nested" else _positional(rules))


def _place(rules: RulesFile, name: str) -> str:
    clause = getattr(rules, name)
    return str(clause.place) if clause is not None else rules.source.place


def _nested(model: RulesFile) -> Iterator[Said]:
    """Say what is the same in all rules of nine fields, and where these differ."""
    is_decided = model.closed is not None and model.closed.is_ == "decided"
    is_open = model.free_choice is not None and model.free_choice.is_ == "open-fields"
    goes_on = model.after_win is not None and model.after_win.is_ == "goes-on"
    closed = (
        "Nobody is held in a field that somebody owns, or that is full."
        if is_decided
        else "A field that somebody owns is played on while it has a free spot, without effect on its owner, and "
        "players are sent there as before."
    )
    reach = (
        "any free spot of a field that is neither owned nor full"
        if is_open
        else "any free spot of the board, in decided fields too"
        if is_decided
        else "any free spot of the board"
    )
    sent = "such a field" if is_decided else "a full field"
    ending = (
        "Three owned fields in a line do not end the game: play goes on while there is room."
        if goes_on
        else "The first to own three fields in a row, a column or a diagonal has won, and the game is over. Where "
        "nobody can move and nobody has won, it is a draw."
    )
    texts = {
        "board": "The board has nine fields in three rows of three, numbered 0 to 8 row by row; each field has nine "
        "spots, numbered alike. The move f.s marks spot s of field f, written (f, s) as well.",
        "turns": "Xavier (X) and Olivia (O) mark a free spot in turn. Xavier begins, on any spot of the board.",
        "sent": "The spot of a move is the number of the field in which the other has to play next.",
        "ownership": "The first with three marks in a row, a column or a diagonal of a field owns it for good.",
        "closed": closed,
        "free_choice": f"A player who is sent to {sent} plays on {reach}.",
        "after_win": ending,
    }
    for name, text in texts.items():
        yield Said(text, _place(model, name))


MAX_SETS = 100
"""How many winning sets are written out."""

_RESULTS = {"X": "X has won", "O": "O has won", "draw": "it is a draw", "goes-on": "play goes on"}


def _positional(rules: Rules) -> Iterator[Said]:
    model, data = rules.model, rules.data
    rows, columns = data["rows"], data["columns"]
    is_shared = data["marks"] == "shared"
    numbers = (
        f"r,c is the spot in row r and column c, from 1,1 to {rows},{columns}"
        if data["notation"] == "rows"
        else f"numbered 0 to {rows * columns - 1} row by row"
    )
    yield Said(
        f"{_count(rows * columns, 'spot')} in {_count(rows, 'row')} of {columns}; {numbers}.", _place(model, "board")
    )
    shared = " A mark belongs to both players." if is_shared else ""
    yield Said(f"X and O mark a free spot in turn; X begins.{shared}", _place(model, "marks"))
    if model.legal is not None and data["legal"] is not None:
        text = f"A free spot s may be marked where this holds: {model.legal.when}."
        yield Said(text, _place(model, "legal"))
    for text in _lines(model.lines, data, is_shared=is_shared) if model.lines is not None else ():
        yield Said(text, _place(model, "lines"))
    for number, (outcome, clause) in enumerate(zip((model.outcomes or {}).values(), data["outcomes"], strict=True)):
        start = "After each move: where" if number == 0 else "Otherwise, where"
        try:
            condition = _words(clause[0])
        except LookupError:
            condition = f"this holds: {outcome.when}"
        yield Said(f"{start} {condition}, {_RESULTS[clause[1]]}.", str(outcome.place))
    yield Said("Otherwise play goes on; where nobody can move, it is a draw.", model.source.place)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _lines(lines: Lines, data: Any, *, is_shared: bool) -> Iterator[str]:
    """Say which sets of spots are lines, of both players or of each."""
    if lines.of_x is not None and lines.of_o is not None:
        sets = data["lines"] if isinstance(data["lines"], dict) else dict.fromkeys("XO", data["lines"])
        for player, part in (("X", lines.of_x), ("O", lines.of_o)):
            yield f"A line of {player}'s is {_line_words(part, sets[player], data)}, with marks of {player}."
        return
    owner = "of either player" if is_shared else "of one player"
    yield f"A line is {_line_words(lines, data['lines'], data)}, with marks {owner}."


_ALONG = {"rows": "a row", "columns": "a column", "diagonals": "a diagonal"}


def _line_words(lines: LineClause, sets: Any, data: Any) -> str:
    """Say which sets of spots are lines: by the generator, or each set where they are listed."""
    if lines.in_a_row is None:
        told = "; ".join(_set_words(line, data) for line in sets[:MAX_SETS])
        rest = f"; and {len(sets) - MAX_SETS} more" if len(sets) > MAX_SETS else ""
        shapes = " and ".join(" ".join(shape) for shape in lines.shapes or ())
        turned = f", the placements of {shapes} (row.column, from 0), turned and mirrored" if shapes else ""
        return f"one of {_count(len(sets), 'set')} of spots{turned}: {told}{rest}"
    places = [_ALONG[name] for name in _ALONG if name in lines.along]
    where = " or ".join([", ".join(places[:-1]), places[-1]] if len(places) > 1 else places)
    long = f" of {lines.shortest} spots or more" if lines.shortest else ""
    what = {"neighbouring": "neighbouring", "exactly": "neighbouring", "any": "any"}[lines.spots]
    text = f"{what} {lines.in_a_row} spots" if lines.spots == "any" else f"{lines.in_a_row} {what} spots"
    beside = ", and no further one beside them" if lines.spots == "exactly" else ""
    return f"{text} of {where}{long}{beside}"


def _set_words(line: list[list[int]], data: Any) -> str:
    held, others = (" ".join(_spot(s, data) for s in spots) for spots in line)
    return f"{held} without {others}" if others else held


def _spot(s: int, data: Any) -> str:
    return f"{s // data['columns'] + 1},{s % data['columns'] + 1}" if data["notation"] == "rows" else str(s)


def _within(formula: Any) -> str:
    """Put a part of a condition into words, in brackets where it has parts of its own."""
    text = _words(formula)
    return f"({text})" if isinstance(formula, list) and formula[0] in ("and", "or", "not") else text


def _words(formula: Any) -> str:
    """Put the condition of a clause into words.

    Raises:
        LookupError: there are none for it.
    """
    match formula:
        case True:
            return "nothing else was said"
        case ["and" | "or" as word, *parts]:
            return f" {word} ".join(map(_within, parts))
        case ["not", part]:
            return f"it is not so that {_within(part)}"
        case ["X_line" | "O_line" as word]:
            return f"{word[0]} has a line"
        case ["line"]:
            return "there is a line"
        case ["stuck"]:
            return "whoever's turn it is cannot move"
        case ["X_turn" | "O_turn" as word]:
            return f"it is {word[0]}'s turn"
        case ["==", ["ply"], int(count)]:
            return f"there {'is' if count == 1 else 'are'} {_count(count, 'mark')}"
        case [">=", ["ply"], int(count)]:
            return f"there are {_count(count, 'mark')} or more"
    raise LookupError(formula)
