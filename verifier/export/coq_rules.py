"""Writes formulas, and rules of the families ``general`` and ``positional``, in Coq's language.

The text uses the definitions of ``proofs/coq/general/Game.v``. Nothing here has to be trusted: a theorem is about the
rules that are written in its file, where a reader can read them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from verifier.kernel.games import Move

_HEADS = {
    "not": "Not", "and": "And", "or": "Or", "implies": "Implies", "iff": "Iff", "exactly-one": "ExactlyOne",
    "sum": "Count", "+": "Add", "-": "Sub", "if": "If",
    "==": "Eq", "!=": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge",
}  # fmt: skip
_OF_LISTS = ("and", "or", "exactly-one", "sum", "+")
_WORDS = {
    "turn": "Turn", "ply": "Ply", "stuck": "Stuck", "over": "Over", "X": "is_X", "O": "is_O",
    "X_wins": "(Wins PlayerX)", "O_wins": "(Wins PlayerO)",
    "X_turn": "(Eq Turn (Num 1))", "O_turn": "(Eq Turn (Num 2))",
}  # fmt: skip
_RESULTS = {"X": "WonBy PlayerX", "O": "WonBy PlayerO", "draw": "Draw", "goes-on": "GoesOn", "next": "WonByNext"}


class CoqRules(NamedTuple):
    """Rules as Coq text."""

    lines: list[str]  # definitions of the words of formulas, and of ``game``, the rules
    words: Mapping[str, str]  # words of formulas that have another name in Coq
    numbers: Mapping[Move, int]  # the number of each move
    list_cells: Callable[[Any], list[int]]  # returns the value of each cell in a position


def write_list(parts: Iterable[object]) -> str:
    """Write a list."""
    return f"[{'; '.join(map(str, parts))}]"


def write_comment(text: str) -> str:
    """Write a comment. Replace characters that could end it or begin a string."""
    said = re.sub(r'[*"]|[^ -~]', "_", text)
    return f"(* {said} *)"


def write_formula(node: Any, words: Mapping[str, str], prefix: str) -> str:
    """Write a formula or a term. ``["use", N]``, which stands for entry N of a list, becomes ``prefix`` and N."""
    if not isinstance(node, list):
        number = f"({node})" if node < 0 else node
        return f"(Const {str(node).lower()})" if isinstance(node, bool) else f"(Num {number})"
    head, *args = node
    if head == "use":
        return f"{prefix}{args[0]}"
    if head not in _HEADS:
        text = " ".join([words.get(head, head), *map(str, args)])
        return f"({text})" if args else text
    parts = [write_formula(arg, words, prefix) for arg in args]
    return f"({_HEADS[head]} {write_list(parts) if head in _OF_LISTS else ' '.join(parts)})"


def write_entries(entries: Iterable[Any], words: Mapping[str, str], prefix: str) -> list[str]:
    """Write the entries of a list of formulas, each as a definition."""
    return [f"Definition {prefix}{i} := {write_formula(entry, words, prefix)}." for i, entry in enumerate(entries)]


def _write_outcomes(outcomes: Any, words: Mapping[str, str]) -> str:
    said = ((write_formula(test, words, "rule_"), _RESULTS.get(result, "WonByPrevious")) for test, result in outcomes)
    return write_list(f"({test}, {result})" for test, result in said)


def _write_board(data: dict[str, Any]) -> CoqRules:
    """Write rules of one board as rules of cells. A cell is 1 if it has a mark, else 0.

    If marks are shared, each spot has a cell; otherwise, each spot has a cell for each player. The rules' formulas call
    the number of marks ``ply``; in statements, this is the number of moves.
    """
    spots, is_shared, words = data["rows"] * data["columns"], data["marks"] == "shared", {**_WORDS, "ply": "marks"}
    owners = {"marked": ""} if is_shared else {"is_X": "X_", "is_O": "O_"}
    lines = [
        f"Definition spots : list nat := seq 0 {spots}.",
        *(f"Definition {on} (s : nat) : formula := On ({i * spots} + s)." for i, on in enumerate(owners)),
        f"Definition free (s : nat) : formula := Not (Or {write_list(f'{on} s' for on in owners)}).",
        f"Definition marks : term := Count ({' ++ '.join(f'map {on} spots' for on in owners)}).",
        "(** The marks hold all spots of the first list of some line, and none of the second. *)",
        "Definition has_line (on : nat -> formula) (lines : list (list nat * list nat)) : formula :=",
        "  Or (map (fun l => And (map on (fst l) ++ map (fun s => Not (on s)) (snd l))) lines).",
        "Definition with_mark (on : nat -> formula) (t s : nat) : formula :=",
        "  if Nat.eqb s t then Const true else on s.",
    ]
    own = data["lines"] if isinstance(data["lines"], dict) else dict.fromkeys("XO", data["lines"])
    for (on, prefix), player in zip(owners.items(), "XO", strict=False):
        lines += [
            f"Definition {prefix}lines : list (list nat * list nat) :=",
            f"  {write_list(f'({write_list(held)}, {write_list(other)})' for held, other in own[player])}.",
            f"Definition {prefix}line : formula := has_line {on} {prefix}lines.",
            f"Definition {prefix}makes (s : nat) : formula := has_line (with_mark {on} s) {prefix}lines.",
        ]
    allowed = (write_formula(test, words, "rule_") for test in data["legal"] or [True] * spots)
    lines += [
        f"Definition allowed : list formula := {write_list(allowed)}.",
        "Definition mark_on (cell s : nat) : option action :=",
        "  Some (Action (And [free s; nth s allowed (Const false)]) [(cell, Num 1)] None).",
        f"Definition game : rules := Rules (repeat (0, 1)%Z {len(owners) * spots})",
        f"  (map (fun s => Move (mark_on s s) (mark_on ({spots * (len(owners) - 1)} + s) s)) spots)",
        f"  {_write_outcomes(data['outcomes'], words)}.",
    ]
    numbers: dict[Move, int] = {(s,): s for s in range(spots)}
    return CoqRules(lines, _WORDS, numbers, lambda at: [m >> s & 1 for m in at[: len(owners)] for s in range(spots)])


def _write_cells(data: dict[str, Any]) -> CoqRules:
    """Write rules of the family ``general``, which have cells already."""
    cells, words, lines, ranges, first = dict[str, tuple[int, Any, bool]](), {**_WORDS}, list[str](), list[str](), 0
    for name, sizes, least, most, start in data["state"]:
        words[name], kind = (f"is_{name}", "formula := On") if most is None else (f"num_{name}", "term := Cell")
        at = ("", " + i", f" + (i * {[0, *sizes][-1]} + j)")[len(sizes)]
        indices = f" ({' '.join('ij'[: len(sizes)])} : nat)" if sizes else ""
        lines.append(f"Definition {words[name]}{indices} : {kind} ({first}{at}).")
        ranges.append(f"repeat ({least}, {1 if most is None else most})%Z {len(start)}")
        cells[name] = first, sizes, most is None
        first += len(start)

    def write_action(action: Any) -> str:
        changes, turn = list[str](), "None"
        for (name, *index), said in action[1]:
            text = write_formula(said, words, "rule_")
            if name == "turn":
                turn = f"(Some {text})"
                continue
            first, sizes, is_condition = cells[name]
            cell = first + sum(i * math.prod(sizes[at:]) for at, i in enumerate(index, 1))
            changes.append(f"({cell}, {f'truth {text}' if is_condition else text})")
        return f"(Action {write_formula(action[0], words, 'rule_')} {write_list(changes)} {turn})"

    def write_move(text: str, actions: dict[str, Any]) -> str:
        own = [f"(Some {write_action(actions[player])})" if player in actions else "None" for player in "XO"]
        is_same = actions.get("X") == actions.get("O")
        said = f"for_both {write_action(actions['X'])}" if is_same else f"Move {' '.join(own)}"
        return f"{write_comment(text)} {said}"

    moves = write_list(write_move(text, actions) for text, _, actions in data["moves"])
    lines += [
        *write_entries(data["formulas"], words, "rule_"),
        f"Definition all_moves : list move :=\n  {moves}.",
        f"Definition game : rules := Rules ({' ++ '.join(ranges)}) all_moves",
        f"  {_write_outcomes(data['outcomes'], words)}.",
    ]
    numbers = {tuple(move): i for i, (_, move, _) in enumerate(data["moves"])}
    return CoqRules(lines, words, numbers, lambda at: [*at.values])


_WRITERS = {"positional": _write_board, "general": _write_cells}


def has_writer(data: dict[str, Any]) -> bool:
    """Say whether rules can be written: those of nine fields cannot."""
    return data["family"] in _WRITERS


def write_rules(data: dict[str, Any]) -> CoqRules:
    """Write rules that have a writer."""
    return _WRITERS[data["family"]](data)
