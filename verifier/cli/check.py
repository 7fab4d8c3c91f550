"""The command ``check``: run the checkers, have the kernel decide, print the ledger."""

from __future__ import annotations

import argparse
import os
import pathlib
import shlex
import sys
import tempfile
from typing import TYPE_CHECKING, Any

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
from verifier.report.registry import FORMATS
from verifier.search.resources import DEFAULT_MEMORY_MIB

if TYPE_CHECKING:
    from verifier.checkers.run import Run


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "check",
        help="run the checkers, have the kernel re-check what they find, print the ledger",
        description="Audit claims: run the checker of each reading, have the kernel decide on its evidence, and "
        "compare the verdict with the one that the spec expects. Nothing is written without --out. A slow reading "
        "is left out without --slow, and its proof in --out stays as it is.",
    )
    add_check_options(parser)
    parser.add_argument(
        "--format", choices=("text", *FORMATS), default="text", help="what is printed (default: the ledger as text)"
    )
    parser.add_argument(
        "--report",
        type=_report,
        action="append",
        default=[],
        metavar="FORMAT=PATH",
        help=f"write a report to a file as well, any number of times; formats: {', '.join(FORMATS)}",
    )
    parser.add_argument(
        "--out", type=pathlib.Path, metavar="DIR", help="keep the certificates and their index in this folder"
    )
    parser.set_defaults(run=run)


def add_check_options(parser: argparse.ArgumentParser) -> None:
    """Add what says which readings are checked, and how: ``report`` has these options too."""
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
    claims = select_claims(library, arguments.claims)
    if arguments.reading is not None:
        claims = [name for name in claims if arguments.reading in library.claim(name).readings]
        if not claims:
            raise UsageError(f"no selected claim has a reading {arguments.reading!r}")
    run = Run(specs, library, claims, arguments.reading, arguments.jobs, slow=arguments.slow)
    run.executor, run.memory_mib, run.checkpoints = arguments.executor, arguments.memory, arguments.checkpoint
    run.on_part = show_progress() if sys.stderr.isatty() else None
    return run


def run(arguments: argparse.Namespace) -> int:
    """Run ``check``."""
    from verifier.checkers.run import write_whole
    from verifier.report.registry import Report, render
    from verifier.report.text import claim_lines, start_line, summary_lines, wait_text

    run = plan_run(arguments)
    run.out = arguments.out
    if arguments.format == "text":
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        run.on_start = lambda name: print(start_line(name), end="", flush=True)
        run.on_done = lambda result: print(claim_lines(result, colour=colour), flush=True)
        if sys.stdout.isatty():
            run.on_wait = lambda done, count: print(wait_text(done, count), end="", flush=True)
    elif sys.stderr.isatty():
        run.on_start = lambda name: print(f"\r\033[K{name}", end="", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="verifier-") as folder:
        ledger = run.execute(pathlib.Path(folder))
        report = Report(ledger, run.library, run.specs, pathlib.Path(folder), shlex.join(["verifier", *sys.argv[1:]]))
        for name, path in arguments.report:
            write_whole(path, render(name, report).encode())
        print(summary_lines(ledger) + "\n" if arguments.format == "text" else render(arguments.format, report), end="")
    return ledger.exit_code


def _report(text: str) -> tuple[str, pathlib.Path]:
    name, _, path = text.partition("=")
    if name not in FORMATS or not path:
        raise argparse.ArgumentTypeError(f"{text!r} is no FORMAT=PATH; formats: {', '.join(FORMATS)}")
    return name, pathlib.Path(path)
