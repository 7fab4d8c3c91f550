"""The command ``new``: make a folder for the audit of a document."""

from __future__ import annotations

import argparse
import pathlib
import shlex

from verifier.cli.options import command
from verifier.report.printable import make_printable


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Make a folder with a small example of everything: a document, the rules of a game, a strategy, a claim
        that is proved, a claim that is refuted, and a test that checks both claims. Commands that you run in that
        folder use its own specs.
        """,
        {
            "verifier new my-paper": "the folder my-paper, for a document with the id my-paper",
            "verifier new audits/2024 --document my-paper": "the same document, in a folder with another name",
        },
        codes={0: "the folder was made", 2: "the folder exists already or cannot be made, or the id is not valid"},
    )
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER", help="the folder to make; it must not exist yet")
    parser.add_argument("--document", metavar="ID", help="the id of the document (default: the name of the folder)")


def run(arguments: argparse.Namespace) -> int:
    """Run ``new``."""
    from verifier.api.new import make_folder

    for path in make_folder(arguments.folder, arguments.document):
        print(make_printable(path))
    print(make_printable(f"next: cd {shlex.quote(str(arguments.folder))} && verifier check"))
    return 0
