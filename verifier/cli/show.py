"""The command ``show``: one claim, drawn."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from verifier.cli.cache import ENVIRONMENT
from verifier.cli.options import add_color, command
from verifier.cli.plan import add_look_options, open_desk
from verifier.cli.progress import is_coloured


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "show",
        "one claim: its readings, verdicts and witnesses, drawn as boards",
        "Show what is known of a claim: the restatement, each reading with its verdict and what has to be believed, "
        "what was counted, and the witness as boards. Nothing is searched for and nothing decided: a verdict is one "
        "that an earlier 'verifier check' came to, on the same text and the same evidence.",
        {
            "verifier show lemma-3-edge-line": "a claim that needs a repair, and the game in which it breaks down",
            "verifier check theorem-1 && verifier show theorem-1": "decided first",
        },
        codes={0: "no verdict that is known is another than the spec expects", 1: "one is"},
        files={
            "specs/**/*.yaml": "read; another folder with --specs",
            "proofs": "read: whether there is evidence; another folder with --proofs",
        },
        environment=ENVIRONMENT,
    )
    parser.add_argument("claim", metavar="CLAIM", help="the claim's id; 'verifier list' lists them")
    add_look_options(parser)
    add_color(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run ``show``."""
    from verifier.audit.recall import look_at_claims
    from verifier.language.dependents import join_claims, order_claims
    from verifier.report.text import show_claim

    desk = open_desk(arguments)
    claims = order_claims(desk.library, join_claims(desk.library, [arguments.claim]))
    ledger = look_at_claims(desk, claims, {arguments.claim})
    claim = next(claim for claim in ledger.claims if claim.id == arguments.claim)
    colour = is_coloured(sys.stdout, arguments.color)
    print(show_claim(claim, desk.library, colour=colour))
    specs = "" if arguments.specs is None else f" --specs {arguments.specs}"
    print(f"\nto check this claim: verifier check {arguments.claim}{specs}")
    return ledger.exit_code
