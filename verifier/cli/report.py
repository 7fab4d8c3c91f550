"""The command ``report``: write the verdicts of earlier runs, for people and for programs."""

from __future__ import annotations

import argparse
import os
import pathlib
import shlex
import sys

from verifier.cli.check import print_summary, say_faults
from verifier.cli.options import (
    LOOKED,
    add_claims,
    add_jobs,
    add_look_options,
    check_target,
    command,
    open_specs,
    write_text,
)
from verifier.kernel.errors import UsageError
from verifier.kernel.words import counted
from verifier.report.printable import make_printable
from verifier.report.registry import FORMATS, Report

MARK = "page.css"
"""A file that every site has. The command refuses a folder that has files but lacks this file."""


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Report the verdicts of earlier runs, as one web page, as a site, or in another format. Nothing is decided here:
        a claim that no run has decided is reported as 'not checked', and 'verifier check' decides it.

        If --out is a folder, or ends in '/', the report is a site: a folder of pages. The site has a searchable list
        of all verdicts, a page for each claim (claim-ID.html) and each document, the errata, the claim graph, and the
        explorer, in which you can play against proved strategies. The folder must be new or empty, or have an earlier
        site, which is replaced.

        A browser can open the page and the site from disk. They load nothing from anywhere else, and can be printed.
        A web server can serve them as they are.
        """,
        {
            "verifier check && verifier report --out report.html": "decide every claim, then report on it",
            "verifier report paper --out paper.html": "one document, with the verdicts so far",
            "verifier report --out site/": "a site, with a page for each claim",
            "verifier report paper --format errata": "what to correct, as Markdown (errata-latex writes LaTeX)",
            "verifier report lemma-2 --format json": "one claim, for programs",
        },
        codes=LOOKED,
    )
    add_claims(parser)
    add_look_options(parser)
    add_jobs(parser)
    parser.add_argument("--format", choices=tuple(FORMATS), default="html", help="the format (default: html)")
    parser.add_argument(
        "--out", metavar="PATH", help="the file to write, or the folder of a site, as DIR/ (default: standard output)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run ``report``."""
    out = None if arguments.out is None else pathlib.Path(arguments.out)
    is_site = out is not None and (arguments.out.endswith(("/", os.sep)) or os.path.isdir(arguments.out))
    if out is None:
        if arguments.format == "html" and sys.stdout.isatty():
            raise UsageError("a terminal cannot show a web page: name a file with --out, or say --format text")
    elif not arguments.out:
        raise UsageError("--out is empty: name a file, or a folder as DIR/")
    elif is_site:
        _check_site(out, arguments.format)
    else:
        check_target(out)
    specs = open_specs(arguments)
    ledger = specs.look(arguments.claims or None, with_beyond=True)
    report = specs.report(ledger, shlex.join(["verifier", *sys.argv[1:]]), arguments.jobs)
    written = _write_site(report, out) if out is not None and is_site else _write_file(report, arguments.format, out)
    if out is not None:
        print_summary(report)
        print(written)
    return ledger.exit_code


def _check_site(folder: pathlib.Path, form: str) -> None:
    """Before the work begins, refuse a folder in which no site can be written."""
    if form != "html":
        raise UsageError(f"{folder} is a folder, but only HTML can be written as a folder: for {form} name a file")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder: to write a file of this name, leave out the '/' at the end")
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise UsageError(f"{folder} has files, but is not a site: name a new folder, or a file")


def _write_file(report: Report, form: str, path: pathlib.Path | None) -> str:
    """Write the report to a file, or print it. Return the words that say what was written."""
    from verifier.report.registry import render_report

    text = render_report(form, report)
    say_faults(report.ledger)
    return f"{make_printable(path)}: {write_text(text, path) / 1e6:.1f} MB"


def _write_site(report: Report, folder: pathlib.Path) -> str:
    """Write the report as a site, and remove the pages of an earlier site. Return words that say what was written."""
    from verifier.report.html.site import render_site

    files = dict(render_site(report))
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.html"):
        if old.name not in files:
            old.unlink()
    size = sum(write_text(text, folder / name) for name, text in files.items())
    say_faults(report.ledger)
    return f"{make_printable(folder / 'index.html')}: {counted(len(files), 'file')}, {size / 1e6:.1f} MB"
