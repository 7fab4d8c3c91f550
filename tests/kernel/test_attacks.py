"""Attacks on the kernel, and variants of each attack: every one is refused, for the intended reason.

Costs are counted, not timed. An attack on time or memory ends in ``limit`` or ``too-large`` before the work is done.
"""

import itertools
from collections import Counter
from typing import Any

import pytest

from tests.kernel.asking import judge, judge_table
from tests.kernel.test_corpus import CORPUS, read
from tests.rules import find_rules, rules_data
from tests.statements import KEPT, SOME, keep, part, play, plays, prevent, reach, rule, some, steps_of, strategy
from verifier.kernel import circuit, formula, obligations
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.games.positional import PositionalGame
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import derive
from verifier.kernel.statement import parse_statement
from verifier.kernel.steps import parse_steps

START = "." * 9
LARGE = ["or", *[["not", True]] * 1000, True]
"""A formula of a thousand nodes that is true."""


REACH = read(CORPUS / "valid" / "tictactoe-reach.json")
"""A statement, and the moves that show it."""


def test_one_false_answer_among_true_ones() -> None:
    """One more move in an entry is noticed, unless it wins at once: then no later entry answers it, or nobody wins."""
    game, moves = find_rules("tictactoe"), REACH["table"]["moves"]
    reasons: Counter[str] = Counter()
    for position, good in moves.items():
        here = game.parse_position(position)
        for move in game.legal_moves(here):
            if (bad := game.format_move(move)) not in good:
                found = judge_table(REACH["certificate"]["statement"], {"moves": {**moves, position: [*good, bad]}})
                assert (found == "proved") == game.is_over(game.play(here, move))
                reasons[found] += 1
    assert reasons == {"not-reach": 6, "missing-entry": 4, "proved": 2}


class TestVacuity:
    """Statements that say nothing. Each kind has its own reason."""

    @pytest.mark.parametrize(
        "change",
        [
            {"outcomes": [[True, "X"]]},
            {"outcomes": [[["==", ["ply"], 0], "draw"]]},
            {"outcomes": [[["X_turn"], "O"]]},
            {"legal": [False] * 9},
        ],
    )
    def test_a_game_that_is_over_before_it_begins(self, change: dict[str, Any]) -> None:
        """Without plays every claim about plays would be true: that X wins by ply 0, or that nothing happens."""
        statement = play("tictactoe", START, reach(["over"], 0), strategies={"X": plays([4])})
        with pytest.raises(SpecError, match="the game is over before the first mark"):
            parse_statement({**statement, "rules": {**statement["rules"], **change}})

    @pytest.mark.parametrize("at", ["holds", "goal", "when", "hypothesis", "start", "entry", "legal"])
    def test_old_without_a_step_is_refused(self, at: str) -> None:
        """If there is no position before, a formula that equals its old value would be true of any spot."""
        same = ["iff", ["X", 4], ["old", ["X", 4]]]
        said = {"holds": keep(same), "goal": prevent(["not", same], 4), "entry": keep(["use", 0])}.get(at, KEPT)
        rules = rules_data("tictactoe") | ({"legal": [["old", ["free", 0]]] * 9} if at == "legal" else {})
        allowed, named = plays([4], when=same if at == "when" else True), [same] if at == "entry" else []
        statement = play(rules, START, said, strategies={"X": allowed}, horizon=1, formulas=named)
        if at in ("hypothesis", "start"):
            step = part("move", hypotheses=[["h", same]]) if at == "hypothesis" else part(at, conclusions=[["c", same]])
            statement = steps_of(rules, step)
        with pytest.raises(SpecError, match="'old' is about the position before a step"):
            (parse_steps if statement["kind"] == "steps" else parse_statement)(statement)


def idle(count: int) -> dict[str, Any]:
    """Return a strategy of X's that takes the middle, with instances that have no rule."""
    made = plays([4])
    made["phases"][0]["instances"] += [{"when": True, "rules": []}] * count
    return made


