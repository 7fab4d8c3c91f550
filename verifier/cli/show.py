"""The command ``show``: one claim, drawn."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from verifier.cli.options import add_jobs, add_slow, add_specs, find_folder, show_progress
from verifier.kernel.errors import UsageError


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = commands.add_parser(
        "show",
        help="one claim: its readings, verdicts, trust and witnesses, drawn as boards",
        description="Check one claim and show everything about it: the restatement, each reading with its verdict and "
        "what has to be believed, and the witness as boards.",
    )
    parser.add_argument("claim", metavar="CLAIM")
    add_specs(parser)
    add_slow(parser)
    add_jobs(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run ``show``."""
    from verifier.checkers.run import Run
    from verifier.report.text import show_claim
    from verifier.spec.library import load_library, needed_claims

    specs = find_folder("specs", arguments.specs)
    library = load_library(specs)
    if arguments.claim not in library.claims:
        raise UsageError(f"no claim {arguments.claim!r} in these specs; 'verifier graph claims' lists them")
    joined = [
        name
        for name in needed_claims(library.claim(arguments.claim))
        if name not in library.claim(arguments.claim).uses
    ]
    run = Run(specs, library, [*joined, arguments.claim], jobs=arguments.jobs, slow=arguments.slow)
    if sys.stderr.isatty():
        run.on_start, run.on_part = (lambda name: print(f"\r\033[K{name} ", end="", file=sys.stderr)), show_progress()
    ledger = run.execute()
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    print(show_claim(ledger.claims[-1]))
    print(f"\nto check this claim again: verifier check {arguments.claim}")
    return ledger.exit_code
