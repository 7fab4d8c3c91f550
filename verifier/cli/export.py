"""The command ``export``: write evidence in the form that another checker reads."""

from __future__ import annotations

import argparse
import functools
import pathlib
from typing import Any

from verifier.api.folders import find_folder
from verifier.cli.options import add_folder, add_jobs, command
from verifier.kernel.errors import UsageError

_say = functools.partial(print, flush=True)


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "export",
        "write evidence for another checker: Olivia's replies, obligations, refutations",
        """
        Write what another checker needs of certificates. 'coq': Olivia's replies of Theorem 1 and of bounds by
        ply 46, as sources that Coq checks against proofs/coq; 'verifier recheck --coq' writes them on its own, in
        minutes. 'smt2': the obligations of claims about steps, as the kernel derives them, in SMT-LIB 2; each
        (check-sat) has to be unsat. 'veripb': each of them that is refuted, as a problem (.opb) and a proof (.pbp)
        in VeriPB's format, version 3.0. Nothing that is written is believed.
        """,
        {
            "verifier export coq build/data": "Leaves.v and its pieces",
            "verifier export smt2 build/smt2 lemma-4": "lemma-4.as-stated.smt2; without a claim, every one",
            "verifier export veripb build/pb lemma-4": "lemma-4.as-stated.0.opb, lemma-4.as-stated.0.pbp and so on",
        },
        run=run,
        codes={0: "the data are written", 4: "the evidence is rejected, or leaves a race without a reply"},
        files={
            "proofs/INDEX.json": "read, with the evidence that is asked for; another folder with --proofs",
            "DIR": "written: Leaves.v, Leaves_0.v to Leaves_5.v, and of what they are made; or "
            "CLAIM.READING.smt2; or CLAIM.READING.N.opb and .pbp",
        },
    )
    parser.add_argument("checker", choices=("coq", "smt2", "veripb"), help="for which checker")
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="where to write; made if it is not there")
    parser.add_argument("names", nargs="*", metavar="CLAIM", help="smt2, veripb: claims or readings (default: all)")
    add_folder(parser, "proofs")
    add_jobs(parser)
    parser.add_argument(
        "--frontier",
        type=int,
        metavar="N",
        help="coq: the number of marks left from which on Coq tries everything (default: 6)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run ``export``."""
    from verifier.coq.data import FRONTIER, export
    from verifier.kernel.race.replies import MAX_FRONTIER
    from verifier.solver.export import export_obligations

    frontier = FRONTIER if arguments.frontier is None else arguments.frontier
    if not 0 <= frontier <= MAX_FRONTIER:
        raise UsageError(f"--frontier: a number of marks up to {MAX_FRONTIER}, not {frontier}")
    if arguments.folder.exists() and not arguments.folder.is_dir():
        raise UsageError(f"{arguments.folder} is no folder")
    if arguments.names and arguments.checker == "coq":
        raise UsageError("coq: the data of proofs/coq are written, and no claim is named")
    proofs = find_folder("proofs", arguments.proofs)
    if arguments.checker == "coq":
        export(proofs, arguments.folder, frontier=frontier, jobs=arguments.jobs, say=_say)
        return 0
    for path in export_obligations(proofs, arguments.folder, arguments.checker, frozenset(arguments.names)):
        _say(str(path))
    return 0
