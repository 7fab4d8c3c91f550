"""Limits are exact: work that just fits is accepted, and refused if one less is allowed."""

import itertools
import json
import pathlib
import tracemalloc
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tests.kernel.test_count import PAIRS
from tests.kernel.test_count_ends import count as count_ends
from tests.kernel.test_obligations import SMALL
from tests.rules import find_rules, rules_data
from tests.statements import KEPT, SOME, part, play, plays, steps_of
from verifier.kernel import certificate as files
from verifier.kernel import (
    circuit,
    count,
    errors,
    formula,
    obligations,
    refutation,
    statement,
    steps,
    strategy,
)
from verifier.kernel import plays as walks
from verifier.kernel.certificate import require_shape
from verifier.kernel.errors import CertificateError, NotationError, SpecError
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.games import lines, positional, registry, solution
from verifier.kernel.games.positional_marks import PositionalState
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.race.relaxation import parse_race
from verifier.kernel.statement import parse_statement
from verifier.kernel.steps import parse_steps
from verifier.packing import pack_text

HERE = pathlib.Path(__file__)
GAME: Any = find_rules("tictactoe")
LATE = "XOXOX.O.."
SOLVED = GAME.parse_position("XO.OX....")
STEPS = steps_of("tictactoe", part())
MODEL = {"part": 0, "position": LATE, "moves": []}


def walked() -> list[walks.Node]:
    return [*walks.walk(parse_statement(play("tictactoe", LATE, KEPT)), None)]


EDGES = sum(len(node.edges) for node in walked())


def replayed() -> int:
    """Return the cost of replaying a line: that of each position (the last one has no move)."""
    found = parse_statement(play("tictactoe", ".........", KEPT, strategies={"X": plays([4])}))
    walks.replay(found, [(4,)])
    return found.formulas.work


def compiled(node: Any) -> object:
    """Compile a formula alone."""
    return FormulaCompiler(GAME).compile(node)


LINE = replayed()


REPLY = steps_of("tictactoe", part("reply", strategy=plays([4])))
REPLY["parts"][0]["strategy"]["phases"][:0] = [{"phase": "p", "instances": []}] * 1000


def replied() -> int:
    """Return the cost of a strategy in a model. The formulas of the statement cost less."""
    found = parse_steps(REPLY)
    steps.check_models(found, [{"part": 0, "position": ".........", "moves": ["4"]}], frozenset())
    return found.formulas.work


def followed() -> None:
    made = circuit.Circuit()
    follower = refutation.Follower(made)
    follower.assume(made.variables(1))
    follower.derive("pol -1 5 *")


def solved() -> int:
    found = solution.Solution(GAME, "X")
    found.keeps(SOLVED, 1 << 5)
    return found._work


def judged() -> None:
    statement = parse_statement(play("tictactoe", LATE, KEPT))
    objective = statement.objectives[0].test
    assert objective(statement.start) == objective(statement.start)
    statement.formulas.spend()


PLAYS = count_ends("plays", (True, 255_168))

