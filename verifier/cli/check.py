"""The command ``check``: run the checkers, have the kernel decide, print the ledger."""

from __future__ import annotations

import argparse
import contextlib
import pathlib
import shlex
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from verifier.cli.cache import add_cache, open_cache
from verifier.cli.options import (
    add_claims,
    add_jobs,
    add_slow,
    add_specs,
    find_folder,
    positive,
    select_claims,
)
from verifier.cli.progress import RunLine, is_coloured
from verifier.kernel.errors import UsageError
from verifier.report.registry import FORMATS
from verifier.search.resources import DEFAULT_MEMORY_MIB

if TYPE_CHECKING:
    from verifier.checkers.ledger import ClaimResult


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "check",
        help="run the checkers, have the kernel re-check what they find, print the ledger",
        description="Audit claims: run the checker of each reading, have the kernel decide on its evidence, and "
        "compare the verdict with the one that the spec expects. Nothing is written without --out. A slow reading "
        "is left out without --slow, and its proof in --out stays as it is.",
    )
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
    add_cache(parser, verify=True)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run ``check``."""
    from verifier.checkers.files import write_whole
    from verifier.checkers.run import Run
    from verifier.report.registry import Report, render
    from verifier.report.text import claim_lines, start_line, summary_lines
    from verifier.spec.library import load_library

    specs = find_folder("specs", arguments.specs)
    library = load_library(specs)
    claims = select_claims(library, arguments.claims)
    if arguments.reading is not None:
        claims = [name for name in claims if arguments.reading in library.claim(name).readings]
        if not claims:
            raise UsageError(f"no selected claim has a reading {arguments.reading!r}")
    run = Run(specs, library, claims, arguments.reading, arguments.jobs, arguments.out, slow=arguments.slow)
    run.executor, run.memory_mib, run.checkpoints = arguments.executor, arguments.memory, arguments.checkpoint
    run.cache, run.is_verifying = open_cache(arguments), arguments.cache_verify
    run.has_files = arguments.out is not None or bool(arguments.report) or arguments.format != "text"
    line = RunLine()
    run.on_progress = line.show
    if arguments.format == "text":
        colour = is_coloured(sys.stdout)

        def start(name: str) -> None:
            line.start(start_line(name) if sys.stdout.isatty() else "")
            print(start_line(name), end="", flush=True)

        def done(result: ClaimResult) -> None:
            line.clear()
            print(claim_lines(result, colour=colour), flush=True)

        run.on_start, run.on_done = start, done
    with tempfile.TemporaryDirectory(prefix="verifier-") as folder:
        with contextlib.closing(line):
            ledger = run.execute(pathlib.Path(folder))
        report = Report(ledger, library, specs, pathlib.Path(folder), shlex.join(["verifier", *sys.argv[1:]]))
        for name, path in arguments.report:
            write_whole(path, render(name, report).encode())
        print(summary_lines(ledger) + "\n" if arguments.format == "text" else render(arguments.format, report), end="")
    if run.is_verifying:
        print(f"cache: {run.compared} results compared, {run.different or 'none'} different", file=sys.stderr)
    return ledger.exit_code


def _report(text: str) -> tuple[str, pathlib.Path]:
    name, _, path = text.partition("=")
    if name not in FORMATS or not path:
        raise argparse.ArgumentTypeError(f"{text!r} is no FORMAT=PATH; formats: {', '.join(FORMATS)}")
    return name, pathlib.Path(path)
