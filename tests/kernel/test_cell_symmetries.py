"""Tables up to a permutation of cells: random rules against an enumeration, and attacks by other permutations."""

import copy
import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kernel.asking import judge_table
from tests.kernel.test_general import (
    Rules,
    both,
    nim,
    plain_moves,
    plain_outcome,
    random_condition,
    random_number,
    random_rules,
    tictactoe,
    value_of,
    write_rules,
)
from tests.kernel.test_rounds import Graph, State, force
from tests.statements import KEPT, play, strategy
from verifier.kernel import relabel
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.general import General
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import parse_statement

Move = tuple[int, ...]
"""A permutation of the cells b 0, b 1, b 2, n 0, n 1 of random rules, which keeps their names."""

WAYS: list[Move] = [(*b, *(3 + at for at in n)) for b in itertools.permutations(range(3)) for n in ((0, 1), (1, 0))]


def image(node: Any, way: Move) -> Any:
    """Return a formula, a term or a cell with each cell replaced by its image."""
    if not isinstance(node, list):
        return node
    if node[0] == "b":
        return ["b", way[node[1]]]
    if node[0] == "n":
        return ["n", way[3 + node[1]] - 3]
    return [node[0], *(image(part, way) for part in node[1:])]


def powers(way: Move) -> list[Move]:
    """Return a permutation, its square, and so on, without the identity."""
    found = [way]
    while found[-1] != WAYS[0]:
        found.append(tuple(way[at] for at in found[-1]))
    return found[:-1]


def close(data: Rules, way: Move) -> Rules:
    """Return rules to which the images of all moves are added, and in which outcomes ask for any image."""
    made = copy.deepcopy(data)
    for player in "XO":
        known = {json.dumps(sorted(map(str, actions[player]))) for *_, actions in data["moves"] if player in actions}
        for _, _, actions in data["moves"]:
            for one in powers(way) if player in actions else ():
                guard, changes = actions[player]
                new = [image(guard, one), [[image(cell, one), image(value, one)] for cell, value in changes]]
                if json.dumps(sorted(map(str, new))) not in known:
                    number = len(made["moves"])
                    made["moves"].append([f"m{number}", [number], {player: new}])
    for clause in made["outcomes"]:
        clause[0] = ["or", clause[0], *(image(clause[0], one) for one in powers(way))]
    return made


def blur(rng: random.Random, data: Rules) -> None:
    """Change one thing of rules in place: a condition, a new value, a cell that is set, an outcome, or who may move."""
    _, _, actions = rng.choice(data["moves"])
    player = rng.choice([*actions])
    guard, changes = actions[player]
    kind = rng.randrange(5)
    if kind == 0:
        actions[player][0] = rng.choice([["and", guard, random_condition(rng, 1)], random_condition(rng, 1)])
    elif kind == 1:
        change = rng.choice(changes)
        change[1] = random_condition(rng, 1) if change[0][0] == "b" else random_number(rng, 1)
    elif kind == 2:
        cells = [["b", 0], ["b", 1], ["b", 2]]
        left = [cell for cell in cells if cell not in [changed for changed, _ in changes]]
        changes.append([rng.choice(left), random_condition(rng, 1)]) if left else changes.pop()
    elif kind == 3:
        clause = rng.choice(data["outcomes"])
        clause[rng.randrange(2)] = rng.choice(["X", "O", "draw", "next"]) if rng.random() < 0.5 else clause[1]
        clause[0] = clause[0] if isinstance(clause[0], list) else random_condition(rng, 1)
        clause[1] = clause[1] if isinstance(clause[1], str) else "X"
    else:
        other = "OX"[player == "O"]
        actions[other] = copy.deepcopy(actions[player])


def positions() -> Iterator[State]:
    for b in itertools.product((0, 1), repeat=3):
        for n in itertools.product(range(4), repeat=2):
            yield from ((b, n, turn) for turn in (1, 2))


