"""The command ``explain``: what a verdict rests on, as a tree."""

from __future__ import annotations

import argparse
import contextlib
import json
import pathlib
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from verifier.cli.cache import ENVIRONMENT, add_cache, open_cache
from verifier.cli.options import add_jobs, add_slow, add_specs, command, find_folder, print_format
from verifier.cli.progress import RunLine, is_coloured
from verifier.kernel.errors import UsageError

if TYPE_CHECKING:
    from verifier.spec.library import Library


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "explain",
        "what a verdict rests on: evidence, hypotheses and other claims, as a tree",
        "Check a claim and every claim that it rests on, and show them as a tree: how each stands, the verdict on each "
        "reading, what has to be believed for it, which hypotheses its proof needed, and where its certificate is. A "
        "claim that is met again is not repeated. After 'verifier check' the results come from the cache.",
        {
            "verifier explain theorem-1": "the chain of claims below the paper's bound",
            "verifier explain lemma-2 --format json": "the same for programs",
        },
        codes={
            0: "every verdict in the tree is the one that its spec expects",
            1: "some verdict differs",
            4: "evidence was rejected by the kernel, or two engines disagree",
        },
        files={"specs/**/*.yaml": "read; another folder with --specs"},
        environment=ENVIRONMENT,
    )
    parser.add_argument("claim", metavar="CLAIM", help="the claim's id; 'verifier graph claims' lists them")
    add_specs(parser)
    add_slow(parser)
    add_jobs(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="(default: text)")
    add_cache(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run ``explain``."""
    from verifier.checkers.ledger import order_claims
    from verifier.checkers.run import Run
    from verifier.report.explain import build_tree, render_tree
    from verifier.spec.library import load_library

    specs = find_folder("specs", arguments.specs)
    library = load_library(specs)
    if arguments.claim not in library.claims:
        raise UsageError(f"no claim {arguments.claim!r} in these specs; 'verifier graph claims' lists them")
    claims = order_claims(library, _below(library, arguments.claim))
    run = Run(specs, library, claims, jobs=arguments.jobs, slow=arguments.slow, cache=open_cache(arguments))
    with tempfile.TemporaryDirectory(prefix="verifier-") as folder:
        with contextlib.closing(RunLine()) as line:
            run.on_progress = line.show
            ledger = run.execute(pathlib.Path(folder))
        tree = build_tree(ledger, library, pathlib.Path(folder), arguments.claim)
    if arguments.format == "json":
        print_format(json.dumps({"schema": 1, **tree}, indent=1, ensure_ascii=False) + "\n")
    else:
        print(render_tree(tree, colour=is_coloured(sys.stdout), encoding=sys.stdout.encoding), end="")
    return ledger.exit_code


def _below(library: Library, claim: str) -> list[str]:
    """Return a claim and every claim that it rests on."""
    from verifier.spec.library import needed_claims

    found = {claim: None}
    waiting = [claim]
    while waiting:
        new = [name for name in needed_claims(library.claim(waiting.pop())) if name not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return list(found)
