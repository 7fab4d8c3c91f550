"""Steps and invariants under random rules of cells, decided by trying every position and every move.

The rules have extra turns, counters, captures and indices that leave their range. Python evaluates the expressions,
because they have its syntax; nothing here asks the tool what a rule means.
"""

import functools
import itertools
import json
import pathlib
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from tests.audit.made import check, make_plan
from tests.questions.enumeration import FUNCTIONS, compile_text
from verifier.kernel.verdict import Verdict
from verifier.questions.steps import evidence
from verifier.search import reach

SOURCE = {"document": "made", "place": "nowhere", "says": "Made at random."}
MOST = 3
INDICES = ["n[0]", "n[1]", "turn", "n[0] + 1", "n[1] - 1", "turn + n[0]", "n[0] - n[1]"]
"""Indices that depend on the position; some leave their range."""

READINGS = 8


class Cell(NamedTuple):
    """A position: three conditions, two numbers from 0 to ``MOST``, and who is to move (1 is X, 2 is O)."""

    b: tuple[bool, ...]
    n: tuple[int, ...]
    turn: int


class Row(tuple[Any, ...]):
    """Cells by index. Out of range a condition is false and a number 0, because the index depends on the position."""

    def __getitem__(self, at: Any) -> Any:
        return tuple.__getitem__(self, at) if 0 <= at < len(self) else type(tuple.__getitem__(self, 0))()


@dataclass
class Game:
    """Random rules: moves with a condition and assignments, and outcomes in order."""

    start: Cell
    moves: dict[str, dict[str, Any]]
    outcomes: list[tuple[str, str]]
    known: dict[Any, Any] = field(default_factory=dict)

    def value(self, text: str, at: Cell, **words: Any) -> Any:
        """Return the value of an expression in a position."""
        return eval(compile_text(text), {"b": Row(at.b), "n": Row(at.n), "turn": at.turn, **words})  # noqa: S307

    def made(self, at: Cell) -> dict[str, Cell]:
        """Return the positions after all moves whose conditions hold and whose values fit, even if the game is over."""
        if at not in self.known:
            self.known[at] = dict(self._make(at))
        found: dict[str, Cell] = self.known[at]
        return found

    def _make(self, at: Cell) -> Iterator[tuple[str, Cell]]:
        words = {"me": at.turn, "them": 3 - at.turn}
        for text, move in self.moves.items():
            if move.get("by", "XO"[at.turn - 1]) != "XO"[at.turn - 1] or not self.value(move["when"], at, **words):
                continue
            b, n, turn, fits = [*at.b], [*at.n], 3 - at.turn, True
            for line in move["do"]:
                target, value = line.split(" = ", 1)
                new = self.value(value, at, **words)
                if target == "turn":
                    turn, fits = new, fits and new in (1, 2)
                elif target[0] == "b":
                    b[int(target[2])] = bool(new)
                else:
                    n[int(target[2])], fits = new, fits and 0 <= new <= MOST
            if fits:
                yield text, Cell(tuple(b), tuple(n), turn)

    def outcome(self, at: Cell) -> str | None:
        """Return who has won, or ``draw``; None: play goes on."""
        stuck = not self.made(at)
        said = next((result for when, result in self.outcomes if self.value(when, at, stuck=stuck)), "goes-on")
        if said == "goes-on":
            return "draw" if stuck else None
        return {"next": "XO"[at.turn - 1], "previous": "OX"[at.turn - 1]}.get(said, said)

    def legal(self, at: Cell) -> dict[str, Cell]:
        """Return the positions after all legal moves."""
        return {} if self.outcome(at) else self.made(at)

    def holds(self, text: str, at: Cell, before: Cell | None = None) -> bool:
        """Say whether a formula of a claim is true in a position, after a step from ``before``."""
        outcome = self.outcome(at)
        words: dict[str, Any] = {**FUNCTIONS, "over": outcome is not None, "draw": outcome == "draw"}
        words |= {"X_wins": outcome == "X", "O_wins": outcome == "O"}
        for text_before in range(100):
            mark = text.find("old(")
            if mark < 0 or before is None:
                break
            end = mark + 4
            depth = 1
            while depth:
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            name = f"old_{text_before}"
            words[name] = self.value(text[mark + 4 : end - 1], before)
            text = f"{text[:mark]}{name}{text[end:]}"
        return bool(self.value(text, at, **words))

    @property
    def alternates(self) -> bool:
        """Whether no move sets the turn."""
        return not any(line.startswith("turn") for move in self.moves.values() for line in move["do"])

    def met(self) -> set[Cell]:
        """Return the positions of all plays."""
        found, waiting = {self.start}, [self.start]
        for at in waiting:  # grows while it is read
            fresh = {*self.legal(at).values()} - found
            found |= fresh
            waiting += fresh
        return found


