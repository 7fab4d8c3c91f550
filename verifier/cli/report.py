"""The command ``report``: the same check, written for people and for programs."""

from __future__ import annotations

import argparse
import contextlib
import pathlib
import shlex
import sys
from typing import TYPE_CHECKING, Any

from verifier.cli.cache import ENVIRONMENT
from verifier.cli.options import check_target, command, encode, print_format
from verifier.cli.plan import add_check_options, execute, plan_run
from verifier.cli.progress import RunLine
from verifier.report.printable import make_printable
from verifier.report.registry import FORMATS, WITH_EVIDENCE

if TYPE_CHECKING:
    from verifier.checkers.ledger import Ledger


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "report",
        "write the ledger, every claim and its boards as a web page",
        "Run the same check as 'verifier check', and write a report of it: as one web page, which opens from disk, "
        "loads nothing and can be printed, or in another format. The exit code is that of the check; the report is "
        "written all the same.",
        {
            "verifier report --out report.html": "every claim",
            "verifier report paper --full --out paper.html": "one document, all of it decided by the kernel",
            "verifier report lemma-2 --format json": "one claim, for programs",
        },
        codes={
            1: "some verdict is not the expected one",
            4: "evidence was rejected by the kernel, or two engines disagree",
        },
        files={
            "specs/**/*.yaml": "read: the claims; another folder with --specs",
            "FILE of --out": "written whole or not at all; its folder has to be there",
        },
        environment=ENVIRONMENT,
    )
    add_check_options(parser)
    parser.add_argument("--format", choices=tuple(FORMATS), default="html", help="default: html")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="the file to write (default: standard output)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run ``report``."""
    from verifier.checkers.files import write_whole
    from verifier.report.registry import Report, render
    from verifier.report.text import summary_lines

    if arguments.out is not None:
        check_target(arguments.out)
    run = plan_run(arguments)
    run.has_files = arguments.format in WITH_EVIDENCE
    command = shlex.join(["verifier", *sys.argv[1:]])

    def make(ledger: Ledger, root: pathlib.Path) -> str:
        line.close()
        report = Report(ledger, run.library, run.specs, root, command, run.cache, run.is_verifying)
        return render(arguments.format, report)

    with contextlib.closing(RunLine()) as line:
        run.on_progress = line.show
        ledger, text = execute(run, make)
    if arguments.out is None:
        print_format(text)
    else:
        write_whole(arguments.out, encode(text))
        print(summary_lines(ledger))
        print(f"{make_printable(arguments.out)}: {len(encode(text)) / 1e6:.1f} MB")
    return ledger.exit_code
