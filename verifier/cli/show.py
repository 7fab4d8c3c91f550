"""The command ``show``: one claim, drawn."""

from __future__ import annotations

import argparse

from verifier.cli.options import LOOKED, add_color, add_look_options, command, open_to_look, warn_of_rejected
from verifier.cli.progress import layout_for


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Show one claim: what it says, what each reading asks, its verdict, what has to be believed for it, some
        counts, and a drawing of the play or position that decides it. Nothing is decided here: the verdicts are
        those of an earlier 'verifier check' on the same text and evidence.
        """,
        {
            "verifier show lemma-3-edge-line": "a claim that needs a repair, and a game in which it fails",
            "verifier check theorem-1 && verifier show theorem-1": "decide a claim, then show it",
        },
        codes=LOOKED,
    )
    parser.add_argument("claim", metavar="CLAIM", help="the claim's id; 'verifier list' lists them")
    add_look_options(parser)
    add_color(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``show``."""
    from verifier.kernel.verdict import Verdict
    from verifier.report.place import specs_option
    from verifier.report.show import show_claim

    found = open_to_look(arguments)
    ledger = found.look(arguments.claim, compiled=[arguments.claim])
    (result,) = (claim for claim in ledger.claims if claim.id == arguments.claim)
    warn_of_rejected(ledger)
    print(show_claim(result, found.library, layout_for(arguments)))
    specs = specs_option(found.folders.specs)
    anew = " --anew" * any(reading.is_given_up for reading in ledger.readings)
    print(f"\nto check this claim: verifier check {arguments.claim}{specs}{anew}")
    for reading in ledger.readings:
        # Plays are counted where the opponent's moves refute it, and not where a single play does.
        if reading.question == "can" and reading.verdict is Verdict.REFUTED and reading.stats:
            print(f"to play against the refutation: verifier play {reading.name}{specs}")
    return ledger.exit_code
