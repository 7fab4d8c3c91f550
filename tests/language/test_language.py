import random
from typing import Any

from tests.circuits import evaluate
from tests.rules import find_rules
from verifier.kernel.circuit import Circuit
from verifier.kernel.games.registry import unknown
from verifier.kernel.symbolic import Reader
from verifier.language.expressions import Grounder
from verifier.language.names import Names
from verifier.language.syntax import parse_expression

PAPER: Any = find_rules("paper")


def ground(text: str) -> Any:
    return Grounder(Names(PAPER)).formula(parse_expression(text), {}, is_after_step=True)


def python_value(text: str, notation: str) -> bool:
    """Evaluate an expression by Python itself, on the written position."""
    cells, owners, active = notation.split(" ")
    fields = cells.split("/")
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    k = 9 if active == "*" else int(active)

    def grid(test: Any) -> dict[tuple[int, int], bool]:
        return {(f, s): test(fields[f][s]) for f in range(9) for s in range(9)} | {(9, s): False for s in range(9)}

    wins = {p: any(all(owners[f] == p for f in line) for line in lines) for p in "XO"}
    names: dict[str, Any] = {
        "X": grid(lambda c: c == "X"), "O": grid(lambda c: c == "O"), "free": grid(lambda c: c == "."),
        "full": {f: "." not in fields[f] for f in range(9)} | {9: False},
        "won_by_X": [o == "X" for o in owners], "won_by_O": [o == "O" for o in owners],
        "active": k, "ANY": 9, "FIELDS": range(9), "SPOTS": range(9), "ply": 81 - cells.count("."),
        "X_wins": wins["X"], "O_wins": wins["O"], "over": wins["X"] or wins["O"] or "." not in cells,
        "implies": lambda a, b: not a or b, "old": lambda a: a,
        "iff": lambda a, b: a == b, "exactly_one": lambda loop: sum(loop) == 1,
    }  # fmt: skip
    builtins = {"all": all, "any": any, "sum": sum, "len": len}
    return bool(eval(text, {"__builtins__": builtins, **names}))  # noqa: S307 - our own texts


def positions(count: int, seed: int) -> list[Any]:
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        position = PAPER.start
        for _ in range(rng.randrange(81)):
            if PAPER.is_over(position):
                break
            position = PAPER.play(position, rng.choice(PAPER.legal_moves(position)))
        found.append(position)
    return found


def symbolic_value(formula: Any, position: Any) -> bool:
    """Return what a grounded expression says of an unknown position where that is a certain one."""
    circuit = Circuit()
    before = unknown(circuit, PAPER)
    literal = Reader(circuit, before).read(formula)(before)
    return evaluate(circuit, before, PAPER, position)[literal]
