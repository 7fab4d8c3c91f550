"""Statements without the number of moves: the kernel agrees with an enumeration that does not use the tool."""

import random
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pytest

from tests.audit.made import MADE
from tests.kernel.test_general import (
    Rules,
    both,
    plain_moves,
    plain_outcome,
    random_condition,
    random_rules,
    value_of,
    write_rules,
)
from tests.rules import find_rules, load_library
from tests.statements import keep, play, plays, rule, strategy
from verifier.kernel import plays as kernel_plays
from verifier.kernel import rounds
from verifier.kernel.certificate import hash_bytes
from verifier.kernel.decide import Memo, decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.verdict import Result
from verifier.packing import pack

State = tuple[tuple[int, ...], tuple[int, ...], int]
"""The conditions, the numbers, and whose turn it is (1 or 2)."""

FOUND_FALSE = {"not-reach", "not-prevent", "not-keep", "stuck", "illegal-move"}
"""Reasons that say that a statement about plays of strategies is false."""


def answer(statement: Any, verdict: str, evidence: Any, moves: dict[str, list[str]] | None = None) -> Result | str:
    """Return the kernel's result, or its reason to refuse. ``moves`` is the table of the evidence."""
    data = pack({"format": "verifier-table", "version": 2, "moves": moves or {}})
    more = {} if moves is None else {"table": hash_bytes(data)}
    try:
        return decide(statement, verdict, {**evidence, **more}, lambda _: data)
    except CertificateError as error:
        return error.reason


class Graph:
    """The positions of random rules that plays come to, and others, by the interpreter of ``test_general``."""

    def __init__(self, data: Rules, others: Iterable[State] = ()) -> None:
        self.data = data
        state, turn = data["state"], "XO".index(data["turn"]) + 1
        self.start: State = (*state[0][4],), (*state[1][4],), turn
        self.after: dict[State, dict[str, State]] = {}
        self.outcomes: dict[State, str | None] = {}
        waiting = [self.start, *others]
        while waiting:
            here = waiting.pop()
            if here in self.after:
                continue
            cells = self.cells(here)
            moves = plain_moves(data, cells)
            self.outcomes[here] = plain_outcome(data, cells, moves)
            found = {} if self.outcomes[here] else moves
            self.after[here] = {t: ((*c["b"],), (*c["n"],), c["turn"][0]) for t, c in found.items()}
            waiting += self.after[here].values()
        changed = [
            change[0] for _, _, actions in data["moves"] for _, changes in actions.values() for change in changes
        ]
        self.alternates = ["turn"] not in changed

    @staticmethod
    def cells(here: State) -> dict[str, list[int]]:
        """Return a position in the form of the interpreter."""
        return {"b": [*here[0]], "n": [*here[1]], "turn": [here[2]]}

    def says(self, here: State, formula: Any) -> bool:
        """Return whether a formula is true in a position."""
        if formula in (["X_wins"], ["O_wins"]):
            return self.outcomes[here] == str(formula[0])[0]
        return bool(value_of(formula, self.cells(here), bool))

    def text(self, here: State) -> str:
        """Return a position as the kernel writes it, without its number."""
        ply = int(self.alternates and here[2] != self.start[2])
        return f"{''.join(map(str, here[0]))}/{''.join(map(str, here[1]))} {'XO'[here[2] - 1]} {ply}"


def force(player: str, after: dict[State, dict[str, State]], goal: set[State]) -> dict[State, int]:
    """Return where a player can force play to some positions, with the longest way there, found round by round."""
    found = dict.fromkeys(goal, 0)
    while True:
        new = {}
        for here, moves in after.items():
            ways = [found.get(there) for there in moves.values()]
            if here not in found and ways:
                known = [way for way in ways if way is not None]
                is_own = " XO"[here[2]] == player
                if known if is_own else len(known) == len(ways):
                    new[here] = 1 + (min(known) if is_own else max(known))
        if not new:
            return found
        found |= new


def met(start: State, after: dict[State, dict[str, State]]) -> set[State]:
    """Return the positions that plays reach."""
    found, waiting = set(), [start]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += after[here].values()
    return found


def never(after: dict[State, dict[str, State]], goal: set[State]) -> set[State]:
    """Return the positions from which some play never reaches the goal: all others are removed step by step."""
    left = {here for here in after if here not in goal}
    while True:
        lost = {here for here in left if after[here] and not left.intersection(after[here].values())}
        if not lost:
            return left
        left -= lost


