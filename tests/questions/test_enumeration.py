"""Random claims about steps of games on one board: each verdict is what enumeration of all positions says."""

import itertools
import json
import pathlib
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.audit.made import check, make_plan
from tests.circuits import Values
from tests.questions.at_random import SMALL, Sayer, random_board, random_part, random_strategy
from tests.questions.enumeration import Board, Part, Strategy, Trial, cases
from tests.rules import load_library
from verifier.kernel.circuit import Circuit
from verifier.kernel.games import Game
from verifier.kernel.games.registry import unknown
from verifier.kernel.symbolic import Reader
from verifier.questions.result import Counterexample
from verifier.solver.inputs import name_inputs

SOURCE = {"document": "examples", "place": "none", "says": "Made at random."}
CANDIDATES, TRUE, READINGS = 16, 4, 8
"""How many conclusions are tried for an entry, how many true ones it has at most, and how many readings a claim has."""


@dataclass(frozen=True)
class Entry:
    """An entry of a reading: a part, what it concludes, and every step that it is about."""

    part: Part
    conclude: list[str]
    cases: list[tuple[str, Trial]]

    def verdict(self, board: Board) -> str:
        """Return what is true of the entry; ``vacuous``: there is no step at all."""
        fails = self.part.fails
        if any(fails(board, text, before, trial) for before, trial in self.cases for text in self.conclude):
            return "refuted"
        return "proved" if self.cases else "vacuous"


def random_entry(chance: random.Random, board: Board, strategy: Strategy | None, side: str) -> Entry:
    """Return an entry with conclusions that are true after every step, and perhaps one that nearly is."""
    tries = [random_part(chance, board, strategy, side) for _ in range(chance.choice([1, 4, 12]))]
    tried = ((part, cases(board, part)) for part in tries)
    good = ((part, found) for part, found in tried if found and not any(trial.failure for _, trial in found))
    part, found = next(good, (tries[-1], cases(board, tries[-1])))  # mostly one whose step can always be made
    sayer = Sayer(chance, board, is_relative=strategy is not None, is_after=bool(part.order()))
    said = [sayer.law() if chance.random() < 0.7 else sayer.condition(2) for _ in range(CANDIDATES)]
    breaches = {text: sum(part.fails(board, text, *case) for case in found) for text in said}
    true = [text for text in breaches if not breaches[text]][:TRUE]
    nearly = sorted((text for text in breaches if breaches[text]), key=lambda text: breaches[text])[:2]
    wrong = [chance.choice(nearly)] if nearly and (not true or chance.random() < 0.5) else []
    return Entry(part, [*true, *wrong], found)


def write_rules(folder: pathlib.Path, board: Board, name: str) -> None:
    """Write the rules of a board."""
    x, o = board.clauses.values()
    data: dict[str, Any] = {
        "rules": name,
        "title": "A game for tests",
        "source": SOURCE,
        "family": "positional",
        "board": {"rows": board.rows, "columns": board.columns, "moves": "rows" if board.is_by_row else "spots"},
        "marks": {"is": "shared" if board.is_shared else "own"},
        "lines": x if x == o else {"X": x, "O": o},
        "outcomes": {f"c{k}": {"when": when, "result": result} for k, (when, result) in enumerate(board.outcomes)},
    }
    if board.legal is not None:
        data["legal"] = {"when": board.legal}
    (folder / f"{name}.yaml").write_text(json.dumps(data))


def write_entry(entry: Entry) -> dict[str, Any]:
    """Return an entry as a claim says it."""
    part = entry.part
    said: dict[str, Any] = {"step": part.step, "given": [*part.given], "conclude": entry.conclude}
    if part.turn is not None:
        said["turn"] = part.turn
    if part.play is not None:
        said["play"] = [part.play]
    return said


def write_claim(
    folder: pathlib.Path, chance: random.Random, name: str, sizes: Sequence[tuple[int, int]]
) -> tuple[Board, dict[str, list[Entry]]]:
    """Write random rules, strategies and a claim about them; return its readings."""
    board = random_board(chance, sizes)
    write_rules(folder, board, f"rules-{name}")
    strategies = dict[str, Strategy]()
    for player in "XO":
        strategies[player] = strategy = random_strategy(chance, board, player)
        head = {
            "strategy": f"{name}-{player.lower()}",
            "title": "For tests",
            "source": SOURCE,
            "rules": f"rules-{name}",
        }
        (folder / f"{name}-{player}.yaml").write_text(json.dumps({**head, **strategy}))
    readings, said = dict[str, list[Entry]](), dict[str, Any]()
    for number in range(READINGS):
        side = chance.choice("XO")
        own = strategies[side] if chance.random() < 0.5 else None
        entries = [random_entry(chance, board, own, side if own else "X") for _ in range(chance.choice([1, 1, 2]))]
        if own is not None and not any(entry.part.strategy for entry in entries):
            continue
        readings[f"r{number}"] = entries
        said[f"r{number}"] = {
            "expect": "proved",
            "steps": {f"e{k}": write_entry(entry) for k, entry in enumerate(entries)},
            **({"strategies": {side: f"{name}-{side.lower()}"}} if own else {}),
        }
    head = {"claim": name, "title": "For tests", "source": SOURCE, "rules": f"rules-{name}", "readings": said}
    (folder / f"{name}.yaml").write_text(json.dumps(head))
    return board, readings