def lines_to(moves: list[str], count: int, *at: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return objectives that the same line shows, and the lines."""
    return [some(True, *at, name=str(n)) for n in range(count)], {"lines": {str(n): moves for n in range(count)}}


MANY, EMPTY = lines_to(["4"], 5), lines_to([], 4, "start")
FIXED = {"X": plays([4], when=LARGE)}
PLAYS_THAT_COST: dict[tuple[str, int], tuple[dict[str, Any], dict[str, Any]]] = {
    ("instances without a rule", 2_300): (play("tictactoe", START, KEPT, strategies={"X": idle(100)}, horizon=1), {}),
    ("formulas of lines, walks and objectives", 25_000): (
        play("tictactoe", START, keep(LARGE), some(LARGE), strategies=FIXED, horizon=2),
        {"lines": {"shown": ["4"]}},
    ),
    ("strategies of lines", 11_000): (play("tictactoe", START, *MANY[0], strategies=FIXED), MANY[1]),
    ("strategies of lines without a move", 6_500): (play("tictactoe", START, *EMPTY[0], strategies=FIXED), EMPTY[1]),
}
"""What statements about plays need, and their evidence."""


class TestCost:
    """Certificates of few bytes that would cost minutes or gigabytes."""

    @pytest.mark.parametrize(
        ("obligations", "times", "found"), [(1, 1, "supported"), (300, 1, "limit"), (1, 2, "obligations")]
    )
    def test_one_assumption_again_and_again(
        self, obligations: int, times: int, found: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An obligation names each assumption once, and pays for it: 100,000 times in 22 kB took 2.4 GB."""
        concluded = [["ply 0", ["==", ["ply"], 0]]] * obligations
        statement = steps_of("tictactoe", part(hypotheses=[["h", True]] * 300, conclusions=concluded))
        shown = {"digest": derive(statement).digest, "shown": [[0, "ply 0", ["h"] * times]] * obligations}
        evidence = {"models": [{"part": 0, "position": START, "moves": []}], "obligations": shown}
        monkeypatch.setattr(circuit, "MAX_CIRCUIT_WORK", 80_000)
        assert judge(statement, evidence) == found

    def test_sums_that_have_a_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """One sum is kept for each position after a step. It costs its length wherever it is added."""
        marks, work = [["X", *divmod(at, 9)] for at in range(18)], []
        for said, named in ((["sum", *marks], []), (["use", 0], [["sum", *marks]])):
            below = part("move", hypotheses=[["h", ["<", said, 0]]])
            work.append(derive(steps_of("paper", below, formulas=named)).circuit.work)
        assert work[1] - work[0] > 18 * circuit.KEPT_LITERAL
        large = part("move", hypotheses=[["large", [">=", ["+", *[["use", 0]] * 2000], 1]]])
        monkeypatch.setattr(circuit, "MAX_CIRCUIT_WORK", 2000 * len(marks))
        with pytest.raises(CertificateError, match="limit"):
            derive(steps_of("paper", large, formulas=[["sum", *marks]]))

    @pytest.mark.parametrize("kind", ["rules", "phases"])
    def test_rules_that_are_passed_again_and_again(self, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """A rule costs all rules or phases before it, even if they say the same: 20,000 of them took minutes."""
        rules = [rule("rule", (True, [4]))] * 400
        instance = {"when": True, "rules": rules} if kind == "rules" else {"when": False, "rules": []}
        phases = [{"phase": "phase", "instances": [instance]}] * (1 if kind == "rules" else 400)
        monkeypatch.setattr(circuit, "MAX_CIRCUIT_WORK", 60_000)
        with pytest.raises(CertificateError, match="limit"):
            derive(steps_of("tictactoe", part("reply", strategy={"player": "X", "phases": phases})))

    @pytest.mark.parametrize("share", [200, pytest.param(1, marks=pytest.mark.slow)])
    def test_long_gates_after_each_step(self, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """929 bytes made 1.7 GB of gates: sums over all marks, compared with many numbers, after each of many steps."""
        marks = ["sum", *([player, f, s] for player in "XO" for f in range(9) for s in range(9))]
        concluded = [["c", ["and", *[["<=", ["use", 0], number] for number in range(1, 60)]]]]
        moves = strategy(rule("rule", *((["free", *divmod(at, 9)], [*divmod(at, 9)]) for at in range(24))))
        made = circuit.Circuit()
        monkeypatch.setattr(obligations, "Circuit", lambda: made)
        monkeypatch.setattr(circuit, "MAX_CIRCUIT_WORK", circuit.MAX_CIRCUIT_WORK // share)
        with pytest.raises(CertificateError, match="limit"):
            derive(steps_of("paper", part("round", strategy=moves, conclusions=concluded), formulas=[marks]))
        assert sum(len(gate[0]) for gate in made.gates if gate) < 3_000_000 // share

    def test_a_long_name_in_each_part(self) -> None:
        """Each derived part has the names of what an invariant keeps: a name of 5 MB, in 72 kB, took a gigabyte."""
        kept = [{**KEPT, "name": str(number)} for number in range(50)]
        statement = play("tictactoe", START, *kept, chooses=False)
        work = []
        for name in ("k", "k" * 1000):
            derived = derive_steps(statement, {"invariant": {player: [[name, True]] for player in "XO"}})
            work.append(derive(derived).circuit.work)
        assert work[1] - work[0] == 2 * 51 * 999

    def test_literals_in_another_order(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """They are one gate, but each order is kept and counted: 720 times one order fits, all 720 orders do not."""
        monkeypatch.setattr(circuit, "MAX_CIRCUIT_WORK", 10_000)
        made = circuit.Circuit()
        literals = made.variables(6)
        gates = {made.every(literals) for _ in range(720)} | {made.every(literals[::-1])}
        assert len(gates) == 1
        with pytest.raises(CertificateError, match="limit"):
            gates.update(map(made.every, itertools.permutations(literals)))
        assert len(gates) == 1

    def test_a_false_literal_is_in_no_key(self) -> None:
        """In Python, hash(-1) equals hash(-2). So 2^15 lists of the two literals had one hash, and took minutes."""
        made = circuit.Circuit()
        (literal,) = made.variables(1)
        for asked in itertools.product((circuit.FALSE, -literal), repeat=3):
            made.every(asked)
        assert made._joined.keys() == {(-literal, -literal, -literal)}

    def test_rules_are_not_read_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A word that makes another position does not read the rules again: 15,000 such words in 5 kB took a minute."""
        rules = {**rules_data("tictactoe"), "legal": [["free", spot] for spot in range(9)]}
        made = part("move", hypotheses=[["h", ["X_makes", 0]]], conclusions=[["c", ["O_makes", 0]]])
        monkeypatch.setattr(PositionalGame, "data", None)
        assert derive(steps_of(rules, made)).preconditions

    @pytest.mark.parametrize(("what", "budget"), PLAYS_THAT_COST)
    def test_all_formulas_of_a_walk_or_line_are_counted(
        self, what: str, budget: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A statement that just fits its budget is decided. With half of the budget it is not."""
        statement, evidence = PLAYS_THAT_COST[what, budget]
        for share, found in ((1, "proved"), (2, "limit")):
            monkeypatch.setattr(formula, "MAX_WORK", budget // share)
            assert judge(statement, evidence) == found

    @pytest.mark.parametrize("what", ["legal", "lines"])
    def test_the_size_of_rules_counts_in_every_budget(self, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Rules are data too, so every budget counts what it costs to tell how a game stands."""
        cells = 16 if what == "legal" else 64
        rules: Any = {**rules_data("tictactoe"), "rows": 4, "columns": cells // 4, "lines": []}
        if what == "legal":
            rules["legal"] = [["or", *[["not", ["free", s]]] * 450, True] for s in range(16)]
        else:
            rules["lines"] = [[[a, b, c], []] for a in range(8) for b in range(8, 16) for c in range(16, 23)]
        start, shown = "." * cells, [some(True, name=str(number)) for number in range(100)]
        models = {"models": [{"part": 0, "position": start, "moves": []}] * 6000, "obligations": {}}
        assert judge(steps_of(rules, part()), models) == "limit"
        assert judge(play(rules, start, keep(["or", *[["X_wins"]] * 400, True])), {}) == "malformed"
        lines = {"lines": {str(number): ["0", "1"] for number in range(100)}}
        assert judge(play(rules, start, *shown), lines) == "proved"
        monkeypatch.setattr(formula, "MAX_WORK", 500_000)
        assert judge(play(rules, start, *shown), lines) == "limit"
        assert judge(play(rules, start, SOME, horizon=4), {"objective": "shown"}, verdict="refuted") == "limit"

    def test_given_positions_where_play_is_over_are_counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """No move leads to them, but the kernel tells how each of them stands: 200,000 could take days."""
        heavy = [">", ["sum", *[["==", ["n"], 0]] * 400], 400]
        change = [True, [[["n"], ["+", ["n"], 1]]]]
        rules: Any = {"family": "general", "state": [["n", [], 0, 99, [0]]], "turn": "X", "formulas": [], "shown": None}
        rules["moves"] = [["add", [0], {"X": change, "O": change}]]
        rules["outcomes"] = [[heavy, "X"], [["!=", ["n"], 0], "O"]]
        statement = play(rules, "0 X 0", {**prevent(["X_wins"], 0), "through": None}, given=True, chooses=False)
        assert judge(statement, {}) == "proved"
        monkeypatch.setattr(formula, "MAX_WORK", 500_000)
        assert judge(statement, {}) == "limit"

    def test_many_moves_of_few_entries(self) -> None:
        """An entry allows the work of one entry, however many moves it has. An entry that nothing meets allows none."""
        rules = {**rules_data("tictactoe"), "rows": 8, "columns": 8, "lines": [], "outcomes": []}
        statement = play(rules, "." * 64, prevent(["X_wins"], 4), horizon=4)
        moves = {"." * 64: ["0"], **{f"X{'.' * at}O{'.' * (62 - at)}": ["1" if at else "2"] for at in range(63)}}
        assert judge_table(statement, {"moves": moves}) == "proved"
        many = {position: [str(s) for s in range(64) if position[s] == "."] for position in moves}
        many["." * 64] = ["0"]
        assert judge_table(statement, {"moves": many}) == "limit"
        junk = {str(number): ["0"] for number in range(10_000)}
        assert judge_table(statement, {"moves": {**many, **junk}}) == "limit"

    @pytest.mark.parametrize("kind", ["play", "steps"])
    def test_one_move_under_many_names(self, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each name is an edge, counted before it is played: 10,000 in 28 kB, with large rules, took minutes."""
        named, told, original = strategy(), list[object](), PositionalGame.outcome
        named["phases"][0]["instances"] = [{"when": True, "rules": [rule(str(n), (True, [4]))]} for n in range(1000)]

        def tell(game: PositionalGame, position: Any) -> str | None:
            told.append(position)
            return original(game, position)

        monkeypatch.setattr(PositionalGame, "outcome", tell)
        monkeypatch.setattr(formula, "MAX_WORK", 6000)
        if kind == "play":
            assert judge(play("tictactoe", START, KEPT, strategies={"X": named}, horizon=1), {}) == "limit"
        else:
            reply = steps_of("tictactoe", part("reply", strategy=named, conclusions=[["c", False]]))
            example = {"part": 0, "position": START, "moves": ["4"], "fails": "c"}
            assert judge(reply, {"counterexample": example}, verdict="refuted") == "refuted"
        assert len(told) < 500

    def test_adding_counts_as_more_than_joining(self) -> None:
        """Sums take longer than conjunctions, and count as more. No node of a formula takes more than 110 ns."""
        game = find_rules("tictactoe")
        sizes = []
        for head in ("and", "exactly-one"):
            formulas = FormulaCompiler(game)
            formulas.compile(["or", *[[head]] * 1000])
            sizes.append(formulas.nodes)
        assert sizes == [1001, 3001]
