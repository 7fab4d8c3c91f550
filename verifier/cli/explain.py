"""The command ``explain``: what a verdict rests on, as a tree."""

from __future__ import annotations

import argparse
import sys

from verifier.cli.opening import add_look_options, open_to_look
from verifier.cli.options import LOOKED, add_color, add_format, command, print_format, reads
from verifier.cli.progress import layout_for


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Show a claim as a tree, with the claims that it rests on and those to read first: how each stands, the
        verdict on each reading, what has to be believed for it, which hypotheses its proof needed, and where its
        certificate is. Each claim is written out once. Nothing is decided here: the verdicts are those of an
        earlier 'verifier check'.
        """,
        {
            "verifier explain theorem-1": "the chain of claims below the paper's bound",
            "verifier explain lemma-2 --format json": "the same for programs",
        },
        codes=LOOKED,
        files=reads(""),
        cache=True,
    )
    parser.add_argument("claim", metavar="CLAIM", help="the claim's id; 'verifier list' lists them")
    add_look_options(parser)
    add_color(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``explain``."""
    from verifier.language.dependents import join_claims, order_claims
    from verifier.language.references import needed_claims
    from verifier.report.explain import build_tree, render_tree, tree_to_json
    from verifier.report.printable import dump_json

    specs = open_to_look(arguments)
    below = join_claims(specs.library, [arguments.claim], needed_claims)
    ledger = specs.look(order_claims(specs.library, below), compiled=[arguments.claim])
    tree = build_tree(ledger, specs.library, specs.folders.stores, arguments.claim)
    if arguments.format == "json":
        print_format(dump_json({"schema": 1, **tree_to_json(tree)}))
    else:
        print(render_tree(tree, layout_for(arguments), sys.stdout.encoding), end="")
    return ledger.exit_code
