"""Hold the engine against the kernel on many random positions: ``python -m tests.bench.engine [POSITIONS] [SEED]``.

For each position of random plays, under both rule sets: the legal moves, the position after one of them, the value of
a random formula and of the objectives of Lemma 5, the moves of LBS, and the canonical form of a random relabelling.
The first difference is an error; the exit code is then 1.
"""

from __future__ import annotations

import random
import sys
import time

from tests.search.plays import ONE_EACH, random_formula, random_permutation, random_positions, statement, strategy
from verifier.kernel.formula import Formulas, compile_formula
from verifier.kernel.games.nested import Nested, Position
from verifier.kernel.relabel import parse_permutation, relabel_position
from verifier.kernel.strategy import compile_strategy
from verifier.search.compiled.engine import Engine
from verifier.search.compiled.level import find_moves
from verifier.search.compiled.machine import run
from verifier.search.compiled.position import SIZE, to_array, to_position, unpack
from verifier.search.compiled.program import STACK, Program
from verifier.search.compiled.rules import find_legal, play
from verifier.search.jit import integers
from verifier.spec.rulesets import name_of

FORMULAS = 200
REPORT = 100_000


class DifferenceError(Exception):
    """The engine and the kernel disagree."""


def compare(rules: Nested, count: int, seed: int) -> None:
    """Compare ``count`` positions.

    Raises:
        DifferenceError: one differs.
    """
    chance = random.Random(seed)
    engine = Engine(statement(sample=1))
    choices = compile_strategy(Formulas(rules), strategy("lbs"))
    program = Program()
    formulas = [ONE_EACH, *(random_formula(chance, chance.randrange(1, 6)) for _ in range(FORMULAS))]
    tests = [(program.add_formula(formula), compile_formula(rules, formula)) for formula in formulas]
    entries = integers(3)
    entries[0], entries[1] = -1, program.add_strategy(strategy("lbs"))
    code = program.code()
    ends = int(not rules.play_on)
    q, stack, legal, chosen = integers(SIZE), integers(STACK), integers(9), integers(9)
    begin = time.perf_counter()
    for number, position in enumerate(random_positions(rules, count, seed), 1):

        def require(same: bool, what: str, position: Position = position) -> None:
            if not same:
                raise DifferenceError(f"{what} in {rules.format_position(position)}")

        p = to_array(position, with_owners=True)
        is_open = find_legal(p, ends, legal)
        moves = rules.legal_moves(position)
        require(tuple((f, s) for f in range(9) for s in range(9) if legal[f] >> s & 1) == moves, "legal moves")
        if moves:
            move = chance.choice(moves)
            play(p, *move, 1, q)
            require(to_position(q, with_owners=True) == rules.play(position, move), f"{move}")
        for entry, test in (tests[0], tests[1 + number % FORMULAS]):
            value = run(code, entry, p, int(not is_open), stack, chosen)
            require(value == test(position, position), "a formula")
        if moves and rules.turn(position) == "O":
            found = {move for _, move in choices(position)}
            outcome = find_moves(p, code, entries, ends, stack, legal, chosen)
            named = {(f, s) for f in range(9) for s in range(9) if chosen[f] >> s & 1}
            require(outcome == (1 if found and found <= set(moves) else -1) and named == found, "LBS")
        row, text = engine.represent(p)
        unpack(row, q)
        form = to_position(q, with_owners=False)
        relabelled = relabel_position(parse_permutation(text), position)
        require((form.x_mask, form.o_mask, form.active) == relabelled, "the canonical form")
        x, o, active = relabel_position(random_permutation(chance), position)
        other = engine.represent(engine.to_array(Position(x, o, 0, 0, active)))[0]
        require(bool((other == row).all()), "the canonical form of a relabelling")
        if number % REPORT == 0 or number == count:
            seconds = time.perf_counter() - begin
            print(f"{name_of(rules)}: {number} positions, no difference, {seconds:.0f} s", flush=True)


def main() -> int:
    """Compare half of the positions under each rule set; return the exit code."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print(f"seed {seed}")
    try:
        compare(Nested(), count // 2, seed)
        compare(Nested(play_on=True), count - count // 2, seed + 1)
    except DifferenceError as difference:
        print(f"the engine and the kernel disagree: {difference}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