LIMITS: dict[str, tuple[ModuleType, str, int, Callable[[], object]]] = {
    "values in a file": (files, "MAX_ITEMS", 3, lambda: files.parse_json(b"[0,0,0]", "file", 9)),
    "bytes of text": (files, "MAX_TEXT_BYTES", 8, lambda: files.unpack(pack_text(b"[0,0,0]\n"), "file")),
    "digits of an integer": (files, "MAX_DIGITS", 2, lambda: files.parse_json(b"[-10]", "file", 9)),
    "work of a circuit": (circuit, "MAX_CIRCUIT_WORK", 10, lambda: circuit.Circuit().spend(9)),
    "formulas with a name": (formula, "MAX_ENTRIES", 2, lambda: FormulaCompiler(GAME, [["X", 0], ["X", 1]])),
    "formulas of a statement": (formula, "MAX_STATEMENT_NODES", 3, lambda: compiled(["and", True, True])),
    "a formula": (formula, "MAX_NODES", 3, lambda: compiled(["and", True, True])),
    "depth of a formula": (formula, "MAX_DEPTH", 1, lambda: compiled(["not", ["not", True]])),
    "an integer": (formula, "MAX_INTEGER", 5, lambda: FormulaCompiler(GAME).compile(["==", 5, 1])),
    "a negative integer": (formula, "MAX_INTEGER", 5, lambda: FormulaCompiler(GAME).compile(["==", -5, 1])),
    "objectives": (statement, "MAX_OBJECTIVES", 2, lambda: parse_statement(play("tictactoe", LATE, KEPT, SOME))),
    "objectives of a walk": (statement, "MAX_WALKED", 1, lambda: parse_statement(play("tictactoe", LATE, KEPT, SOME))),
    "positions of a solution": (solution, "MAX_VALUES", 21, lambda: solution.Solution(GAME, "X").keeps(SOLVED, 1 << 5)),
    "work of a solution": (solution, "MAX_SOLUTION_WORK", solved(), solved),
    "members of a count": (count, "MAX_COUNTED", 81, lambda: count.decide_count(PAIRS, True, {})),
    "letters of a line that is counted": (count, "MAX_LENGTH", 7, lambda: count.decide_count(PAIRS, True, {})),
    "moves of a play that is counted": (count, "MAX_MOVES", 9, lambda: count.decide_count(PLAYS, True, {})),
    "moves of all counted plays": (count, "MAX_EDGES", 16_167, lambda: count.decide_count(PLAYS, True, {})),
    "letters of a name": (strategy, "MAX_NAME", 4, lambda: require_shape("rule", strategy.is_short_name, "")),
    "work of a line": (formula, "MAX_WORK", LINE, replayed),
    "moves of a walk": (walks, "MAX_EDGES", EDGES, walked),
    "work of a walk": (formula, "MAX_WORK", formula.A_MOVE * GAME.weight * EDGES, walked),
    "work of objectives": (formula, "MAX_WORK", 2, judged),
    "work of models": (
        steps, "MAX_EVIDENCE_WORK", 2 * parse_steps(STEPS).size,
        lambda: steps.check_models(parse_steps(STEPS), [MODEL, MODEL], frozenset()),
    ),
    "strategies in models": (steps, "MAX_EVIDENCE_WORK", replied(), replied),
    "weights of a refutation": (refutation, "MAX_NUMBER", 5, followed),
    "letters of a step": (refutation, "MAX_STEP", len("pol -1 5 *"), followed),
    "text of rules": (registry, "MAX_TEXT", len(json.dumps(SMALL)), lambda: parse_rules(SMALL)),
    "bytes of a file": (files, "MAX_FILE_BYTES", HERE.stat().st_size, lambda: files.read_bytes(HERE.parent, HERE.name)),
    "spots of a board": (positional, "MAX_CELLS", 6, lambda: positional.PositionalGame(SMALL)),
    "lines of a board": (lines, "MAX_LINES", 3, lambda: positional.PositionalGame(SMALL)),
    "clauses of outcomes": (positional, "MAX_CLAUSES", 3, lambda: positional.PositionalGame(SMALL)),
    "letters of a clause": (
        positional, "MAX_CLAUSE_TEXT", max(len(str(said)) for said, _ in SMALL["outcomes"]),
        lambda: positional.PositionalGame(SMALL),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_each_limit_is_exact(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a limit just allows is accepted. With a limit that is smaller by one, it is refused."""
    module, constant, needed, action = LIMITS[name]
    monkeypatch.setattr(module, constant, needed)
    action()
    monkeypatch.setattr(module, constant, needed - 1)
    with pytest.raises((CertificateError, SpecError)) as caught:
        action()
    if isinstance(caught.value, CertificateError):
        assert caught.value.reason in ("limit", "too-large", "malformed")


@pytest.mark.parametrize("read", [find_rules("paper").parse_position, parse_race])
@pytest.mark.parametrize("mark", " /")
def test_a_text_that_is_not_a_position_is_not_split(read: Callable[[str], object], mark: str) -> None:
    """A text of 2 MB became 16 MB of parts, and a text may have 256 MB."""
    tracemalloc.start()
    with pytest.raises(NotationError):
        read(mark * 2_000_000)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 5_000_000


def test_a_long_message_is_cut_at_its_limit() -> None:
    """A message is cut where it is too long, and nowhere else."""
    for length, said in ((errors.MAX_MESSAGE, "m" * errors.MAX_MESSAGE), (2001, "m" * 2000 + "…")):
        assert CertificateError("reason", "m" * length).args[1] == said


@pytest.mark.parametrize(("rows", "columns"), [(1, 3), (3, 1)])
def test_a_board_may_have_one_row_of_one_spot(rows: int, columns: int) -> None:
    """The smallest board is one spot wide, and a line may have all of its spots."""
    data = {**SMALL, "rows": rows, "columns": columns, "lines": [[[0, 1, 2], []]], "outcomes": [[["X_line"], "X"]]}
    game: Any = parse_rules(data)
    assert (game.cells, bool(game.has_line["X"](0b111)), bool(game.has_line["X"](0b101))) == (3, True, False)
    assert len(game.legal_moves(game.start)) == 3


def test_large_rules_are_refused_before_their_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The obligations of rules are counted before they are derived. Here no move is read."""
    lines = [[list(held), []] for held in itertools.islice(itertools.combinations(range(64), 6), 500)]
    rules = {**rules_data("tictactoe"), "rows": 8, "columns": 8, "lines": lines}
    monkeypatch.setattr(PositionalState, "play", None)
    with pytest.raises(CertificateError, match="limit"):
        obligations.derive_closure(rules)