def moved(here: State, way: Move) -> State:
    """Return the image of a position: the value of each cell goes to the image of the cell."""
    values, found = [*here[0], *here[1]], [0] * 5
    for at, to in enumerate(way):
        found[to] = values[at]
    return tuple(found[:3]), tuple(found[3:]), here[2]


def is_automorphism(data: Rules, goal: Any, way: Move) -> bool:
    """Return whether all positions and their images have the same ends, goals and moves, by trying them all."""
    moves, said = {}, {}
    for here in positions():
        cells = Graph.cells(here)
        after = plain_moves(data, cells)
        moves[here] = {((*c["b"],), (*c["n"],), c["turn"][0]) for c in after.values()}
        said[here] = plain_outcome(data, cells, after), bool(value_of(goal, cells, bool))
    return all(
        said[here] == said[moved(here, way)] and {moved(to, way) for to in moves[here]} == moves[moved(here, way)]
        for here in moves
    )


def claim(data: Rules, goal: Any, ply: int | None = None, **changes: Any) -> dict[str, Any]:
    """Return the claim that X prevents a goal."""
    start = General(data).format_position(General(data).start)
    objective = {"name": "goal", "type": "prevent", "goal": goal, "through": ply}
    return play(data, start, objective) | changes


def accepts(said: dict[str, Any], *ways: Any) -> bool:
    """Return whether the kernel accepts permutations as symmetries of a statement."""
    try:
        Symmetries(said, parse_statement(said), [[*way] for way in ways])
    except CertificateError as error:
        return {"not-a-symmetry": False}[error.reason]
    return True


def closed_games(count: int) -> Iterator[tuple[random.Random, Rules, Any, Move]]:
    """Yield random rules and goals with a permutation that changes neither, and random numbers for further use."""
    for seed in range(count):
        rng = random.Random(seed)
        way = rng.choice(WAYS[1:])
        data, goal = close(random_rules(rng), way), random_condition(rng, 1)
        cells = {"b": data["state"][0][4], "n": data["state"][1][4], "turn": ["XO".index(data["turn"]) + 1]}
        if plain_outcome(data, cells) is None:
            yield rng, data, [rng.choice(["and", "or"]), goal, *(image(goal, one) for one in powers(way))], way


@pytest.mark.parametrize("count", [14, pytest.param(4000, marks=pytest.mark.slow)])
def test_an_accepted_permutation_changes_no_position(count: int) -> None:
    """The kernel accepts the permutations by which rules were closed. After a change it accepts only automorphisms."""
    told = dict.fromkeys(("closed", "same", "refused", "too strict"), 0)
    for rng, data, goal, way in closed_games(count):
        told["closed"] += 1
        assert accepts(claim(data, goal), way), (data, way)
        assert is_automorphism(data, goal, way)
        for _ in range(3):
            other, aim = copy.deepcopy(data), goal
            if rng.random() < 0.2:
                aim = random_condition(rng, 2)
            else:
                blur(rng, other)
            try:
                said = claim(other, aim)
            except SpecError:  # the changed rules are over at the start
                continue
            is_taken = accepts(said, way)
            is_right = is_automorphism(other, aim, way)
            assert is_right or not is_taken, (other, aim, way)
            told["same" if is_taken else "too strict" if is_right else "refused"] += 1
    assert min(told["closed"], told["refused"]) > count // 3, told
    assert min(told.values()) > count // 20, told


