"""The command ``export``: write evidence in the form that another checker reads."""

from __future__ import annotations

import argparse
import pathlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from verifier.api.folders import find_folder
from verifier.cli.options import add_folder, add_jobs, command
from verifier.kernel.errors import UsageError

if TYPE_CHECKING:
    from verifier.kernel.obligations import Obligations


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "export",
        "write evidence for another checker: Theorem 1's replies, obligations, refutations",
        "Write what another checker needs of certificates. 'coq': Olivia's replies of Theorem 1, as sources that Coq "
        "checks against proofs/coq; they take minutes to write, and 'make coq' and 'verifier recheck --coq' do so on "
        "their own where they are needed. 'smt2': the obligations of claims about steps, as the kernel derives them, "
        "in SMT-LIB 2; each (check-sat) has to be unsat. 'veripb': each of them that is refuted, as a problem (.opb) "
        "and a proof (.pbp) in VeriPB's format, version 3.0. Nothing that is written is believed.",
        {
            "verifier export coq build/data": "Leaves.v and its pieces",
            "verifier export coq --frontier 8 build/data": "fewer replies, and more for Coq to try",
            "verifier export smt2 build/smt2 lemma-4": "lemma-4.as-stated.smt2; without a claim, every one",
            "verifier export veripb build/pb lemma-4": "lemma-4.as-stated.0.opb, lemma-4.as-stated.0.pbp and so on",
        },
        run=run,
        codes={0: "the data are written", 4: "the evidence is rejected, or leaves a race without a reply"},
        files={
            "proofs/INDEX.json": "read, with the evidence that is asked for; another folder with --proofs",
            "FOLDER": "written: Leaves.v, Leaves_0.v to Leaves_5.v, and of what they are made; or "
            "CLAIM.READING.smt2; or CLAIM.READING.N.opb and .pbp",
        },
    )
    parser.add_argument("checker", choices=("coq", "smt2", "veripb"), help="for which checker")
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="where to write; made if it is not there")
    parser.add_argument("names", nargs="*", metavar="CLAIM", help="smt2, veripb: claims or readings (default: all)")
    add_folder(parser, "proofs")
    add_jobs(parser)
    parser.add_argument(
        "--frontier", type=int, metavar="N", help="coq: with so many marks left Coq tries everything (default: 6)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run ``export``."""
    from verifier.coq.data import FRONTIER, export
    from verifier.kernel.race.replies import MAX_FRONTIER

    frontier = FRONTIER if arguments.frontier is None else arguments.frontier
    if not 0 <= frontier <= MAX_FRONTIER:
        raise UsageError(f"--frontier: a number of marks up to {MAX_FRONTIER}, not {frontier}")
    if arguments.folder.exists() and not arguments.folder.is_dir():
        raise UsageError(f"{arguments.folder} is no folder")
    if arguments.names and arguments.checker == "coq":
        raise UsageError("coq: Theorem 1's replies are written, and no claim is named")
    proofs = find_folder("proofs", arguments.proofs)
    if arguments.checker == "coq":
        export(proofs, arguments.folder, frontier=frontier, jobs=arguments.jobs, say=_say)
        return 0
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, derived, shown in _obligations(proofs, frozenset(arguments.names)):
        stem = name.replace("/", ".")
        for suffix, lines in (_smt2 if arguments.checker == "smt2" else _veripb)(derived, shown):
            path = arguments.folder / f"{stem}.{suffix}"
            with path.open("w", encoding="ascii", errors="backslashreplace", newline="\n") as file:
                file.writelines(f"{line}\n" for line in lines)
            _say(str(path))
    return 0


Shown = list[tuple[list[str], list[str] | None]]
"""For each obligation the names of the assumptions that suffice, and the steps of its refutation, if there is one."""


def _smt2(derived: Obligations, shown: Shown) -> Iterator[tuple[str, Iterator[str]]]:
    from verifier.solver.smtlib import write_obligations

    yield "smt2", write_obligations(derived, (names for names, _ in shown))


def _veripb(derived: Obligations, shown: Shown) -> Iterator[tuple[str, Iterator[str]]]:
    from verifier.solver.veripb import Proof

    owed = [(part, breach) for part in derived.preconditions for _, breach in part.breaches]
    for number, ((part, breach), (names, steps)) in enumerate(zip(owed, shown, strict=True)):
        if steps is not None:
            assumed = [breach, *(literal for name in names for literal in part.assumptions[name])]
            proof = Proof(derived.circuit, assumed)
            yield f"{number}.opb", proof.problem()
            yield f"{number}.pbp", proof.lines(steps)


def _obligations(proofs: pathlib.Path, names: frozenset[str]) -> Iterator[tuple[str, Obligations, Shown]]:
    """Yield the name of each reading that rests on obligations, these, and how they are shown."""
    from verifier.kernel.certificate import unpack
    from verifier.kernel.obligations import derive
    from verifier.kernel.recheck import decide, plan
    from verifier.kernel.store import TABLE, files_of, read_certificate, read_index

    for request in plan(read_index(proofs), names):
        certificate = read_certificate(proofs, request.statement)
        statement, evidence = certificate.statement, certificate.evidence
        if statement.get("kind") == "steps" and "obligations" in evidence:
            files = files_of(proofs)
            decide(statement, certificate.verdict, evidence, files, full=True)
            listed = evidence["obligations"]
            table = unpack(files(listed["refutations"], TABLE), "refutations") if "refutations" in listed else {}
            refutations = table.get("refutations", [None] * len(listed["shown"]))
            derived = derive(statement, {index for index, _, _ in evidence.get("images", ())})
            used = (names for _, _, names in listed["shown"])
            yield request.names[0], derived, [*zip(used, refutations, strict=True)]


def _say(text: str) -> None:
    print(text, flush=True)
