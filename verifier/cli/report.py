"""The command ``report``: what is known of the claims, written for people and for programs."""

from __future__ import annotations

import argparse
import contextlib
import pathlib
import shlex
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from verifier.cli.check import say_losses
from verifier.cli.options import check_target, command, encode, print_format, reads
from verifier.cli.plan import CACHE_ENVIRONMENT, add_check_options, check_options, open_specs
from verifier.cli.progress import RunLine
from verifier.kernel.errors import UsageError
from verifier.report.printable import make_printable
from verifier.report.registry import FORMATS

if TYPE_CHECKING:
    from collections.abc import Container

    from verifier.api.specs import Specs
    from verifier.audit.ledger import Ledger


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "report",
        "write the ledger, every claim and its boards as a web page",
        "Write a report of what earlier runs have decided, as one web page, which opens from disk, loads nothing and "
        "can be printed, or in another format. What no run has decided stands in it as not run; with --check it is "
        "decided first, as by 'verifier check', and the exit code is that of the check.",
        {
            "verifier report --check --out report.html": "decide what is not, then report on every claim",
            "verifier report paper --out paper.html": "one document, as far as it is decided",
            "verifier report paper --format errata": "what to correct, as Markdown; errata-latex: as LaTeX",
            "verifier report --ledger ledger.json --out report.html": "what 'check --format json' wrote",
            "verifier report lemma-2 --format json": "one claim, for programs",
        },
        run=run,
        codes={
            1: "some verdict is not the expected one",
            4: "evidence was rejected by the kernel, or two engines disagree",
        },
        files={
            **reads("the claims", "the shipped evidence"),
            "FILE of --ledger": "read",
            "FILE of --out": "written whole or not at all; its folder has to be there",
        },
        environment=CACHE_ENVIRONMENT,
    )
    add_check_options(parser)
    parser.add_argument("--check", action="store_true", help="first decide what no earlier run has decided")
    parser.add_argument(
        "--ledger",
        type=pathlib.Path,
        metavar="FILE",
        help="report on a ledger of 'check --format json' instead, with boards and evidence as far as they are here",
    )
    parser.add_argument("--format", choices=tuple(FORMATS), default="html", help="default: html")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="the file to write (default: standard output)")


def run(arguments: argparse.Namespace) -> int:
    """Run ``report``."""
    from verifier.api import judgement as api
    from verifier.audit.run import Outcome
    from verifier.files import write_whole
    from verifier.report.registry import render
    from verifier.report.text import summary_lines

    if arguments.check and arguments.ledger is not None:
        raise UsageError("--check makes a ledger, --ledger reads one: choose")
    if arguments.out is not None:
        check_target(arguments.out)
    specs = open_specs(arguments)
    selected = specs.select(arguments.claims or None, arguments.reading)
    if arguments.ledger is not None:
        ledger = api.Ledger(specs, Outcome(_read_ledger(arguments.ledger, specs, selected)))
    elif arguments.check:
        with contextlib.closing(RunLine()) as line:
            ledger = specs.check(selected, watcher=line, **check_options(arguments))
    else:
        ledger = specs.look(selected, reading=arguments.reading, full=arguments.full)
    report = ledger.report(shlex.join(["verifier", *sys.argv[1:]]))
    text = render(arguments.format, report)
    say_losses(ledger.outcome)
    if arguments.out is None:
        print_format(text)
    else:
        write_whole(arguments.out, encode(text))
        print(summary_lines(report.ledger))
        print(f"{make_printable(arguments.out)}: {len(encode(text)) / 1e6:.1f} MB")
    return ledger.exit_code


def _read_ledger(path: pathlib.Path, specs: Specs, selected: Container[str]) -> Ledger:
    """Return the claims of a ledger that are asked for.

    Raises:
        UsageError: it is no ledger, it is of other specs, or has none of these claims.
    """
    from verifier.audit.ledger import read_ledger

    ledger = read_ledger(path)
    known = {reading.name for claim in specs.values() for reading in claim.readings.values()}
    for reading in ledger.readings:
        if reading.name not in known:
            raise UsageError(f"{path}: no spec here has {reading.name}: the ledger is of other specs")
    claims = tuple(claim for claim in ledger.claims if claim.id in selected)
    if not claims:
        raise UsageError(f"{path}: the ledger has none of the claims that are asked for")
    return replace(ledger, claims=claims)
