"""The command ``graph``: the graph of the claims, or the graph of the plays of a certificate."""

from __future__ import annotations

import argparse
import pathlib

from verifier.cli.options import (
    EVIDENCE,
    add_look_options,
    check_target,
    command,
    open_to_look,
    warn_of_rejected,
    write_text,
)
from verifier.cli.progress import telling
from verifier.kernel.errors import UsageError
from verifier.language.problem import suggest
from verifier.report.printable import label_printably

GRAPH_FORMATS = ("dot", "graphml", "gexf", "cytoscape", "json", "svg")
"""What ``verifier.graph.write`` writes; it loads networkx."""


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Write the graph of the claims ('claims'), or the graph of the plays of a certificate (CLAIM/READING), which
        the kernel checks first.

        The claim graph has an edge from each claim to each claim that it needs. The attribute 'because' of an edge is
        'joins' if the verdict depends on that claim, and 'uses' if that claim should only be read first. A node's
        'standing' comes from earlier runs. The strategy graph has a node for each position.

        Formats: dot for Graphviz; graphml for Gephi, yEd, igraph and networkx; gexf for Gephi; cytoscape for
        Cytoscape; json for networkx and d3 (node-link); svg is a picture of the claim graph.
        """,
        {
            "verifier graph claims --out claims.svg": "which claim needs which",
            "verifier graph lemma-3 --out lemma-3.graphml": "a strategy, position by position",
        },
        codes=EVIDENCE | {0: "the graph was written"},
    )
    parser.add_argument("what", metavar="claims|CLAIM[/READING]", help="name the reading too if several have plays")
    parser.add_argument(
        "--format", choices=GRAPH_FORMATS, help="(default: from the ending of --out, such as .svg; without --out: dot)"
    )
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="the file to write (default: standard output)")
    add_look_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run ``graph``."""
    from verifier.graph.write import SUFFIXES, write_graph

    suffix = arguments.out.suffix if arguments.out is not None else ""
    if arguments.out is not None:
        check_target(arguments.out)
    form = SUFFIXES.get(suffix, "" if suffix else "dot")
    form = form if suffix in (".png", ".pdf") else arguments.format or form
    if not form:
        raise UsageError(
            f"cannot write {suffix}; use a file that ends in {', '.join(sorted(SUFFIXES))}; "
            "a browser or Inkscape turns .svg into PNG or PDF"
        )
    if meant := suggest(arguments.what, ["claims"]) * (arguments.what != "claims"):
        raise UsageError(f"no claim {arguments.what!r}{meant}")
    if arguments.what == "claims":
        specs = open_to_look(arguments)
        ledger = specs.look()
        warn_of_rejected(ledger)
        graph = specs.graph(ledger.standings)
    else:
        certificate = open_to_look(arguments).certificate(arguments.what)
        with telling(f"following the plays of {certificate.name}"):
            graph = certificate.graph()
    label_printably(graph)
    with telling(f"writing {len(graph):,} nodes"):
        text = write_graph(graph, form)
    write_text(text, arguments.out)
    return 0
