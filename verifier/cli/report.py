"""The command ``report``: what is known of the claims, written for people and for programs."""

from __future__ import annotations

import argparse
import pathlib
import shlex
import sys

from verifier.cli.check import print_summary, say_faults
from verifier.cli.options import (
    LOOKED,
    add_claims,
    add_look_options,
    check_target,
    command,
    open_specs,
    write_text,
)
from verifier.kernel.errors import UsageError
from verifier.report.printable import make_printable
from verifier.report.registry import FORMATS, Report


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Report the verdicts of earlier runs, as one web page or in another format. The page opens from disk,
        loads nothing else and can be printed. Claims that no run has decided are reported as not run:
        'verifier check' decides them.
        """,
        {
            "verifier check && verifier report --out report.html": "decide every claim, then report on it",
            "verifier report paper --out paper.html": "one document, as far as it is decided",
            "verifier report paper --format errata": "what to correct, as Markdown; errata-latex: as LaTeX",
            "verifier report lemma-2 --format json": "one claim, for programs",
        },
        codes=LOOKED,
    )
    add_claims(parser)
    add_look_options(parser)
    parser.add_argument("--format", choices=tuple(FORMATS), default="html", help="the format (default: html)")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="the file to write (default: standard output)")


def make_report(arguments: argparse.Namespace) -> Report:
    """Return what is reported: the verdicts of earlier runs."""
    specs = open_specs(arguments)
    ledger = specs.look(arguments.claims or None)
    return specs.report(ledger, shlex.join(["verifier", *sys.argv[1:]]))


def run(arguments: argparse.Namespace) -> int:
    """Run ``report``."""
    from verifier.report.registry import render

    if arguments.out is not None:
        check_target(arguments.out)
    elif arguments.format == "html" and sys.stdout.isatty():
        raise UsageError("a terminal cannot show a web page: name a file with --out, or say --format text")
    report = make_report(arguments)
    text = render(arguments.format, report)
    say_faults(report.ledger)
    size = write_text(text, arguments.out)
    if arguments.out is not None:
        print_summary(report.ledger)
        print(f"{make_printable(arguments.out)}: {size / 1e6:.1f} MB")
    return report.ledger.exit_code
