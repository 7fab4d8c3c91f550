"""Writes formulas, and rules of one board or of cells, as terms of ``proofs/coq/general/Game.v``.

Trusted for nothing: a theorem is about the rules that stand in its file, for a reader to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from verifier.kernel.games.general import GeneralPosition
from verifier.kernel.games.positional import BoardPosition

PLAYERS = {"X": "PlayerX", "O": "PlayerO"}

_OPERATORS = {
    "not": "Not", "and": "And", "or": "Or", "implies": "Implies", "iff": "Iff", "exactly-one": "ExactlyOne",
    "sum": "Count", "+": "Add", "-": "Sub", "if": "If",
    "==": "Eq", "!=": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge",
}  # fmt: skip
_OF_LISTS = ("and", "or", "exactly-one", "sum", "+")

_WORDS = {
    "turn": "Turn", "ply": "Ply", "stuck": "Stuck", "over": "Over", "X_wins": "(Wins PlayerX)", "O_wins": "(Wins PlayerO)",
    "X_turn": "(Eq Turn (Num 1))", "O_turn": "(Eq Turn (Num 2))",
}  # fmt: skip
"""Words without indices that mean the same in all rules."""

Words = Callable[[str, Sequence[int]], str]
"""Writes a word of the game with its indices."""


class CoqRules(Protocol):
    """A family of rules, as Coq reads it.

    Attributes:
        lines: definitions of the words of formulas, and of ``game``, the rules.
        words: writes a word of formulas of statements.
        cells: the value of each cell in a position.
    """

    lines: list[str]

    def words(self, name: str, args: Sequence[int]) -> str: ...  # noqa: D102
    def cells(self, position: Any) -> list[int]: ...  # noqa: D102


def write_formula(node: Any, words: Words, prefix: str) -> str:
    """Write a formula or a term; ``prefix`` begins the names of the entries that ``use`` stands for."""
    if isinstance(node, bool):
        return f"(Const {str(node).lower()})"
    if isinstance(node, int):
        return f"(Num ({node}))" if node < 0 else f"(Num {node})"
    head, *args = node
    if head == "use":
        return f"{prefix}{args[0]}"
    if head not in _OPERATORS:
        return words(head, args)
    parts = [write_formula(arg, words, prefix) for arg in args]
    text = write_list(parts) if head in _OF_LISTS else " ".join(parts)
    return f"({_OPERATORS[head]} {text})"


def write_entries(entries: Iterable[Any], words: Words, prefix: str) -> list[str]:
    """Write the entries of a list of formulas, each as a definition."""
    return [f"Definition {prefix}{i} := {write_formula(entry, words, prefix)}." for i, entry in enumerate(entries)]


def write_list(parts: Iterable[str]) -> str:
    """Write a list."""
    return f"[{'; '.join(parts)}]"


def _write_outcomes(outcomes: Any, words: Words) -> str:
    results = {"X": "WonBy PlayerX", "O": "WonBy PlayerO", "draw": "Draw", "goes-on": "GoesOn", "next": "WonByNext"}
    return write_list(
        f"({write_formula(test, words, 'rules_')}, {results.get(result, 'WonByPrevious')})" for test, result in outcomes
    )


class BoardRules:
    """Rules of one board: a cell for each spot, or for each spot and player, which is 1 where there is a mark."""

    def __init__(self, data: dict[str, Any]) -> None:
        """Write the definitions."""
        spots, self._is_shared = data["rows"] * data["columns"], data["marks"] == "shared"
        self._spots, self._legal = range(spots), data["legal"]
        owners = ("marked",) if self._is_shared else ("is_X", "is_O")
        self.lines = [f"Definition spots : list nat := seq 0 {spots}."]
        self.lines += [f"Definition {word} (s : nat) : formula := On ({i * spots} + s)." for i, word in enumerate(owners)]
        taken = " ".join(f"; {word} s" for word in owners)[2:]
        self.lines += [
            f"Definition free (s : nat) : formula := Not (Or [{taken}]).",
            f"Definition marks : term := Count ({' ++ '.join(f'map {word} spots' for word in owners)}).",
            "Definition has_line (on : nat -> formula) (lines : list (list nat * list nat)) : formula :=",
            "  Or (map (fun l => And (map on (fst l) ++ map (fun s => Not (on s)) (snd l))) lines).",
            "Definition with_mark (on : nat -> formula) (t s : nat) : formula := if Nat.eqb s t then Const true else on s.",
        ]
        lines = data["lines"] if isinstance(data["lines"], dict) else dict.fromkeys("XO", data["lines"])
        for player, word in zip("XO", owners, strict=False):
            name = word.removeprefix("is_").replace("marked", "")
            said = write_list(f"({write_list(map(str, held))}, {write_list(map(str, other))})" for held, other in lines[player])
            name = f"{name}_line".lstrip("_")
            self.lines += [
                f"Definition {name}s : list (list nat * list nat) := {said}.",
                f"Definition {name} : formula := has_line {word} {name}s.",
                f"Definition {name.replace('line', 'makes')} (s : nat) : formula := has_line (with_mark {word} s) {name}s.",
            ]
        allowed = "free s"
        if self._legal is not None:
            formulas = write_list(write_formula(one, self._rule_words, "") for one in self._legal)
            self.lines.append(f"Definition allowed : list formula := {formulas}.")
            allowed = "And [free s; nth s allowed (Const false)]"
        self.lines += [
            f"Definition action_on (cell s : nat) : option action := Some (Action ({allowed}) [(cell, Num 1)] None).",
            f"Definition mark (s : nat) : move := Move (action_on s s) (action_on ({(len(owners) - 1) * spots} + s) s).",
            f"Definition game : rules := Rules (repeat (0, 1)%Z {len(owners) * spots}) (map mark spots)",
            f"  {_write_outcomes(data['outcomes'], self._rule_words)}.",
        ]

    def words(self, name: str, args: Sequence[int]) -> str:
        """Write a word of statements."""
        text = {"X": "is_X", "O": "is_O"}.get(name, name)
        return f"({text} {args[0]})" if args else _WORDS.get(name, name)

    def _rule_words(self, name: str, args: Sequence[int]) -> str:
        return "marks" if name == "ply" else self.words(name, args)  # rules count the marks, and not the moves

    def cells(self, position: BoardPosition) -> list[int]:
        """Return the value of each cell."""
        masks = position[:1] if self._is_shared else position
        return [mask >> s & 1 for mask in masks for s in self._spots]


class CellRules:
    """Rules that are data already."""

    def __init__(self, data: dict[str, Any]) -> None:
        """Write the definitions."""
        self.lines, self._names, ranges, first = [], {}, [], 0
        for name, sizes, least, most, start in data["state"]:
            is_number, at = most is not None, "".join(" + i" if len(sizes) == 1 else f" + (i * {sizes[1]} + j)" for _ in sizes[:1])
            word, kind = f"{'num' if is_number else 'is'}_{name}", "term := Cell" if is_number else "formula := On"
            indices = f" ({' '.join('ij'[: len(sizes)])} : nat)" if sizes else ""
            self.lines.append(f"Definition {word}{indices} : {kind} ({first}{at}).")
            ranges.append(f"repeat ({least}, {1 if most is None else most})%Z {len(start)}")
            self._names[name] = (word, first, sizes, is_number)
            first += len(start)
        self.lines += write_entries(data["formulas"], self.words, "rules_")
        moves = [f"(* {text} *) {self._write_move(actions)}" for text, _, actions in data["moves"]]
        self.lines += [
            f"Definition moves : list move := {write_list(moves)}.",
            f"Definition game : rules := Rules ({' ++ '.join(ranges)}) moves",
            f"  {_write_outcomes(data['outcomes'], self.words)}.",
        ]

    def _write_move(self, actions: dict[str, Any]) -> str:
        if actions.get("X") == actions.get("O"):
            return f"for_both {self._write_action(actions['X'])}"
        own = (f"(Some {self._write_action(actions[player])})" if player in actions else "None" for player in "XO")
        return f"Move {' '.join(own)}"

    def _write_action(self, action: Any) -> str:
        guard, changes = action
        said, turn = [], "None"
        for (name, *index), value in changes:
            text = write_formula(value, self.words, "rules_")
            if name == "turn":
                turn = f"(Some {text})"
                continue
            _, first, sizes, is_number = self._names[name]
            at = first + (index[0] * sizes[1] + index[1] if len(index) == 2 else sum(index))
            said.append(f"({at}, {text if is_number else f'truth {text}'})")
        return f"(Action {write_formula(guard, self.words, 'rules_')} {write_list(said)} {turn})"

    def words(self, name: str, args: Sequence[int]) -> str:
        """Write a word of formulas."""
        if name in _WORDS:
            return _WORDS[name]
        word = self._names[name][0]
        return f"({' '.join([word, *map(str, args)])})" if args else word

    def cells(self, position: GeneralPosition) -> list[int]:
        """Return the value of each cell."""
        return [*position.values]


_FAMILIES: dict[str, Callable[[dict[str, Any]], CoqRules]] = {"positional": BoardRules, "general": CellRules}


def write_rules(data: dict[str, Any]) -> CoqRules | None:
    """Write rules; None if rules of this family cannot be written."""
    written = _FAMILIES.get(data["family"])
    return written and written(data)


def move_marks(position: BoardPosition, permutation: Sequence[int]) -> BoardPosition:
    """Return the image of a position on one board; part s of the permutation says where spot s goes."""
    return BoardPosition(*(sum(1 << to for s, to in enumerate(permutation) if mask >> s & 1) for mask in position))
