"""Positions as literals of a circuit: one of which nothing is known, and what moves make of it.

Trusted for: that a word of a game, read in such a position, says what the family's ``compile_atom`` says of each
position that the literals may stand for, and that a move does what ``play`` does. So the literals of a position after
a move are the weakest precondition of the words: what has to hold before the move for each to hold after it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from verifier.kernel.circuit import FALSE, KEPT, TRUE, Circuit, Term, add, count
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import COMPARISONS
from verifier.kernel.games import Game
from verifier.kernel.games.nested import ANY, LINES, Nested
from verifier.kernel.games.positional import Positional

OTHER = {"X": "O", "O": "X"}

OPERATORS = frozenset(("and", "or", "not", "implies", "iff", "exactly-one", "sum", "+", "-", *COMPARISONS))
"""What joins formulas and terms; other words are the game's."""

Move = tuple[int, ...]

Said: TypeAlias = Callable[[Any], Any]
"""What a formula (a literal) or a term (a ``Term``) says of a position."""

EVERYTHING = -1
"""All bits: a word that may speak of anything in a position."""


class Marks:
    """What positions of all games have: a literal for each mark, by player and spot.

    Attributes:
        named: what formulas with a name say of the position.
        origin: the position before the last move, if there is one.
        changed: what that move may have changed, as bits (``word``).
    """

    def __init__(self, circuit: Circuit, marks: dict[str, list[int]]) -> None:
        self.circuit, self.marks = circuit, marks
        self.named: dict[int, Any] = {}
        self.origin: State | None = None
        self.changed = 0
        self._taken: list[int] = [0] * len(marks["X"])
        self._known: dict[tuple[str, object], int] = {}

    def taken(self, at: int) -> int:
        """Say that a spot holds a mark."""
        found = self._taken[at]
        if not found:
            found = self._taken[at] = self.circuit.some([self.marks["X"][at], self.marks["O"][at]])
        return found

    def ply(self) -> Term:
        """Return the number of marks."""
        return count(map(self.taken, range(len(self.marks["X"]))))

    def turn(self, player: str) -> int:
        """Say that a player is to move: Olivia where Xavier has more marks."""
        more = self.circuit.at_least(self._more(), 1)
        return more if player == "O" else -more

    def invariant(self) -> dict[str, list[int]]:
        """Return what makes a position well formed, by name: together, that ``find_fault`` of its game finds nothing.

        ``marks``, ``sums``: no spot holds two; ``turn``: the marks alternate; ``last``: the last mark was the other
        player's, and before it the game went on; ``owners``: of fields; ``over``: one mark won; ``active``: one active
        field, which a mark explains.
        """
        at_least, marks = self.circuit.at_least, self.marks
        doubled = add([(count(marks["X"] + marks["O"]), 1), (self.ply(), -1)])
        return {
            "position.marks": [-self.circuit.every(pair) for pair in zip(marks["X"], marks["O"], strict=True)],
            "position.sums": [at_least(doubled, 0), -at_least(doubled, 1)],
            "position.turn": [at_least(self._more(), 0), -at_least(self._more(), 2)],
        }

    def _once(self, said: Callable[[Any], int], about: object) -> int:
        """Return what a method says about something, and keep it: it is asked for often."""
        key = (said.__name__, about)
        if key not in self._known:
            self._known[key] = said(about)
        return self._known[key]

    def _more(self) -> Term:
        return add([(count(self.marks["X"]), 1), (count(self.marks["O"]), -1)])


