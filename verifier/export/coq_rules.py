"""Writes formulas, and rules of the families ``general`` and ``positional``, in Coq's language.

The text uses the definitions of ``Game.v`` and ``Board.v`` in ``proofs/coq/general``. Nothing here has to be trusted: a
theorem is about the rules that are written in its file, where a reader can read them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from verifier.kernel.formula import OPERATORS
from verifier.kernel.games import Move
from verifier.kernel.games.general import TURN_CELL, General
from verifier.kernel.games.positional import PositionalGame

_OPERATORS = {"sum": "Count", "+": "Add", "-": "Sub", "exactly-one": "ExactlyOne"}
_OPERATORS |= {"==": "Eq", "!=": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge"}
_WORDS = {"turn": "Turn", "ply": "Ply", "stuck": "Stuck", "over": "Over", "X": "is_X", "O": "is_O"}
_WORDS |= {"X_turn": "(Eq Turn (Num 1))", "O_turn": "(Eq Turn (Num 2))"}
_WORDS |= {"X_wins": "(Wins PlayerX)", "O_wins": "(Wins PlayerO)", "use": "rule_"}
_RESULTS = {"X": "WonBy PlayerX", "O": "WonBy PlayerO", "draw": "Draw"}
_RESULTS |= {"goes-on": "GoesOn", "next": "WonByNext", "previous": "WonByPrevious"}


class CoqRules(NamedTuple):
    """Rules as Coq text."""

    lines: list[str]  # definitions of the words in formulas; and the definition of ``game``, which is the rules
    words: Mapping[str, str]  # words of formulas that have another name in Coq
    numbers: Mapping[Move, int]  # the number of each move
    list_cells: Callable[[Any], list[int]]  # returns the value of each cell in a position


def write_list(parts: Iterable[object]) -> str:
    """Write a list."""
    return f"[{'; '.join(map(str, parts))}]"


def write_option(part: object) -> str:
    """Write a value that may be None."""
    return "None" if part is None else f"(Some {part})"


def write_comment(text: str) -> str:
    """Write a comment. Replace characters that could end it or begin a string."""
    said = re.sub(r'[*"]|[^ -~]', "_", text)
    return f"(* {said} *)"


def write_formula(node: Any, words: Mapping[str, str]) -> str:
    """Write a formula or a term. ``["use", N]`` stands for entry N of a list; write ``words["use"]`` and N for it."""
    if isinstance(node, bool):
        return f"(Const {str(node).lower()})"
    if isinstance(node, int):
        return f"(Num ({node}))" if node < 0 else f"(Num {node})"
    head, *args = node
    if head == "use":
        return f"{words['use']}{args[0]}"
    if head in OPERATORS:
        parts = [write_formula(arg, words) for arg in args]
        said = write_list(parts) if OPERATORS[head].parts is None else " ".join(parts)
        return f"({_OPERATORS.get(head, head.title())} {said})"
    text = " ".join([words.get(head, head), *map(str, args)])
    return f"({text})" if args else text


def write_entries(entries: Iterable[Any], words: Mapping[str, str]) -> list[str]:
    """Write the entries of a list of formulas, each as a definition."""
    return [f"Definition {words['use']}{i} := {write_formula(entry, words)}." for i, entry in enumerate(entries)]


def _write_outcomes(outcomes: Any, words: Mapping[str, str]) -> str:
    return write_list(f"({write_formula(test, words)}, {_RESULTS[result]})" for test, result in outcomes)


def _write_board(game: PositionalGame) -> CoqRules:
    """Write rules of one board. In their formulas, the word ``ply`` counts marks; in statements, it counts moves."""
    data, spots, words = game.data, game.cells, {**_WORDS, "ply": "marks"}
    kinds = {"marked": ""} if game.is_shared else {"is_X": "X_", "is_O": "O_"}
    board = f"{write_list(kinds)} {spots}"
    lines = [f"Definition {kind} (s : nat) : formula := On ({i * spots} + s)." for i, kind in enumerate(kinds)]
    lines.append(f"Definition free := is_free {write_list(kinds)}.")
    for (kind, prefix), held in zip(kinds.items(), game.lines.values(), strict=False):
        said = (f"({write_list(own)}, {write_list(others)})" for own, others in held)
        lines += [
            f"Definition {prefix}lines : list line := {write_list(said)}.",
            f"Definition {prefix}line := has_line {kind} {prefix}lines.",
            f"Definition {prefix}makes := makes_line {kind} {prefix}lines.",
        ]
    allowed = write_list(write_formula(test, words) for test in data["legal"] or [True] * spots)
    lines += [
        f"Definition marks := number_of_marks {board}.",
        f"Definition game : rules := board_rules {board}\n  {allowed}\n  {_write_outcomes(data['outcomes'], words)}.",
    ]
    numbers: dict[Move, int] = {(s,): s for s in range(spots)}
    return CoqRules(lines, _WORDS, numbers, lambda at: [m >> s & 1 for m in at[: len(kinds)] for s in range(spots)])


def _write_cells(game: General) -> CoqRules:
    """Write rules of the family ``general``. Their cells, in order, are the cells of the rules in Coq."""
    data, words, lines, ranges = game.data, {**_WORDS}, list[str](), list[str]()
    for name, cells in game.cells.items():
        words[name], kind = (f"num_{name}", "term := Cell") if cells.is_number else (f"is_{name}", "formula := On")
        indices = "".join(f" ({index} : nat)" for index, _ in zip("ij", cells.sizes, strict=False))
        at = ("", " + i", f" + (i * {[0, *cells.sizes][-1]} + j)")[len(cells.sizes)]
        lines.append(f"Definition {words[name]}{indices} : {kind} ({cells.first}{at}).")
        ranges.append(f"repeat ({cells.least}, {cells.most})%Z {game.all_cells.count(cells)}")

    def write_action(guard: Any, changes: Any) -> str:
        said = {game.find_cell(target): write_formula(value, words) for target, value in changes}
        turn = said.pop(TURN_CELL, None)
        values = (f"({c}, {text if game.all_cells[c].is_number else f'truth {text}'})" for c, text in said.items())
        return f"(Action {write_formula(guard, words)} {write_list(values)} {write_option(turn)})"

    def write_move(text: str, actions: dict[str, Any]) -> str:
        own = [write_action(*actions[player]) if player in actions else None for player in "XO"]
        said = f"for_both {own[0]}" if own[0] == own[1] else f"Move {' '.join(map(write_option, own))}"
        return f"{write_comment(text)} {said}"

    moves = write_list(write_move(text, actions) for text, _, actions in data["moves"])
    lines += [
        *write_entries(data["formulas"], words),
        f"Definition all_moves : list move :=\n  {moves}.",
        f"Definition game : rules := Rules ({' ++ '.join(ranges)}) all_moves",
        f"  {_write_outcomes(data['outcomes'], words)}.",
    ]
    numbers = {tuple(move): i for i, (_, move, _) in enumerate(data["moves"])}
    return CoqRules(lines, words, numbers, lambda at: [*at.values])


WRITERS: Mapping[type, Callable[[Any], CoqRules]] = {General: _write_cells, PositionalGame: _write_board}
"""Functions that write the rules of a game, by the type of the game. There is no function for games of nine fields."""