POSITIONS = [
    Cell(b, n, turn)
    for b in itertools.product((False, True), repeat=3)
    for n in itertools.product(range(MOST + 1), repeat=2)
    for turn in (1, 2)
]


def number(rng: random.Random, depth: int, *words: str) -> str:
    """Return the text of a number."""
    if not depth:
        return rng.choice(["0", "1", "2", "n[0]", "n[1]", "turn", *words])
    one, other = number(rng, depth - 1, *words), number(rng, depth - 1, *words)
    sums = ["sum(b[i] for i in range(0, 3))", f"n[{rng.choice(INDICES)}]"]
    return rng.choice(
        [f"({one} + {other})", f"({one} - {other})", f"({one} if {flag(rng, 1, *words)} else {other})", *sums]
    )


def flag(rng: random.Random, depth: int, *words: str) -> str:
    """Return the text of a condition."""
    if not depth or rng.random() < 0.2:
        return rng.choice(["b[0]", "b[1]", "b[2]", "not b[0]", "n[0] == n[1]", "n[0] < 2", "turn == 1", "b[n[0]]"])
    kind = rng.choice(["and", "or", "not", "compare", "compare", "all", "at"])
    if kind == "not":
        return f"not ({flag(rng, depth - 1, *words)})"
    if kind == "compare":
        sign = rng.choice(["==", "!=", "<", "<=", ">", ">="])
        return f"({number(rng, depth - 1, *words)} {sign} {number(rng, depth - 1, *words)})"
    if kind == "all":
        return f"{rng.choice(['all', 'any'])}(b[i] for i in range(0, 3) if i != {rng.randrange(3)})"
    if kind == "at":
        return f"b[{rng.choice(INDICES)}]"
    return f"({flag(rng, depth - 1, *words)} {kind} {flag(rng, depth - 1, *words)})"


def claimed(rng: random.Random, is_after: bool) -> str:
    """Return the text of a formula of a claim."""
    parts = [flag(rng, 2), flag(rng, 1), rng.choice(["X_wins", "O_wins", "over", "draw"]), "n[0] + n[1] < 6", "True"]
    if is_after:
        parts += [
            f"old({flag(rng, 1)})",
            f"n[0] >= old(n[{rng.randrange(2)}])",
            "b[0] == old(b[0])",
            "turn != old(turn)",
        ]
    parts = [part.replace("b[0] == old(b[0])", "iff(b[0], old(b[0]))") for part in parts]
    one, other = rng.choice(parts), rng.choice(parts)
    return rng.choice([one, f"({one} or {other})", f"implies({one}, {other})", f"({one}) and ({other})"])


def random_game(rng: random.Random) -> Game:
    """Return rules that are not over at the start."""
    moves: dict[str, dict[str, Any]] = {}
    has_extra = rng.random() < 0.6
    for name in range(4):
        do = []
        targets = ["b[0]", "b[1]", "b[2]", "n[0]", "n[1]", *(["turn"] if has_extra else [])]
        for target in rng.sample(targets, rng.randrange(1, 4)):
            if target == "turn":
                extra = [f"(me if {flag(rng, 1)} else them)", "me", "1", number(rng, 1, "me", "them")]
                do.append(f"turn = {rng.choice(extra)}")
            elif target[0] == "n":
                do.append(f"{target} = {rng.choice([number(rng, 1, 'me'), f'{target} + 1', f'{target} - 1'])}")
            else:
                do.append(f"{target} = {rng.choice([flag(rng, 1), 'True', 'False'])}")
        moves[f"m{name}"] = {"when": rng.choice([flag(rng, 2), "True"]), "do": do}
        if rng.random() < 0.4:
            moves[f"m{name}"]["by"] = rng.choice("XO")
    results = ["X", "O", "draw", "goes-on", "next", "previous"]
    outcomes = [(f"({flag(rng, 1)}) and ({flag(rng, 1)})", rng.choice(results))]
    outcomes += [("stuck", rng.choice(results))] if rng.random() < 0.6 else []
    start = Cell((False, True, False), (rng.randrange(MOST + 1), 1), rng.choice((1, 2)))
    game = Game(start, moves, outcomes)
    return game if game.outcome(start) is None else random_game(rng)


