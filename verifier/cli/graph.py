"""The command ``graph``: the graph of the claims, or the folded graph of the plays of a certificate."""

from __future__ import annotations

import argparse
import pathlib

from verifier.cli.options import (
    EVIDENCE,
    add_look_options,
    check_target,
    command,
    open_to_look,
    positive,
    warn_of_rejected,
    write_text,
)
from verifier.cli.progress import telling
from verifier.kernel.errors import UsageError
from verifier.language.problem import suggest
from verifier.report.printable import label_printably

GRAPH_FORMATS = ("dot", "graphml", "gexf", "cytoscape", "json", "svg")
"""The formats of ``verifier.graph.write``. They are repeated here, because that module loads networkx."""

MAX_DRAWN, MAX_WRITTEN = 60, 100_000
"""Maximum number of single positions in a picture, and in other formats."""


def fill_parser(parser: argparse.ArgumentParser) -> None:
    """Say what the command does, and add its arguments."""
    command(
        parser,
        """
        Write the graph of the claims ('claims'), or the strategy graph of a certificate (CLAIM/READING), which the
        kernel checks first.

        The graph of the claims has an edge from each claim to each claim that it joins or uses. An edge from A to B
        has the attribute 'because'. It is 'joins' if the verdict on A rests on B. It is 'uses' if B should be read
        before A, but the verdict on A does not rest on B. A node's 'standing' comes from earlier runs.

        The strategy graph is folded: each node stands for a group of positions. There is one node for each phase of the
        strategy, and one for each way in which plays end. (A phase is a part of a strategy that has its own rules.) If
        there is only one phase, there is a node for each rule. If there is no strategy, there is a node for each ply.
        If the player without the strategy is to move, the position belongs to the phase of the move that led to it. A
        node says how many positions it has and at which plies, and gives one of these positions as an example. An edge
        says how many moves it stands for, and which rules make them. With --depth N, each position of the first N plies
        is a node. If the certificate uses symmetries, positions that are symmetric to each other count once.

        Formats: dot for Graphviz; graphml for Gephi, yEd, igraph and networkx; gexf for Gephi; cytoscape for
        Cytoscape; json for networkx and d3 (node-link); svg is a picture.
        """,
        {
            "verifier graph claims --out claims.svg": "what each claim rests on, and what to read before it",
            "verifier graph lemma-3 --out lemma-3.svg": "a strategy, phase by phase",
            "verifier graph lemma-3 --depth 99 --out lemma-3.graphml": "a strategy, position by position",
        },
        codes=EVIDENCE | {0: "the graph was written"},
    )
    parser.add_argument(
        "what",
        metavar="claims|CLAIM[/READING]",
        help="'claims', or a claim (name the reading if several readings are about plays)",
    )
    parser.add_argument(
        "--format", choices=GRAPH_FORMATS, help="the format (default: from the ending of --out; without --out: dot)"
    )
    parser.add_argument(
        "--depth",
        type=positive,
        metavar="N",
        help=f"unfold the first N plies: a node for each position (for svg at most {MAX_DRAWN:,} positions)",
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
    if arguments.what == "claims" and arguments.depth is not None:
        raise UsageError("--depth unfolds the plays of a claim: name a claim instead of 'claims'")
    start = None
    if arguments.what == "claims":
        specs = open_to_look(arguments)
        ledger = specs.look()
        warn_of_rejected(ledger)
        graph = specs.graph(ledger.standings)
    else:
        certificate = open_to_look(arguments).certificate(arguments.what)
        with telling(f"following the plays of {certificate.name}"):
            limit = MAX_DRAWN if form == "svg" else MAX_WRITTEN
            graph = certificate.graph(folded=True, depth=arguments.depth or -1, limit=limit)
            start = certificate.start
    label_printably(graph)
    with telling(f"writing {len(graph):,} nodes"):
        text = write_graph(graph, form, *((start.game, start.drawings) if start is not None else ()))
    write_text(text, arguments.out)
    return 0
