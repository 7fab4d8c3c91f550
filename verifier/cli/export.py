"""The command ``export``: write evidence in the form that another checker reads."""

from __future__ import annotations

import argparse
import pathlib

from verifier.api.folders import find_folder
from verifier.cli.options import add_folder, command
from verifier.kernel.errors import UsageError


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Write the evidence in certificates as files for another checker. 'smt2': the obligations of claims about
        steps, as the kernel derives them, in SMT-LIB 2; each (check-sat) must answer unsat. 'veripb': each
        obligation that is refuted, as a problem (.opb) and a proof (.pbp) in VeriPB's format, version 3.0. No
        verdict rests on these files.
        """,
        {
            "verifier export smt2 build/smt2 lemma-4": "lemma-4.as-stated.smt2; without a claim, every one",
            "verifier export veripb build/pb lemma-4": "lemma-4.as-stated.0.opb, lemma-4.as-stated.0.pbp and so on",
        },
        codes={0: "the files are written", 4: "the evidence is rejected"},
    )
    parser.add_argument("checker", choices=("smt2", "veripb"), help="for which checker")
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="where to write; made if it is not there")
    parser.add_argument("names", nargs="*", metavar="CLAIM", help="claims or readings (default: all)")
    add_folder(parser, "proofs")


def run(arguments: argparse.Namespace) -> int:
    """Run ``export``."""
    from verifier.export.obligations import export_obligations

    if arguments.folder.exists() and not arguments.folder.is_dir():
        raise UsageError(f"{arguments.folder} is not a folder")
    proofs = find_folder("proofs", arguments.proofs)
    for path in export_obligations(proofs, arguments.folder, arguments.checker, frozenset(arguments.names)):
        print(path, flush=True)
    return 0
