"""What says which readings are checked, and how: the commands that check share it, and those that only look."""

from __future__ import annotations

import argparse
import pathlib
from typing import TYPE_CHECKING

from verifier.cli.cache import add_cache, find_cache
from verifier.cli.options import (
    add_claims,
    add_full,
    add_jobs,
    add_proofs,
    add_specs,
    find_claim,
    find_folder,
    positive,
    select_claims,
    warn,
)
from verifier.kernel.errors import UsageError
from verifier.language.problem import suggest
from verifier.search.resources import DEFAULT_MEMORY_MIB

if TYPE_CHECKING:
    from verifier.audit.recall import Desk
    from verifier.audit.run import Folders, Plan


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_claims(parser)
    add_specs(parser)
    add_proofs(parser)
    add_jobs(parser)
    parser.add_argument("--reading", metavar="ID", help="only this reading of each claim")
    add_full(parser)
    parser.add_argument("--anew", action="store_true", help="search for evidence, whether there is some or not")
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
    add_cache(parser)


def add_look_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the commands that show what is known, and neither search nor decide."""
    add_specs(parser)
    add_proofs(parser)
    add_cache(parser)


def make_plan(arguments: argparse.Namespace, out: pathlib.Path | None = None) -> Plan:
    """Return the run that the options ask for.

    Raises:
        UsageError: they select nothing.
        SpecProblemsError: the same, and some files of the specs have faults.
    """
    from verifier.audit.run import Plan
    from verifier.language.library import read_library
    from verifier.language.problem import SpecProblemsError

    folders = find_folders(arguments, out)
    library, problems = read_library(folders.specs)
    try:
        claims = select_claims(library, arguments.claims, folders.specs)
    except UsageError:
        if problems:  # what is asked for may stand in a file that is left out
            raise SpecProblemsError(problems) from None
        raise
    if arguments.reading is not None and claims:
        names = {name for claim in claims for name in library.claim(claim).readings}
        claims = [name for name in claims if arguments.reading in library.claim(name).readings]
        if not claims:
            hint = suggest(arguments.reading, names)
            raise UsageError(f"no selected claim has a reading {arguments.reading!r}{hint}")
    return Plan(
        folders,
        library,
        tuple(claims),
        arguments.reading,
        arguments.jobs,
        is_full=arguments.full,
        is_anew=arguments.anew,
        executor=arguments.executor,
        memory_mib=arguments.memory,
        checkpoints=arguments.checkpoint,
        problems=tuple(problems),
    )


def find_folders(arguments: argparse.Namespace, out: pathlib.Path | None = None, *, is_written: bool = True) -> Folders:
    """Return the folders that the options name."""
    from verifier.audit.run import Folders

    specs = find_folder("specs", arguments.specs)
    try:
        shipped: pathlib.Path | None = find_folder("proofs", arguments.proofs)
    except UsageError:
        if arguments.proofs is not None:
            raise
        shipped = None
    return Folders(specs, out, find_cache(arguments, is_written=is_written), shipped)


def open_desk(arguments: argparse.Namespace) -> Desk:
    """Return where results and evidence are looked up by a command that only looks.

    Raises:
        UsageError: ``--claim`` names none.
    """
    from verifier.language.library import read_library

    folders = find_folders(arguments, is_written=False)
    library, problems = read_library(folders.specs)
    if problems:
        warn(f"{len(problems)} faults in the specs, whose claims are left out: 'verifier validate' lists them")
    desk = folders.open_desk(library)
    desk.cache = None
    if getattr(arguments, "claim", None) is not None:
        find_claim(desk.library, arguments.claim.partition("/")[0])
    return desk
