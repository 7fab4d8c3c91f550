"""What says which readings are checked, and how: the commands that check share it."""

from __future__ import annotations

import argparse
import pathlib
import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from verifier.cli.cache import add_cache, open_cache
from verifier.cli.options import (
    add_claims,
    add_full,
    add_jobs,
    add_specs,
    find_folder,
    positive,
    select_claims,
)
from verifier.kernel.errors import UsageError
from verifier.search.resources import DEFAULT_MEMORY_MIB

if TYPE_CHECKING:
    from verifier.checkers.ledger import Ledger
    from verifier.checkers.run import Run
    from verifier.spec.library import Library

T = TypeVar("T")


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_claims(parser)
    add_specs(parser)
    add_jobs(parser)
    parser.add_argument("--reading", metavar="ID", help="only this reading of each claim")
    add_full(parser)
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
    add_cache(parser, verify=True)


def add_claim_options(parser: argparse.ArgumentParser) -> None:
    """Add one claim, and the options of the commands that show it."""
    parser.add_argument("claim", metavar="CLAIM", help="the claim's id; 'verifier graph claims' lists them")
    add_specs(parser)
    add_full(parser)
    add_jobs(parser)
    add_cache(parser)


def plan_claim(arguments: argparse.Namespace, select: Callable[[Library, str], list[str]]) -> Run:
    """Return the run for one claim and those that go with it.

    Args:
        arguments: the options of ``add_claim_options``.
        select: returns what is checked, given the claim.

    Raises:
        UsageError: there is no such claim.
    """
    from verifier.checkers.run import Run
    from verifier.spec.library import load_library

    specs = find_folder("specs", arguments.specs)
    cache = open_cache(arguments, specs)
    library = load_library(specs)
    if arguments.claim not in library.claims:
        raise UsageError(f"no claim {arguments.claim!r} in these specs; 'verifier graph claims' lists them")
    claims = select(library, arguments.claim)
    return Run(specs, library, claims, jobs=arguments.jobs, is_full=arguments.full, cache=cache)


def plan_run(arguments: argparse.Namespace) -> Run:
    """Return the run that the options ask for.

    Raises:
        UsageError: they select nothing.
    """
    from verifier.checkers.run import Run
    from verifier.spec.library import load_library

    specs = find_folder("specs", arguments.specs)
    cache = open_cache(arguments, specs)
    library = load_library(specs)
    claims = select_claims(library, arguments.claims, specs)
    if arguments.reading is not None and claims:
        claims = [name for name in claims if arguments.reading in library.claim(name).readings]
        if not claims:
            raise UsageError(f"no selected claim has a reading {arguments.reading!r}")
    run = Run(specs, library, claims, arguments.reading, arguments.jobs, is_full=arguments.full)
    run.executor, run.memory_mib, run.checkpoints = arguments.executor, arguments.memory, arguments.checkpoint
    run.cache, run.is_verifying = cache, arguments.cache_verify
    return run


def execute(run: Run, make: Callable[[Ledger, pathlib.Path], T]) -> tuple[Ledger, T]:
    """Run the checkers; return the ledger, and what is made of it and of the folder of the run's certificates.

    Where that cannot be made, and the kernel rejects something that came from the cache, both are done again without
    it: what an entry says of itself is checked when it is read, but not all that its evidence says.
    """
    while True:
        with tempfile.TemporaryDirectory(prefix="verifier-") as folder:
            root = pathlib.Path(folder)
            ledger = run.execute(root)
            try:
                return ledger, make(ledger, root)
            except OSError:
                raise
            except Exception:
                if not run.doubt(root):
                    raise