def longest(here: State, after: dict[State, dict[str, State]], goal: set[State]) -> int:
    return 0 if here in goal else 1 + max(longest(there, after, goal) for there in after[here].values())


def random_games(count: int) -> Iterator[tuple[random.Random, Graph]]:
    """Yield rules that are not over at the start, with their random numbers for further use."""
    for seed in range(count):
        rng = random.Random(seed)
        data = random_rules(rng)
        graph = Graph(data)
        if graph.after[graph.start]:
            yield rng, graph


def random_strategy(rng: random.Random, graph: Graph, player: str) -> Any:
    """Return a strategy of some rules, which may name several moves, an illegal one, or none."""
    texts = [text for text, _, _ in graph.data["moves"]]
    rules = [
        rule(f"r{at}", *((random_condition(rng, 1), [rng.randrange(len(texts))]) for _ in range(rng.randrange(1, 4))))
        for at in range(3)
    ]
    last = [(True, [number]) for number in range(len(texts)) if rng.random() < 0.5]
    return strategy(*rules, *([rule("last", *last)] if last else []), player=player, phase="p")


def follow(
    graph: Graph, strategies: Any, chooser: str = ""
) -> tuple[dict[State, dict[str, State]], set[State], dict[State, set[str]]]:
    """Return the moves of strategies, the positions where they break down, and the labels that lead to positions.

    ``chooser`` is a player who chooses among the legal moves of a strategy.
    """
    after, broken, labels = dict[State, dict[str, State]](), set[State](), dict[State, set[str]]()
    for here, legal in graph.after.items():
        after[here], told = legal, strategies.get(" XO"[here[2]])
        if told is None or not legal:
            continue
        rules = told["phases"][0]["instances"][0]["rules"]
        chosen = [(r["rule"], [f"m{c['play'][0]}" for c in r["choices"] if graph.says(here, c["when"])]) for r in rules]
        name, texts = next(((name, texts) for name, texts in chosen if texts), ("", []))
        texts = [text for text in texts if text in legal or told["player"] != chooser]
        if not texts or not {*texts} <= {*legal}:
            broken.add(here)
            after[here] = {}
        else:
            after[here] = {text: legal[text] for text in texts}
            for there in after[here].values():
                labels.setdefault(there, set()).add(name)
    return after, broken, labels


def find_line(start: State, after: dict[State, dict[str, State]], ends: set[State]) -> list[str]:
    """Return the moves of a shortest play to some positions."""
    lines: dict[State, list[str]] = {start: []}
    waiting = [start]
    while not ends & {*lines}:
        here = waiting.pop(0)
        for text, there in after[here].items():
            if there not in lines:
                lines[there] = [*lines[here], text]
                waiting.append(there)
    return lines[next(iter(ends & {*lines}))]


def find_way_round(start: State, after: dict[State, dict[str, State]], left: set[State]) -> list[str]:
    """Return the moves of a play that never reaches a goal: it ends, or comes to a position for the second time."""
    here, seen, line = start, set[State](), list[str]()
    while after[here] and here not in seen:
        seen.add(here)
        text, here = next((text, there) for text, there in after[here].items() if there in left)
        line.append(text)
    return line


