"""The claim graph of a ledger. Labels are the names that documents give to claims. A node can stand for many claims."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import networkx as nx

from verifier.graph.build import JOINS, build_claim_graph
from verifier.graph.picture import STANDINGS
from verifier.kernel.words import counted
from verifier.language.library import Library
from verifier.language.outline import split_headline

if TYPE_CHECKING:
    from verifier.graph.build import Graph


def build_ledger_graph(library: Library, standings: Mapping[str, str], labels: Mapping[str, str]) -> Graph:
    """Return the graph of a ledger's claims and of the claims that they join or use.

    ``labels`` has the label of each claim. Nodes have two more attributes than in a claim graph. ``way`` is True if the
    claim is one of a document's main claims (its headline), or if a main claim rests on this claim. ``link`` is True if
    the ledger has the claim.
    """
    graph = build_claim_graph(library, standings)
    needed = {other for claim in standings for other in graph.successors(claim)}
    shown = graph.copy()  # a subgraph view would list its nodes in the order of a set
    shown.remove_nodes_from([name for name in graph if name not in standings and name not in needed])
    # If a claim was not checked, the ledger does not say what its verdict rests on.
    shown.remove_edges_from([edge for edge in shown.edges if edge[0] not in standings])
    heads = [name for document in library.documents for name in split_headline(library, document)[0]]
    joined = nx.DiGraph([edge for edge in shown.edges if shown.edges[edge]["because"] == JOINS])
    way = {name for head in heads for name in (head, *(nx.descendants(joined, head) if head in joined else ()))}
    for name, data in shown.nodes(data=True):
        data |= {"label": labels[name], "way": name in way, "link": name in standings}
    return shown


def fold_families(graph: Graph, files: Mapping[str, str]) -> Graph:
    """Return a graph with one node for all claims of a file that have the same document and the same ``link``.

    A node has the name of its first claim. If it stands for several claims, ``members`` has their names. ``files`` has
    the file of each claim.
    """
    families: dict[tuple[str, str, bool], list[str]] = {}
    for name, data in graph.nodes(data=True):
        families.setdefault((files[name], data["document"], data["link"]), []).append(name)
    home = {name: names[0] for names in families.values() for name in names}
    folded: nx.DiGraph[str] = nx.DiGraph(**graph.graph)
    for names in families.values():
        folded.add_node(names[0], **_describe(graph, names))
    for source, target, data in graph.edges(data=True):
        edge = home[source], home[target]
        if edge[0] != edge[1] and (edge not in folded.edges or data["because"] == JOINS):
            folded.add_edge(*edge, **data)
    return folded


def tell_apart(graph: Graph) -> Graph:
    """Label claims by their ids if a document gives several claims the same name. This modifies the given graph."""
    count = Counter((data["document"], data["label"]) for _, data in graph.nodes(data=True))
    for name, data in graph.nodes(data=True):
        if count[data["document"], data["label"]] > 1:
            data["label"] = name
    return graph


def _describe(graph: Graph, names: list[str]) -> dict[str, object]:
    data = dict(graph.nodes[names[0]])
    if len(names) == 1:
        return data
    columns = zip(*(graph.nodes[name]["label"].split() for name in names), strict=False)
    common = (words[0] for words in itertools.takewhile(lambda words: len({*words}) == 1, columns))
    return data | {
        "label": f"{' '.join(common)} ({len(names)})",
        "title": f"{counted(len(names), 'claim')}, such as: {data['title']}",
        "standing": max((graph.nodes[name]["standing"] for name in names), key=[*STANDINGS].index),
        "way": any(graph.nodes[name]["way"] for name in names),
        "members": names,
    }
