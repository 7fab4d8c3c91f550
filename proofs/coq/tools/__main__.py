"""What ``make coq`` runs, with the options that tests of it and work at the proofs need.

Exit codes: 0, every proof holds and the theorems are the committed ones; 1, it is not so, and the last lines say what;
2, Coq is missing, or an option names what is not there.
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
    parser.add_argument("--proofs", type=pathlib.Path, default=PROOFS, help="the evidence that data are made of")
    parser.add_argument("--sources", type=pathlib.Path, help="the folder of the sources (proofs/coq)")
    parser.add_argument("--build", type=pathlib.Path, help="the folder to build in (build/coq)")
    parser.add_argument("--data", type=pathlib.Path, metavar="DIR", help="data that are there, instead of new ones")
    parser.add_argument("--write", type=pathlib.Path, metavar="DIR", help="write the data there, and build nothing")
    parser.add_argument("--without-data", action="store_true", help="only what needs no data; so it is with FILE.vo")
    parser.add_argument("--general", action="store_true", help="the check for any game, and its theorems, alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes work side by side")
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