def find_verdict(board: Board, entries: list[Entry]) -> str:
    """Return the true verdict on a reading: ``refuted`` or ``vacuous`` if an entry is so, else ``proved``."""
    found = {entry.verdict(board) for entry in entries}
    return next(verdict for verdict in ("refuted", "vacuous", "proved") if verdict in found)


def assert_is_real(board: Board, entries: list[Entry], witness: Counterexample) -> None:
    """Check that a witness is one of the steps from a well-formed position, and that what it names fails after it."""
    entry = entries[int(witness.part[1:])]
    before = witness.position.replace("/", "")
    trials = [trial for position, trial in entry.cases if position == before]
    (trial,) = [trial for trial in trials if [*map(board.say, trial.moves)] == [*witness.moves]]
    assert witness.after.replace("/", "") == trial.after
    if witness.is_conclusion:
        assert not trial.failure
        assert entry.part.fails(board, witness.fails, before, trial)
    else:
        assert trial.failure == witness.fails


def compare(folder: pathlib.Path, seeds: range, sizes: Sequence[tuple[int, int]]) -> Counter[str]:
    """Check random claims. Return how many readings are true, false or vacuous; each verdict says which."""
    claims = {f"c{seed}": write_claim(folder, random.Random(seed), f"c{seed}", sizes) for seed in seeds}
    counts = Counter[str]()
    for result in check(make_plan(folder)).readings:
        board, readings = claims[result.claim]
        entries = readings[result.id]
        found, verdict = find_verdict(board, entries), str(result.verdict)
        said = f"{result.claim}.yaml: {result.id} is {verdict} ({result.reason}), but enumeration says {found}"
        assert result.trouble == "", said
        assert verdict == found or (found == "vacuous" and verdict == "unknown" and "vacuous" in result.reason), said
        if verdict == "refuted":
            assert isinstance(result.witness, Counterexample)
            assert_is_real(board, entries, result.witness)
        counts[found] += 1
    return counts


def assert_means_the_same(board: Board, game: Game) -> None:
    """Check all words, before and after every move, and what is well formed, in every position."""
    circuit, marks = Circuit(), ".X" if board.is_shared else ".XO"
    before = unknown(circuit, game)
    inputs = {literal: ("O" if word[0] == "O" else "X", word[1]) for word, literal in name_inputs(before).items()}
    names = [name for name in game.vocabulary if not name.endswith("_keeps")]
    words: list[tuple[Any, ...]] = [
        (name, *at) for name in names for at in itertools.product(*map(range, game.vocabulary[name]))
    ]
    read = [Reader(circuit, before, [[*word] for word in words]).read(["use", n]) for n in range(len(words))]
    moved = {(player, s): before.play(player, (s,)) for player in "XO" for s in range(board.size)}
    said = {key: [word(state) for word in read] for key, state in (("", before), *moved.items())}
    invariant = [literal for literals in before.invariant().values() for literal in literals]
    legal = [before.legal((s,)) for s in range(board.size)]
    for position in map("".join, itertools.product(marks, repeat=board.size)):
        values = Values(circuit, {literal: position[s] == mark for literal, (mark, s) in inputs.items()})
        assert all(values[literal] for literal in invariant) == board.is_well_formed(position), position
        if board.is_well_formed(position):
            moves, turn = board.moves(position), board.turn(position)
            assert [s for s in range(board.size) if values[legal[s]]] == moves
            for key, at in (("", position), *(((turn, s), board.play(position, s)) for s in moves)):
                known = board.words(at, "X")
                expected = [known[name][at[0]] if at else known[name] for name, *at in words]
                assert [values[literal] for literal in said[key]] == expected, (position, key)


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 40))])
def test_words_mean_the_same_in_all_positions(seed: int, tmp_path: pathlib.Path) -> None:
    """The symbolic form of random rules says of each position, and after each move, what enumeration says."""
    board = random_board(random.Random(seed), SMALL)
    write_rules(tmp_path, board, "made")
    assert_means_the_same(board, load_library(tmp_path).game("made"))


def test_a_verdict_is_that_of_all_positions(tmp_path: pathlib.Path) -> None:
    """What is proved is true after every step, what is refuted is not, and a witness is one of the steps."""
    counts = compare(tmp_path, range(3), SMALL)
    assert min(counts[found] for found in ("proved", "refuted", "vacuous")) > 1


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 160, 10))
def test_many_verdicts_are_those_of_all_positions(first: int, tmp_path: pathlib.Path) -> None:
    """The same of hundreds of readings, some of them on the board of tic-tac-toe."""
    counts = compare(tmp_path, range(first, first + 10), [*SMALL, (3, 3)])
    assert min(counts[found] for found in ("proved", "refuted", "vacuous")) > 2
