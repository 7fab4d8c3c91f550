"""Opening the specs that a command is about: options that say which specs, which readings, how to check them."""

from __future__ import annotations

import argparse
import pathlib
import shlex
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from verifier.cli.options import add_claims, add_folder, add_jobs, fill, positive, warn
from verifier.kernel.errors import UsageError
from verifier.kernel.words import counted
from verifier.search.resources import DEFAULT_MEMORY_MIB

if TYPE_CHECKING:
    from verifier.api.specs import Specs


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the commands that check."""
    add_claims(parser)
    add_look_options(parser)
    add_jobs(parser)
    parser.add_argument("--reading", metavar="ID", help="only this reading of each claim")
    parser.add_argument("--all", action="store_true", help="also check readings that take minutes (with 'long')")
    parser.add_argument("--anew", action="store_true", help="search for evidence even if there is some")
    search = parser.add_argument_group("long searches (of a bound)")
    search.add_argument(
        "--executor", metavar="dask://HOST:PORT", help="run their parts on a Dask cluster (default: on this machine)"
    )
    search.add_argument(
        "--memory",
        type=positive,
        dest="memory_mib",
        default=DEFAULT_MEMORY_MIB,
        metavar="MIB",
        help=f"the size of the tables of one process (default: {DEFAULT_MEMORY_MIB})",
    )
    search.add_argument(
        "--checkpoint",
        dest="checkpoints",
        type=pathlib.Path,
        metavar="DIR",
        help="save finished parts here, and continue from them",
    )


def add_look_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that every command has which shows what is known of claims."""
    add_folder(parser, "specs")
    add_folder(parser, "proofs")
    group = parser.add_argument_group(
        "cache",
        fill(
            "Evidence that the kernel has accepted is kept here. Results are remembered too, until the code or the "
            "specs change. Anyone who can write to the cache can make up results."
        ),
    )
    group.add_argument(
        "--cache", type=pathlib.Path, metavar="DIR", help="the folder (default: ~/.cache/claim-verifier)"
    )
    group.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")


def open_specs(arguments: argparse.Namespace, out: pathlib.Path | None = None) -> Specs:
    """Return the specs that the options name, without files that have faults."""
    from verifier.api.specs import load

    if arguments.no_cache and arguments.cache is not None:
        raise UsageError("--no-cache does not go with --cache")
    cache = arguments.cache or not arguments.no_cache
    return load(arguments.specs, proofs=arguments.proofs, cache=cache, out=out, partial=True, warn=warn)


def open_to_look(arguments: argparse.Namespace) -> Specs:
    """Return the specs that the options name, for a command that only looks, and require the claim that it names."""
    from verifier.api.selection import require_claim

    specs = open_specs(arguments)
    if specs.problems:
        faults = counted(len(specs.problems), "fault")
        warn(f"{faults} in specs whose claims are left out: 'verifier validate' lists them")
    if getattr(arguments, "claim", None) is not None:
        require_claim(specs.library, arguments.claim.partition("/")[0], specs.folders.specs)
    return specs


def specs_option(arguments: argparse.Namespace) -> str:
    """Return what a command that is proposed needs to speak of the same specs."""
    return "" if arguments.specs is None else shlex.join(["", "--specs", str(arguments.specs)])[2:]


def check_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return how a check is to go, as ``Specs.check`` takes it; warn where it can prove less than it might."""
    if arguments.anew and find_spec("exact") is None:
        warn(
            "Exact is not installed: readings with steps or an invariant come out supported, not proved; "
            "pip install 'claim-verifier[refutations]' installs it"
        )
    names = ("reading", "anew", "jobs", "executor", "memory_mib", "checkpoints")
    options = {name: getattr(arguments, name) for name in names}
    return options | {"leave_out": not arguments.claims and not arguments.all}
