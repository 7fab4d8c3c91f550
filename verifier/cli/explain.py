"""The command ``explain``: what a verdict rests on, as a tree."""

from __future__ import annotations

import argparse

from verifier.cli.options import LOOKED, add_color, add_look_options, command, open_to_look, warn_of_rejected
from verifier.cli.progress import layout_for


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Show a claim as a tree, with the claims that it rests on and those to read first: how each stands, the
        verdict on each reading, what has to be believed for it, which hypotheses its proof needed (if the source
        names some), and where its certificate is. Each claim is written out once. Nothing is decided here: the
        verdicts are those of an earlier 'verifier check'.
        """,
        {
            "verifier explain theorem-1": "the chain of claims below the paper's bound",
            "verifier explain lemma-2": "readings that hold and fail, and the hypotheses that a proof needed",
        },
        codes=LOOKED,
    )
    parser.add_argument("claim", metavar="CLAIM", help="the claim's id; 'verifier list' lists them")
    add_look_options(parser)
    add_color(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``explain``."""
    from verifier.audit.needs import join_claims, order_claims
    from verifier.language.references import needed_claims
    from verifier.report.show import render_tree

    specs = open_to_look(arguments)
    below = join_claims(specs.library, [arguments.claim], needed_claims)
    ledger = specs.look(order_claims(specs.library, below), compiled=[arguments.claim])
    warn_of_rejected(ledger)
    print(render_tree(ledger, specs.library, arguments.claim, layout_for(arguments)), end="")
    return ledger.exit_code
