"""The command ``show``: one claim, drawn."""

from __future__ import annotations

import argparse
import contextlib
import sys
from typing import TYPE_CHECKING, Any

from verifier.cli.cache import ENVIRONMENT
from verifier.cli.options import command
from verifier.cli.plan import add_claim_options, plan_claim
from verifier.cli.progress import RunLine, is_coloured

if TYPE_CHECKING:
    from verifier.spec.library import Library


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "show",
        "one claim: its readings, verdicts, trust and witnesses, drawn as boards",
        "Check one claim and show everything about it: the restatement, each reading with its verdict and what has to "
        "be believed, what was counted, and the witness as boards. Claims that its readings join are checked first.",
        {
            "verifier show lemma-3-edge-line": "a claim that needs a repair, and the game in which it breaks down",
            "verifier show theorem-1 --full": "decided by the kernel alone, which takes minutes",
        },
        codes={
            0: "every verdict of the claim is the one that its spec expects",
            1: "some verdict differs",
            4: "evidence was rejected by the kernel, or two engines disagree",
        },
        files={"specs/**/*.yaml": "read; another folder with --specs"},
        environment=ENVIRONMENT,
    )
    add_claim_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run ``show``."""
    from verifier.report.text import show_claim

    run = plan_claim(arguments, _joined)
    run.has_files = False
    with contextlib.closing(RunLine()) as line:
        run.on_progress = line.show
        ledger = run.execute()
    claim = ledger.claims[-1]
    print(show_claim(claim, is_ours=run.library.is_ours(claim.model.source), colour=is_coloured(sys.stdout)))
    print(f"\nto check this claim again: verifier check {arguments.claim}")
    return ledger.exit_code


def _joined(library: Library, claim: str) -> list[str]:
    """Return a claim after those that it joins: its verdict is made of theirs."""
    from verifier.checkers.ledger import order_claims
    from verifier.spec.dependents import join_claims

    return order_claims(library, join_claims(library, [claim]))
