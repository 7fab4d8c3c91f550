"""The command ``explain``: what a verdict rests on, as a tree."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from verifier.cli.cache import ENVIRONMENT
from verifier.cli.options import add_color, command, print_format
from verifier.cli.plan import add_look_options, open_desk
from verifier.cli.progress import is_coloured

if TYPE_CHECKING:
    from verifier.language.library import Library


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "explain",
        "what a verdict rests on: evidence, hypotheses and other claims, as a tree",
        "Show a claim and every claim that it rests on as a tree: how each stands, the verdict on each reading, what "
        "has to be believed for it, which hypotheses its proof needed, and where its certificate is. A claim that is "
        "met again is not repeated. Nothing is searched for and nothing decided: a verdict is one that an earlier "
        "'verifier check' came to.",
        {
            "verifier explain theorem-1": "the chain of claims below the paper's bound",
            "verifier explain lemma-2 --format json": "the same for programs",
        },
        codes={
            0: "no verdict that is known is another than its spec expects",
            1: "one is",
        },
        files={"specs/**/*.yaml": "read; another folder with --specs"},
        environment=ENVIRONMENT,
    )
    parser.add_argument("claim", metavar="CLAIM", help="the claim's id; 'verifier list' lists them")
    add_look_options(parser)
    add_color(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="(default: text)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run ``explain``."""
    from verifier.audit.recall import look_at_claims
    from verifier.report.explain import build_tree, render_tree, tree_to_json
    from verifier.report.printable import dump_json

    desk = open_desk(arguments)
    ledger = look_at_claims(desk, _below(desk.library, arguments.claim), {arguments.claim})
    tree = build_tree(ledger, desk.library, desk.stores, arguments.claim)
    if arguments.format == "json":
        print_format(dump_json({"schema": 1, **tree_to_json(tree)}))
    else:
        print(render_tree(tree, colour=is_coloured(sys.stdout, arguments.color), encoding=sys.stdout.encoding), end="")
    return ledger.exit_code


def _below(library: Library, claim: str) -> list[str]:
    """Return a claim and every claim that it rests on, each after those it rests on."""
    from verifier.language.dependents import order_claims
    from verifier.language.references import needed_claims

    found = {claim: None}
    waiting = [claim]
    while waiting:
        new = [name for name in needed_claims(library.claim(waiting.pop())) if name not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return order_claims(library, list(found))
