"""The command ``site``: the report as a folder of pages that link to each other."""

from __future__ import annotations

import argparse
import pathlib

from verifier.cli.check import print_summary, say_faults
from verifier.cli.options import LOOKED, add_claims, add_look_options, command, write_text
from verifier.cli.report import make_report
from verifier.kernel.errors import UsageError
from verifier.kernel.words import counted
from verifier.report.printable import make_printable

MARK = "page.css"
"""A file that every site has: a folder that has other files and not this one is not written to."""


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Write the report as a site: a folder of pages. A web server can serve it, and a browser can open it from disk.
        It has a list of all verdicts that can be searched, a page for each claim, the errata of each document, the
        claim graph and the explorer. A claim is always at claim-ID.html. Nothing is loaded from anywhere else.
        """,
        {
            "verifier check && verifier site site": "decide every claim, then write it",
            "verifier site site paper": "one document, as far as it is decided",
        },
        codes=LOOKED,
    )
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="a new folder, or one with an earlier site")
    add_claims(parser)
    add_look_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``site``."""
    from verifier.report.html.site import render_site

    folder = arguments.folder
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise UsageError(f"{folder} has files, but is not a site: name a new folder")
    report = make_report(arguments)
    files = dict(render_site(report))
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.html"):
        if old.name not in files:
            old.unlink()
    size = sum(write_text(text, folder / name) for name, text in files.items())
    say_faults(report.ledger)
    print_summary(report.ledger)
    print(f"{make_printable(folder / 'index.html')}: {counted(len(files), 'file')}, {size / 1e6:.1f} MB")
    return report.ledger.exit_code