class NestedState(Marks):
    """A position of nine fields of nine: a literal for each mark, owner and active field."""

    def __init__(
        self, circuit: Circuit, rules: Nested, marks: dict[str, list[int]], owners: dict[str, list[int]]
    ) -> None:
        super().__init__(circuit, marks)
        self.rules, self.owners = rules, owners
        self.active = [FALSE] * (ANY + 1)

    def moves(self) -> list[Move]:
        """Return every field and spot."""
        return [divmod(at, 9) for at in range(81)]

    def full(self, f: int) -> int:
        """Say that a field has no free spot."""
        return self.circuit.every(map(self.taken, range(9 * f, 9 * f + 9)))

    def wins(self, player: str) -> int:
        """Say that a player owns three aligned fields."""
        return self._line(self.owners[player])

    def takes_visitors(self, f: int) -> int:
        """Say that a player who is sent to a field has to play there."""
        shut = [self.owners["X"][f], self.owners["O"][f]] if self.rules.closed else []
        return -self.circuit.some([self._once(self.full, f), *shut])

    def is_chosen(self, f: int) -> int:
        """Say that a free choice reaches a field."""
        is_shut = self.rules.closed and not self.rules.free_reaches_decided
        return self.takes_visitors(f) if is_shut else -self._once(self.full, f)

    def over(self) -> int:
        """Say that the game has ended."""
        stuck = self.circuit.every([self.active[ANY], *(-self._once(self.is_chosen, f) for f in range(9))])
        return self.circuit.some([stuck, *self._won()])

    def legal(self, move: Move) -> int:
        """Say that a move is legal for whoever is to move."""
        f, s = move
        chosen = self.circuit.every([self.active[ANY], self._once(self.is_chosen, f)])
        reached = self.circuit.some([self.active[f], chosen])
        return self.circuit.every([reached, -self.taken(9 * f + s), *(-won for won in self._won())])

    def play(self, mover: str, move: Move) -> NestedState:
        """Return the position after a legal move."""
        f, s = move
        marks, owners = ({player: list(held) for player, held in of.items()} for of in (self.marks, self.owners))
        marks[mover][9 * f + s] = TRUE
        after = NestedState(self.circuit, self.rules, marks, owners)
        gained = self.circuit.every([after._line(marks[mover][9 * f : 9 * f + 9]), -owners[OTHER[mover]][f]])
        owners[mover][f] = self.circuit.some([owners[mover][f], gained])
        after.active[s] = after.takes_visitors(s)
        after.active[ANY] = -after.active[s]
        after._taken[:] = self._taken
        after._taken[9 * f + s] = TRUE
        after.origin, after.changed = self, 1 << 9 * f + s | 1 << 81 + f | 1 << 90
        return after

    @staticmethod
    def word(name: str, args: list[int]) -> tuple[Said, int]:
        """Return what a word says, and what it speaks of, as bits: spots, owners, the active field."""
        at = 9 * args[0] + args[1] if len(args) == 2 else sum(args)
        match name:
            case "X" | "O":
                return (lambda p: p.marks[name][at]), 1 << at
            case "free":
                return (lambda p: -p.taken(at)), 1 << at
            case "full":
                return (lambda p: p._once(p.full, at)), 511 << 9 * at
            case "won_by_X" | "won_by_O":
                return (lambda p: p.owners[name[-1]][at]), 1 << 81 + at
            case "active":
                return (lambda p: p.active[at]), 1 << 90
            case "X_wins" | "O_wins":
                return (lambda p: p._once(p.wins, name[0])), 511 << 81
            case "over":
                return (lambda p: p.over()), EVERYTHING
        raise SpecError(f"{name!r} is no word of a nested game")

    def invariant(self) -> dict[str, list[int]]:
        """Return what makes a position well formed, by name (``Marks.invariant``)."""
        some, marks, owners = self.circuit.some, self.marks, self.owners
        fields = {player: [marks[player][9 * f : 9 * f + 9] for f in range(9)] for player in "XO"}
        owned: list[int] = []
        for f in range(9):
            x, o, x_line, o_line = *(owners[p][f] for p in "XO"), *(self._line(fields[p][f]) for p in "XO")
            pairs = [(-x, -o), (-x, x_line), (-o, o_line), (-x_line, x, o), (-o_line, x, o)]
            if self.rules.closed and not self.rules.free_reaches_decided:
                pairs += [(-x, -o_line), (-o, -x_line)]
                owned += [self._loses_lines(fields[player][f]) for player in "XO"]
            owned += map(some, pairs)
        exact = count(self.active)
        active = [self.circuit.at_least(exact, 1), -self.circuit.at_least(exact, 2), *self._explained("XO")]
        active += [some([-self.active[f], self._once(self.takes_visitors, f)]) for f in range(9)]
        last = [some([self._once(self.turn, player), why]) for player in "XO" for why in self._explained(player)]
        over = []
        if not self.rules.play_on:
            last += [some([-self.wins(player), self.turn(OTHER[player])]) for player in "XO"]
            over = [some([-self.wins("X"), -self.wins("O")]), *(self._loses_lines(owners[p]) for p in "XO")]
        found = {"owners": owned, "active": active, "last": last, "over": over}
        return super().invariant() | {f"position.{name}": literals for name, literals in found.items()}

    def _explained(self, players: str) -> list[int]:
        """Say that a mark of one of some players names the active field, or one that leaves the choice free."""
        some = self.circuit.some
        sent = [some([self.marks[p][9 * g + f] for p in players for g in range(9)]) for f in range(9)]
        refusing = [self.circuit.every([sent[f], -self._once(self.takes_visitors, f)]) for f in range(9)]
        free = some([-self.active[ANY], -some(self.marks["X"] + self.marks["O"]), *refusing])
        return [*(some([-self.active[f], sent[f]]) for f in range(9)), free]

    def _won(self) -> list[int]:
        return [] if self.rules.play_on else [self._once(self.wins, player) for player in "XO"]

    def _line(self, places: list[int]) -> int:
        return self.circuit.some([self.circuit.every([places[at] for at in line]) for line in LINES])

    def _loses_lines(self, places: list[int]) -> int:
        """Say that there is no line, or a place on all of them."""
        every = self.circuit.every
        lines = [(line, every([places[at] for at in line])) for line in LINES]
        return self.circuit.some([every([-whole for line, whole in lines if at not in line]) for at in range(9)])


