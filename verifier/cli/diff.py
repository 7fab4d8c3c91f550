"""The command ``diff``: what changed from one ledger to another."""

from __future__ import annotations

import argparse
import pathlib

from verifier.cli.options import add_format, command, print_format


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Compare two ledgers that 'verifier check --format json' has printed, and say what changed: claims and
        readings that are new or gone, rules, what is stated (by its hash, where both have evidence), standings,
        verdicts, beliefs, reasons, the hypotheses that proofs needed, statistics, notes. Texts of the specs,
        witnesses, evidence and versions of tools are not compared.
        'verifier check --baseline' compares a new run directly.
        """,
        {
            "verifier check --format json > after.json": "make a ledger",
            "verifier diff before.json after.json": "compare it with an older one",
        },
        codes={0: "nothing changed", 1: "something changed", 2: "bad usage, or a file is not a ledger"},
        files={"OLD, NEW": "read: ledgers, by the schema that 'verifier check --schema' prints"},
    )
    parser.add_argument("before", type=pathlib.Path, metavar="OLD", help="the ledger before")
    parser.add_argument("after", type=pathlib.Path, metavar="NEW", help="the ledger after")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``diff``."""
    from verifier.audit.ledger import read_ledger
    from verifier.report.compare import change_lines, compare_ledgers
    from verifier.report.printable import dump_json

    changes = compare_ledgers(*map(read_ledger, (arguments.before, arguments.after)))
    if arguments.format == "json":
        print_format(dump_json({"schema": 1, "changes": [change._asdict() for change in changes]}))
    else:
        print("\n".join(change_lines(changes)))
    return 1 if changes else 0
