"""What says which readings are checked, and how: the commands that check share it."""

from __future__ import annotations

import argparse
import pathlib
import sys
from typing import TYPE_CHECKING

from verifier.cli.options import (
    add_claims,
    add_jobs,
    add_slow,
    add_specs,
    find_folder,
    positive,
    select_claims,
    show_progress,
)
from verifier.kernel.errors import UsageError
from verifier.search.resources import DEFAULT_MEMORY_MIB

if TYPE_CHECKING:
    from verifier.checkers.run import Run


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_claims(parser)
    add_specs(parser)
    add_jobs(parser)
    parser.add_argument("--reading", metavar="ID", help="only this reading of each claim")
    add_slow(parser)
    search = parser.add_argument_group("long searches (method bound)")
    search.add_argument(
        "--executor", metavar="dask://HOST:PORT", help="run their parts on a Dask cluster (default: on this machine)"
    )
    search.add_argument(
        "--memory",
        type=positive,
        default=DEFAULT_MEMORY_MIB,
        metavar="MIB",
        help=f"the size of the tables of one process (default: {DEFAULT_MEMORY_MIB})",
    )
    search.add_argument(
        "--checkpoint", type=pathlib.Path, metavar="DIR", help="keep finished parts here, and go on from them"
    )


def plan_run(arguments: argparse.Namespace) -> Run:
    """Return the run that the options ask for.

    Raises:
        UsageError: they select nothing.
    """
    from verifier.checkers.run import Run
    from verifier.spec.library import load_library

    specs = find_folder("specs", arguments.specs)
    library = load_library(specs)
    claims = select_claims(library, arguments.claims, specs)
    if arguments.reading is not None:
        claims = [name for name in claims if arguments.reading in library.claim(name).readings]
        if not claims:
            raise UsageError(f"no selected claim has a reading {arguments.reading!r}")
    run = Run(specs, library, claims, arguments.reading, arguments.jobs, slow=arguments.slow)
    run.executor, run.memory_mib, run.checkpoints = arguments.executor, arguments.memory, arguments.checkpoint
    run.on_part = show_progress() if sys.stderr.isatty() else None
    return run
