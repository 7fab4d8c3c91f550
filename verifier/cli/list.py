"""The command ``list``: the claims, a line each."""

from __future__ import annotations

import argparse
import shutil
import sys
from typing import Any

from verifier.cli.cache import ENVIRONMENT
from verifier.cli.options import add_claims, add_color, command, select_claims
from verifier.cli.plan import add_look_options, open_desk
from verifier.cli.progress import is_coloured
from verifier.report.printable import make_printable


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "list",
        "the claims: ids, how they stand, titles",
        "Print a line for each claim: its id, how it stands if an earlier 'verifier check' has decided it, and its "
        "title. Nothing is searched for and nothing decided.",
        {
            "verifier list": "every claim",
            "verifier list paper/3-analysis": "those of a folder below the specs",
        },
        codes={0: "they were listed"},
        files={"specs/**/*.yaml": "read; another folder with --specs"},
        environment=ENVIRONMENT,
    )
    add_claims(parser)
    add_look_options(parser)
    add_color(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run ``list``."""
    from verifier.audit.recall import look_at_claims
    from verifier.report.text import paint

    desk = open_desk(arguments)
    claims = select_claims(desk.library, arguments.claims, arguments.specs)
    ledger = look_at_claims(desk, claims)
    ids = max(map(len, claims), default=0)
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