class PositionalState(Marks):
    """A position of one board; where marks are shared, all are X's."""

    def __init__(
        self, circuit: Circuit, rules: Positional, marks: dict[str, list[int]], legal: Sequence[Said] | None = None
    ) -> None:
        super().__init__(circuit, marks)
        self.rules, self._legal = rules, legal
        if legal is None and rules.formulas is not None:
            reader = Reader(circuit, self)
            self._legal = [reader.read(formula) for formula in rules.formulas]

    def moves(self) -> list[Move]:
        """Return every spot."""
        return [(s,) for s in range(self.rules.cells)]

    def turn(self, player: str) -> int:
        """Say that a player is to move: where marks are shared, O after an odd number of them."""
        if not self.rules.is_shared:
            return super().turn(player)
        return self._ply_is(lambda ply: ply % 2 == (player == "O"))

    def line(self, player: str) -> int:
        """Say that a player has a line."""
        marks, every = self.marks[player], self.circuit.every
        return self.circuit.some(
            [every([*(marks[s] for s in held), *(-marks[s] for s in others)]) for held, others in self.rules.lines]
        )

    def ends(self, result: str) -> int:
        """Say that the clauses of the rules end the game so: that X or O has won, or that it is a draw."""
        cases, at = [], self.rules.outcome_at
        lines = [self._once(self.line, player) for player in "XO"]
        for x, o in itertools.product((True, False), repeat=2):
            plies = {ply for ply in range(self.rules.cells + 1) if at(ply, x, o) == result}
            cases.append([lines[0] if x else -lines[0], lines[1] if o else -lines[1], self._ply_is(plies.__contains__)])
        return self.circuit.some(map(self.circuit.every, cases))

    def over(self) -> int:
        """Say that the game has ended."""
        stuck = [] if self._legal is None else [-self.circuit.some(map(self._open, range(self.rules.cells)))]
        return self.circuit.some([*map(self.ends, ("X", "O", "draw")), *stuck])

    def legal(self, move: Move) -> int:
        """Say that a move is legal for whoever is to move."""
        return self.circuit.every([self._open(move[0]), -self.over()])

    def play(self, mover: str, move: Move) -> PositionalState:
        """Return the position after a legal move."""
        after = self._with("X" if self.rules.is_shared else mover, move[0], TRUE)
        after.origin, after.changed = self, 1 << move[0]
        return after

    @staticmethod
    def word(name: str, args: list[int]) -> tuple[Said, int]:
        """Return what a word says, and what it speaks of, as bits: spots."""
        name = {"marked": "X", "line": "X_line", "makes": "X_makes"}.get(name, name)
        match name:
            case "X" | "O":
                return (lambda p: p.marks[name][args[0]]), 1 << args[0]
            case "free":
                return (lambda p: -p.taken(args[0])), 1 << args[0]
            case "X_line" | "O_line":
                return (lambda p: p.line(name[0])), EVERYTHING
            case "X_makes" | "O_makes":
                return (lambda p: p._with(name[0], args[0], TRUE).line(name[0])), EVERYTHING
            case "X_wins" | "O_wins":
                return (lambda p: p.ends(name[0])), EVERYTHING
            case "over":
                return (lambda p: p.over()), EVERYTHING
        raise SpecError(f"{name!r} has no symbolic form: the kernel solves the game from one position at a time")

    def invariant(self) -> dict[str, list[int]]:
        """Return what makes a position well formed, by name (``Marks.invariant``)."""
        empty = -self.circuit.some(self.marks["X"] + self.marks["O"])
        if self.rules.is_shared:
            return {"position.last": [self.circuit.some([empty, *self._last("X")])]}
        last = [self.circuit.some([empty, self.turn(player), *self._last(player)]) for player in "XO"]
        return super().invariant() | {"position.last": last}

    def _last(self, player: str) -> list[int]:
        """Say of each spot that a player's mark there may have been the last one."""
        found = []
        for s, mark in enumerate(self.marks[player]):
            before = self._with("X", s, FALSE)._with("O", s, FALSE)
            found.append(self.circuit.every([mark, before._open(s), -before.over()]))
        return found

    def _with(self, player: str, s: int, literal: int) -> PositionalState:
        marks = {**self.marks, player: [*self.marks[player][:s], literal, *self.marks[player][s + 1 :]]}
        return PositionalState(self.circuit, self.rules, marks, self._legal)

    def _open(self, s: int) -> int:
        """Say that a spot is free, and that the rules allow it."""
        allowed = TRUE if self._legal is None else self._legal[s](self)
        return self.circuit.every([-self.taken(s), allowed])

    def _ply_is(self, wanted: Callable[[int], bool]) -> int:
        """Say that the ply is one of those that are wanted."""
        ply, every, at_least = self.ply(), self.circuit.every, self.circuit.at_least
        plies = range(self.rules.cells + 1)
        if all(map(wanted, plies)):
            return TRUE
        return self.circuit.some([every([at_least(ply, k), -at_least(ply, k + 1)]) for k in plies if wanted(k)])


