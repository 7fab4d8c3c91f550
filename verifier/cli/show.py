"""The command ``show``: one claim, with drawings; or the tree of the claims that it needs."""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING

from verifier.cli.options import (
    LOOKED,
    add_color,
    add_look_options,
    command,
    open_to_look,
    print_message,
    warn_of_rejected,
)
from verifier.cli.progress import RunLine, layout_for

if TYPE_CHECKING:
    from verifier.api.specs import Specs
    from verifier.audit.ledger import Ledger

MAX_SECONDS = 30
"""A claim without a verdict is checked before it is shown, if the check takes no longer than this."""


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Show one claim: what it says, what each reading asks, the verdict, what you have to trust for it, some counts,
        the hash of the statement that was checked, and a drawing of the play or position that decides it. If two
        people have the same hash, they have checked the same statement. The verdicts are those of an earlier
        'verifier check' or 'verifier recheck' on the same text and evidence. If there is no such verdict, and the
        kernel can check the evidence in seconds, the claim is checked first.

        With --why, show a tree: the claim, the claims that its verdict rests on ('joins'), and the claims to read
        first, on which no verdict rests. For each claim, the tree has the standing, the verdict on each reading, what
        you have to trust for it, and the path of the certificate. If the spec lists the hypotheses that the document
        cites, the tree also has the hypotheses that the proof needed. The tree has each claim in full only once. With
        --why, the exit code is about all claims of the tree.
        """,
        {
            "verifier show lemma-3-edge-line": "a claim that needs a repair, and a game in which it fails",
            "verifier check theorem-1 && verifier show theorem-1": "check a claim that takes minutes, then show it",
            "verifier show lemma-3 -v": "the whole hash of each statement, and the path of each certificate",
            "verifier show theorem-1 --why": "the claim, and the claims to read before it",
            "verifier show lemma-2 --why": "a claim of which some readings hold and others fail",
        },
        codes=LOOKED,
    )
    parser.add_argument("claim", metavar="CLAIM", help="the claim's id; 'verifier list' lists them")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="print each statement's whole hash, and its certificate's path",
    )
    amount.add_argument(
        "--why", action="store_true", help="show what the verdict rests on, and what to read first, as a tree"
    )
    add_look_options(parser)
    add_color(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``show``."""
    from verifier.audit.needs import join_claims, order_claims
    from verifier.language.outline import needed_claims
    from verifier.report.show import render_tree, show_claim

    specs = open_to_look(arguments)
    outline, claim = specs.outline, arguments.claim
    wanted = order_claims(outline, join_claims(outline, [claim], needed_claims)) if arguments.why else [claim]
    ledger = specs.look(wanted, compiled=[claim])
    if specs.adopt(reading for reading in ledger.readings if not reading.is_run and reading.question != "joins"):
        ledger = specs.look(wanted, compiled=[claim])
    if seconds := _find_time(specs, ledger):
        print_message(f"not checked on this machine yet: checking it first, which takes about {seconds} s")
        with contextlib.closing(RunLine()) as line:
            ledger = specs.check(wanted, watcher=line)
    warn_of_rejected(ledger)
    layout = layout_for(arguments)
    if arguments.why:
        print(render_tree(ledger, outline, claim, layout), end="")
    else:
        (result,) = (result for result in ledger.claims if result.id == claim)
        print(show_claim(result, outline, layout, is_verbose=arguments.verbose))
        _print_next(ledger, specs, claim)
    return ledger.exit_code


def _find_time(specs: Specs, ledger: Ledger) -> int:
    """Return the seconds that the kernel needs for the unchecked readings; 0 if they should be shown unchecked.

    Readings stay unchecked if the kernel needs too long, if there are faults, or if one reading has no evidence: a
    search for evidence may take any time. Return 0 also if every reading is checked already.
    """
    waiting = [reading for reading in ledger.readings if not reading.is_run and reading.question != "joins"]
    if not waiting or ledger.faults:
        return 0
    from verifier.audit.plan import guess_seconds

    seconds = sum(guess_seconds(specs.outline, (reading.claim, reading.id)) for reading in waiting)
    if seconds > MAX_SECONDS or not all(specs.has_evidence(reading.claim, reading.id) for reading in waiting):
        return 0
    return max(seconds, 1)


def _print_next(ledger: Ledger, specs: Specs, claim: str) -> None:
    """Print the command that checks a claim, and commands to play against strategies that refute its readings."""
    from verifier.kernel.verdict import Verdict
    from verifier.report.place import specs_option

    option = specs_option(specs.folders.specs)
    anew = " --anew" * any(reading.is_given_up for reading in ledger.readings)
    print(f"\nto check this claim: verifier check {claim}{option}{anew}")
    for reading in ledger.readings:
        # A reading has counts (``stats``) if a strategy of the opponent refutes it, but not if a single play does.
        if reading.question == "can" and reading.verdict is Verdict.REFUTED and reading.stats:
            print(f"to play against this refutation: verifier play {reading.name}{option}")
