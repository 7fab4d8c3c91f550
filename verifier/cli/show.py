"""The command ``show``: one claim, drawn."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from verifier.cli.options import add_jobs, add_slow, add_specs, command, find_folder, show_progress
from verifier.kernel.errors import UsageError


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "show",
        "one claim: its readings, verdicts, trust and witnesses, drawn as boards",
        "Check one claim and show everything about it: the restatement, each reading with its verdict and what has to "
        "be believed, what was counted, and the witness as boards. Claims that a conjunction joins are checked first.",
        {
            "verifier show lemma-3-edge-line": "a claim that needs a repair, and the game in which it breaks down",
            "verifier show theorem-1 --slow": "with the readings that take minutes",
        },
        codes={
            0: "every verdict of the claim is the one that its spec expects",
            1: "some verdict differs",
            4: "evidence was rejected by the kernel, or two engines disagree",
        },
        files={"specs/**/*.yaml": "read; another folder with --specs"},
    )
    parser.add_argument("claim", metavar="CLAIM", help="the claim's id; 'verifier graph claims' lists them")
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
