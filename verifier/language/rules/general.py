"""Compiles rules of the family ``general``: cells (the values in a position), moves, outcomes, and drawing."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from verifier.automorphism import list_automorphisms
from verifier.kernel.games.general import MAX_MOVE_ENTRIES, MAX_NUMBERS, MAX_SPOTS, MAX_STATE_CELLS
from verifier.kernel.statement import Statement
from verifier.language.evaluator import Env, Evaluator, OldPosition
from verifier.language.expressions import Grounder, ground_over
from verifier.language.indices import index_cases
from verifier.language.loader import Document, KeyPath
from verifier.language.names import Formula, Term
from verifier.language.operators import conjunction, disjunction, negation, write_term
from verifier.language.problem import suggest
from verifier.language.rules.drawn import find_drawing_faults
from verifier.language.rules.file import IN_BRACES
from verifier.language.rules.general_clauses import CellClause, GeneralRules, MoveClause
from verifier.language.rules.general_expressions import RuleExpressions
from verifier.language.rules.overlaps import Cell, Overlap, Overlaps
from verifier.language.sharing import share
from verifier.language.syntax import ExpressionError, KnownFaultError, error_at, say_group

_CELL = re.compile(r"([A-Za-z]\w*)(?:\[([1-9]\d*)(?:, *([1-9]\d*))?\])?")
_ASSIGNMENT = re.compile(r"\s*([A-Za-z]\w*\s*(?:\[.*?\])?)\s*=(?!=)", re.DOTALL)

_OF_A_SPOT = "s", "row", "column"
"""Names for the number, the row and the column of a spot. Conditions in ``shown`` can use them."""


def find_overlaps(model: GeneralRules, document: Document) -> list[Overlap]:
    """Return the overlaps in rules that have no problems.

    Two assignments of a move *overlap* if they can give one cell two different values. Perhaps no play reaches a
    position in which the values differ.
    """
    overlaps = Overlaps()
    GeneralCompiler(model, document, overlaps=overlaps).compile()
    return overlaps.found


@dataclass(slots=True)
class GeneralCompiler(RuleExpressions):
    """Compiles rules of cells, moves and outcomes.

    Attributes:
        overlaps: collects overlaps of assignments (see ``overlaps``); if None, they are not collected.
    """

    overlaps: Overlaps | None = None

    def compile(self) -> dict[str, Any]:
        """Return the cells, all moves and what they change, the outcomes and the drawing, in the kernel's form."""
        state, turn = self.state()
        if self.problems:
            return {}
        names = {player: self.names(player) for player in ("", "X", "O")}
        moves = [] if self.problems else self.moves(names)
        if self.problems:
            return {}
        outcomes = [
            [self.formula(("outcomes", name, "when"), outcome.when, self.names("", "stuck"), {}), outcome.result]
            for name, outcome in self.model.outcomes.items()
        ]
        shown = self.shown(names[""])
        self.check_drawn()
        if self.problems:
            return {}
        ground = [
            part for *_, actions in moves for guard, changes in actions.values() for part in (guard, *changes.values())
        ]
        marks = [] if shown is None else [test for _, tests in shown["marks"] for test in tests]
        shared, rest, entries = share([*ground, *marks], [formula for formula, _ in outcomes])
        parts = iter(shared)
        for *_, actions in moves:
            for player, (_, changes) in actions.items():
                actions[player] = [next(parts), [[list(cell), next(parts)] for cell in changes]]
        for mark in () if shown is None else shown["marks"]:
            mark[1] = [next(parts) for _ in mark[1]]
        results = [result for _, result in outcomes]
        return {
            "state": state,
            "turn": turn,
            "formulas": entries,
            "moves": moves,
            "outcomes": [[*pair] for pair in zip(rest, results, strict=True)],
            "shown": shown,
        }

    @staticmethod
    def list_symmetries(data: Mapping[str, Any], statement: Statement) -> list[list[int]] | None:
        """Return generators of the group of all permutations of cells and values that keep the rules and the goals."""
        found = list_automorphisms(data, statement)
        return None if found is None else [[*one] for one in found]

    # -- cells ------------------------------------------------------------------------------------------------------

    def state(self) -> tuple[list[Any], str]:
        """Return the cells in the kernel's form, and the player who begins."""
        # Names that no cell can have: ``use`` is the kernel's; moves need ``me`` and ``them``, and outcomes ``stuck``.
        found, turn, known = [], "X", ground_over(dict.fromkeys(("me", "them", "stuck", "use"), ()), {})
        for key, clause in self.model.state.items():
            at = ("state", key)
            match = _CELL.fullmatch(key)
            if match is None:
                self.fault(at, f"{key[:40]!r} is not a cell: write name, name[9] or name[3, 3]")
                continue
            name, sizes = match[1], tuple(int(size[:9]) for size in match.groups()[1:] if size)
            if key == "turn":
                if type(clause.start) is not int or clause.start not in (1, 2) or clause.most is not None:
                    self.fault(at, "'turn' has only a 'start': 1 if X begins, 2 if O does")
                turn = "O" if clause.start == 2 else "X"
                continue
            count = math.prod(sizes)
            if name in self.cells or known.find_meaning(name):
                self.fault(at, f"{name!r} already has a meaning; choose another name")
            elif count > MAX_STATE_CELLS:
                self.fault(at, f"there can be at most {MAX_STATE_CELLS} cells, not {count}")
            else:
                self.cells[name] = sizes
                found.append([name, list(sizes), clause.least, clause.most, self.start(at, clause, count)])
                if clause.most is not None:
                    self.numbers.add(name)
        total = sum(map(math.prod, self.cells.values()))
        if total > MAX_STATE_CELLS and not self.problems:
            self.fault(("state",), f"there can be at most {MAX_STATE_CELLS} cells together, not {total}")
        return found, turn

    def start(self, at: KeyPath, clause: CellClause, count: int) -> list[int]:
        """Return the values of cells at the start."""
        start = clause.least if clause.start is None else clause.start
        values = [int(value) for value in (start if isinstance(start, list) else [start] * count)]
        most = 1 if clause.most is None else clause.most
        if clause.most is None and clause.least:
            self.fault(at, "'least' needs 'most': without 'most', a cell is true or false")
        elif clause.least >= most:
            self.fault(at, f"'most' must be larger than 'least', which is {clause.least}")
        elif len(values) != count:
            self.fault((*at, "start"), f"expected {count} values, one for each cell, not {len(values)}")
        elif wrong := [value for value in values if not clause.least <= value <= most]:
            self.fault((*at, "start"), f"must be between {clause.least} and {most}, not {wrong[0]}")
        return values

    # -- moves ------------------------------------------------------------------------------------------------------

    def moves(self, names: dict[str, Grounder]) -> list[Any]:
        """Return all moves, each with its text, its numbers and, for each player, its condition and its changes."""
        found: dict[str, Any] = {}
        longest = max(len(clause.for_) for clause in self.model.moves.values())
        made = 0
        for index, (key, clause) in enumerate(self.model.moves.items()):
            at = ("moves", key)
            if group := next((name for name in clause.for_ if "," in name), ""):
                self.fault((*at, "for", group), say_group(group))
                return []
            if unknown := [name for name in IN_BRACES.findall(key) if name not in clause.for_]:
                self.fault(at, f"'for' has no values for {unknown[0]!r}")
                return []
            if set("{}") & set(IN_BRACES.sub("", key)):
                self.fault(at, "braces must contain the name of a variable of 'for', such as {s}")
                return []
            if longest >= MAX_NUMBERS:
                self.fault(at, f"a move can have at most {MAX_NUMBERS - 1} variables")
                return []
            for env in self.members((*at, "for"), clause.for_, names[""]):
                made += 1
                text = key.format(**env)
                if made > MAX_MOVE_ENTRIES:
                    self.fault((*at, "for"), f"there can be at most {MAX_MOVE_ENTRIES:,} moves: use shorter lists")
                elif text in found:
                    self.fault(at, f"two moves are written {text[:40]!r}")
                elif not re.fullmatch("[!-~]{1,40}", text):
                    self.fault(at, f"a move is written with 1 to 40 ASCII characters and no spaces, not {text[:40]!r}")
                if self.problems:
                    return []
                which = [index] if len(self.model.moves) > 1 else []
                numbers = [*which, *env.values(), *[0] * (longest - len(env))] or [0]
                players = (clause.by,) if clause.by else ("X", "O")
                actions = {}
                for player in players:
                    guard, changes = self.action(at, clause, names[player], env, text)
                    if self.problems:
                        return []
                    if guard is not False:
                        actions[player] = guard, changes
                if actions:
                    found[text] = [text, numbers, actions]
        if not found and not self.problems:
            self.fault(("moves",), "there is no move that can ever be made")
        return [*found.values()]

    def members(self, path: KeyPath, family: dict[str, str | int | bool], names: Grounder) -> Iterator[Env]:
        """Yield each choice of values for the variables of a move."""
        if not family:
            yield {}
            return
        *_, last = family
        known: list[Env] = [{}]
        for name, text in family.items():
            before, known = known, []
            for env in before:
                values = self.attempt((*path, name), partial(self.values, names, name, text, env)) or []
                if name == last:
                    yield from ({**env, name: value} for value in values)
                else:
                    known += [{**env, name: value} for value in values]
                if len(known) > MAX_MOVE_ENTRIES:
                    self.fault((*path, name), f"there can be at most {MAX_MOVE_ENTRIES:,} moves: use shorter lists")
                if self.problems:
                    return

    def values(self, names: Grounder, name: str, text: str | int | bool, env: Env) -> list[int]:
        """Return the values of a variable of a move."""
        if not IN_BRACES.fullmatch(f"{{{name}}}"):
            raise ExpressionError(f"{name[:60]!r} is not a valid variable: use a word in small letters")
        if name in ("me", "them"):
            raise ExpressionError(f"{name!r} already has a meaning: it is a player; choose another name")
        names.require_new(name, env)
        tree = self.parse(text)
        self.value(names, tree, env)
        values = names.integers(tree, env)
        if wrong := [value for value in values if not 0 <= value < MAX_MOVE_ENTRIES]:
            raise ExpressionError(
                f"the values of a variable of a move must be between 0 and {MAX_MOVE_ENTRIES - 1}, not {wrong[0]}"
            )
        if len(set(values)) != len(values):
            raise ExpressionError(f"'for' gives {name!r} the same value twice")
        return values

    def action(
        self, at: KeyPath, clause: MoveClause, names: Grounder, env: Env, move: str
    ) -> tuple[Any, dict[Cell, Any]]:
        """Return the condition of a move, and the new value of each cell that the move changes."""
        guard = self.formula((*at, "when"), clause.when, names, env)
        changes: dict[Cell, Any] = {}
        if self.overlaps is not None:
            self.overlaps.begin_move()
        given = clause.do if isinstance(clause.do, list) else [clause.do]
        for index, text in enumerate(given if guard is not False else ()):
            path = (*at, "do", index) if isinstance(clause.do, list) else (*at, "do")
            place, player = self.document.say_place(path), names.player or ""
            note = None if self.overlaps is None else partial(self.overlaps.note, place, move, player)
            self.attempt(path, partial(self.assign, names, str(text), env, changes, note))
        return guard, changes

    def assign(
        self,
        names: Grounder,
        text: str,
        env: Env,
        changes: dict[Cell, Any],
        note: Callable[[Cell, Any, Any], None] | None,
    ) -> None:
        """Add the changes of an assignment to ``changes``. If a cell gets two values, the later value counts.

        ``note``, if any, is called with each cell, the condition of its change, and its new value.
        """
        match = _ASSIGNMENT.match(text)
        if match is None:
            raise ExpressionError(f"expected CELL = VALUE, not {text[:40]!r}")
        target, right = self.parse(match[1]), text[match.end() :]
        try:
            rounds = self.rounds(names, right.strip(), env)
        except KnownFaultError:
            raise
        except ExpressionError as error:
            before = match.end() + len(right) - len(right.lstrip()) - 1  # 1 less: ``rounds`` puts a bracket in front
            raise ExpressionError(str(error), error.line, error.offset + before * (error.line == 1)) from None
        for inner, guard, value in rounds:
            for case, cell in self.targets(names, target, inner):
                kept = ["-", 3, ["turn"]] if cell == ("turn",) else list(cell)  # by default the other player is next
                before_it = changes.get(cell, kept)
                condition = conjunction([guard, case])
                changes[cell] = self.choose(target, condition, cell, value, before_it)
                if note is not None:
                    note(cell, condition, value)

    def rounds(self, names: Grounder, text: str, env: Env) -> list[tuple[Env, Any, Any]]:
        """Return the variables, the condition and the value for each iteration of the loop in ``text``.

        If ``text`` has no loop, return one entry.
        """
        tree = self.parse(f"[{text}]")  # in brackets, a loop is a list comprehension
        if isinstance(tree, ast.ListComp):
            evaluator = Evaluator(names, OldPosition.NONE, len(names.definitions))
            names.steps = names.level = 0
            loops = [*evaluator.loops(tree.generators, env)]
            return [(inner, guard, self.value(names, tree.elt, inner)) for inner, guard in loops]
        if not isinstance(tree, ast.List) or len(tree.elts) != 1:
            raise ExpressionError("expected one value", offset=1)
        return [(env, True, self.value(names, tree.elts[0], env))]

    def targets(self, names: Grounder, target: ast.expr, env: Env) -> list[tuple[Any, Cell]]:
        """Return the cells that an assignment can change, each with the condition under which it changes the cell."""
        base = target.value if isinstance(target, ast.Subscript) else target
        name = names.absolute(base) if isinstance(base, ast.Name) else ""
        sizes = () if name == "turn" else self.cells.get(name)
        if sizes is None:
            text = self.document.left_out.get(name) or f"is not a cell of 'state'{suggest(name, [*self.cells, 'turn'])}"
            raise error_at(base, f"{name[:40]!r} {text}")
        index = target.slice if isinstance(target, ast.Subscript) else None
        parts = [] if index is None else index.elts if isinstance(index, ast.Tuple) else [index]
        if len(parts) != len(sizes):
            raise error_at(target, f"{name} needs {len(sizes)} indices, not {len(parts)}")
        values = [self.value(names, part, env) for part in parts]
        return [(case, (name, *indices)) for case, indices in index_cases(names, values, sizes, parts)]

    def choose(self, node: ast.expr, condition: Any, cell: Cell, value: Any, before: Any) -> Any:
        """Return the value of a cell after a move: the new value if a condition holds, otherwise the value before."""
        if cell[0] == "turn" or cell[0] in self.numbers:
            if not isinstance(value, int | Term):
                raise error_at(node, f"{cell[0]} is a number, and the value is a condition")
            new = write_term(value, node)
            return new if condition is True else ["if", condition, new, before]
        if not isinstance(value, Formula):
            raise error_at(
                node,
                f"{cell[0]} is true or false, and the value is a number: give the cell 'most' if it is to hold numbers",
            )
        kept = conjunction([negation(condition), before])
        return disjunction([conjunction([condition, value.node]), kept])

    # -- drawing ----------------------------------------------------------------------------------------------------

    def check_drawn(self) -> None:
        """Add the faults of the clause ``drawn``.

        A single cell with a number describes a place for each of its values.
        """
        if self.model.drawn is None:
            return
        found = {}
        for key, clause in self.model.state.items():
            name = key.partition("[")[0]
            count = math.prod(self.cells.get(name, ()))
            is_single = clause.most is not None and name in self.cells and not self.cells[name]
            found[name] = (clause.most or 0) - clause.least + 1 if is_single else count
        found.pop("turn", None)
        for key, text in find_drawing_faults(self.model.drawn, found):
            self.fault(("drawn", key), text)

    def shown(self, names: Grounder) -> dict[str, Any] | None:
        """Return the board, and the condition for each letter on each spot; None if the rules have no ``shown``."""
        clause, marks = self.model.shown, list[Any]()
        if clause is None:
            return None
        count = clause.rows * clause.columns
        if count > MAX_SPOTS:
            self.fault(("shown",), f"a board can have at most {MAX_SPOTS} spots, not {count}")
        for name in _OF_A_SPOT:
            if found := names.find_meaning(name):
                self.fault(
                    ("shown",),
                    f"{name!r} already has a meaning: it is {found}; 'shown' needs this name for a spot",
                )
        for letter, text in clause.marks.items():
            path = ("shown", "marks", letter)
            if not re.fullmatch("[A-Za-z]", letter):
                self.fault(path, f"expected one letter, not {letter[:40]!r}")
            tests = []
            for s in range(0 if self.problems else count):
                numbers = s, s // clause.columns + 1, s % clause.columns + 1
                tests.append(self.formula(path, text, names, dict(zip(_OF_A_SPOT, numbers, strict=True))))
            marks.append([letter, tests])
        return {"rows": clause.rows, "columns": clause.columns, "marks": marks}
