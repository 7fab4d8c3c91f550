"""The command ``export``: write evidence in the form that another checker reads."""

from __future__ import annotations

import argparse
import pathlib
from typing import Any

from verifier.api.folders import find_folder
from verifier.cli.options import add_jobs, add_proofs, command
from verifier.kernel.errors import UsageError


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "export",
        "write evidence for another checker: Theorem 1's replies as Coq sources",
        "Write what the Coq proofs need of the certificates: Olivia's replies of Theorem 1, as sources that Coq checks "
        "against proofs/coq. Nothing in them is believed. They take minutes to write; 'make coq' and 'verifier recheck "
        "--coq' do so on their own where they are needed.",
        {
            "verifier export coq build/data": "Leaves.v and its pieces",
            "verifier export coq --frontier 8 build/data": "fewer replies, and more for Coq to try",
        },
        codes={0: "the data are written", 4: "the evidence is rejected, or leaves a race without a reply"},
        files={
            "proofs/INDEX.json": "read, with the tables of theorem-1/as-stated; another folder with --proofs",
            "FOLDER": "written: Leaves.v, Leaves_0.v to Leaves_5.v, and of what they are made",
        },
    )
    parser.add_argument("checker", choices=("coq",), help="for which checker")
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="where to write; made if it is not there")
    add_proofs(parser)
    add_jobs(parser)
    parser.add_argument(
        "--frontier", type=int, metavar="N", help="with so many marks left Coq tries everything (default: 6)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run ``export``."""
    from verifier.coq.data import FRONTIER, export
    from verifier.kernel.race.replies import MAX_FRONTIER

    frontier = FRONTIER if arguments.frontier is None else arguments.frontier
    if not 0 <= frontier <= MAX_FRONTIER:
        raise UsageError(f"--frontier: a number of marks up to {MAX_FRONTIER}, not {frontier}")
    if arguments.folder.exists() and not arguments.folder.is_dir():
        raise UsageError(f"{arguments.folder} is no folder")
    proofs = find_folder("proofs", arguments.proofs)
    export(proofs, arguments.folder, frontier=frontier, jobs=arguments.jobs, say=_say)
    return 0


def _say(text: str) -> None:
    print(text, flush=True)