State: TypeAlias = NestedState | PositionalState


def unknown(circuit: Circuit, game: Game) -> State:
    """Return a position of which nothing is known, made of new inputs.

    Raises:
        SpecError: the game is of no family whose positions have a symbolic form.
    """

    def inputs(size: int) -> list[int]:
        return [circuit.variable() for _ in range(size)]

    if isinstance(game, Nested):
        state = NestedState(circuit, game, {p: inputs(81) for p in "XO"}, {p: inputs(9) for p in "XO"})
        state.active = inputs(ANY + 1)
        return state
    if isinstance(game, Positional):
        other = [FALSE] * game.cells if game.is_shared else inputs(game.cells)
        return PositionalState(circuit, game, {"X": inputs(game.cells), "O": other})
    raise SpecError("steps of these rules have no symbolic form")


class Reader:
    """Reads formulas, terms and strategies of a statement, all found well formed, for the positions that a step meets.

    What has a name is asked once of each position, and of the position before a move where that move changes nothing
    that it speaks of: there all its words say the same, and so does it.

    Args:
        circuit: where what they say is made.
        before: the position before the step, or from which play started, which ``old`` speaks of.
        entries: the statement's ``formulas``.
    """

    def __init__(self, circuit: Circuit, before: State, entries: Sequence[Any] = ()) -> None:
        self.circuit, self.before = circuit, before
        self._named: list[tuple[Said, int]] = []
        self._size = self._spoken_of = 0
        for entry in entries:
            self._spoken_of = 0
            self._named.append((self.read(entry), self._spoken_of))

    def read(self, node: Any) -> Said:
        """Return what a node says; each time that it is asked, its nodes are paid for."""
        self._size, spend = 0, self.circuit.spend
        said = self._read(node)
        size = self._size

        def read(state: State) -> Any:
            spend(size)
            return said(state)

        return read

    def _read(self, node: Any) -> Said:
        self._size += 1
        if isinstance(node, bool):
            literal = TRUE if node else FALSE
            return lambda state: literal
        if isinstance(node, int):
            return lambda state: {TRUE: node}
        head, args = node[0], node[1:]
        self._size += len(args)
        if head == "use":
            return self._use(args[0])
        if head == "old":
            spoken_of, said, before = self._spoken_of, self._read(args[0]), self.before
            self._spoken_of = spoken_of  # what stood there before stays the same
            return lambda state: said(before)
        if head in OPERATORS:
            return self._join(head, [self._read(arg) for arg in args])
        word, spoken_of = (Marks.ply, EVERYTHING) if head == "ply" else self.before.word(head, args)
        self._spoken_of |= spoken_of
        return word

    def _use(self, number: int) -> Said:
        """Return what a formula or term with a name says."""
        said, spoken_of = self._named[number]
        self._spoken_of |= spoken_of
        spend = self.circuit.spend

        def use(state: Any) -> Any:
            found = state.named.get(number)
            if found is None:
                origin = state.origin
                is_new = origin is None or spoken_of & state.changed
                found = said(state) if is_new else use(origin)
                state.named[number] = found
                spend(0 if isinstance(found, int) else KEPT * len(found))
            return found

        return use

    def _join(self, head: str, parts: list[Said]) -> Said:
        """Return what an operator makes of its parts."""
        every, some = self.circuit.every, self.circuit.some
        if head == "and":
            return lambda state: every([part(state) for part in parts])
        if head == "or":
            return lambda state: some([part(state) for part in parts])
        if head == "sum":
            return lambda state: count([part(state) for part in parts])
        if head == "exactly-one":
            return lambda state: self._compare("==", add([(count([p(state) for p in parts]), 1), ({TRUE: 1}, -1)]))
        if head == "+":
            return lambda state: self._add((part(state), 1) for part in parts)
        one, other = parts[0], parts[-1]
        if head == "not":
            return lambda state: -one(state)
        if head == "implies":
            return lambda state: some([-one(state), other(state)])
        if head == "iff":
            return lambda state: self._same(one(state), other(state))
        if head == "-":
            return lambda state: self._add([(one(state), 1), (other(state), -1)])
        return lambda state: self._compare(head, self._add([(one(state), 1), (other(state), -1)]))

    def _same(self, one: int, other: int) -> int:
        """Say that two literals are both true, or neither is."""
        some = self.circuit.some
        return self.circuit.every([some([-one, other]), some([one, -other])])

    def _add(self, terms: Iterable[tuple[Term, int]]) -> Term:
        """Add up terms, which may be many."""
        kept = [*terms]
        self.circuit.spend(sum([len(term) for term, _ in kept]))
        return add(kept)

    def _compare(self, head: str, difference: Term) -> int:
        """Compare a difference of two terms with 0."""
        least, more = self.circuit.at_least(difference, 0), self.circuit.at_least(difference, 1)
        same = self.circuit.every([least, -more])
        return {">=": least, ">": more, "<": -least, "<=": -more, "==": same, "!=": -same}[head]

    def replies(self, strategy: Any) -> Callable[[State], dict[Move, int]]:
        """Return the moves that a strategy can make in a position, each with a literal: that it may make it there."""
        phases = [[self._instance(instance) for instance in phase["instances"]] for phase in strategy["phases"]]
        every, some = self.circuit.every, self.circuit.some

        def replies(state: State) -> dict[Move, int]:
            found: dict[Move, list[int]] = {}
            earlier: list[int] = []
            for instances in phases:
                opened = [when(state) for when, _ in instances]
                for is_open, (_, rules) in zip(opened, instances, strict=True):
                    self.circuit.spend(len(earlier))
                    passed = [-literal for literal in earlier]
                    for choices in rules if is_open != FALSE else ():
                        whens = [(move, when(state)) for when, move in choices]
                        for move, when in whens:
                            found.setdefault(move, []).append(every([is_open, when, *passed]))
                        passed += [-when for _, when in whens]
                earlier += opened
            replies = {move: some(literals) for move, literals in found.items()}
            return {move: literal for move, literal in replies.items() if literal != FALSE}

        return replies

    def _instance(self, data: Any) -> tuple[Said, list[list[tuple[Said, Move]]]]:
        """Return when an instance of a phase is open, and of each of its rules the choices."""
        rules = [[(self.read(c["when"]), tuple(c["play"])) for c in rule["choices"]] for rule in data["rules"]]
        return self.read(data["when"]), rules
