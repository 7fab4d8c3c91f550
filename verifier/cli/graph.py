"""The command ``graph``: what rests on what, or the plays of a certificate."""

from __future__ import annotations

import argparse
import pathlib
from typing import Any

from verifier.cli.options import add_proofs, add_specs, command, find_folder
from verifier.kernel.errors import UsageError


def add_parser(commands: Any) -> None:
    """Add the command's parser."""
    parser = command(
        commands,
        "graph",
        "the claim graph, or the strategy graph of a certificate",
        "Write a graph: 'claims' for what rests on what, or CLAIM/READING for the plays of a certificate, which the "
        "kernel checks first.",
        {
            "verifier graph claims": "what rests on what, as DOT",
            "verifier graph claims --format graphml --out claims.graphml": "for Gephi or yEd",
            "verifier graph careful-first-is-safe --format json": "the plays of a strategy",
        },
        codes={0: "the graph was written", 4: "the certificate was rejected"},
        files={
            "specs/**/*.yaml": "read, for 'claims'; another folder with --specs",
            "proofs/INDEX.json": "read, with the certificate, for CLAIM/READING; another folder with --proofs",
            "FILE of --out": "written whole or not at all",
        },
    )
    parser.add_argument("what", metavar="claims|CLAIM/READING", help="the claim graph, or whose strategy graph")
    parser.add_argument("--format", choices=("dot", "graphml", "json"), default="dot", help="default: dot")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="the file to write (default: standard output)")
    add_specs(parser)
    add_proofs(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run ``graph``."""
    from verifier.graph.build import build_claim_graph, build_strategy_graph
    from verifier.graph.write import write_graph

    if arguments.what == "claims":
        from verifier.spec.library import load_library

        graph = build_claim_graph(load_library(find_folder("specs", arguments.specs)))
    else:
        graph = build_strategy_graph(*_load_walk(find_folder("proofs", arguments.proofs), arguments.what))
    text = write_graph(graph, arguments.format)
    if arguments.out is None:
        print(text, end="")
    else:
        partial = arguments.out.with_name(arguments.out.name + ".part")
        partial.write_text(text)
        partial.replace(arguments.out)
    return 0


def _load_walk(proofs: pathlib.Path, name: str) -> Any:
    from verifier.kernel.recheck import Walks, read_index, recheck_entry
    from verifier.kernel.statement import parse_statement

    entry = next(
        (entry for entry in read_index(proofs) if name in (f"{entry.claim}/{entry.reading}", entry.claim)), None
    )
    if entry is None:
        raise UsageError(f"no certificate {name!r} in the index: name CLAIM/READING, or 'claims'")
    walks: Walks = {}
    certificate, _ = recheck_entry(proofs, entry, walks)
    if not walks:
        raise UsageError(f"{entry.claim}/{entry.reading} has no strategy to draw: its evidence is no table of plays")
    return parse_statement(certificate.statement), next(iter(walks.values()))