@pytest.mark.parametrize("count", [150, pytest.param(400, marks=pytest.mark.slow)])
def test_plays_of_strategies_are_decided_as_an_enumeration_says(count: int) -> None:
    """Goals, kept formulas and breakdowns: proved, or refuted by a line, each alone and all together."""
    told: dict[str, int] = {}
    for rng, graph in random_games(count):
        players = rng.choice(["", "X", "O", "XO"])
        strategies = {player: random_strategy(rng, graph, player) for player in players}
        claimant = rng.choice(players or "X")
        chooses = {} if players else {"chooses": False}
        after, broken, _ = follow(graph, strategies)
        formula, kept = rng.choice([["X_wins"], random_condition(rng, 1)]), random_condition(rng, 2)
        goal = {here for here in after if graph.says(here, formula)}
        until = {here: {} if here in goal else there for here, there in after.items()}
        paths = {"reach": until, "prevent": after, "keep": after}
        wrong = {
            "reach": never(until, goal) - {here for here in broken if here not in goal},
            "prevent": goal,
            "keep": {here for here in after if not graph.says(here, kept)},
        }
        objectives = {
            "reach": {"name": "it", "type": "reach", "goal": formula, "by": None},
            "prevent": {"name": "it", "type": "prevent", "goal": formula, "through": None},
            "keep": keep(kept, "every", name="it"),
        }
        start = graph.text(graph.start)
        for kind, objective in objectives.items():
            said = play(graph.data, start, objective, claimant=claimant, strategies=strategies, **chooses)
            here_met = met(graph.start, paths[kind])
            is_broken = bool(here_met & broken - (goal if kind == "reach" else set()))
            fails = graph.start in wrong["reach"] if kind == "reach" else bool(here_met & wrong[kind])
            found = answer(said, "proved", {})
            assert isinstance(found, Result) == (not is_broken and not fails), (found, said)
            assert isinstance(found, Result) or found in FOUND_FALSE
            if isinstance(found, Result):
                assert found.stats["positions"] == len(here_met)
                if kind == "reach":
                    assert found.stats["bound"] == longest(graph.start, until, goal)
                key = f"{kind} proved"
                lines = [[text] for text in after[graph.start]]
            else:
                if is_broken:
                    line = find_line(graph.start, paths[kind], broken - (goal if kind == "reach" else set()))
                elif kind == "reach":
                    line = find_way_round(graph.start, until, wrong["reach"])
                else:
                    line = find_line(graph.start, after, wrong[kind])
                refuted = answer(said, "refuted", {"objective": "it", "line": line})
                assert isinstance(refuted, Result), (refuted, line, said)
                key = f"{kind} refuted{' by a breakdown' if is_broken else ''}"
                lines = [line[:-1]] if line and kind != "keep" else []
            for line in lines:  # a line that shows nothing: the first move, or all moves but the last one
                if graph.start not in broken and not (is_broken and kind == "prevent"):
                    assert answer(said, "refuted", {"objective": "it", "line": line}) in ("not-refuted", "illegal-move")
            told[key] = told.get(key, 0) + 1
    assert min(told.values()) > count // 20, told
    assert len(told) == 9


class Side(NamedTuple):
    """The player with a table, the moves that strategies allow, and where plays end because a goal is reached."""

    graph: Graph
    player: str
    after: dict[State, dict[str, State]]
    ends: set[State]

    def plays(self, moves: dict[State, list[str]]) -> dict[State, dict[str, State]]:
        """Return the moves of the plays of a table."""
        return {
            here: {}
            if here in self.ends
            else {text: there for text, there in legal.items() if " XO"[here[2]] != self.player or text in moves[here]}
            for here, legal in self.after.items()
        }

    def table(self, moves: dict[State, list[str]]) -> dict[str, list[str]]:
        """Return the table with only the entries that these plays use."""
        made = self.plays(moves)
        found = [here for here in met(self.graph.start, made) if made[here] and " XO"[here[2]] == self.player]
        return {self.graph.text(here): moves[here] for here in found}


