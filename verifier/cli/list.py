"""The command ``list``: the claims by document, a line for each claim."""

from __future__ import annotations

import argparse

from verifier.cli.options import add_claims, add_color, add_look_options, command, open_to_look, warn_of_rejected
from verifier.cli.progress import layout_for


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Print the documents, and below each document its claims and our own claims about it. The line of a claim
        has its standing (if an earlier 'verifier check' has decided it), its id and its title. Nothing is decided here.
        """,
        {
            "verifier list": "every claim",
            "verifier list newell-simon": "the claims of one folder, here those of one document",
            "verifier list paper/3-analysis": "the claims of a folder inside a folder",
        },
        codes={0: "the claims were listed"},
    )
    add_claims(parser)
    add_look_options(parser)
    add_color(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``list``."""
    from verifier.report.text import list_lines

    specs = open_to_look(arguments)
    ledger = specs.look(arguments.claims or None)
    warn_of_rejected(ledger)
    for line in list_lines(ledger, specs.known, layout_for(arguments)):
        print(line)
    return 0
