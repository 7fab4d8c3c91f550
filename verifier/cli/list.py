"""The command ``list``: the claims, a line each."""

from __future__ import annotations

import argparse
import shutil
import sys
from typing import Any

from verifier.cli.options import add_claims, add_color, command, reads
from verifier.cli.plan import CACHE_ENVIRONMENT, add_look_options, open_to_look
from verifier.cli.progress import is_coloured
from verifier.report.printable import make_printable


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "list",
        "the claims: ids, how they stand, titles",
        """
        Print a line for each claim: its id, how it stands if an earlier 'verifier check' has decided it, and
        its title. Nothing is decided.
        """,
        {
            "verifier list": "every claim",
            "verifier list paper/3-analysis": "those of a folder below the specs",
        },
        run=run,
        codes={0: "they were listed"},
        files=reads(""),
        environment=CACHE_ENVIRONMENT,
    )
    add_claims(parser)
    add_look_options(parser)
    add_color(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``list``."""
    from verifier.report.text import paint

    ledger = open_to_look(arguments).look(arguments.claims or None)
    ids = max((len(result.id) for result in ledger.claims), default=0)
    standings = max((len(result.standing) for result in ledger.claims), default=0)
    room = shutil.get_terminal_size().columns - ids - standings - 4 if sys.stdout.isatty() else None
    colour = is_coloured(sys.stdout, arguments.color)
    for result in ledger.claims:
        title = make_printable(" ".join(result.title.split()))
        if room is not None and len(title) > max(room, 20):
            title = title[: max(room, 20) - 1] + "…"
        standing = paint(result.standing.ljust(standings), result.standing, colour=colour)
        print(f"{result.id.ljust(ids)}  {standing}  {title}")
    return 0
