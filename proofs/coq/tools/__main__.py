"""The command that ``make coq`` runs, with options for tests of it and for work on the proofs.

Exit codes: 0 if every proof holds and the theorems are the committed ones; 1 if not (the last lines say what is wrong);
2 if Coq is missing, or an option names something that does not exist.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys

from proofs.coq.tools.data import export
from proofs.coq.tools.make import make
from verifier.coq import Places, find_places

PROOFS = pathlib.Path(__file__).parents[2]


def main() -> int:
    """Read the arguments, and build."""
    parser = argparse.ArgumentParser(
        prog="python -m proofs.coq.tools", description="Build the Coq proofs, and compare what they prove and assume."
    )
    parser.add_argument("goals", nargs="*", metavar="FILE.vo", help="compile these only, and compare nothing")
    parser.add_argument("--proofs", type=pathlib.Path, default=PROOFS, help="the evidence from which data are made")
    parser.add_argument("--sources", type=pathlib.Path, help="the folder of the sources (proofs/coq)")
    parser.add_argument("--build", type=pathlib.Path, help="the folder to build in (build/coq)")
    parser.add_argument("--data", type=pathlib.Path, metavar="DIR", help="use these data, instead of new ones")
    parser.add_argument("--write", type=pathlib.Path, metavar="DIR", help="write the data there, and build nothing")
    parser.add_argument(
        "--without-data", action="store_true", help="build only what needs no data (the default with FILE.vo)"
    )
    parser.add_argument("--general", action="store_true", help="build only the check for any game, and its theorems")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes")
    arguments = parser.parse_args()
    found = find_places(arguments.proofs)
    places = Places(found.proofs, arguments.sources or found.sources, arguments.build or found.build)
    if arguments.write:
        export(found.proofs, arguments.write, jobs=arguments.jobs, say=print)
        return 0
    is_whole, is_general = not arguments.without_data and not arguments.goals, arguments.general
    options = {"is_whole": is_whole, "is_general": is_general}
    return make(places, arguments.jobs, goals=arguments.goals, data=arguments.data, **options)


if __name__ == "__main__":
    sys.exit(main())
