"""A position as formulas over an unknown position, and what a move makes of it.

The words of the game stand for formulas over the words of the position before the step, so a step needs no second
set of variables. Only the game on nine fields is known here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from verifier.kernel.games.nested import ANY, Nested
from verifier.language.connective import conjunction, disjunction, equivalence, implication, negation

Formula = Any
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True, slots=True)
class State:
    """The marks, owners and active field, each as a formula over the position before the step."""

    rules: Nested
    marks: dict[tuple[str, int, int], Formula]
    owners: dict[tuple[str, int], Formula]
    active: tuple[Formula, ...]

    @classmethod
    def unknown(cls, rules: Nested) -> State:
        """Return the position before the step."""
        marks = {(p, f, s): [p, f, s] for p in "XO" for f in range(9) for s in range(9)}
        owners = {(p, f): [f"won_by_{p}", f] for p in "XO" for f in range(9)}
        return cls(rules, marks, owners, tuple(["active", k] for k in range(10)))

    def taken(self, f: int, s: int) -> Formula:
        """Say that a spot holds a mark."""
        return disjunction([self.marks["X", f, s], self.marks["O", f, s]])

    def full(self, f: int) -> Formula:
        """Say that a field has no free spot."""
        return conjunction([self.taken(f, s) for s in range(9)])

    def aligned(self, player: str, f: int) -> Formula:
        """Say that a player has three in a line in a field."""
        return disjunction([conjunction([self.marks[player, f, s] for s in line]) for line in LINES])

    def wins(self, player: str) -> Formula:
        """Say that a player owns three aligned fields."""
        return disjunction([conjunction([self.owners[player, f] for f in line]) for line in LINES])

    def empty(self) -> Formula:
        """Say that there is no mark on the board."""
        return conjunction([negation(self.taken(f, s)) for f in range(9) for s in range(9)])

    def sent_by(self, players: str, f: int) -> Formula:
        """Say that one of some players has a mark that names a field."""
        return disjunction([self.marks[player, g, f] for player in players for g in range(9)])

    def explained_by(self, players: str) -> list[Formula]:
        """Say that one of some players has a mark that names the active field, or for a free choice one that refuses.

        It does not say so of a free choice on an empty board.
        """
        fields = [implication(self.active[f], self.sent_by(players, f)) for f in range(9)]
        refusing = [conjunction([negation(self.takes_visitors(f)), self.sent_by(players, f)]) for f in range(9)]
        return [*fields, implication(self.active[ANY], disjunction([self.empty(), *refusing]))]

    def takes_visitors(self, f: int) -> Formula:
        """Say that a player who is sent to a field has to play there."""
        is_open = negation(self.full(f))
        if not self.rules.closed:
            return is_open
        return conjunction([is_open, *(negation(self.owners[player, f]) for player in "XO")])

    def is_chosen(self, f: int) -> Formula:
        """Say that a free choice reaches a field."""
        if self.rules.closed and not self.rules.free_reaches_decided:
            return self.takes_visitors(f)
        return negation(self.full(f))

    def over(self) -> Formula:
        """Say that the game has ended."""
        stuck = conjunction([self.active[ANY], *(negation(self.is_chosen(f)) for f in range(9))])
        return stuck if self.rules.play_on else disjunction([self.wins("X"), self.wins("O"), stuck])

    def legal(self, move: tuple[int, int]) -> Formula:
        """Say that a move is legal for whoever is to move."""
        f, s = move
        reach = disjunction([self.active[f], conjunction([self.active[ANY], self.is_chosen(f)])])
        won = [] if self.rules.play_on else [negation(self.wins("X")), negation(self.wins("O"))]
        return conjunction([reach, negation(self.taken(f, s)), *won])

    def play(self, mover: str, move: tuple[int, int]) -> State:
        """Return the state after a legal move."""
        f, s = move
        marks = {**self.marks, (mover, f, s): True}
        moved = State(self.rules, marks, self.owners, self.active)
        other = "O" if mover == "X" else "X"
        gained = conjunction([moved.aligned(mover, f), negation(self.owners[other, f])])
        owners = {**self.owners, (mover, f): disjunction([self.owners[mover, f], gained])}
        moved = State(self.rules, marks, owners, self.active)
        stays = moved.takes_visitors(s)
        active = [stays if k == s else False for k in range(9)]
        return State(self.rules, marks, owners, (*active, negation(stays)))

    def read(self, formula: Formula, before: State) -> Formula:
        """Return a formula about this state as one about the position before the step; ``old`` means ``before``."""
        if isinstance(formula, bool | int):
            return formula
        head, args = formula[0], formula[1:]
        if head == "old":
            return before.read(args[0], before)
        if head in ("X", "O"):
            return self.marks[head, args[0], args[1]]
        if head == "free":
            return negation(self.taken(args[0], args[1]))
        if head == "full":
            return self.full(args[0])
        if head in ("won_by_X", "won_by_O"):
            return self.owners[head[-1], args[0]]
        if head == "active":
            return self.active[args[0]]
        if head in ("X_wins", "O_wins"):
            return self.wins(head[0])
        if head == "over":
            return self.over()
        if head == "ply":
            return ["sum", *(self.taken(f, s) for f in range(9) for s in range(9))]
        parts = [self.read(arg, before) for arg in args]
        if head == "and":
            return conjunction(parts)
        if head == "or":
            return disjunction(parts)
        if head == "not":
            return negation(parts[0])
        if head == "implies":
            return implication(parts[0], parts[1])
        if head == "iff":
            return equivalence(parts[0], parts[1])
        return [head, *parts]


def well_formed(rules: Nested) -> dict[str, Formula]:
    """Return what holds in every position of a game that is played by the rules, by name.

    The names stand in cores beside the hypotheses of a claim: ``marks`` (no spot holds two), ``owners`` (a field is
    owned by a player with three in line there, and by somebody once there is a line; one that takes no marks when it
    is decided got its last mark then), ``over`` (not both have won, and one mark did it), ``active`` (one active field,
    which takes marks and which a mark names; a free choice needs a mark that names a field that takes none, or an empty
    board). ``kernel.games.nested`` proves them, and refuses other positions.
    """
    state = State.unknown(rules)
    spots = [(f, s) for f in range(9) for s in range(9)]
    marks = [negation(conjunction([state.marks["X", f, s], state.marks["O", f, s]])) for f, s in spots]
    owners = []
    for f in range(9):
        x, o = state.owners["X", f], state.owners["O", f]
        x_line, o_line = state.aligned("X", f), state.aligned("O", f)
        owners += [negation(conjunction([x, o])), implication(x, x_line), implication(o, o_line)]
        owners.append(implication(disjunction([x_line, o_line]), disjunction([x, o])))
        if rules.closed and not rules.free_reaches_decided:
            owners += [negation(conjunction([x, o_line])), negation(conjunction([o, x_line]))]
            owners += [_loses_lines([state.marks[player, f, s] for s in range(9)]) for player in "XO"]
    over = [negation(conjunction([state.wins("X"), state.wins("O")]))]
    over += [_loses_lines([state.owners[player, f] for f in range(9)]) for player in "XO"]
    active = [
        ["exactly-one", *state.active],
        *(implication(state.active[f], state.takes_visitors(f)) for f in range(9)),
        *state.explained_by("XO"),
    ]
    return {
        "position.marks": conjunction(marks),
        "position.owners": conjunction(owners),
        **({} if rules.play_on else {"position.over": conjunction(over)}),
        "position.active": conjunction(active),
    }


def _loses_lines(places: list[Formula]) -> Formula:
    """Say that some place is on every line of three that is complete."""
    return disjunction(
        [
            conjunction([negation(conjunction([places[at] for at in line])) for line in LINES if s not in line])
            for s in range(9)
        ]
    )


def last_mark(rules: Nested, turn: str) -> Formula:
    """Return what holds where a player is to move: the other one's mark was the last, and only that one can have won.

    It leaves the numbers of marks to ``to_move``.
    """
    state = State.unknown(rules)
    last = "O" if turn == "X" else "X"
    won = [] if rules.play_on else [negation(state.wins(turn))]
    return conjunction([*state.explained_by(last), *won])


def marks_counted() -> Formula:
    """Say that the marks on the board are those of X and those of O: true where no spot holds two."""
    taken = ["sum", *(["or", ["X", f, s], ["O", f, s]] for f in range(9) for s in range(9))]
    x, o = (["sum", *([p, f, s] for f in range(9) for s in range(9))] for p in "XO")
    return ["==", taken, ["+", x, o]]


def to_move(player: str) -> Formula:
    """Say by the numbers of marks who is to move (Xavier begins)."""
    x, o = (["sum", *([p, f, s] for f in range(9) for s in range(9))] for p in "XO")
    return ["==", x, o if player == "X" else ["+", o, 1]]


def replies(strategy: Any, state: State, before: State) -> Iterator[tuple[tuple[int, int], Formula]]:
    """Yield each move that a ground strategy can make in a state, with the condition under which it makes it."""
    earlier_phases: list[Formula] = []
    for phase in strategy["phases"]:
        guards = []
        for instance in phase["instances"]:
            opened = state.read(instance["when"], before)
            guards.append(opened)
            earlier_rules: list[Formula] = []
            for rule in instance["rules"]:
                whens = [state.read(choice["when"], before) for choice in rule["choices"]]
                for choice, when in zip(rule["choices"], whens, strict=True):
                    closed = [negation(guard) for guard in (*earlier_phases, *earlier_rules)]
                    condition = conjunction([opened, *closed, when])
                    if condition is not False:
                        yield (choice["play"][0], choice["play"][1]), condition
                earlier_rules += whens
        earlier_phases += guards
