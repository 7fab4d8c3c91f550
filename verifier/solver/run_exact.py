"""Run Exact over the problems of a folder: a program of its own, started by ``logs.py``; files are all they share.

Usage: ``python run_exact.py FOLDER PHASES SEED``. For each ``N.opb`` in turn Exact logs what it does in
``SEED-N.proof``, and its answer is printed, a line each. A problem may take some phases, of some thousand conflicts
each.
"""

import pathlib
import sys

from exact import Exact


def main() -> None:
    """Run the program."""
    folder, phases, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for number in range(len(list(folder.glob("*.opb")))):
        log = str(folder / f"{seed}-{number}")
        solver = Exact([("proof-log", log), ("seed", seed), ("verbosity", "0")])
        header, *lines = (folder / f"{number}.opb").read_text().splitlines()
        for variable in range(int(header.split()[2])):
            solver.addVariable(f"x{variable + 1}", 0, 1)
        for line in lines:
            words = line.split()
            weights, names = words[:-3:2], words[1:-3:2]
            solver.addConstraint([*zip(map(int, weights), names, strict=True)], True, int(words[-2]))
        answers = (solver.runOnce(0) for _ in range(phases))
        print(next((answer for answer in answers if answer != "PAUSED"), "PAUSED"), flush=True)


if __name__ == "__main__":
    main()
