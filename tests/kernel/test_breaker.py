"""Pairs and weights: if they show that a player gets no line, trying everything finds none."""

import dataclasses
import itertools
import random
from typing import Any

import pytest

from tests.kernel.asking import judge_table
from tests.rules import find_rules
from tests.search.threats.brute import FORMS, Small, make
from tests.statements import NINE, play, prevent, reach, rule, strategy
from verifier.kernel.breaker import Breaker, Finisher
from verifier.kernel.decide import Memo
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.positional import BoardPosition
from verifier.kernel.statement import parse_statement


def claim(game: Small, claimant: str, kind: str, ply: int, start: Any) -> dict[str, Any]:
    """Return a statement about a line of the other player, or of the claimant."""
    maker = "XO"[(claimant == "X") == (kind == "prevent")]
    game.data["goal"] = [f"{maker}_wins"]
    return game.statement(claimant, kind, ply, start)


def random_pairs(free: list[int], chance: random.Random) -> list[list[int]]:
    """Return disjoint pairs of some of the spots."""
    spots = chance.sample(free, len(free))
    return [sorted(spots[i : i + 2]) for i in range(0, 2 * chance.randint(0, len(spots) // 2), 2)]


HELD = ("own", "maker", "sooner", "last word", "answered", "of each player")


@pytest.mark.parametrize("count", [150, pytest.param(1500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", HELD)
def test_pairs_and_weights_show_only_what_is_true(form: str, count: int) -> None:
    """In random small games, at any ply, up to any ply, with any pairs, for either player."""
    chance, shown = random.Random(form), {"pairs": 0, "weights": 0}
    for _ in range(count):
        game = make(form, chance)
        start = game.begin(chance.choice([0, 1, 2, 3, 4]), chance)
        claimant = chance.choice("XO")
        maker = "O" if claimant == "X" else "X"
        ply = chance.randrange(len(start[0] | start[1]), game.cells + 1)
        statement = claim(game, claimant, "prevent", ply, start)
        free = [s for s in range(game.cells) if s not in start[0] | start[1]]
        tables: dict[str, dict[str, Any]] = {
            "pairs": {"pairs": {statement["start"]: random_pairs(free, chance)}},
            "weights": {"weights": True},
        }
        for how, table in tables.items():
            if judge_table(statement, table) == "proved":
                shown[how] += 1
                lasting = dataclasses.replace(game, goal=wins(maker))
                assert not lasting.can_reach(maker, ply, start), (statement, table)
    assert min(shown.values()) > count // 50, shown


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_reply_that_is_left_out_loses_at_once(form: str) -> None:
    """In random small games: after it the game goes on, and one mark of the claimant's reaches the goal in time."""
    chance, left_out, refused = random.Random(form), 0, set()
    for _ in range(150):
        game, claimant = make(form, chance), chance.choice("XO")
        goal = chance.choice(["wins", "line"])
        ply = chance.randrange(3, game.cells + 1)
        game.data["goal"] = [f"{claimant}_{goal}"]
        reached = wins(claimant) if goal == "wins" else lambda x, o, *lines, c=claimant: lines["XO".index(c)]
        game = dataclasses.replace(game, goal=reached)
        data = game.statement(claimant, "reach", ply)
        try:
            finisher = Finisher(data, parse_statement(data))
        except SpecError:
            continue
        except CertificateError as error:
            refused.add(error.reason)
            continue
        for plies in range(claimant == "X", ply, 2):
            x, o = game.begin(plies, chance)
            if len(x | o) != plies:
                continue
            position = BoardPosition(sum(1 << s for s in x), sum(1 << s for s in o))
            moves, followed = set(game.moves(x, o)), finisher.followed(position)
            for s in () if followed is None else moves - {s for (s,) in followed}:
                after = game.after(x, o, s)
                assert game.end(*after) is None, (data, position, s)
                assert game.can_reach(claimant, min(ply, plies + 2), after), (data, position, s)
                left_out += 1
    assert left_out > 30 or form not in (*HELD, "other goals")
    assert refused <= {"not-a-breaker"}


def test_a_table_with_wins_needs_no_entry_for_other_replies() -> None:
    """X has two open ends. Unless O first completes a line, X completes one after any mark of O's, if there is time."""
    for start, lines, ply, found in (
        (".X...", [[0, 1], [1, 2]], 3, "proved"),
        (".X...", [[0, 1], [1, 2]], 2, "missing-entry"),
        (".X...", [[0, 1]], 3, "missing-entry"),
        (".X.O.X", [[0, 1], [1, 2], [3, 4]], 5, "not-reach"),
    ):
        claimed = on_row(lines, start, ply) | {"claimant": "X", "objectives": [reach(["X_wins"], ply)]}
        assert judge_table(claimed, {"wins": True}) == found
        assert judge_table(claimed, {}) == "missing-entry"
    held = on_row([[0, 1], [1, 2]], ".X...", 3)
    assert judge_table(held, {"wins": True}) == "not-a-breaker"
    assert judge_table(held, {"wins": True}, "refuted", objective="goal") == "refuted"


def wins(player: str) -> Any:
    return lambda x, o, x_line, o_line, end: end == player


@pytest.mark.parametrize("form", ["misère", "shared", "shared misère", "legal", "not held", "other goals"])
def test_other_games_take_no_pairs(form: str) -> None:
    """Pairs show nothing if a mark may do harm or is forbidden, or if something else has to be prevented."""
    chance, refused = random.Random(form), set()
    for _ in range(40):
        game = make(form, chance)
        try:
            statement = game.statement("O", "prevent", game.cells)
            refused.add(judge_table(statement, {"weights": True}))
        except SpecError:
            continue
    allowed = {"proved", "missing-entry"} if form == "not held" else set()
    assert refused <= {"not-a-breaker", "malformed", *allowed}
    assert "not-a-breaker" in refused


def on_plane(order: int) -> dict[str, Any]:
    spots = order * order
    return play(f"affine-{order}", "." * spots, prevent(["X_wins"], spots), claimant="O")


def test_the_weights_of_the_lines_of_planes() -> None:
    """56 lines of seven weigh 56/128, less than 1/2. 30 lines of five weigh 30/32, enough only after X's first move."""
    assert judge_table(on_plane(7), {"weights": True}) == "proved"
    assert judge_table(on_plane(5), {"weights": True}) == "missing-entry"
    statement = parse_statement(on_plane(5))
    breaker, found = Breaker(on_plane(5), statement, {"weights": True}), [statement.start]
    found += [statement.game.play(found[-1], (12,))]
    found += [statement.game.play(found[-1], (6,))]
    assert [sum(1 << 5 - lacks.bit_count() for lacks in breaker.open_lines(at)) for at in found] == [30, 36, 29]


def on_row(lines: list[list[int]], start: str, through: int) -> dict[str, Any]:
    rules = on_plane(2)["rules"] | {"rows": 1, "columns": len(start), "lines": [[line, []] for line in lines]}
    return play(rules, start, prevent(["X_wins"], through), claimant="O")


def test_the_limit_of_weight_depends_on_who_is_to_move() -> None:
    """Two lines of two weigh 1/2: too much before X moves, and little enough before O moves."""
    assert judge_table(on_row([[0, 1], [2, 3], [2, 4]], ".....", 5), {"weights": True}) == "missing-entry"
    assert judge_table(on_row([[0, 1], [2, 3]], "....X", 5), {"weights": True}) == "proved"


def test_a_walk_that_pairs_end_is_not_reused() -> None:
    """The claim decides where plays end. O's pairs against X's line do not end the plays in which O wants a line."""
    memo, table = Memo(), {"pairs": {".....": [[0, 1], [2, 3]]}}
    held = on_row([[0, 1], [2, 3]], ".....", 5)
    claim = held | {"claimant": "X", "objectives": [reach(["X_wins"], 5)]}
    assert judge_table(claim, table, "refuted", memo, objective="goal") == "refuted"
    assert judge_table(claim | {"claimant": "O"}, table, memo=memo) == "not-a-breaker"
    assert judge_table(held | {"objectives": [prevent(["O", 0], 5)]}, table, memo=memo) == "not-a-breaker"


def test_pairs_need_an_answer_on_any_free_spot() -> None:
    """A strategy, or the field to which a player is sent, forbids some answers."""
    any_spot = strategy(rule("r", *((["free", s], [s]) for s in range(4))), player="O")
    statement = on_plane(2) | {"strategies": {"O": any_spot}, "chooses": True}
    for table in ({"weights": True}, {"pairs": {"....": [[0, 1], [2, 3]]}}):
        assert judge_table(statement, table) == "not-a-breaker"
    nested = on_plane(2) | {"rules": find_rules("paper").data, "start": NINE}
    assert judge_table(nested, {"weights": True}) == "not-a-breaker"


def test_weights_prevent_a_line_whoever_wins_by_it() -> None:
    """Weights show that X gets no line, and no win that takes a line. They show nothing about other goals."""
    statement = on_plane(7)
    goal, rules = statement["objectives"][0], statement["rules"]
    for said, outcomes, found in (
        (["X_line"], [], "proved"),
        (["X_line"], [[["stuck"], "X"]], "proved"),
        (["X_wins"], [[["stuck"], "X"]], "not-a-breaker"),
        (["O_line"], [], "not-a-breaker"),
        (False, [], "not-a-breaker"),
    ):
        claimed = {**statement, "rules": {**rules, "outcomes": outcomes}, "objectives": [{**goal, "goal": said}]}
        assert judge_table(claimed, {"weights": True}) == found, said


def test_lines_that_nobody_can_fill_in_time_do_not_count() -> None:
    """X makes two marks in four plies, so lines of three weigh nothing. In five plies, five of them weigh 5/8."""
    lines = [[0, a, b] for a, b in itertools.islice(itertools.combinations(range(1, 8), 2), 5)]
    for ply, found in ((4, "proved"), (5, "missing-entry")):
        assert judge_table(on_row(lines, "." * 8, ply), {"weights": True}) == found


@pytest.mark.parametrize("pair", [[0, 0], [0, 4], [63, 62]])
def test_a_pair_has_two_different_spots_of_the_board(pair: list[int]) -> None:
    """A spot beyond it is not free, and one that stands twice is no pair."""
    assert judge_table(on_plane(2), {"pairs": {"....": [pair]}}) == "not-paired"
