"""How the kernel was attacked, and neighbours of each attack: every one is refused, for the reason that is meant.

Costs are counted, not timed: an attack on time or memory ends in ``limit`` or ``too-large`` before it is paid for.
"""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from typing import Any

import pytest

from tests.kernel.derived import derive_once
from tests.kernel.test_corpus import CORPUS, read
from tests.rules import find_rules, in_a_row, positional, rules_data
from tests.statements import KEPT, NINE, SOME, part, play, plays, rule, steps_of, strategy
from verifier.kernel import circuit, obligations, steps
from verifier.kernel import plays as plays_module
from verifier.kernel.certificate import hash_bytes, hash_value, pack, pack_text, unpack
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.formula import Formulas
from verifier.kernel.games import solution
from verifier.kernel.games.positional import Positional
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import derive
from verifier.kernel.verdict import Belief, Verdict
from verifier.kernel.words import describe_statement


def base(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a certificate of the corpus and the moves of its table."""
    case = copy.deepcopy(read(CORPUS / "valid" / f"{name}.json"))
    return case["certificate"], case["table"] and case["table"]["moves"]


def first_part(**changes: Any) -> dict[str, Any]:
    """Return the first part of a certificate of the corpus about steps, changed."""
    return {**base("steps-models")[0]["statement"]["parts"][0], **changes}


def with_digest(certificate: dict[str, Any]) -> dict[str, Any]:
    """Return the evidence of a certificate of the corpus about steps, with the digest of its obligations."""
    evidence: dict[str, Any] = copy.deepcopy(certificate["evidence"])
    evidence["obligations"]["digest"] = derive_once(certificate["statement"]).digest
    return evidence


def with_obligations(statement: dict[str, Any]) -> dict[str, Any]:
    """Return what a statement about steps owes, none of it refuted."""
    derived = derive(statement)
    shown = [[part.part, fails, []] for part in derived.preconditions for fails, _ in part.breaches]
    return {"digest": derived.digest, "shown": shown}


def outcome(statement: Any, verdict: str, evidence: dict[str, Any], *files: bytes) -> str:
    """Return the verdict, or the reason of the refusal; files are named by their hashes."""
    known = {hash_bytes(data): data for data in files}
    try:
        return str(decide(statement, verdict, evidence, lambda digest, _: known[digest]).verdict)
    except CertificateError as error:
        return error.reason


def table_of(moves: Any, **changes: Any) -> bytes:
    return pack({"format": "verifier-table", "version": 2, "moves": moves} | changes)


def with_table(statement: Any, data: bytes) -> str:
    return outcome(statement, "proved", {"table": hash_bytes(data)}, data)


SHARES = [200, pytest.param(1, marks=pytest.mark.slow)]
"""What a budget of the kernel is divided by: all of it takes seconds."""


class TestWhatFollowsIsNotWritten:
    """Dilution: what a table says beside the claimant's choices, and what it leaves out."""

    @pytest.mark.parametrize("key", ["ends", "plays", "trust", "replies"])
    def test_a_table_holds_moves_only(self, key: str) -> None:
        """Ends, counts and hashes of a table's own are refused."""
        certificate, moves = base("tictactoe-reach")
        assert with_table(certificate["statement"], table_of(moves, **{key: {}})) == "malformed"
        assert with_table(certificate["statement"], table_of(moves)) == "proved"

    def test_every_reply_is_answered(self) -> None:
        """Taking out any one entry is noticed, as no sample of replies is."""
        certificate, moves = base("tictactoe-reach")
        for position in moves:
            rest = {key: value for key, value in moves.items() if key != position}
            assert with_table(certificate["statement"], table_of(rest)) == "missing-entry"

    def test_one_false_answer_among_true_ones(self) -> None:
        """One more move in an entry is noticed, unless it wins at once: no entry answers it, or nobody wins."""
        certificate, moves = base("tictactoe-reach")
        game = find_rules("tictactoe")
        reasons: Counter[str] = Counter()
        for position, good in moves.items():
            for move in game.legal_moves(game.parse_position(position)):
                bad = game.format_move(move)
                if bad not in good:
                    found = with_table(certificate["statement"], table_of({**moves, position: [*good, bad]}))
                    after = game.play(game.parse_position(position), move)
                    assert (found == "proved") == game.is_over(after)
                    reasons[found] += 1
        assert reasons == {"not-reach": 6, "missing-entry": 4, "proved": 2}

    @pytest.mark.parametrize(
        "evidence", [{"table": "0" * 64}, {"lines": {}}, {"objective": "wins"}, {"trust": "kernel"}]
    )
    def test_evidence_that_nothing_asks_for(self, evidence: dict[str, Any]) -> None:
        """Where the statement says every move, evidence is empty, and anything in it is refused."""
        statement = play("tictactoe", "XO..X...O", KEPT, strategies={"X": plays([3], [5], [6], when=["X", 4])})
        assert outcome(statement, "proved", evidence) == "malformed"


@pytest.mark.usefixtures("derived_once")
class TestEmptyObligations:
    """Obligations that are none, and names that would be believed."""

    def test_none_and_too_few(self) -> None:
        """Each conclusion of each part is owed: what holds fewer is rejected, and so is what was derived elsewhere."""
        certificate, _ = base("steps-models")
        evidence = with_digest(certificate)
        shown = evidence["obligations"]["shown"]
        for left in ([], shown[:1], shown[1:], shown[::-1], [shown[0]] * 2, [*shown, shown[0]]):
            changed = {**evidence, "obligations": {**evidence["obligations"], "shown": left}}
            assert outcome(certificate["statement"], "proved", changed) == "obligations"

    def test_every_position_has_ply_0(self) -> None:
        """A false step is shown by models of positions where it holds: it rests on a solver, and says so."""
        statement = steps_of("tictactoe", part(conclusions=[["ply 0", ["==", ["ply"], 0]]]))
        shown = {"digest": derive(statement).digest, "shown": [[0, "ply 0", []]]}
        evidence = {"models": [{"part": 0, "position": ".........", "moves": []}], "obligations": shown}
        result = decide(statement, "proved", evidence, lambda *_: b"")
        assert (result.verdict, result.beliefs) == (Verdict.SUPPORTED, frozenset({Belief.SOLVER}))
        for name in ("solver", "file", "trust", "by"):
            assert outcome(statement, "proved", {**evidence, name: "The kernel"}) == "malformed"


class TestSamples:
    """Enumerations with invented levels, and marks in a file of progress: there are none any more."""

    @pytest.mark.parametrize("kind", ["enumeration", "sample", "plays", "", None, 3, ["play"]])
    def test_kinds_that_are_none(self, kind: Any) -> None:
        """A kind that the kernel does not decide is refused before anything is read."""
        assert outcome({**play("tictactoe", ".........", KEPT), "kind": kind}, "proved", {}) == "malformed"

    @pytest.mark.parametrize("key", ["symmetry", "sample", "seed", "levels"])
    def test_keys_of_samples(self, key: str) -> None:
        """A statement about plays has no room for a sample."""
        assert outcome({**play("tictactoe", ".........", KEPT), key: 1}, "proved", {}) == "malformed"


@pytest.mark.usefixtures("derived_once")
class TestVacuity:
    """Statements that say nothing, each under a word of its own."""

    @pytest.mark.parametrize(
        ("objective", "changes", "reason"),
        [
            ({**KEPT, "at": ["start", "before:phase.rule", "after:other"]}, {}, "malformed"),
            ({**KEPT, "at": ["every", "start", "every"]}, {}, "malformed"),
            ({**KEPT, "at": ["start", "before:never"]}, {}, "vacuous-scope"),
            ({**KEPT, "at": ["every", "end", "after:never.rule"]}, {}, "vacuous-scope"),
            ({**KEPT, "at": ["end"]}, {"horizon": 5}, "vacuous-scope"),
            ({"name": "p", "type": "prevent", "goal": True, "through": 3}, {}, "vacuous-bound"),
            ({"name": "r", "type": "reach", "goal": True, "by": 3}, {}, "vacuous-bound"),
            ({"name": "r", "type": "reach", "goal": True, "by": 0}, {}, "vacuous-bound"),
            (KEPT, {"horizon": 3}, "vacuous-bound"),
            (KEPT, {"horizon": -1}, "malformed"),
        ],
    )
    def test_plays(self, objective: dict[str, Any], changes: dict[str, Any], reason: str) -> None:
        """What speaks of no position, and what ends before the start at ply 4, is not proved."""
        taken = strategy(*(rule(str(s), (["free", s], [s])) for s in (3, 5, 6, 2, 7)))
        never = {"phase": "never", "instances": [{"when": False, "rules": [rule("rule")]}]}
        taken["phases"].insert(0, never)
        statement = play("tictactoe", "XO..X...O", objective, strategies={"X": taken}, **changes)
        assert outcome(statement, "proved", {}) == reason

    @pytest.mark.parametrize(
        "unless",
        [
            True,
            ["or", ["over"], ["not", ["over"]]],
            ["not", False],
            pytest.param(["implies", False, ["over"]], marks=pytest.mark.slow),
            pytest.param([">=", ["ply"], 0], marks=pytest.mark.slow),
        ],
    )
    def test_unless_swallows_every_conclusion(self, unless: Any) -> None:
        """A part whose conclusions are let off everywhere has no point, and no model gives it one."""
        certificate, _ = base("steps-models")
        statement = certificate["statement"]
        for one in statement["parts"]:
            one["unless"] = unless
        assert outcome(statement, "proved", with_digest(certificate)) == "vacuous-unless"

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
        """Rules without a play make every claim about plays empty: that X wins by ply 0, or that nothing happens."""
        wins = {"name": "wins", "type": "reach", "goal": ["over"], "by": 0}
        statement = play("tictactoe", ".........", wins, strategies={"X": plays([4])})
        statement["rules"] = {**statement["rules"], **change}
        with pytest.raises(CertificateError, match="the game is over before the first mark"):
            decide(statement, "proved", {}, lambda *_: b"")

    @pytest.mark.parametrize("at", ["holds", "goal", "when", "hypothesis", "start", "entry", "legal"])
    def test_old_where_there_is_no_step(self, at: str) -> None:
        """That a spot says what it said before would be true of any one, where nothing was before."""
        same = ["iff", ["X", 4], ["old", ["X", 4]]]
        kept = {**KEPT, "holds": ["use", 0] if at == "entry" else same if at == "holds" else True}
        if at == "goal":
            kept = {"name": "p", "type": "prevent", "goal": ["not", same], "through": 4}
        rules = rules_data("tictactoe")
        allowed = plays([4], when=same if at == "when" else True)
        changes = {"formulas": [same]} if at == "entry" else {}
        statement = play(rules, ".........", kept, strategies={"X": allowed}, horizon=1, **changes)
        if at == "legal":
            statement["rules"] = {**rules, "legal": [["implies", ["old", ["free", 0]], ["free", 0]]] * 9}
        if at == "hypothesis":
            statement = steps_of(rules, part("move", hypotheses=[["same", same]]))
        if at == "start":
            statement = steps_of(rules, part("start", conclusions=[["same", same]]))
        models = {"models": [{"part": 0, "position": ".........", "moves": []}]}
        with pytest.raises(CertificateError, match="'old' speaks of the position before a step"):
            decide(statement, "proved", models if statement["kind"] == "steps" else {}, lambda *_: b"")


class TestCost:
    """Certificates of few bytes that would cost minutes or gigabytes."""

    def test_fifty_million_empty_lists(self) -> None:
        """146 kB that would become 4 GB of lists."""
        data = pack_text(b"[" + b"[]," * 5_000_000 + b"[]]\n")
        with pytest.raises(CertificateError, match="too-large"):
            unpack(data, "file")

    def test_long_sums_of_a_step(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A sum that has a name is read once for a position, and costs its length wherever it is added up."""
        marks = [["X", f, s] for f in range(9) for s in range(9)]
        large = first_part(hypotheses=[["large", [">=", ["+", *[["use", 0]] * 2000], 1]]])
        statement = steps_of("paper", large, formulas=[["sum", *marks]])
        monkeypatch.setattr(circuit, "MAX_WORK", 2000 * len(marks))
        with pytest.raises(CertificateError, match="limit"):
            derive(statement)

    @pytest.mark.parametrize(
        ("obligations", "times", "found"), [(1, 1, "supported"), (300, 1, "limit"), (1, 2, "malformed")]
    )
    def test_one_assumption_again_and_again(
        self, obligations: int, times: int, found: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An obligation names it once, and pays for all that it says: 100,000 times in 22 kB were 2.4 GB."""
        concluded = [["ply 0", ["==", ["ply"], 0]]] * obligations
        statement = steps_of("tictactoe", part(hypotheses=[["h", True]] * 300, conclusions=concluded))
        shown = {"digest": derive(statement).digest, "shown": [[0, "ply 0", ["h"] * times]] * obligations}
        evidence = {"models": [{"part": 0, "position": ".........", "moves": []}], "obligations": shown}
        monkeypatch.setattr(circuit, "MAX_WORK", 80_000)
        assert outcome(statement, "proved", evidence) == found

    @pytest.mark.parametrize("kind", ["play", "steps"])
    def test_instances_without_a_rule(self, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """What a strategy looks through counts: 27 kB took eight minutes in a walk, and 55 kB six in models."""
        idle = plays([4])
        idle["phases"][0]["instances"] += [{"when": True, "rules": []}] * 100
        idle["phases"][:0] = [{"phase": "p", "instances": []}] * (1000 if kind == "steps" else 0)
        steps_owed = steps_of("tictactoe", part("reply", strategy=idle))
        models = [{"part": 0, "position": ".........", "moves": ["4"]}]
        shown = {"obligations": with_obligations(steps_owed)}
        statement = play("tictactoe", ".........", KEPT, strategies={"X": idle}, horizon=1)
        for budget, found in ((2000, "limit"), (12_000, "proved" if kind == "play" else "supported")):
            monkeypatch.setattr(plays_module, "MAX_WORK", budget)
            monkeypatch.setattr(steps, "MAX_WORK", budget)
            if kind == "play":
                assert outcome(statement, "proved", {}) == found
            else:
                assert outcome(steps_owed, "proved", {"models": models * 3, **shown}) == found

    def test_a_long_name_in_each_part(self) -> None:
        """What an invariant keeps is told in each part that is derived: a name of 5 MB, in 72 kB, was a gigabyte."""
        kept = [{**KEPT, "name": str(number)} for number in range(50)]
        statement = play("tictactoe", ".........", *kept, chooses=False)
        work = []
        for name in ("k", "k" * 1000):
            derived = derive_steps(statement, {"invariant": {player: [[name, True]] for player in "XO"}})
            work.append(derive(derived).circuit.work)
        assert work[1] - work[0] == 2 * 51 * 999

    def test_sums_that_are_kept(self) -> None:
        """A sum that has a name is kept for each position that a step leads to: 6,000 in 52 kB were 2.2 GB."""
        entry, work = ["sum", *[["X", *divmod(at, 9)] for at in range(18)]], []
        for said, named in ((entry, []), (["use", 0], [entry])):
            below = first_part(hypotheses=[["h", ["<", said, 0]]])
            work.append(derive(steps_of("paper", below, formulas=named)).circuit.work)
        assert work[1] - work[0] > 18 * circuit.KEPT

    def test_literals_in_another_order(self) -> None:
        """They are the same gate, and each order that was asked for is kept: that costs what is kept, and once."""
        made, work = circuit.Circuit(), []
        literals = [made.variable() for _ in range(3)]
        gates = set()
        for asked in (literals, literals[::-1], literals):
            gates.add(made.every(asked))
            work.append(made.work)
        assert len(gates) == 1
        assert work[1] - work[0] == 3 + 1 + 3 * circuit.KEPT + 1
        assert work[2] - work[1] == 3 + 1

    def test_a_false_literal_is_in_no_key(self) -> None:
        """The hash of -1, which is false, is that of -2: 2^15 lists of the two had one hash, and took minutes."""
        made = circuit.Circuit()
        literal = made.variable()
        for asked in itertools.product((circuit.FALSE, -literal), repeat=3):
            made.every(asked)
        assert made._joined.keys() == {(-literal, -literal, -literal)}

    def test_rules_are_not_read_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A word that makes another position reads no rules: 15,000 such words in 5 kB took a minute."""
        rules = {**rules_data("tictactoe"), "legal": [["free", spot] for spot in range(9)]}
        made = first_part(hypotheses=[["h", ["X_makes", 0]]], plays=None, conclusions=[["c", ["O_makes", 0]]])
        monkeypatch.setattr(Positional, "data", None)
        assert derive(steps_of(rules, made)).preconditions

    @pytest.mark.parametrize("kind", ["rules", "phases"])
    def test_what_is_passed_again_and_again(self, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """A rule costs all the rules, or phases, before it, though they say the same: 20,000 of them took minutes."""
        rules = [rule("rule", (True, [4]))] * 400
        instance = {"when": True, "rules": rules} if kind == "rules" else {"when": False, "rules": []}
        phases = [{"phase": "phase", "instances": [instance]}] * (1 if kind == "rules" else 400)
        changes: dict[str, Any] = {"turn": None, "plays": None, "hypotheses": [], "unless": False}
        passed = first_part(step="reply", strategy={"player": "X", "phases": phases}, **changes)
        monkeypatch.setattr(circuit, "MAX_WORK", 60_000)
        with pytest.raises(CertificateError, match="limit"):
            derive(steps_of("tictactoe", passed))

    @pytest.mark.parametrize("share", SHARES)
    def test_long_gates_after_each_step(self, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Sums over all marks, compared with many numbers after each of many steps: 929 bytes were 1.7 GB of gates."""
        marks = [[player, f, s] for player in "XO" for f in range(9) for s in range(9)]
        spots = [[*divmod(at, 9)] for at in range(24)]
        concluded = [["c", ["and", *[["<=", ["use", 0], number] for number in range(1, 60)]]]]
        moves = strategy(rule("rule", *((["free", *spot], spot) for spot in spots)))
        statement = steps_of("paper", part("round", strategy=moves, conclusions=concluded), formulas=[["sum", *marks]])
        made = circuit.Circuit()
        monkeypatch.setattr(obligations, "Circuit", lambda: made)
        monkeypatch.setattr(circuit, "MAX_WORK", circuit.MAX_WORK // share)
        with pytest.raises(CertificateError, match="limit"):
            derive(statement)
        assert sum(len(gate[0]) for gate in made.gates if gate) < 3_000_000 // share

    def test_long_names(self) -> None:
        """A label, which joins the names of a phase and a rule, stands once for each rule: ten kB were gigabytes."""
        statement = play("tictactoe", ".........", KEPT, strategies={"X": plays([4])})
        statement["strategies"]["X"]["phases"][0]["phase"] = "p" * 201
        with pytest.raises(CertificateError, match="is not a short name"):
            decide(statement, "proved", {}, lambda *_: b"")

    def test_a_refusal_of_a_long_name(self) -> None:
        """A refusal that names what a file calls something is no longer than a few lines."""
        statement = play("tictactoe", ".........", {**SOME, "name": "n" * 10**6, "holds": ["X", 0], "at": ["start"]})
        with pytest.raises(CertificateError, match="not-some") as error:
            decide(statement, "proved", {"lines": {"n" * 10**6: []}}, lambda *_: b"")
        assert len(str(error.value)) < 2100

    @pytest.mark.parametrize("share", SHARES)
    def test_large_objective(self, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """An objective of 120,000 items, or of the share of them, in every position of long plays."""
        monkeypatch.setattr(plays_module, "MAX_WORK", plays_module.MAX_WORK // share**2)
        holds = ["and", *[["not", ["won_by_X", 0]]] * (40_000 // share)]
        statement = play("paper", NINE, {**SOME, "holds": ["not", holds]}, horizon=6)
        assert outcome(statement, "refuted", {"objective": "shown"}) == "limit"

    @pytest.mark.parametrize("share", SHARES)
    @pytest.mark.parametrize("rules", ["paper", "closed-any-spot", "threesome4x4"])
    def test_plays_without_an_end(self, rules: str, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Every play of a large game, asked for in 300 bytes."""
        monkeypatch.setattr(plays_module, "MAX_EDGES", plays_module.MAX_EDGES // share)
        game = find_rules(rules)
        statement = play(rules, game.format_position(game.start), SOME)
        assert outcome(statement, "refuted", {"objective": "shown"}) == "limit"

    def test_many_objectives(self) -> None:
        """Objectives that are never tested are looked at in every position all the same."""
        objectives = [{**KEPT, "name": str(number), "at": ["end"]} for number in range(51)]
        strategy = plays(*([4, s] for s in range(9)))
        statement = play("paper", NINE, *objectives, strategies={"X": strategy}, horizon=4)
        with pytest.raises(CertificateError, match="held against at most 50"):
            decide(statement, "proved", {}, lambda *_: b"")

    def test_large_strategies_on_many_lines(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Lines cost what the strategies do that play them, all together as much as a walk."""
        monkeypatch.setattr(plays_module, "MAX_WORK", 100_000)
        large = plays([4, 0], when=["or", *[["not", True]] * 5_000, True])
        objectives = [{**SOME, "holds": ["==", ["ply"], 1], "name": str(number)} for number in range(20)]
        statement = play("paper", NINE, *objectives, strategies={"X": large})
        lines = {objective["name"]: ["4.0"] for objective in objectives}
        assert outcome(statement, "proved", {"lines": lines}) == "limit"
        statement["objectives"], lines = objectives[:5], {name: lines[name] for name in "01234"}
        assert outcome(statement, "proved", {"lines": lines}) == "proved"

    @pytest.mark.parametrize("what", ["legal", "lines"])
    @pytest.mark.parametrize("kind", ["play", "line", "steps", "formula"])
    def test_large_rules(self, what: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Rules are data as well: what it costs to tell how a game stands counts in every budget."""
        cells = 16 if what == "legal" else 64
        rules = {**rules_data("tictactoe"), "rows": 4, "columns": cells // 4, "lines": []}
        if what == "legal":
            rules["legal"] = [["or", *[["not", ["free", s]]] * 450, True] for s in range(16)]
        else:
            rules["lines"] = [[[a, b, c], []] for a in range(8) for b in range(8, 16) for c in range(16, 23)]
        start = "." * cells
        none = {"name": "n", "type": "some", "at": ["every"], "holds": False}
        if kind == "play":
            monkeypatch.setattr(plays_module, "MAX_WORK", 1_000_000)
            assert outcome(play(rules, start, none, horizon=4), "refuted", {"objective": "n"}) == "limit"
        elif kind == "line":
            shown = [{**SOME, "name": str(number), "holds": True} for number in range(100)]
            lines = {str(number): ["0", "1"] for number in range(100)}
            for budget, found in ((20_000_000, "proved"), (500_000, "limit")):
                monkeypatch.setattr(plays_module, "MAX_WORK", budget)
                assert outcome(play(rules, start, *shown), "proved", {"lines": lines}) == found
        elif kind == "steps":
            models = [{"part": 0, "position": start, "moves": []}] * 6000
            assert outcome(steps_of(rules, part()), "proved", {"models": models, "obligations": {}}) == "limit"
        else:
            large = {**KEPT, "holds": ["or", *[["X_wins"]] * 400, True]}
            assert outcome(play(rules, start, large), "proved", {}) == "malformed"

    def test_a_small_table_for_long_plays(self) -> None:
        """A table of one entry allows the work of one entry."""
        game = find_rules("threesome4x4")
        start = game.format_position(game.start)
        statement = play("threesome4x4", start, KEPT, claimant="O", strategies={"O": {"player": "O", "phases": []}})
        assert with_table(statement, table_of({start: ["1,1"]})) in ("malformed", "stuck")

    def test_many_moves_of_few_entries(self) -> None:
        """An entry allows the work of an entry, however many moves it has, and one that nothing meets allows none."""
        rules = {**rules_data("tictactoe"), "rows": 8, "columns": 8, "lines": [], "outcomes": []}
        never = {"name": "n", "type": "prevent", "goal": ["X_wins"], "through": 4}
        statement = play(rules, "." * 64, never, horizon=4)
        moves = {"." * 64: ["0"], **{f"X{'.' * at}O{'.' * (62 - at)}": ["1" if at else "2"] for at in range(63)}}
        assert with_table(statement, table_of(moves)) == "proved"
        many = {position: [str(s) for s in range(64) if position[s] == "."] for position in moves}
        del many["." * 64]
        assert with_table(statement, table_of({**moves, **many})) == "limit"
        junk = {str(number): moves["." * 64] for number in range(10_000)}
        assert with_table(statement, table_of({**moves, **many, **junk})) == "limit"

    def test_formulas_of_lines_walks_and_objectives(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """There is one budget for all formulas of a statement, wherever they are evaluated."""
        large = ["or", *[["not", True]] * 1000, True]
        shown = {**SOME, "holds": large}
        statement = play("tictactoe", ".........", {**KEPT, "holds": large}, shown, horizon=2)
        statement["strategies"] = {"X": plays([4], when=large)}
        evidence = {"lines": {"shown": ["4"]}}
        for budget, found in ((28_100, "proved"), (20_000, "limit")):
            monkeypatch.setattr(plays_module, "MAX_WORK", budget)
            assert outcome(statement, "proved", evidence) == found

    @pytest.mark.parametrize(("count", "found"), [(2, "proved"), (20, "limit")])
    def test_many_lines_without_a_move(self, count: int, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """What a strategy could play at the end of a line costs too: 400 such lines in 3 kB took two minutes."""
        large = plays([4], when=["or", *[["not", True]] * 1000, True])
        shown = [{**SOME, "name": str(number), "at": ["start"], "holds": True} for number in range(count)]
        statement = play("tictactoe", ".........", *shown, strategies={"X": large})
        monkeypatch.setattr(plays_module, "MAX_WORK", 20_000)
        assert outcome(statement, "proved", {"lines": {str(number): [] for number in range(count)}}) == found

    @pytest.mark.parametrize("kind", ["play", "steps"])
    def test_one_move_under_many_names(self, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each name is an edge, paid for before it is played: 10,000 in 28 kB, under large rules, took minutes."""
        named = strategy()
        named["phases"][0]["instances"] = [
            {"when": True, "rules": [rule(str(number), (True, [4]))]} for number in range(1000)
        ]
        told: list[object] = []
        original = Positional.outcome

        def outcome_told(game: Positional, position: Any) -> str | None:
            told.append(position)
            return original(game, position)

        monkeypatch.setattr(Positional, "outcome", outcome_told)
        monkeypatch.setattr(plays_module, "MAX_WORK", 6000)
        if kind == "play":
            statement = play("tictactoe", ".........", KEPT, strategies={"X": named}, horizon=1)
            assert outcome(statement, "proved", {}) == "limit"
        else:
            reply = part("reply", strategy=named, conclusions=[["c", False]])
            example = {"part": 0, "position": ".........", "moves": ["4"], "fails": "c"}
            assert outcome(steps_of("tictactoe", reply), "refuted", {"counterexample": example}) == "refuted"
        assert len(told) < 500

    def test_additions(self) -> None:
        """To add up takes longer than to join, and counts as more: no node of a formula takes more than 110 ns."""
        game = find_rules("tictactoe")
        sizes = []
        for head in ("and", "exactly-one"):
            formulas = Formulas(game)
            formulas.compile(["or", *[[head]] * 1000])
            sizes.append(formulas.nodes)
        assert sizes == [1001, 3001]

    @pytest.mark.parametrize("share", SHARES)
    def test_a_game_too_large_to_be_solved(self, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """A word that asks for the solution of four in a row on a large board ends in a refusal."""
        monkeypatch.setattr(solution, "MAX_WORK", solution.MAX_WORK // share)
        rules = positional(6, 6, in_a_row(4, 6, 6), [[["X_line"], "X"], [["O_line"], "O"]])
        statement = play(rules, "/".join(["......"] * 6), {**KEPT, "holds": ["X_keeps", 0]}, horizon=0)
        assert outcome(statement, "refuted", {"objective": "kept", "line": []}) == "limit"

    @pytest.mark.parametrize("share", SHARES)
    @pytest.mark.parametrize("count", [2500, 25_000])
    def test_one_model_again_and_again(self, count: int, share: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Models cost the items of the statement each."""
        monkeypatch.setattr(steps, "MAX_WORK", steps.MAX_WORK // share)
        certificate, _ = base("steps-models")
        statement, evidence = certificate["statement"], certificate["evidence"]
        statement["parts"][0]["hypotheses"].append(["large", ["or", True, *[["==", 1, 2]] * (40_000 // share)]])
        evidence["models"] = evidence["models"] * count
        assert outcome(statement, "proved", evidence) == "limit"

    @pytest.mark.parametrize("head", ["not", "and", "old", "sum", "+", "iff"])
    def test_deep_formulas(self, head: str) -> None:
        """Nesting ends in one refusal, whatever nests."""
        for depth in (61, 500, 900):
            holds: Any = True
            for _ in range(depth):
                holds = [head, holds]
            assert outcome(play("tictactoe", ".........", {**KEPT, "holds": holds}), "proved", {}) == "malformed"


class TestMoves:
    """Moves that are none: a strategy, a part, a line, a table."""

    @pytest.mark.parametrize(
        "move",
        [[], [5], [5, 5, 5], [9, 0], [0, 9], [-1, 0], [True, 0], [10**11, 0], ["0", 0], [[0, 0]], "0.0", None, [0.5]],
    )
    @pytest.mark.parametrize("rules", ["paper", "closed-any-spot"])
    def test_of_a_strategy(self, rules: str, move: Any) -> None:
        """What is not a move of the game is refused where it is named, not where it would be played."""
        statement = play(rules, NINE, KEPT, strategies={"X": plays(move)}, horizon=2)
        assert outcome(statement, "proved", {}) == "malformed"

    @pytest.mark.parametrize(("rules", "move"), [("tictactoe", [0, 0]), ("tictactoe", [9]), ("threesome4x4", [16])])
    def test_of_another_game(self, rules: str, move: Any) -> None:
        """A spot of one game is not a spot of another."""
        game = find_rules(rules)
        statement = play(rules, game.format_position(game.start), KEPT, strategies={"X": plays(move)}, horizon=2)
        assert outcome(statement, "proved", {}) == "malformed"

    @pytest.mark.parametrize("move", [[], [5, 5], [9], [-1], [True], ["4"], "4", [4.5], [10**11]])
    def test_of_a_part(self, move: Any) -> None:
        """The free move that a part fixes is a move of its game."""
        certificate, _ = base("steps-models")
        certificate["statement"]["parts"][0]["plays"] = move
        assert outcome(certificate["statement"], "proved", certificate["evidence"]) == "malformed"


class TestKeys:
    """Keys that nothing asks for, where names of formulas are looked for in all of a strategy."""

    @pytest.mark.parametrize("value", ["zzz", None, {}, 5, -7, True])
    @pytest.mark.parametrize("depth", range(5))
    def test_of_a_strategy(self, depth: int, value: Any) -> None:
        """What looks like a name of a formula is none there, and no defect."""
        named = plays([4], when=["use", 0])
        inner: Any = named
        for key in ("phases", "instances", "rules", "choices")[:depth]:
            inner = inner[key][0]
        inner["note"] = ["use", value]
        changes = {"formulas": [["free", 4]], "strategies": {"X": named}, "horizon": 1}
        assert outcome(play("tictactoe", ".........", KEPT, **changes), "proved", {}) == "malformed"


class TestIntegers:
    """Booleans and huge numbers in the place of small integers."""

    @pytest.mark.parametrize("value", [True, False, None, "7", 7.0, [7], -1, 1001, 10**11])
    @pytest.mark.parametrize("key", ["by", "through"])
    def test_plies(self, key: str, value: Any) -> None:
        """A ply is an integer from 0 to 1000."""
        kind = "reach" if key == "by" else "prevent"
        objective = {"name": "n", "type": kind, "goal": ["X_wins"], key: value}
        assert outcome(play("tictactoe", ".........", objective), "proved", {}) == "malformed"

    @pytest.mark.parametrize("value", [True, "7", 7.0, [7]])
    def test_horizons(self, value: Any) -> None:
        """A horizon is an integer or null."""
        assert outcome(play("tictactoe", ".........", KEPT, horizon=value), "proved", {}) == "malformed"

    @pytest.mark.parametrize("value", [True, False, None, "0", -1, 2, 10**11, [0]])
    def test_parts(self, value: Any) -> None:
        """A model names its part by number."""
        certificate, _ = base("steps-models")
        certificate["evidence"]["models"][0]["part"] = value
        assert outcome(certificate["statement"], "proved", {**certificate["evidence"], "file": "0" * 64}) == "malformed"


class TestNames:
    """Two things of one name."""

    def test_objectives(self) -> None:
        """A refutation names an objective, and there is one of that name."""
        statement = play("tictactoe", ".........", KEPT, {**SOME, "name": "kept"})
        assert outcome(statement, "refuted", {"objective": "kept"}) == "malformed"

    @pytest.mark.parametrize("name", [None, 0, True, ["kept"], "other", ""])
    def test_an_objective_that_is_none(self, name: Any) -> None:
        """A refutation of nothing is none."""
        assert outcome(play("tictactoe", ".........", KEPT), "refuted", {"objective": name, "line": []}) == "malformed"

    @pytest.mark.parametrize("evidence", [{"objective": "shown", "line": []}, {"line": []}, {}, {"objective": "kept"}])
    def test_a_line_is_given_where_a_line_refutes(self, evidence: dict[str, Any]) -> None:
        """No play refutes that some play exists, and nothing but a play refutes what all plays keep."""
        assert outcome(play("tictactoe", ".........", KEPT, SOME), "refuted", evidence) == "malformed"


class TestWords:
    """Statements that say little, of which the words would say more than was decided."""

    def test_plays_that_end_early(self) -> None:
        """That X has not won is said of five plies, and not of the game."""
        kept = {**KEPT, "holds": ["not", ["X_wins"]]}
        words = describe_statement(play("tictactoe", ".........", kept, horizon=4, strategies={"X": plays([4])}))
        assert words.startswith('plays from ......... up to ply 4, X by a strategy: always ["not",["X_wins"]] at ')

    @pytest.mark.parametrize("changes", [{}, {"strategies": {"X": plays([4], [0])}, "chooses": True}])
    def test_what_somebody_can_do(self, changes: dict[str, Any]) -> None:
        """That X can keep O from winning is not said of all plays."""
        prevents = {"name": "p", "type": "prevent", "goal": ["O_wins"], "through": 9}
        some = {**SOME, "holds": ["O_wins"]}
        words = describe_statement(play("tictactoe", ".........", prevents, some, **changes))
        assert "never [\"O_wins\"] through ply 9, as 'X' can play; once [\"O_wins\"] at 'every', under" in words

    @pytest.mark.parametrize("claimant", "XO")
    def test_whose_scope_it_is(self, claimant: str) -> None:
        """Where both play by strategies, the claimant's positions are told to be X's, or O's."""
        both = {"X": plays([4]), "O": plays([0], player="O")}
        kept = {**KEPT, "at": ["claimant", "opponent"]}
        words = describe_statement(play("tictactoe", ".........", kept, strategies=both, claimant=claimant, horizon=2))
        other = "O" if claimant == "X" else "X"
        assert f"at 'claimant' ({claimant!r} moves there) and 'opponent' ({other!r} moves there), under" in words

    def test_nobody_moves_where_plays_end(self) -> None:
        """What is kept where X moves may fail where it would be X's turn, had a play gone on: that is not said."""
        kept = {**KEPT, "at": ["claimant"], "holds": ["free", 4]}
        statement = play("tictactoe", ".........", kept, chooses=False, horizon=2)
        assert outcome(statement, "proved", {}) == "proved"
        assert "at 'claimant' ('X' moves there), under" in describe_statement(statement)

    def test_the_end_is_that_of_the_game(self) -> None:
        """That X has won wherever a game is over by ply 5 is not said of every play up to ply 5."""
        kept = {**KEPT, "at": ["end"], "holds": ["X_wins"]}
        statement = play("tictactoe", ".........", kept, chooses=False, horizon=5)
        assert outcome(statement, "proved", {}) == "proved"
        assert "always [\"X_wins\"] at 'end' (the game is over), under" in describe_statement(statement)

    def test_where_a_bound_begins(self) -> None:
        """A bound from a late position, or after one first move, is not called one about the game."""
        late = "/".join(["XOXOXOX.."] + ["." * 9] * 7 + ["........X"]) + " X........ 8"
        cases = [{"start": late, "first": ["8.0", "8.1"]}, {"start": NINE, "first": None}]
        statement = {"kind": "bound", "rules": rules_data("paper"), "through": 43, "cases": cases}
        words = describe_statement(statement)
        assert words.startswith(
            f"Xavier cannot force a win by ply 43 once he plays one of 2 first moves from {late}, the first of 2 cases,"
        )

    def test_more_scopes_than_are_named(self) -> None:
        """That O has won once, at the end, is not said of the start: the words leave open which scope it is."""
        shown = {**SOME, "holds": ["O_wins"], "at": ["start", "claimant", "opponent", "end"]}
        statement = play("tictactoe", ".........", shown)
        assert outcome(statement, "proved", {"lines": {"shown": ["0", "3", "1", "4", "8", "5"]}}) == "proved"
        scopes = "'start' or 'claimant' ('X' moves there) or 'opponent' ('O' moves there) or 1 more"
        assert f'once ["O_wins"] at {scopes}, under' in describe_statement(statement)

    def test_rules_of_one_short_hash(self) -> None:
        """Two rules of which three in a row win and lose: their hashes begin with the same eight digits, 6cf489ea."""
        words = set()
        for number, result in ((33346, "X"), (3886, "O")):
            never = ["and", [">=", ["ply"], 500], ["==", ["ply"], 1000 + number]]
            statement = play("tictactoe", ".........", {**SOME, "holds": ["X_wins"], "at": ["end"]})
            outcomes = [[["or", ["X_line"], never], result], [["O_line"], "O"]]
            statement["rules"] |= {"outcomes": outcomes}
            assert hash_value(statement["rules"]).startswith("6cf489ea")
            words.add(describe_statement(statement))
        assert len(words) == 2

    def test_rules_of_another_outcome(self) -> None:
        """Rules that differ in a clause are told apart."""
        rules = rules_data("tictactoe")
        told = {
            describe_statement(play({**rules, **change}, ".........", KEPT))
            for change in ({}, {"outcomes": [[["O_line"], "X"]]}, {"legal": [["free", 0]] * 9})
        }
        assert len(told) == 3

    @pytest.mark.parametrize("text", ["proved: all of it", "\x1b[2K", "\n"])
    def test_names_of_a_file(self, text: str) -> None:
        """What a file calls something stands in quotation marks, and in letters that can be seen."""
        words = describe_statement(play("tictactoe", ".........", {**KEPT, "at": [text]}))
        assert repr(text)[1:-1] not in words.replace(ascii(text), "")
        assert ascii(text) in words
        named = part(part=text, hypotheses=[[text, True]], conclusions=[[text, True]])
        words = describe_statement(steps_of("tictactoe", named))
        assert words.startswith("from each well-formed position where true, it holds there that true, under")
