"""The command ``validate``: find errors in the specs, without checking any claim."""

from __future__ import annotations

import argparse
import pathlib

from verifier.api.folders import find_proofs, find_specs
from verifier.cli.options import USUAL, add_folder, add_schema, command, print_schema, say_which
from verifier.kernel.errors import UsageError
from verifier.kernel.words import counted
from verifier.report.printable import make_printable


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Report all errors in the specs at once, with file, line and column: in the YAML, in keys and values, in
        expressions, and in references between files. No claim is checked. The command plays games of the family
        'general' at random. Hints name moves that were never legal in these plays, outcomes that never occurred, cells
        that never changed, cells whose upper limit 'most' was the only reason why a move was illegal, assignments that
        gave a cell two values, and games that had not ended after many moves.

        For the specs that come with this tool, and whenever --proofs is given, the command also checks that each
        certificate states what the specs say.
        """,
        {
            "verifier validate": "the specs in the folder 'specs' here or above",
            "verifier validate specs --proofs proofs": "a folder of specs, and the certificates in another folder",
            "verifier validate --schema > schema.json": "for an editor that completes YAML",
        },
        codes={
            0: "nothing is wrong",
            1: "INDEX.json in the folder of proofs exceeds a limit, or is in another version of the file format",
            2: "errors in the specs, one line for each; or bad file or usage",
            4: "a certificate is missing, belongs to no reading, or does not state what the specs say",
        },
    )
    parser.add_argument(
        "path",
        nargs="?",
        type=pathlib.Path,
        metavar="DIR",
        help=f"the folder of specs (default: {USUAL['specs']})",
    )
    add_folder(parser, "proofs")
    add_schema(parser, "a spec file, for editors")


def run(arguments: argparse.Namespace) -> int:
    """Run ``validate``."""
    from verifier.api.schema import build_schema
    from verifier.audit.fault import fault_lines, find_faults
    from verifier.audit.index import find_stale
    from verifier.files import find_shipped
    from verifier.language.problem import SpecProblemsError
    from verifier.questions.compile import validate_folder
    from verifier.search.registry import find_rules_hints

    if arguments.schema:
        return print_schema(build_schema())
    specs = find_specs(arguments.path)
    say_which("specs", arguments.path, specs)
    library, compiled, problems = validate_folder(specs)
    if problems:
        raise SpecProblemsError(problems, fault_lines(find_faults(library, problems, specs)))
    for name, file in library.rules.items():
        if not file.document.is_borrowed:
            for hint in find_rules_hints(library.game(name), file):
                print(make_printable(f"hint: rules {name}: {hint}"))
    count = sum(len(library.claim(name).readings) for name in library.claims)
    own = [spec for spec in library.strategies.values() if not spec.document.is_borrowed]
    strategies = counted(len(own), "strategy", "strategies")
    print(f"{counted(len(library.claims), 'claim')}, {counted(count, 'reading')}, {strategies}: nothing wrong")
    if arguments.proofs is None and (arguments.path is not None or specs != find_shipped("specs")):
        return 0
    proofs = find_proofs(arguments.proofs, specs)
    if proofs is None:
        raise UsageError("no proofs beside the specs, and none came with this package: name the folder with --proofs")
    wrong = find_stale(library, compiled, proofs)
    stale = f"the proofs are out of date: run verifier check --out {proofs}"
    for line in [*wrong, stale if wrong else "the certificates state what the specs say"]:
        print(make_printable(line))
    return 4 if wrong else 0