@pytest.mark.parametrize("count", [100, pytest.param(300, marks=pytest.mark.slow)])
def test_tables_are_decided_as_an_enumeration_says(count: int) -> None:
    """For each claim, one side has a table that the kernel accepts. Tables with other moves get the right answer."""
    told: dict[str, int] = {}
    for rng, graph in random_games(count):
        goal_formula = rng.choice([["X_wins"], ["O_wins"], random_condition(rng, 1), random_condition(rng, 2)])
        claimant, players = rng.choice("XO"), rng.choice(["", "", "X", "O", "XO"])
        strategies = {player: random_strategy(rng, graph, player) for player in players}
        chooses = {"chooses": True} if claimant in players else {}
        after, broken, _ = follow(graph, strategies, claimant)
        goal = {here for here in graph.after if graph.says(here, goal_formula)}
        opponent = {"X": "O", "O": "X"}[claimant]
        for kind in ("reach", "prevent"):
            player = claimant if kind == "reach" else opponent  # who forces play to something, if he can
            ends = goal if kind == "reach" else goal | broken
            forced = force(player, {here: {} if here in ends else after[here] for here in after}, ends)
            ply = {"by" if kind == "reach" else "through": None}
            objective = {"name": "goal", "type": kind, "goal": goal_formula, **ply}
            start = graph.text(graph.start)
            said = play(graph.data, start, objective, claimant=claimant, strategies=strategies, **chooses)
            is_forced = graph.start in forced
            is_proof = is_forced == (kind == "reach")
            mover = claimant if is_proof else opponent
            verdict, evidence = ("proved", {}) if is_proof else ("refuted", {"objective": "goal"})

            side = Side(graph, mover, after, ends if is_forced else set())
            moves = {}
            for here, legal in after.items():
                rank = sorted(legal, key=lambda text: forced.get(legal[text], 999))
                moves[here] = rank[:1] if is_forced else [t for t in rank if legal[t] not in forced][:1] or rank[:1]
            found = answer(said, verdict, evidence, side.table(moves))
            assert isinstance(found, Result), (found, said)
            assert found.stats["positions"] == len(met(graph.start, side.plays(moves)))
            if is_forced:
                assert found.stats["bound"] == longest(graph.start, side.plays(moves), ends) >= forced[graph.start]
            key = f"{kind} {verdict}{' with strategies' if players else ''}"
            told[key] = told.get(key, 0) + 1
            for _ in range(4):  # the same with some other moves
                other = {h: [rng.choice([*a])] if rng.random() < 0.3 and a else moves[h] for h, a in after.items()}
                here_met = met(graph.start, side.plays(other))
                is_shown = graph.start not in never(side.plays(other), ends) if is_forced else not here_met & goal
                if is_proof:
                    is_shown = is_shown and not here_met & broken - (ends if is_forced else set())
                elif not is_forced:
                    is_shown = not here_met & goal
                table = side.table(other)
                found = answer(said, verdict, evidence, table)
                assert isinstance(found, Result) == is_shown, (found, said)
                key = "shown" if isinstance(found, Result) else found
                told[key] = told.get(key, 0) + 1
                if table:
                    gone = rng.choice(sorted(table))
                    less = answer(said, verdict, evidence, {k: v for k, v in table.items() if k != gone})
                    assert less == "missing-entry" or (less == key and not is_shown), (less, said)
                unused = {h for h in after if after[h] and " XO"[h[2]] == mover} - here_met
                if unused and is_shown:
                    more = {**table, graph.text(min(unused)): moves[min(unused)]}
                    assert answer(said, verdict, evidence, more) == "unreachable-entry"
    asked = {key: number for key, number in told.items() if key.startswith(("reach", "prevent"))}
    assert len(asked) == 8
    assert min(*asked.values(), *(told[key] for key in ("not-reach", "not-prevent"))) > count // 60, told


# -- single faults and limits; other attacks are in the corpus ---------------------------------------------------------

ADD, CLEAR = [[["n"], ["+", ["n"], 1]]], [[["n"], 0]]
COUNTER = write_rules(
    [["n", [], 0, 60, [0]]], [["add", [0], both(["<", ["n"], 60], ADD)], ["clear", [1], both(True, CLEAR)]], []
)
GOAL = {"name": "goal", "type": "reach", "goal": ["==", ["n"], 60], "by": None}
ADDING = {player: plays([0], player=player) for player in "XO"}


def test_no_invariant_shows_that_a_goal_is_reached() -> None:
    """An invariant says what is true in each position, and not that play goes on from it."""
    said = play(COUNTER, "0 X 0", GOAL, strategies=ADDING)
    evidence: dict[str, Any] = {"invariant": {"X": [], "O": []}, "obligations": {}, "positions": {}}
    assert answer(said, "proved", evidence) == "invariant"


def test_the_number_of_positions_of_a_walk_has_an_exact_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk of as many positions as allowed is decided, and one position more is too many."""
    said = play(COUNTER, "0 X 0", GOAL, strategies=ADDING)
    monkeypatch.setattr(rounds, "MAX_KNOWN", 61)
    found = answer(said, "proved", {})
    assert isinstance(found, Result)
    assert found.stats == {"positions": 61, "edges": 60, "leaves": 1, "bound": 60}
    monkeypatch.setattr(rounds, "MAX_KNOWN", 60)
    assert answer(said, "proved", {}) == "limit"


@pytest.mark.parametrize(("cells", "times"), [(98, 1), (99, 2), (200, 3)])
def test_positions_of_many_cells_count_several_times(cells: int, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits of a walk keep its memory small: a position of 100 cells counts as two."""
    state = [["n", [], 0, 9, [0]], ["idle", [cells], 0, 1, [0] * cells]]
    rules = write_rules(state, [["add", [0], both(True, ADD)]], [])
    start, goal = parse_rules(rules).format_position(parse_rules(rules).start), {**GOAL, "goal": ["==", ["n"], 9]}
    said = play(rules, start, goal, strategies=ADDING)
    for module, limit, needed in ((rounds, "MAX_KNOWN", 10 * times), (kernel_plays, "MAX_EDGES", 9 * times)):
        monkeypatch.setattr(module, limit, needed)
        assert isinstance(answer(said, "proved", {}), Result)
        monkeypatch.setattr(module, limit, needed - 1)
        assert answer(said, "proved", {}) == "limit"
        monkeypatch.setattr(module, limit, 1000)