def folded_moves(said: dict[str, Any], way: Any, rng: random.Random | None = None) -> tuple[dict[str, list[str]], bool]:
    """Return a table of X's moves up to a permutation, whether or not this is a symmetry; and whether it prevents.

    The first least image that is met stands for all. X's moves are the best for positions that stand for others, or
    random ones.
    """
    parsed = parse_statement(said)
    game: Any = parsed.game
    test = parsed.objectives[0].test
    known = object.__new__(Symmetries)
    cell_images, numbered = relabel._number_images([relabel._read_images(game, way)])
    known.group, known._formulas = relabel._multiply(numbered, game.places), parsed.formulas
    known._find_least = game.least_images(known.group, cell_images)
    start = game.without_number(game.start)
    after: dict[Any, dict[str, Any]] = {}
    waiting = [start]
    for here in waiting:  # grows while it is read
        if here not in after:
            reached = {game.format_move(m): game.play(here, m) for m in game.legal_moves(here)}
            after[here] = {text: known.least(game.without_number(to)) for text, to in reached.items()}
            waiting += after[here].values()
    lost = {here for here in after if test(here)}
    while True:
        new = {
            here
            for here, moves in after.items()
            if here not in lost and moves and (all if here.turn == 1 else any)(to in lost for to in moves.values())
        }
        if not new:
            break
        lost |= new
    chosen = {}
    for here, moves in after.items():
        good = [text for text, to in moves.items() if to not in lost] or [*moves]
        chosen[here] = rng.choice([*moves]) if rng and moves and rng.random() < 0.4 else (good or [""])[0]
    table, waiting, seen, is_held = dict[str, list[str]](), [start], {start}, True
    for here in waiting:
        is_held = is_held and not test(here)
        ways = after[here]
        if ways and here.turn == 1:
            table[game.format_position(here)] = [chosen[here]]
            ways = {chosen[here]: ways[chosen[here]]}
        waiting += [to for to in ways.values() if to not in seen]
        seen.update(ways.values())
    return table, is_held


@pytest.mark.parametrize("count", [25, pytest.param(3000, marks=pytest.mark.slow)])
def test_tables_up_to_symmetry_are_decided_as_an_enumeration_says(count: int) -> None:
    """A closed game has a table up to symmetry exactly if X can prevent the goal. Other moves prove nothing false."""
    told = dict.fromkeys(("held", "lost", "other held", "other lost"), 0)
    for rng, data, goal, way in closed_games(count):
        said = claim(data, goal)
        graph = Graph(data)
        aims = {here for here in graph.after if graph.says(here, goal)}
        is_lost = graph.start in force("O", graph.after, aims)
        table, is_held = folded_moves(said, way)
        assert is_held is not is_lost, said
        found = judge_table(said, {"moves": table}, symmetries=[[*way]])
        assert found == ("proved" if is_held else "not-prevent"), (found, said)
        told["lost" if is_lost else "held"] += 1
        for _ in range(3):
            table, is_held = folded_moves(said, way, rng)
            found = judge_table(said, {"moves": table}, symmetries=[[*way]])
            assert found == ("proved" if is_held else "not-prevent"), (found, said)
            assert not (is_lost and is_held)
            told["other held" if is_held else "other lost"] += 1
    assert min(told.values()) > count // 12, told


# -- attacks: permutations by which a false table would pass ---------------------------------------------------------

PASS: Rules = {"X": [True, []]}
A, B, W = ["a"], ["b"], ["w"]
NEITHER = ["not", ["or", A, B]]
FIRST: Rules = {"O": [NEITHER, [[A, True]]]}
WAIT: Rules = {"O": [True, []]}
CONDITIONS = [["a", [], 0, None, [0]], ["b", [], 0, None, [0]], ["w", [], 0, None, [0]]]
SWAP = [1, 0, 2]


def rules_of(*actions: Rules, state: Any = None, outcomes: Any = (), formulas: Any = ()) -> Rules:
    """Return rules in which X may pass, and the players make other moves."""
    moves = [[f"m{number}", [number], dict(one)] for number, one in enumerate([PASS, WAIT, *actions])]
    return write_rules(copy.deepcopy(state or CONDITIONS), moves, [*outcomes], formulas=[*formulas])


def by_o(guard: Any, *changes: Any) -> Rules:
    return {"O": [guard, [*changes]]}