def write(folder: pathlib.Path, name: str, game: Game, readings: dict[str, Any]) -> None:
    """Write rules, and a claim about them, as files."""
    rules = {
        "rules": f"rules-{name}",
        "title": "For tests",
        "source": SOURCE,
        "family": "general",
        "state": {
            "b[3]": {"start": [*map(int, game.start.b)]},
            "n[2]": {"most": MOST, "start": [*game.start.n]},
            "turn": {"start": game.start.turn},
        },
        "moves": game.moves,
        "outcomes": {f"o{k}": {"when": when, "result": result} for k, (when, result) in enumerate(game.outcomes)},
    }
    (folder / f"rules-{name}.yaml").write_text(json.dumps(rules))
    (folder / "made.yaml").write_text(json.dumps({"document": "made", "title": "For tests", "note": "Made at random."}))
    head = {"claim": name, "title": "For tests", "source": SOURCE, "rules": f"rules-{name}", "readings": readings}
    (folder / f"{name}.yaml").write_text(json.dumps(head))


Step = dict[str, Any]


def random_step(rng: random.Random) -> Step:
    kind = rng.choice(["none", "move", "move", "move", "start"])
    step: Step = {"step": kind, "conclude": [claimed(rng, kind == "move") for _ in range(rng.choice([1, 1, 2]))]}
    if kind != "start":
        step["given"] = [claimed(rng, False) for _ in range(rng.randrange(3))]
        if rng.random() < 0.3:
            step["turn"] = rng.choice("XO")
    return step


def try_step(game: Game, step: Step) -> tuple[str, set[Any]]:
    """Return the true verdict on a step, and where it fails: positions, moves and conclusions."""
    failing, is_met = set[Any](), False
    for at in [game.start] if step["step"] == "start" else POSITIONS:
        if "XO"[at.turn - 1] not in step.get("turn", "XO"):
            continue
        if not all(game.holds(text, at) for text in step.get("given", [])):
            continue
        ways = game.legal(at).items() if step["step"] == "move" else [("", at)]
        for move, after in ways:
            failed = [text for text in step["conclude"] if not game.holds(text, after, at)]
            failing |= {(at, move, text) for text in failed}
            is_met = is_met or not failed
    return "refuted" if failing else "proved" if is_met else "vacuous", failing


def test_random_rules_are_not_all_alike() -> None:
    """Some have extra turns, some do not; plays end and go round."""
    games = [random_game(random.Random(seed)) for seed in range(60)]
    assert 10 < sum(game.alternates for game in games) < 50
    assert (
        sum(any(after.turn == at.turn for at in game.met() for after in game.legal(at).values()) for game in games) > 10
    )
    assert sum(any(game.outcome(at) for at in game.met()) for game in games) > 20
    assert len({len(game.met()) for game in games}) > 10


def look_in_few_games(patch: pytest.MonkeyPatch) -> None:
    """After a step fails, look in fewer random games than a user's run does for a play that comes to such a step."""
    patch.setattr(evidence, "find_failure_in_games", functools.partial(reach.find_failure_in_games, games=20))


def check_steps(folder: pathlib.Path, seeds: range) -> Counter[str]:
    """Decide random steps. Each verdict is that of all positions, and a witness is one of the failures."""
    said: dict[str, tuple[Game, dict[str, Step]]] = {}
    for seed in seeds:
        rng = random.Random(seed)
        game = random_game(rng)
        steps = {f"r{k}": random_step(rng) for k in range(READINGS)}
        said[f"c{seed}"] = game, steps
        write(folder, f"c{seed}", game, {key: {"expect": "proved", "steps": {"e": one}} for key, one in steps.items()})
    told = Counter[str]()
    for result in check(make_plan(folder)).readings:
        game, steps = said[result.claim]
        wanted, failing = try_step(game, steps[result.id])
        found = str(result.verdict)
        shown = (result.claim, result.id, steps[result.id], game, result.reason, result.trouble)
        assert result.trouble == "", shown
        assert found == wanted or (wanted == "vacuous" and found == "unknown"), (found, wanted, shown)
        if wanted == "refuted":
            witness: Any = result.witness
            texts, _, _ = witness.position.partition(" ")
            b, n = texts.split("/")
            turn = 1 + witness.position.split(" ")[1].count("O")
            at = Cell(tuple(mark == "1" for mark in b), tuple(map(int, n)), turn)
            assert {(at, *(witness.moves or [""]))} <= {(where, move) for where, move, _ in failing}, shown
        told[wanted] += 1
    return told


