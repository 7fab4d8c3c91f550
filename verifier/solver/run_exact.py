"""Run Exact over the problems of a folder: a program of its own, started by ``logs.py``; files are all they share.

Usage: ``python run_exact.py FOLDER PHASES SEED``. Of problem N in ``problems.json`` Exact logs what it does in
``SEED-N.proof``, and its answer is printed, a line each. A problem may take some phases, of some thousand conflicts
each.
"""

import json
import pathlib
import sys

from exact import Exact


def main() -> None:
    """Run the program."""
    folder, phases, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for number, (size, constraints) in enumerate(json.loads((folder / "problems.json").read_text())):
        log = str(folder / f"{seed}-{number}")
        solver = Exact([("proof-log", log), ("seed", seed), ("verbosity", "0")])
        for variable in range(size):
            solver.addVariable(f"x{variable + 1}", 0, 1)
        for terms, bound in constraints:
            solver.addConstraint([*map(tuple, terms)], True, bound)
        answers = (solver.runOnce(0) for _ in range(phases))
        print(next((answer for answer in answers if answer != "PAUSED"), "PAUSED"), flush=True)


if __name__ == "__main__":
    main()