SECOND = by_o(NEITHER, [B, True])
EITHER = [FIRST, SECOND]
FINISH = [W, True]
N, M = ["n", 0], ["n", 1]
COUNTS = [["n", [2], 0, 2, [0, 0]]]
ADDS = [by_o(["==", other, 0], [one, ["+", one, 1]]) for one, other in ((N, M), (M, N))]

ATTACKS: dict[str, tuple[Rules, Any, list[int]]] = {
    "goal": (rules_of(*EITHER), A, SWAP),
    "goal-that-counts-a-cell-twice": (rules_of(*EITHER), [">=", ["sum", A, A, B], 2], SWAP),
    "outcome": (rules_of(*EITHER, outcomes=[[A, "O"]]), ["O_wins"], SWAP),
    "outcome-between-two-images": (
        rules_of(
            by_o(NEITHER, [A, True], FINISH),
            by_o(NEITHER, [B, True], FINISH),
            outcomes=[[A, "O"], [W, "draw"], [B, "O"]],
        ),
        ["O_wins"],
        SWAP,
    ),
    "outcomes-with-other-results": (rules_of(*EITHER, outcomes=[[A, "O"], [B, "draw"]]), ["O_wins"], SWAP),
    "condition-of-a-move": (rules_of(*EITHER, by_o(A, FINISH)), W, SWAP),
    "condition-by-a-name": (rules_of(*EITHER, by_o(["use", 0], FINISH), formulas=[["and", A, True]]), W, SWAP),
    "new-value": (rules_of(*EITHER, by_o(["or", A, B], [W, A])), W, SWAP),
    "cell-that-a-move-sets": (rules_of(*EITHER, by_o(A, [B, True]), by_o(B, [B, True])), ["and", A, B], SWAP),
    "player": (rules_of(*EITHER, by_o(A, FINISH), {"X": [B, [FINISH]]}), W, SWAP),
    "turn": (
        rules_of(
            *EITHER,
            {"X": [True, [[N, 0]]]},
            by_o(True, [["n", 0], ["+", N, 1]], [["turn"], ["if", A, 2, 1]]),
            state=[*CONDITIONS, *COUNTS],
        ),
        ["==", N, 2],
        [1, 0, 2, 3, 4],
    ),
    "most": (
        rules_of(
            *(by_o(["==", other, 0], [one, ["+", one, 1]]) for one, other in ((A, B), (B, A))),
            state=[["a", [], 0, 2, [0]], ["b", [], 0, 1, [0]]],
        ),
        ["or", ["==", A, 2], ["==", B, 2]],
        [1, 0],
    ),
    "least": (
        rules_of(
            *(by_o(["==", other, 2], [one, ["-", one, 1]]) for one, other in ((A, B), (B, A))),
            state=[["a", [], 1, 2, [2]], ["b", [], 0, 2, [2]]],
        ),
        ["or", ["==", A, 0], ["==", B, 0]],
        [1, 0],
    ),
    "order-of-a-comparison": (rules_of(*ADDS, state=COUNTS, outcomes=[[["<", M, N], "O"]]), ["O_wins"], [1, 0]),
    "order-of-a-difference": (rules_of(*ADDS, state=COUNTS), ["==", ["-", N, M], 2], [1, 0]),
    "order-of-a-choice": (rules_of(*ADDS, state=COUNTS), ["==", ["if", ["==", N, 0], 0, ["-", N, 0]], 2], [1, 0]),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_permutation_that_would_let_a_false_table_pass_is_refused(attack: str) -> None:
    """O can meet the goal. Up to the permutation X has a table against it, and nothing but the permutation is wrong."""
    rules, goal, way = ATTACKS[attack]
    for ply in (None, 8):
        said = claim(rules, goal, ply)
        _, is_held = folded_moves(claim(rules, goal), [*range(len(way))])
        table, seems_held = folded_moves(claim(rules, goal), way)
        assert (is_held, seems_held) == (False, True)
        for ways in ([way], [[*range(len(way))], way], [way, way]):
            assert judge_table(said, {"moves": table}, symmetries=ways) == "not-a-symmetry"


def test_the_attacks_would_pass_if_any_permutation_were_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    """So each of them is refused for the permutation, and for nothing else."""
    monkeypatch.setattr(relabel.Relabelling, "formula", lambda *_: 0)
    monkeypatch.setattr(General, "keeps_rules", lambda *_: True)
    for rules, goal, way in ATTACKS.values():
        said = claim(rules, goal)
        table, _ = folded_moves(said, way)
        assert judge_table(said, {"moves": table}, symmetries=[way]) == "proved"


NAMED = rules_of(*EITHER, formulas=[["or", A, B]], outcomes=[[["use", 0], "O"]])


@pytest.mark.parametrize(
    ("said", "generators", "reason"),
    [
        pytest.param(claim(nim(2, 2), ["X_wins"]), [[0, 1, -1]], "malformed", id="the turn as a cell"),
        pytest.param(claim(nim(2, 2), ["X_wins"]), [[1, 0, 2]], "malformed", id="a cell too many"),
        pytest.param(claim(nim(2, 2), ["X_wins"]), [[-1, 0]], "malformed", id="the turn for a cell"),
        pytest.param(claim(nim(2, 2), ["X_wins"]), [[1]], "malformed", id="a cell too few"),
        pytest.param(claim(nim(2, 2), ["X_wins"]), [[True, False]], "malformed", id="no numbers"),
        pytest.param(claim(nim(2, 2), ["X_wins"]), [[1, 1]], "malformed", id="not one to one"),
        pytest.param(
            claim(tictactoe(), ["X_wins"]), [[*range(9, 18), *range(9)]], "not-a-symmetry", id="exchanged players"
        ),
        pytest.param(claim(nim(2, 2), ["X_wins"], objectives=[KEPT]), [[1, 0]], "not-a-symmetry", id="keep"),
        pytest.param(
            claim(nim(2, 2), ["X_wins"], strategies={"O": strategy(player="O")}),
            [[1, 0]],
            "not-a-symmetry",
            id="strategy",
        ),
        pytest.param(
            claim(NAMED, ["use", 0], formulas=[["not", A]]),
            [SWAP],
            "not-a-symmetry",
            id="entries of rules and of statements are apart",
        ),
        pytest.param(
            claim(rules_of(state=[["a", [], 0, None, [0]], ["b", [], 0, 1, [0]]]), ["X_wins"]),
            [[1, 0]],
            "not-a-symmetry",
            id="condition and number",
        ),
    ],
)  # fmt: skip
def test_other_permutations_of_cells_are_refused(said: dict[str, Any], generators: Any, reason: str) -> None:
    """A permutation lists all cells and never the turn. Who makes a move, and whose names are meant, does matter."""
    assert judge_table(said, {"moves": {}}, symmetries=generators) == reason


GRID = [["g", [2, 2], 0, None, [0] * 4], ["int", [2], 0, 3, [0, 0]]]


def test_cells_with_two_indices_are_numbered_row_by_row() -> None:
    """A transposition exchanges (0, 1) and (1, 0). Cells of one name may be called like a type of Python."""
    moves = [both(["not", ["g", r, c]], [[["g", r, c], True]]) for r in range(2) for c in range(2)]
    rules = rules_of(*moves, state=GRID)
    for goal, right, wrong in (
        (["and", ["g", 0, 1], ["g", 1, 0]], [0, 2, 1, 3, 4, 5], [1, 0, 3, 2, 4, 5]),
        (["and", ["g", 0, 0], ["g", 0, 1]], [1, 0, 3, 2, 4, 5], [0, 2, 1, 3, 4, 5]),
        (["==", ["int", 1], 1], [1, 0, 2, 3, 4, 5], [0, 1, 2, 3, 5, 4]),
        (["==", ["+", ["int", 1], ["int", 0]], 1], [0, 1, 2, 3, 5, 4], [4, 1, 2, 3, 0, 5]),
    ):
        assert accepts(claim(rules, goal), right)
        assert not accepts(claim(rules, goal), wrong)


def test_cells_of_two_names_may_be_exchanged_and_what_is_shown_does_not_matter() -> None:
    """Names, texts and boards say nothing about play."""
    moves = [by_o(NEITHER, [A, True]), by_o(NEITHER, [B, True])]
    shown = {"rows": 1, "columns": 2, "marks": [["A", [A, False]], ["B", [False, W]]]}
    rules = {**rules_of(*moves, outcomes=[[["or", A, B], "O"]]), "shown": shown}
    assert accepts(claim(rules, ["O_wins"]), SWAP)
    assert not accepts(claim(rules_of(*moves[:1], outcomes=[[["or", A, B], "O"]]), ["O_wins"]), SWAP)


SQUARE = [[6, 3, 0, 7, 4, 1, 8, 5, 2], [2, 1, 0, 5, 4, 3, 8, 7, 6]]
CELLS = [[*one, *(9 + s for s in one)] for one in SQUARE]
"""The turned and the mirrored square, as permutations of X's nine cells and O's."""


def test_tic_tac_toe_of_cells_has_the_symmetries_of_its_board() -> None:
    """The group has eight members, and images of positions count what looking for them costs."""
    said = claim(tictactoe(), ["O_wins"], 9)
    statement = parse_statement(said)
    found = Symmetries(said, statement, CELLS)
    assert len(found.group) == 8
    corners = [statement.game.play(statement.game.start, (s,)) for s in (0, 2, 6, 8)]
    assert statement.formulas.work == 0
    assert len({found.least(corner) for corner in corners}) == 1
    assert statement.formulas.work == 4 * 8 * (4 + 18)
    assert {found.least(corner)[1:] for corner in corners} == {(2, 1)}, "turn and number stay"


def test_an_opponent_refutes_up_to_a_permutation_of_cells() -> None:
    """O wins Nim with two equal heaps, with and without the number of moves. Without the permutation entries miss."""
    replies = {"1.2 O 1": ["1.1"], "0.2 O 1": ["1.2"], "0.1 O 1": ["1.1"]}
    for by in (None, 4):
        said = play(nim(2, 2), "2.2 X 0", {"name": "goal", "type": "reach", "goal": ["X_wins"], "by": by})
        table = {key.replace("0.1 O 1", "0.1 O 3") if by else key: moves for key, moves in replies.items()}
        assert judge_table(said, {"moves": table}, "refuted", objective="goal", symmetries=[[1, 0]]) == "refuted"
        assert judge_table(said, {"moves": table}, "refuted", objective="goal") == "missing-entry"
        other = {**table, "2.1 O 1": ["0.1"]}
        found = judge_table(said, {"moves": other}, "refuted", objective="goal", symmetries=[[1, 0]])
        assert found == "unreachable-entry", "the least image has the only entry"


def test_a_goal_that_is_reached_up_to_a_permutation_may_not_go_round() -> None:
    """X turns a switch on, and then finishes. If he only exchanges two switches, play comes back to an image."""
    turn_on = [{"X": [NEITHER, [[cell, True]]]} for cell in (A, B)]
    swap = {"X": [["or", A, B], [[A, B], [B, A]]]}
    rules = rules_of(*turn_on, swap, {"X": [["or", A, B], [FINISH]]})
    said = play(rules, "0/0/0 X 0", {"name": "goal", "type": "reach", "goal": W, "by": None})
    table = {"0/0/0 X 0": ["m2"], "0/1/0 X 0": ["m5"]}
    assert judge_table(said, {"moves": table}, symmetries=[SWAP]) == "proved"
    assert judge_table(said, {"moves": {**table, "0/1/0 X 0": ["m4"]}}, symmetries=[SWAP]) == "not-reach"