def test_steps_of_cells_are_decided_as_by_trying_all(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Proved, refuted and vacuous steps under random rules."""
    look_in_few_games(monkeypatch)
    told = check_steps(tmp_path, range(3))
    assert min(told[verdict] for verdict in ("proved", "refuted")) > 3, told


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 400, 20))
def test_many_steps_of_cells_are_decided_as_by_trying_all(first: int, tmp_path: pathlib.Path) -> None:
    told = check_steps(tmp_path, range(first, first + 20))
    assert min(told[verdict] for verdict in ("proved", "refuted", "vacuous")) > 1, told


def is_kept(game: Game, formulas: dict[str, str], goal: str) -> bool:
    """Say whether the formulas for X and O hold at the start, each move keeps them, and the goal follows."""

    def fits(at: Cell) -> bool:
        return game.holds(formulas["XO"[at.turn - 1]], at)

    kept = [at for at in POSITIONS if fits(at)]
    moves = all(fits(after) for at in kept for after in game.legal(at).values())
    return fits(game.start) and moves and all(game.holds(goal, at) for at in kept)


def check_invariants(folder: pathlib.Path, seeds: range) -> Counter[str]:
    """Decide random invariants. What is proved holds in all plays, and every invariant that moves keep is accepted."""
    said: dict[str, tuple[Game, dict[str, tuple[dict[str, str], str]]]] = {}
    for seed in seeds:
        rng = random.Random(seed)
        game = random_game(rng)
        claims: dict[str, tuple[dict[str, str], str]] = {}
        for k in range(60):
            goal = claimed(rng, False)
            formulas = {player: rng.choice([goal, goal, claimed(rng, False)]) for player in "XO"}
            if rng.random() < 0.3:
                formulas = {player: f"({text}) and ({goal})" for player, text in formulas.items()}
            interesting = is_kept(game, formulas, goal) and goal != "True"
            if interesting or k % 12 == 0:
                claims[f"r{k}"] = formulas, goal
        said[f"c{seed}"] = game, claims
        readings = {
            key: {
                "plays": "all",
                "expect": "proved",
                "objectives": {"it": {"keep": goal, "at": "every"}},
                "invariant": {player: [text] for player, text in formulas.items()},
            }
            for key, (formulas, goal) in [*claims.items()][:READINGS]
        }
        write(folder, f"c{seed}", game, readings)
    told = Counter[str]()
    for result in check(make_plan(folder)).readings:
        game, known = said[result.claim]
        formulas, goal = known[result.id]
        shown = (result.claim, result.id, formulas, goal, game, result.reason, result.trouble)
        assert result.trouble == "", shown
        wanted, is_true = is_kept(game, formulas, goal), all(game.holds(goal, at) for at in game.met())
        if result.verdict is Verdict.PROVED:
            assert is_true, shown
        if result.verdict is Verdict.REFUTED:
            assert not is_true, shown
        assert (result.verdict is Verdict.PROVED) is wanted, (str(result.verdict), wanted, shown)
        told[f"{'kept' if wanted else 'not kept'}, {'true' if is_true else 'false'}"] += 1
    return told


def test_invariants_of_cells_are_decided_as_by_trying_all(tmp_path: pathlib.Path) -> None:
    """Formulas for X and for O, also where a move sets the turn."""
    told = check_invariants(tmp_path, range(2))
    assert told["kept, true"] > 1, told
    assert told["not kept, false"] > 1, told


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 400, 20))
def test_many_invariants_of_cells_are_decided_as_by_trying_all(first: int, tmp_path: pathlib.Path) -> None:
    told = check_invariants(tmp_path, range(first, first + 20))
    assert min(told.values()) > 0, told
    assert told["kept, true"] > 10, told
