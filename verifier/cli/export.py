"""The command ``export``: write certificates in a form that other programs read."""

from __future__ import annotations

import argparse
import pathlib

from verifier.api.folders import find_certificates
from verifier.cli.options import EVIDENCE, add_folder, command, say_which
from verifier.kernel.errors import UsageError


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Write certificates in the form that another program reads. No verdict rests on these files.

        'smt2' writes obligations for a solver. They are formulas in the format SMT-LIB 2. The kernel derives them from
        the certificates of claims with 'steps' or an 'invariant'. If such a claim holds, no obligation has a solution:
        a solver answers unsat to each (check-sat).

        'coq' writes a theorem for each reading about plays, with its rules, its statement, and a proof that Coq checks
        with proofs/coq/general. Games on nine fields (Ultimate Tic-Tac-Toe), claims with the words X_keeps or O_keeps,
        and certificates with large tables of moves cannot be written; the message says why.
        """,
        {
            "verifier export smt2 build/smt2 lemma-4": "writes build/smt2/lemma-4.as-stated.smt2",
            "verifier export smt2 build/smt2": "writes the obligations of all certificates",
            "verifier export coq build/theorems two-rules-less": "writes two_rules_less_first.v and ..._second.v there",
        },
        codes=EVIDENCE | {0: "the files are written"},
    )
    parser.add_argument("checker", choices=("smt2", "coq"), help="the format")
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="where to write; created if it does not exist")
    parser.add_argument("names", nargs="*", metavar="CLAIM", help="claims or readings (default: all)")
    add_folder(parser, "proofs")


def run(arguments: argparse.Namespace) -> int:
    """Run ``export``."""
    from verifier.export.smt2 import export_obligations
    from verifier.export.theorem import export_theorems

    if arguments.folder.exists() and not arguments.folder.is_dir():
        raise UsageError(f"{arguments.folder} is not a folder")
    proofs = find_certificates(arguments.proofs)
    say_which("proofs", arguments.proofs, proofs)
    export = {"smt2": export_obligations, "coq": export_theorems}[arguments.checker]
    for path in export(proofs, arguments.folder, frozenset(arguments.names)):
        print(path, flush=True)
    return 0