def test_a_long_way_needs_no_recursion() -> None:
    """A play of 999 moves is sorted like any other play."""
    rules = write_rules([["n", [], 0, 999, [0]]], [["add", [0], both(True, ADD)]], [])
    goal = {**GOAL, "goal": ["==", ["n"], 999]}
    found = answer(play(rules, "0 X 0", goal, chooses=False), "proved", {})
    assert isinstance(found, Result)
    assert found.stats["bound"] == 999


def test_a_statement_shares_no_walk_with_one_that_has_numbers() -> None:
    """Otherwise statements about the same plays share a walk, unless plays end at the goal of one of them."""
    memo, never = Memo(), {"name": "o", "type": "prevent", "goal": ["==", ["n"], 61], "through": None}
    first = {"name": "goal", "type": "reach", "goal": True, "by": None}
    for objective, positions, walks in (
        (never, 122, 1),
        ({**never, "through": 4}, 21, 2),
        (keep(True), 122, 2),
        (first, 1, 3),
    ):
        said = play(COUNTER, "0 X 0", objective, chooses=False)
        if objective.get("through"):
            said["horizon"] = 5
        found = decide(said, "proved", {}, dict[str, bytes]().__getitem__, memo)
        assert (found.stats["positions"], len(memo.walks)) == (positions, walks)


def test_positions_without_number_are_the_earliest() -> None:
    """If turns alternate, the second player's positions have one move. On a board, the marks give the number."""
    game: Any = parse_rules(COUNTER)
    assert [game.format_position(game.without_number(game.parse_position(text))) for text in ("5 X 8", "5 O 9")] == [
        "5 X 0",
        "5 O 1",
    ]
    for name, text in (("tictactoe", "XO......."), ("paper", None)):
        board = find_rules(name)
        position = board.start if text is None else board.parse_position(text)
        assert board.without_number(position) == position


def test_three_mens_morris_is_won_in_nine_moves() -> None:
    """This test's own search, backwards from the wins, finds a table for X. The kernel reports the bound."""
    game = load_library(MADE / "general").game("three-mens-morris")
    start = game.without_number(game.start)
    after: dict[Any, dict[Any, Any]] = {}
    waiting = [start]
    for here in waiting:  # grows while it is read
        if here not in after:
            after[here] = {move: game.without_number(game.play(here, move)) for move in game.legal_moves(here)}
            waiting += after[here].values()
    assert len(after) == 5390
    has_won = game.compile_atom("X_wins", ())
    rank, found = dict[Any, int](), [here for here in after if has_won(here, here)]
    while found:
        rank |= dict.fromkeys(found, len({*rank.values()}))
        found = [
            here
            for here, moves in after.items()
            if moves and here not in rank
            if (any if game.turn(here) == "X" else all)(there in rank for there in moves.values())
        ]
    moves, waiting, seen = dict[str, list[str]](), [start], {start}
    for here in waiting:
        following = [*after[here].values()]
        if game.turn(here) == "X" and rank[here]:
            best = min(after[here], key=lambda move, here=here: rank.get(after[here][move], 99))  # type: ignore[misc]
            moves[game.format_position(here)] = [game.format_move(best)]
            following = [after[here][best]]
        waiting += [there for there in following if there not in seen]
        seen |= {*following}
    goal = {"name": "goal", "type": "reach", "goal": ["X_wins"], "by": None}
    told = answer(play(game.data, game.format_position(start), goal), "proved", {}, moves)
    assert isinstance(told, Result)
    assert told.stats["bound"] == rank[start] == 9
