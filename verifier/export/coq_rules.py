"""Writes formulas, and rules of the families ``general`` and ``positional``, in Coq's language.

The text uses the definitions of ``proofs/coq/general/Game.v``.

Nothing here has to be trusted: a theorem is about the rules that are written in its file, where a reader can read them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from verifier.kernel.games import Move
from verifier.kernel.games.positional import BoardPosition

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
"""Words that are written in the same way for all rules."""
_RESULTS = {"X": "WonBy PlayerX", "O": "WonBy PlayerO", "draw": "Draw", "goes-on": "GoesOn", "next": "WonByNext"}

WriteWord = Callable[[str, Sequence[int]], str]
"""Writes a word of a game with its indices."""


def write_list(parts: Iterable[object]) -> str:
    """Write a list."""
    return f"[{'; '.join(map(str, parts))}]"


def write_comment(text: str) -> str:
    """Write a comment. Replace characters that could end it or begin a string."""
    said = re.sub(r'[*"]|[^ -~]', "_", text)
    return f"(* {said} *)"


def write_formula(node: Any, write_word: WriteWord, prefix: str = "") -> str:
    """Write a formula or a term. ``["use", N]``, which stands for entry N of a list, becomes ``prefix`` and N."""
    if not isinstance(node, list):
        number = f"({node})" if node < 0 else node
        return f"(Const {str(node).lower()})" if isinstance(node, bool) else f"(Num {number})"
    head, *args = node
    if head == "use":
        return f"{prefix}{args[0]}"
    if head not in _HEADS:
        return write_word(head, args)
    parts = [write_formula(arg, write_word, prefix) for arg in args]
    return f"({_HEADS[head]} {write_list(parts) if head in _OF_LISTS else ' '.join(parts)})"


def write_entries(entries: Iterable[Any], write_word: WriteWord, prefix: str) -> list[str]:
    """Write the entries of a list of formulas, each as a definition."""
    return [f"Definition {prefix}{i} := {write_formula(entry, write_word, prefix)}." for i, entry in enumerate(entries)]


def _write_outcomes(outcomes: Any, write_word: WriteWord) -> str:
    said = (
        (write_formula(test, write_word, "rule_"), _RESULTS.get(result, "WonByPrevious")) for test, result in outcomes
    )
    return write_list(f"({test}, {result})" for test, result in said)


class CoqRules:
    """Rules as Coq text.

    Attributes:
        lines: definitions of the words of formulas, and of ``game``, the rules.
        numbers: the number of each move.
        write_word: writes a word of a statement's formulas. (In rules of one board, ``ply`` is written differently.)
        list_cells: returns the value of each cell in a position.
    """

    lines: list[str]
    numbers: dict[Move, int]
    write_word: WriteWord
    list_cells: Callable[[Any], list[int]]


class _Board(CoqRules):
    """Rules of one board, written as rules of cells. A cell is 1 if it has a mark, else 0.

    If marks are shared, each spot has a cell; otherwise, each spot has a cell for each player.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        """Write the Coq definitions of the rules in ``data``."""
        spots, is_shared = data["rows"] * data["columns"], data["marks"] == "shared"
        owners = {"marked": ""} if is_shared else {"is_X": "X_", "is_O": "O_"}
        self.numbers = {(s,): s for s in range(spots)}
        self.list_cells = lambda at: [mask >> s & 1 for mask in at[: len(owners)] for s in range(spots)]
        self.lines = [
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
            lines = own[player]
            self.lines += [
                f"Definition {prefix}lines : list (list nat * list nat) :=",
                f"  {write_list(f'({write_list(held)}, {write_list(other)})' for held, other in lines)}.",
                f"Definition {prefix}line : formula := has_line {on} {prefix}lines.",
                f"Definition {prefix}makes (s : nat) : formula := has_line (with_mark {on} s) {prefix}lines.",
            ]
        legal = [True] * spots if data["legal"] is None else data["legal"]
        allowed = write_list(write_formula(test, self._write_rule_word) for test in legal)
        second = f"({spots * (len(owners) - 1)} + s)"
        self.lines += [
            f"Definition allowed : list formula := {allowed}.",
            "Definition mark_on (cell s : nat) : option action :=",
            "  Some (Action (And [free s; nth s allowed (Const false)]) [(cell, Num 1)] None).",
            f"Definition game : rules := Rules (repeat (0, 1)%Z {len(owners) * spots})",
            f"  (map (fun s => Move (mark_on s s) (mark_on {second} s)) spots)",
            f"  {_write_outcomes(data['outcomes'], self._write_rule_word)}.",
        ]

    def write_word(self, name: str, args: Sequence[int]) -> str:
        return f"({_WORDS.get(name, name)} {args[0]})" if args else _WORDS.get(name, name)

    def _write_rule_word(self, name: str, args: Sequence[int]) -> str:
        return "marks" if name == "ply" else self.write_word(name, args)  # rules count marks, statements count moves


class _Cells(CoqRules):
    """Rules of the family ``general``, which have cells already."""

    def __init__(self, data: dict[str, Any]) -> None:
        """Write the Coq definitions of the rules in ``data``."""
        self.numbers = {tuple(numbers): i for i, (_, numbers, _) in enumerate(data["moves"])}
        self.list_cells = lambda at: [*at.values]
        self._entries, self.lines, ranges, first = dict[str, tuple[str, int, Any, bool]](), list[str](), list[str](), 0
        for name, sizes, least, most, start in data["state"]:
            word, kind = (f"is_{name}", "formula := On") if most is None else (f"num_{name}", "term := Cell")
            at = ("", " + i", f" + (i * {sizes[-1:] and sizes[-1]} + j)")[len(sizes)]
            indices = f" ({' '.join('ij'[: len(sizes)])} : nat)" if sizes else ""
            self.lines.append(f"Definition {word}{indices} : {kind} ({first}{at}).")
            ranges.append(f"repeat ({least}, {1 if most is None else most})%Z {len(start)}")
            self._entries[name] = word, first, sizes, most is not None
            first += len(start)
        self.lines += write_entries(data["formulas"], self.write_word, "rule_")
        moves = (f"{write_comment(text)} {self._write_move(actions)}" for text, _, actions in data["moves"])
        self.lines += [
            f"Definition all_moves : list move :=\n  {write_list(moves)}.",
            f"Definition game : rules := Rules ({' ++ '.join(ranges)}) all_moves",
            f"  {_write_outcomes(data['outcomes'], self.write_word)}.",
        ]

    def _write_move(self, actions: dict[str, Any]) -> str:
        if actions.get("X") == actions.get("O"):
            return f"for_both {self._write_action(actions['X'])}"
        own = (f"(Some {self._write_action(actions[player])})" if player in actions else "None" for player in "XO")
        return f"Move {' '.join(own)}"

    def _write_action(self, action: Any) -> str:
        changes, turn = list[str](), "None"
        for (name, *index), said in action[1]:
            text = write_formula(said, self.write_word, "rule_")
            if name == "turn":
                turn = f"(Some {text})"
            else:
                _, first, sizes, is_number = self._entries[name]
                cell = first + (index[0] * sizes[1] + index[1] if len(index) == 2 else sum(index))
                changes.append(f"({cell}, {text if is_number else f'truth {text}'})")
        return f"(Action {write_formula(action[0], self.write_word, 'rule_')} {write_list(changes)} {turn})"

    def write_word(self, name: str, args: Sequence[int]) -> str:
        word = self._entries[name][0] if name in self._entries else _WORDS[name]
        return f"({' '.join([word, *map(str, args)])})" if args else word


_FAMILIES: dict[str, Callable[[dict[str, Any]], CoqRules]] = {"positional": _Board, "general": _Cells}


def write_rules(data: dict[str, Any]) -> CoqRules | None:
    """Return rules as Coq text; None if rules of their family cannot be written."""
    return _FAMILIES.get(data["family"], lambda _: None)(data)


def move_marks(position: BoardPosition, permutation: Sequence[int]) -> BoardPosition:
    """Return the image of a position on one board; part s of the permutation says where spot s goes."""
    return BoardPosition(*(sum(1 << to for s, to in enumerate(permutation) if mask >> s & 1) for mask in position))
